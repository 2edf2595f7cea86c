"""The phrases of Brikks, in ``text/*/brikks.json``."""

from __future__ import annotations

from brikks_vision.text import phrases
from brikks_vision.text.phrases import Fact, Phrase


def phrase(key: str, **facts: Fact) -> Phrase:
    """The phrase of Brikks by that key; ``facts`` are put into its template."""
    return phrases.phrase(f"brikks.{key}", **facts)
