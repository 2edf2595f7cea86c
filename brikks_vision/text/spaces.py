"""No-break spaces, where a language has them.

Sources: Lexique des règles typographiques en usage à l'Imprimerie nationale (French punctuation);
DIN 5008 (a space between figure and per cent sign).
"""

from __future__ import annotations

import re
from typing import Any

NARROW = "\u202f"  # narrow no-break space
_BEFORE_SIGN = re.compile(r"[ \u00a0](?=[?!:;»])")
_AFTER_QUOTE = re.compile(r"(?<=«)[ \u00a0]")
_BEFORE_PERCENT = re.compile(r"(?<=[\d}])[ \u00a0](?=%)")
_BEFORE_DOTS = re.compile(r" (?=…)")


def spaced(text: str, language: str) -> str:
    """A text with the no-break spaces of its language.

    >>> spaced("{percent} % ?", "fr")
    '{percent}\\u202f%\\u202f?'
    """
    text = _BEFORE_PERCENT.sub(NARROW, text)
    text = _BEFORE_DOTS.sub(NARROW, text)
    if language == "fr":
        text = _BEFORE_SIGN.sub(NARROW, text)
        text = _AFTER_QUOTE.sub(NARROW, text)
    return text


def all_spaced(texts: Any, language: str) -> Any:
    """The texts of a JSON value, each as `spaced` has it; its keys stay."""
    if isinstance(texts, str):
        return spaced(texts, language)
    if isinstance(texts, dict):
        return {key: all_spaced(text, language) for key, text in texts.items()}
    return texts
