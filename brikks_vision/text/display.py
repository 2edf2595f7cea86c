"""Text from outside (names of files and of people) as it may be shown in terminals and tables.

Names can hold line breaks and the codes that terminals obey; such a name could forge a line of a
report, or hide one. Signs that show nothing make two names look like one.

Harmless is a sign that shows something, a space, and what shapes the signs beside it: joiners in
Persian words and in emoji that are made of several, the choice between pictures of one sign.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable

_NOT_ASCII = re.compile("[^ -~]")  # of ASCII, what is printed
_JOINERS = re.compile("[\u200c\u200d]")
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# Letters and symbols to Unicode, but nothing is drawn (DerivedCoreProperties.txt: Default_Ignorable
# Code_Point), and two that are drawn empty.
_EMPTY = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\U0001d159]")
_KEYCAP = "\u20e3"  # around a digit, after a selector
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
# Letters without case and their marks (Arabic, Indic and East Asian scripts), emoji and symbols.
_SHAPED = ("Lo", "Mn", "Mc", "So", "Sm")


def visible(text: object) -> str:
    r"""The text in one line, every sign that is not harmless spelled out.

    >>> visible("IMG\x1b[2K\n1.jpg")
    'IMG\\x1b[2K\\n1.jpg'
    """
    return _replaced(str(text), lambda sign: sign.encode("unicode_escape").decode("ascii"))


def only_harmless(text: str) -> str:
    """The text without the signs that are not harmless."""
    return _replaced(text, lambda _: "")


def cleaned_name(name: str) -> str:
    r"""A person's name in one line, of harmless signs; empty where none is left.

    >>> cleaned_name("  Eva\n Maria\x07 ")
    'Eva Maria'
    """
    return " ".join(only_harmless(" ".join(name.split())).split())


def compared(text: str) -> str:
    r"""A text by what it shows, whatever the case of its letters; names are compared by it.

    >>> compared("An\u200dna") == compared("anna")
    True
    """
    shown = "".join(filter(_shows, text))
    return unicodedata.normalize("NFKC", shown).casefold()


def spreadsheet_text(text: str) -> str:
    """The text as it may stand in a table: spreadsheets run what begins like a formula.

    Source: OWASP, CSV injection.
    """
    shown = visible(text)
    return f"'{shown}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else shown


def json_line(value: object) -> str:
    """JSON in one line that can be shown in a terminal: what is not harmless is escaped."""
    return _replaced(json.dumps(value, ensure_ascii=False), _json_escape)


def _replaced(text: str, other: Callable[[str], str]) -> str:
    """The text, each sign that is not harmless replaced."""
    return _NOT_ASCII.sub(
        lambda found: found[0] if _is_harmless(text, found.start()) else other(found[0]), text
    )


def _is_harmless(text: str, at: int) -> bool:
    """Whether the sign at a place shows something, or shapes the signs beside it."""
    sign, before, after = text[at], text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    if _SELECTORS.match(sign):
        return _is_shaped(before) or after == _KEYCAP
    if _JOINERS.match(sign):
        joined = text[max(at - 2, 0) : at - 1] if _SELECTORS.match(before) else before
        return _is_shaped(joined) and _is_shaped(after)
    return _shows(sign)


def _shows(sign: str) -> bool:
    """Whether a sign shows something by itself, or is a space."""
    is_shown = sign.isprintable() or unicodedata.category(sign) == "Zs"
    return is_shown and not (_EMPTY.match(sign) or _SELECTORS.match(sign))


def _is_shaped(sign: str) -> bool:
    """Whether a sign (or none) looks otherwise by joiners and selectors beside it."""
    if not sign or sign.isascii() or not _shows(sign):
        return False
    return unicodedata.category(sign) in _SHAPED or bool(_SKIN_TONES.match(sign))


def _json_escape(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
