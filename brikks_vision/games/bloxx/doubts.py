"""What a reading asks about: marks that may be misread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from brikks_vision.decode.grid import neighbours
from brikks_vision.decode.judging import OtherMark
from brikks_vision.decode.prices import MIN_DOUBT_OF_TOTAL
from brikks_vision.games.bloxx.cells import STATES
from brikks_vision.games.bloxx.figures import NUMBERS, PENALTIES, wrong_figures
from brikks_vision.games.bloxx.places import bonus_name, cell_name
from brikks_vision.games.bloxx.posterior import Posterior
from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.referee import Verdict
from brikks_vision.rules.bloxx.scoring import score
from brikks_vision.rules.bloxx.state import Mark, SheetState, Written
from brikks_vision.rules.bloxx.violations import Part


def misread_cells(
    verdict: Verdict, state: SheetState, written: Written, judge: Callable[[SheetState], Verdict]
) -> dict[Cell, Mark]:
    """Cells with another mark that explains both a broken rule of the grid and a wrong figure.

    They are cells of the broken rules, and their neighbours. One misread mark is a better
    explanation than a fault and a wrong figure that fit each other.
    """
    wrong = wrong_figures(verdict.score, written)
    broken = _broken_in_grid(verdict)
    if not wrong or not broken:
        return {}
    named = {place for _, where in broken for place in where if isinstance(place, tuple)}
    beside = {other for cell in named for other in _neighbours(cell, state)}
    found = {}
    for cell in sorted(named | beside):
        for mark in STATES:
            if mark is state.mark(cell):
                continue
            otherwise = state.with_marks({cell: mark})
            is_right = wrong_figures(score(otherwise), written) < wrong
            if is_right and _broken_in_grid(judge(otherwise)) < broken:
                found[cell] = mark
                break
    return found


def _broken_in_grid(verdict: Verdict) -> frozenset[tuple[str, tuple[Cell, ...] | tuple[int, ...]]]:
    return frozenset(
        (violation.rule, violation.where)
        for violation in verdict.violations
        if violation.part is Part.GRID
    )


def without_misread(
    verdict: Verdict,
    misread: dict[Cell, Mark],
    state: SheetState,
    judge: Callable[[SheetState], Verdict],
) -> Verdict:
    """The verdict without violations that a misread cell explains."""
    kept = verdict.violations
    for cell, mark in misread.items():
        otherwise = judge(state.with_marks({cell: mark})).violations
        standing = {(violation.rule, violation.where) for violation in otherwise}
        kept = tuple(each for each in kept if (each.rule, each.where) in standing)
    return replace(verdict, violations=kept)


def as_other_marks(misread: Mapping[Cell, Mark], state: SheetState) -> Iterator[OtherMark]:
    """The misread cells with the totals of their other marks."""
    for cell, mark in misread.items():
        total = score(state.with_marks({cell: mark})).total
        yield OtherMark(cell_name(cell), str(state.mark(cell)), 0.5, total)


def other_marks(posterior: Posterior) -> Iterator[OtherMark]:
    """One mark for each other state of each part of the sheet that may be asked about."""
    state = posterior.state
    total = score(state).total
    for part in posterior.parts:
        for probability, other in posterior.states_of(part, MIN_DOUBT_OF_TOTAL):
            cells = [cell for cell in part.cells if state.mark(cell) is not other.mark(cell)]
            if cells:
                cell = min(cells, key=lambda cell: _evidence_against(cell, other, posterior))
                read = str(state.mark(cell))
                yield OtherMark(cell_name(cell), read, probability, score(other).total)
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
            other_total = score(posterior.with_bonuses(at, other)).total
            for place, (now, then) in enumerate(zip(marks, other, strict=True), row.first):
                if now is not then:
                    yield OtherMark(bonus_name(place), str(now), probability, other_total)
                    break
        if printed.row in complete:
            highest, *lower = row.choices(marks)
            for bonus in lower:
                at = printed.bonuses.index(bonus)
                share = surely / (1 + len(lower))
                otherwise = total - highest + bonus
                yield OtherMark(bonus_name(row.first + at), str(marks[at]), share, otherwise)


def total_by_figures(posterior: Posterior, written: Written) -> int:
    """The total if the player counted doubtful cells rightly, as far as these can be otherwise."""
    points = score(posterior.state)
    marks = posterior.marks
    total = points.total
    drawn = marks[..., STATES.index(Mark.CROSS)] + marks[..., STATES.index(Mark.CIRCLE)]
    open_cells = int((abs(drawn - (drawn > 0.5)) >= MIN_DOUBT_OF_TOTAL).sum())
    circled = marks[..., STATES.index(Mark.CIRCLE)]
    open_numbers = sum(
        number.value
        for number in posterior.state.sheet.numbers
        if MIN_DOUBT_OF_TOTAL <= circled[number.cell] <= 1 - MIN_DOUBT_OF_TOTAL
    )
    for name, value, limit in (
        (PENALTIES, -points.penalty, open_cells),
        (NUMBERS, points.numbers, open_numbers),
    ):
        figure = getattr(written, name)
        if figure is not None and abs(figure - value) <= limit:
            total += value - figure if name == PENALTIES else figure - value
    return total


def _neighbours(cell: Cell, state: SheetState) -> Iterator[Cell]:
    return neighbours(cell, state.sheet.rows, state.sheet.columns)
