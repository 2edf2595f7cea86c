"""What is told to players: a phrase, as a sentence in their language."""

from __future__ import annotations

from brikks_vision.text.phrases import Phrase


class Message:
    """Base of what is told by one phrase, ``told``."""

    told: Phrase

    @property
    def message(self) -> str:
        """The sentence for the players, in English."""
        return self.text("en")

    def text(self, language: str) -> str:
        """The sentence for the players, in "de", "en", "fr" or "es"."""
        return self.told.sentence(language)
