"""A player's points: the chips and blocks that are laid out on a table, from a photo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image
from brikks_vision.detect.things import FoundThing, find_things, thing_face
from brikks_vision.rules.blox.material import CHIP_VALUES, Color

Array = NDArray[np.float64]

LOCATOR, READER = "table_locator", "table_things"
KINDS = ("chip", "block")
NOTHING = "nothing"
CLASSES = (
    *(f"chip {value}" for value in CHIP_VALUES),
    *(f"block {color}" for color in Color),
    NOTHING,
)
"""What a thing may be, as answers call it."""
FACE_PIXELS = 40
SURE = 0.95
"""From this probability of the sum and the number of blocks on a reading is ok."""
DOUBT = 0.97
"""A thing below it is a doubt."""
# Of the locator's and the reader's log-odds that there is a thing.
LOCATOR_WEIGHT, READER_WEIGHT = 0.5, 0.8
READER_TEMPERATURE = 1.0
IN_RANGE = 0.995
MIN_CHANCE = 1e-6


@dataclass(frozen=True)
class LaidThing:
    """Something on the table. chances: of `CLASSES`, (10,). x, y, reach: px of the photo."""

    x: float
    y: float
    reach: float
    chances: Array
    answered: bool = False

    @property
    def read(self) -> str:
        return CLASSES[int(self.chances.argmax())]

    @property
    def counted(self) -> tuple[int, int]:
        """Its points and how many blocks it is."""
        return worth(self.read)

    @property
    def confidence(self) -> float:
        """That it counts for what it was read as; a block's colour counts for nothing."""
        return sum(
            float(chance)
            for name, chance in zip(CLASSES, self.chances, strict=True)
            if worth(name) == self.counted
        )

    @property
    def otherwise(self) -> str:
        """The most probable thing that counts otherwise."""
        others = [
            (float(chance), name)
            for name, chance in zip(CLASSES, self.chances, strict=True)
            if worth(name) != self.counted
        ]
        return max(others)[1]


@dataclass(frozen=True)
class Counted:
    """What a player has. things: in reading order. chance: that sum and blocks are right."""

    things: tuple[LaidThing, ...]
    chance: float
    sum_range: tuple[int, int]

    @property
    def total(self) -> int:
        return sum(thing.counted[0] for thing in self.things)

    @property
    def blocks(self) -> int:
        return sum(thing.counted[1] for thing in self.things)

    @property
    def doubted(self) -> tuple[int, ...]:
        """The numbers, from 1, of the things to ask about, the least sure first.

        When all of them are answered, the reading is sure.
        """
        order = sorted(range(len(self.things)), key=lambda place: self.things[place].confidence)
        asked: list[int] = []
        left = self.chance
        for place in order:
            confidence = self.things[place].confidence
            if confidence >= DOUBT and left >= SURE:
                break
            asked.append(place + 1)
            left /= max(confidence, MIN_CHANCE)
        return tuple(asked)


def worth(name: str) -> tuple[int, int]:
    """The points and blocks that one of `CLASSES` counts."""
    kind, _, which = name.partition(" ")
    return (int(which), 0) if kind == "chip" else (0, int(kind == "block"))


def look_at_table(photo: Image) -> tuple[LaidThing, ...]:
    """All that may be a chip or a block in a photo, in reading order."""
    found = find_things(photo, LOCATOR)
    if not found:
        return ()
    faces = np.array(
        [thing_face(photo, thing.x, thing.y, thing.reach, FACE_PIXELS) for thing in found]
    )
    logits = run_batch(READER, faces).astype(np.float64) / READER_TEMPERATURE
    logs = logits - np.logaddexp.reduce(logits, axis=1)[:, None]
    things = [
        LaidThing(thing.x, thing.y, thing.reach, _chances(thing, row))
        for thing, row in zip(found, logs, strict=True)
    ]
    shown = [thing for thing in things if thing.read != NOTHING or thing.confidence < DOUBT]
    return in_reading_order(shown)


def _chances(found: FoundThing, logs: Array) -> Array:
    """The probabilities of `CLASSES`, from both networks."""
    of_things = np.logaddexp.reduce(logs[:-1])
    seen = np.clip(found.chance, MIN_CHANCE, 1 - MIN_CHANCE)
    is_thing = LOCATOR_WEIGHT * np.log(seen / (1 - seen)) + READER_WEIGHT * (of_things - logs[-1])
    chance = 1 / (1 + np.exp(-is_thing))
    return np.append(np.exp(logs[:-1] - of_things) * chance, 1 - chance)


def in_reading_order(things: list[LaidThing]) -> tuple[LaidThing, ...]:
    """By rows, top first, each from left to right. A row ends where the next thing is lower by more
    than a thing's half width."""
    ordered = sorted(things, key=lambda thing: thing.y)
    ends = [
        place for place, (one, other) in enumerate(pairwise(ordered), 1)
        if other.y - one.y > one.reach
    ]  # fmt: skip
    rows = [ordered[start:end] for start, end in zip([0, *ends], [*ends, None], strict=True)]
    return tuple(thing for row in rows for thing in sorted(row, key=lambda thing: thing.x))


def counted(things: tuple[LaidThing, ...], answers: Mapping[int, str]) -> Counted:
    """The sum and the number of blocks. answers: what things are, one of `CLASSES`, by number from
    1."""
    settled = tuple(
        _answered(thing, answers[number]) if number in answers else thing
        for number, thing in enumerate(things, 1)
    )
    sums = _sums(settled)
    chance = float(np.prod([thing.confidence for thing in settled])) if settled else 1.0
    return Counted(settled, chance, _range(sums))


def _answered(thing: LaidThing, name: str) -> LaidThing:
    chances = np.zeros(len(CLASSES))
    chances[CLASSES.index(name)] = 1.0
    return LaidThing(thing.x, thing.y, thing.reach, chances, answered=True)


def _sums(things: tuple[LaidThing, ...]) -> Array:
    """The probability of each sum from 0 on."""
    sums = np.ones(1)
    for thing in things:
        own = np.zeros(max(CHIP_VALUES) + 1)
        for name, chance in zip(CLASSES, thing.chances, strict=True):
            own[worth(name)[0]] += chance
        sums = np.convolve(sums, own)
    return sums


def _range(sums: Array) -> tuple[int, int]:
    """The sums that are left when the least probable ones at both ends are cut off."""
    cut = (1 - IN_RANGE) / 2
    below = np.cumsum(sums)
    first = int(np.searchsorted(below, cut, side="right"))
    last = int(np.searchsorted(below, below[-1] - cut))
    return first, last
