"""A toy on a board: stones on a pond of nine fields within a thick black frame."""

import json
import re
from dataclasses import dataclass
from math import exp
from typing import Any

import cv2
import numpy as np

from brikks_vision.errors import AnswerOffSheet, AnswerUnclear, DefinitionDamaged, NoBoardFound
from brikks_vision.infer.protocol import Count, Game
from brikks_vision.layout import Box, content_hash
from brikks_vision.reading import Status, views
from brikks_vision.text.phrases import Phrase, phrase

NAME, TITLE, SIDE = "pond", "Pond", 3
THINGS = ("nothing", "stone")
FIELDS = [(row, column) for row in range(SIDE) for column in range(SIDE)]
CORNERS = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
WATER = "."


@dataclass(frozen=True)
class Pond:
    """A printing; ``water``: a letter of each field's ground, row by row."""

    name: str = NAME
    water: str = WATER * SIDE * SIDE
    game: str = NAME
    title: str = TITLE
    finder: str = "lattice"

    @property
    def outline(self) -> Box:
        return Box(0, 0, SIDE, SIDE)

    @property
    def printing(self) -> str | None:
        return None if self.water == Pond.water else content_hash(self.to_json())

    def to_json(self) -> str:
        data = {"version": 1, "name": self.name, "game": NAME, "title": TITLE, "water": self.water}
        return json.dumps(data)


def packaged():
    return (Pond(),)


def parse_printing(data, source):
    water = data.get("water")
    if not isinstance(water, str) or len(water) != SIDE * SIDE:
        raise DefinitionDamaged(source, "water")
    return Pond(data["name"], water)


@dataclass(frozen=True)
class Plane:
    homography: Any

    def to_photo(self, points):
        found = cv2.perspectiveTransform(np.asarray(points, np.float64)[None], self.homography)
        return found[0]


@dataclass(frozen=True)
class Placed:
    layout: Pond
    placement: Plane


def place(image, printings):
    dark = (image.max(axis=2) < 60).astype(np.uint8)
    outlines, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True):
        corners = cv2.approxPolyDP(outline, 0.05 * cv2.arcLength(outline, True), True)
        if len(corners) == 4 and cv2.contourArea(corners) > 0.1 * dark.size:
            ring = corners[:, 0].astype(np.float32)
            first = int(ring.sum(axis=1).argmin())
            ring = np.roll(ring, -first, axis=0)
            ring = ring if ring[1, 0] > ring[3, 0] else ring[[0, 3, 2, 1]]
            return Placed(printings[0], Plane(cv2.getPerspectiveTransform(CORNERS, ring)))
    raise NoBoardFound


def observe(photo, placed, known):
    """The log-odds of a stone on each field, and how deep the pond is."""
    middles = placed.placement.to_photo([(column + 0.5, row + 0.5) for row, column in FIELDS])
    found = [int(photo.image[round(y), round(x)].max()) for x, y in middles]
    return tuple((128 - light) / 12 for light in found), known.get("depth")


def combined(photos, layout):
    logits = tuple(map(sum, zip(*(each for each, _ in photos), strict=True)))
    return logits, photos[0][1]


def contradicts(one, other):
    return any(
        mine * theirs < 0 and min(abs(mine), abs(theirs)) > 5
        for mine, theirs in zip(one[0], other[0], strict=True)
    )


@dataclass(frozen=True, eq=False)
class PondReading(views.ReadBoard, game=NAME):
    depth: int | None = None

    def content(self):
        return {"grid": list(self.grid), "depth": self.depth, "score": None}


def read(name, evidence, layout, answers):
    said, (logits, depth) = canonical(answers), evidence
    odds = [
        logit if where not in said else 20.0 if said[where] == "stone" else -20.0
        for where, logit in zip(map(_named, FIELDS), logits, strict=True)
    ]
    signs = "".join("X" if logit > 0 else "." for logit in odds)
    grid = tuple(signs[at : at + SIDE] for at in range(0, len(signs), SIDE))
    doubts = tuple(
        views.FieldDoubt(_named(field), THINGS[logit > 0], 1 / (1 + exp(-abs(logit))), None,
                   THINGS[logit <= 0])
        for field, logit in zip(FIELDS, odds, strict=True)
        if abs(logit) < 3
    )  # fmt: skip
    status = Status.UNCERTAIN if doubts else Status.OK
    reading = PondReading(name, status, game=NAME, sheet=layout.name, printing=layout.printing,
                          grid=grid, doubts=doubts, depth=depth)  # fmt: skip
    return reading, grid


def printing_of(reading):
    return Pond(reading.sheet or NAME)


def view(reading, layout, state=None):
    unsure = {doubt.where for doubt in reading.doubts}
    labels = [
        views.BoardLabel("X", (column + 0.5, row + 0.5), _named((row, column)) in unsure)
        for row, column in FIELDS
        if reading.grid[row][column] == "X"
    ]
    doubts = [
        views.DoubtWords(_told(_field(doubt.where)), _thing(doubt.read), _thing(doubt.otherwise))
        for doubt in reading.doubts
    ]
    plan = tuple(tuple(row) for row in reading.grid)
    facts = (phrase("pond.stones-told", count=_stones(reading)),)
    return views.BoardView(plan, tuple(labels), facts, phrase("pond.legend"), tuple(doubts))


def moves(posterior, color, cards, blocks=(), phase=None):
    return ()


# --- what can stand on the fields -----------------------------------------------------------------


class board:  # noqa: N801
    @staticmethod
    def canonical(answers):
        return canonical(answers)

    @staticmethod
    def counts(reading):
        return (Count(phrase("pond.stones-counted"), _stones(reading)),)

    @staticmethod
    def judged(reading):
        return reading

    @staticmethod
    def places(reading):
        return tuple(
            views.BoardPlace(_named((row, column)), row, column, _told((row, column)), "water",
                       phrase("pond.water"), thing, _thing(thing), sign.replace(".", ""),
                       None, _named((row, column)) in {each.where for each in reading.doubts})
            for row, column in FIELDS
            for sign in (reading.grid[row][column],)
            for thing in (THINGS[sign == "X"],)
        )  # fmt: skip

    @staticmethod
    def likely(posterior, where):
        return THINGS

    @staticmethod
    def from_other_side(posterior, size):
        return ()

    @staticmethod
    def choices():
        things = tuple(views.Choice(thing, _thing(thing)) for thing in THINGS)
        return views.BoardChoices(
            things, (views.Choice("water", phrase("pond.water")),), (), (), (), (), 0, 0
        )


def canonical(answers):
    return {_named(_field(where)): _checked(where, thing) for where, thing in answers.items()}


def _checked(where: str, thing: str) -> str:
    if thing.strip().lower() not in THINGS:
        raise AnswerUnclear(f"{where}={thing}", "field 0,1=stone")
    return thing.strip().lower()


def _field(where: str) -> tuple[int, int]:
    found = re.fullmatch(r"field (\d+),(\d+)", where)
    if not found:
        raise AnswerUnclear(where, "field 0,1=stone")
    field = int(found[1]), int(found[2])
    if field not in FIELDS:
        raise AnswerOffSheet(where, "field 0,0 - 2,2")
    return field


def _named(field: tuple[int, int]) -> str:
    return f"field {field[0]},{field[1]}"


def _told(field: tuple[int, int]) -> Phrase:
    return phrase("pond.field-place", row=field[0] + 1, column=field[1] + 1)


def _thing(thing: str) -> Phrase:
    return phrase(f"pond.thing-{thing}")


def _stones(reading) -> int:
    return "".join(reading.grid).count("X")


class PondGame(Game):
    NAME, TITLE, board = NAME, TITLE, board
    packaged, parse_printing, printing_of = map(
        staticmethod, (packaged, parse_printing, printing_of)
    )
    place, observe, combined, contradicts = map(
        staticmethod, (place, observe, combined, contradicts)
    )
    read, view, moves = map(staticmethod, (read, view, moves))


DEFINITION = PondGame()
