"""BLOX as a board game of `brikks_vision.decode.game`."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

import cv2
import numpy as np

from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Points, apply_homography
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    DefinitionDamaged,
    NoPiecesFound,
    RulesForbid,
)
from brikks_vision.games.blox import learn as learning
from brikks_vision.games.blox import points as counting
from brikks_vision.games.blox import told_points
from brikks_vision.games.blox.place import place_one_of
from brikks_vision.games.blox.reading import NOTHING, BoardReading, read_placed, thing_text
from brikks_vision.games.blox.told import (
    GAME,
    BloxReading,
    counts,
    empty_places,
    judged,
    places,
    thing_words,
    told_reading,
    view,
)
from brikks_vision.games.blox.turn import ReadTurn, moves_dicts, read_turn
from brikks_vision.games.blox.turn import moves as legal_moves
from brikks_vision.reading import (
    BoardChoices,
    BoardLabel,
    BoardPlace,
    Choice,
    PrintDoubt,
    ReadPoints,
    Status,
    ViolationReading,
)
from brikks_vision.rules.blox.actions import action_words, start_of
from brikks_vision.rules.blox.board import FIELDS, SIDE, Board, index, load_board, parse_board
from brikks_vision.rules.blox.errors import BloxError
from brikks_vision.rules.blox.material import (
    BLOCKS_OF_A_COLOR,
    HAND,
    JOKER,
    MAX_HEIGHT,
    Color,
    Field,
    PawnColor,
)
from brikks_vision.rules.blox.phases import PHASES
from brikks_vision.rules.blox.position import Thing, tower_of
from brikks_vision.rules.blox.possible import PossibleAction
from brikks_vision.rules.blox.typed import parse_pawn
from brikks_vision.rules.blox.words import (
    Fact,
    Phrase,
    all_of,
    color_words,
    field_words,
    pawn_words,
    pawns_words,
    phrase,
)
from brikks_vision.text.phrases import Translator

__all__ = [
    "NAME",
    "TITLE",
    "NamedBoard",
    "board_pdf",
    "canonical",
    "choices",
    "counts",
    "judged",
    "learn",
    "moves",
    "packaged_board",
    "parse_definition",
    "places",
    "points",
    "read",
    "turn",
    "view",
]

NAME, TITLE = GAME, learning.TITLE
ANSWERS = "field 3,4=nothing, field 3,4=blue, field 3,4=tower 2"
SETTINGS = "field 3,4=white, field 3,4=grey, field 3,4=purple, field 3,4=black"


@dataclass(frozen=True)
class NamedBoard:
    """A board as definitions hold it."""

    name: str
    title: str
    board: Board


def packaged_board() -> NamedBoard:
    """The board of the project's own making."""
    return NamedBoard(NAME, TITLE, load_board())


def board_pdf(paper: str, words: Translator) -> bytes:
    """The packaged board to print, with chips and cards, as a PDF; raises UnknownValue."""
    from brikks_vision.games.blox import pdf  # takes long to import

    file = resources.files("brikks_vision").joinpath("layouts", f"{NAME}.json")
    colors = json.loads(file.read_text("utf-8"))["colors"]
    return pdf.board_pdf(load_board(), colors, paper, words)


def parse_definition(data: Mapping[str, object], source: object) -> NamedBoard:
    """A board from the data of its definition; raises DefinitionDamaged."""
    name, title = data.get("name"), data.get("title", TITLE)
    if not isinstance(name, str) or not isinstance(title, str):
        raise DefinitionDamaged(source, "name")
    try:
        return NamedBoard(name, title, parse_board(data))
    except BloxError:
        broken = "field_colors" if data.get("squares") is None else "field_colors, squares"
        raise DefinitionDamaged(source, broken) from None


@dataclass(frozen=True)
class LearntBoard:
    """A learnt board: what is not sure of it, and where what was learnt is seen in the photo."""

    learnt: learning.LearntBoard
    photo: Photo
    game: str = NAME
    title: str = TITLE
    side: int = SIDE

    @property
    def name(self) -> str:
        return self.learnt.name

    @property
    def doubts(self) -> tuple[PrintDoubt, ...]:
        board, sure = self.learnt.board, self.learnt.confidences
        found = [
            PrintDoubt(_place(field), str(board.color(field)), sure[index(field)])
            for field in self.learnt.unsure
        ]
        return tuple(sorted(found, key=lambda doubt: doubt.confidence))

    @property
    def labels(self) -> tuple[BoardLabel, ...]:
        board, unsure = self.learnt.board, set(self.learnt.unsure)
        return tuple(
            BoardLabel(board.color((y, x))[0], (x + 0.5, y + 0.5), (y, x) in unsure)
            for y, x in FIELDS
        )

    @property
    def places(self) -> tuple[BoardPlace, ...]:
        unsure = {_place(field) for field in self.learnt.unsure}
        return tuple(
            replace(place, is_unsure=place.where in unsure)
            for place in empty_places(self.learnt.board)
        )

    def to_photo(self, points: Points) -> Points:
        """Where points of the board (N, 2), in fields, lie in the photo's image, px."""
        lattice = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
        plane = cv2.getPerspectiveTransform(lattice, self.learnt.corners.astype(np.float32))
        return apply_homography(plane, np.asarray(points, np.float64))

    def to_json(self) -> str:
        return self.learnt.to_json()


def learn(photo: Photo, name: str, settings: Mapping[str, str]) -> LearntBoard:
    """Learn a board from a photo of it, empty.

    ``settings`` : "field 3,4" to "white", "grey", "purple" or "black".

    Raises
    ------
    NoBoardFound, BoardCutOff, BoardOfOtherGame, BoardNotEmpty
    AnswerUnclear, AnswerOffSheet
    """
    said = {}
    for place, color in settings.items():
        field = _field(place, f"{place}={color}", SETTINGS)
        if color.strip().lower() not in [*Color]:
            raise AnswerUnclear(f"{place}={color}", SETTINGS)
        said[field] = Color(color.strip().lower())
    return LearntBoard(learning.learn_board(photo.image, name).with_colors(said), photo)


@dataclass(frozen=True)
class BoardSeen:
    """A board with what stands on it; ``seen`` is in px of ``photo.image``."""

    reading: BloxReading
    seen: BoardReading
    photo: Photo
    board: NamedBoard

    def to_photo(self, points: Points) -> Points:
        """Where points of the board (N, 2), in fields, lie in the photo's image, px."""
        return apply_homography(self.seen.homography, np.asarray(points, np.float64))


def read(photo: Photo, boards: Sequence[NamedBoard], answers: Mapping[str, str]) -> BoardSeen:
    """What stands on that one of the boards which the photo shows.

    ``answers`` : "field 3,4" to "nothing", a pawn's colour, or "tower 2".

    Raises
    ------
    NoBoardFound, BoardCutOff, BoardIsAnother
    AnswerUnclear, AnswerOffSheet
    """
    said = _said(answers)
    start = time.perf_counter()
    number, placed = place_one_of(photo.image, [each.board for each in boards])
    board = boards[number]
    seen = read_placed(photo.image, placed, board.board, said)
    spent = {"read": 1000 * (time.perf_counter() - start)}
    reading = told_reading(photo.name, board.name, seen, spent)
    corners = tuple(
        ((x + 0.5) / photo.scale - 0.5, (y + 0.5) / photo.scale - 0.5)
        for x, y in reading.corners or ()
    )
    return BoardSeen(replace(reading, corners=corners), seen, photo, board)


def _said(answers: Mapping[str, str]) -> dict[Field, Thing | None]:
    return {
        _field(place, f"{place}={thing}", ANSWERS): _thing(thing, f"{place}={thing}")
        for place, thing in answers.items()
    }


def canonical(answers: Mapping[str, str]) -> dict[str, str]:
    """The same answers as doubts are written: "field 3,4" to "tower 2".

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    """
    return {_place(field): thing_text(thing) for field, thing in _said(answers).items()}


def points(photo: Photo, answers: Mapping[str, str]) -> ReadPoints:
    """What a player has won: the chips and blocks in a photo.

    ``answers`` : "thing 3" to "nothing", "chip 4" or "block grey".

    Raises
    ------
    NoPiecesFound
    AnswerUnclear, AnswerOffSheet
    """
    things = counting.look_at_table(photo.image)
    if not things:
        raise NoPiecesFound
    said = dict(told_points.answer(place, name, len(things)) for place, name in answers.items())
    return told_points.told(counting.counted(things, said), photo)


def choices() -> BoardChoices:
    """What can stand on a field, and what a player can have."""
    things = (NOTHING, *PawnColor, *(f"tower {height}" for height in range(1, MAX_HEIGHT + 1)))
    colors = tuple(Choice(str(color), color_words(color)) for color in Color)
    return BoardChoices(
        things=tuple(Choice(str(thing), thing_words(thing)) for thing in things),
        grounds=colors,
        players=tuple(Choice(str(pawn), pawns_words(pawn)) for pawn in PawnColor),
        cards=(*colors, Choice(JOKER, color_words(JOKER))),
        blocks=colors,
        phases=PHASES,
        most_cards=HAND,
        most_blocks=BLOCKS_OF_A_COLOR,
    )


@dataclass(frozen=True)
class LegalAction:
    """A legal action of the player with pawns of that colour."""

    found: PossibleAction
    pawn: PawnColor

    @property
    def told(self) -> tuple[Phrase, ...]:
        needed = self.found.told
        return (action_words(self.found.action, self.pawn), *((needed,) if needed else ()))

    @property
    def start(self) -> str | None:
        field = start_of(self.found.action)
        return None if field is None else _place(field)

    @property
    def way(self) -> tuple[tuple[float, float], ...]:
        """Through the middles of fields; an entry begins beside the board."""
        fields = list(self.found.way)
        if not fields:
            return ()
        start = start_of(self.found.action)
        fields.insert(0, _before(fields) if start is None else start)
        return tuple((column + 0.5, row + 0.5) for row, column in fields)

    def to_dict(self) -> dict[str, Any]:
        return moves_dicts([self.found], self.pawn)[0]


def _before(way: Sequence[Field]) -> Field:
    """The place beside the board from which a way enters it."""
    (row, column), *rest = way
    if rest:
        return 2 * row - rest[0][0], 2 * column - rest[0][1]
    edges = {(-1, 0): row, (0, -1): column, (1, 0): SIDE - 1 - row, (0, 1): SIDE - 1 - column}
    down, across = min(edges, key=lambda edge: edges[edge])
    return row + down, column + across


def moves(
    seen: BoardSeen,
    color: str,
    cards: Sequence[str],
    blocks: Sequence[str] = (),
    phase: int | None = None,
) -> tuple[LegalAction, ...]:
    """Every legal action of a player; raises RulesForbid where what is said cannot be."""
    try:
        found = legal_moves(seen.seen, color, cards, blocks, phase)
        return tuple(LegalAction(each, parse_pawn(color)) for each in found)
    except BloxError as error:
        raise RulesForbid(error.told) from None


@dataclass(frozen=True)
class PhotographedTurn:
    """A turn from two photos."""

    found: ReadTurn

    @property
    def status(self) -> Status:
        return Status.OK if self.found.status == "ok" else Status.UNCERTAIN

    @property
    def told(self) -> Phrase | None:
        verdict = self.found.verdict
        if verdict.action is None:
            return None
        words = [
            phrase("card-hidden") if card is None else color_words(card) for card in verdict.cards
        ]
        facts: dict[str, Fact] = {"cards": all_of(words) if words else phrase("cards-unknown")}
        if verdict.pawn is not None:
            facts["pawn"] = pawn_words(verdict.pawn)
        if verdict.start is not None:
            facts["start"] = field_words(verdict.start)
        if verdict.target is not None:
            facts["target"] = facts["field"] = field_words(verdict.target)
            tower = self.found.after.towers.get(verdict.target)
            blocks = () if tower is None else tower.blocks
            facts["blocks"] = all_of(
                phrase("card-hidden") if block is None else color_words(block) for block in blocks
            )
        return phrase(f"do-{verdict.action}", **facts)

    @property
    def violations(self) -> tuple[ViolationReading, ...]:
        return tuple(
            ViolationReading.of(broken, broken.confidence)
            for broken in self.found.verdict.violations
        )

    def to_dict(self) -> dict[str, Any]:
        return self.found.to_dict()


def turn(before: BoardSeen, after: BoardSeen, phase: int | None = None) -> PhotographedTurn:
    """Which action leads from one reading to the other; raises RulesForbid."""
    try:
        return PhotographedTurn(read_turn(before.seen, after.seen, phase))
    except BloxError as error:
        raise RulesForbid(error.told) from None


def _place(field: Field) -> str:
    return f"field {field[0]},{field[1]}"


def _field(place: str, whole: str, allowed: str) -> Field:
    found = re.fullmatch(r"\s*field\s+(\d{1,4})\s*,\s*(\d{1,4})\s*", place.lower())
    if not found:
        raise AnswerUnclear(whole, allowed)
    field = int(found[1]), int(found[2])
    if max(field) >= SIDE:
        raise AnswerOffSheet(place, f"field 0,0 - {SIDE - 1},{SIDE - 1}")
    return field


def _thing(words: str, whole: str) -> Thing | None:
    word = words.strip().lower()
    if word == NOTHING:
        return None
    if word in [*PawnColor]:
        return PawnColor(word)
    height = re.fullmatch(rf"tower\s+([1-{MAX_HEIGHT}])", word)
    if not height:
        raise AnswerUnclear(whole, ANSWERS)
    return tower_of((None,) * int(height[1]))
