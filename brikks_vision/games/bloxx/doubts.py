"""What a reading asks about: marks that may be misread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.answers import cell_name
from brikks_vision.decode.judging import OtherMark
from brikks_vision.decode.misread import Change, blocks_otherwise
from brikks_vision.decode.prices import MIN_OPEN_STATE
from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.cells import STATES, cell_losses
from brikks_vision.games.bloxx.figures import (
    FIGURES,
    NUMBERS,
    PENALTIES,
    ROWS,
    TOTAL,
    right_figures,
)
from brikks_vision.games.bloxx.places import bonus_name
from brikks_vision.games.bloxx.places import marks as marks_of
from brikks_vision.games.bloxx.posterior import Posterior, SheetEvidence
from brikks_vision.layout import CELL, Cell
from brikks_vision.rules.bloxx.scoring import score
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState, Written
from brikks_vision.rules.bloxx.violations import Violation
from brikks_vision.rules.shapes import bottom_up

DRAWN = (Mark.CROSS, Mark.CIRCLE)


def margins(
    marks: Marks, evidence: SheetEvidence
) -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.generic]]]:
    """By field, how clear each mark is by its own evidence, in log-odds, and which it is."""
    bonuses = [[of[mark] for mark in BonusMark] for row in evidence.rows for of in row.losses]
    losses = {CELL: cell_losses(marks), **({"bonus": np.array(bonuses)} if bonuses else {})}
    ranked = {field: np.sort(of, axis=-1) for field, of in losses.items()}
    return (
        {field: of[..., 1] - of[..., 0] for field, of in ranked.items()},
        {field: of.argmin(axis=-1) for field, of in losses.items()},
    )


def summed(violation: Violation, state: SheetState, written: Written) -> tuple[Iterable[str], int]:
    """The places that a wrong figure sums, and the total if it is right."""
    name = FIGURES[violation.rule]
    points, figure = score(state), getattr(written, name)
    numbers = [cell_name(number.cell) for number in state.sheet.numbers]
    bonuses = [where for where in marks_of(state) if not where.startswith(CELL)]
    cells = [cell_name(cell) for cell in state.sheet.cells]
    rows = [
        cell_name(cell)
        for row in state.sheet.colored_rows
        for cell in sorted(state.sheet.row_cells(row.row))
    ]
    places = {
        ROWS: [*bonuses, *rows],
        NUMBERS: numbers,
        PENALTIES: cells,
        TOTAL: [*cells, *bonuses],
    }[name]
    if name == TOTAL:
        return places, figure
    right = right_figures(points)[name][0]
    return places, points.total + (right - abs(figure) if name == PENALTIES else figure - right)


def changes(state: SheetState, cells: Iterable[Cell]) -> Iterator[Change[SheetState]]:
    """The sheet with one of these cells, or one bonus, marked otherwise."""
    grid = {*state.sheet.cells}
    for cell in (each for each in cells if each in grid):
        now = state.mark(cell)
        for mark in (each for each in STATES if each is not now):
            drawn = (mark in DRAWN, now in DRAWN)
            shapes = [state.shapes]
            if drawn[0] is not drawn[1]:
                shapes = [*blocks_otherwise(cell, state.drawn, state.shapes)]
            for each in shapes:
                otherwise = replace(state.with_marks({cell: mark}), shapes=bottom_up(each))
                yield Change(cell_name(cell), otherwise)
    place = 0
    for row, figures in enumerate(state.bonuses):
        for at, bonus in enumerate(figures):
            for other in (each for each in BonusMark if each is not bonus):
                yield Change(bonus_name(place), state.with_bonus(row, at, other))
            place += 1


def other_marks(posterior: Posterior) -> Iterator[OtherMark]:
    """One mark for each other state of each part of the sheet that may be asked about."""
    state = posterior.state
    total = score(state).total
    for part in posterior.parts:
        for probability, other in posterior.states_of(part, MIN_OPEN_STATE):
            cells = [cell for cell in part.cells if state.mark(cell) is not other.mark(cell)]
            if cells:
                cell = min(cells, key=lambda cell: _evidence_against(cell, other, posterior))
                read = str(state.mark(cell))
                yield OtherMark(cell_name(cell), read, probability, score(other).total, other)
    for cell, _, probability in posterior.other_gaps():
        yield OtherMark(cell_name(cell), str(state.mark(cell)), probability, total)
    yield from _other_bonuses(posterior)


def _evidence_against(cell: Cell, other: SheetState, posterior: Posterior) -> float:
    """How much the evidence of a cell speaks for its mark in the most probable state, log-odds."""
    losses = posterior.evidence.cells.losses[cell]
    now, then = (STATES.index(state.mark(cell)) for state in (posterior.state, other))
    return float(losses[then] - losses[now])


def _other_bonuses(posterior: Posterior) -> Iterator[OtherMark]:
    """Bonuses that may be marked otherwise, and lower ones that may count instead."""
    state, total = posterior.state, score(posterior.state).total
    complete = state.complete_rows()
    for at, row in enumerate(posterior.evidence.rows):
        (marks, surely), *others = posterior.bonuses[at]
        printed = row.printed
        for other, probability in others:
            otherwise = posterior.with_bonuses(at, other)
            other_total = score(otherwise).total
            for place, (now, then) in enumerate(zip(marks, other, strict=True), row.first):
                if now is not then:
                    where = bonus_name(place)
                    yield OtherMark(where, str(now), probability, other_total, otherwise)
                    break
        if printed.row in complete:
            highest, *lower = row.choices(marks)
            for bonus in lower:
                at = printed.bonuses.index(bonus)
                share = surely / (1 + len(lower))
                lower_total = total - highest + bonus
                yield OtherMark(bonus_name(row.first + at), str(marks[at]), share, lower_total)
