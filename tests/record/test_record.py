"""The record: one result a sheet, whoever writes, whatever breaks, whenever it is killed."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision import errors
from brikks_vision.games import reading_from, unreadable
from brikks_vision.infer.sameness import Sameness
from brikks_vision.reading import Reading
from brikks_vision.record import database, entries, photos, results
from brikks_vision.record.changes import undo
from brikks_vision.record.database import Record, open_existing_record, open_record
from brikks_vision.record.entries import (
    EARLIEST,
    LATEST,
    Filters,
    SheetReading,
    grown_state,
    same_state,
)
from brikks_vision.record.rows import AS_READ
from brikks_vision.record.tables import get_game, list_games, make_game
from tests.processes import started
from tests.recorded_sheets import (
    EVENING,
    GROWN,
    OTHER,
    START,
    add_reading,
    full_disk,
    photo,
    reading_of,
    unsure,
)

# --- what is one sheet ---------------------------------------------------------------------------

BLANK = reading_of("..........")
FIRST_BLOCKS = reading_of("AAAA......")
MISREAD = reading_of("AB........", "ABCC...x..", "ABCCDDDD..", "ABEEEFFFGG", energy=1)
BOMBED = reading_of("AB........", "ABCC......", "ABCCDDDD..", "ABEEEFFFGG", bombs=1)
OTHER_START = reading_of("BA........", "BACC......", "BACCDDDD..", "AAEEEFFFGG")
MINI_ADDED = reading_of("ABm.......", "ABCC......", "ABCCDDDD..", "ABEEEFFFGG")
HALF_SEEN = reading_of("AB........", "ABCC......", "ABCCDDDD..", "ABEEEFFF??")


@pytest.mark.parametrize(
    ("one", "other", "minutes", "same"),
    [
        (START, START, 0.1, True),
        (START, unsure(START), 59, True),
        (START, HALF_SEEN, 1, True),
        (START, unsure(MISREAD), 1, True),
        (START, MISREAD, 1, False),  # both are sure: a person must say
        (START, START, 61, False),
        (START, GROWN, 1, False),
        (START, OTHER, 1, False),
        (START, BOMBED, 1, False),
        (START, OTHER_START, 1, False),
        (START, MINI_ADDED, 1, False),
        (BLANK, BLANK, 0.1, False),
        (FIRST_BLOCKS, FIRST_BLOCKS, 0.1, False),
        (unreadable("a.jpg", "No."), START, 0.1, False),
    ],
)
def test_photos_of_one_sheet(one: Reading, other: Reading, minutes: float, same: bool) -> None:
    later = photo("b.jpg", minutes).taken
    assert (same_state(one, EVENING, other, later) is Sameness.SAME) is same
    assert (same_state(other, later, one, EVENING) is Sameness.SAME) is same


@pytest.mark.parametrize(
    ("before", "after", "minutes", "grown"),
    [
        (START, GROWN, 5, True),
        (START, BOMBED, 5, True),
        (START, MINI_ADDED, 5, True),
        (START, START, 5, False),
        (GROWN, START, 5, False),
        (START, GROWN, 300, False),
        (START, OTHER, 5, False),
        (BLANK, START, 5, False),
    ],
)
def test_a_sheet_grows_during_a_game(
    before: Reading, after: Reading, minutes: float, grown: bool
) -> None:
    state = grown_state(before, EVENING, after, photo("b.jpg", minutes).taken)
    assert (state is Sameness.SAME) is grown


# --- adding --------------------------------------------------------------------------------------


def test_a_reading_comes_back_as_it_was(record: Record) -> None:
    number = add_reading(record, photo("IMG_1.jpg"), START, b"\xff\xd8small", "Anna")
    result = results.get_result(record, number)
    assert result.reading == reading_from({**START.to_dict(), "photo": "IMG_1.jpg"})
    assert (result.player, result.game, result.photos, result.is_corrected) == (
        "Anna",
        None,
        1,
        False,
    )
    assert result.photo == photo("IMG_1.jpg")
    assert results.thumbnail(record, number) == b"\xff\xd8small"


def test_a_photo_counts_once_whatever_its_name(record: Record) -> None:
    first = photos.add_photo(record, photo("a.jpg", content=b"pixels"), [SheetReading(START)])
    again = photos.add_photo(record, photo("b.jpg", 500, content=b"pixels"), [SheetReading(OTHER)])
    assert (first.is_new, again.is_new) == (True, False)
    assert again.results == first.results
    assert photos.count_photos(record) == len(results.list_results(record)) == 1
    found = photos.find_photo(record, photo("", content=b"pixels").sha256)
    assert found is not None
    assert (found.facts.name, found.results, found.error) == ("a.jpg", first.results, None)


def test_a_photo_without_a_sheet_is_remembered(record: Record) -> None:
    assert photos.add_unread(record, photo("cat.jpg"), errors.NoSheetFound()).is_new
    assert not photos.add_unread(record, photo("cat.jpg"), errors.NoSheetFound()).is_new
    found = photos.find_photo(record, photo("cat.jpg").sha256)
    assert found is not None
    assert (found.error, found.results) == ("NoSheetFound", ())
    assert results.list_results(record) == ()


def test_a_burst_is_one_result_and_its_best_reading_stands(record: Record) -> None:
    blurred = add_reading(record, photo("1.jpg"), unsure(MISREAD), b"blurred")
    sharp = photos.add_photo(record, photo("2.jpg", 1), [SheetReading(START, b"sharp")])
    worse = add_reading(record, photo("3.jpg", 2), unsure(START), b"worse")
    assert sharp.results == sharp.merged == (blurred,)
    assert worse == blurred
    (result,) = results.list_results(record)
    assert (result.photo.name, result.reading.status, result.photos) == ("2.jpg", "ok", 3)
    assert results.thumbnail(record, blurred) == b"sharp"
    assert [facts.name for facts, _ in results.readings_of(record, blurred)] == [
        "1.jpg",
        "2.jpg",
        "3.jpg",
    ]


def test_turns_of_a_game_are_not_a_burst(record: Record) -> None:
    add_reading(record, photo("1.jpg"), START)
    add_reading(record, photo("2.jpg", 3), GROWN)
    assert len(results.list_results(record)) == 2


def test_two_sheets_in_one_photo_are_two_results(record: Record) -> None:
    added = photos.add_photo(record, photo("table.jpg"), [SheetReading(START), SheetReading(START)])
    assert len(set(added.results)) == 2
    again = photos.add_photo(
        record, photo("again.jpg", 1), [SheetReading(START), SheetReading(OTHER)]
    )
    assert again.results[0] in added.results
    assert again.results[1] not in added.results


def test_sheets_of_two_players_are_never_one(record: Record) -> None:
    anna = add_reading(record, photo("1.jpg"), START, player="Anna")
    ben = add_reading(record, photo("2.jpg", 1), START, player="Ben")
    assert anna != ben


# --- changing ------------------------------------------------------------------------------------


def test_a_correction_stands_and_says_who_and_when(record: Record) -> None:
    number = add_reading(record, photo("1.jpg"), START)
    results.correct(record, number, GROWN, {"cell 6,2": (".", "X")}, "Anna")
    result = results.get_result(record, number)
    assert result.is_corrected
    assert result.total == GROWN.score.total if GROWN.score else None
    (made,) = results.corrections(record, number)
    assert (made.who, made.changes, made.reading.grid) == (
        "Anna",
        {"cell 6,2": (".", "X")},
        GROWN.grid,
    )
    assert abs(time.time() - made.made.timestamp()) < 60
    # Another photo of the sheet changes nothing that a person said.
    assert add_reading(record, photo("2.jpg", 1), START) == number
    assert results.get_result(record, number).reading.grid == GROWN.grid


def test_a_result_whose_corrections_were_all_taken_back_is_as_it_was_read(record: Record) -> None:
    number = add_reading(record, photo("1.jpg"), START)
    results.correct(record, number, GROWN, {"cell 6,2": (".", "X"), "bomb 1": (".", "X")}, "Anna")
    results.correct(record, number, GROWN, {"bomb 1": ("X", AS_READ)}, "Anna")
    assert results.get_result(record, number).is_corrected
    results.correct(record, number, START, {"cell 6,2": ("X", AS_READ)}, "Anna")
    assert not results.get_result(record, number).is_corrected


def test_what_is_said_of_the_game_alone_corrects_no_sheet(record: Record) -> None:
    """As a table does that knows from its names how many play."""
    number = add_reading(record, photo("1.jpg"), START)
    results.correct(record, number, START, {"players": ("read", "3")}, "page")
    assert not results.get_result(record, number).is_corrected
    results.correct(record, number, GROWN, {"cell 6,2": (".", "X")}, "Anna")
    assert results.get_result(record, number).is_corrected


def test_players_are_known_by_their_names(record: Record) -> None:
    first = add_reading(record, photo("1.jpg"), START, player="  Zoë  Groß ")
    second = add_reading(record, photo("2.jpg", 1), OTHER)
    results.assign_player(record, second, "ZOË GROSS")
    assert results.players(record) == ("Zoë Groß",)
    assert len(results.list_results(record, Filters(player="zoë groß"))) == 2
    results.assign_player(record, second, " ")
    assert results.get_result(record, second).player is None
    assert [result.id for result in results.list_results(record, Filters(player="Zoë Groß"))] == [
        first
    ]
    assert results.list_results(record, Filters(player="nobody")) == ()


def test_days_are_both_included(record: Record) -> None:
    days = [0, 24 * 60, 48 * 60]
    for number, minutes in enumerate(days):
        add_reading(record, photo(f"{number}.jpg", minutes), START)
    found = results.list_results(record, Filters(since=date(2026, 3, 15), until=date(2026, 3, 16)))
    assert [result.photo.name for result in found] == ["1.jpg", "2.jpg"]


def test_results_joined_and_removed(record: Record) -> None:
    first = add_reading(record, photo("1.jpg"), unsure(START))
    second = add_reading(record, photo("2.jpg", 200), START, player="Anna")
    assert results.join_results(record, [first, second]) == first
    (result,) = results.list_results(record)
    assert (result.id, result.photo.name, result.player, result.photos) == (
        first,
        "2.jpg",
        "Anna",
        2,
    )
    results.correct(record, first, GROWN, {}, "Anna")
    results.remove_result(record, first)
    assert results.list_results(record) == ()
    assert photos.find_photo(record, photo("2.jpg").sha256) is not None


def test_what_is_not_there(record: Record) -> None:
    for call in (
        lambda: results.get_result(record, 7),
        lambda: results.thumbnail(record, 7),
        lambda: results.assign_player(record, 7, "Anna"),
        lambda: results.correct(record, 7, START, {}, "Anna"),
        lambda: results.remove_result(record, 7),
        lambda: make_game(record, [7, 8]),
    ):
        with pytest.raises(errors.ResultMissing):
            call()
    assert list_games(record) == ()


@pytest.mark.parametrize(
    ("taken", "counts_as"),
    [
        (datetime.min, EARLIEST),
        (datetime.max, LATEST),
        (datetime(1970, 1, 1, tzinfo=UTC), EARLIEST),
        (datetime(2026, 3, 14, 20, tzinfo=UTC), datetime(2026, 3, 14, 20)),
    ],
)
def test_a_date_enters_within_reach_with_a_sheet_or_without(
    record: Record, taken: datetime, counts_as: datetime
) -> None:
    read, unread = (replace(photo(name), taken=taken) for name in ("read.jpg", "unread.jpg"))
    add_reading(record, read, START)
    photos.add_unread(record, unread, errors.NoSheetFound())
    stored = record.connection.execute("SELECT taken FROM photo").fetchall()
    assert [row["taken"] for row in stored] == [counts_as.isoformat()] * 2
    for each in (read, unread):
        found = photos.find_photo(record, each.sha256)
        assert found is not None
        assert found.facts.taken == counts_as


NAMES = st.text(st.characters(codec=None), max_size=80)


@settings(deadline=None)  # a record is made on the disk for each
@given(name=NAMES, player=NAMES)
def test_any_name_can_be_recorded(name: str, player: str) -> None:
    with TemporaryDirectory() as folder, open_record(Path(folder) / "record.sqlite3") as record:
        number = add_reading(record, photo("a.jpg", content=b""), START)
        facts = entries.PhotoFacts("0" * 64, name, EVENING)
        photos.add_unread(record, facts, errors.NoSheetFound())
        with suppress(errors.NameTooLong):
            results.assign_player(record, number, player)
        shown = results.get_result(record, number).player
        assert shown is None or shown == " ".join(shown.split())


# --- opening, and what can be wrong --------------------------------------------------------------


def test_it_is_made_in_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    path = database.default_path()
    assert tmp_path in path.parents
    open_record().close()
    assert path.is_file()


def test_what_is_no_record_stays_as_it_is(tmp_path: Path) -> None:
    text, foreign = tmp_path / "notes.txt", tmp_path / "foreign.sqlite3"
    text.write_text("total 73\n" * 200)
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE photo (id)")
    connection.close()
    for path in (text, foreign):
        before = path.read_bytes()
        with pytest.raises(errors.NotARecord):
            open_record(path)
        assert path.read_bytes() == before


def test_a_newer_record(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        record.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(errors.RecordTooNew, match=r"version 99, known is \d"):
        open_record(path)


def test_an_older_record_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        number = add_reading(record, photo("1.jpg"), START)
        later = ("file", "material", "step", "change", "owner_claim", "sheet_pair", "kept_photo")
        for table in (*later, "seat", "play_table", "former_board", "printing", "wish"):
            record.connection.execute(f"DROP TABLE {table}")
        record.connection.execute("DROP INDEX result_played")
        record.connection.execute("ALTER TABLE result DROP COLUMN played")
        record.connection.execute("ALTER TABLE game DROP COLUMN settings")
        for column in ("level INTEGER", "variant TEXT"):
            record.connection.execute(f"ALTER TABLE game ADD COLUMN {column}")
        record.connection.execute("PRAGMA user_version = 1")
    with open_record(path) as record:
        assert results.get_result(record, number).reading.grid == START.grid
        assert results.get_result(record, number).played == "brikks"
        assert not photos.is_known_file(record, "1.jpg", "10")
        photos.remember_file(record, "1.jpg", "10", photo("1.jpg").sha256)
        assert photos.is_known_file(record, "1.jpg", "10")
        assert not photos.is_known_file(record, "1.jpg", "11")


def test_what_was_said_of_a_game_in_columns_of_its_own_can_be_undone(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        sheets = [add_reading(record, photo("1.jpg"), START)]
        sheets.append(add_reading(record, photo("2.jpg", 1), OTHER))
        for level, variant in ((1, "standard"), (2, "standard"), (2, "duel")):
            number = make_game(record, sheets, {"level": level, "variant": variant})
        as_before = """
            DROP TABLE kept_photo;
            DROP TABLE wish;
            ALTER TABLE game DROP COLUMN settings;
            ALTER TABLE play_table DROP COLUMN settings;
            ALTER TABLE game ADD COLUMN level INTEGER;
            ALTER TABLE game ADD COLUMN variant TEXT;
            ALTER TABLE play_table ADD COLUMN level INTEGER;
            ALTER TABLE play_table ADD COLUMN variant TEXT;
            UPDATE game SET level = 2, variant = 'duel';
            UPDATE step SET before = iif(id = (SELECT max(id) FROM step),
                '{"variant": "standard"}', '{"level": 1}')
                WHERE of_table = 'game' AND kind = 'update';
            PRAGMA user_version = 8;
        """
        record.connection.executescript(as_before)
    with open_record(path) as record:
        for settings in (
            {"level": 2, "variant": "duel"},
            {"level": 2, "variant": "standard"},
            {"level": 1, "variant": "standard"},
        ):
            assert get_game(record, number).settings == settings
            undo(record)
        assert list_games(record) == ()


def test_a_removed_photo_can_be_read_again(record: Record) -> None:
    sha256 = photo("1.jpg").sha256
    number = add_reading(record, photo("1.jpg"), START)
    photos.remember_file(record, "1.jpg", "10", sha256)
    assert not photos.forget_photo(record, sha256)
    results.remove_result(record, number)
    assert not photos.add_photo(record, photo("1.jpg"), [SheetReading(START)]).is_new
    assert photos.forget_photo(record, sha256)
    assert not photos.is_known_file(record, "1.jpg", "10")
    assert photos.add_photo(record, photo("1.jpg"), [SheetReading(START)]).is_new


def test_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "record.sqlite3", tmp_path):
        with pytest.raises(errors.RecordNotWritable):
            open_record(path)


def test_a_record_that_may_only_be_read(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        record.connection.execute("PRAGMA query_only = ON")
        with pytest.raises(errors.RecordNotWritable):
            add_reading(record, photo("1.jpg"), START)


def test_nothing_is_made_where_one_was_named(tmp_path: Path) -> None:
    with pytest.raises(errors.RecordMissing):
        open_existing_record(tmp_path / "typo.sqlite3")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_record(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        for number in range(20):
            add_reading(record, photo(f"{number}.jpg", 200 * number), START, bytes(5000))
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(errors.RecordDamaged), open_record(path) as record:
        results.list_results(record)


def test_a_full_disk_loses_nothing(record: Record) -> None:
    first = add_reading(record, photo("1.jpg"), START)
    (pages,) = record.connection.execute("PRAGMA page_count").fetchone()
    record.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(errors.RecordDiskFull):
        add_reading(record, photo("2.jpg", 1), OTHER, bytes(100_000))
    assert [result.id for result in results.list_results(record)] == [first]
    assert photos.find_photo(record, photo("2.jpg").sha256) is None
    record.connection.execute("PRAGMA max_page_count = 100000")
    add_reading(record, photo("2.jpg", 1), OTHER, bytes(100_000))
    assert len(results.list_results(record)) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of files' sizes")
def test_on_a_disk_without_any_room_it_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        number = add_reading(record, photo("1.jpg"), START, player="Anna")
    with full_disk(), open_record(path) as record:
        assert [result.id for result in results.list_results(record)] == [number]
        for change in (
            lambda: add_reading(record, photo("2.jpg", 1), OTHER),
            lambda: results.assign_player(record, number, "Ben"),
            lambda: results.correct(record, number, START, {}, "Anna"),
        ):
            with pytest.raises(errors.RecordDiskFull):
                change()
    with open_record(path) as record:
        assert results.get_result(record, number).player == "Anna"
        add_reading(record, photo("2.jpg", 1), OTHER)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of files' sizes")
def test_without_any_room_a_record_with_a_log_is_not_read_by_half(tmp_path: Path) -> None:
    path, copy = tmp_path / "record.sqlite3", tmp_path / "copy.sqlite3"
    with open_record(path) as record:
        add_reading(record, photo("1.jpg"), START)
        for end in ("", "-wal"):
            copy.with_name(copy.name + end).write_bytes(
                path.with_name(path.name + end).read_bytes()
            )
    with full_disk(), pytest.raises(errors.RecordDiskFull):
        open_record(copy)
    with open_record(copy) as record:
        assert len(results.list_results(record)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of files' sizes")
def test_each_connection_is_set_up_alike(tmp_path: Path) -> None:
    def settings(record: Record) -> list[int]:
        names = "synchronous", "foreign_keys"
        return [record.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    with open_record(tmp_path / "record.sqlite3") as record:
        usual = settings(record)
    with full_disk(), open_record(tmp_path / "record.sqlite3") as record:
        assert isinstance(record.write_failure, errors.RecordDiskFull)
        assert settings(record) == usual == [2, 1]


def test_another_writer_for_too_long(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MAX_WAIT", 0.05)
    with open_record(record.path) as impatient:
        record.connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(errors.RecordBusy):
            add_reading(impatient, photo("1.jpg"), START)
        record.connection.execute("ROLLBACK")
        add_reading(impatient, photo("1.jpg"), START)


def test_several_writers_at_once(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"

    def write(first: int) -> None:
        with open_record(path) as own:
            for number in range(first, first + 15):
                add_reading(own, photo(f"{number}.jpg", 200 * number), START)

    threads = [threading.Thread(target=write, args=(first,)) for first in (0, 5, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open_record(path) as record:
        names = sorted(int(result.photo.name[:-4]) for result in results.list_results(record))
    assert names == list(range(25))


def test_several_make_it_at_once(tmp_path: Path) -> None:
    failed: list[BaseException] = []

    def make(path: Path) -> None:
        try:
            open_record(path).close()
        except BaseException as error:
            failed.append(error)

    for number in range(30):
        threads = [threading.Thread(target=make, args=(tmp_path / str(number),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failed == []


KILLED_WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from tests.recorded_sheets import START, add_reading, photo
from brikks_vision.record.database import open_record
with open_record(Path(sys.argv[1])) as record:
    for number in range(400):
        add_reading(record, photo(f"{number}.jpg", 200 * number), START, bytes(2000))
        print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
def test_killed_at_any_moment_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    command = [sys.executable, "-c", KILLED_WRITER, str(path)]
    for moment in (0.0, 0.01, 0.03):
        with started(command, stderr=None) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(moment)
            os.kill(writer.pid, signal.SIGKILL)
            said = [int(line) for line in writer.stdout.read().split()]
        with open_record(path) as record:
            names = [result.photo.name for result in results.list_results(record)]
            (state,) = record.connection.execute("PRAGMA integrity_check").fetchone()
        assert state == "ok"
        assert names == [f"{number}.jpg" for number in range(len(names))]
        assert len(names) > max(said, default=0)


@pytest.mark.skipif(os.name != "posix", reason="other systems keep rights elsewhere")
def test_a_new_record_is_its_users_alone(tmp_path: Path) -> None:
    with open_record(tmp_path / "record.sqlite3"):
        modes = [file.stat().st_mode & 0o777 for file in tmp_path.iterdir()]
    assert modes and set(modes) == {0o600}


def test_a_second_door_to_the_record_loses_no_locks(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    look = f"import sqlite3; sqlite3.connect({str(path)!r}).execute('select * from photo').close()"
    with open_record(path) as first:
        open_record(path).close()
        subprocess.run([sys.executable, "-c", look], check=True)
        add_reading(first, photo("a.jpg", content=b""), START)
        count = "select count(*) from photo"
        with sqlite3.connect(path) as other:
            assert other.execute(count).fetchone() == (1,)
