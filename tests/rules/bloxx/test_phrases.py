"""The words of these rules, in every language."""

import ast
import json
import string
from importlib import resources
from pathlib import Path

import pytest

from brikks_vision.games import bloxx as games
from brikks_vision.games.bloxx.places import MARKS
from brikks_vision.games.bloxx.settings import SETTINGS
from brikks_vision.rules import bloxx as rules
from brikks_vision.rules.bloxx.sheet import phrase, place_words
from brikks_vision.text.languages import LANGUAGES
from tests.rules.bloxx.bloxx_sheets import OWN

PRINTED = "printed-"
"""Keys of the words on the printable sheet, which `games` draws and its own tests look at."""

ANSWERS = {"answers-allowed", "contract-answers"}
"""What common code tells of the answers that a game understands."""


def own_phrases(language: str) -> dict:
    file = resources.files("brikks_vision").joinpath("text", language, "bloxx.json")
    return json.loads(file.read_text("utf-8"))["phrases"]


def placeholders(template) -> set[str]:
    """What a phrase names; its number may be left to the word itself ("a", "the")."""
    texts = [template] if isinstance(template, str) else template.values()
    names = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
    return names - {"count"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_by_count_cover_every_count(language):
    for template in own_phrases(language).values():
        if not isinstance(template, str):
            assert {"1", "other"} <= template.keys() <= {"0", "1", "other"}
            assert len({frozenset(placeholders(text)) for text in template.values()}) == 1


def test_every_key_in_the_code_has_a_phrase_and_every_phrase_a_use():
    nodes = [
        node
        for package in (rules, games)
        for file in Path(package.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
    ]
    constants = {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    spans = {"column", "columns", "row", "rows"}
    told = {key for key in own_phrases("en") if not key.startswith(PRINTED)}
    asked = {f"{field}-place" for field in MARKS} | {f"ask-{field}" for field in MARKS}
    settings = {f"setting-{each.name}" for each in SETTINGS}
    named = {f"{each}-named" for each in constants}  # by the names of players: `web.routes.games`
    assert told - spans - asked - settings - ANSWERS <= constants | named
    calls = {
        call.args[0].value
        for call in nodes
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") == "phrase"
        and isinstance(call.args[0], ast.Constant)
    }
    assert calls | asked | settings | ANSWERS <= own_phrases("en").keys()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "columns 1-3, row 1 from the bottom"),
        ("de", "Spalten 1-3, Reihe 1 von unten"),
        ("fr", "colonnes 1-3, ligne 1 en partant du bas"),
        ("es", "columnas 1-3, fila 1 desde abajo"),
    ],
)
def test_places_in_words(language, words):
    assert place_words([(9, 0), (9, 2)], OWN).text(language) == words


def test_zero_is_singular_in_french():
    assert phrase("points", count=0, values=0).text("fr") == "0 point"
    assert phrase("points", count=0, values=0).text("es") == "0 puntos"
