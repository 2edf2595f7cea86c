"""What the programs here share: options, processes, tables."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

TIERS = ("scan", "good", "hard")
LONG_SIDE = 2000  # px of simulated photos

Row = tuple[str, ...]
Table = list[Row]
"""Headings first."""
Measure = Callable[[Namespace], Sequence[Table]]
_Task = TypeVar("_Task")
_Found = TypeVar("_Found")


def parser_of(doc: str | None, what: Iterable[str] = ()) -> ArgumentParser:
    """A parser that shows ``doc``, and takes one of ``what`` where there is a choice."""
    parser = ArgumentParser(description=doc, formatter_class=RawDescriptionHelpFormatter)
    if names := tuple(what):
        parser.add_argument("what", choices=names)
    return parser


def add_sheets(
    parser: ArgumentParser, sheets: int, seed: int, games: Sequence[str] = ()
) -> ArgumentParser:
    """Adds the options of what is measured on simulated photos or games, with their defaults."""
    if games:
        parser.add_argument("--game", choices=games, default=games[0])
    parser.add_argument("--sheets", type=int, default=sheets, help="of each row of the table")
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--failures", type=Path, help="keeps the photos that went wrong here")
    parser.add_argument("--processes", type=int, default=2)
    return parser


def main(parser: ArgumentParser, measure: Measure) -> None:
    """Measure as the command line says, and print the tables."""
    for table in measure(parser.parse_args()):
        print_table(table)
        print()


def in_processes(
    work: Callable[[_Task], _Found], tasks: Iterable[_Task], processes: int
) -> list[_Found]:
    """What ``work`` returns for each task, in new processes: OpenCV's threads survive no fork."""
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_one_thread
    ) as pool:
        return list(pool.map(work, tasks, chunksize=2))


def _one_thread() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    import cv2

    cv2.setNumThreads(1)


@contextmanager
def command(*words: object, log: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """``brikks-scan`` with these words, while it runs; then it is ended."""
    program = [sys.executable, "-m", "brikks_vision", *map(str, words)]
    with (log or Path(os.devnull)).open("ab") as said:
        process = subprocess.Popen(program, stdout=said, stderr=said)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def served(folder: Path, log: Path | None = None) -> Iterator[tuple[int, int]]:
    """The page on this computer, with a record of its own in a folder; its port and process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    record = folder / "record.sqlite3"
    with command("serve", "--port", port, "--db", record, log=log) as process:
        for _ in range(300):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
                break
            time.sleep(0.1)
        yield port, process.pid


def memory_of(pid: int) -> float:
    """Of a process and those below it, MB; 0 where it has ended."""
    import psutil

    with suppress(psutil.Error):
        process = psutil.Process(pid)
        tree = [process, *process.children(recursive=True)]
        return float(sum(each.memory_info().rss for each in tree) / 1e6)
    return 0.0


def dice_of(rng: Any) -> random.Random:
    """Dice for a game that follow from a generator of numpy."""
    return random.Random(int(rng.integers(2**31)))


def print_table(rows: Table) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


def share(part: float, whole: float, digits: int = 1) -> str:
    """In percent; a dash if there is nothing to count."""
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"


def tally(
    heading: str, found: Iterable[tuple[str, Mapping[str, float]]], columns: Mapping[str, str]
) -> Table:
    """A row a name. columns: what is summed, by heading; "part / whole" is a share of two sums."""
    sums: dict[str, Counter[str]] = {}
    for name, counts in found:
        sums.setdefault(name, Counter()).update(counts)
    return [
        (heading, *columns),
        *((name, *(_cell(counts, what) for what in columns.values()))
          for name, counts in sums.items()),
    ]  # fmt: skip


def _cell(counts: Counter[str], what: str) -> str:
    part, _, whole = what.partition(" / ")
    return share(counts[part], counts[whole]) if whole else f"{counts[part]:g}"
