"""What does reading all marks together gain over reading each for itself?

``python -m benchmarks.joint --sheets 500 --seed 4001`` reads simulated sheets of all tiers both
ways, from the same log-odds, and prints totals right and legal sheets accused of breaking a rule.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import cv2
import numpy as np

from benchmarks.accuracy import TIERS, nth_shot, slips
from brikks_vision.detect.marks import Marks
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.brikks.keys import (
    BOMBS,
    BOXES,
    CELLS,
    HORIZONTALS,
    RINGS,
    STRIKES,
    VERTICALS,
)
from brikks_vision.layout import Cell, Layout, load_layout
from brikks_vision.pipeline import scan_photo
from brikks_vision.rules.brikks.referee import referee
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.state import Energy, SheetState, as_inked
from brikks_vision.rules.shapes import bottom_up


@dataclass(frozen=True)
class Compared:
    """Of one sheet: is the total right and is a rule held broken that is not, both ways."""

    tier: str
    alone_right: bool
    together_right: bool
    alone_accused: bool
    together_accused: bool


def each_for_itself(marks: Marks, layout: Layout) -> SheetState:
    """The sheet as its marks say one by one; blocks are crosses with no inked edge between."""
    crossed = frozenset((int(row), int(column)) for row, column in np.argwhere(marks[CELLS] > 0))
    printed = load_sheet(layout.name).preprinted
    energy = tuple(
        Energy.USED if strike > 0
        else Energy.CIRCLED if ring > 0 or point in printed
        else Energy.OPEN
        for point, (ring, strike) in enumerate(zip(marks[RINGS], marks[STRIKES], strict=True))
    )  # fmt: skip
    return SheetState(
        crossed,
        bottom_up(_blocks(crossed, marks)),
        energy,
        tuple(bool(box > 0) for box in marks[BOXES]),
        tuple(bool(bomb > 0) for bomb in marks[BOMBS]),
        load_sheet(layout.name),
    )


def _blocks(crossed: frozenset[Cell], marks: Marks) -> list[frozenset[Cell]]:
    """Groups of crosses, where this player outlined at all."""
    if not (marks[VERTICALS] > 0).any() or not (marks[HORIZONTALS] > 0).any():
        return []
    left, groups = set(crossed), []
    while left:
        first = min(left)
        group, queue = {first}, [first]
        for row, column in queue:
            beyond = (
                ((row, column - 1), marks[VERTICALS][row, column]),
                ((row, column + 1), marks[VERTICALS][row, column + 1]),
                ((row - 1, column), marks[HORIZONTALS][row, column]),
                ((row + 1, column), marks[HORIZONTALS][row + 1, column]),
            )
            for cell, edge in beyond:
                if cell in left and cell not in group and edge < 0:
                    group.add(cell)
                    queue.append(cell)
        left -= group
        groups.append(frozenset(group))
    return groups


def compare_one(task: tuple[str, int, int]) -> Compared:
    tier, seed, number = task
    cv2.setNumThreads(1)
    layout = load_layout("brikks-light")
    shot = nth_shot(tier, seed, number)
    try:
        result = scan_photo(shot.data)
    except PhotoUnreadable:
        return Compared(tier, False, False, False, False)
    truth = score(as_inked(shot.played.state))
    alone = each_for_itself(result.evidence.marks, layout)
    allowed = slips(shot, truth)
    return Compared(
        tier,
        alone_right=score(alone).total == truth.total,
        together_right=score(result.posterior.state).total == truth.total,
        alone_accused=any(violation.rule not in allowed for violation in referee(alone).violations),
        together_accused=any(
            violation.rule not in allowed for violation in result.reading.violations
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=500, help="of all tiers together")
    parser.add_argument("--seed", type=int, default=4001)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    tasks = [(TIERS[at % len(TIERS)], options.seed, at) for at in range(options.sheets)]
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(compare_one, tasks, chunksize=4))
    for tier in TIERS:
        of_tier = [each for each in found if each.tier == tier]
        print(
            f"{tier}: {len(of_tier)} sheets, totals right each mark for itself"
            f" {sum(each.alone_right for each in of_tier)}, together"
            f" {sum(each.together_right for each in of_tier)}; accused for itself"
            f" {sum(each.alone_accused for each in of_tier)}, together"
            f" {sum(each.together_accused for each in of_tier)}"
        )


if __name__ == "__main__":
    main()
