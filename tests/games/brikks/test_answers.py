"""What answers a doubt: as programs write it, and as people do, in any of the languages."""

from pathlib import Path
from typing import Any

import pytest

from brikks_vision.errors import AnswerOffSheet, AnswerUnclear
from brikks_vision.games.brikks.game import DEFINITION as GAME
from brikks_vision.infer.answers import checked_answers, parse_answers
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import scan, scan_all, scan_photo
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.show.covered import answer_text, mark_text, place_text
from brikks_vision.text.languages import LANGUAGES

SHEET, LAYOUT = load_sheet(), load_layout("brikks")
FOLDER = Path("tests/fixtures")
PLACES = (
    *(f"cell {row},{column}" for row, column in SHEET.cells),
    *(f"energy {point}" for point in range(SHEET.energy_points)),
    *(f"box {box}" for box in range(len(SHEET.bonus_values))),
    *(f"bomb {bomb}" for bomb in range(len(SHEET.bomb_points))),
)


# --- as programs write them ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "mark", "answer"),
    [
        ("cell 3,4", "X", ("cell 3,4", "X")),
        ("cell 10, 9", "x", ("cell 10,9", "X")),
        ("energy 27", "used", ("energy 27", "used")),
        ("energy 0", "Off", ("energy 0", "off")),
        ("box 5", ".", ("box 5", ".")),
        ("bomb 2", "X", ("bomb 2", "X")),
    ],
)
def test_an_answer_of_a_program(place: str, mark: str, answer: tuple[str, str]) -> None:
    assert checked_answers({place: mark}, GAME, LAYOUT) == dict([answer])


NONSENSE: tuple[tuple[Any, Any], ...] = (
    ("cell 3,4", "banana"), ("cell 3,4", ""), ("cell 3,4", None), ("cell 3,4", "used"),
    ("cell 3", "X"), ("cell -1,4", "X"), ("cell ３,4", "X"), ("bomb -1", "X"), ("bomb", "X"),
    ("bomb 1,2", "X"), ("energy 12", "X"), ("row 3", "X"), ("", "X"), (3, "X"),
    (f"bomb {'9' * 5000}", "X"),
)  # fmt: skip
OFF_SHEET = ("cell 11,0", "cell 0,10", "energy 28", "box 15", "bomb 3")


@pytest.mark.parametrize(("place", "mark"), NONSENSE)
def test_what_answers_nothing_is_refused_by_every_door(place: Any, mark: Any) -> None:
    photo = FOLDER / "good-arcade.jpg"
    for door in (scan, scan_all, scan_photo):
        with pytest.raises(AnswerUnclear, match='"cell 3,4"'):
            door(photo, answers={place: mark})


@pytest.mark.parametrize("place", OFF_SHEET)
def test_places_that_no_sheet_has_are_refused_by_every_door(place: str) -> None:
    photo = FOLDER / "good-arcade.jpg"
    mark = "used" if place.startswith("energy") else "X"
    for door in (scan, scan_all, scan_photo):
        with pytest.raises(AnswerOffSheet, match=place):
            door(photo, answers={place: mark})


# --- as people write them ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "place", "mark"),
    [
        ("row 3, column 4=crossed", "cell 8,3", "X"),
        ("  Row3 , COLUMN 4 =  Open ", "cell 8,3", "."),
        ("column 4, row 3=x", "cell 8,3", "X"),
        ("bomb 2=crossed", "bomb 1", "X"),
        ("bomb 4: open", "bomb 2", "."),
        ("bomb 1=X", "bomb 0", "X"),
        ("box 21=open", "box 6", "."),
        ("energy point 5=circled", "energy 4", "circled"),
        ("energy 5=crossed out", "energy 4", "used"),
        ("Reihe 3, Spalte 4=angekreuzt", "cell 8,3", "X"),
        ("Kaestchen 21 = offen", "box 6", "."),
        ("point d’energie 5=entoure", "energy 4", "circled"),
        ("BOMBA 2=tachada", "bomb 1", "X"),
        ("cell 3,4=X", "cell 3,4", "X"),  # as the contract spells it
    ],
)
def test_an_answer_of_a_person(answer: str, place: str, mark: str) -> None:
    assert parse_answers([answer], GAME, LAYOUT) == {place: mark}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_are_shown_they_can_write(language: str) -> None:
    for place in PLACES:
        for mark in GAME.MARKS[place.split()[0]]:
            answer = answer_text(place, mark, LAYOUT, language)
            shown = (
                f"{place_text(place, LAYOUT, language)}: {mark_text(place, mark, LAYOUT, language)}"
            )
            for words in (answer, answer.upper(), shown):
                assert parse_answers([words], GAME, LAYOUT) == {place: mark}


def test_the_last_of_several_answers_counts() -> None:
    answers = ["row 8, column 5=crossed", "cell 3,4=."]
    assert parse_answers(answers, GAME, LAYOUT) == {"cell 3,4": "."}


@pytest.mark.parametrize(
    "answer",
    ["", "row 3, column 4", "row 3=X", "row 3, column 4=used up", "energy 12=X X", "bomb 1,2=X",
     "row 3, column -4=X", "row 3, column 4=", "=X", "bomb=X", "bomb ２=X", "bomb 2=circled"],
)  # fmt: skip
def test_words_that_answer_nothing(answer: str) -> None:
    with pytest.raises(AnswerUnclear, match="row 3, column 4=crossed"):
        parse_answers([answer], GAME, LAYOUT)


@pytest.mark.parametrize(
    "answer",
    ["row 0, column 1=X", "row 12, column 1=X", "row 1, column 11=X", "cell 11,0=X",
     "energy point 0=used", "energy point 29=circled", "box 5=X", "bomb 3=X"],
)  # fmt: skip
def test_places_that_people_find_on_no_sheet(answer: str) -> None:
    with pytest.raises(AnswerOffSheet, match="bombs 1, 2 and 4"):
        parse_answers([answer], GAME, LAYOUT)
