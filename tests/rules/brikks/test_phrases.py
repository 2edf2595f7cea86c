"""What the rules tell, in words of any language."""

import ast
from pathlib import Path

import pytest

import brikks_vision.rules.brikks
from brikks_vision.rules.brikks.sheet import phrase
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.text.phrases import all_of, one_of


@pytest.mark.parametrize(
    ("told", "language", "words"),
    [
        (phrase("crosses", count=1), "en", "1 cross"),
        (phrase("crosses", count=0), "en", "0 crosses"),
        (phrase("energy-points", count=0), "fr", "0 point d'énergie"),
        (phrase("energy-points", count=2), "de", "2 Energiepunkte"),
        (phrase("energy-points-of", count=2, counts=one_of([0, 2])), "es",
         "0 o 2 puntos de energía"),
        (phrase("not-struck", count=2, players=2, labels=all_of("43")), "en",
         "With 2 players the energy points 4 and 3 must be crossed out at setup, but are not"),
        (phrase("crosses", count=3), "xx", "3 crosses"),
    ],
)  # fmt: skip
def test_facts_in_words(told, language, words):
    assert told.text(language) == words


def test_a_sentence_begins_and_ends_as_one():
    assert phrase("mini-block", place="here").sentence("en") == "The mini-block here."


def test_every_phrase_of_the_rules_has_words():
    keys = {
        f"brikks.{call.args[0].value}"
        for file in Path(brikks_vision.rules.brikks.__path__[0]).glob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") == "phrase"
        and isinstance(call.args[0], ast.Constant)
    }
    assert len(keys) > 40
    for language in LANGUAGES:
        assert keys <= texts_in(language).phrases.keys()
