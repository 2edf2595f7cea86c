"""A reading of a board as it travels: to JSON, to the terminal, to a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from brikks_vision.decode.game import Count
from brikks_vision.games.blox.reading import NOTHING, BoardReading, place_of, thing_text
from brikks_vision.layout import Cell
from brikks_vision.reading import Status, ViolationReading, probability_json
from brikks_vision.reading.boards import FieldDoubt, ReadBoard
from brikks_vision.reading.views import BoardLabel, BoardPlace, BoardView, DoubtWords
from brikks_vision.rules.blox.board import FIELDS, SIDE, Board, parse_board
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import Position, Thing, tower_of
from brikks_vision.rules.blox.referee import referee
from brikks_vision.rules.blox.words import Phrase, color_words, field_words, one_of, phrase

GAME = "blox"
EMPTY = "."


@dataclass(frozen=True)
class TowerReading:
    """A tower. blocks: colours, bottom-up; None for one that does not show."""

    field: Cell
    height: int
    blocks: tuple[str | None, ...]
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "field": list(self.field),
            "height": self.height,
            "blocks": list(self.blocks),
            "confidence": probability_json(self.confidence),
        }


@dataclass(frozen=True)
class PawnReading:
    """A pawn of a colour."""

    field: Cell
    color: str
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "field": list(self.field),
            "color": self.color,
            "confidence": probability_json(self.confidence),
        }


@dataclass(frozen=True, eq=False)
class BloxReading(ReadBoard, game=GAME):
    """What stands on a board. A board has no score.

    fields: nine strings of nine letters, the board's colours. phase: those that the towers allow.
    """

    fields: tuple[str, ...] = ()
    towers: tuple[TowerReading, ...] = ()
    pawns: tuple[PawnReading, ...] = ()
    phase: tuple[int, ...] = ()

    def content(self) -> dict[str, Any]:
        return {
            "fields": list(self.fields),
            "towers": [tower.to_dict() for tower in self.towers],
            "pawns": [pawn.to_dict() for pawn in self.pawns],
            "phase": list(self.phase),
            "score": None,
        }

    @classmethod
    def no_content(cls) -> dict[str, Any]:
        return {"fields": [], "towers": [], "pawns": [], "phase": [], "score": None}


def told_reading(photo: str, board: str, seen: BoardReading) -> BloxReading:
    """The reading of a position on the board of that name."""
    position = seen.position
    return BloxReading(
        photo=photo,
        status=Status.OK if seen.status == "ok" else Status.UNCERTAIN,
        game=GAME,
        sheet=board,
        doubts=tuple(
            FieldDoubt(
                place_of(doubt.field),
                thing_text(doubt.read),
                doubt.confidence,
                None,
                thing_text(doubt.otherwise),
            )
            for doubt in seen.doubts
        ),
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


def _violations(position: Position) -> tuple[ViolationReading, ...]:
    return tuple(ViolationReading.of(broken, broken.confidence) for broken in referee(position))


def judged(reading: BloxReading) -> BloxReading:
    """The reading with its broken rules as phrases, which one from JSON lacks."""
    things: dict[Cell, Thing | None] = {
        tower.field: tower_of(tuple(None if each is None else Color(each) for each in tower.blocks))
        for tower in reading.towers
    }
    things |= {pawn.field: PawnColor(pawn.color) for pawn in reading.pawns}
    position = Position(parse_board({"field_colors": reading.fields})).with_things(things)
    return replace(reading, violations=_violations(position))


def counts(reading: BloxReading) -> tuple[Count, ...]:
    """How many towers and pawns stand on the board."""
    return (
        Count(phrase("towers-counted"), len(reading.towers)),
        Count(phrase("pawns-counted"), len(reading.pawns)),
    )


def view(reading: BloxReading) -> BoardView:
    """What is shown: heights of towers, and pawns by the first letters of their colours."""
    signs = {tower.field: str(tower.height) for tower in reading.towers}
    signs |= {pawn.field: pawn_sign(pawn.color) for pawn in reading.pawns}
    unsure = {doubt.where for doubt in reading.doubts}
    labels = [
        BoardLabel(sign, (column + 0.5, row + 0.5), place_of((row, column)) in unsure)
        for (row, column), sign in signs.items()
    ]
    # what is read as nothing, and may be something
    labels += [
        BoardLabel("?", (column + 0.5, row + 0.5), True)
        for row in range(SIDE)
        for column in range(SIDE)
        if (row, column) not in signs and place_of((row, column)) in unsure
    ]
    plan = tuple(
        tuple(signs.get((row, column), EMPTY) for column in range(SIDE)) for row in range(SIDE)
    )
    doubts = tuple(_doubt_words(doubt) for doubt in reading.doubts)
    return BoardView(plan, tuple(labels), _facts(reading), phrase("legend"), doubts)


def places(reading: BloxReading) -> tuple[BoardPlace, ...]:
    """All fields, row by row, with what stands there."""
    shown = view(reading)
    unsure = {doubt.where for doubt in reading.doubts}
    things = {tower.field: f"tower {tower.height}" for tower in reading.towers}
    owners = {pawn.field: pawn.color for pawn in reading.pawns}
    return tuple(
        replace(
            place,
            thing=thing,
            thing_told=thing_words(thing),
            sign=sign.replace(EMPTY, ""),
            owner=owners.get(field),
            is_unsure=place.where in unsure,
        )
        for field, place, sign in zip(
            FIELDS,
            empty_places(parse_board({"field_colors": reading.fields})),
            chain.from_iterable(shown.plan),
            strict=True,
        )
        for thing in (owners.get(field) or things.get(field, NOTHING),)
    )


def empty_places(board: Board) -> tuple[BoardPlace, ...]:
    """All fields of a board, row by row, on which nothing stands."""
    return tuple(
        BoardPlace(
            where=place_of(field),
            row=field[0],
            column=field[1],
            told=field_words(field),
            ground=str(board.color(field)),
            ground_told=color_words(board.color(field)),
            thing=NOTHING,
            thing_told=thing_words(NOTHING),
        )
        for field in FIELDS
    )


def _doubt_words(doubt: FieldDoubt) -> DoubtWords:
    row, column = map(int, doubt.where.removeprefix("field ").split(","))
    where = field_words((row, column))
    return DoubtWords(where, thing_words(doubt.read), thing_words(doubt.otherwise))


def thing_words(thing: str) -> Phrase:
    """What a doubt or an answer calls a thing, such as "tower 3", for people."""
    if thing == NOTHING:
        return phrase("thing-nothing")
    kind, _, height = thing.partition(" ")
    return phrase("thing-tower", height=int(height)) if height else phrase(f"pawn-{kind}")


def pawn_sign(color: str) -> str:
    """ "Bl", "Br", "Gr" or "Re", as plans show it."""
    return color[:2].capitalize()


def _facts(reading: BloxReading) -> tuple[Phrase, ...]:
    blocks = sum(tower.height for tower in reading.towers)
    facts = [phrase("towers-told", count=len(reading.towers), blocks=blocks)]
    for color in dict.fromkeys(pawn.color for pawn in reading.pawns):
        count = sum(pawn.color == color for pawn in reading.pawns)
        facts.append(phrase("pawns-told", number=count, pawns=phrase(f"pawns-{color}")))
    facts.append(phrase("phases-told", phases=one_of(reading.phase)))
    return tuple(facts)
