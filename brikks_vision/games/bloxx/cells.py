"""What the evidence of single cells says: cross, circle, gap or nothing, and what lies above them.

A cell that is not drawn (bears no cross and no circle) is coloured in exactly if it is covered:
if something is drawn above it in its column. So the cells of a column depend on each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.grid import cells_of
from brikks_vision.decode.prices import ANSWERED, MAX_LOG_ODDS
from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.keys import CROSSES, FILLS, RINGS
from brikks_vision.games.bloxx.prices import FALSE_GAP, OPEN_GAP
from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.state import Mark

Array = NDArray[np.float64]

STATES = (Mark.CROSS, Mark.CIRCLE, Mark.GAP, Mark.EMPTY)
"""What the last axis of the losses means."""

_CROSS, _CIRCLE, _GAP, _EMPTY = range(len(STATES))


@dataclass(frozen=True, eq=False)
class CellEvidence:
    """losses: (rows, columns, 4) negative log probability of each of `STATES`, by the evidence
    alone.

    covered: cells that something hides; they may bear anything.
    """

    losses: Array
    covered: frozenset[Cell] = frozenset()

    @property
    def probabilities(self) -> Array:
        """(rows, columns, 4) of each of `STATES`, 0 to 1, by the evidence alone."""
        return np.asarray(np.exp(-self.losses))

    @cached_property
    def drawn(self) -> Array:
        """(rows, columns) negative log probability that a cell is drawn."""
        return np.asarray(-np.logaddexp(-self.losses[..., _CROSS], -self.losses[..., _CIRCLE]))

    @cached_property
    def not_drawn(self) -> tuple[Array, Array]:
        """The same that it is not, with the prices of broken rules: uncovered, and covered."""
        gap, empty = self.losses[..., _GAP], self.losses[..., _EMPTY]
        return (
            -np.logaddexp(-empty, -(gap + FALSE_GAP)),
            -np.logaddexp(-gap, -(empty + OPEN_GAP)),
        )

    @cached_property
    def circle_logits(self) -> Array:
        """(rows, columns) log-odds that a drawn cell bears a circle rather than a cross."""
        return self.losses[..., _CROSS] - self.losses[..., _CIRCLE]

    @cached_property
    def gap_logits(self) -> tuple[Array, Array]:
        """(rows, columns) log-odds that a cell which is not drawn is coloured in rather than empty.

        With the prices of broken rules: uncovered, and covered.
        """
        evidence = self.losses[..., _EMPTY] - self.losses[..., _GAP]
        return evidence - FALSE_GAP, evidence + OPEN_GAP

    @cached_property
    def drawn_logits(self) -> Array:
        """(rows, columns) log-odds that a cell is drawn, given all cells of its column.

        By the forward-backward algorithm (Rabiner 1989) down each column; its hidden state is
        whether the cell is covered.
        """
        drawn, (uncovered, covered) = self.drawn, self.not_drawn
        rows, columns = drawn.shape
        either = np.logaddexp(-drawn, -covered)
        open_above, closed_above = np.zeros((rows, columns)), np.full((rows, columns), -np.inf)
        for row in range(rows - 1):
            open_above[row + 1] = open_above[row] - uncovered[row]
            closed_above[row + 1] = np.logaddexp(
                closed_above[row] + either[row], open_above[row] - drawn[row]
            )
        open_below, closed_below = np.zeros((rows, columns)), np.zeros((rows, columns))
        for row in range(rows - 1, 0, -1):
            closed_below[row - 1] = closed_below[row] + either[row]
            open_below[row - 1] = np.logaddexp(
                open_below[row] - uncovered[row], closed_below[row] - drawn[row]
            )
        any_above = np.logaddexp(open_above, closed_above)
        logits = (any_above - drawn + closed_below) - np.logaddexp(
            open_above - uncovered + open_below, closed_above - covered + closed_below
        )
        sure = self.losses.max(axis=-1) >= ANSWERED
        limit = np.where(sure, ANSWERED, MAX_LOG_ODDS)
        return np.asarray(np.clip(logits, -limit, limit))

    @cached_property
    def _by_column(self) -> list[list[tuple[float, float, float]]]:
        uncovered, covered = self.not_drawn
        table = np.stack([self.drawn, uncovered, covered], axis=-1).swapaxes(0, 1)
        return [[(float(a), float(b), float(c)) for a, b, c in column] for column in table]

    def column_loss(self, column: int, drawn: Collection[Cell]) -> float:
        """Negative log probability of a column whose drawn cells are known.

        A cell that something hides is drawn or not, whichever fits better.
        """
        nothing_above, drawn_above = 0.0, inf
        for row, (if_drawn, uncovered, covered) in enumerate(self._by_column[column]):
            if (row, column) in self.covered:
                drawn_above = min(nothing_above, drawn_above)
            elif (row, column) in drawn:
                drawn_above = min(nothing_above, drawn_above) + if_drawn
                nothing_above = inf
            else:
                nothing_above += uncovered
                drawn_above += covered
        return min(nothing_above, drawn_above)


def evidence_of_cells(marks: Marks, answers: Mapping[Cell, Mark]) -> CellEvidence:
    """The evidence of all cells; ``answers`` are certain.

    A cell bears one mark. The log-odds of a ring count only where no cross is, as elsewhere they
    mean nothing (see `brikks_vision.detect.marks.Marks`).
    """
    present = {key: np.logaddexp(0, -marks[key]) for key in (CROSSES, RINGS, FILLS)}
    absent = {key: np.logaddexp(0, marks[key]) for key in (CROSSES, RINGS, FILLS)}
    losses = np.stack(
        [
            present[CROSSES] + absent[FILLS],
            absent[CROSSES] + present[RINGS] + absent[FILLS],
            absent[CROSSES] + absent[RINGS] + present[FILLS],
            absent[CROSSES] + absent[RINGS] + absent[FILLS],
        ],
        axis=-1,
    )
    losses += np.logaddexp.reduce(-losses, axis=-1, keepdims=True)
    losses = np.minimum(losses, MAX_LOG_ODDS)
    for cell, mark in answers.items():
        losses[cell] = ANSWERED
        losses[(*cell, STATES.index(mark))] = 0.0
    return CellEvidence(losses, cells_of(marks.covered) - answers.keys())
