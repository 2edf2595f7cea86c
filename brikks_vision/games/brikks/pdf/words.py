"""The words that are printed on the sheet."""

from __future__ import annotations

from brikks_vision.rules.brikks.words import phrase


def printed(key: str, language: str) -> str:
    """The words printed for a key: the phrase "printed-<key>" of Brikks."""
    return phrase(f"printed-{key}").text(language)
