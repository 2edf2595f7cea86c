"""What a photo of a board is read as, with its doubts and its status.

A reading of a board as it travels: to JSON, to the terminal, to a picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import lattice_corners
from brikks_vision.detect.placement import apply_homography
from brikks_vision.games.blox.decode import FIRST_TOWER, PAWNS, Decoded
from brikks_vision.games.blox.field_evidence import CALIBRATION
from brikks_vision.infer.protocol import Count
from brikks_vision.layout import Cell
from brikks_vision.reading import Probability, Status, ViolationReading, views
from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.position import (
    FIELDS,
    SIDE,
    Board,
    Position,
    Thing,
    Tower,
    index,
    parse_board,
    tower_of,
)
from brikks_vision.rules.blox.referee import phases_of, referee

Array = NDArray[np.float64]

SURE, DOUBT = CALIBRATION.sure, CALIBRATION.doubt
MAX_QUESTIONS = 4  # a photo: as many as people answer gladly
NOTHING = "nothing"
"""What answers call a field on which nothing stands."""


@dataclass(frozen=True)
class Doubt:
    """A field that may bear something else. otherwise: the second most probable; None: nothing."""

    field: material.Field
    read: Thing | None
    confidence: float
    otherwise: Thing | None


@dataclass(frozen=True)
class BoardReading:
    """What stands on the board.

    confidences: by field, the probability of what is read there. chance: that all fields, heights
    and pawns are right. block_confidences: by field of a tower, of each block's colour, bottom-up,
    0 for one that does not show. doubts: what is asked, at most `MAX_QUESTIONS`; first what would
    change most. shaded: all else that is not sure. corners: of the fields in the photo, clockwise
    from the board's first one, (4, 2) px. log_chances, seen, expected, block_colors, shown: as of
    `Decoded`.
    """

    position: Position
    status: Literal["ok", "uncertain"]
    chance: float
    confidences: Mapping[material.Field, float]
    block_confidences: Mapping[material.Field, tuple[float, ...]]
    doubts: tuple[Doubt, ...]
    shaded: tuple[Doubt, ...]
    corners: Array
    log_chances: Array
    seen: Array
    expected: Array
    block_colors: Array
    shown: Array
    homography: Array

    @property
    def phases(self) -> tuple[int, ...]:
        return phases_of(self.position)

    def likely(self, field: material.Field) -> tuple[str, ...]:
        """What the photo shows on a field, whatever was said of it, the most probable first."""
        order = self.seen[index(field)].argsort()[::-1]
        return tuple(thing_text(thing_at(int(place))) for place in order)


def place_of(field: material.Field) -> str:
    """A field as doubts and answers name it: "field 3,4", its row and column."""
    return f"field {field[0]},{field[1]}"


def thing_text(thing: Thing | None) -> str:
    """A thing as doubts and answers write it: "nothing", a pawn's colour, "tower 3"."""
    if thing is None:
        return NOTHING
    return f"tower {thing.height}" if isinstance(thing, Tower) else str(thing)


def compose(decoded: Decoded, homography: Array) -> BoardReading:
    """The reading of a decoded position."""
    confidences, is_said = decoded.confidences, decoded.is_said
    unsure = [field for field in FIELDS if confidences[index(field)] < DOUBT]
    weakest = int(decoded.seen.max(axis=1).argmin())  # asked about where no field is doubtful
    unsure = unsure or [FIELDS[weakest]] * (not is_said[weakest])
    is_settled = bool(is_said.any()) and not unsure  # a person has said all that was not sure
    is_sure = (decoded.chance >= SURE or is_settled) and not referee(decoded.position)
    doubts = [] if is_sure else [_doubt(decoded, field) for field in unsure]
    doubts.sort(key=lambda doubt: _change(decoded.position, doubt), reverse=True)
    return BoardReading(
        position=decoded.position,
        status="ok" if is_sure else "uncertain",
        chance=decoded.chance,
        confidences={field: float(confidences[index(field)]) for field in FIELDS},
        block_confidences=decoded.color_chances,
        doubts=tuple(doubts[:MAX_QUESTIONS]),
        shaded=tuple(doubts[MAX_QUESTIONS:]),
        corners=apply_homography(homography, lattice_corners(SIDE)),
        log_chances=decoded.log_chances,
        seen=decoded.seen,
        expected=decoded.expected,
        block_colors=decoded.block_colors,
        shown=decoded.shown,
        homography=homography,
    )


def _doubt(decoded: Decoded, field: material.Field) -> Doubt:
    row = decoded.log_chances[index(field)].copy()
    chosen = int(decoded.chosen[index(field)])
    confidence = float(np.exp(row[chosen]))
    row[chosen] = -np.inf
    return Doubt(field, decoded.position.at(field), confidence, thing_at(int(row.argmax())))


def _change(position: Position, doubt: Doubt) -> float:
    """How much an answer is expected to change: the field, and the phase if it hangs on it."""
    otherwise = position.with_things({doubt.field: doubt.otherwise})
    is_other_phase = phases_of(otherwise) != phases_of(position)
    return (1 - doubt.confidence) * (1 + is_other_phase)


def thing_at(place: int) -> Thing | None:
    """The thing of that place among `THINGS`; of a tower no block's colour is known."""
    if place >= FIRST_TOWER:
        return tower_of((None,) * (place - FIRST_TOWER + 1))
    return PAWNS[place - 1] if place else None


GAME = "blox"
EMPTY = "."


@dataclass(frozen=True)
class TowerReading:
    """A tower. blocks: colours, bottom-up; None for one that does not show."""

    field: Cell
    height: int
    blocks: tuple[str | None, ...]
    confidence: Probability


@dataclass(frozen=True)
class PawnReading:
    """A pawn of a colour."""

    field: Cell
    color: str
    confidence: Probability


@dataclass(frozen=True, eq=False)
class BloxReading(views.ReadBoard, game=GAME):
    """What stands on a board. A board has no score.

    fields: nine strings of nine letters, the board's colours. phase: those that the towers allow.
    """

    fields: tuple[str, ...] = ()
    towers: tuple[TowerReading, ...] = ()
    pawns: tuple[PawnReading, ...] = ()
    phase: tuple[int, ...] = ()


def told_reading(photo: str, board: str, seen: BoardReading) -> BloxReading:
    """The reading of a position on the board of that name."""
    position = seen.position
    return BloxReading(
        photo=photo,
        status=Status.OK if seen.status == "ok" else Status.UNCERTAIN,
        game=GAME,
        sheet=board,
        doubts=tuple(map(_told_doubt, seen.doubts)),
        shaded=tuple(map(_told_doubt, seen.shaded)),
        violations=_violations(position),
        fields=position.board.field_colors,
        towers=tuple(
            TowerReading(
                field,
                tower.height,
                tuple(None if color is None else str(color) for color in tower.blocks),
                seen.confidences[field],
            )
            for field, tower in position.towers.items()
        ),
        pawns=tuple(
            PawnReading(field, str(pawn), seen.confidences[field])
            for field, pawn in position.pawns.items()
        ),
        phase=seen.phases,
    )


def _told_doubt(doubt: Doubt) -> views.FieldDoubt:
    read, otherwise = thing_text(doubt.read), thing_text(doubt.otherwise)
    return views.FieldDoubt(place_of(doubt.field), read, doubt.confidence, None, otherwise)


def _violations(position: Position) -> tuple[ViolationReading, ...]:
    return tuple(ViolationReading.of(broken, broken.confidence) for broken in referee(position))


def judged(reading: BloxReading) -> BloxReading:
    """The reading with its broken rules as phrases, which one from JSON lacks."""
    things: dict[Cell, Thing | None] = {
        tower.field: tower_of(
            tuple(None if each is None else material.Color(each) for each in tower.blocks)
        )
        for tower in reading.towers
    }
    things |= {pawn.field: material.PawnColor(pawn.color) for pawn in reading.pawns}
    position = Position(parse_board({"field_colors": reading.fields})).with_things(things)
    return replace(reading, violations=_violations(position))


def counts(reading: BloxReading) -> tuple[Count, ...]:
    """How many towers and pawns stand on the board."""
    return (
        Count(material.phrase("towers-counted"), len(reading.towers)),
        Count(material.phrase("pawns-counted"), len(reading.pawns)),
    )


def view(reading: BloxReading) -> views.BoardView:
    """What is shown: heights of towers, and pawns by the first letters of their colours."""
    signs = {tower.field: str(tower.height) for tower in reading.towers}
    signs |= {pawn.field: pawn_sign(pawn.color) for pawn in reading.pawns}
    unsure = {doubt.where for doubt in (*reading.doubts, *reading.shaded)}
    labels = [
        views.BoardLabel(sign, (column + 0.5, row + 0.5), place_of((row, column)) in unsure)
        for (row, column), sign in signs.items()
    ]
    # what is read as nothing, and may be something
    labels += [
        views.BoardLabel("?", (column + 0.5, row + 0.5), True)
        for row in range(SIDE)
        for column in range(SIDE)
        if (row, column) not in signs and place_of((row, column)) in unsure
    ]
    plan = tuple(
        tuple(signs.get((row, column), EMPTY) for column in range(SIDE)) for row in range(SIDE)
    )
    doubts = tuple(_doubt_words(doubt) for doubt in reading.doubts)
    return views.BoardView(plan, tuple(labels), _facts(reading), material.phrase("legend"), doubts)


def places(reading: BloxReading) -> tuple[views.BoardPlace, ...]:
    """All fields, row by row, with what stands there."""
    shown = view(reading)
    asked, shaded = ({doubt.where for doubt in each} for each in (reading.doubts, reading.shaded))
    things = {tower.field: f"tower {tower.height}" for tower in reading.towers}
    owners = {pawn.field: pawn.color for pawn in reading.pawns}
    return tuple(
        replace(
            place,
            thing=thing,
            thing_told=thing_words(thing),
            sign=sign.replace(EMPTY, ""),
            owner=owners.get(field),
            is_unsure=place.where in asked,
            is_shaded=place.where in shaded,
        )
        for field, place, sign in zip(
            FIELDS,
            empty_places(parse_board({"field_colors": reading.fields})),
            chain.from_iterable(shown.plan),
            strict=True,
        )
        for thing in (owners.get(field) or things.get(field, NOTHING),)
    )


def empty_places(board: Board) -> tuple[views.BoardPlace, ...]:
    """All fields of a board, row by row, on which nothing stands."""
    return tuple(
        views.BoardPlace(
            where=place_of(field),
            row=field[0],
            column=field[1],
            told=material.field_words(field),
            ground=str(board.color(field)),
            ground_told=material.color_words(board.color(field)),
            thing=NOTHING,
            thing_told=thing_words(NOTHING),
        )
        for field in FIELDS
    )


def _doubt_words(doubt: views.FieldDoubt) -> views.DoubtWords:
    row, column = map(int, doubt.where.removeprefix("field ").split(","))
    where = material.field_words((row, column))
    return views.DoubtWords(where, thing_words(doubt.read), thing_words(doubt.otherwise))


def thing_words(thing: str) -> material.Phrase:
    """What a doubt or an answer calls a thing, such as "tower 3", for people."""
    if thing == NOTHING:
        return material.phrase("thing-nothing")
    kind, _, height = thing.partition(" ")
    return (
        material.phrase("thing-tower", height=int(height))
        if height
        else material.phrase(f"pawn-{kind}")
    )


def pawn_sign(color: str) -> str:
    """ "Bl", "Br", "Gr" or "Re", as plans show it."""
    return color[:2].capitalize()


def _facts(reading: BloxReading) -> tuple[material.Phrase, ...]:
    blocks = sum(tower.height for tower in reading.towers)
    facts = [material.phrase("towers-told", count=len(reading.towers), blocks=blocks)]
    for color in dict.fromkeys(pawn.color for pawn in reading.pawns):
        count = sum(pawn.color == color for pawn in reading.pawns)
        facts.append(
            material.phrase("pawns-told", number=count, pawns=material.phrase(f"pawns-{color}"))
        )
    facts.append(material.phrase("phases-told", phases=material.one_of(reading.phase)))
    return tuple(facts)
