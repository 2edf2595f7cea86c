"""The reading of a BLOXX! sheet: what it adds to that of every game."""

from __future__ import annotations

from dataclasses import dataclass, field

from brikks_vision.games.bloxx.places import bonus_name, bonus_places, sheet_of
from brikks_vision.infer.answers import cell_name
from brikks_vision.layout import Cell, Layout
from brikks_vision.reading import Probability, ReadSheet
from brikks_vision.rules.bloxx.state import BonusMark, Written


@dataclass(frozen=True)
class BloxxPoints:
    """The points by part. penalty: 0 or negative."""

    rows: int
    numbers: int
    penalty: int
    total: int


@dataclass(frozen=True)
class ShapeReading:
    """An outlined shape. circle: None where it has none."""

    cells: tuple[Cell, ...]
    circle: Cell | None
    confidence: Probability


@dataclass(frozen=True)
class RowBonusReading:
    """The bonuses of a coloured row. row: of the grid. circled: the highest that is, or None."""

    row: int
    color: str
    circled: int | None
    struck: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class BloxxReading(ReadSheet, game="bloxx"):
    """One BLOXX! sheet in one photo.

    ``grid``: "X" crossed, "O" circled, "#" coloured in, "." empty, "?" cannot be told. ``shapes``:
    bottom-up; empty where the player drew no outlines. ``row_bonus``: of the coloured rows, top
    first.
    """

    score: BloxxPoints = field(kw_only=True)
    shapes: tuple[ShapeReading, ...] = ()
    row_bonus: tuple[RowBonusReading, ...] = ()
    written: Written | None = None


def stands(reading: BloxxReading, layout: Layout) -> dict[str, str]:
    """By place, the mark that a reading tells.

    Of two bonuses that are circled for one row the lower one is not.
    """
    found = {
        cell_name((row, column)): letter
        for row, line in enumerate(reading.grid)
        for column, letter in enumerate(line)
    }
    by_row = {each.row: each for each in reading.row_bonus}
    for place, (row, bonus) in enumerate(bonus_places(sheet_of(layout))):
        mark = BonusMark.OPEN
        if row in by_row and bonus == by_row[row].circled:
            mark = BonusMark.CIRCLED
        elif row in by_row and bonus in by_row[row].struck:
            mark = BonusMark.STRUCK
        found[bonus_name(place)] = str(mark)
    return found
