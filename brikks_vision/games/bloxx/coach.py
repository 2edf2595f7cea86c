"""What the coach says of a BLOXX! sheet."""

from __future__ import annotations

import json
from importlib.resources import files

from brikks_vision.errors import RollMissing, RulesForbid, TurnsNotAdvised
from brikks_vision.games.bloxx.places import sheet_of
from brikks_vision.games.bloxx.reading import BloxxReading, stands
from brikks_vision.infer import advice
from brikks_vision.infer.answers import cell_at
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.layout import Layout, load_layout
from brikks_vision.rules.bloxx import state as points
from brikks_vision.rules.bloxx.order import Resting, find_order
from brikks_vision.rules.bloxx.sheet import Die, Face, phrase, place_words, shape_words
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Shape, SheetState
from brikks_vision.rules.shapes import Lost
from brikks_vision.text.phrases import Phrase

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
    marks = stands(reading, layout)
    bonuses = iter(BonusMark(mark) for where, mark in marks.items() if cell_at(where) is None)
    return SheetState(
        sheet,
        tuple(
            tuple(Mark.EMPTY if letter == "?" else Mark(letter) for letter in line)
            for line in reading.grid
        ),
        tuple(frozenset(shape.cells) for shape in reading.shapes),
        tuple(tuple(next(bonuses) for _ in printed.bonuses) for printed in sheet.colored_rows),
    )


def advise(
    before: BloxxReading, layout: Layout, said: TurnSaid, after: BloxxReading | None = None
) -> advice.Choices:
    """Where a rolled shape may be entered, as of `Coach`, for who writes its circle."""
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
        choices.append(
            advice.Choice(told, cells, 0, False, each.value, ahead, each.error, entry.circle)
        )
    return advice.Choices(tuple(choices))


def expected(reading: BloxxReading, layout: Layout) -> advice.Expected | None:
    """What the computer player reaches on the sheet that comes with the package."""
    if sheet_of(layout) != sheet_of(load_layout(NAME)):
        return None
    found = json.loads(files(__package__).joinpath("strength.json").read_text("utf-8"))
    percentile = advice.percentile_of(reading.score.total, found["percents"])
    return advice.Expected(
        found["players"], None, found["mean"], found["sd"], found["games"], percentile
    )


def rolls(layout: Layout) -> list[tuple[str, Phrase, int]]:
    """The two dice; none where they are not known."""
    dice = zip(DICE, sheet_of(layout).dice or (), strict=False)
    return [(name, phrase(name), len(die)) for name, die in dice]


def rolled(said: TurnSaid, dice: tuple[Die, ...]) -> Face:
    """The shape that was rolled: which die, and its number."""
    sides = dict(zip(DICE, dice, strict=True))
    found = advice.rolled(said, {name: len(die) for name, die in sides.items()}, phrase)
    if found is None:
        raise RollMissing
    name, number = found
    return sides[name][number - 1]


CAUSES = {
    "row": phrase("points-rows"),
    "number": phrase("lost-numbers"),
    "gap": phrase("lost-gaps"),
}
coach = advice.Coach(CAUSES, lost, order, advise, rolls, expected)
