"""Typesetting for the page: no-break spaces, and soft hyphens in long words.

Sources: Lexique des règles typographiques en usage à l'Imprimerie nationale (French punctuation);
DIN 5008 (a space between figure and per cent sign).
"""

from __future__ import annotations

import re
from functools import cache

from brikks_vision.text.languages import texts_in

NARROW = "\u202f"  # narrow no-break space
SOFT_HYPHEN = "\u00ad"
_BEFORE_SIGN = re.compile(r"[ \u00a0](?=[?!:;»])")
_AFTER_QUOTE = re.compile(r"(?<=«)[ \u00a0]")
_BEFORE_PERCENT = re.compile(r"(?<=[\d}])[ \u00a0](?=%)")
_BEFORE_DOTS = re.compile(r" (?=…)")


def typeset(text: str, language: str) -> str:
    """A text with the no-break spaces of its language and soft hyphens in its long words.

    >>> typeset("{percent} % ?", "fr")
    '{percent}\\u202f%\\u202f?'
    """
    text = _BEFORE_PERCENT.sub(NARROW, text)
    text = _BEFORE_DOTS.sub(NARROW, text)
    if language == "fr":
        text = _BEFORE_SIGN.sub(NARROW, text)
        text = _AFTER_QUOTE.sub(NARROW, text)
    for word, parted in _parted_words(language):
        text = text.replace(word, parted)
    return text


@cache
def typeset_page(language: str) -> dict[str, str]:
    """The words of the page, typeset, by key."""
    return {key: typeset(text, language) for key, text in texts_in(language).page.items()}


@cache
def typeset_report(language: str) -> dict[str, str]:
    """The words of the report, typeset, by key."""
    return {key: typeset(text, language) for key, text in texts_in(language).report.items()}


@cache
def _parted_words(language: str) -> tuple[tuple[str, str], ...]:
    """Long words without and with soft hyphens, each with a small and a capital first letter."""
    listed = texts_in(language).page.get("hyphenated", "").split()
    parted = [each for word in listed for each in (word, word[0].upper() + word[1:])]
    return tuple((each.replace("|", ""), each.replace("|", SOFT_HYPHEN)) for each in parted)
