"""Sheets as text."""

import pytest

from brikks_vision.rules.brikks.blocks import Energy, blank_sheet
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.notation import read_sheet
from simulation.notation import NotationError

BRIKKS = load_sheet()

DRAWING = """\
..........
..........
..........
..........
..........
..........
..........
.........x
A.........
AB.C......
ABBCCCDDDD
energy --oxo
extra x.x
bombs .x
uncrossed 8,0
"""


def test_a_drawing_reads_as_it_looks():
    state = read_sheet(DRAWING, BRIKKS)
    assert frozenset({(10, 3), (10, 4), (10, 5), (9, 3)}) in state.blocks
    assert len(state.blocks) == 4
    assert (7, 9) in state.crossed
    assert (8, 0) not in state.crossed
    assert state.energy[:6] == (
        Energy.OFF,
        Energy.OFF,
        Energy.CIRCLED,
        Energy.USED,
        Energy.CIRCLED,
        Energy.OPEN,
    )
    assert state.bonus[:4] == (True, False, True, False)
    assert state.bombs == (False, True, False)


def test_what_is_left_out_is_as_printed():
    assert read_sheet("", BRIKKS) == blank_sheet(BRIKKS)
    assert read_sheet("AAAA......", BRIKKS).blocks == (frozenset((10, c) for c in range(4)),)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("AAAA", "10 signs"),
        ("energy ?", "up to 28 signs"),
        ("extra " + "x" * 16, "up to 15 signs"),
        ("bombs o", "up to 3 signs"),
        ("uncrossed 11,0", "no cell"),
        ("uncrossed here", "no cell"),
        ("\n".join([".........."] * 12), "more than 11 rows"),
    ],
)
def test_a_line_that_is_no_part_of_a_sheet_is_named(line, reason):
    with pytest.raises(NotationError, match=reason):
        read_sheet(line, BRIKKS)
