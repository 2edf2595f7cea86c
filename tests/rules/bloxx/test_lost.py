"""Where the points of a finished BLOXX! sheet went."""

from hypothesis import given, settings

from brikks_vision.rules.bloxx.sheet import ColoredRow, NumberedCell, Sheet
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState, lost, score
from tests.rules.bloxx.bloxx_sheets import any_states, drawn

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


@settings(max_examples=100, deadline=None)
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
