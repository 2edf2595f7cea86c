"""Boards in the record from the command: recorded, listed, shown, answered, removed."""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import pytest

from brikks_vision.record.database import open_record
from brikks_vision.record.results import list_results
from brikks_vision.text.languages import LANGUAGES, texts_in
from tests.command_line import Run

FOLDER = Path("tests/fixtures/blox")
SLANT, AFTER = FOLDER / "slant.jpg", FOLDER / "after.jpg"
SAID = ("--answer", "Field 4, 4=Blue", "--answer", "field 4,5 = tower 2")
KEPT = {"field 4,4": "blue", "field 4,5": "tower 2"}


@pytest.fixture(scope="module")
def one_board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("record") / "games.db"


@pytest.fixture
def database(run: Run, board: Path, one_board: Path, tmp_path: Path) -> Path:
    """A record with the board of one photo."""
    if not one_board.exists():
        code, out, err = run(AFTER, "--sheet", board, "--db", one_board, "--player", "Anna")
        assert (code in (0, 3), err) == (True, "Recorded as result 1.\n"), out
    return Path(shutil.copy(one_board, tmp_path / "games.db"))


def told(line: str) -> dict[str, Any]:
    return dict(json.loads(line))


def listed(run: Run, database: Path) -> list[dict[str, Any]]:
    _, out, err = run("history", "--game", "blox", "--jsonl", "-", "--db", database)
    assert err == ""
    return [told(line) for line in out.splitlines()]


def as_read(reading: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in reading.items() if name != "timing_ms"}


def test_a_board_is_recorded_and_listed(run: Run, board: Path, database: Path) -> None:
    reading = told(run(AFTER, "--sheet", board, "--json")[1])
    (recorded,) = listed(run, database)
    assert as_read(recorded["reading"]) == as_read(reading)
    assert (recorded["id"], recorded["player"], recorded["photo"], recorded["answers"]) == (
        1, "Anna", "after.jpg", {}
    )  # fmt: skip
    code, out, _ = run("history", "--db", database)
    head, line, _, count = out.splitlines()
    assert (code, count) == (0, "1 result")
    assert head.split() == ["No.", "Taken", "Player", "Total", "How", "sure", "Game", "Towers",
                            "Pawns", "Doubts", "Photo"]  # fmt: skip
    assert (line.split()[0], line.split()[3]) == ("1", "Anna")
    numbers = [str(len(reading[name])) for name in ("towers", "pawns", "doubts")]
    assert line.split()[-6:] == ["BLOX", *numbers, "after.jpg,", "mine"]


def test_sheets_and_boards_are_listed_each_with_its_game(run: Run, database: Path) -> None:
    there = ("--db", database)
    run("samples/arcade.jpg", "samples/bloxx.jpg", "--player", "Ben", *there)
    games = {"arcade.jpg": "brikks", "bloxx.jpg": "bloxx", "after.jpg": "blox"}
    for asked in ("", *games.values()):
        _, out, _ = run("history", "--csv", "-", *there, *(["--game", asked] * bool(asked)))
        rows = {row["photo"]: row["played"] for row in csv.DictReader(io.StringIO(out))}
        assert rows == {photo: each for photo, each in games.items() if asked in ("", each)}
    _, out, _ = run("history", *there)
    titles = {"arcade.jpg": "Brikks", "bloxx.jpg": "BLOXX!", "after.jpg,": "BLOX"}
    for photo, title in titles.items():
        (line,) = (each.split() for each in out.splitlines() if photo in each)
        assert title in line
    for words in (("stats",), ("stats", "--game", "bloxx")):
        assert "Ben" in run(*words, *there)[1]
        assert "Anna" not in run(*words, *there)[1]
    assert "Nothing is recorded" in run("stats", "--game", "blox", *there)[1]
    assert run("review", *there)[1] == "Nothing is open.\n"


def test_another_name_for_a_board_is_asked_about(run: Run, board: Path, database: Path) -> None:
    words = ("--sheet", board, "--db", database)
    assert "Result 1 stays Anna's; Ben was named now." in run(AFTER, *words, "--player", "Ben")[2]
    assert "Whose is result 1?" in run("review", "--db", database)[1]
    run("review", "--answer", "owner 1 Ben=change", "--db", database)
    assert listed(run, database)[0]["player"] == "Ben"
    _, out, _ = run("history", "edit", 1, "--player", "Cleo", "--db", database)
    assert "Cleo" in out
    code, _, err = run("history", "edit", 1, "--answer", "field 4,4=blue", "--db", database)
    assert (code, "Result 1 is a board: to correct it, its photo is needed" in err) == (2, True)


def test_several_photos_are_recorded_each_once(run: Run, board: Path, database: Path) -> None:
    code, out, err = run(SLANT, AFTER, "README.md", "--sheet", board, "--json", "--db", database)
    assert (code, len(out.splitlines())) == (1, 3)
    assert err.splitlines()[:2] == [
        "Recorded as result 2.",
        "This photo is already recorded as result 1.",
    ]
    assert [each["photo"] for each in listed(run, database)] == ["after.jpg", "slant.jpg"]
    assert run("review", "--db", database)[1] == "Nothing is open.\n"


def test_answers_are_kept_and_hold(run: Run, board: Path, database: Path, tmp_path: Path) -> None:
    words = ("--sheet", board, "--db", database)
    code, out, err = run(AFTER, *words, *SAID, "--json")
    assert (code in (0, 3), err) == (True, "Result 1 is corrected as you said.\n")
    said = told(out)
    (recorded,) = listed(run, database)
    assert (recorded["answers"], as_read(recorded["reading"])) == (KEPT, as_read(said))
    copy = Path(shutil.copy(AFTER, tmp_path / "copy.jpg"))
    _, out, err = run(copy, *words, "--json")
    assert "was read with the answers given for it: field 4,4=blue, field 4,5=tower 2." in err
    for name in ("towers", "pawns"):
        assert told(out)[name] == said[name]
    assert listed(run, database) == [recorded]
    run("history", "undo", "--db", database)
    assert listed(run, database)[0]["answers"] == {}


@pytest.mark.parametrize("is_turned", [False, True])
def test_answers_of_another_board_do_not_count(
    run: Run, board: Path, database: Path, tmp_path: Path, is_turned: bool
) -> None:
    run(AFTER, "--sheet", board, "--db", database, *SAID)
    data = told(board.read_text())
    turned = ["".join(column) for column in zip(*data["field_colors"][::-1], strict=True)]
    changed = {"field_colors": turned} if is_turned else {"name": "other"}
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**data, **changed}))
    _, out, err = run(AFTER, "--sheet", other, "--db", database, "--json")
    assert err == "This photo is already recorded as result 1.\n"
    assert told(out)["towers"] == told(run(AFTER, "--sheet", other, "--json")[1])["towers"]
    assert listed(run, database)[0]["answers"] == KEPT


def test_a_wrong_answer_changes_nothing(run: Run, board: Path, database: Path) -> None:
    before = database.read_bytes()
    words = ("--sheet", board, "--db", database)
    assert run(AFTER, *words, "--answer", "field 4,4=pink")[0] == 2
    assert run(AFTER, SLANT, *words, "--answer", "field 4,4=blue")[0] == 2
    assert database.read_bytes() == before


def test_the_user_s_own_record(run: Run, board: Path) -> None:
    assert run(AFTER, "--sheet", board)[2] == ""
    assert run("history", "--game", "blox")[1] == "Nothing is recorded that fits.\n"
    run(AFTER, "--sheet", board, "--player", "Anna")
    with open_record() as record:
        assert [each.player for each in list_results(record)] == ["Anna"]


def test_a_board_that_cannot_be_recorded_is_told_all_the_same(
    run: Run, board: Path, tmp_path: Path
) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("no record, but long enough to be read as one" * 30)
    code, out, err = run(AFTER, "--sheet", board, "--db", other, "--json")
    assert (code, len(told(out)["fields"])) == (2, 9)
    assert "is no record" in err


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_recorded_board_is_shown(
    run: Run, board: Path, database: Path, tmp_path: Path, language: str
) -> None:
    spoken = ("--lang", language)
    _, report, _ = run(AFTER, "--sheet", board, "--db", database, *SAID, *spoken)
    picture = tmp_path / "small.jpg"
    code, out, err = run("history", "show", 1, "--picture", picture, "--db", database, *spoken)
    assert (code, str(picture) in err) == (0, True)
    assert report.rstrip().rpartition("\n")[0] in out  # but for the line with the verdict
    words = {"en": ("the blue pawn", "a tower of height 2"),
             "de": ("die blaue Figur", "ein Turm der Höhe 2"),
             "fr": ("le pion bleu", "une tour de hauteur 2"),
             "es": ("el peón azul", "una torre de altura 2")}  # fmt: skip
    heading, first, second = out.splitlines()[-3:]
    assert heading == texts_in(language).report["corrections"]
    pawn, tower = words[language]
    assert pawn in first and tower in first and tower in second
    assert 0 < max(cv2.imread(str(picture)).shape) <= 960


def test_broken_rules_are_told_in_the_language_of_whoever_asks(
    run: Run, board: Path, database: Path
) -> None:
    answers = [word for column in range(5) for word in ("--answer", f"field 3,{column}=red")]
    run(AFTER, "--sheet", board, "--db", database, *answers, "--lang", "de")
    messages = set()
    for language in LANGUAGES:
        _, out, _ = run("history", "show", 1, "--json", "--db", database, "--lang", language)
        (broken,) = told(out)["reading"]["violations"]
        messages.add(broken["message"])
    assert len(messages) == len(LANGUAGES)


def test_a_board_is_removed_and_comes_back(run: Run, database: Path) -> None:
    there = ("--db", database)
    before = listed(run, database)
    code, out, _ = run("history", "remove", 1, *there)
    assert (code, out) == (0, "Result 1 is removed. brikks-scan history undo brings it back.\n")
    assert listed(run, database) == []
    assert run("history", "undo", *there)[1] == "Undone: result 1 is there again.\n"
    assert listed(run, database) == before
