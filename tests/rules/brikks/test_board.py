"""Landings, against drawings and against a plain search step by step."""

import random
from itertools import pairwise

import pytest

from brikks_vision.rules.brikks import blocks
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.shapes import placed, shape_of
from simulation.brikks.engine import block_at, landings
from simulation.brikks.notation import read_sheet

BRIKKS = load_sheet()
LINE = block_at(BRIKKS, "black", 4)
POLE = block_at(BRIKKS, "black", 3)
SQUARE = block_at(BRIKKS, "black", 1)


def drawn(picture: str) -> blocks.Board:
    return blocks.board_of(read_sheet(picture, BRIKKS))


def stepwise(board: blocks.Board, shape) -> set:
    """Landings by moving a block one cell at a time."""
    height = max(row for row, _ in shape) + 1

    def fits(row, column):
        return all(
            0 <= column + c < board.columns
            and row + r < board.rows
            and (row + r < 0 or not board.holds((row + r, column + c)))
            for r, c in shape
        )

    seen = {(-height, column) for column in range(board.columns) if fits(-height, column)}
    queue = list(seen)
    for row, column in queue:
        for step in ((row + 1, column), (row, column - 1), (row, column + 1)):
            if step not in seen and fits(*step):
                seen.add(step)
                queue.append(step)
    return {(r, c) for r, c in seen if r >= 0 and not fits(r + 1, c)}


def test_landings_are_those_of_a_search_step_by_step():
    rng = random.Random(4)
    for _ in range(60):
        board = blocks.Board(BRIKKS.rows, BRIKKS.columns)
        density = rng.random()
        board = board.with_cells(
            cell for cell in BRIKKS.cells if cell[0] > 2 and rng.random() < density * 0.6
        )
        for kind in blocks.kinds(BRIKKS):
            corners = blocks.landing_corners(board, kind.shape)
            assert set(corners) == stepwise(board, kind.shape)
            assert len(set(corners)) == len(corners)
            for cells in landings(board, kind.shape):
                assert blocks.reaches(board, cells) and blocks.rests(board, cells)
                assert blocks.path_to(board, cells)


def test_a_block_slides_under_an_overhang():
    board = drawn("""
        xxxxxx....
        xxxxx.....
        ..........
    """)
    places = landings(board, LINE)
    assert frozenset((10, c) for c in range(4)) in places
    assert not any(
        placed(SQUARE, (9, c)) in landings(board, SQUARE) for c in range(5)
    )  # two rows high


def test_a_block_falls_on_if_nothing_holds_it():
    board = drawn("""
        xxxx......
        xxxx......
        ..........
        ..........
    """)
    assert frozenset((9, c) for c in range(4)) not in landings(board, LINE)
    assert frozenset((10, c) for c in range(4)) in landings(board, LINE)


def test_a_block_never_rises():
    board = drawn("""
        .xxxxxxxxx
        ..........
        ......xxxx
        .....xxxxx
    """)
    hollow = frozenset((8, c) for c in range(6, 10))
    assert blocks.rests(board, hollow)
    assert not blocks.reaches(board, hollow)


def test_nothing_fits_through_a_gap_that_is_too_narrow():
    board = drawn("""
        xxxx.xxxxx
        ..........
        ..........
    """)
    assert set(landings(board, POLE)) >= {frozenset((row, 4) for row in range(7, 11))}
    assert all(min(r for r, _ in cells) < 8 for cells in landings(board, SQUARE))


def test_no_place_is_left_on_a_full_sheet():
    board = drawn("\n".join(["xxxxxxxxxx"] * 10))
    assert landings(board, SQUARE) == ()
    assert len(landings(board, LINE)) == 7


def test_a_way_goes_down_left_and_right_only():
    board = drawn("""
        xxxxxx....
        xxxxx.....
        ..........
    """)
    way = blocks.path_to(board, frozenset((10, c) for c in range(4)))
    assert way[0][0] == -1 and way[-1] == (10, 0)
    for (row, column), (next_row, next_column) in pairwise(way):
        assert (next_row - row, abs(next_column - column)) in {(1, 0), (0, 1)}


def test_red_columns_1_and_2_show_one_shape():
    cells = placed(block_at(BRIKKS, "red", 2), (5, 3))
    (kind,) = blocks.kinds_of(cells, BRIKKS)
    assert (kind.color, kind.columns) == ("red", (1, 2))
    assert blocks.is_start_shape(cells, BRIKKS)


def test_the_overview_has_19_distinct_shapes_in_one_colour_each():
    assert len(blocks.kinds(BRIKKS)) == len({kind.shape for kind in blocks.kinds(BRIKKS)}) == 19
    assert sum(len(kind.columns) for kind in blocks.kinds(BRIKKS)) == 24


def test_five_cells_are_no_block():
    assert blocks.kinds_of([(0, c) for c in range(5)], BRIKKS) == ()
    assert blocks.kinds_of([], BRIKKS) == ()
    assert not blocks.is_start_shape(placed(LINE, (10, 0)), BRIKKS)


def test_the_overview_has_no_fifth_column():
    with pytest.raises(KeyError):
        block_at(BRIKKS, "red", 5)


def test_shapes_do_not_depend_on_their_place():
    for kind in blocks.kinds(BRIKKS):
        assert shape_of(placed(kind.shape, (4, 3))) == kind.shape
