"""Typesetting for the page: no-break spaces, and soft hyphens in long words."""

from __future__ import annotations

from functools import cache

from brikks_vision.text.languages import texts_in
from brikks_vision.text.spaces import NARROW, spaced

__all__ = ["NARROW", "SOFT_HYPHEN", "typeset", "typeset_page", "typeset_report"]

SOFT_HYPHEN = "\u00ad"


def typeset(text: str, language: str) -> str:
    """A text with the no-break spaces of its language and soft hyphens in its long words.

    >>> typeset("{percent} % ?", "fr")
    '{percent}\\u202f%\\u202f?'
    """
    text = spaced(text, language)
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
