"""Sheets as text, there and back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.brikks.blocks import Energy, SheetState, blank_sheet
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.shapes import bottom_up
from simulation.brikks.notation import print_sheet, read_sheet
from simulation.notation import NotationError, UnprintableSheetError

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


def test_a_drawing_prints_as_it_was():
    assert print_sheet(read_sheet(DRAWING, BRIKKS)) == DRAWING


def test_what_is_left_out_is_as_printed():
    assert read_sheet("", BRIKKS) == blank_sheet(BRIKKS)
    assert read_sheet("AAAA......", BRIKKS).blocks == (frozenset((10, c) for c in range(4)),)


@st.composite
def any_sheets(draw) -> SheetState:
    """Marks anywhere, legal or not."""
    blank = blank_sheet(BRIKKS)
    owners = draw(
        st.lists(
            st.integers(-1, 70),
            min_size=len(BRIKKS.cells),
            max_size=len(BRIKKS.cells),
        )
    )
    groups: dict[int, set] = {}
    for cell, owner in zip(BRIKKS.cells, owners, strict=True):
        if owner > 0:
            groups.setdefault(owner, set()).add(cell)
    return SheetState(
        crossed=frozenset(draw(st.sets(st.sampled_from(BRIKKS.cells)))),
        blocks=bottom_up(frozenset(cells) for cells in groups.values()),
        energy=tuple(draw(st.sampled_from(Energy)) for _ in blank.energy),
        bonus=tuple(draw(st.booleans()) for _ in blank.bonus),
        bombs=tuple(draw(st.booleans()) for _ in blank.bombs),
        sheet=BRIKKS,
    )


@settings(max_examples=60, deadline=None)
@given(any_sheets())
def test_every_sheet_comes_back_from_its_text(state):
    assert read_sheet(print_sheet(state), BRIKKS) == state


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


def test_blocks_that_share_a_cell_have_no_text():
    block = frozenset({(10, 0), (10, 1)})
    blank = blank_sheet(BRIKKS)
    shared = replace(blank, crossed=block, blocks=(block, block))
    with pytest.raises(UnprintableSheetError):
        print_sheet(shared)
