"""The places of a Brikks sheet that a player marks, and how people count them.

As in the printed rules: rows from the bottom and columns from the left, both from 1, energy points
from 1, bombs and boxes by their printed figure.
"""

from __future__ import annotations

from collections.abc import Mapping

from brikks_vision.layout import Layout
from brikks_vision.rules.brikks.sheet import sheet_of
from brikks_vision.rules.brikks.state import Energy, SheetState
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.text.phrases import Phrase, all_of

CROSS_MARKS = ("X", ".")
MARKS: Mapping[str, tuple[str, ...]] = {
    "cell": CROSS_MARKS,
    "energy": tuple(str(energy) for energy in Energy),
    "box": CROSS_MARKS,
    "bomb": CROSS_MARKS,
}
"""By field, the marks of the contract that can stand there."""

ENERGY_READINGS = ("open", "circled", "used")
"""What evidence can say of an energy point: struck at setup looks like used."""

PART_FIELDS: Mapping[str, str] = {"energy": "energy", "bonus": "box", "bombs": "bomb"}
"""By part of the sheet that a broken rule names, the field that it shows in."""


def marks_at(where: str) -> tuple[str, ...]:
    """The marks of the contract that evidence can show at a place."""
    return ENERGY_READINGS if where.startswith("energy ") else CROSS_MARKS


def counted(where: str, layout: Layout) -> Mapping[str, int]:
    """The numbers of a place of the contract as people count."""
    field, _, numbers = where.partition(" ")
    at, sheet = [int(number) for number in numbers.split(",")], sheet_of(layout)
    if field == "cell":
        return {"row": sheet.rows - at[0], "column": at[1] + 1}
    if field == "energy":
        return {"number": at[0] + 1}
    figures = sheet.bomb_points if field == "bomb" else sheet.bonus_values
    return {"figure": figures[at[0]]}


def answers_there(layout: Layout) -> Phrase:
    """The places that a sheet has, in words."""
    sheet = sheet_of(layout)
    return phrase(
        "answers-there",
        rows=sheet.rows,
        columns=sheet.columns,
        energy=sheet.energy_points,
        boxes=all_of(sheet.bonus_values),
        bombs=all_of(sheet.bomb_points),
    )


def marks(state: SheetState) -> dict[str, str]:
    """By place of the contract, the mark that stands there."""
    sheet = state.sheet
    cells = {
        f"cell {row},{column}": "X" if (row, column) in state.crossed else "."
        for row in range(sheet.rows)
        for column in range(sheet.columns)
    }
    energy = {f"energy {at}": str(mark) for at, mark in enumerate(state.energy)}
    boxes = {f"box {at}": "X" if mark else "." for at, mark in enumerate(state.bonus)}
    bombs = {f"bomb {at}": "X" if mark else "." for at, mark in enumerate(state.bombs)}
    return {**cells, **energy, **boxes, **bombs}
