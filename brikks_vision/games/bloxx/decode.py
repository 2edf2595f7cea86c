"""Where evidence and rules meet: the maximum a posteriori BLOXX! sheet, and the odds of others.

The evidence gives the log-odds of every single mark. The rules say how marks depend on each other:
drawn cells come in outlined shapes of the dice (or of 3 to 5 cells, where no dice are known), with
one circle at most; a cell that is not drawn is coloured in exactly if something is drawn above it;
and a bonus is circled exactly if its row is complete. The probability of a sheet is the product of
the evidence's and of a fixed price for each broken rule (`games.bloxx.prices`, `decode.prices`).
So the rules settle faint evidence, while clear evidence against the rules stands, as a violation
for the referee.

The parts of the grid (`decode.groups`) depend on each other where they share a column or a coloured
row, and by the figures that the player wrote: they are weighed in turn.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product
from math import exp, log1p, prod

from brikks_vision.decode.answers import seen_with
from brikks_vision.decode.figures import figure_likelihood, weighed_in_turn
from brikks_vision.decode.grid import GridEvidence, GridPart, GridState, sureness, tempered
from brikks_vision.decode.groups import grid_parts
from brikks_vision.decode.prices import RULED_OUT
from brikks_vision.decode.rings import RingEvidence
from brikks_vision.decode.totals import added, counts_of_rows
from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.bonuses import Bonuses, RowEvidence, evidence_of_rows
from brikks_vision.games.bloxx.cells import evidence_of_cells
from brikks_vision.games.bloxx.figures import (
    NUMBERS,
    PENALTIES,
    ROWS,
    TOTAL,
    WrittenFigures,
)
from brikks_vision.games.bloxx.hidden import NOTHING_HIDDEN, Hidden, hidden_on
from brikks_vision.games.bloxx.keys import (
    HORIZONTALS,
    VERTICALS,
    circle_places,
    possible_shapes,
)
from brikks_vision.games.bloxx.places import Answers, split_answers
from brikks_vision.games.bloxx.posterior import Posterior, SheetEvidence, mark_probabilities
from brikks_vision.games.bloxx.prices import OTHER_FIGURES
from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.scoring import PENALTY
from brikks_vision.rules.bloxx.sheet import Sheet


def decode(
    marks: Marks, sheet: Sheet, answers: Answers, figures: WrittenFigures | None = None
) -> Posterior:
    """The posterior of a sheet under its evidence and the rules.

    answers: fix single marks, see `games.bloxx.places`. figures: what the player wrote. Where
    something hides a place, the rest of the sheet is decoded without it, and no figure tells of it.
    """
    marks = tempered(marks)
    of_cells, of_bonuses = split_answers(answers)
    hidden = hidden_on(seen_with(marks.covered, answers), sheet)
    evidence = SheetEvidence(
        sheet, evidence_of_cells(marks, of_cells), evidence_of_rows(marks, sheet, of_bonuses)
    )
    figures = {
        name: each
        for name, each in (figures or {}).items()
        if each.value is not None and not hidden
    }
    parts = grid_parts(evidence_of_grid(marks, evidence))
    parts = weighed_in_turn(parts, lambda part, others: _weights(part, others, evidence, figures))
    best = [part.states[0][0] for part in parts]
    state = evidence.state(
        frozenset[Cell]().union(*(each.crossed for each in best)),
        frozenset[Cell]().union(*(each.ringed for each in best)),
        [block for each in best for block in each.blocks],
    )
    complete = [_may_be_complete(row, state.drawn, evidence, sheet) for row in evidence.rows]
    bonuses = _weighed_bonuses(complete, evidence, figures.get(ROWS), sureness(parts))
    state = replace(state, bonuses=tuple(states[0][0] for states in bonuses))
    return Posterior(
        state,
        parts,
        bonuses,
        _totals(parts, evidence, complete, bonuses),
        mark_probabilities(parts, state, evidence.cells),
        evidence,
        hidden,
        _totals(parts, evidence, complete, bonuses, hidden) if hidden else {},
    )


def evidence_of_grid(marks: Marks, evidence: SheetEvidence) -> GridEvidence:
    """The evidence of the grid: which cells are drawn, the lines between them, and their
    circles."""
    return GridEvidence(
        evidence.cells.drawn_logits,
        marks[VERTICALS],
        marks[HORIZONTALS],
        possible_shapes(evidence.sheet),
        RingEvidence(evidence.cells.circle_logits, circle_places(evidence.sheet)),
        evidence.cells.covered,
    )


# --- what depends on several parts ---------------------------------------------------------------


def _weights(
    part: GridPart, others: Sequence[GridPart], evidence: SheetEvidence, figures: WrittenFigures
) -> list[float]:
    """Weights of a part's states, the others in their best ones, given what depends on both.

    That is what lies above what in their columns, whether their coloured rows are complete, and the
    player's figures. No figure makes a state more probable that the marks all but rule out.
    """
    best = [each.states[0][0] for each in others]
    drawn = frozenset[Cell]().union(*(each.crossed for each in best))
    circles = frozenset[Cell]().union(*(each.ringed for each in best))
    sure = sureness(others)
    columns = {column for _, column in part.cells}
    logits = [(cell, float(evidence.cells.drawn_logits[cell])) for cell in part.cells]
    log_weights: dict[frozenset[Cell], float] = {}
    for crossed in {state.crossed for state, _ in part.states}:
        together = drawn | crossed
        by_own_logits = sum([_loss(logit if cell in crossed else -logit) for cell, logit in logits])
        in_columns = sum([evidence.cells.column_loss(column, together) for column in columns])
        complete = [
            row.log_odds for row in evidence.rows if _is_complete(row, together, evidence.sheet)
        ]
        log_weights[crossed] = by_own_logits - in_columns + sum(complete)
    highest = max(log_weights.values())
    by_marks = [p * exp(log_weights[state.crossed] - highest) for state, p in part.states]
    if not figures:
        return by_marks
    by_figures = [
        _figures_likelihood(drawn | state.crossed, circles | state.ringed, evidence, figures, sure)
        for state, _ in part.states
    ]
    likeliest = max(by_marks)
    at_best = by_figures[by_marks.index(likeliest)]
    return [
        weight * (likelihood if weight > RULED_OUT * likeliest else min(likelihood, at_best))
        for weight, likelihood in zip(by_marks, by_figures, strict=True)
    ]


def _loss(logit: float) -> float:
    """Negative log probability of what has these log-odds."""
    return max(0.0, -logit) + log1p(exp(-abs(logit)))


def _is_complete(row: RowEvidence, drawn: Collection[Cell], sheet: Sheet) -> bool:
    return sheet.row_cells(row.printed.row).issubset(drawn)


def _may_be_complete(
    row: RowEvidence, drawn: Collection[Cell], evidence: SheetEvidence, sheet: Sheet
) -> bool:
    """Whether all visible cells of a row are drawn."""
    return sheet.row_cells(row.printed.row).issubset({*drawn, *evidence.cells.covered})


def _figures_likelihood(
    drawn: Collection[Cell],
    circles: Collection[Cell],
    evidence: SheetEvidence,
    figures: WrittenFigures,
    sure: float,
) -> float:
    """How probable the player's figures are (up to a factor) beside these marks.

    The total adds the other figures up, so that it tells something only where one of them is
    missing. sure: probability 0 to 1 of all marks that are not in question.
    """
    complete = [row for row in evidence.rows if _is_complete(row, drawn, evidence.sheet)]
    sure_rows = sure * prod(row.states[True][0][1] for row in complete)
    rows = {
        sum(each) for each in product(*(row.choices(row.states[True][0][0]) for row in complete))
    }
    numbers = numbers_under(circles, evidence.sheet)
    penalty = evidence.sheet.rows * evidence.sheet.columns - len(drawn)
    right = {
        ROWS: (rows, sure_rows),
        NUMBERS: ({numbers}, sure),
        PENALTIES: ({penalty}, sure),
        TOTAL: ({numbers + PENALTY * penalty + each for each in rows}, sure_rows),
    }
    if {ROWS, NUMBERS, PENALTIES} <= figures.keys():
        del right[TOTAL]
    return prod(
        figure_likelihood(figures[name], values, how_sure, OTHER_FIGURES)
        for name, (values, how_sure) in right.items()
        if name in figures
    )


def numbers_under(circles: Collection[Cell], sheet: Sheet) -> int:
    """The sum of the printed numbers under circles."""
    return sum([number.value for number in sheet.numbers if number.cell in circles])


def _weighed_bonuses(
    complete: Sequence[bool], evidence: SheetEvidence, written: Figure | None, sure: float
) -> tuple[tuple[tuple[Bonuses, float], ...], ...]:
    """The posterior of each coloured row's bonuses, given the points written for all of them."""
    found = [
        row.states[is_complete] for row, is_complete in zip(evidence.rows, complete, strict=True)
    ]
    if written is None:
        return tuple(found)
    for at, row in enumerate(evidence.rows):
        if not complete[at]:
            continue
        others = [
            (each.choices(states[0][0]), states[0][1])
            for each, states, is_complete in zip(evidence.rows, found, complete, strict=True)
            if is_complete and each is not row
        ]
        sums = {sum(each) for each in product(*(choices for choices, _ in others))}
        sure_others = sure * prod(p for _, p in others)
        weights = [
            (marks, p * figure_likelihood(written, right, sure_others, OTHER_FIGURES))
            for marks, p in row.states[True]
            for right in [{one + rest for one in row.choices(marks) for rest in sums}]
        ]
        whole = sum(weight for _, weight in weights)
        ranked = sorted(weights, key=lambda entry: -entry[1])
        found[at] = tuple((marks, weight / whole) for marks, weight in ranked)
    return tuple(found)


def _totals(
    parts: tuple[GridPart, ...],
    evidence: SheetEvidence,
    complete: Sequence[bool],
    bonuses: tuple[tuple[tuple[Bonuses, float], ...], ...],
    filled: Hidden = NOTHING_HIDDEN,
) -> dict[int, float]:
    """The posterior of the total, over the states kept of each part.

    filled: cells that something hides and that are drawn, with a circle on each of their numbers.
    """
    sheet = evidence.sheet
    of_row = {
        row.printed.row: row.points(states if is_complete else row.states[True])
        for row, is_complete, states in zip(evidence.rows, complete, bonuses, strict=True)
    }

    def numbers(state: GridState) -> int:
        return numbers_under(state.ringed, sheet)

    undrawn = sheet.rows * sheet.columns - len(filled.cells)
    totals = {PENALTY * undrawn + numbers_under(filled.cells, sheet): 1.0}
    for group in counts_of_rows(parts, sheet.rows, numbers):
        points: dict[int, float] = {}
        for (counts, of_numbers), p in group.counts.items():
            of_counts = {of_numbers - PENALTY * sum(counts): p}
            for row, count in zip(group.rows, counts, strict=True):
                if row in of_row and count + filled.in_row(row) == sheet.columns:
                    of_counts = added(of_counts, of_row[row])
            for value, q in of_counts.items():
                points[value] = points.get(value, 0.0) + q
        totals = added(totals, points)
    whole = sum(totals.values())
    return {total: p / whole for total, p in totals.items()}
