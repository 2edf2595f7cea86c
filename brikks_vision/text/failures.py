"""Failures in words: English in the class, other languages in ``errors.json`` by class name."""

from __future__ import annotations

from typing import ClassVar

from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import Phrase


class Failure(Exception):  # noqa: N818 (the names of its subclasses say what happened)
    """A failure with a message for people. sentence: an English template for the facts."""

    sentence: ClassVar[str]

    def __init__(self, **facts: object) -> None:
        # The values, in the order of the subclass's parameters, so that errors can be pickled.
        super().__init__(*facts.values())
        self.facts = facts

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: str) -> str:
        """The sentence in "de", "en", "fr" or "es"; English for any other language."""
        texts = texts_in(language)
        words = {
            name: fact.text(language)
            if isinstance(fact, Phrase | Failure)
            else texts.words.get(f"{name} {fact}", str(fact))
            for name, fact in self.facts.items()
        }
        return texts.errors.get(type(self).__name__, self.sentence).format(**words)
