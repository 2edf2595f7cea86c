"""Where evidence and rules meet: the maximum a posteriori BLOXX! sheet, and the odds of others.

The evidence gives the log-odds of every single mark. The rules say how marks depend on each other:
drawn cells come in outlined shapes of the dice (or of 3 to 5 cells, where no dice are known), with
one circle at most; a cell that is not drawn is coloured in exactly if something is drawn above it;
and a bonus is circled exactly if its row is complete. The probability of a sheet is the product of
the evidence's and of a fixed price for each broken rule (`games.bloxx.prices`, `decode.prices`).
So the rules settle faint evidence, while clear evidence against the rules stands, as a violation
for the referee.

The parts of the grid (`decode.groups`) depend on each other where they share a column or a coloured
row, by which they are weighed in turn, and by the figures that the player wrote
(`games.bloxx.sums`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import exp, log1p

from brikks_vision.decode.answers import seen_with
from brikks_vision.decode.figures import weighed_in_turn
from brikks_vision.decode.grid import GridEvidence, GridPart, tempered
from brikks_vision.decode.groups import grid_parts
from brikks_vision.decode.rings import RingEvidence
from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.bonuses import RowEvidence, evidence_of_rows
from brikks_vision.games.bloxx.cells import evidence_of_cells
from brikks_vision.games.bloxx.figures import WrittenFigures
from brikks_vision.games.bloxx.hidden import hidden_on
from brikks_vision.games.bloxx.keys import HORIZONTALS, VERTICALS, circle_places, possible_shapes
from brikks_vision.games.bloxx.places import Answers, split_answers
from brikks_vision.games.bloxx.posterior import Posterior, SheetEvidence, mark_probabilities
from brikks_vision.games.bloxx.sums import Figures
from brikks_vision.layout import Cell
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
    by_marks = weighed_in_turn(parts, lambda part, others: _weights(part, others, evidence))
    least_sure_first = sorted(by_marks, key=lambda part: part.states[0][1])
    written = Figures(evidence, figures, tuple(least_sure_first))
    parts = written.weighed()
    best = [part.states[0][0] for part in parts]
    state = evidence.state(
        frozenset[Cell]().union(*(each.crossed for each in best)),
        frozenset[Cell]().union(*(each.ringed for each in best)),
        [block for each in best for block in each.blocks],
    )
    complete = [_may_be_complete(row, state.drawn, evidence, sheet) for row in evidence.rows]
    bonuses = written.bonuses(complete, written.sums(state.drawn, state.circles))
    state = replace(state, bonuses=tuple(states[0][0] for states in bonuses))
    is_assumed = any(
        is_complete and len(row.choices(marks)) > 1
        for row, marks, is_complete in zip(evidence.rows, state.bonuses, complete, strict=True)
    )
    return Posterior(
        state,
        parts,
        bonuses,
        written.totals(is_assumed),
        mark_probabilities(parts, state, evidence.cells),
        evidence,
        hidden,
        written.totals(is_assumed, hidden) if hidden else {},
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


def _weights(part: GridPart, others: Sequence[GridPart], evidence: SheetEvidence) -> list[float]:
    """Weights of a part's states, the others in their best ones, given what depends on both.

    That is what lies above what in their columns, and whether their coloured rows are complete.
    """
    drawn = frozenset[Cell]().union(*(each.states[0][0].crossed for each in others))
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
    return [p * exp(log_weights[state.crossed] - highest) for state, p in part.states]


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
