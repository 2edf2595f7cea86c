"""Points: the publisher's example, bonuses that are circled, open and circled twice."""

import pytest
from hypothesis import given, settings

from brikks_vision.rules.bloxx.referee import referee
from brikks_vision.rules.bloxx.state import Written, score
from tests.rules.bloxx.bloxx_sheets import OWN, any_states, drawn

PUBLISHERS_EXAMPLE = """
    ....... .......
    XXXXXXX OOOMMNN
    OXXXXOX OLLLMNN
    #XXXX#X .LKKM.N
    #OX#XO# .LK.IJ.
    OXXOXX# HHKGIJ.
    #XXXOXX .HGGIJD
    XOXXXOX EEGBFFD
    XXXOXXX EEEBCFD
    OXXXXXX AAABCCD
    bonus o. x. x. xo
"""
"""Source of the figures: the game's rules. Drawn with the shapes and numbers of our own sheet."""

FULL_ROW = """
    XXXXXXX
    .......
    bonus .. .. .. {}
"""
"""The violet row is complete, and nothing else is drawn."""


def test_the_publishers_example():
    """A full orange row first, a full violet one later, 26 in numbers, 7 gaps, 7 empty cells."""
    state = drawn(PUBLISHERS_EXAMPLE)
    colors = {row.row: row.color for row in OWN.colored_rows}
    assert [colors[row] for row in state.complete_rows()] == ["orange", "violet"]
    assert len(state.gaps) == 7
    assert len(state.sheet.cells) - len(state.drawn) - len(state.gaps) == 7
    points = score(state)
    assert (points.rows, points.numbers, points.penalty, points.total) == (6, 26, -14, 18)
    assert points.total_range == (18, 18)
    assert referee(state, Written(rows=6, numbers=26, penalty=14, total=18)).is_legal


@pytest.mark.parametrize(
    ("marks", "rows", "lowest", "highest"),
    [
        ("o.", 4, 4, 4),
        (".o", 2, 2, 2),
        ("xo", 2, 2, 2),
        ("..", 4, 2, 4),
        ("x.", 4, 2, 4),
        ("oo", 4, 2, 4),
    ],
)
def test_a_complete_row_counts_what_is_circled(marks, rows, lowest, highest):
    points = score(drawn(FULL_ROW.format(marks)))
    assert points.rows == rows
    rest = points.total - rows
    assert points.total_range == (lowest + rest, highest + rest)
    assert [bonus.is_assumed for bonus in points.bonuses] == [False] * 3 + ["o" not in marks]


def test_a_row_with_a_gap_or_an_empty_cell_gives_nothing():
    for cell in "#.":
        points = score(drawn(FULL_ROW.format("o.").replace("XXXXXXX", f"XXX{cell}XXX")))
        assert (points.rows, points.possible_rows) == (0, (0,))


def test_only_a_number_under_a_circle_counts():
    assert score(drawn("O.....O")).numbers == 2 + 2
    assert score(drawn("X.....#")).numbers == 0


def test_a_blank_sheet_is_all_penalty():
    points = score(drawn(""))
    assert (points.rows, points.numbers, points.penalty, points.total) == (0, 0, -70, -70)


def test_two_open_rows_leave_every_sum():
    both = drawn("XXXXXXX\n.......\nXXXXXXX\n.......")
    assert score(both).possible_rows == (4, 6, 8)
    assert score(both).rows == 8


@settings(max_examples=60, deadline=None)
@given(any_states())
def test_the_parts_add_up(state):
    points = score(state)
    assert points.total == points.rows + points.numbers + points.penalty
    lowest, highest = points.total_range
    assert lowest <= points.total <= highest
    assert points.penalty == -sum(mark in "#." for row in state.grid for mark in row)
    assert points.rows == sum(bonus.points for bonus in points.bonuses)
