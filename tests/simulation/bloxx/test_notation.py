"""Sheets as text."""

import pytest

from brikks_vision.rules.bloxx.state import BonusMark, Mark, blank_sheet
from simulation.bloxx.notation import read_sheet
from simulation.notation import NotationError
from tests.rules.bloxx.bloxx_sheets import OWN

DRAWING = """\
....... .......
....... .......
....... .......
....... .......
....... .......
......O .......
.....#. ....DD.
...XXO. ...CCC.
O..XX#. A..BB..
XXXXO#. AAABB..
bonus o. xo .. .x
"""


def test_a_drawing_reads_as_it_looks():
    state = read_sheet(DRAWING, OWN)
    assert state.shapes == (
        frozenset({(8, 0), (9, 0), (9, 1), (9, 2)}),
        frozenset({(8, 3), (8, 4), (9, 3), (9, 4)}),
        frozenset({(7, 3), (7, 4), (7, 5)}),
        frozenset({(6, 4), (6, 5)}),
    )
    assert [state.circle_of(shape) for shape in state.shapes] == [(8, 0), (9, 4), (7, 5), None]
    assert state.circles == {(5, 6), (7, 5), (8, 0), (9, 4)}
    assert state.gaps == {(6, 5), (8, 5), (9, 5)}
    assert state.mark((6, 4)) is Mark.EMPTY
    assert state.bonuses[1] == (BonusMark.STRUCK, BonusMark.CIRCLED)


def test_what_is_left_out_is_as_printed():
    assert read_sheet("", OWN) == blank_sheet(OWN)
    state = read_sheet("XXO....\nbonus o", OWN)
    assert state.shapes == ()
    assert state.drawn == {(9, 0), (9, 1), (9, 2)}
    assert state.bonuses[0] == (BonusMark.CIRCLED, BonusMark.OPEN)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("XXX", "7 marks"),
        ("....... AAA", "7 marks"),
        ("....... ....... .......", "7 marks"),
        ("XXx....", "marks are X O # ."),
        ("bonus .. .. .. .. ..", "4 coloured rows"),
        ("bonus ..o", "up to 2 signs"),
        ("bonus X", "up to 2 signs"),
        ("\n".join(["......."] * 11), "more than 10 rows"),
    ],
)
def test_a_line_that_is_no_part_of_a_sheet_is_named(line, reason):
    with pytest.raises(NotationError, match=reason):
        read_sheet(line, OWN)
