"""What is shown of a BLOXX! reading on the sheet and beside it."""

from __future__ import annotations

from collections.abc import Mapping

from brikks_vision.decode.answers import cell_name
from brikks_vision.games.bloxx.figures import NUMBERS, PENALTIES, ROWS
from brikks_vision.games.bloxx.keys import sheet_of
from brikks_vision.games.bloxx.places import bonus_name, bonus_places, marks
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.layout import Layout, Point
from brikks_vision.reading.views import Outline, PartView, SheetView, Sign
from brikks_vision.rules.bloxx.state import BonusMark, SheetState
from brikks_vision.rules.bloxx.violations import Rule
from brikks_vision.rules.bloxx.words import phrase

# How far the drawn marks reach, in cells.
CELL_REACHES = {"cross": 0.24, "ring": 0.36, "fill": 0.34}
RING_REACH = 1.12
"""Of a ring around a bonus, as a multiple of half its width."""

CELL_KINDS = {"X": "cross", "O": "ring", "#": "fill"}
BONUS_KINDS = {str(BonusMark.CIRCLED): "ring", str(BonusMark.STRUCK): "struck"}

SHAPE_FAULTS = (Rule.NOT_A_SHAPE, Rule.TWO_CIRCLES, Rule.WRONG_CIRCLE)
"""Broken rules of a single shape."""

_BELOW_FIGURES = 0.4  # cells, from the place of a figure to the points

COLUMNS: tuple[str, ...] = ("rows", "numbers", "penalty")


def view(reading: BloxxReading, layout: Layout, state: SheetState | None = None) -> SheetView:
    """What is shown of a reading.

    state: says all bonuses; without it, of two that are circled for one row the lower one is not.
    """
    bonuses = _bonus_marks(reading, layout)
    if state is not None:
        bonuses = {where: mark for where, mark in marks(state).items() if where in bonuses}
    letters = {
        cell_name((row, column)): letter
        for row, line in enumerate(reading.grid)
        for column, letter in enumerate(line)
    }
    stands = {**letters, **bonuses, **dict.fromkeys(reading.covered, "?")}
    gaps = sum(line.count("#") for line in reading.grid)
    points = reading.score
    return SheetView(
        stands,
        _signs(stands, layout),
        _outlines(reading, layout),
        (),
        (
            PartView(phrase("points-rows"), points.rows, at=_below(ROWS, layout)),
            PartView(phrase("points-numbers"), points.numbers, at=_below(NUMBERS, layout)),
            PartView(
                phrase("points-penalty"),
                points.penalty,
                phrase("gaps-coloured", count=gaps),
                _below(PENALTIES, layout),
            ),
        ),
        reading.written.total if reading.written else None,
    )


def columns(reading: BloxxReading) -> Mapping[str, object]:
    """Parts of the points for tables."""
    points = reading.score
    return {"rows": points.rows, "numbers": points.numbers, "penalty": points.penalty}


def _bonus_marks(reading: BloxxReading, layout: Layout) -> dict[str, str]:
    by_row = {each.row: each for each in reading.row_bonus}
    found = {}
    for place, (row, bonus) in enumerate(bonus_places(sheet_of(layout))):
        mark = BonusMark.OPEN
        if row in by_row and bonus == by_row[row].circled:
            mark = BonusMark.CIRCLED
        elif row in by_row and bonus in by_row[row].struck:
            mark = BonusMark.STRUCK
        found[bonus_name(place)] = str(mark)
    return found


def _signs(stands: Mapping[str, str], layout: Layout) -> tuple[Sign, ...]:
    signs = []
    for where, mark in stands.items():
        field, _, numbers = where.partition(" ")
        if field == "cell":
            row, column = map(int, numbers.split(","))
            if kind := CELL_KINDS.get(mark):
                signs.append(Sign(field, kind, (column + 0.5, row + 0.5), CELL_REACHES[kind]))
        elif kind := BONUS_KINDS.get(mark):
            places = layout.fields[field]
            reach = places.radius * (RING_REACH if kind == "ring" else 1)
            signs.append(Sign(field, kind, places.centres[int(numbers)], reach))
    return tuple(signs)


def _outlines(reading: BloxxReading, layout: Layout) -> tuple[Outline, ...]:
    """The shapes, in the colours of the layout by turns; without one where a rule is broken."""
    colors = list(layout.colors)
    wrong = {
        cell for each in reading.violations if each.rule in SHAPE_FAULTS for cell in each.cells
    }
    return tuple(
        Outline(
            shape.cells,
            colors[number % len(colors)] if colors and wrong.isdisjoint(shape.cells) else None,
        )
        for number, shape in enumerate(reading.shapes)
    )


def _below(figure: str, layout: Layout) -> Point | None:
    """Below the place where the player writes a figure; None where there is none."""
    if figure not in layout.figures:
        return None
    places = layout.figures[figure]
    x, y = places.centres[0]
    return x, y + places.size[1] / 2 + _BELOW_FIGURES
