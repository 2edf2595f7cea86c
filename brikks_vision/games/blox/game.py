"""BLOX as a game of `brikks_vision.infer.protocol`: a board, and what is played on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brikks_vision import codec
from brikks_vision.detect.board import lattice_corners
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image
from brikks_vision.detect.template import blank_picture
from brikks_vision.errors import (
    AnswerUnclear,
    BoardIsAnother,
    DefinitionDamaged,
    PhotosNotOneTurn,
    PhotosOutOfOrder,
    RulesForbid,
)
from brikks_vision.games.blox import SETTINGS, field_evidence, fields
from brikks_vision.games.blox import follow as following
from brikks_vision.games.blox import learn as learning
from brikks_vision.games.blox.board_print import USUAL_COLORS, PlacedBoard, place_one_of
from brikks_vision.games.blox.colors_of_pieces import parse_pieces
from brikks_vision.games.blox.decode import SURE_DIFFERENCE, decode, disagreement
from brikks_vision.games.blox.field_evidence import FieldEvidence
from brikks_vision.games.blox.fields import WINNINGS, field_named, things_said
from brikks_vision.games.blox.learn import NamedBoard, learn_set_up
from brikks_vision.games.blox.reading import (
    GAME,
    BloxReading,
    BoardReading,
    compose,
    empty_places,
    place_of,
    told_reading,
)
from brikks_vision.games.blox.reading import view as board_view
from brikks_vision.games.blox.see import see_fields
from brikks_vision.games.blox.turn import judged_turn, moves_dicts, read_turn
from brikks_vision.games.learning import Given, Proposal, Value, placed
from brikks_vision.infer.following import FollowedGame, Shown, ToldTurn
from brikks_vision.infer.protocol import Game, Learner, Turns, TurnSaid
from brikks_vision.layout import GRID, Blank, Box, PrintDoubt
from brikks_vision.reading import GameSettings, Reading, Status, ViolationReading
from brikks_vision.reading.views import BoardView
from brikks_vision.rules.blox import material, possible
from brikks_vision.rules.blox.actions import action_words, start_of
from brikks_vision.rules.blox.position import FIELDS, SIDE, Board, load_board, parse_board
from brikks_vision.rules.blox.turn import TurnVerdict, print_game
from brikks_vision.text.phrases import Translator

NAME, TITLE = GAME, learning.TITLE
LEARNING_SIDE = 2000  # px of the photo of an empty board
PRINT_ANSWERS = "field 3,4=white, field 3,4=grey, field 3,4=purple, field 3,4=black"


def packaged() -> tuple[NamedBoard, ...]:
    """The board that comes with the package."""
    return (NamedBoard(NAME, load_board()),)


def printing_of(reading: Reading) -> NamedBoard | None:
    """The board of a reading, without its squares, which a reading does not hold."""
    if not isinstance(reading, BloxReading):
        return None
    return NamedBoard(reading.sheet or NAME, parse_board({"field_colors": reading.fields}))


def printer(paper: str, per_page: int, style: str, words: Translator) -> bytes:
    """The packaged board to print, with chips and cards, as a PDF; raises UnknownValue."""
    from brikks_vision.games.blox import pdf  # takes long to import

    file = resources.files("brikks_vision").joinpath("layouts", f"{NAME}.json")
    colors = json.loads(file.read_text("utf-8"))["colors"]
    return pdf.board_pdf(load_board(), colors, paper, words)


def parse_printing(data: Mapping[str, object], source: object) -> NamedBoard:
    """A board from the data of its definition; raises DefinitionDamaged."""
    name, title = data.get("name"), data.get("title", TITLE)
    if not isinstance(name, str) or not isinstance(title, str):
        raise DefinitionDamaged(source, "name")
    try:
        picture = codec.part(codec.parser_of(Blank | None), data.get("blank"), "blank")
    except ValueError as error:
        raise DefinitionDamaged(source, *error.args) from None
    try:
        pieces = parse_pieces(data.get("pieces"), source)
        return NamedBoard(name, parse_board(data), title, blank=picture, pieces=pieces)
    except material.BloxError:
        broken = "field_colors" if data.get("squares") is None else "field_colors, squares"
        raise DefinitionDamaged(source, broken) from None


@dataclass(frozen=True)
class BoardProposal(Proposal):
    """A board as a photo proposes it. learnt: with what its set-up may tell later."""

    learnt: learning.LearntBoard | None = None

    @property
    def doubts(self) -> tuple[PrintDoubt, ...]:
        unsure = [each for each in self.values if each.confidence < learning.SURE]
        found = [PrintDoubt(each.where, each.read, each.confidence) for each in unsure]
        return tuple(sorted(found, key=lambda doubt: doubt.confidence))


def _propose(photo: Photo, name: str, given: Given) -> BoardProposal:
    """Propose a board from a photo of it, empty.

    ``given.values`` : "field 3,4" to "white", "grey", "purple" or "black". Region: "grid".

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    """
    said = {}
    for place, color in given.values.items():
        field = field_named(place, f"{place}={color}", PRINT_ANSWERS)
        if color not in [*material.Color]:
            raise AnswerUnclear(f"{place}={color}", PRINT_ANSWERS)
        said[field] = material.Color(color)
    frame = given.with_size(SIDE, SIDE).frame
    corners = None if frame is None else frame[0].to_photo(lattice_corners(SIDE))
    learnt = learning.learn_board(photo.image, name, corners).with_colors(said)
    return _proposed(learnt, photo, given)


def _proposed(learnt: learning.LearntBoard, photo: Photo, given: Given) -> BoardProposal:
    board = learnt.board
    labels = [(board.color((y, x))[0], (x + 0.5, y + 0.5)) for y, x in FIELDS]
    return BoardProposal(
        learnt.printing, photo, placed(learnt.corners, SIDE, SIDE),
        {GRID: Box(0.0, 0.0, float(SIDE), float(SIDE))},
        _values(board, learnt.confidences), given, _propose, learnt.remark,
        [(at, sign) for sign, at in labels], learnt,
    )  # fmt: skip


def _values(board: Board, confidences: Sequence[float]) -> tuple[Value, ...]:
    """The fields by colour."""
    grounds = {each.value: each.told for each in fields.choices().grounds}
    swatches = {
        str(color): f"#{red:02x}{green:02x}{blue:02x}"
        for color, (blue, green, red) in zip(material.Color, USUAL_COLORS.tolist(), strict=True)
    }
    return tuple(
        Value(
            each.where,
            Box(each.column, each.row, each.column + 1.0, each.row + 1.0),
            tuple(grounds),
            each.told,
            grounds,
            each.ground,
            sure,
            swatches,
        )
        for each, sure in zip(empty_places(board), confidences, strict=True)
    )


def learner() -> Learner:
    """Learns a board from a photo of it, empty."""

    def with_pieces(proposal: BoardProposal, photo: Photo) -> BoardProposal:
        assert proposal.learnt is not None
        seen = learn_set_up(photo.image, proposal.layout)
        learnt = proposal.learnt.set_up(seen.pieces, seen.towers)
        return _proposed(learnt, proposal.photo, proposal.said)

    def values(printing: NamedBoard) -> tuple[Value, ...]:
        return _values(printing.board, (1.0,) * len(FIELDS))

    return Learner(_propose, values, LEARNING_SIDE, "lattice", with_pieces)


@dataclass(frozen=True)
class FoundBoard:
    """Which board a photo shows, and where it lies."""

    layout: NamedBoard
    placement: PlacedBoard


class Seen(NamedTuple):
    """What the fields of a board look like. homography: as of `PlacedBoard`."""

    fields: FieldEvidence
    homography: NDArray[np.float64]


def place(image: Image, printings: Sequence[NamedBoard]) -> FoundBoard:
    """Which of the boards lies where; raises NoBoardFound, BoardCutOff, BoardIsAnother."""
    number, placed = place_one_of(image, printings)
    return FoundBoard(printings[number], placed)


def observe(photo: Photo, placed: FoundBoard, known: GameSettings) -> Seen:
    """What stands on each field, each judged by itself."""
    board, picture = placed.layout.board, blank_picture(placed.layout)
    fields = see_fields(photo.image, placed.placement, board, picture, placed.layout.pieces)
    return Seen(fields, placed.placement.homography)


def combined(photos: Sequence[Seen], layout: NamedBoard) -> Seen:
    """What the photos show together, lying as in the first."""
    return photos[0]._replace(fields=field_evidence.combined([each.fields for each in photos]))


def contradicts(one: Seen, other: Seen) -> bool:
    """Whether the photos surely show different things on some field."""
    return bool(disagreement(one.fields, other.fields).max() > SURE_DIFFERENCE)


def read(
    name: str, evidence: Seen, layout: NamedBoard, answers: Mapping[str, str]
) -> tuple[BloxReading, BoardReading]:
    """What stands on a board. The reading has no corners and no times.

    ``answers`` : "field 3,4" to "nothing", a pawn's colour, or "tower 2".

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    """
    decoded = decode(evidence.fields, layout.board, things_said(answers))
    seen = compose(decoded, evidence.homography)
    return told_reading(name, layout.name, seen), seen


def view(reading: BloxReading, layout: object = None, state: object = None) -> BoardView:
    """What is shown of a reading."""
    return board_view(reading)


@dataclass(frozen=True)
class LegalAction:
    """A legal action of the player with pawns of that colour."""

    prospect: possible.Prospect
    pawn: material.PawnColor

    @property
    def found(self) -> possible.PossibleAction:
        return self.prospect.possible

    @property
    def brings(self) -> tuple[float, float]:
        return self.prospect.points, self.prospect.later

    @property
    def told(self) -> tuple[material.Phrase, ...]:
        needed = self.found.told
        return (action_words(self.found.action, self.pawn), *((needed,) if needed else ()))

    @property
    def start(self) -> str | None:
        field = start_of(self.found.action)
        return None if field is None else place_of(field)

    @property
    def way(self) -> tuple[tuple[float, float], ...]:
        """Through the middles of fields; an entry begins beside the board."""
        fields = list(self.found.way)
        if not fields:
            return ()
        start = start_of(self.found.action)
        fields.insert(0, _before(fields) if start is None else start)
        return tuple((column + 0.5, row + 0.5) for row, column in fields)

    def to_dict(self) -> codec.JsonObject:
        points, later = (round(each, 1) for each in self.brings)
        return {**moves_dicts([self.found], self.pawn)[0], "points": points, "later": later}


def _before(way: Sequence[material.Field]) -> material.Field:
    """The place beside the board from which a way enters it."""
    (row, column), *rest = way
    if rest:
        return 2 * row - rest[0][0], 2 * column - rest[0][1]
    edges = {(-1, 0): row, (0, -1): column, (1, 0): SIDE - 1 - row, (0, 1): SIDE - 1 - column}
    down, across = min(edges, key=lambda edge: edges[edge])
    return row + down, column + across


def moves(
    posterior: BoardReading,
    color: str,
    cards: Sequence[str],
    blocks: Sequence[str] = (),
    phase: int | None = None,
) -> tuple[LegalAction, ...]:
    """Every legal action of a player, best first; raises RulesForbid where that cannot be."""
    try:
        position = posterior.position
        found = possible.possible_actions(position, color, cards, blocks, phase)
        ranked = possible.looked_ahead(position, found, color, cards, blocks)
        return tuple(LegalAction(each, material.parse_pawn(color)) for each in ranked)
    except material.BloxError as error:
        raise RulesForbid(error.told) from None


def _turn_told(verdict: TurnVerdict) -> material.Phrase | None:
    """What was done, as a phrase; None where no action explains the change."""
    if verdict.action is None:
        return None
    words = [
        material.phrase("card-hidden") if card is None else material.color_words(card)
        for card in verdict.cards
    ]
    facts: dict[str, material.Fact] = {
        "cards": material.all_of(words) if words else material.phrase("cards-unknown")
    }
    if verdict.pawn is not None:
        facts["pawn"] = material.pawn_words(verdict.pawn)
    if verdict.start is not None:
        facts["start"] = material.field_words(verdict.start)
    if verdict.target is not None:
        facts["target"] = facts["field"] = material.field_words(verdict.target)
        facts["blocks"] = facts["cards"]
    return material.phrase(f"do-{verdict.action}", **facts)


def _judge_turn(
    photos: Sequence[str], sheets: Sequence[BoardReading], said: TurnSaid, known: GameSettings
) -> ToldTurn:
    """Which action leads from one position to the other.

    Raises
    ------
    PhotosNotOneTurn, BoardIsAnother, RulesForbid
    """
    if len(sheets) != 2:
        raise PhotosNotOneTurn(len(sheets))
    before, after = sheets
    if before.position.board.colors != after.position.board.colors:
        raise BoardIsAnother
    try:
        found = read_turn(before, after, said.phase)
    except material.BloxError as error:
        raise RulesForbid(error.told) from None
    status = Status.OK if found.is_sure else Status.UNCERTAIN
    content = {"status": str(status), "photos": list(photos), **found.verdict.to_dict()}
    told = _turn_told(found.verdict)
    return ToldTurn(status, told, _told_violations(found.verdict), content)


def _told_violations(verdict: TurnVerdict) -> tuple[ViolationReading, ...]:
    return tuple(ViolationReading.of(broken, broken.confidence) for broken in verdict.violations)


turns = Turns(lambda said: None, _judge_turn)


def follow(shown: Sequence[Shown], players: Sequence[str]) -> FollowedGame:
    """The game that photos of its board show, one after each turn or after a few.

    Raises
    ------
    PhotosOutOfOrder
    RulesForbid
        A player is no colour of pawns, or named twice.
    """
    try:
        pawns = tuple(material.parse_pawn(player) for player in players)
    except material.BloxError as error:
        raise RulesForbid(error.told) from None
    names = [each.reading.photo for each in shown]
    boards = [each.posterior for each in shown]
    found = following.follow_boards(boards, pawns)
    order = following.better_order(boards, found, pawns)
    if order is not None:
        raise PhotosOutOfOrder(", ".join(names[number] for number in order))
    points = (
        material.phrase("points-won-least" if pawn in found.open_points else "points-won",
               pawns=material.pawns_words(pawn), count=count)
        for pawn, count in found.points.items()
    )  # fmt: skip
    return FollowedGame(
        readings=tuple(
            told_reading(name, each.layout.name, board)
            for name, each, board in zip(names, shown, found.readings, strict=True)
        ),
        turns=tuple(
            _followed_turn(found, number, names, pawns) for number in range(len(found.turns))
        ),
        facts=tuple(points),
        judge=partial(judged_turn, found),
        content={
            "points": {str(pawn): count for pawn, count in found.points.items()},
            "at_least": [str(pawn) for pawn in found.open_points if pawn in found.points],
            "notation": print_game(found.positions),
        },
    )


def _followed_turn(
    found: following.FollowedBoard,
    number: int,
    names: Sequence[str],
    players: Sequence[material.PawnColor],
) -> ToldTurn:
    turn = found.turns[number]
    of_photo = [other for other, each in enumerate(found.turns) if each.photo == turn.photo]
    before = names[turn.photo - 1] if number == of_photo[0] else None
    after = names[turn.photo] if number == of_photo[-1] else None
    notes = [] if after else [material.phrase("no-photo-of-turn")]
    if turn.expected is not None:
        notes.append(material.phrase("not-whose-turn", pawns=material.pawns_words(turn.expected)))
    acted = turn.verdict.pawn
    if players and acted is not None and acted not in players:
        notes.append(material.phrase("player-not-named", pawns=material.pawns_words(acted)))
    if following.is_gap(turn):
        notes.append(material.phrase("turns-without-photos", count=len(turn.changes)))
    status = Status.OK if turn.is_sure else Status.UNCERTAIN
    expected = None if turn.expected is None else str(turn.expected)
    said = {"status": str(status), "photos": [before, after], "expected": expected}
    content = {**said, **turn.verdict.to_dict()}
    violations = _told_violations(turn.verdict)
    return ToldTurn(status, _turn_told(turn.verdict), violations, content, tuple(notes))


class Blox(Game):
    """A board with towers and pawns, each photo of which is a position."""

    NAME, TITLE = NAME, TITLE
    SETTINGS = SETTINGS
    board = fields
    winnings = WINNINGS
    turns = turns
    moves = staticmethod(moves)
    follow = staticmethod(follow)
    learner = staticmethod(learner)
    printer = staticmethod(printer)
    packaged = staticmethod(packaged)
    parse_printing = staticmethod(parse_printing)
    printing_of = staticmethod(printing_of)
    place = staticmethod(place)
    observe = staticmethod(observe)
    combined = staticmethod(combined)
    contradicts = staticmethod(contradicts)
    read = staticmethod(read)
    view = staticmethod(view)


DEFINITION = Blox()
