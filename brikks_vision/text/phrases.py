"""Phrases: a key and facts, put into words of a language only where they are shown.

The words are in ``text/`` under "phrases", by key: a template, or one for each count (the fact
named "count") with "other" for all counts that are not listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from brikks_vision.text.languages import LANGUAGES, texts_in


@dataclass(frozen=True)
class Phrase:
    """A key of `Texts.phrases` and the facts, by name, that its template is filled with."""

    key: str
    facts: tuple[tuple[str, Fact], ...] = ()

    def text(self, language: str = "en") -> str:
        """The words, in "de", "en", "fr" or "es"; English for any other."""
        words = {name: _fact_text(fact, language) for name, fact in self.facts}
        template = texts_in(language).phrases[self.key]
        if not isinstance(template, str):
            template = template.get(words["count"], template["other"])
        return template.format(**words)

    def sentence(self, language: str = "en") -> str:
        """The words with a capital letter and a full stop."""
        text = self.text(language)
        return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")


@dataclass(frozen=True)
class Listed:
    """ "1, 2 or 3"."""

    items: tuple[int | str | Phrase, ...]
    joined_by: Literal["and", "or"]


Fact = int | str | Phrase | Listed

Translator = Callable[[Phrase], str]
"""Puts phrases into the words of one language; ``Phrase.text`` itself is the English one."""


def translator(language: str) -> Translator:
    """The function that puts phrases into the words of that language."""
    return lambda told: told.text(language)


class Told:
    """Base of what has one message, the phrase ``told``."""

    told: Phrase

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.text("en")

    def text(self, language: str) -> str:
        """The sentence in "de", "en", "fr" or "es"; English for any other."""
        return self.told.sentence(language)


def phrase(key: str, **facts: Fact) -> Phrase:
    return Phrase(key, tuple(facts.items()))


def all_of(items: Iterable[int | str | Phrase]) -> Listed:
    """ "1, 2 and 3"."""
    return Listed(tuple(items), "and")


def one_of(items: Iterable[int | str | Phrase]) -> Listed:
    """ "1, 2 or 3"."""
    return Listed(tuple(items), "or")


def in_every_language(told: Phrase) -> frozenset[str]:
    """The words of a phrase, in small letters: what people may type, whatever their language."""
    return frozenset(told.text(language).lower() for language in LANGUAGES)


def _fact_text(fact: Fact, language: str) -> str:
    if isinstance(fact, Phrase):
        return fact.text(language)
    if not isinstance(fact, Listed):
        return str(fact)
    words = [_fact_text(item, language) for item in fact.items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {phrase(fact.joined_by).text(language)} {words[-1]}"
