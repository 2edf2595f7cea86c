"""The watched folder: each photo once, complete, whatever happens; the originals untouched."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.watching import different_photos, kill_and_count
from brikks_vision import errors
from brikks_vision.commands import watch as notify_module
from brikks_vision.games.printings import keep_printing
from brikks_vision.intake import watcher
from brikks_vision.intake.folders import is_photo_name
from brikks_vision.intake.photos import content_hash
from brikks_vision.intake.watcher import open_record as watch_open_record
from brikks_vision.record.database import Record, open_record
from brikks_vision.record.entries import Added, OwnerConflict
from brikks_vision.record.photos import count_photos, find_photo
from brikks_vision.record.results import assign_player, list_results
from tests.command_line import Run
from tests.known_boards import board_definition
from tests.processes import started

FIXTURES = Path(__file__).parents[1] / "fixtures"
SHEET = (FIXTURES / "good-arcade.jpg").read_bytes()
OTHER_SHEET = (FIXTURES / "worked-example.jpg").read_bytes()
TABLE = (FIXTURES / "bad-blurred.jpg").read_bytes()

BOARD = FIXTURES / "blox" / "after.jpg"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "photos"
    path.mkdir()
    return path


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "record.sqlite3"


class Evening:
    """A clock whose hours pass at once, and what happens at which second of it."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    def wakes(self, seconds: float, **events: object) -> Iterator[bool]:
        """A moment each second; ``s5=call`` happens before the one of second 5."""
        for second in range(int(seconds) + 1):
            self.now += 1.0
            event = events.get(f"s{second}")
            if callable(event):
                event()
            yield True


def watched(
    folder: Path, database: Path, seconds: float = 4, **events: object
) -> list[watcher.News]:
    """What is told of while a folder is watched for so many seconds."""
    evening, told = Evening(), list[watcher.News]()
    wakes = evening.wakes(seconds, **events)
    watcher.watch(
        [folder], database, watcher.Settings(player="Anna"), told.append, wakes, evening.clock
    )
    return told


def names_of(news: list[watcher.News]) -> list[str]:
    return [each.photo.name for each in news if isinstance(each, watcher.NewResult)]


# --- which files, and when -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["IMG_1.jpg", "a.JPEG", "a.heic", "a.sync-conflict-20260314-2015.jpg", "ü 1.2.webp"]
)
def test_photos_that_have_arrived(name: str) -> None:
    assert is_photo_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "IMG_1.jpg.part",
        "IMG_1.jpg.tmp",
        "IMG_1.tmp.jpg",
        "IMG_1.jpg~",
        "~IMG_1.jpg",
        "IMG_1~.jpg",
        "IMG_1.jpg.crdownload",
        ".syncthing.IMG_1.jpg.tmp",
        "~syncthing~IMG_1.jpg.tmp",
        ".IMG_1.HEIC.icloud",
        "._IMG_1.jpg",
        ".pending-1700-IMG_1.jpg",
        ".~dropbox.jpg",
        "Unconfirmed 12.crdownload",
        "notes.txt",
        "film.mp4",
        ".jpg",
    ],
)
def test_names_of_files_on_their_way(name: str) -> None:
    assert not is_photo_name(name)


def test_a_file_is_complete_when_it_has_been_still() -> None:
    path = Path("a.jpg")
    small, large = watcher.Stamp(10, 1, 1), watcher.Stamp(20, 2, 2)
    seen = watcher.seen_again({}, {path: small}, 100.0)
    seen = watcher.seen_again(seen, {path: large}, 100.9)
    assert watcher.complete(seen, {}, 101.5) == []
    seen = watcher.seen_again(seen, {path: large}, 101.5)
    assert seen == {path: watcher.Sighting(large, 100.9)}
    assert watcher.complete(seen, {}, 100.9 + watcher.STILL) == [path]
    assert watcher.complete(seen, {path: large}, 200.0) == []
    assert watcher.complete(seen, {path: small}, 200.0) == [path]
    assert watcher.seen_again(seen, {}, 200.0) == {}


def test_only_photos_of_the_folder_itself(folder: Path) -> None:
    (folder / "below").mkdir()
    (folder / "below" / "a.jpg").touch()
    (folder / "folder.jpg").mkdir()
    (folder / "link.jpg").symlink_to(folder / "nowhere.jpg")
    (folder / "b.jpg").touch()
    assert [path.name for path in watcher.photo_files(folder)] == ["b.jpg"]
    with pytest.raises(errors.FolderGone):
        watcher.photo_files(folder / "missing")


# --- what is read --------------------------------------------------------------------------------


def test_each_photo_once_whatever_its_name_and_after_a_restart(
    folder: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = folder / "IMG_1.jpg"
    photo.write_bytes(SHEET)
    news = watched(
        folder,
        database,
        8,
        s3=lambda: (folder / "copy.jpg").write_bytes(SHEET),
        s5=lambda: (folder / "copy.jpg").rename(folder / "renamed.jpg"),
    )
    assert names_of(news) == ["IMG_1.jpg"]
    with monkeypatch.context() as patched:  # what has not changed is not even read again
        patched.setattr("brikks_vision.intake.watcher.read_file", lambda path: 1 / 0)
        assert watched(folder, database) == []
    photo.touch()
    before = photo.stat()
    assert watched(folder, database) == []
    with open_record(database) as record:
        (result,) = list_results(record)
    assert (result.player, result.photos) == ("Anna", 1)
    assert photo.read_bytes() == SHEET
    assert (photo.stat().st_mtime_ns, photo.stat().st_mode) == (before.st_mtime_ns, before.st_mode)


def test_a_sheet_that_is_another_players_is_told(folder: Path, database: Path) -> None:
    (folder / "IMG_1.jpg").write_bytes(SHEET)
    watched(folder, database)
    with open_record(database) as record:
        (result,) = list_results(record)
        assign_player(record, result.id, "Ben")
    news = watched(folder, database, 8, s3=lambda: (folder / "copy.jpg").write_bytes(SHEET))
    assert news == [OwnerConflict(result.id, "Ben", "Anna")]


def test_photos_without_a_sheet_are_passed_over_and_remembered(
    folder: Path, database: Path
) -> None:
    wall = folder / "wall.png"
    cv2.imwrite(str(wall), np.full((100, 2500, 3), 180, np.uint8))
    assert watched(folder, database) == []
    with open_record(database) as record:
        found = find_photo(record, content_hash(wall.read_bytes()))
        assert list_results(record) == ()
    assert found is not None
    assert found.error == "NoSheetFound"


def test_a_board_that_is_kept_is_recorded_once(
    folder: Path, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    keep_printing(board_definition(), "mine")
    (folder / "board.jpg").write_bytes(BOARD.read_bytes())
    (news,) = watched(folder, database)
    assert isinstance(news, watcher.NewResult)
    assert (news.photo.name, news.result.id, news.result.reading.sheet) == ("board.jpg", 1, "mine")
    (folder / "copy.jpg").write_bytes(BOARD.read_bytes())
    assert watched(folder, database) == []
    with open_record(database) as record:
        assert [(each.player, each.played) for each in list_results(record)] == [("Anna", "blox")]
    # neither file is opened again, also after a restart
    monkeypatch.setattr("brikks_vision.intake.watcher.read_file", lambda _: 1 / 0)
    assert watched(folder, database) == []


def test_one_bad_photo_stops_nothing(
    folder: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "1.jpg").write_bytes(TABLE)
    (folder / "2.jpg").write_bytes(b"no picture")
    (folder / "3.jpg").write_bytes(SHEET)
    news = watched(folder, database)
    troubles = [each for each in news if isinstance(each, watcher.Failure)]
    assert sorted(each.photo.name for each in troubles if each.photo) == ["1.jpg", "2.jpg"]
    assert names_of(news) == ["3.jpg"]
    # A fault of the program is told of, but the photo is tried again after a restart.
    (folder / "4.jpg").write_bytes(OTHER_SHEET)
    with monkeypatch.context() as patched:
        patched.setattr("brikks_vision.intake.watcher.scan_sheets", lambda *_, **__: 1 / 0)
        (failed,) = watched(folder, database)
    assert isinstance(failed, watcher.Failure)
    assert "ZeroDivisionError" in str(failed.error)
    assert names_of(watched(folder, database)) == ["4.jpg"]


def test_a_photo_that_cannot_be_recorded_stops_nothing(
    folder: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_once(*arguments: object) -> Added:
        monkeypatch.undo()
        raise OverflowError("date value out of range")

    (folder / "1.jpg").write_bytes(SHEET)
    (folder / "2.jpg").write_bytes(OTHER_SHEET)
    os.utime(folder / "1.jpg", (1.7e9, 1.7e9))
    monkeypatch.setattr("brikks_vision.intake.watcher.record_photo", fails_once)
    failed, told = watched(folder, database)
    assert isinstance(failed, watcher.Failure)
    assert "OverflowError" in str(failed.error)
    assert names_of([told]) == ["2.jpg"]


@pytest.mark.parametrize("name", ["good-arcade.jpg", "picture.heic"])
def test_a_photo_that_is_still_arriving(folder: Path, database: Path, name: str) -> None:
    whole, photo = (FIXTURES / name).read_bytes(), folder / name
    photo.write_bytes(b"")
    news = watched(
        folder,
        database,
        20,
        s3=lambda: photo.write_bytes(whole[: len(whole) // 2]),
        s12=lambda: photo.write_bytes(whole),
    )
    assert names_of(news) == [name]
    assert len(news) == 1


def test_a_photo_that_never_arrives_whole(folder: Path, database: Path) -> None:
    (folder / "half.jpg").write_bytes(SHEET[: len(SHEET) // 2])
    (told,) = watched(folder, database, watcher.PATIENCE + 10)
    assert isinstance(told, watcher.Failure)
    assert isinstance(told.error, errors.PhotoTruncated)


def test_burst_shots_are_one_result(folder: Path, database: Path) -> None:
    for number in range(3):
        photo = folder / f"{number}.jpg"
        photo.write_bytes(OTHER_SHEET + bytes(number))
        os.utime(photo, (1.7e9 + number, 1.7e9 + number))
    news = watched(folder, database)
    assert [each.is_known for each in news if isinstance(each, watcher.NewResult)] == [
        False,
        True,
        True,
    ]
    with open_record(database) as record:
        (result,) = list_results(record)
        assert (result.photos, count_photos(record)) == (3, 3)


# --- what breaks ---------------------------------------------------------------------------------


def test_a_folder_that_goes_and_comes_back(folder: Path, database: Path) -> None:
    aside = folder.with_name("aside")

    def come_back() -> None:
        aside.rename(folder)
        (folder / "2.jpg").write_bytes(OTHER_SHEET)

    (folder / "1.jpg").write_bytes(SHEET)
    news = watched(folder, database, 14, s4=lambda: folder.rename(aside), s8=come_back)
    assert [type(each) for each in news] == [
        watcher.NewResult,
        watcher.Failure,
        watcher.Recovered,
        watcher.NewResult,
    ]
    assert isinstance(news[1], watcher.Failure)
    assert isinstance(news[1].error, errors.FolderGone)
    assert names_of(news) == ["1.jpg", "2.jpg"]


def test_a_full_disk_is_told_of_once_and_nothing_is_lost(
    folder: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full = True

    def on_a_small_disk(path: Path) -> Record:
        record = watch_open_record(path)
        pages = record.connection.execute("PRAGMA page_count").fetchone()[0]
        if is_full:
            record.connection.execute(f"PRAGMA max_page_count = {pages}")
        return record

    def make_room() -> None:
        nonlocal is_full
        is_full = False

    monkeypatch.setattr("brikks_vision.intake.watcher.open_record", on_a_small_disk)
    (folder / "1.jpg").write_bytes(SHEET)
    news = watched(folder, database, 5 * watcher.RETRY, s25=make_room)
    assert [type(each) for each in news] == [watcher.Failure, watcher.NewResult, watcher.Recovered]
    assert isinstance(news[0], watcher.Failure)
    assert isinstance(news[0].error, errors.RecordDiskFull)


def test_two_watchers_on_one_record(run: Run, folder: Path, database: Path) -> None:
    with watcher.only_watcher(database):
        with pytest.raises(errors.AnotherWatcher), watcher.only_watcher(database):
            pass
        code, out, err = run("watch", folder, "--db", database)
    assert (code, out) == (errors.ExitCode.WRONG_USE, "")
    assert "Another brikks-scan watch writes to the record" in err
    with watcher.only_watcher(database):
        pass


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["missing"], "There is no folder missing."),
        (["notes.txt"], "There is no folder notes.txt."),
        (["photos", "--db", "notes.txt"], "is no record of brikks-scan"),
        (["photos", "--db", "notes.txt/record"], "cannot be written"),
        (["photos", "--players", "3", "--variant", "solo"], "There is no game with"),
        ([], "FOLDER"),
    ],
)
def test_wrong_use(
    run: Run,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(folder.parent)
    Path("notes.txt").write_text("total 73\n" * 100)
    code, out, err = run("watch", *words)
    assert (code, out) == (errors.ExitCode.WRONG_USE, "")
    assert sentence in err


# --- the command ---------------------------------------------------------------------------------


QUICK_POLLS = (
    "from brikks_vision.intake import watcher; watcher.POLL = 0.5;"
    "from brikks_vision.commands.start import main; main()"
)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT")
@pytest.mark.parametrize(
    ("words", "end"), [((), signal.SIGINT), (("--poll",), signal.SIGTERM)], ids=["told", "polled"]
)
def test_the_score_is_said_at_once(
    folder: Path, database: Path, words: tuple[str, ...], end: signal.Signals
) -> None:
    command = [sys.executable, "-c", QUICK_POLLS, "watch", ".", "--db", database]
    said = ["--lang", "de", "--player", "Zoë", "--notify", *words]
    with started([*command, *said], cwd=folder, env={**os.environ, "PATH": ""}) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "keine Benachrichtigungen" in process.stderr.readline()
        told = process.stderr.readline()
        assert "wird beobachtet" in told and str(folder.resolve()) in told
        (folder / "IMG_1.jpg").write_bytes(OTHER_SHEET)
        line = process.stdout.readline()
        process.send_signal(end)
        assert process.wait(10) == 0
        assert "Beendet" in process.stderr.read()
    assert line.startswith("IMG_1.jpg  Zoë  Brikks  Summe ")


@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
def test_killed_again_and_again_every_photo_is_recorded_once(folder: Path, database: Path) -> None:
    outcome = kill_and_count(folder, database, different_photos(12), kills=4, seed=7)
    assert outcome.is_right, outcome


def test_the_notifier_gets_words_not_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    program = tmp_path / "notify-send"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {said}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    notify_module.notify(notify_module.find_notifier(), "--help", "73. Läuft!")
    assert said.read_text().splitlines() == [
        "--app-name=brikks-scan",
        "--",
        "--help",
        "73. Läuft!",
    ]
    monkeypatch.setenv("PATH", "")
    with pytest.raises(errors.NotifierMissing):
        notify_module.find_notifier()
    began = time.monotonic()
    notify_module.notify(str(tmp_path / "gone"), "a", "b")
    assert time.monotonic() - began < notify_module.MAX_WAIT
