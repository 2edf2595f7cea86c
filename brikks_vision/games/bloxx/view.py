"""What is shown of a BLOXX! reading on the sheet and beside it.

What the coach says of a BLOXX! sheet.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from brikks_vision.errors import RollMissing, RollUnknown, RulesForbid, TurnsNotAdvised
from brikks_vision.games.bloxx.bonuses import NUMBERS, PENALTIES, ROWS
from brikks_vision.games.bloxx.places import bonus_name, bonus_places, marks, sheet_of
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.infer.advice import Choice, Choices, Coach, Expected, percentile_of
from brikks_vision.infer.answers import cell_name
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.layout import Layout, Point, load_layout
from brikks_vision.reading.views import Outline, PartView, SheetView, Sign
from brikks_vision.rules.bloxx import state as points
from brikks_vision.rules.bloxx.order import Resting, find_order
from brikks_vision.rules.bloxx.referee import Rule
from brikks_vision.rules.bloxx.sheet import Die, Face, phrase, place_words, shape_words
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Shape, SheetState
from brikks_vision.rules.shapes import Lost
from brikks_vision.text.phrases import Phrase, in_every_language

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


DICE = ("light", "dark")
"""The dice, as the back of the sheet names them."""

NAME = "bloxx"
"""The layout that comes with the package."""

SEED = 1
"""Of the dice: the same sheet and roll get the same advice."""


def lost(reading: BloxxReading, layout: Layout) -> tuple[Lost, ...]:
    """Where the points went."""
    return points.lost(state_of(reading, layout))


def order(reading: BloxxReading, layout: Layout) -> tuple[Shape, ...]:
    """The shapes in a legal order; empty where there is none."""
    state = state_of(reading, layout)
    found = find_order(state.shapes, state.sheet, Resting.ENGLISH)
    return found.entered if found.exists else ()


def state_of(reading: BloxxReading, layout: Layout) -> SheetState:
    """What is marked on a sheet; what cannot be told is not marked."""
    sheet = sheet_of(layout)
    said = {each.row: each for each in reading.row_bonus}

    def bonus(row: int, figure: int) -> BonusMark:
        if row in said and figure == said[row].circled:
            return BonusMark.CIRCLED
        is_struck = row in said and figure in said[row].struck
        return BonusMark.STRUCK if is_struck else BonusMark.OPEN

    return SheetState(
        sheet,
        tuple(
            tuple(Mark.EMPTY if letter == "?" else Mark(letter) for letter in line)
            for line in reading.grid
        ),
        tuple(frozenset(shape.cells) for shape in reading.shapes),
        tuple(
            tuple(bonus(printed.row, figure) for figure in printed.bonuses)
            for printed in sheet.colored_rows
        ),
    )


def advise(
    before: BloxxReading, layout: Layout, said: TurnSaid, after: BloxxReading | None = None
) -> Choices:
    """Where a rolled shape may be entered, as of `Advise`, for who writes its circle."""
    from brikks_vision.games.bloxx.player import PARTS, judged

    state = state_of(before, layout)
    dice = state.sheet.dice
    if dice is None:
        raise TurnsNotAdvised(layout.title)
    entries, ranked = judged(state, rolled(said, dice), dice, SEED)
    if not entries:
        raise RulesForbid(phrase("advice-over"))
    choices = []
    for each in ranked:
        entry = entries[each.number]
        told = shape_words(entry.cells, state.sheet)
        if entry.circle is not None:
            place = place_words([entry.circle], state.sheet)
            told = phrase("advice-circle", shape=told, place=place)
        cells, ahead = tuple(sorted(entry.cells)), dict(zip(PARTS, each.ahead, strict=True))
        choices.append(Choice(told, cells, 0, False, each.value, ahead, each.error, entry.circle))
    return Choices(tuple(choices))


def expected(reading: BloxxReading, layout: Layout) -> Expected | None:
    """What the computer player reaches on the sheet that comes with the package."""
    if sheet_of(layout) != sheet_of(load_layout(NAME)):
        return None
    found = json.loads(files(__package__).joinpath("strength.json").read_text("utf-8"))
    percentile = percentile_of(reading.score.total, found["percents"])
    return Expected(found["players"], None, found["mean"], found["sd"], found["games"], percentile)


def rolls(layout: Layout) -> list[tuple[str, Phrase, int]]:
    """The two dice; none where they are not known."""
    dice = zip(DICE, sheet_of(layout).dice or (), strict=False)
    return [(name, phrase(name), len(die)) for name, die in dice]


def rolled(said: TurnSaid, dice: tuple[Die, ...]) -> Face:
    """The shape that was rolled: which die, in any language, and its number."""
    if said.roll is None:
        raise RollMissing
    name, number = said.roll
    for die, key in zip(dice, DICE, strict=True):
        names = in_every_language(phrase(key))
        if name.lower() in names and number in range(1, 1 + len(die)):
            return die[number - 1]
    told = ", ".join(said.words(phrase(key)) for key in DICE)
    raise RollUnknown(name, number, told, min(map(len, dice)))


CAUSES = {
    "row": phrase("points-rows"),
    "number": phrase("lost-numbers"),
    "gap": phrase("lost-gaps"),
}
coach = Coach(CAUSES, lost, order, advise, rolls, expected)
