"""The words of BLOX in every language."""

import ast
import json
from importlib import resources
from pathlib import Path

import pytest

import brikks_vision.games.blox as readings
import brikks_vision.rules.blox as blox
import brikks_vision.rules.blox.material as errors
from brikks_vision.rules.blox.material import JOKER, Color, PawnColor
from brikks_vision.text.languages import LANGUAGES


def phrases(language):
    file = resources.files("brikks_vision").joinpath("text", language, "blox.json")
    return json.loads(file.read_text("utf-8"))["phrases"]


def used_keys() -> set[str]:
    """The keys of all phrases in the package's source."""
    calls = [
        call
        for room in (blox, readings)
        for file in Path(room.__path__[0]).glob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and "phrase" in (getattr(call.func, "id", ""), getattr(call.func, "attr", ""))
    ]
    constants = {
        node.value
        for call in calls
        if call.args
        for node in ast.walk(call.args[0])
        if isinstance(node, ast.Constant)
    }
    named = {f"color-{color}" for color in [*Color, JOKER]} | {
        f"{word}-{pawn}" for pawn in PawnColor for word in ("pawn", "pawns")
    }
    told = {each.key for each in vars(errors).values() if _is_error(each)}
    by_name = named | told | {"wrong-chip", "chip-too-much"}
    return constants - {"blox.", "color-", "pawn-", "pawns-", "do-"} | by_name


def _is_error(each) -> bool:
    bases = (errors.BloxError, errors.IllegalActionError)
    return isinstance(each, type) and issubclass(each, errors.BloxError) and each not in bases


def test_the_keys_are_those_of_the_rules():
    assert phrases("en").keys() == used_keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_phrase_is_one_sentence_or_part_of_one(language):
    for template in phrases(language).values():
        for text in [template] if isinstance(template, str) else template.values():
            assert text == text.strip() and "  " not in text
            assert not text.endswith(".")
    if language != "en":
        same = [key for key, text in phrases(language).items() if text == phrases("en")[key]]
        assert {*same} <= {"bracketed", "color-choice", "color-joker", "pawns-told", "phases-told"}


def test_errors_that_no_drawn_position_can_show():
    for error in (errors.BoardColorsError(), errors.EmptyTowerError()):
        assert len({error.text(language) for language in LANGUAGES}) == len(LANGUAGES)
