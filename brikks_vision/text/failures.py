"""Failures in words: those of a language are in its ``errors.json``, by class name."""

from __future__ import annotations

from typing import dataclass_transform

from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import Phrase


@dataclass_transform(eq_default=False)
class Failure(Exception):  # noqa: N818 (the names of its subclasses say what happened)
    """A failure with a message for people.

    The fields that a class annotates are its facts, given in their order or by name.
    """

    def __init__(self, *values: object, **named: object) -> None:
        self.facts = dict(zip(fact_names(type(self)), values, strict=False)) | named
        super().__init__(*self.facts.values())  # in their order, so that errors can be pickled
        vars(self).update(self.facts)

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
        return (texts.errors.get(type(self).__name__) or self._english()).format(**words)

    def _english(self) -> str:
        """The sentence of the class, else of the nearest one above it that has any."""
        errors = texts_in("en").errors
        return next(errors[each.__name__] for each in type(self).__mro__ if each.__name__ in errors)


def fact_names(kind: type) -> list[str]:
    """The annotated fields of the class and of those above it."""
    return [
        name
        for each in reversed(kind.__mro__)
        for name, annotation in vars(each).get("__annotations__", {}).items()
        if not str(annotation).startswith("ClassVar")
    ]
