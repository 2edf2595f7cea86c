"""What is shown of a reading, whatever the game, and what a scan returns of a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from brikks_vision.layout import Cell, Point
from brikks_vision.reading import Doubt, Reading, Status
from brikks_vision.text.phrases import Phrase


@dataclass(frozen=True)
class Sign:
    """A mark as it is drawn over the sheet.

    part: the field of its place. kind: "cross", "ring", "struck", "off" or "fill". reach: half its
    width, in cells.
    """

    part: str
    kind: str
    at: Point
    reach: float


@dataclass(frozen=True)
class Outline:
    """Cells that belong together. color: a name of the layout's; None where it is wrong."""

    cells: tuple[Cell, ...]
    color: str | None


@dataclass(frozen=True)
class RowView:
    """The points of a row. written: by the player. factor: what they are multiplied with."""

    points: int
    written: int | None = None
    factor: str = ""


@dataclass(frozen=True)
class PartView:
    """A part of the score. at: where its points stand on the sheet; None: nowhere.

    is_sum: whether it is the sum of the rows above it.
    """

    name: Phrase
    points: int
    note: Phrase | None = None
    at: Point | None = None
    is_sum: bool = False


@dataclass(frozen=True)
class SheetView:
    """What is shown of a reading, on the sheet and beside it, whatever the game.

    marks: by place, its mark in the contract; "?": cannot be told. rows: those of the grid, top
    first. parts: of the score. written_total: by the player.
    """

    marks: Mapping[str, str]
    signs: tuple[Sign, ...] = ()
    outlines: tuple[Outline, ...] = ()
    rows: tuple[RowView, ...] = ()
    parts: tuple[PartView, ...] = ()
    written_total: int | None = None


@dataclass(frozen=True)
class BoardLabel:
    """A sign at a field of a board. ``at``: in fields (x, y), from the board's first corner."""

    sign: str
    at: Point
    is_unsure: bool = False


class DoubtWords(NamedTuple):
    """A doubt in words: the field, what is read there, and what else it may be."""

    where: Phrase
    read: Phrase
    otherwise: Phrase


@dataclass(frozen=True)
class BoardView:
    """What is shown of a board.

    plan: by row, top first, a sign of each field, "." where nothing stands. labels: the same to be
    drawn on the photo. facts: beside it. legend: what the signs mean. doubts: the reading's.
    """

    plan: tuple[tuple[str, ...], ...]
    labels: tuple[BoardLabel, ...]
    facts: tuple[Phrase, ...]
    legend: Phrase
    doubts: tuple[DoubtWords, ...]


@dataclass(frozen=True)
class BoardPlace:
    """A field of a board as it is shown to be tapped.

    where: as answers name it. told: what it is called. ground: its colour, as settings name it.
    thing: what stands there, as answers name it. sign: the same as plans show it; empty where
    nothing stands. thing_told: the same in words. owner: whose it is, one of
    `BoardChoices.players`; None: nobody's. is_unsure: asked about. is_shaded: not sure either.
    """

    where: str
    row: int
    column: int
    told: Phrase
    ground: str
    ground_told: Phrase
    thing: str
    thing_told: Phrase
    sign: str = ""
    owner: str | None = None
    is_unsure: bool = False
    is_shaded: bool = False


class Choice(NamedTuple):
    """Something to choose: as it is said to the program, and as people are told."""

    value: str
    told: Phrase


@dataclass(frozen=True)
class BoardChoices:
    """What a person can say of a board and of a hand.

    things: what can stand on a field. grounds: colours of a field. players: whose turn it can be.
    cards: kinds of cards of a hand. blocks: kinds of what a player has taken from the board.
    phases: of a game. most_cards, most_blocks: of one kind.
    """

    things: tuple[Choice, ...]
    grounds: tuple[Choice, ...]
    players: tuple[Choice, ...]
    cards: tuple[Choice, ...]
    blocks: tuple[Choice, ...]
    phases: tuple[int, ...]
    most_cards: int
    most_blocks: int


@dataclass(frozen=True)
class FieldDoubt(Doubt):
    """A field of a board that may bear something else: ``otherwise``, as answers write it."""

    otherwise: str


@dataclass(frozen=True, eq=False)
class ReadBoard(Reading):
    """A board. shaded: the fields that are not sure either, beside ``doubts``. It has no score."""

    status: Literal[Status.OK, Status.UNCERTAIN]
    error: None = None
    score: None = None
    doubts: tuple[FieldDoubt, ...] = ()
    shaded: tuple[FieldDoubt, ...] = ()
