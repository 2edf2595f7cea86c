"""What the programs here share: options, fresh processes, tables."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

TIERS = ("scan", "good", "hard")
LONG_SIDE = 2000  # px of simulated photos

Row = tuple[str, ...]
Table = list[Row]
"""Headings first."""
Measure = Callable[[Namespace], Sequence[Table]]
_Task = TypeVar("_Task")
_Found = TypeVar("_Found")


def parser_of(
    doc: str | None, sheets: int, seed: int, games: Sequence[str] = (), tiers: Sequence[str] = TIERS
) -> ArgumentParser:
    """The options that most programs have, with their defaults. ``doc``: what ``--help`` says."""
    parser = ArgumentParser(description=doc, formatter_class=RawDescriptionHelpFormatter)
    if games:
        parser.add_argument("--game", choices=games, default=games[0])
    parser.add_argument("--sheets", type=int, default=sheets, help="of each row of the table")
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--tiers", nargs="+", choices=tiers, default=tuple(tiers))
    parser.add_argument("--failures", type=Path, help="keeps the photos that went wrong here")
    parser.add_argument("--processes", type=int, default=2)
    return parser


def main(parser: ArgumentParser, measure: Measure) -> None:
    """Measure as the command line says, and print the tables."""
    options = parser.parse_args()
    for table in measure(options):
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


def print_table(rows: Table) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


def share(part: float, whole: float, digits: int = 1) -> str:
    """In percent; a dash if there is nothing to count."""
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"
