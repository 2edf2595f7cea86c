"""Games followed from the command line and from Python, over photos of a board."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from brikks_vision import Status, follow
from brikks_vision.errors import TooFewToFollow
from brikks_vision.rules.blox.position import parse_board
from simulation.blox.notation import read_game
from tests.command_line import Run
from tests.commands.test_boards import AFTER, BEFORE, EMPTY, ILLEGAL


def test_a_game_is_followed(run: Run, board: Path) -> None:
    _, out, _ = run("follow", BEFORE, AFTER, "--sheet", board, "--json")
    *readings, last = map(json.loads, out.splitlines())
    assert [reading["photo"] for reading in readings] == [BEFORE.name, AFTER.name]
    followed = last["follow"]
    assert (followed["game"], followed["photos"]) == ("blox", [BEFORE.name, AFTER.name])
    (turn,) = followed["turns"]
    assert (turn["action"], turn["pawn"], turn["from"], turn["to"]) == (
        "move",
        "red",
        [8, 5],
        [3, 5],
    )
    assert followed["points"] == {"red": 0}
    before, after = read_game(
        followed["notation"], parse_board({"field_colors": readings[0]["fields"]})
    )
    assert before.at((8, 5)) == after.at((3, 5)) == "red"


def test_an_illegal_turn_is_named_in_the_users_language(run: Run, board: Path) -> None:
    code, out, _ = run("follow", BEFORE, ILLEGAL, "--sheet", board, "--lang", "de")
    assert code in (3, 4)
    assert "Die rote Figur" in out
    assert "führt kein gerader Weg" in out


def test_one_sentence_for_wrong_photos(run: Run, board: Path, tmp_path: Path) -> None:
    again = shutil.copy(BEFORE, tmp_path / "again.jpg")
    for photos, told in (
        ([BEFORE], "not 1"),
        ([BEFORE, again], f"again.jpg is the same photo as {BEFORE.name}"),
        ([BEFORE, EMPTY.with_name("none.jpg")], "There is no file"),
    ):
        code, out, err = run("follow", *photos, "--sheet", board, "--lang", "en")
        assert (code, out) == (2, "")
        assert told in err


def test_players_that_are_none_are_refused(run: Run, board: Path) -> None:
    code, out, err = run("follow", BEFORE, AFTER, "--sheet", board, "--players", "blue,pink")
    assert (code, out) == (2, "")
    assert "pink" in err


def test_a_player_who_was_not_named_is_told(run: Run, board: Path) -> None:
    _, out, _ = run("follow", BEFORE, AFTER, "--sheet", board, "--players", "blue,green")
    assert "The player with red pawns took a turn, but was not named" in out
    assert "blue pawns: 0 points" in out and "green pawns: 0 points" in out


def test_from_python(board: Path) -> None:
    followed = follow([BEFORE, AFTER], sheet=board)
    assert [reading.photo for reading in followed.readings] == [BEFORE.name, AFTER.name]
    assert [turn.violations for turn in followed.turns] == [()]
    assert followed.status in (Status.OK, Status.UNCERTAIN)
    assert set(followed.to_dict()) == {"readings", "follow"}


def test_what_cannot_be_read_is_left_out(board: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(BEFORE.read_bytes()[:500])
    followed = follow([BEFORE, broken, AFTER], sheet=board)
    assert [reading.status for reading in followed.readings][1] == Status.UNREADABLE
    assert followed.turns[-1].content["photos"][-1] == AFTER.name
    with pytest.raises(TooFewToFollow):
        follow([BEFORE, broken], sheet=board)


def test_the_coach_tells_what_the_same_cards_could_have_brought(run: Run, board: Path) -> None:
    _, out, _ = run("follow", BEFORE, AFTER, "--sheet", board, "--coach", "--json")
    told = json.loads(out.splitlines()[-1])["coach"]
    assert told["game"] == "blox"
    (turn,) = told["turns"]
    assert turn is None or set(turn) == {
        "player", "earned", "better", "points", "blocks", "expected", "margin"
    }  # fmt: skip
    numbers = [1] if turn and turn["better"] else []
    assert told["costliest"] == numbers
    _, out, _ = run("follow", BEFORE, AFTER, "--sheet", board, "--coach", "--lang", "de")
    assert "Was mehr gebracht hätte" in out
    assert ("Die teuersten Züge: 1" in out) == bool(numbers)
