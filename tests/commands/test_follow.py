"""Games followed from the command line and from Python, over photos of a board."""

import io
import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from brikks_vision import Status, follow
from brikks_vision.errors import TooFewToFollow
from brikks_vision.layout import load_layout
from brikks_vision.rules.blox.position import parse_board
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.blox.notation import read_game
from simulation.brikks.games import play_sheet
from simulation.brikks.notation import read_sheet
from simulation.brikks.photos import printed_blank, shoot
from simulation.hand import plain_hand, random_hand
from simulation.handwriting import load_writers
from simulation.strokes import Pen
from tests.command_line import Run
from tests.commands.test_boards import AFTER, BEFORE, EMPTY, ILLEGAL
from tests.drawn_sheets import read_replay


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


# --- A sheet followed from the command line and from Python, over simulated photos of it ----------


TURNS = [
    """
    AA........
    AA........
    energy xxoo
    """,
    """
    AAB.......
    AABBB.....
    energy xxoo
    """,
    """
    AAB.......
    AABBBCCCC.
    energy xxoo
    """,
    """
    AABDDDD...
    AABBBCCCC.
    energy xxooo
    """,
]


@pytest.fixture(scope="session")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sheet after each turn; the last one activates a point for nothing."""
    folder = tmp_path_factory.mktemp("turns")
    layout, sheet = load_layout("brikks-light"), load_sheet("brikks-light")
    blank = printed_blank("brikks-light", "light", 100)
    rng = np.random.default_rng(1)
    hand = replace(
        plain_hand(rng, random_hand(rng, load_writers(held_out=True))),
        pen=Pen((120, 45, 20), 0.085, 0.96, 0.0, False), outlines="all",
    )  # fmt: skip
    game = play_sheet(sheet, random.Random(1), 2, 1)
    paths = []
    for number, drawing in enumerate(TURNS):
        played = replace(game, state=read_sheet(drawing, sheet))
        rng = np.random.default_rng(number)
        shot = shoot(
            layout, blank, played, hand, rng, "good", 1600, layout.marked_area, mistaken=0.0
        )
        paths.append(folder / f"{number}.jpg")
        cv2.imwrite(str(paths[-1]), shot.image)
    return paths


def test_turns_coach_and_replay(run: Run, photos: list[Path], tmp_path: Path) -> None:
    gif, text = tmp_path / "game.gif", tmp_path / "game.txt"
    said = ("--level", "1", "--players", "2", "--lang", "en")
    code, out, _ = run("follow", *photos, "--coach", "--replay", gif, *said)
    assert code == 4
    assert "1. 0.jpg to 1.jpg: The yellow block in columns 3-5, rows 1-2 from the bottom." in out
    assert "1 energy point too many is activated" in out
    assert "1. " in out and "points expected in the end" in out and "  3. not known" in out
    assert Image.open(io.BytesIO(gif.read_bytes())).n_frames == 6  # pale, four blocks, whole
    code, out, _ = run("follow", *photos, "--coach", "--json", "--replay", text, *said)
    *readings, followed, coached = map(json.loads, out.splitlines())
    assert [reading["photo"] for reading in readings] == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]
    turns = followed["follow"]["turns"]
    assert [len(turn["blocks"]) for turn in turns] == [1, 1, 1]
    assert [turn["energy"] for turn in turns] == [0, 0, 1]
    assert coached["coach"]["turns"][2] is None
    assert followed["follow"]["notation"] == text.read_text()
    assert [len(block) for block in read_replay(text.read_text())] == [4] * 4


def test_one_sentence_for_wrong_photos_of_a_sheet(run: Run, photos: list[Path]) -> None:
    first, second, third, _ = photos
    code, out, err = run("follow", first, third, second, "--lang", "en")
    assert (code, out) == (2, "")
    assert "They fit in this one: 0.jpg, 1.jpg, 2.jpg" in err
    code, out, err = run("follow", first, second, "--players", "blue", "--lang", "en")
    assert (code, out) == (2, "")
    assert "players cannot be blue" in err


@pytest.mark.parametrize("command", ["follow", "turn"])
@pytest.mark.parametrize("order", [1, -1])
def test_two_sheets_are_no_turns_of_one(run: Run, command: str, order: int) -> None:
    first, other = [f"samples/{name}.jpg" for name in ("arcade", "printed")][::order]
    code, out, err = run(command, first, other, "--lang", "en")
    assert (code, out) == (1, "")
    names = f"{Path(other).name} shows another sheet or board than {Path(first).name}."
    assert err.startswith(f"brikks-scan: {names}")


def test_a_sheet_from_python(photos: list[Path]) -> None:
    found = follow(photos[:3], players=2, level=1)
    assert [turn.violations for turn in found.turns] == [(), ()]
    assert [len(block) for block in found.order] == [4, 4, 4]
    assert all(judged and judged.expected for judged in found.judged)
