"""A record is saved whole and taken back whole, and one that cannot be written can be read."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from brikks_vision import errors
from brikks_vision.intake.corrections import Said, sheet_now
from brikks_vision.intake.photos import sheet_reading
from brikks_vision.intake.recording import record_photo
from brikks_vision.pipeline import ScanResult, scan_sheets
from brikks_vision.reading import Reading
from brikks_vision.record.database import back_up, open_record, open_record_to_read, restore
from brikks_vision.record.photos import find_photo
from brikks_vision.record.results import corrections, get_result, list_results, remove_result
from tests.processes import started
from tests.recorded_sheets import GROWN, OTHER, START, add_reading, photo
from tests.web.asked import client_of

OLDER = Path(__file__).parent.parent / "fixtures" / "record-version-3.sqlite3"
NOBODY = 65534  # the user of POSIX systems that owns nothing


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.sqlite3"


def totals_in(path: Path) -> list[int | None]:
    with open_record_to_read(path) as record:
        return [result.total for result in list_results(record)]


def recorded(path: Path) -> list[int | None]:
    """A record of two players' sheets."""
    with open_record(path) as record:
        add_reading(record, photo("a.jpg"), START, player="Anna")
        add_reading(record, photo("b.jpg", 5), OTHER, player="Ben")
        return [result.total for result in list_results(record)]


def test_a_backup_is_one_file_with_all_of_it(path: Path, tmp_path: Path) -> None:
    totals = recorded(path)
    backup = tmp_path / "backup.sqlite3"
    with open_record(path) as record:
        back_up(record, backup)
        add_reading(record, photo("c.jpg", 90), GROWN)
        back_up(record, tmp_path / "later.sqlite3")
        back_up(record, backup)  # over an older one
    assert totals_in(backup) == totals_in(path) == totals_in(tmp_path / "later.sqlite3")
    assert len(totals_in(backup)) == len(totals) + 1
    assert {each.name for each in tmp_path.iterdir()} == {
        "record.sqlite3",
        "backup.sqlite3",
        "later.sqlite3",
    }


def test_a_backup_replaces_nothing_but_a_record(path: Path, tmp_path: Path) -> None:
    recorded(path)
    picture = tmp_path / "sheet.jpg"
    picture.write_bytes(b"\xff\xd8\xff a picture")
    with open_record(path) as record:
        with pytest.raises(errors.NotARecord):
            back_up(record, picture)
        with pytest.raises(errors.OutputIsInput):
            back_up(record, path)
    assert picture.read_bytes() == b"\xff\xd8\xff a picture"


def test_a_backup_is_taken_back_and_the_present_record_kept(path: Path, tmp_path: Path) -> None:
    totals = recorded(path)
    backup = tmp_path / "backup.sqlite3"
    with open_record(path) as record, open_record(path) as page:
        back_up(record, backup)
        remove_result(record, list_results(record)[0].id)
        kept = restore(backup, path)
        # a program that has it open, as the page, goes on with what the backup holds
        assert [result.total for result in list_results(page)] == totals
    assert totals_in(path) == totals
    assert kept is not None
    assert totals_in(kept) == totals[1:]


def test_a_backup_where_there_is_no_record(path: Path, tmp_path: Path) -> None:
    totals = recorded(path)
    assert restore(path, tmp_path / "new" / "record.sqlite3") is None
    assert totals_in(tmp_path / "new" / "record.sqlite3") == totals


def test_a_damaged_record_is_put_aside(path: Path, tmp_path: Path) -> None:
    totals = recorded(path)
    backup = tmp_path / "backup.sqlite3"
    with open_record(path) as record:
        back_up(record, backup)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xaa" * (len(whole) - 4096))
    kept = restore(backup, path)
    assert kept is not None
    assert kept.read_bytes()[4096:8192] == b"\xaa" * 4096
    assert totals_in(path) == totals


@pytest.mark.parametrize("content", [b"", b"no record, but long enough to be read as one" * 30])
def test_what_is_no_backup_is_refused(path: Path, tmp_path: Path, content: bytes) -> None:
    totals = recorded(path)
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(errors.NotARecord):
        restore(tmp_path / "other", path)
    with pytest.raises(errors.BackupMissing):
        restore(tmp_path / "missing", path)
    with pytest.raises(errors.OutputIsInput):
        restore(path, path)
    assert totals_in(path) == totals


def test_a_backup_of_an_older_version_stays_as_it_is(path: Path, tmp_path: Path) -> None:
    backup = tmp_path / "old.sqlite3"
    shutil.copy(OLDER, backup)
    restore(backup, path)
    assert backup.read_bytes() == OLDER.read_bytes()
    shutil.copy(OLDER, tmp_path / "opened.sqlite3")
    with open_record(tmp_path / "opened.sqlite3") as record:
        expected = [result.total for result in list_results(record)]
    assert totals_in(path) == expected


# --- a record that cannot be written -------------------------------------------------------------


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can look into."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def read_by_nobody(path: Path) -> list[str]:
    """What a user without any right to write reads from a record, in a process of their own.

    The parent has imported all that is needed, so that the child need not read any file for it.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            with open_record_to_read(path) as record:
                told = [str(result.total) for result in list_results(record)]
                try:
                    remove_result(record, 1)
                except errors.RecordNotWritable:
                    told.append("not writable")
        except BaseException as error:
            told = [repr(error)]
        os.write(writing, "\n".join(told).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read().split("\n")
    os.waitpid(child, 0)
    return said


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
@pytest.mark.parametrize("version", ["this", "older"])
def test_a_write_protected_record_can_be_read(folder: Path, version: str) -> None:
    path = folder / "record.sqlite3"
    if version == "this":
        recorded(path)
        expected = [str(total) for total in totals_in(path)]
    else:
        shutil.copy(OLDER, folder.parent / f"{folder.name}-copy")
        try:
            expected = [str(total) for total in totals_in(folder.parent / f"{folder.name}-copy")]
        finally:
            (folder.parent / f"{folder.name}-copy").unlink()
        shutil.copy(OLDER, path)
    before = path.read_bytes()
    path.chmod(0o444)
    folder.chmod(0o555)
    try:
        assert read_by_nobody(path) == [*expected, "not writable"]
    finally:
        folder.chmod(0o755)
    assert path.read_bytes() == before
    assert [each.name for each in folder.iterdir()] == ["record.sqlite3"]


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
def test_a_log_that_cannot_be_written_into_the_record(folder: Path, path: Path) -> None:
    with open_record(path) as record:
        add_reading(record, photo("a.jpg"), START)
        for part in ("", "-wal"):  # as they lie on a disk that was taken out meanwhile
            shutil.copy(f"{path}{part}", folder / f"{path.name}{part}")
            (folder / f"{path.name}{part}").chmod(0o444)
    folder.chmod(0o555)
    try:
        (said,) = read_by_nobody(folder / path.name)
    finally:
        folder.chmod(0o755)
    assert "RecordNotWritable" in said


def test_nothing_is_made_where_there_is_no_record(path: Path) -> None:
    with pytest.raises(errors.RecordMissing):
        open_record_to_read(path)
    assert not path.exists()


# --- several processes change and read one record at once, and nothing that was said is lost ------


SHEET = Path(__file__).parents[1] / "fixtures" / "good-art.jpg"
CORRECTING = """
import sys
from pathlib import Path
from brikks_vision.intake.corrections import Said, correct_sheet
from brikks_vision.record.database import open_record

_, path, row = sys.argv
with open_record(Path(path)) as record:
    print("ready", flush=True)
    sys.stdin.readline()
    for column in range(3):
        correct_sheet(record, 1, Said({f"cell {row},{column}": "X"}), "en")
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
    with at_once(CORRECTING, [(path, row) for row in range(4)]) as running:
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
    path = tmp_path / "record.sqlite3"
    answers: list[int] = []
    with (
        client_of(path, raise_server_exceptions=False) as client,
        at_once(COMING_AND_GOING, [(path,)]) as (process,),
    ):
        while process.poll() is None:
            for address in ("/", "/check", "/history", "/history.jsonl", "/check?answered=1"):
                answers.append(client.get(address).status_code)
        assert process.communicate()[1] == ""
    assert set(answers) == {200}
