"""Dice for printings whose own dice are not known: shapes of three to five squares, one a circle.

There are few of them, drawn once: the rules library keeps where each shape fits for ever.
"""

from __future__ import annotations

import random
from functools import cache

from brikks_vision.rules.bloxx.sheet import DICE, FACES, Cell, Die, Face, Sheet, turned
from brikks_vision.rules.shapes import neighbors, shape_of

SETS = 4
"""Pairs of dice to choose from."""


def random_face(rng: random.Random) -> Face:
    """A shape that hangs together, grown square by square."""
    cells: list[Cell] = [(0, 0)]
    size = rng.choice((3, 4, 4, 4, 5, 5))
    while len(cells) < size:
        near = rng.choice(neighbors(rng.choice(cells)))
        if near not in cells:
            cells.append(near)
    form = shape_of(cells)
    return Face(form, rng.choice(form))


@cache
def dice_pairs() -> tuple[tuple[Die, ...], ...]:
    """The pairs of dice; no two shapes of a pair are the same in any turning."""
    rng = random.Random(10)
    return tuple(_pair(rng) for _ in range(SETS))


def _pair(rng: random.Random) -> tuple[Die, ...]:
    faces: list[Face] = []
    while len(faces) < DICE * FACES:
        face = random_face(rng)
        if not any(face in turned(other) for other in faces):
            faces.append(face)
    return tuple(tuple(faces[die * FACES : (die + 1) * FACES]) for die in range(DICE))


def dice_of(sheet: Sheet, rng: random.Random) -> tuple[Die, ...]:
    """The sheet's own dice, or any pair where it knows none."""
    return sheet.dice if sheet.dice is not None else rng.choice(dice_pairs())
