"""What the evidence of single cells says: cross, circle, gap or nothing, and what lies above them.

A cell that is not drawn (bears no cross and no circle) is coloured in exactly if it is covered:
if something is drawn above it in its column. So the cells of a column depend on each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx import places
from brikks_vision.infer.costs import ANSWERED, MAX_LOG_ODDS
from brikks_vision.infer.grid import cells_of
from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.state import Mark

Array = NDArray[np.float64]

STATES = (Mark.CROSS, Mark.CIRCLE, Mark.GAP, Mark.EMPTY)
"""What the last axis of the losses means."""

_CROSS, _CIRCLE, _GAP, _EMPTY = range(len(STATES))
_OPEN, _COVERED, _FORGOTTEN = range(3)  # what lies above a cell: see `CellEvidence.drawn_logits`


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
    def circle_logits(self) -> Array:
        """(rows, columns) log-odds that a drawn cell bears a circle rather than a cross."""
        return self.losses[..., _CROSS] - self.losses[..., _CIRCLE]

    @cached_property
    def gap_logits(self) -> tuple[Array, Array]:
        """(rows, columns) log-odds that a cell which is not drawn is coloured in rather than empty.

        With the costs of broken rules: uncovered, and covered.
        """
        evidence = self.losses[..., _EMPTY] - self.losses[..., _GAP]
        return evidence - places.FALSE_GAP, evidence + places.OPEN_GAP

    @cached_property
    def drawn_logits(self) -> Array:
        """(rows, columns) log-odds that a cell is drawn, given all cells of its column.

        By the forward-backward algorithm (Rabiner 1989) down each column; its hidden state is what
        lies above: nothing drawn, or something, and whether the last gap below it was forgotten.
        """
        gap, empty = self.losses[..., _GAP], self.losses[..., _EMPTY]
        rows, columns = self.drawn.shape
        if_drawn, if_not = np.full((2, rows, 3, 3, columns), -np.inf)  # from a state, to a state
        if_drawn[:, _OPEN, _COVERED] = if_drawn[:, _COVERED, _COVERED] = -self.drawn
        if_drawn[:, _FORGOTTEN, _FORGOTTEN] = -self.drawn
        if_not[:, _OPEN, _OPEN] = -self.uncovered
        if_not[:, _COVERED, _COVERED] = if_not[:, _FORGOTTEN, _COVERED] = -gap
        if_not[:, _COVERED, _FORGOTTEN] = -(empty + places.OPEN_GAP)
        if_not[:, _FORGOTTEN, _FORGOTTEN] = -(empty + places.NEXT_OPEN_GAP)
        either = np.logaddexp(if_drawn, if_not)
        above, below = np.full((rows, 3, columns), -np.inf), np.zeros((rows, 3, columns))
        above[0, _OPEN] = 0.0
        for row in range(rows - 1):
            above[row + 1] = np.logaddexp.reduce(above[row][:, None] + either[row], axis=0)
        for row in range(rows - 1, 0, -1):
            below[row - 1] = np.logaddexp.reduce(either[row] + below[row], axis=1)
        ends = above[:, :, None] + below[:, None]
        drawn, not_drawn = (
            np.logaddexp.reduce((ends + moves).reshape(rows, 9, columns), axis=1)
            for moves in (if_drawn, if_not)
        )
        sure = self.losses.max(axis=-1) >= ANSWERED
        limit = np.where(sure, ANSWERED, MAX_LOG_ODDS)
        return np.asarray(np.clip(drawn - not_drawn, -limit, limit))

    @cached_property
    def uncovered(self) -> Array:
        """(rows, columns) negative log probability that a cell with nothing above is not drawn."""
        gap, empty = self.losses[..., _GAP], self.losses[..., _EMPTY]
        return np.asarray(-np.logaddexp(-empty, -(gap + places.FALSE_GAP)))


def cell_losses(marks: Marks) -> Array:
    """(rows, columns, 4) negative log probability of each of `STATES`, by the evidence alone.

    A cell bears one mark. The log-odds of a ring count only where no cross is, as elsewhere they
    mean nothing (see `brikks_vision.detect.marks.Marks`).
    """
    present = {
        key: np.logaddexp(0, -marks[key]) for key in (places.CROSSES, places.RINGS, places.FILLS)
    }
    absent = {
        key: np.logaddexp(0, marks[key]) for key in (places.CROSSES, places.RINGS, places.FILLS)
    }
    losses = np.stack(
        [
            present[places.CROSSES] + absent[places.FILLS],
            absent[places.CROSSES] + present[places.RINGS] + absent[places.FILLS],
            absent[places.CROSSES] + absent[places.RINGS] + present[places.FILLS],
            absent[places.CROSSES] + absent[places.RINGS] + absent[places.FILLS],
        ],
        axis=-1,
    )
    return np.asarray(losses + np.logaddexp.reduce(-losses, axis=-1, keepdims=True))


def evidence_of_cells(marks: Marks, answers: Mapping[Cell, Mark]) -> CellEvidence:
    """The evidence of all cells; ``answers`` are certain."""
    losses = np.minimum(cell_losses(marks), MAX_LOG_ODDS)
    for cell, mark in answers.items():
        losses[cell] = ANSWERED
        losses[(*cell, STATES.index(mark))] = 0.0
    return CellEvidence(losses, cells_of(marks.covered).difference(answers))
