"""brikks-scan batch: many photos, each once, whatever stops it."""

import codecs
import csv
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import pytest

from brikks_vision.errors import ExitCode, OutputNotWritable, ReaderStopped, ReadingTooSlow
from brikks_vision.intake import batch
from brikks_vision.intake.batch import PhotoLines, SheetLine
from brikks_vision.reading import NO_SETTINGS, Status
from tests.command_line import Run
from tests.processes import started

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
PHOTO = (ROOT / "samples" / "printed.jpg").read_bytes()
SETTINGS: batch.Settings = (NO_SETTINGS, "en", None)
LINE = SheetLine(
    {"index": 0, "status": Status.OK, "total": 73, "total_least": 73, "total_most": 73}
)


def photos_in(folder: Path, count: int) -> list[Path]:
    """So many photos, each with bytes of its own after the end of the picture."""
    folder.mkdir()
    files = [folder / f"{number:02}.jpg" for number in range(count)]
    for number, file in enumerate(files):
        file.write_bytes(PHOTO + bytes([number]))
    return files


def rows_of(table: Path) -> list[dict[str, str]]:
    with table.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_tables_of_batch_and_history_are_alike(run: Run, tmp_path: Path) -> None:
    photos_in(tmp_path / "evening", 1)
    photo = next((tmp_path / "evening").iterdir())
    run("batch", photo, "--csv", tmp_path / "batch.csv", "--jobs", 1)
    run(photo, "--db", tmp_path / "record.db")
    run("history", "--db", tmp_path / "record.db", "--csv", tmp_path / "history.csv")
    for name in ("batch.csv", "history.csv"):
        assert (tmp_path / name).read_bytes().startswith(codecs.BOM_UTF8)
    (ours,), (recorded,) = rows_of(tmp_path / "batch.csv"), rows_of(tmp_path / "history.csv")
    shared = list(ours)
    assert [column for column in recorded if column in ours] == shared
    assert {"total", "total_least", "lines", "bonus", "violations", "doubts"} <= set(shared)
    for column in set(shared) - {"photo"}:  # a path there, a name here
        assert ours[column] == recorded[column]


# --- the command ---------------------------------------------------------------------------------


def test_a_folder_into_a_table(run: Run, tmp_path: Path) -> None:
    folder, table = tmp_path / "evening", tmp_path / "all.csv"
    photos_in(folder, 1)
    (folder / "table.jpg").write_bytes((FIXTURES / "three-sheets.jpg").read_bytes())
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff nothing")
    (folder / "empty.jpg").touch()
    code, out, err = run("batch", folder, "--csv", table, "--jobs", 1)
    assert (code, err) == (ExitCode.UNREADABLE, "")
    assert f"{folder / '00.jpg'}  100   sure" in out
    assert "table.jpg #3" in out
    assert "empty.jpg     not readable: The file is empty." in out
    assert "  Photos                    4\n" in out
    assert "  Sheets, boards            6\n" in out
    rows = rows_of(table)
    assert [(Path(row["photo"]).name, row["index"]) for row in rows] == [
        ("00.jpg", "0"),
        ("broken.jpg", "0"),
        ("empty.jpg", "0"),
        ("table.jpg", "0"),
        ("table.jpg", "1"),
        ("table.jpg", "2"),
    ]
    assert [row["total"] for row in rows[:3]] == ["100", "", ""]


def test_folders_below_are_not_read_and_help_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "a.jpg").write_bytes(b"no picture")
    (tmp_path / "b.jpg").write_bytes(b"no picture")
    _, out, _ = run("batch", tmp_path)
    assert "b.jpg" in out
    assert "a.jpg" not in out
    _, out, _ = run("batch", "--help")
    assert "folders below those are not read" in " ".join(out.split())


def test_what_is_done_is_not_read_again(run: Run, tmp_path: Path) -> None:
    folder, table = tmp_path / "evening", tmp_path / "all.csv"
    (file,) = photos_in(folder, 1)
    run("batch", folder, "--csv", table)
    before = rows_of(table)
    file.rename(folder / "renamed.jpg")
    code, out, _ = run("batch", folder, "--csv", table)
    assert code == ExitCode.CERTAIN
    assert "of these read before      1" in out
    assert rows_of(table) == [{**before[0], "photo": str(folder / "renamed.jpg")}]
    _, out, _ = run("batch", folder, "--csv", table, "--lang", "es")  # the rank has a language
    assert "leídas antes      0" in out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--csv", "all.txt"], "End the name in .csv"),
        (["--players", "1", "--variant", "duel"], "There is no game with"),
        (["--csv", "no/folder/all.csv"], "cannot be written"),
    ],
)
def test_wrong_use(run: Run, tmp_path: Path, words: list[str], problem: str) -> None:
    photos_in(tmp_path / "evening", 1)
    code, _, err = run("batch", tmp_path / "evening", *words)
    assert code == ExitCode.WRONG_USE
    assert problem in err


def test_a_missing_file_leaves_the_others(run: Run, tmp_path: Path) -> None:
    (file,) = photos_in(tmp_path / "evening", 1)
    code, out, err = run("batch", tmp_path / "gone.jpg", file)
    assert code == ExitCode.WRONG_USE
    assert err.startswith(f"brikks-scan: There is no file {tmp_path / 'gone.jpg'}")
    assert "100   sure" in out


# --- what stops it -------------------------------------------------------------------------------


@contextmanager
def reading(folder: Path, table: Path) -> Iterator[subprocess.Popen[str]]:
    words = ("-m", "brikks_vision", "batch", folder, "--csv", table, "--jobs", 1)
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *words]
    with started(command, env=environment, start_new_session=True) as process:
        yield process


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_stopped_by_the_user(tmp_path: Path, stop: signal.Signals) -> None:
    folder, table = tmp_path / "evening", tmp_path / "all.csv"
    photos_in(folder, 15)
    with reading(folder, table) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        os.killpg(process.pid, stop) if stop is signal.SIGINT else process.send_signal(stop)
        rest, err = process.communicate()
    assert (process.returncode, err) == (ExitCode.UNREADABLE, "")
    shown = sum("100   sure" in line for line in [first, *rest.splitlines()])
    done = len(rows_of(table))
    assert 1 <= shown <= done <= shown + 1  # the last one may be kept and not yet shown
    assert done < 15
    assert f"Stopped; photos not read: {15 - done}." in rest
    assert nobody_left(process.pid)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_killed_it_loses_nothing_that_was_done(run: Run, tmp_path: Path) -> None:
    folder, table = tmp_path / "evening", tmp_path / "all.csv"
    photos_in(folder, 6)
    for shown in (1, 3):
        with reading(folder, table) as process:
            assert process.stdout is not None
            for _ in range(shown):
                assert "100   sure" in process.stdout.readline()
            process.kill()
            process.communicate()
        assert nobody_left(process.pid)
    known = len(batch.load_journal(batch.journal_of(table), SETTINGS))
    assert 3 <= known < 6
    _, out, _ = run("batch", folder, "--csv", table, "--jobs", 1)
    assert f"of these read before {known:6d}\n" in out
    lines = batch.journal_of(table).read_text().splitlines()
    assert len({json.loads(line)["sha256"] for line in lines}) == len(lines) == 6
    assert [row["total"] for row in rows_of(table)] == ["100"] * 6
    assert {path.name for path in tmp_path.iterdir()} == {"evening", "all.csv", "all.csv.jsonl"}


def nobody_left(group: int) -> bool:
    """Whether all processes of a group are gone, soon."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_a_worker_that_is_killed_costs_its_own_photo(tmp_path: Path) -> None:
    files = photos_in(tmp_path / "evening", 3)

    left = {*active_children()}  # from before: they end by themselves

    def kill_the_first() -> None:
        while not (started := [each for each in active_children() if each not in left]):
            time.sleep(0.01)
        time.sleep(0.1)  # by then it has its photo, and is starting still
        started[0].kill()

    thread = threading.Thread(target=kill_the_first)
    thread.start()
    done = {photo.file: photo for photo in batch.read_photos(files, 1, SETTINGS, {})}
    thread.join()
    assert done[files[0]].sheets[0].values["error"] == ReaderStopped().text("en")
    assert not done[files[0]].is_final
    assert [done[file].sheets[0].values["total"] for file in files[1:]] == [100, 100]
    assert {*active_children()} <= left


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be stopped")
def test_a_photo_that_takes_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "MAX_SECONDS", 1)
    files = photos_in(tmp_path / "evening", 1)

    def stop_it() -> None:
        while not active_children():
            time.sleep(0.001)
        os.kill(active_children()[0].pid, signal.SIGSTOP)

    thread = threading.Thread(target=stop_it)
    thread.start()
    (done,) = batch.read_photos(files, 1, SETTINGS, {})
    thread.join()
    assert done.sheets[0].values["error"] == ReadingTooSlow(1).text("en")
    assert not done.is_final
    assert active_children() == []


# --- what is kept --------------------------------------------------------------------------------


def lines_of(sha256: str) -> PhotoLines:
    return PhotoLines(Path("a.jpg"), sha256, (LINE,), True, True, ExitCode.CERTAIN)


def test_a_torn_line_is_passed_over_and_takes_no_other_with_it(tmp_path: Path) -> None:
    path = tmp_path / "all.csv.jsonl"
    with batch.journal(path, SETTINGS) as add:
        add(lines_of("a"))
        add(lines_of("b"))
    path.write_bytes(path.read_bytes()[:-20])
    with batch.journal(path, SETTINGS) as add:
        add(lines_of("c"))
    assert batch.load_journal(path, SETTINGS) == {"a": (LINE,), "c": (LINE,)}


def test_readings_with_other_settings_are_others(tmp_path: Path) -> None:
    path = tmp_path / "all.csv.jsonl"
    with batch.journal(path, SETTINGS) as add:
        add(lines_of("a"))
    assert batch.load_journal(path, ({"players": 2}, "en", None)) == {}


def test_a_table_keeps_lines_of_photos_that_are_not_done_yet(tmp_path: Path) -> None:
    table, files = tmp_path / "all.csv", [Path("a.jpg"), Path("b.jpg")]
    done = {file: lines_of("1") for file in files}
    batch.write_table(table, files, done, {})
    batch.write_table(table, files, {files[1]: lines_of("2")}, batch.read_table(table))
    assert [(row["photo"], row["sha256"]) for row in rows_of(table)] == [
        ("a.jpg", "1"),
        ("b.jpg", "2"),
    ]


def test_a_worker_takes_one_core() -> None:
    script = """
import os
from multiprocessing import Pipe
from brikks_vision.intake.workers import _serve
ours, theirs = Pipe()
ours.close()
_serve(theirs, str)
import cv2
print(cv2.getNumThreads(), os.environ["OPENBLAS_NUM_THREADS"], os.environ["OMP_NUM_THREADS"])
"""
    unset = {name: value for name, value in os.environ.items() if "THREADS" not in name}
    told = subprocess.run(
        [sys.executable, "-c", script],
        env={**unset, "OMP_NUM_THREADS": "3"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["1", "1", "3"]


def test_a_table_holds_no_formula(tmp_path: Path) -> None:
    table, file = tmp_path / "all.csv", Path("=HYPERLINK(1).jpg")
    done = {file: replace(lines_of("1"), sheets=(SheetLine({**LINE.values, "error": "=1+1"}),))}
    batch.write_table(table, [file], done, {})
    batch.write_table(table, [file], {}, batch.read_table(table))  # and knows its line again
    assert [(row["photo"], row["error"]) for row in rows_of(table)] == [
        ("'=HYPERLINK(1).jpg", "'=1+1")
    ]


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputNotWritable), batch.journal(tmp_path, SETTINGS):
        pass


# --- without the extra for clusters --------------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "words"),
    [("distributed", ("--scheduler", "tcp://a:1")), ("pyarrow", ("--parquet", "rows"))],
)
def test_a_missing_package_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, words: tuple[str, str]
) -> None:
    for module in ("cluster", "parquet"):
        monkeypatch.delitem(sys.modules, f"brikks_vision.intake.{module}", raising=False)
        monkeypatch.delattr(f"brikks_vision.intake.{module}", raising=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)  # as if it were not installed
    monkeypatch.setitem(sys.modules, "dask", None)
    monkeypatch.chdir(tmp_path)
    photos_in(tmp_path / "evening", 1)
    code, _, err = run("batch", "evening", *words)
    assert code == ExitCode.WRONG_USE
    assert "pip install 'brikks-vision[cluster]'" in err
    assert len(err.splitlines()) == 1


def test_nothing_of_a_cluster_is_imported_without_one(tmp_path: Path) -> None:
    photos_in(tmp_path / "evening", 1)
    script = (
        "import sys\n"
        "from contextlib import suppress\n"
        "from brikks_vision.commands.app import main\n"
        "if __name__ == '__main__':\n"
        "    with suppress(SystemExit):\n"
        "        main(['batch', *sys.argv[1:]])\n"
        "    print({'dask', 'distributed', 'fsspec', 'pyarrow'} & set(sys.modules))\n"
    )
    (tmp_path / "script.py").write_text(script)
    words = (tmp_path / "evening", "--csv", tmp_path / "all.csv")
    told = subprocess.run(
        [sys.executable, tmp_path / "script.py", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.endswith("set()\n")
    assert [row["total"] for row in rows_of(tmp_path / "all.csv")] == ["100"]
