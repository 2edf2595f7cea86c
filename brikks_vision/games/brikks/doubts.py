"""What a reading asks about: marks that may be misread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from brikks_vision.decode.grid import neighbours
from brikks_vision.decode.judging import OtherMark
from brikks_vision.decode.prices import MIN_DOUBT_OF_TOTAL
from brikks_vision.games.brikks.posterior import BarState, Posterior, bars_of, with_bar_state
from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.referee import Verdict
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.state import SheetState, Written, with_point_flipped
from brikks_vision.rules.brikks.violations import BAR_RULES, Part, Rule, Violation


def misread_cells(verdict: Verdict, state: SheetState, written: Written) -> tuple[Cell, ...]:
    """Cells whose misreading explains both a broken rule of the grid and a row's wrong figure.

    They are cells of the broken rules, and empty neighbours of them, whose other state gives the
    row the figure that the player wrote. One misread mark is a better explanation than a fault and
    a wrong figure in one row.
    """
    points = score(state).rows
    broken = [
        place
        for violation in verdict.violations
        if violation.part is Part.GRID
        for place in violation.where
        if isinstance(place, tuple)
    ]
    beside = {other for cell in broken for other in _neighbours(cell, state)}
    found = []
    for cell in dict.fromkeys((*broken, *sorted(beside - state.crossed))):
        figure = written.rows[cell[0]]
        otherwise = replace(state, crossed=state.crossed ^ {cell})
        if points[cell[0]] != figure == score(otherwise).rows[cell[0]]:
            found.append(cell)
    return tuple(found)


def without_misread(verdict: Verdict, misread: tuple[Cell, ...], state: SheetState) -> Verdict:
    """The verdict without violations that depend on misread cells or on the points of their rows.

    A cell that is read as empty belongs to no block: the block that lacks it lies beside it.
    """
    beside = (
        other for cell in misread if cell not in state.crossed for other in _neighbours(cell, state)
    )
    dependent = {*misread, *beside, *(row for row, _ in misread)}
    kept = tuple(
        violation
        for violation in verdict.violations
        if violation.part not in (Part.GRID, Part.ROWS) or not {*violation.where} & dependent
        if not (misread and violation.rule is Rule.WRITTEN_TOTAL)
    )
    return replace(verdict, violations=kept)


def misread_bars(
    verdict: Verdict, state: SheetState, written: int | None, judge: Callable[[SheetState], Verdict]
) -> tuple[SheetState, ...]:
    """The sheet with other bars, each of which mends a broken rule and gives the written total.

    One misread mark is a better explanation than a fault and a total that leaves it out.
    """
    broken = broken_bars(verdict)
    if written is None or not broken or written == score(state).total:
        return ()
    others = [
        *(
            replace(state, bonus=filled(count, state.bonus))
            for count in range(len(state.bonus) + 1)
        ),
        *(
            replace(state, bombs=filled(count, state.bombs))
            for count in range(len(state.bombs) + 1)
        ),
        *(with_point_flipped(state, point) for point in range(len(state.energy))),
    ]
    return tuple(
        other
        for other in others
        if score(other).total == written and len(broken_bars(judge(other))) < len(broken)
    )


def broken_bars(verdict: Verdict) -> tuple[Violation, ...]:
    """The violations of rules of the bars."""
    return tuple(violation for violation in verdict.violations if violation.rule in BAR_RULES)


def without_bars(verdict: Verdict) -> Verdict:
    """The verdict without violations that depend on the bars or on the total."""
    kept = (
        violation
        for violation in verdict.violations
        if violation.rule not in (*BAR_RULES, Rule.WRITTEN_TOTAL)
    )
    return replace(verdict, violations=tuple(kept))


def filled(count: int, bar: tuple[bool, ...]) -> tuple[bool, ...]:
    """The bar with so many marks, from its first place on."""
    return tuple(place < count for place in range(len(bar)))


def cell_name(cell: Cell) -> str:
    """The name of a cell in doubts and answers."""
    return f"cell {cell[0]},{cell[1]}"


def as_other_marks(misread: Iterable[Cell], state: SheetState) -> Iterator[OtherMark]:
    """The misread cells with the totals of their other states."""
    for cell in misread:
        read = "X" if cell in state.crossed else "."
        total = score(replace(state, crossed=state.crossed ^ {cell})).total
        yield OtherMark(cell_name(cell), read, 0.5, total)


def doubtful_rows(posterior: Posterior) -> set[int]:
    """Rows with a cell whose other state is not too improbable."""
    otherwise = np.minimum(posterior.cells, 1 - posterior.cells)
    return {int(row) for row in np.flatnonzero((otherwise >= MIN_DOUBT_OF_TOTAL).any(axis=1))}


def other_marks(posterior: Posterior) -> Iterator[OtherMark]:
    """One mark for each other state of each part of the sheet that is probable enough to doubt."""
    state = posterior.state
    for part in posterior.parts:
        best = part.states[0][0].crossed
        for other, probability in part.states[1:]:
            if probability < MIN_DOUBT_OF_TOTAL:
                continue
            crossed = (state.crossed - best) | other.crossed
            other_total = score(replace(state, crossed=crossed)).total
            for row, column in sorted(best ^ other.crossed)[:1]:
                read = "X" if (row, column) in best else "."
                yield OtherMark(cell_name((row, column)), read, probability, other_total)
    now = posterior.bars[0][0]
    for bar, probability in posterior.bars[1:]:
        if probability < MIN_DOUBT_OF_TOTAL:
            continue
        otherwise = with_bar_state(state, bar)
        for where, read in _bar_difference(now, bar)[:1]:
            yield OtherMark(where, read, probability, score(otherwise).total)


def bars_as_other_marks(others: Iterable[SheetState], state: SheetState) -> Iterator[OtherMark]:
    """The misread marks of the bars with the totals of their other states."""
    for other in others:
        for where, read in _bar_difference(bars_of(state), bars_of(other))[:1]:
            yield OtherMark(where, read, 0.5, score(other).total)


def _bar_difference(now: BarState, other: BarState) -> list[tuple[str, str]]:
    """Marks that differ: their places, and their states in ``now``."""
    energy = [
        (f"energy {at}", str(mark))
        for at, (mark, another) in enumerate(zip(now.energy, other.energy, strict=True))
        if mark is not another
    ]
    crosses = [
        (f"{kind} {at}", "X" if mark else ".")
        for kind, marks, others in (
            ("box", now.bonus, other.bonus),
            ("bomb", now.bombs, other.bombs),
        )
        for at, (mark, another) in enumerate(zip(marks, others, strict=True))
        if mark != another
    ]
    return crosses + energy


def _neighbours(cell: Cell, state: SheetState) -> Iterator[Cell]:
    return neighbours(cell, state.sheet.rows, state.sheet.columns)
