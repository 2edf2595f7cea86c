"""A Dask cluster of its own that reads an archive: what does it cost?"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

SAMPLE_SECONDS = 2.0  # a look takes time, too
MACHINE_CORES = 16
ARCHIVES = (1_000_000, 100_000_000)


def repeated(photos: Sequence[Path], count: int, folder: Path) -> None:
    """So many hard links to the photos, each under a name of its own."""
    for number in range(count):
        os.link(photos[number % len(photos)], folder / f"{number:08}.jpg")


# --- one run -------------------------------------------------------------------------------------


@dataclass
class Peaks:
    """The most memory, in MB, and the processor time since the first look, in seconds, by kind."""

    memory: dict[str, float] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)

    def look(self, kind: str, pid: int) -> None:
        """See what a process and those below it take now."""
        import psutil

        with suppress(psutil.Error):
            process = psutil.Process(pid)
            tree = [process, *process.children(recursive=True)]
            memory = sum(each.memory_info().rss for each in tree) / 1e6
            times = [each.cpu_times() for each in tree]
            spent = sum(each.user + each.system for each in times)
            self.memory[kind] = max(memory, self.memory.get(kind, 0.0))
            self.seconds[kind] = spent - self.first.setdefault(kind, spent)


@dataclass(frozen=True)
class Run:
    """photos, results, doubled : asked for, in the table, more than once in it.

    seconds : from the first photo read to the last. reading : seconds that the workers read.
    bytes_read : the sizes of all photos.
    """

    photos: int
    workers: int
    results: int
    doubled: int
    seconds: float
    reading: float
    bytes_read: int
    kills: int
    peaks: Peaks

    @property
    def rate(self) -> float:
        return (self.photos - 1) / self.seconds


@contextmanager
def started(folder: Path, *words: object) -> Iterator[subprocess.Popen[str]]:
    with (folder / "log.txt").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *map(str, words)], stdout=log, stderr=log, text=True
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def worker_of(nanny: int) -> int | None:
    """The process of the worker that a nanny watches."""
    import psutil

    with suppress(psutil.Error):
        for child in psutil.Process(nanny).children():
            if "spawn_main" in " ".join(child.cmdline()):
                return int(child.pid)
    return None


def measured(photos: Path, workers: int, kills: int, folder: Path) -> Run:
    """Read all photos of a folder on a new cluster."""
    described, table = folder / "scheduler.json", folder / "all.csv"
    common = ("--no-dashboard", "--scheduler-file", described)
    files = sorted(photos.iterdir())
    peaks = Peaks()
    with ExitStack() as stack:
        scheduling = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", 0)
        scheduler = stack.enter_context(started(folder, *scheduling, *common))
        while not described.exists() or not described.read_text():
            time.sleep(0.05)
        working = ("distributed.cli.dask_worker", "--nthreads", 1, *common)
        nannies = [stack.enter_context(started(folder, *working)) for _ in range(workers)]
        address = json.loads(described.read_text())["address"]
        words = ("batch", photos, "--csv", table, "--parquet", folder / "rows")
        client = subprocess.Popen(
            [sys.executable, "-m", "brikks_vision", *map(str, words), "--scheduler", address],
            stdout=subprocess.PIPE,
            text=True,
        )
        killed, first, last, looked, read = 0, 0.0, 0.0, 0.0, 0
        assert client.stdout is not None
        for line in client.stdout:
            if str(photos) not in line:
                continue
            read += 1
            last = time.perf_counter()
            first = first or last
            if killed < kills and read >= (killed + 1) * len(files) // (kills + 1):
                victim = worker_of(nannies[killed % workers].pid)
                if victim is not None:
                    os.kill(victim, 9)
                    killed += 1
            if last - looked > SAMPLE_SECONDS:
                looked = last
                peaks.look("client", client.pid)
                peaks.look("scheduler", scheduler.pid)
                peaks.look("worker", nannies[0].pid)
        client.wait()
    names = [row["photo"] for row in rows_of(table) if row["index"] == "0"]
    return Run(
        len(files),
        workers,
        len(names),
        len(names) - len(set(names)),
        last - first,
        reading_seconds(table),
        sum(file.stat().st_size for file in files),
        killed,
        peaks,
    )


def rows_of(table: Path) -> list[dict[str, str]]:
    with table.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def reading_seconds(table: Path) -> float:
    """The time that the readings of the journal say they took, in sum."""
    with table.with_name(f"{table.name}.jsonl").open("rb") as journal:
        rows = [row for line in journal for row in json.loads(line)["rows"]]
    return sum(row["milliseconds"] for row in rows) / 1000


# --- what it comes to ----------------------------------------------------------------------------

HEAD = (
    "photos", "workers", "kills", "results (twice)", "photos a second", "a worker", "read, GB",
    "reading, share", "client, MB (ms a photo)", "scheduler, MB (ms a photo)", "worker, MB",
)  # fmt: skip
ARCHIVE_HEAD = (
    "photos", "core hours", f"hours of a machine with {MACHINE_CORES} cores",
    "hours of the scheduler's one core",
)  # fmt: skip


def row_of(run: Run) -> tuple[str, ...]:
    memory, seconds = run.peaks.memory, run.peaks.seconds
    spent = {kind: 1000 * value / run.photos for kind, value in seconds.items()}
    return (
        str(run.photos),
        str(run.workers),
        str(run.kills),
        f"{run.results} ({run.doubled})",
        f"{run.rate:.2f}",
        f"{run.rate / run.workers:.2f}",
        f"{run.bytes_read / 1e9:.2f}",
        f"{run.reading / (run.seconds * run.workers):.0%}",
        f"{memory['client']:.0f} ({spent['client']:.1f})",
        f"{memory['scheduler']:.0f} ({spent['scheduler']:.1f})",
        f"{memory['worker']:.0f}",
    )


def archive_row(photos: int, run: Run) -> tuple[str, ...]:
    """What so many photos take at the rate of a worker of this run."""
    hours = photos * run.workers / run.rate / 3600
    scheduling = photos * run.peaks.seconds["scheduler"] / run.photos / 3600
    return f"{photos:,}", f"{hours:,.0f}", f"{hours / MACHINE_CORES:,.1f}", f"{scheduling:,.1f}"


def runs_of(
    photos: Path, sizes: Sequence[int], workers: Sequence[int], kills: int
) -> Iterator[Run]:
    """A run for each size of archive and number of workers.

    Above the number of photos in the folder they are repeated as hard links under names of their
    own: links cost no space, and the memory of the system may have their bytes already.
    """
    originals = sorted(photos.glob("*.jpg"))
    for size in sizes:
        for count in workers:
            # beside the photos: hard links do not leave their file system
            with tempfile.TemporaryDirectory(dir=photos) as name:
                folder = Path(name, "photos")
                folder.mkdir()
                repeated(originals, size, folder)
                yield measured(folder, count, kills, Path(name))
