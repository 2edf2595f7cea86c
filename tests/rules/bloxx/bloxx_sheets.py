"""Sheets to test with: the project's own one, small ones, and sheets with any marks."""

import json
from importlib import resources

from hypothesis import strategies as st

from brikks_vision.rules.bloxx.sheet import ColoredRow, NumberedCell, Sheet, parse_sheet
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState
from brikks_vision.rules.shapes import bottom_up
from simulation.bloxx.notation import read_sheet

LAYOUT = json.loads(
    resources.files("brikks_vision").joinpath("layouts", "bloxx.json").read_text("utf-8")
)
OWN = parse_sheet(LAYOUT["printed"], LAYOUT["grid"]["rows"], LAYOUT["grid"]["columns"])
"""10 rows, 7 columns; coloured are rows 1 (orange), 4 (green), 6 (blue) and 8 (violet)."""

DICELESS = parse_sheet(
    {name: data for name, data in LAYOUT["printed"].items() if name != "dice"}, 10, 7
)
"""The same sheet, where the dice are not known."""


def drawn(text: str, sheet: Sheet = OWN) -> SheetState:
    return read_sheet(text, sheet)


@st.composite
def any_sheets(draw) -> Sheet:
    """Sheets of any size, with coloured rows and numbers anywhere."""
    rows, columns = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    bare = Sheet(rows, columns)
    colored = draw(st.sets(st.integers(0, rows - 1)))
    numbered = draw(st.sets(st.sampled_from(bare.cells)))
    dice = draw(st.sampled_from([None, OWN.dice]))
    return Sheet(
        rows,
        columns,
        tuple(ColoredRow(row, "red") for row in sorted(colored)),
        tuple(NumberedCell(*cell, draw(st.integers(1, 4))) for cell in sorted(numbered)),
        dice,
    )


@st.composite
def any_states(draw, sheets=None, groups: int = 12) -> SheetState:
    """Marks anywhere, legal or not, in outlines of any form."""
    sheet = draw(any_sheets() if sheets is None else sheets)
    mark = st.sampled_from(Mark)
    owners: dict[int, set] = {}
    for cell in sheet.cells:
        owners.setdefault(draw(st.integers(0, groups)), set()).add(cell)
    owners.pop(0, None)
    return SheetState(
        sheet,
        tuple(tuple(draw(mark) for _ in range(sheet.columns)) for _ in range(sheet.rows)),
        bottom_up(frozenset(cells) for cells in owners.values()),
        tuple(
            tuple(draw(st.sampled_from(BonusMark)) for _ in colored.bonuses)
            for colored in sheet.colored_rows
        ),
    )
