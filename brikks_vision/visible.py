"""Text from outside (names of files and of people) as it may be shown in a terminal.

Names can hold line breaks and the codes that terminals obey; such a name could forge a line of a
report, or hide one.
"""

from __future__ import annotations

import json
import re
import unicodedata

_JOINERS = "\u200c\u200d"  # Persian words and many emoji need them; they show nothing by themselves
# JSON leaves these as they are; terminals may obey them, and line readers end lines at the last.
_RAW_IN_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def visible(text: object) -> str:
    r"""The text in one line, every sign that shows nothing, or does something, spelled out.

    >>> visible("IMG\x1b[2K\n1.jpg")
    'IMG\\x1b[2K\\n1.jpg'
    """
    return "".join(map(_visible_sign, str(text)))


def cleaned_name(name: str) -> str:
    r"""A person's name in one line, without signs that show nothing; empty where none is left.

    >>> cleaned_name("  Eva\n Maria\x07 ")
    'Eva Maria'
    """
    words = " ".join(name.split())
    kept = "".join(sign for sign in words if _is_harmless(sign))
    return " ".join(kept.split()) if kept.strip(f" {_JOINERS}") else ""


def json_line(value: object) -> str:
    """JSON in one line that can be shown in a terminal: letters as they are, controls escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return _RAW_IN_JSON.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def _is_harmless(sign: str) -> bool:
    return sign.isprintable() or sign in _JOINERS or unicodedata.category(sign) == "Zs"


def _visible_sign(sign: str) -> str:
    return sign if _is_harmless(sign) else sign.encode("unicode_escape").decode("ascii")
