"""What of a reading rests on print that was unsure when the sheet was learnt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from brikks_vision.games.bloxx.bonuses import wrong_figures
from brikks_vision.infer.answers import cell_name
from brikks_vision.infer.certainty import OpenPrint
from brikks_vision.infer.costs import FIGURE_SLIP_PRIOR, MAX_DOUBTS, MAX_OTHER_TOTAL
from brikks_vision.layout import Cell, PrintDoubt
from brikks_vision.rules.bloxx.referee import Verdict
from brikks_vision.rules.bloxx.sheet import ColoredRow, NumberedCell
from brikks_vision.rules.bloxx.state import (
    BonusMark,
    Score,
    SheetState,
    Written,
    circled_bonuses,
    score,
)
from brikks_vision.rules.shapes import Violation

NONE, PLAIN = "none", "plain"
"""What a cell without a number and a row without a colour are set to."""
VALUES = (2, 3, 4)
"""Numbers that cells can bear. Source: rules."""
LIKELY_SHARE = 0.1
"""Share of the probability of the likeliest wrong print, that others have that are named, too."""

Bonuses = tuple[BonusMark, ...]
Judge = Callable[[SheetState], Verdict]


def row_names(rows: Mapping[int, str]) -> dict[int, str]:
    """What tells coloured rows from each other: the colour, or "row 5" where that is shared."""
    colors = list(rows.values())
    return {at: color if colors.count(color) == 1 else f"row {at}" for at, color in rows.items()}


def open_prints(
    doubts: Sequence[PrintDoubt],
    state: SheetState,
    written: Written,
    violations: Iterable[Violation],
    judge: Judge,
) -> tuple[list[OpenPrint], list[Violation]]:
    """The doubts about the print that leave something open, and the violations that stand anyway.

    A doubt counts only where the sheet does not settle it itself, by what the player wrote or by
    bonuses that are circled for complete rows. judge: under the print that a state has.
    """
    points, standing, found = score(state), list(violations), []
    for doubt in doubts:
        others = [
            other for other in other_states(doubt, doubts, state) if _is_open(other, state, written)
        ]
        kept = [each for each in standing if all(_stands(each, judge(other)) for other in others)]
        changed = _changed(doubt, points, [score(other) for other in others])
        if changed != OpenPrint(doubt) or kept != standing:
            found.append(changed)
        standing = kept
    return found, standing


def contradicted_prints(
    unsaid: Mapping[str, float],
    state: SheetState,
    written: Written,
    violations: Iterable[Violation],
    judge: Judge,
) -> tuple[list[OpenPrint], list[Violation]]:
    """What of the print the player's figures speak against, and the violations that stand anyway.

    A place is named where another print there, and nothing else, makes right what is wrong of the
    figures. Two figures that are wrong alike, such as the numbers and the total, always speak
    against the print; one alone does where a wrong print is no less probable than such a slip.

    unsaid: by place, how surely its print was read. judge: as of `open_prints`.
    """
    wrong, standing = _wrong(score(state), written), list(violations)
    if not wrong:
        return [], standing
    others = [
        (doubt, other, (1 - doubt.confidence) / len(each))
        for doubt in _unsaid_prints(unsaid, state)
        for each in [[*other_states(doubt, (), state)]]
        for other in each
        if _wrong(score(other), written) < wrong
    ]
    whole = sum(weight for *_, weight in others)
    agree = [entry for entry in others if len(wrong) > 1 and not _wrong(score(entry[1]), written)]
    if not agree and whole < MAX_OTHER_TOTAL * (whole + FIGURE_SLIP_PRIOR):
        return [], standing
    others = sorted(agree or others, key=lambda entry: -entry[2])
    standing = [each for each in standing if all(_stands(each, judge(o)) for _, o, _ in others)]
    points = score(state)
    ends = _changed(others[0][0], points, [score(other) for _, other, _ in others])
    named = {
        doubt.where: OpenPrint(
            replace(doubt, confidence=1 - weight / (whole + FIGURE_SLIP_PRIOR)), score(other).total
        )
        for doubt, other, weight in others[::-1]
    }
    first, *more = sorted(named.values(), key=lambda each: each.doubt.confidence)
    first = first._replace(lower=ends.lower, higher=ends.higher)
    least = LIKELY_SHARE * (1 - first.doubt.confidence)
    told = [first, *(each for each in more if 1 - each.doubt.confidence >= least)]
    return told[:MAX_DOUBTS], standing


def _unsaid_prints(unsaid: Mapping[str, float], state: SheetState) -> Iterator[PrintDoubt]:
    """What is printed under circles, and in rows all of whose cells are drawn."""
    sheet = state.sheet
    numbers = {each.cell: str(each.value) for each in sheet.numbers}
    for cell in sorted(state.circles):
        where = cell_name(cell)
        if where in unsaid:
            yield PrintDoubt(where, numbers.get(cell, NONE), unsaid[where])
    colors = {each.row: each.color for each in sheet.colored_rows}
    for row in range(sheet.rows):
        if f"row {row}" in unsaid and sheet.row_cells(row) <= state.drawn:
            yield PrintDoubt(f"row {row}", colors.get(row, PLAIN), unsaid[f"row {row}"])


def _wrong(points: Score, written: Written) -> frozenset[str]:
    """Names of the figures that are wrong, whether or not a total has its minus sign."""
    total = written.total
    opposite = replace(written, total=None if total is None else -total)
    return wrong_figures(points, written) & wrong_figures(points, opposite)


def _changed(doubt: PrintDoubt, points: Score, others: Sequence[Score]) -> OpenPrint:
    totals = {other.total for other in others} - {points.total}
    (low, high), ranges = points.total_range, [other.total_range for other in others]
    return OpenPrint(
        doubt,
        max(totals, key=lambda total: abs(total - points.total), default=None),
        min((0, *(lowest - low for lowest, _ in ranges))),
        max((0, *(highest - high for _, highest in ranges))),
    )


def _stands(violation: Violation, verdict: Verdict) -> bool:
    known = {(each.rule, each.where) for each in verdict.violations}
    return (violation.rule, violation.where) in known


def _is_open(other: SheetState, state: SheetState, written: Written) -> bool:
    """Whether a sheet may have the other print; ``state`` : under the print as it was read."""
    if _contradictions(other) != _contradictions(state):
        return _contradictions(other) < _contradictions(state)
    now, then = score(state), score(other)
    agrees = zip(_agrees(now, written), _agrees(then, written), strict=True)
    return all(after or not before for before, after in agrees)


def _contradictions(state: SheetState) -> int:
    """The number of rows for which other bonuses are circled than they allow."""
    complete = state.complete_rows()
    circled = [len(circled_bonuses(state, at)) for at in range(len(state.sheet.colored_rows))]
    return sum(
        count > (row.row in complete)
        for row, count in zip(state.sheet.colored_rows, circled, strict=True)
    )


def _agrees(points: Score, written: Written) -> tuple[bool, bool]:
    """Whether the player's sums of rows and numbers are those of the sheet."""
    return written.rows in points.possible_rows, written.numbers == points.numbers


def other_states(
    doubt: PrintDoubt, doubts: Sequence[PrintDoubt], state: SheetState
) -> Iterator[SheetState]:
    """The sheet under each print that a doubt leaves open; none where it was changed since."""
    sheet = state.sheet
    for cell in sheet.cells:
        value = next((each.value for each in sheet.numbers if each.cell == cell), NONE)
        if (doubt.where, doubt.read) == (cell_name(cell), str(value)):
            yield from _other_numbers(cell, doubt, state)
    for row in range(sheet.rows):
        color = next((each.color for each in sheet.colored_rows if each.row == row), PLAIN)
        if (doubt.where, doubt.read) == (f"row {row}", color):
            yield from _other_rows(row, doubt, state)
    if doubt.where.startswith("bonus "):
        yield from _other_owners(doubt, doubts, state)


def _other_numbers(cell: Cell, doubt: PrintDoubt, state: SheetState) -> Iterator[SheetState]:
    kept = [each for each in state.sheet.numbers if each.cell != cell]
    for value in (NONE, *map(str, VALUES)):
        if doubt.otherwise in ("", value) and value != doubt.read:
            new = [] if value == NONE else [NumberedCell(*cell, int(value))]
            numbers = tuple(sorted([*kept, *new], key=lambda number: number.cell))
            yield replace(state, sheet=replace(state.sheet, numbers=numbers))


def _other_rows(row: int, doubt: PrintDoubt, state: SheetState) -> Iterator[SheetState]:
    """A row that may be plain, or coloured: with bonuses of its own or those of another row."""
    by_row = dict(zip(state.sheet.colored_rows, state.bonuses, strict=True))
    if doubt.read != PLAIN:
        if doubt.otherwise not in ("", PLAIN):
            return  # of another colour, which counts as much
        own = next(each for each in by_row if each.row == row)
        rest = {each: marks for each, marks in by_row.items() if each is not own}
        if BonusMark.CIRCLED not in by_row[own]:
            yield _with_rows(rest, state)
        for at in range(state.sheet.rows):
            if at not in {each.row for each in by_row}:
                yield _with_rows({**rest, replace(own, row=at): by_row[own]}, state)
        return
    new = ColoredRow(row, doubt.otherwise)
    blank = (BonusMark.OPEN,) * len(new.bonuses)
    yield _with_rows({**by_row, new: blank}, state)
    for each, marks in by_row.items():
        yield _with_rows({**by_row, each: blank, new: marks}, state)


def _with_rows(bonuses: Mapping[ColoredRow, Bonuses], state: SheetState) -> SheetState:
    rows = tuple(sorted(bonuses, key=lambda each: each.row))
    sheet = replace(state.sheet, colored_rows=rows)
    return replace(state, sheet=sheet, bonuses=tuple(bonuses[each] for each in rows))


def _other_owners(
    doubt: PrintDoubt, doubts: Sequence[PrintDoubt], state: SheetState
) -> Iterator[SheetState]:
    """Bonuses that may be those of the other rows whose bonuses are unsure, too."""
    unsure = {each.read for each in doubts if each.where.startswith("bonus ")}
    names = [*row_names({row.row: row.color for row in state.sheet.colored_rows}).values()]
    rows = [at for at, name in enumerate(names) if name in unsure]
    own = next((at for at in rows if names[at] == doubt.read), None)
    for order in permutations(rows):
        moved = dict(zip(rows, order, strict=True))
        if own is not None and moved[own] != own:
            marks = tuple(state.bonuses[moved.get(at, at)] for at in range(len(state.bonuses)))
            yield replace(state, bonuses=marks)
