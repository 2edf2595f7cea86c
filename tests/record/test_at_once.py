"""Several processes change and read one record at once, and nothing that was said is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from brikks_vision.intake.corrections import Said, sheet_now
from brikks_vision.intake.photos import sheet_reading
from brikks_vision.intake.recording import record_photo
from brikks_vision.pipeline import ScanResult, scan_sheets
from brikks_vision.reading import Reading
from brikks_vision.record.database import back_up, open_record, restore
from brikks_vision.record.photos import find_photo
from brikks_vision.record.results import corrections, get_result
from tests.processes import started
from tests.recorded_sheets import START, add_reading, photo

SHEET = Path(__file__).parents[1] / "fixtures" / "good-art.jpg"
CORRECTING = """
import sys
from pathlib import Path
from brikks_vision.intake.corrections import Said, correct_sheet
from brikks_vision.record.database import open_record

_, path, row, way = sys.argv
with open_record(Path(path)) as record:
    print("ready", flush=True)
    sys.stdin.readline()
    for column in range(3):
        place = f"cell {row},{column}"
        if way == "tap":
            correct_sheet(record, 1, Said({place: "X"}), "en")
        else:
            correct_sheet(record, 1, Said({place: "X"}), "en")
"""
ADDING = """
import sys
from pathlib import Path
from brikks_vision.record.database import open_record
from tests.recorded_sheets import START, add_reading, photo

print("ready", flush=True)
sys.stdin.readline()
for number in range(80):
    with open_record(Path(sys.argv[1])) as record:
        name = f"{sys.argv[2]}-{number}.jpg"
        add_reading(record, photo(name, 200 * number), START)
        print(name, flush=True)
"""


COMING_AND_GOING = """
import sys
from pathlib import Path
from brikks_vision.record.database import open_record
from brikks_vision.record.tables import make_game
from brikks_vision.record.photos import add_photo, forget_photo
from brikks_vision.record.entries import SheetReading
from brikks_vision.record.results import remove_result
from tests.recorded_sheets import OTHER, START, photo, unsure

print("ready", flush=True)
sys.stdin.readline()
first, other = photo("first.jpg"), photo("other.jpg", 1)
with open_record(Path(sys.argv[1])) as record:
    for _ in range(150):
        results = []
        for facts, reading, player in ((first, unsure(START), "Anna"), (other, OTHER, "Ben")):
            results += add_photo(record, facts, [SheetReading(reading)], player).results
        add_photo(record, other, [SheetReading(OTHER)], "Cleo")  # whose it is is asked
        make_game(record, results)
        for result, facts in zip(results, (first, other)):
            remove_result(record, result)
            forget_photo(record, facts.sha256)
"""


@contextmanager
def at_once(
    program: str, ways: Sequence[Sequence[object]]
) -> Iterator[list[subprocess.Popen[str]]]:
    """One process for each of the ways, which begin together."""
    with ExitStack() as ending:
        programs = ([sys.executable, "-c", program, *way] for way in ways)
        running = [ending.enter_context(started(each, stdin=subprocess.PIPE)) for each in programs]
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        yield running


def test_answers_that_are_given_at_once_all_count(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    data = SHEET.read_bytes()
    sheets = [each for each in scan_sheets(data) if isinstance(each, ScanResult)]
    kept = [sheet_reading(each, data, "en") for each in sheets]
    with open_record(path) as record:
        record_photo(record, photo(SHEET.name, content=data), kept, "Anna", Said(), "en")
    ways = [(path, row, way) for row, way in enumerate(("tap", "edit", "tap", "edit"))]
    with at_once(CORRECTING, ways) as running:
        for process in running:
            assert process.communicate()[1] == ""
    with open_record(path) as record:
        made = corrections(record, 1)
        assert len(made) == 12
        for count, each in enumerate(made, 1):
            said = {place for earlier in made[:count] for place in earlier.changes}
            assert {place for place in said if mark_of(each.reading, place) != "X"} == set()
        assert get_result(record, 1).reading.score == sheet_now(record, 1, "en").reading.score


def mark_of(reading: Reading, place: str) -> str:
    row, column = map(int, place.removeprefix("cell ").split(","))
    return str(reading.to_dict()["grid"][row][column])


def test_what_is_recorded_during_a_restoring_is_in_the_record_or_in_what_is_kept(
    tmp_path: Path,
) -> None:
    path, backup = tmp_path / "record.sqlite3", tmp_path / "backup.sqlite3"
    with open_record(path) as record:
        for number in range(40):  # some pages to copy
            add_reading(record, photo(f"old-{number}.jpg", 200 * number), START, bytes(20_000))
        back_up(record, backup)
    kept: list[Path] = []
    with at_once(ADDING, [(path, writer) for writer in "ABC"]) as running:
        while any(process.poll() is None for process in running):
            was = restore(backup, path)
            assert was is not None
            kept.append(was)
            time.sleep(0.2)  # others want to write, too
        ended = [process.communicate() for process in running]
    assert [error for _, error in ended] == [""] * 3
    said = {name for out, _ in ended for name in out.split()}
    found: set[str] = set()
    for each in (path, *kept):
        with open_record(each) as record:
            found |= {name for name in said if find_photo(record, photo(name).sha256) is not None}
    assert found == said


def test_a_page_shows_one_moment_of_the_record(tmp_path: Path) -> None:
    pytest.importorskip("fastapi", reason="the extra web is not installed")
    from starlette.testclient import TestClient

    from brikks_vision.web.app import new_service
    from brikks_vision.web.guard import access_for

    path = tmp_path / "record.sqlite3"
    service = new_service(path, access_for("127.0.0.1", None), processes=1)
    answers: list[int] = []
    with (
        TestClient(service, "http://127.0.0.1:8765", raise_server_exceptions=False) as client,
        at_once(COMING_AND_GOING, [(path,)]) as (process,),
    ):
        while process.poll() is None:
            for address in ("/", "/check", "/history", "/history.jsonl", "/check?answered=1"):
                answers.append(client.get(address).status_code)
        assert process.communicate()[1] == ""
    assert set(answers) == {200}
