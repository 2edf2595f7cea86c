"""Sheets of several games beside each other: told apart, never mixed."""

import json
from pathlib import Path

import pytest

from tests.command_line import Run

ARCADE, PRINTED = "samples/arcade.jpg", "samples/printed.jpg"
BLOXX, OPEN_GAP = "samples/bloxx.jpg", "samples/bloxx-open-gap.jpg"


def test_the_legend_names_the_marks_of_the_games_that_are_shown(run: Run) -> None:
    assert "X crossed, . empty, ? cannot be told" in run(ARCADE)[1]
    both = "X crossed, O circled, # coloured in, . empty, ? cannot be told"
    assert both in run(BLOXX)[1]
    assert both in run(ARCADE, BLOXX)[1]


def test_the_sheets_of_one_game_are_ranked(run: Run) -> None:
    _, out, _ = run("game", OPEN_GAP, BLOXX)
    assert "1. bloxx.jpg (sheet 2)            35" in out
    assert "[open-gap]" in out


@pytest.mark.parametrize("first, second", [(BLOXX, ARCADE), (PRINTED, BLOXX)])
def test_sheets_of_different_games_are_no_game(run: Run, first: str, second: str) -> None:
    code, out, err = run("game", first, second)
    assert (code, out) == (2, "")
    assert "different games" in err
    assert "BLOXX!" in err
    assert "Brikks" in err


def test_turns_of_a_game_without_turns_are_not_judged(run: Run) -> None:
    code, out, err = run("turn", BLOXX, OPEN_GAP)
    assert (code, out) == (2, "")
    assert "Turns of BLOXX! cannot be judged" in err


def test_an_answer_means_the_place_on_the_sheet_that_is_shown(run: Run) -> None:
    _, out, err = run(BLOXX, "--answer", "row 1, column 1=cross", "--json")
    assert "Row 1 from the bottom, column 1: crossed" in err
    assert json.loads(out)["grid"][9][0] == "X"
    _, out, _ = run(ARCADE, "--answer", "row 1, column 1=empty", "--json")
    assert json.loads(out)["grid"][10][0] == "."
    assert run(ARCADE, "--answer", "row 1, column 1=circled")[0] == 2


def test_an_answer_in_a_game_means_the_place_on_its_sheet(run: Run) -> None:
    _, out, _ = run("game", BLOXX, OPEN_GAP, "--answer", "2: row 1, column 6=gap", "--json")
    assert json.loads(out.splitlines()[1])["grid"][9][5] == "#"


def test_statistics_are_of_the_game_that_was_played_last(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "record.sqlite3"
    for photo in (ARCADE, BLOXX):
        run(photo, "--player", "Anna", "--db", record)
    for game, title, own, other in (
        ("brikks", "Brikks", "102.0", "35.0"),
        ("bloxx", "BLOXX!", "35.0", "102.0"),
    ):
        _, out, _ = run("stats", "--db", record, "--game", game)
        assert (own in out, other in out) == (True, False)
        assert f"Scores over time: {title}" in out
        assert f"Cells left empty: {title} (" in out
    _, out, _ = run("stats", "--db", record)
    assert ("102.0" in out) != ("35.0" in out)
    assert "--game" in out
    assert run("stats", "--db", record, "--game", "chess")[0] == 2
