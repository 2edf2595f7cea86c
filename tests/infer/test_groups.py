"""The posterior of a grid of no game: three rows of four cells, on which dominoes lie."""

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from brikks_vision.infer import grid
from brikks_vision.infer.figures import added, grid_points
from brikks_vision.infer.groups import grid_parts, groups
from brikks_vision.layout import Cell

DOMINOES = (((0, 0), (0, 1)), ((0, 0), (1, 0)))
CLEAR = 9.0  # log-odds

SHEET = """
a...
abb.
.cc.
"""


def drawn(drawing: str = SHEET) -> grid.GridEvidence:
    """Clear evidence of a drawing: each letter is an outlined block, x is a cross without
    outline."""
    lines = drawing.split()
    rows, columns = len(lines), len(lines[0])
    crosses = np.full((rows, columns), -CLEAR)
    verticals = np.full((rows, columns + 1), -CLEAR)
    horizontals = np.full((rows + 1, columns), -CLEAR)

    def at(row: int, column: int) -> str:
        inside = row in range(rows) and column in range(columns)
        return lines[row][column].replace("x", ".") if inside else "."

    for row, column in product(range(rows), range(columns)):
        if lines[row][column] != ".":
            crosses[row, column] = CLEAR
    for row, column in product(range(rows), range(columns + 1)):
        if at(row, column - 1) != at(row, column):
            verticals[row, column] = CLEAR
    for row, column in product(range(rows + 1), range(columns)):
        if at(row - 1, column) != at(row, column):
            horizontals[row, column] = CLEAR
    return grid.GridEvidence(crosses, verticals, horizontals, DOMINOES)


def blocks_of(parts: tuple[grid.GridPart, ...]) -> set[frozenset[Cell]]:
    return {block for part in parts for block in part.states[0][0].blocks}


def test_clear_evidence_is_read_as_it_stands() -> None:
    parts = grid_parts(drawn())
    assert blocks_of(parts) == {
        frozenset({(0, 0), (1, 0)}),
        frozenset({(1, 1), (1, 2)}),
        frozenset({(2, 1), (2, 2)}),
    }
    assert grid.row_counts(parts, 3).tolist() == [1, 3, 2]
    assert grid.confidence(parts) > 0.99


def test_certain_lines_separate_groups_and_every_cell_is_in_one() -> None:
    evidence = drawn()
    found = list(groups(evidence))
    assert ((0, 0), (1, 0)) in found
    assert sorted(cell for group in found for cell in group) == sorted(evidence.cells)


def test_a_faint_line_between_two_blocks_is_settled_by_their_shapes() -> None:
    evidence = drawn()
    evidence.horizontals[2, 1:3] = -1.0
    assert blocks_of(grid_parts(evidence)) == blocks_of(grid_parts(drawn()))


def test_a_faint_cross_is_settled_by_its_outline() -> None:
    evidence = drawn()
    evidence.crosses[2, 2] = -1.5
    parts = grid_parts(evidence)
    assert grid.cell_probabilities(parts, (3, 4))[2, 2] > 0.9


def test_without_outlines_a_cell_is_as_probable_as_its_own_evidence() -> None:
    evidence = drawn("xx..\n....\n....")
    evidence.crosses[2, 3] = -0.5
    probabilities = grid.cell_probabilities(grid_parts(evidence), (3, 4))
    assert probabilities[2, 3] == pytest.approx(1 / (1 + np.exp(0.5)))


def test_lines_that_follow_no_block_leave_every_cell_to_its_own_evidence() -> None:
    """Lines that end in nothing outline no block, and none of them is certain."""
    evidence = drawn("xxxxxx\n" * 5)
    verticals = np.full(evidence.verticals.shape, -4.0)
    verticals[1::2] = 4.0
    horizontals = np.full(evidence.horizontals.shape, -4.0)
    crosses = np.full(evidence.crosses.shape, 6.0)
    evidence = replace(evidence, crosses=crosses, verticals=verticals, horizontals=horizontals)
    parts = grid_parts(evidence)
    contradicted = [part for part in parts if part.is_contradicted]
    assert contradicted
    probabilities = grid.cell_probabilities(parts, (5, 6))
    for part in contradicted:
        for cell in part.cells:
            assert probabilities[cell] == pytest.approx(1 / (1 + np.exp(-evidence.crosses[cell])))


@pytest.mark.parametrize("seed", range(5))
def test_points_are_those_of_all_states_together(seed: int) -> None:
    dice = random.Random(seed)
    evidence = drawn("xxxx\nxxxx\nxxxx")
    cells = dice.sample(evidence.cells, 5)
    for cell in cells:
        evidence.crosses[cell] = dice.uniform(-2, 2)

    def points(row: int, crosses: int) -> int:
        return (row + 1) * (0, 1, 2, 4, 8)[crosses]

    expected: dict[int, float] = {}
    chances = 1 / (1 + np.exp(-evidence.crosses))
    for crossed in product((False, True), repeat=len(cells)):
        p = 1.0
        rows = [4, 4, 4]
        for cell, is_crossed in zip(cells, crossed, strict=True):
            p *= chances[cell] if is_crossed else 1 - chances[cell]
            rows[cell[0]] -= not is_crossed
        total = sum(points(row, crosses) for row, crosses in enumerate(rows))
        expected[total] = expected.get(total, 0.0) + p
    found = grid_points(grid_parts(evidence), points, 3)
    for total, p in expected.items():
        assert found[total] == pytest.approx(p, abs=0.003)  # the other cells are not quite certain


def test_independent_numbers_are_added() -> None:
    assert added({0: 0.5, 1: 0.5}, {0: 0.25, 1: 0.75}) == {0: 0.125, 1: 0.5, 2: 0.375}
