"""The candidates of a group of cells, against pricing each piece mark by mark."""

import random

import numpy as np
import pytest

from brikks_vision.infer.candidates import candidates_for
from brikks_vision.infer.costs import BROKEN_RULE, CERTAIN_CELL
from brikks_vision.infer.grid import GridEvidence
from brikks_vision.infer.groups import groups
from brikks_vision.infer.tiling import Label, Step
from brikks_vision.layout import Cell
from brikks_vision.rules.shapes import shape_of

SHAPES = (
    ((0, 0), (0, 1)),
    ((0, 1), (1, 0), (1, 1)),
    ((0, 2), (1, 0), (1, 1), (1, 2)),
    ((0, 0), (1, 0), (2, 0), (3, 0)),
    ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5)),  # wider than the grid
)


def some_evidence(seed: int) -> GridEvidence:
    """Five rows of five cells; some cells are certainly empty, some edges certain."""
    dice = np.random.default_rng(seed)
    return GridEvidence(
        dice.normal(0, 5, (5, 5)), dice.normal(0, 3, (5, 6)), dice.normal(0, 3, (6, 5)), SHAPES
    )


def cost(step: Step, cells: tuple[Cell, ...], evidence: GridEvidence) -> float:
    """The cost of a piece where no other cell of the group lies in a block."""
    label = step.piece.label
    own = {cells[place] for place in step.piece.places}
    is_block = label is Label.OUTLINED
    whole = step.piece.rule_cost
    for cell in own:
        logit = evidence.crosses[cell]
        whole += max(0.0, logit if label is Label.EMPTY else -logit)
        for other in evidence.neighbours(cell):
            line = evidence.edge(cell, other)
            if other in own:
                whole += max(0.0, line) / 2  # it is met from both sides
            elif other in cells or evidence.crosses[other] <= -CERTAIN_CELL:
                whole += max(0.0, -line if is_block else line)
    return whole


@pytest.mark.parametrize("seed", range(30))
def test_pieces_cost_what_their_marks_cost(seed: int) -> None:
    evidence = some_evidence(seed)
    for cells in groups(evidence):
        candidates = candidates_for(cells, evidence)
        steps = [step for each in candidates.within(30.0) for step in each]
        assert [each[0].piece.places for each in candidates.within(-1.0)] == [
            (place,) for place in range(len(cells))
        ]
        for step in steps:
            least = sum(candidates.least[place] for place in step.piece.places)
            on_bare = sum(cost for _, cost in step.on_bare)
            assert step.cost + least + on_bare == pytest.approx(cost(step, cells, evidence))
            assert step.cells == sum(1 << place for place in step.piece.places)
            assert step.inked == (step.cells if step.piece.label is Label.OUTLINED else 0)


@pytest.mark.parametrize("seed", range(30))
def test_every_place_of_every_shape_is_a_candidate_unless_the_evidence_excludes_it(
    seed: int,
) -> None:
    dice = random.Random(seed)
    evidence = some_evidence(seed)
    evidence = GridEvidence(
        np.abs(evidence.crosses), 0.1 * evidence.verticals, 0.1 * evidence.horizontals, SHAPES
    )
    cells = tuple(sorted(dice.sample(evidence.cells, 18)))
    found = {
        tuple(cells[place] for place in step.piece.places)
        for each in candidates_for(cells, evidence).within(100.0)
        for step in each
        if step.piece.label is Label.OUTLINED and step.piece.rule_cost < BROKEN_RULE
    }
    expected = {
        block
        for shape in SHAPES
        for down in range(5)
        for right in range(5)
        for block in [tuple((row + down, column + right) for row, column in shape)]
        if {*block} <= {*cells}
    }
    assert found == expected
    assert {shape_of(block) for block in found} <= {*SHAPES}
