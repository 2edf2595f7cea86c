"""Points: the publisher's example, bonuses that are circled, open and circled twice."""

import pytest
from hypothesis import given

from brikks_vision.rules.bloxx.referee import referee
from brikks_vision.rules.bloxx.sheet import ColoredRow, NumberedCell, Sheet
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState, Written, lost, score
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


@given(any_states())
def test_the_parts_add_up(state):
    points = score(state)
    assert points.total == points.rows + points.numbers + points.penalty
    lowest, highest = points.total_range
    assert lowest <= points.total <= highest
    assert points.penalty == -sum(mark in "#." for row in state.grid for mark in row)
    assert points.rows == sum(bonus.points for bonus in points.bonuses)


# --- where the points of a finished BLOXX! sheet went ---------------------------------------------


SMALL = Sheet(
    4,
    5,
    (ColoredRow(1, "red"), ColoredRow(3, "blue")),
    (NumberedCell(1, 0, 4), NumberedCell(2, 1, 3), NumberedCell(3, 0, 2)),
)


def is_near(row: int, state: SheetState) -> bool:
    """Whether a coloured row is whole, or lacks one or two cells and can still give a bonus."""
    lacking = state.sheet.row_cells(row) - state.drawn
    number = [colored.row for colored in state.sheet.colored_rows].index(row)
    is_open = set(state.bonuses[number]) != {BonusMark.STRUCK}
    return not lacking or (len(lacking) <= 2 and is_open)


def with_all_in_reach(state: SheetState) -> SheetState:
    """Gaps drawn, numbers under ink or in gaps circled, rows that lack one or two cells whole."""
    sheet, bonuses = state.sheet, state.bonuses
    tops = {
        column: min((row for row, at in state.drawn if at == column), default=sheet.rows)
        for column in range(sheet.columns)
    }
    inked = {cell for cell in sheet.cells if cell[0] >= tops[cell[1]]}
    numbered = {number.cell for number in sheet.numbers}
    marks = {cell: Mark.CROSS for cell in inked - state.circles}
    marks |= dict.fromkeys(inked & numbered, Mark.CIRCLE)
    better = state
    for number, colored in enumerate(sheet.colored_rows):
        lacking = sheet.row_cells(colored.row) - state.drawn
        is_open = [not lacking or mark is not BonusMark.STRUCK for mark in bonuses[number]]
        if is_near(colored.row, state):
            marks |= dict.fromkeys(lacking - inked, Mark.CROSS)
            better = better.with_bonus(number, 1, BonusMark.OPEN)
            better = better.with_bonus(number, is_open.index(True), BonusMark.CIRCLED)
    return better.with_marks(marks)


@given(any_states())
def test_it_adds_up_to_what_was_within_reach(state):
    better = with_all_in_reach(state)
    # of other rows each gap is within reach, but not the row: the gaps may be all that it lacks
    more = {
        bonus.row: bonus.points for bonus in score(better).bonuses if not is_near(bonus.row, state)
    }
    reach = score(better).total - sum(more.values())
    assert sum(each.points for each in lost(state)) == reach - score(state).total


def test_what_was_lost_by_cause_and_most_points_first():
    state = drawn(
        """
        ..X..
        XXX..
        ##XX.
        OXXXX
        bonus x. ox
        """,
        SMALL,
    )
    assert [(each.cause, each.where, each.points, each.message) for each in lost(state)] == [
        ("row", "row 1", 4, "Row 3 from the bottom lacks 2 cells, in columns 4 and 5."),
        ("number", "cell 1,0", 4,
         "The 4 in column 1, row 3 from the bottom lies under a cross, not a circle."),
        ("number", "cell 2,1", 3, "The 3 in column 2, row 2 from the bottom lies in a gap."),
        ("gap", "cell 2,0", 2, "2 gaps in columns 1-2, row 2 from the bottom."),
    ]  # fmt: skip


def test_a_row_that_was_second_and_one_that_lacks_more_than_two_cells():
    state = drawn("X....\nXXXXX\nOXXXX\nbonus x. xo", SMALL)
    assert [each.message for each in lost(state)][-1:] == [
        "Row 1 from the bottom gave 2 instead of 4: somebody else was first."
    ]
    assert [each.where for each in lost(state) if each.cause == "row"] == ["row 3"]


def test_a_sheet_with_nothing_lost():
    assert lost(drawn("XOXXX\nOXXXX\nbonus .. o.", SMALL)) == ()
    assert lost(drawn(".....", SMALL)) == ()
