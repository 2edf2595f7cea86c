"""Phrases and failures in words, and text from outside made safe.

A phrase is a key and facts, put into words of a language only where it is shown: a template of
``text/`` under "phrases", or one for each count (the fact "count") with "other" for the rest.
Failures have their words in ``errors.json``, by class name.

File names and people's names can contain line breaks and terminal control codes, which could forge
a line of a report or hide one; invisible characters make two names look alike. A character is
harmless if it is visible, a space, or shapes those beside it: joiners in Persian words and composed
emoji, and variation selectors.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, dataclass_transform

from brikks_vision.text.languages import LANGUAGES, all_texts, texts_in


@dataclass(frozen=True)
class Phrase:
    """A key of `Texts.phrases` and the facts, by name, that its template is filled with."""

    key: str
    facts: tuple[tuple[str, Fact], ...] = ()

    def text(self, language: str = "en") -> str:
        """The words, in a language of ``LANGUAGES``; English for any other."""
        words = self.words(language)
        template = texts_in(language).phrases[self.key]
        if not isinstance(template, str):
            template = template.get(words["count"], template["other"])
        return template.format(**words)

    def words(self, language: str) -> dict[str, str]:
        """The facts in words, by name."""
        return {name: _fact_text(fact, language) for name, fact in self.facts}

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
        """The sentence in a language of ``LANGUAGES``; English for any other."""
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


def names_of(place: str, **facts: Fact) -> tuple[str, ...]:
    """What people may call a place of that kind, in every language; as it is shown among them."""
    return tuple(
        template.format(**phrase(place, **facts).words(texts.language))
        for texts in all_texts()
        for template in (*texts.answers[place], str(texts.phrases[f"{place}-place"]))
    )


def _fact_text(fact: Fact, language: str) -> str:
    if isinstance(fact, Phrase):
        return fact.text(language)
    if not isinstance(fact, Listed):
        return str(fact)
    words = [_fact_text(item, language) for item in fact.items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {phrase(fact.joined_by).text(language)} {words[-1]}"


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
        """The sentence in a language of ``LANGUAGES``; English for any other."""
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


_NOT_ASCII = re.compile("[^ -~]")  # or a control code
_JOINERS = re.compile("[\u200c\u200d]")
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# Letters and symbols that are drawn as nothing (DerivedCoreProperties.txt:
# Default_Ignorable_Code_Point), and two that are drawn as an empty space.
_EMPTY = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\U0001d159]")
_KEYCAP = "\u20e3"  # around a digit, after a selector
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
# Letters without case and their marks (Arabic, Indic and East Asian scripts), emoji and symbols.
_SHAPED = ("Lo", "Mn", "Mc", "So", "Sm")


def visible(text: object) -> str:
    r"""The text in one line; harmful characters are escaped.

    >>> visible("IMG\x1b[2K\n1.jpg")
    'IMG\\x1b[2K\\n1.jpg'
    """
    return _replaced(str(text), lambda sign: sign.encode("unicode_escape").decode("ascii"))


def only_harmless(text: str) -> str:
    """The text without its harmful characters."""
    return _replaced(text, lambda _: "")


def cleaned_name(name: str) -> str:
    r"""A person's name in one line of harmless characters; may be empty.

    >>> cleaned_name("  Eva\n Maria\x07 ")
    'Eva Maria'
    """
    return " ".join(only_harmless(" ".join(name.split())).split())


def compared(text: str) -> str:
    r"""Normalise a name for comparison: drop invisible characters, NFKC, casefold.

    >>> compared("An\u200dna") == compared("anna")
    True
    """
    shown = "".join(filter(_shows, text))
    return unicodedata.normalize("NFKC", shown).casefold()


def spreadsheet_text(text: str) -> str:
    """Escape the text for a table: spreadsheets execute cells that begin like a formula.

    Source: OWASP, CSV injection.
    """
    shown = visible(text)
    return f"'{shown}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else shown


def json_line(value: object) -> str:
    """JSON in one line that is safe in a terminal: harmful characters are escaped."""
    return _replaced(json.dumps(value, ensure_ascii=False), _json_escape)


def _replaced(text: str, other: Callable[[str], str]) -> str:
    """The text with each harmful character replaced by ``other`` of it."""
    return _NOT_ASCII.sub(
        lambda found: found[0] if _is_harmless(text, found.start()) else other(found[0]), text
    )


def _is_harmless(text: str, at: int) -> bool:
    """Whether the character at an index is visible, a space, or shapes its neighbours."""
    sign, before, after = text[at], text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    if _SELECTORS.match(sign):
        return _is_shaped(before) or after == _KEYCAP
    if _JOINERS.match(sign):
        joined = text[max(at - 2, 0) : at - 1] if _SELECTORS.match(before) else before
        return _is_shaped(joined) and _is_shaped(after)
    return _shows(sign)


def _shows(sign: str) -> bool:
    """Whether a character is visible by itself, or a space."""
    is_shown = sign.isprintable() or unicodedata.category(sign) == "Zs"
    return is_shown and not (_EMPTY.match(sign) or _SELECTORS.match(sign))


def _is_shaped(sign: str) -> bool:
    """Whether joiners and selectors change the shape of a character; False for an empty string."""
    if not sign or sign.isascii() or not _shows(sign):
        return False
    return unicodedata.category(sign) in _SHAPED or bool(_SKIN_TONES.match(sign))


def _json_escape(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
