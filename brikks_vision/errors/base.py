"""The bases of all failures, and how the program ends."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Literal

Side = Literal["left", "right", "top", "bottom"]


class ExitCode(IntEnum):
    """How ``brikks-scan`` ends; the numbers are fixed."""

    CERTAIN = 0
    UNREADABLE = 1
    WRONG_USE = 2
    UNCERTAIN = 3
    VIOLATIONS = 4


class BrikksError(Exception):
    """Base of all failures that a user can cause and correct.

    ``str(error)`` is the English sentence; ``error.text("de")`` the German one.
    """

    sentence: ClassVar[str] = "Something went wrong."
    exit_code: ClassVar[ExitCode] = ExitCode.WRONG_USE

    def __init__(self, **facts: object) -> None:
        # The values, in the order of the subclass's parameters, so that errors can be pickled.
        super().__init__(*facts.values())
        self.facts = facts

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: str) -> str:
        """The sentence in ``language`` ("de", "en", "fr" or "es"; any other: English)."""
        from brikks_vision.text.languages import texts_in
        from brikks_vision.text.phrases import Phrase

        texts = texts_in(language)
        sentence = texts.errors.get(type(self).__name__, self.sentence)
        return sentence.format(
            **{
                name: fact.text(language)
                if isinstance(fact, Phrase)
                else texts.words.get(f"{name} {fact}", str(fact))
                for name, fact in self.facts.items()
            }
        )


class WrongUse(BrikksError):  # noqa: N818 (the names say what happened)
    """Base of the failures in how the program was called, found before any photo is read."""


class PhotoUnreadable(BrikksError):  # noqa: N818
    """Base of the failures of one photo; other photos of the same call can still be read."""

    exit_code: ClassVar[ExitCode] = ExitCode.UNREADABLE
