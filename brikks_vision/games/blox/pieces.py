"""What the pieces of a set look like, learnt from a photo of its board set up for a game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.blank import blank_picture
from brikks_vision.detect.ground import Light
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose
from brikks_vision.errors import BoardIsAnother, BoardNotSetUp, SetUpOfAnother
from brikks_vision.games.blox.block_colors import Examples, Looked, as_stored, look_at_blocks
from brikks_vision.games.blox.blocks import block_height_of
from brikks_vision.games.blox.decode import FIRST_TOWER
from brikks_vision.games.blox.field_evidence import KINDS, TOWER, FieldEvidence
from brikks_vision.games.blox.known_pieces import MAX_EXAMPLES, Pieces
from brikks_vision.games.blox.learn import NamedBoard
from brikks_vision.games.blox.pawns import look_at_pawns
from brikks_vision.games.blox.place import PlacedBoard, kinds_of, place_one_of
from brikks_vision.games.blox.see import (
    SeenFields,
    ground_of,
    look_at_fields,
    pose_of,
    read_views,
    see_towers,
    standing_towers,
    told_fields,
    views_of,
)
from brikks_vision.rules.blox.board import Board
from brikks_vision.rules.blox.material import FIELDS_BY_SQUARES, MAX_CHIP

Array = NDArray[np.float64]

MIN_TOWERS = 8  # on the board set up; two players have ten fewer than the 22 of more
MIN_SHARE = 0.7  # of the towers that stand on printed squares, as they do at the start
LIKELY = np.log(0.5)
SURE = np.log(0.95)  # log-probability from which a piece is an example of its colour
MAX_HIDDEN = 0.15  # of a pawn that is an example, by towers
TOWERS_AT_START = sum(FIELDS_BY_SQUARES[1:])


@dataclass(frozen=True)
class SetUp:
    """What a board set up shows.

    towers: (81, 5), log-probabilities of how many blocks stand on each field, 0 to 4; None where
    not all towers of the start stand there, as with two players.
    """

    pieces: Pieces
    towers: Array | None


def learn_set_up(photo: Image, printing: NamedBoard) -> SetUp:
    """What the board set up tells of its set.

    photo: (H, W, 3) uint8 BGR: a tower stands on each field with squares.

    Raises
    ------
    NoBoardFound, BoardCutOff
        See `place_one_of`.
    SetUpOfAnother
        It is another board.
    BoardNotSetUp
        Too few towers stand there, or not on the printed squares.
    """
    board, squares = printing.board, np.array(printing.board.squares)
    try:
        _, placed = place_one_of(photo, [printing])
    except BoardIsAnother:
        raise SetUpOfAnother from None
    picture = blank_picture(printing)
    views = views_of(photo, placed, ground_of(board, picture))
    first = read_views(views, 0.0)
    is_tower: NDArray[np.bool_] = first.kinds[:, KINDS.index(TOWER)] > LIKELY
    stands = is_tower & (squares > 0) if squares.any() else is_tower
    if stands.sum() < max(MIN_TOWERS, MIN_SHARE * is_tower.sum()):
        raise BoardNotSetUp
    pose = pose_of(photo, placed)
    towers = max(see_towers(photo, pose, views, first), key=lambda each: each.fit)
    likely = np.log(towers.sure) > LIKELY
    heights = 1 + towers.log_heights.argmax(axis=1)
    block = block_height_of(first.tops[towers.places[likely]], heights[likely])
    seen = look_at_fields(photo, placed, board, picture, Pieces(block))
    told = told_fields(seen)
    standing = standing_towers(seen.evidence, block)
    chips = FIRST_TOWER + np.arange(MAX_CHIP)
    none = np.logaddexp.reduce(np.delete(told.things, chips, axis=1), axis=1)
    counts = np.column_stack([none, told.things[:, chips]])
    all_stand = bool((none < LIKELY).sum() == TOWERS_AT_START)
    pieces = Pieces(
        block,
        _pawns(photo, pose, placed, board, seen, told, standing),
        _blocks(photo, pose, placed, told, block, standing),
    )
    return SetUp(pieces, counts if all_stand else None)


def _pawns(
    photo: Image,
    pose: Pose,
    placed: PlacedBoard,
    board: Board,
    seen: SeenFields,
    told: FieldEvidence,
    standing: Array,
) -> Examples | None:
    """The pawns that surely stand there in the open, with their colours."""
    best = told.kinds.argmax(axis=1)
    is_pawn = (best > 0) & (best < KINDS.index(TOWER)) & (told.kinds.max(axis=1) > SURE)
    in_the_open = seen.hidden[np.arange(len(best)), best] < MAX_HIDDEN
    places = np.flatnonzero(is_pawn & in_the_open)
    looked = look_at_pawns(photo, pose, placed.light, kinds_of(board), places, standing)
    return _examples(looked, placed.light, best[places] - 1)


def _blocks(
    photo: Image,
    pose: Pose,
    placed: PlacedBoard,
    told: FieldEvidence,
    block: float,
    standing: Array,
) -> Examples | None:
    """The uppermost blocks of towers whose heights and colours are sure."""
    levels = told.heights.argmax(axis=1)
    colors = told.block_colors[np.arange(len(levels)), levels]
    is_sure = (told.heights.max(axis=1) > SURE) & (colors.max(axis=1) > SURE)
    places = np.flatnonzero((standing > 0) & is_sure)
    above = np.zeros(len(places), np.intp)
    blocks = places, levels[places]
    looked = look_at_blocks(photo, pose, placed.light, blocks, above, block, standing)
    return _examples(looked, placed.light, colors[places].argmax(axis=1))


def _examples(looked: Looked, light: Light, colors: NDArray[np.intp]) -> Examples | None:
    if not len(colors):
        return None
    some = slice(MAX_EXAMPLES)
    faces = as_stored(looked.faces[some], light)
    return Examples(faces, looked.hidden[some], looked.clues[some], colors[some])
