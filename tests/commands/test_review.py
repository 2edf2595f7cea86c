"""brikks-scan review: what is open in the record, asked and answered."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from brikks_vision.intake.photos import sheet_reading
from brikks_vision.pipeline import ScanResult, scan_sheets
from brikks_vision.reading import Doubt, Status
from brikks_vision.record.database import open_record
from brikks_vision.record.entries import SheetReading
from brikks_vision.record.photos import add_photo
from brikks_vision.record.questions import list_questions
from brikks_vision.record.results import corrections, get_result, list_results
from brikks_vision.show.history import choice_texts, meant_answer, question_text
from brikks_vision.text.languages import LANGUAGES
from tests.command_line import Run
from tests.recorded_sheets import GROWN, START, photo

SHEET = Path(__file__).parents[1] / "fixtures" / "good-art.jpg"
COMMAND = [sys.executable, "-c", "from brikks_vision.commands.start import main; main()"]
OWNER, SHEETS, BOMB = "owner 1 Ben", "sheets 2 3", "mark 1 bomb 1"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Anna's sheet with a doubtful bomb, of which Ben was named as well; and Cleo's or nobody's."""
    data = SHEET.read_bytes()
    found = [each for each in scan_sheets(data) if isinstance(each, ScanResult)]
    facts, sheets = photo(SHEET.name, 2000, data), [sheet_reading(x, data, "en") for x in found]
    doubts = (Doubt("bomb 1", ".", 0.9, 42),)
    reading = replace(sheets[0].reading, status=Status.UNCERTAIN, doubts=doubts)
    sheets = [replace(sheets[0], reading=reading)]
    path = tmp_path_factory.mktemp("record") / "games.db"
    with open_record(path) as record:
        for player in ("Anna", "Ben"):
            add_photo(record, facts, sheets, player)
        add_photo(record, photo("before.jpg"), [SheetReading(START)], "Cleo")
        add_photo(record, photo("after.jpg", 90), [SheetReading(GROWN)])
        assert [each.key for each in list_questions(record)] == [OWNER, BOMB, SHEETS]
    return path


@pytest.fixture
def database(recorded: Path, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "games.db"
    path.write_bytes(recorded.read_bytes())
    yield path


def open_keys(path: Path) -> list[str]:
    with open_record(path) as record:
        return [each.key for each in list_questions(record)]


def test_without_a_terminal_all_is_listed_with_how_to_answer(run: Run, database: Path) -> None:
    code, out, err = run("review", "--db", database)
    assert (code, err) == (0, "")
    assert "Whose is result 1? It is Anna's, and Ben was named as well." in out
    assert "Do results 2 and 3 show the same sheet?" in out
    assert "Bomb 2: is it crossed out?" in out
    assert f'brikks-scan review --db {database} --answer "{BOMB}=X"' in out
    assert out.endswith("3 questions are open.\n")
    assert len(open_keys(database)) == 3


def test_questions_are_answered_by_their_keys(run: Run, database: Path) -> None:
    answers = (f"{OWNER}=change", f"{BOMB}=crossed", f"{SHEETS}=later")
    words = [word for answer in answers for word in ("--answer", answer)]
    code, _, err = run("review", *words, "--db", database)
    assert code == 0
    assert "Bomb 2: is it crossed out? crossed" in err
    assert {OWNER, BOMB, SHEETS}.isdisjoint(open_keys(database))
    with open_record(database) as record:
        assert get_result(record, 1).player == "Ben"
        assert corrections(record, 1)[-1].changes == {"bomb 1": (".", "X")}
        assert [each.is_continued for each in list_results(record)] == [True, False, False]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("owner 1 Ben", "names no question"),
        ("owner 7 Ben=keep", "Nothing is open about owner 7 Ben"),
        (f"{BOMB}=circled", "circled is no answer to that"),
    ],
)
def test_one_wrong_answer_changes_nothing(run: Run, database: Path, answer: str, says: str) -> None:
    words = ("--answer", f"{OWNER}=change", "--answer", answer)
    code, _, err = run("review", *words, "--db", database)
    assert code == 2
    assert says in err
    assert len(open_keys(database)) == 3


def test_questions_as_json_with_pictures(run: Run, database: Path, tmp_path: Path) -> None:
    words = ("--json", "--crops", tmp_path / "crops", "--lang", "de")
    _, out, _ = run("review", *words, "--db", database)
    asked = {each["key"]: each for each in map(json.loads, out.splitlines())}
    assert asked[BOMB]["question"] == "Bombe 2: Ist sie durchgestrichen?"
    assert asked[BOMB]["answers"] == {".": "offen", "X": "durchgestrichen"}
    (crop,) = asked[BOMB]["pictures"]
    picture = cv2.imread(crop)
    assert picture is not None
    assert picture.shape[0] == 4 * 48  # two cells on each side, at 48 px a cell
    assert len(asked[OWNER]["pictures"]) == 1
    assert [each["id"] for each in asked[SHEETS]["results"]] == [2, 3]


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_in_a_terminal_a_key_is_an_answer(database: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "LC_ALL": "en_GB.UTF-8"}
    with subprocess.Popen(
        [*COMMAND, "review", "--db", str(database)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        close_fds=True,
    ) as process:
        os.close(theirs)
        told, keys = "", {"2  Ben": b"2", "2  crossed": b"x", "3  two different": b"3"}
        while process.poll() is None:
            if select.select([ours], [], [], 0.5)[0]:
                try:
                    told += os.read(ours, 1 << 16).decode()
                except OSError:  # the other end is closed
                    break
            else:  # it waits; what is typed before it does is not heard
                asked = max((at for at in keys if at in told), key=told.rindex, default=None)
                if asked is not None:
                    os.write(ours, keys[asked])
        assert process.wait(60) == 0
    os.close(ours)
    assert open_keys(database) == [BOMB]  # any other key: later
    with open_record(database) as record:
        assert get_result(record, 1).player == "Ben"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_is_understood_in_the_words_in_which_it_was_asked(
    database: Path, language: str
) -> None:
    with open_record(database) as record:
        for question in list_questions(record):
            assert question_text(question, language).endswith(("?", "."))
            for answer, text in choice_texts(question, language).items():
                assert meant_answer(question, f" {text.upper()} ") == answer
