"""brikks-scan batch on a cluster of two processes: every photo once, whatever is killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

import dask
import psutil
from distributed import LocalCluster, Status

from brikks_vision import errors
from brikks_vision.intake import batch
from brikks_vision.intake import cluster as cluster_module
from brikks_vision.intake.cluster import Cluster, KnownPhotos, ReadTask, read_on_cluster, read_task
from brikks_vision.reading import NO_SETTINGS
from tests.command_line import Run
from tests.intake.test_batch import FIXTURES, PHOTO, ROOT, SETTINGS, photos_in, rows_of
from tests.processes import started

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
NOTHING_READ = KnownPhotos({}, {}, {})
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler must answer within half a second."""
    assert cluster_module.ANSWER_SECONDS <= 4
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS", 0.5)


def fail(note: errors.BrikksError) -> None:
    raise AssertionError(note)


def read_at(
    address: str, files: list[Path], is_sent: bool = False
) -> Generator[batch.PhotoLines, None, None]:
    """The photos, read on a cluster that has nothing to note."""
    return read_on_cluster(files, Cluster(address, is_sent), SETTINGS, NOTHING_READ, fail)


@pytest.mark.usefixtures("impatient")
def test_an_address_where_nobody_answers_is_soon_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(errors.SchedulerUnreachable, match=r"after 0\.5 s"):
            [*read_at(address, [tmp_path])]
    with pytest.raises(errors.SchedulerUnreachable, match=r"after 0\.5 s"):
        [*read_at(address, [tmp_path])]


@pytest.fixture(scope="module")
def local() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@contextmanager
def beside(work: Callable[[threading.Event], None]) -> Iterator[None]:
    """``work`` runs meanwhile, until its event is set."""
    end = threading.Event()
    thread = threading.Thread(target=work, args=(end,))
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def readers_of(local: LocalCluster) -> list[int]:
    """The processes that read photos: those below the workers, which are below the nannies."""
    found = []
    for nanny in local.workers.values():
        with suppress(psutil.Error):  # it has just ended
            for child in psutil.Process(nanny.pid).children() if nanny.pid else []:
                with suppress(psutil.Error):
                    if "spawn_main" in " ".join(child.cmdline()):
                        found.append(child.pid)
    return found


def journal_lines(table: Path) -> list[dict[str, Any]]:
    lines = batch.journal_of(table).read_text().splitlines()
    return [json.loads(line) for line in lines]


# --- how photos get there ------------------------------------------------------------------------


def test_by_path_with_the_same_table_as_without_a_cluster(
    run: Run, local: LocalCluster, tmp_path: Path
) -> None:
    folder = tmp_path / "evening"
    photos_in(folder, 3)
    (folder / "table.jpg").write_bytes((FIXTURES / "three-sheets.jpg").read_bytes())
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff nothing")
    (folder / "empty.jpg").touch()
    on_cluster, alone = tmp_path / "cluster.csv", tmp_path / "alone.csv"
    address = local.scheduler_address
    code, out, err = run("batch", folder, "--csv", on_cluster, "--scheduler", address)
    assert (code, err) == (errors.ExitCode.UNREADABLE, "")
    assert "table.jpg #3" in out
    assert "  Photos                    6\n" in out
    run("batch", folder, "--csv", alone)
    assert on_cluster.read_bytes() == alone.read_bytes()


def test_photos_are_sent_to_workers_that_cannot_open_them(
    local: LocalCluster, tmp_path: Path
) -> None:
    files = photos_in(tmp_path / "evening", 5)
    read = [*read_at(local.scheduler_address, files, is_sent=True)]
    assert {photo.file for photo in read} == set(files)
    assert [photo.sheets[0].values["total"] for photo in read] == [100] * 5


def test_a_photo_that_a_worker_cannot_open(local: LocalCluster, tmp_path: Path) -> None:
    gone = tmp_path / "gone.jpg"
    (photo,) = read_at(local.scheduler_address, [gone])
    assert photo.sheets[0].values["error"] == errors.PhotoNotOnWorkers(gone).text("en")
    assert not photo.is_final
    assert photo.code == errors.ExitCode.WRONG_USE


def test_by_url(run: Run, local: LocalCluster, tmp_path: Path) -> None:
    files, table = photos_in(tmp_path / "evening", 3), tmp_path / "all.csv"
    (tmp_path / "evening" / "notes.txt").write_text("no photo")
    words = ("batch", (tmp_path / "evening").as_uri(), "--csv", table)
    code, _, err = run(*words, "--scheduler", local.scheduler_address)
    assert (code, err) == (errors.ExitCode.CERTAIN, "")
    assert [row["photo"] for row in rows_of(table)] == [file.as_uri() for file in files]
    _, out, _ = run(*words, "--scheduler", local.scheduler_address)
    assert "of these read before      3\n" in out
    code, _, err = run("batch", "no-store://a/b.jpg", "--scheduler", local.scheduler_address)
    assert code == errors.ExitCode.WRONG_USE
    assert "no-store://a/b.jpg cannot be read" in err


def test_what_is_known_is_not_handed_out_and_what_has_changed_is(
    run: Run, local: LocalCluster, tmp_path: Path
) -> None:
    files, table = photos_in(tmp_path / "evening", 3), tmp_path / "all.csv"
    words = ("batch", tmp_path / "evening", "--csv", table, "--scheduler", local.scheduler_address)
    run(*words)
    files[0].write_bytes(PHOTO + b"changed")
    files[1].rename(files[1].with_name("renamed.jpg"))
    _, out, _ = run(*words)
    assert "of these read before      2\n" in out
    assert len({line["sha256"] for line in journal_lines(table)}) == len(journal_lines(table)) == 4
    assert [row["total"] for row in rows_of(table)] == ["100"] * 3


# --- what is killed ------------------------------------------------------------------------------


@POSIX
def test_killed_workers_lose_nothing(local: LocalCluster, tmp_path: Path) -> None:
    files = photos_in(tmp_path / "evening", 40)
    killed = []
    read = []
    notes: list[errors.BrikksError] = []  # both may be gone for a moment
    cluster = Cluster(local.scheduler_address)
    for photo in read_on_cluster(files, cluster, SETTINGS, NOTHING_READ, notes.append):
        read.append(photo)
        if len(read) % 10 == 5:
            # one that is killed while it starts is not started again
            pids = [each.pid for each in local.workers.values() if each.status is Status.running]
            if pids:
                pid = pids[len(killed) % len(pids)]
                killed.append(pid)
                kill(pid)
    assert len(set(killed)) >= 3
    assert {type(note) for note in notes} <= {errors.WorkersAwaited}
    assert sorted(photo.file for photo in read) == files
    assert [photo.sheets[0].values["total"] for photo in read] == [100] * 40


@POSIX
def test_a_photo_that_ends_its_process_twice_is_named_and_left(
    run: Run, local: LocalCluster, tmp_path: Path
) -> None:
    (file,) = photos_in(tmp_path / "evening", 1)
    table = tmp_path / "all.csv"
    address = local.scheduler_address

    def kill_whatever_reads(end: threading.Event) -> None:
        while not end.is_set():
            for pid in readers_of(local):
                kill(pid)
            time.sleep(0.01)

    words = ("batch", file, "--csv", table, "--scheduler", address)
    with beside(kill_whatever_reads):
        code, out, _ = run(*words)
    assert code == errors.ExitCode.UNREADABLE
    assert f"{file}     not readable: {errors.PhotoEndsReaders()}" in out
    assert [row["error"] for row in rows_of(table)] == [str(errors.PhotoEndsReaders())]
    code, _, _ = run(*words)  # it is read again: the memory may have been another's
    assert code == errors.ExitCode.CERTAIN


@POSIX
def test_a_photo_whose_workers_are_killed_again_and_again_is_named(
    local: LocalCluster, tmp_path: Path
) -> None:
    (file,) = photos_in(tmp_path / "evening", 1)
    deaths = []

    def kill_whoever_has_it(end: threading.Event) -> None:
        while not end.is_set():
            busy = [each for each in [*local.scheduler.workers.values()] if each.processing]
            for nanny in local.workers.values():
                if any(nanny.worker_address == each.address for each in busy) and nanny.pid:
                    deaths.append(nanny.pid)
                    kill(nanny.pid)
            time.sleep(0.005)

    allowed = local.scheduler.allowed_failures
    local.scheduler.allowed_failures = 0
    try:
        with beside(kill_whoever_has_it):
            (photo,) = read_at(local.scheduler_address, [file])
    finally:
        local.scheduler.allowed_failures = allowed
    assert photo.sheets[0].values["error"] == errors.PhotoEndsReaders().text("en")
    assert len(set(deaths)) == 2
    (photo,) = read_at(local.scheduler_address, [file])
    assert photo.sheets[0].values["total"] == 100


def running(*words: object) -> AbstractContextManager[subprocess.Popen[str]]:
    return started([sys.executable, "-m", *words], env=ENVIRONMENT)


@POSIX
def test_a_client_that_is_killed_goes_on_where_it_was(
    run: Run, local: LocalCluster, tmp_path: Path
) -> None:
    folder, table = tmp_path / "evening", tmp_path / "all.csv"
    photos_in(folder, 15)
    words = ("batch", folder, "--csv", table, "--scheduler", local.scheduler_address)
    with running("brikks_vision", *words) as process:
        assert process.stdout is not None
        for _ in range(4):
            assert "100   sure" in process.stdout.readline()
        process.kill()
    known = len(batch.load_journal(batch.journal_of(table), SETTINGS))
    assert 4 <= known < 15
    _, out, _ = run(*words)
    assert f"of these read before {known:6d}\n" in out
    assert len({line["sha256"] for line in journal_lines(table)}) == len(journal_lines(table)) == 15
    assert [row["total"] for row in rows_of(table)] == ["100"] * 15


@POSIX
def test_a_scheduler_that_is_killed_and_comes_again_loses_nothing(tmp_path: Path) -> None:
    folder, table = tmp_path / "evening", tmp_path / "all.csv"
    photos_in(folder, 20)
    described = tmp_path / "scheduler.json"
    to_scheduler = ("--no-dashboard", "--scheduler-file", described)
    scheduling = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", *to_scheduler)
    working = ("distributed.cli.dask_worker", "--nthreads", 1, *to_scheduler)
    with ExitStack() as ending:
        scheduler = ending.enter_context(running(*scheduling, "--port", 0))
        while not described.exists() or not described.read_text():
            time.sleep(0.05)
        address = json.loads(described.read_text())["address"]
        worker = ending.enter_context(running(*working))
        words = ("batch", folder, "--csv", table, "--scheduler", address)
        client = ending.enter_context(running("brikks_vision", *words))
        assert client.stdout is not None
        for _ in range(4):
            assert "100   sure" in client.stdout.readline()
        scheduler.kill()
        scheduler.communicate()
        worker.communicate()  # it ends with its scheduler, and is started anew with it
        ending.enter_context(running(*scheduling, "--port", address.rpartition(":")[2]))
        ending.enter_context(running(*working))
        out, err = client.communicate()
        assert (client.returncode, err.replace(note_of(address), "")) == (0, "")
        assert "  Photos                   20\n" in out
    assert len({line["sha256"] for line in journal_lines(table)}) == len(journal_lines(table)) == 20
    assert [row["total"] for row in rows_of(table)] == ["100"] * 20


def note_of(address: str) -> str:
    """What is said while there is no worker yet."""
    return f"brikks-scan: The cluster at {address} has no workers now. This goes on as soon as " + (
        "there are any.\n"
    )


# --- what is missing -----------------------------------------------------------------------------


@pytest.mark.usefixtures("impatient")
def test_a_scheduler_that_does_not_answer(run: Run, tmp_path: Path) -> None:
    photos_in(tmp_path / "evening", 1)
    with dask.config.set({"distributed.comm.timeouts.connect": "500ms"}):
        code, _, err = run("batch", tmp_path / "evening", "--scheduler", "tcp://127.0.0.1:9")
        assert code == errors.ExitCode.WRONG_USE
        assert err.startswith("brikks-scan: No Dask scheduler answers at tcp://127.0.0.1:9 (")
        code, _, err = run("batch", tmp_path / "evening", "--scheduler", "what://is-this")
    assert code == errors.ExitCode.WRONG_USE
    assert err.startswith("brikks-scan: No Dask scheduler answers at what://is-this (")


def test_a_worker_with_another_version_says_so() -> None:
    errand = ReadTask("a.jpg", PHOTO, (NO_SETTINGS, "en", None), "0.0.1")
    with pytest.raises(errors.WorkersUnfit, match=r"Install brikks-vision 0\.0\.1 there"):
        read_task(errand)
