"""A photo tells by itself whether it shows a sheet or a board, whichever way it comes in."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision import scan, scan_all
from brikks_vision.detect.photo import load_photo
from brikks_vision.errors import AnswerOffSheet, AnswerUnclear, BoardIsAnother, NoBoardFound
from brikks_vision.games.blox.board_print import place_one_of
from brikks_vision.games.blox.learn import NamedBoard
from brikks_vision.games.printings import keep_printing
from brikks_vision.reading import Status
from brikks_vision.reading.views import ReadBoard
from brikks_vision.rules.blox.position import load_board, parse_board
from simulation.tables import render_table
from tests.command_line import Run
from tests.known_boards import FIELD_COLORS, board_definition

pytestmark = pytest.mark.usefixtures("observed_once")

FOLDER = Path("tests/fixtures")
KNOWN = [
    NamedBoard("board", load_board()),
    NamedBoard("board", parse_board({"field_colors": FIELD_COLORS})),
    NamedBoard("board", parse_board({"field_colors": [row[::-1] for row in FIELD_COLORS]})),
]
BOARD, SHEET, BACK = FOLDER / "blox" / "after.jpg", Path("samples/arcade.jpg"), "bad-back.jpg"


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Boards and the record are kept in a folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))


@pytest.fixture
def kept() -> None:
    """The board in the photos is known."""
    keep_printing(board_definition(), "mine")


def told(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def without_times(reading: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in reading.items() if name != "timing_ms"}


@pytest.mark.usefixtures("kept")
def test_a_board_is_read_without_being_named() -> None:
    meant = scan(BOARD, game="blox")
    assert isinstance(meant, ReadBoard) and meant.sheet == "mine"
    for reading in (scan(BOARD), *scan_all(BOARD)):
        assert without_times(reading.to_dict()) == without_times(meant.to_dict())
        assert reading.score is None


@pytest.mark.usefixtures("kept")
def test_a_stream_is_read_once_and_answers_tell_what_stands_on_a_board() -> None:
    with BOARD.open("rb") as file:
        reading = scan(file, answers={"field 4,4": "blue"})
    pawns = reading.to_dict()["pawns"]
    assert reading.photo == "after.jpg"
    assert {"field": [4, 4], "color": "blue", "confidence": 1.0} in pawns
    assert scan(io.BytesIO(BOARD.read_bytes())).game == "blox"


@pytest.mark.usefixtures("kept")
def test_answers_of_the_other_game_are_refused() -> None:
    with pytest.raises((AnswerUnclear, AnswerOffSheet)):
        scan(SHEET, answers={"field 4,4": "blue"})
    with pytest.raises((AnswerUnclear, AnswerOffSheet)):
        scan(BOARD, answers={"cell 3,4": "X"})


def test_a_board_that_is_not_known_is_called_another_one() -> None:
    reading = scan(BOARD, language="de")
    assert (reading.status, reading.error) == (Status.UNREADABLE, BoardIsAnother().text("de"))
    assert [each.error for each in scan_all(BOARD)] == [BoardIsAnother().text("en")]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("name", [BACK, "bad-blurred.jpg", "bad-table.jpg", "bad-thumbnail.jpg"])
def test_what_is_wrong_with_a_sheet_is_told_where_there_is_no_board(name: str) -> None:
    photo = FOLDER / name
    assert scan(photo).error == scan(photo, game="brikks").error


@pytest.mark.parametrize("seed", [*range(1000, 1005), 1040, 5144])
def test_a_table_is_no_board(seed: int) -> None:
    wide = seed % 2
    table = render_table(np.random.default_rng(seed), *((750, 1000) if wide else (1000, 750)))
    with pytest.raises(NoBoardFound):
        place_one_of(table, KNOWN)


@pytest.mark.parametrize("name", ["good-arcade.jpg", "picture.heic", "good-art.jpg", BACK])
def test_a_sheet_is_not_placed_as_a_board(name: str) -> None:
    for side in (1000, 2000):
        image = load_photo(FOLDER / name, side).at_most(side).image
        with pytest.raises((NoBoardFound, BoardIsAnother)):
            place_one_of(image, KNOWN)


@pytest.mark.usefixtures("kept")
def test_sheets_and_boards_are_read_in_one_call(run: Run, tmp_path: Path) -> None:
    pictures, record = tmp_path / "pictures", tmp_path / "games.db"
    words = ("--annotate", f"{pictures}/", "--db", record, "--player", "Anna")
    code, out, err = run(SHEET, BOARD, FOLDER / "bad-table.jpg", "--json", *words)
    games = [(each["photo"], each["game"]) for each in told(out)]
    assert games == [("arcade.jpg", "brikks"), ("after.jpg", "blox"), ("bad-table.jpg", None)]
    assert (code, "Recorded as result 2." in err) == (1, True)
    meant = told(run(BOARD, "--game", "blox", "--json")[1])
    assert without_times(told(out)[1]) == without_times(meant[0])
    drawn = cv2.imread(str(pictures / "after.jpg"))
    assert drawn is not None and drawn.shape == cv2.imread(str(BOARD)).shape
    boards = told(run("history", "--game", "blox", "--jsonl", "-", "--db", record)[1])
    assert [each["photo"] for each in boards] == ["after.jpg"]
    sheets = run("history", "--game", "brikks", "--db", record)[1]
    assert ("arcade.jpg" in sheets, "after.jpg" in sheets) == (True, False)


@pytest.mark.usefixtures("kept")
def test_a_board_is_told_as_with_its_game(run: Run) -> None:
    plain, named = run(BOARD), run(BOARD, "--game", "blox")
    assert plain == named
    assert "field" not in run(BOARD, "--answer", "field 4,4=blue")[2]
    answered = told(run(BOARD, "--json", "--answer", "field 4,4=blue")[1])[0]
    assert {"field": [4, 4], "color": "blue", "confidence": 1.0} in answered["pawns"]


@pytest.mark.usefixtures("kept", "workers_here")
def test_a_batch_has_boards_without_a_score(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    code, out, _ = run("batch", BOARD, SHEET, "--csv", table, "--jobs", "1")
    assert (code, out.splitlines()[0]) == (3, f"{BOARD}   Board  not sure of every field")
    for line in run("batch", BOARD, SHEET, "--csv", table, "--lang", "de")[1].splitlines()[:2]:
        assert "Brett" in line or "102" in line
    with table.open(encoding="utf-8-sig", newline="") as file:
        board, sheet = csv.DictReader(file)
    assert (board["status"], board["total"], board["rank"], board["error"]) == (
        "uncertain", "", "", ""
    )  # fmt: skip
    assert int(board["doubts"]) > 0
    assert sheet["total"] == "102"
