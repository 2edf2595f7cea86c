"""The words that are printed on the sheet."""

from __future__ import annotations

from brikks_vision.rules.bloxx.words import phrase


def printed(key: str, language: str) -> str:
    """The words printed for a key: the phrase "printed-<key>" of BLOXX!."""
    return phrase(f"printed-{key}").text(language)


def printed_title(title: str, language: str) -> str:
    """The title of the document."""
    return phrase("printed-title", title=title).text(language)
