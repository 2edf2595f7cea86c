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
from contextlib import ExitStack, suppress
from pathlib import Path

from benchmarks.harness import Peak, Row, Table, command

SAMPLE_SECONDS = 2.0  # a look takes time, too
MACHINE_CORES = 16
ARCHIVES = (1_000_000, 100_000_000)
HEAD = (
    "photos", "workers", "kills", "results (twice)", "photos a second", "a worker", "read, GB",
    "reading, share", "client, MB (ms a photo)", "scheduler, MB (ms a photo)", "worker, MB",
)  # fmt: skip
ARCHIVE_HEAD = (
    "photos", "core hours", f"hours of a machine with {MACHINE_CORES} cores",
    "hours of the scheduler's one core",
)  # fmt: skip


def worker_of(nanny: int) -> int | None:
    """The process of the worker that a nanny watches."""
    import psutil

    with suppress(psutil.Error):
        for child in psutil.Process(nanny).children():
            if "spawn_main" in " ".join(child.cmdline()):
                return int(child.pid)
    return None


def measured(photos: Path, workers: int, kills: int, folder: Path) -> tuple[Row, list[Row]]:
    """Read all photos of a folder on a new cluster: its row, and what archives take at its rate."""
    described, table, log = (folder / name for name in ("scheduler.json", "all.csv", "log.txt"))
    common, files = ("--no-dashboard", "--scheduler-file", described), sorted(photos.iterdir())
    with ExitStack() as stack:
        scheduling = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", 0)
        scheduler = stack.enter_context(command(*scheduling, *common, log=log))
        while not described.exists() or not described.read_text():
            time.sleep(0.05)
        working = ("distributed.cli.dask_worker", "--nthreads", 1, *common)
        nannies = [stack.enter_context(command(*working, log=log)) for _ in range(workers)]
        address = json.loads(described.read_text())["address"]
        words = (*map(str, ("batch", photos, "--csv", table, "--parquet", folder / "rows")),
                 "--scheduler", address)  # fmt: skip
        client = subprocess.Popen(
            [sys.executable, "-m", "brikks_vision", *words], stdout=subprocess.PIPE, text=True
        )
        peaks = [Peak(each.pid) for each in (client, scheduler, nannies[0])]
        killed, first, last, looked, read = 0, 0.0, 0.0, 0.0, 0
        assert client.stdout is not None
        for _ in (line for line in client.stdout if str(photos) in line):
            read, last = read + 1, time.perf_counter()
            first = first or last
            is_due = killed < kills and read >= (killed + 1) * len(files) // (kills + 1)
            if is_due and (victim := worker_of(nannies[killed % workers].pid)) is not None:
                os.kill(victim, 9)
                killed += 1
            if last - looked > SAMPLE_SECONDS:
                looked = last
                for peak in peaks:
                    peak.look()
        client.wait()
    with table.open(newline="", encoding="utf-8-sig") as file:
        names = [row["photo"] for row in csv.DictReader(file) if row["index"] == "0"]
    with table.with_name(f"{table.name}.jsonl").open("rb") as journal:
        reading = sum(row["milliseconds"] for line in journal for row in json.loads(line)["rows"])
    count, seconds = len(files), last - first
    rate = (count - 1) / seconds
    told = (f"{each.memory:.0f} ({1000 * each.seconds / count:.1f})" for each in peaks[:2])
    row = (
        str(count), str(workers), str(killed), f"{len(names)} ({len(names) - len(set(names))})",
        f"{rate:.2f}", f"{rate / workers:.2f}",
        f"{sum(file.stat().st_size for file in files) / 1e9:.2f}",
        f"{reading / 1000 / (seconds * workers):.0%}", *told, f"{peaks[2].memory:.0f}",
    )  # fmt: skip
    archives = []
    for size in ARCHIVES:
        hours, scheduling_hours = (
            size * workers / rate / 3600,
            size * peaks[1].seconds / count / 3600,
        )
        archives.append((f"{size:,}", f"{hours:,.0f}", f"{hours / MACHINE_CORES:,.1f}",
                         f"{scheduling_hours:,.1f}"))  # fmt: skip
    return row, archives


def runs_of(
    photos: Path, sizes: Sequence[int], workers: Sequence[int], kills: int
) -> Iterator[tuple[Row, list[Row]]]:
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
                for number in range(size):
                    os.link(originals[number % len(originals)], folder / f"{number:08}.jpg")
                yield measured(folder, count, kills, Path(name))


def tables(photos: Path, sizes: Sequence[int], workers: Sequence[int], kills: int) -> list[Table]:
    runs = list(runs_of(photos, sizes, workers, kills))
    return [[HEAD, *(row for row, _ in runs)], [ARCHIVE_HEAD, *runs[-1][1]]]
