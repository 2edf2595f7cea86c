"""Every error is one of what it was, and says in every language what it said.

That is kept in `error_sentences.json`, which whoever changes or adds a sentence writes anew:
``python -m tests.test_errors``.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brikks_vision import errors
from brikks_vision.errors import BrikksError, ExitCode, PhotoEmpty
from brikks_vision.rules.blox import material as blox
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.text.phrases import fact_names, phrase

BASES = {"BrikksError", "WrongUse", "PartsMissing", "RecordFailure", "PhotoUnreadable"}
KEPT = Path(__file__).with_name("error_sentences.json")
FACTS: dict[str, Any] = {
    "side": "left",
    "why": PhotoEmpty(),
    "told": phrase("brikks.settings-rule"),
    "rule": phrase("brikks.settings-rule"),
    "first": (0, 1),
    "field": (2, 3),
    "start": (4, 5),
    "target": (6, 7),
    "pawn": PawnColor.RED,
    "color": Color.GREY,
    "count": 5,
    "height": 4,
    "phase": 3,
    "due": 2,
}


def classes_from(kind: type) -> Iterator[type]:
    """The package's own classes of this kind, but for the general ones of BLOX."""
    if kind not in (blox.BloxError, blox.IllegalActionError):
        yield kind
    for each in kind.__subclasses__():
        if each.__module__.startswith("brikks_vision."):
            yield from classes_from(each)


CLASSES = [*classes_from(BrikksError), *classes_from(blox.BloxError)]


def made(kind: type) -> Any:
    """An error of this class, each of its facts its own name or one of `FACTS`."""
    names = dict.fromkeys(fact_names(kind))
    if issubclass(kind, blox.BloxError):
        del names["told"]
    return kind(*(FACTS.get(name, name.upper()) for name in names))


def told() -> dict[str, Any]:
    """By class, what it is one of, how the program ends, its facts, and its sentences."""
    return {
        kind.__name__: {
            "base": kind.__base__.__name__,
            "exit_code": getattr(kind, "exit_code", None),
            "facts": [*getattr(error, "facts", ())],
            **{language: error.text(language) for language in LANGUAGES},
        }
        for kind in CLASSES
        for error in (made(kind),)
    }


def test_every_sentence_is_as_it_was() -> None:
    assert told() == json.loads(KEPT.read_text("utf-8"))


def test_every_class_but_the_bases_has_a_sentence_of_its_own() -> None:
    english = texts_in("en").errors
    names = {name for name, kind in vars(errors).items() if kind in CLASSES} - BASES
    assert names == {*english} - {"BrikksError"}
    assert len({*english.values()}) == len(english) > 140


@pytest.mark.parametrize("kind", CLASSES)
def test_an_error_can_be_sent_to_another_process(kind: type) -> None:
    error = made(kind)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert [again.text(language) for language in LANGUAGES] == [
        error.text(language) for language in LANGUAGES
    ]


def test_facts_are_given_in_their_order_or_by_name() -> None:
    in_order = errors.TooManyPixels(120, 100)
    by_name = errors.TooManyPixels(limit=100, megapixels=120)
    assert str(in_order) == str(by_name)
    assert (in_order.megapixels, in_order.limit) == (120, 100)
    assert in_order.exit_code is ExitCode.UNREADABLE


if __name__ == "__main__":
    lines = [json.dumps({name: each}, ensure_ascii=False)[1:-1] for name, each in told().items()]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
