"""What does reading all marks together gain over reading each by itself?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.cases import Case
from benchmarks.harness import Table
from brikks_vision.detect.marks import Marks
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
from brikks_vision.pipeline import ScanResult
from brikks_vision.rules.brikks.referee import referee
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.state import Energy, SheetState
from brikks_vision.rules.shapes import bottom_up


@dataclass(frozen=True)
class Compared:
    """Of one sheet: is the total right and is a rule held broken that is not, both ways."""

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


def compared(result: ScanResult, case: Case) -> Compared:
    """A sheet of Brikks, read from the same log-odds both ways."""
    state = each_for_itself(result.evidence.marks, load_layout("brikks-light"))
    together = {str(violation.rule) for violation in result.reading.violations}
    return Compared(
        alone_right=score(state).total == case.total,
        together_right=score(result.posterior.state).total == case.total,
        alone_accused=any(str(v.rule) not in case.allowed for v in referee(state).violations),
        together_accused=bool(together - case.allowed),
    )


def table_of(found: Sequence[tuple[str, Compared]]) -> Table:
    """A row a tier. ``found``: with the tier of each photo."""
    rows: Table = [
        ("tier", "photos", "total right: each mark alone", "together",
         "legal sheets accused: alone", "together")
    ]  # fmt: skip
    for tier in dict.fromkeys(tier for tier, _ in found):
        of = [each for name, each in found if name == tier]
        counts = (
            (each.alone_right for each in of),
            (each.together_right for each in of),
            (each.alone_accused for each in of),
            (each.together_accused for each in of),
        )
        rows.append((tier, str(len(of)), *(str(sum(count)) for count in counts)))
    return rows
