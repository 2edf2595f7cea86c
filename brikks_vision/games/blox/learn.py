"""Learns a board from a photo of it, empty.

What the pieces of a set look like, learnt from a photo of its board set up for a game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision import codec
from brikks_vision.detect.board import flatten, lattice_corners, lines_strength, quad_homography
from brikks_vision.detect.ground import cell_colors, turn_misfit
from brikks_vision.detect.pieces import REFERENCE_MARGIN
from brikks_vision.detect.placement import Image, apply_homography
from brikks_vision.detect.template import BLANK_PIXELS, blank_picture, encoded
from brikks_vision.errors import (
    BoardCutOff,
    BoardIsAnother,
    BoardNotEmpty,
    BoardNotSetUp,
    BoardOfOtherGame,
    BrikksError,
    NoBoardFound,
    SetUpOfAnother,
)
from brikks_vision.games.blox.board_print import (
    PlacedBoard,
    color_misfits,
    find_lattices,
    kinds_of,
    place_one_of,
    see_squares,
    shifted,
    tell_colors,
    told_squares,
    turned,
)
from brikks_vision.games.blox.colors_of_pieces import Pieces
from brikks_vision.games.blox.decode import FIRST_TOWER
from brikks_vision.games.blox.field_evidence import KINDS, TOWER
from brikks_vision.games.blox.see import (
    block_height_of,
    ground_of,
    pose_of,
    read_views,
    see_fields,
    see_towers,
    views_of,
)
from brikks_vision.games.learning import somewhere
from brikks_vision.layout import Blank, Box, content_hash
from brikks_vision.layout.definition import VERSION
from brikks_vision.rules.blox.material import (
    BLACK_FIELDS,
    FIELDS_BY_SQUARES,
    MAX_CHIP,
    Color,
    Field,
)
from brikks_vision.rules.blox.position import SIDE, Board, index, load_board

# share of the sides of an empty board's fields that are seen as lines; on 60 whole simulated
# boards (seeds 77101 and 77103) it was 0.60 or more, for lattices in boards that are cut off 0.55
# at most
MIN_EMPTY_STRENGTH = 0.57
# fields of each colour on a learnt board: in truth there are 20 or 21, and on 26 learnt boards
# (seed 77101) 17 or more were found; chess boards have 7 or fewer of one of four colours
MIN_FIELDS_OF_A_COLOR = 10
# fields of a learnt board whose colour may as well be another; the same boards had one at most,
# drawn boards in two colours 17 or more
MAX_AMBIGUOUS_FIELDS = 12
MAX_NOT_BLACK = 2  # black fields too many or too few: some are seen as grey in bad light

Array = NDArray[np.float64]

SURE = 0.98  # probability below which a field's colour is said to be unsure
MAX_EMPTY = np.log(0.2)  # log-probability below which something stands on a field
MAX_THINGS = 5  # such fields of an empty board: glare may look like a thing
UNTOLD = 0.6  # probability below which a field's colour is hardly told from another one
TITLE = "BLOX"
STRENGTH_WEIGHT = 0.1  # log colour that all lines together are worth
BLACK_WEIGHT = 0.02  # log colour that it is worth when just as many are black as should be
MAX_WEAKER = 0.25  # share of lines that a neighbour may lack to be tried


@dataclass(frozen=True)
class NamedBoard:
    """A board as definitions hold it."""

    name: str
    board: Board
    title: str = TITLE
    game: str = "blox"
    finder: str = "lattice"
    blank: Blank | None = None  # of `page`
    pieces: Pieces | None = None  # where the set was learnt

    @property
    def page(self) -> Box:
        """What its picture shows: the fields and what is around them."""
        end = SIDE + REFERENCE_MARGIN
        return Box(-REFERENCE_MARGIN, -REFERENCE_MARGIN, end, end)

    @property
    def outline(self) -> Box:
        """The box around its fields."""
        return Box(0.0, 0.0, float(SIDE), float(SIDE))

    @property
    def printing(self) -> str | None:
        """What tells it from others; None of the package's own."""
        return None if self.board == load_board() else content_hash(self.to_json())

    def to_json(self) -> str:
        """The definition, which `parse_board` reads."""
        found: dict[str, Any] = {
            "version": VERSION,
            "name": self.name,
            "title": self.title,
            "game": self.game,
            "field_colors": list(self.board.field_colors),
        }
        if any(self.board.squares):
            found["squares"] = list(self.board.square_rows)
        if self.blank:
            found["blank"] = codec.plain(self.blank)
        if self.pieces:
            found["pieces"] = asdict(self.pieces)
        return json.dumps(found, indent=1) + "\n"


@dataclass(frozen=True)
class LearntBoard:
    """What a photo of an empty board shows.

    confidences: the probability of each field's colour, in the order of ``FIELDS``. corners: of the
    fields in the photo, clockwise from the board's first one, (4, 2) px. blank: its picture.
    squares: as of `see_squares`. pieces: of its set-up.
    remark: why it is hardly an empty board of this game.
    """

    name: str
    board: Board
    confidences: tuple[float, ...]
    corners: Array
    blank: Blank
    squares: Array
    pieces: Pieces | None = None
    remark: BrikksError | None = None

    def with_colors(self, colors: Mapping[Field, Color]) -> LearntBoard:
        """The board with some fields' colours as the user says."""
        board, sure = list(self.board.colors), list(self.confidences)
        for field, color in colors.items():
            board[index(field)], sure[index(field)] = color, 1.0
        changed = Board(tuple(board), self.board.squares)
        return replace(self, board=changed, confidences=tuple(sure))

    def set_up(self, pieces: Pieces, towers: Array | None) -> LearntBoard:
        """The same with what its set-up shows, as of `SetUp`."""
        squares = self.board.squares
        if towers is not None:
            squares = told_squares(self.squares, towers)
        return replace(self, board=Board(self.board.colors, squares), pieces=pieces)

    @property
    def printing(self) -> NamedBoard:
        """The board as its definition holds it."""
        return NamedBoard(self.name, self.board, blank=self.blank, pieces=self.pieces)


def learn_board(photo: Image, name: str = "board", corners: Array | None = None) -> LearntBoard:
    """The fields' colours and squares of an empty board.

    photo: (H, W, 3) uint8 BGR, the whole board, tilted by up to 40 degrees. The side that is
    uppermost in the photo becomes the top. corners: of the fields, (4, 2) px, where they are said;
    else they are found, and what speaks against an empty board of this game is its ``remark``.
    """
    remark: BrikksError | None = None
    if corners is not None:
        homography = quad_homography(corners, SIDE)
    else:
        try:
            homography = _upright(_lattice(photo))
        except (NoBoardFound, BoardCutOff) as error:
            homography, remark = somewhere(photo, SIDE, SIDE).homography, error
    chances = tell_colors(cell_colors(photo, homography, SIDE))
    names = tuple(Color)
    kinds = chances.argmax(axis=2)
    colors = tuple(names[int(kind)] for kind in kinds.ravel())
    seen_squares = see_squares(photo, homography)
    squares = told_squares(seen_squares)
    board = Board(colors, squares)
    if remark is None and corners is None:
        remark = _remark(photo, homography, chances, board)
    sure = tuple(float(chance) for chance in chances.max(axis=2).ravel())
    corners = apply_homography(homography, lattice_corners(SIDE))
    picture = flatten(photo, homography, SIDE, BLANK_PIXELS, REFERENCE_MARGIN)
    return LearntBoard(name, board, sure, corners, encoded(picture), seen_squares, remark=remark)


def _remark(photo: Image, homography: Array, chances: Array, board: Board) -> BrikksError | None:
    """Why this is hardly an empty board of this game: too few colours or lines, or things on it."""
    if not _are_four_colors(chances):
        return BoardOfOtherGame(TITLE)
    _, light = turn_misfit(cell_colors(photo, homography, SIDE), kinds_of(board), len(Color))
    evidence = see_fields(photo, PlacedBoard(homography, light), board)
    # where squares are told nothing stands, coloured ones look so
    bare = np.array(board.squares) == 0
    if (bare & (evidence.kinds[:, 0] < MAX_EMPTY)).sum() > MAX_THINGS:
        return BoardNotEmpty()
    if not_black(chances) > MAX_NOT_BLACK:
        return BoardOfOtherGame(TITLE)
    if lines_strength(photo, homography, SIDE) < MIN_EMPTY_STRENGTH:
        return NoBoardFound()
    return None


def _are_four_colors(chances: Array) -> bool:
    """Whether fields, (9, 9, 4) by colour, are told apart by four colours, each on many of them."""
    counts = np.bincount(chances.argmax(axis=2).ravel(), minlength=len(Color))
    untold = int((chances.max(axis=2) < UNTOLD).sum())
    return bool(counts.min() >= MIN_FIELDS_OF_A_COLOR) and untold <= MAX_AMBIGUOUS_FIELDS


def not_black(chances: Array) -> int:
    """By how much the number of black fields is another than that of a board's."""
    black = int((chances.argmax(axis=2) == tuple(Color).index(Color.BLACK)).sum())
    return abs(black - BLACK_FIELDS)


def _lattice(photo: Image) -> Array:
    """The lattice, of those that may be it and their neighbours, with four colours and most lines.

    Just as many fields as on any board should be black. A lattice looks much the same one cell
    further on; a row of the margin has another colour.

    Raises
    ------
    NoBoardFound, BoardCutOff
    """
    tried: list[tuple[float, Array]] = []
    for found in find_lattices(photo):
        for x, y in product((-1, 0, 1), repeat=2):
            moved = shifted(found.homography, x, y)
            strength = lines_strength(photo, moved, SIDE)
            if strength > found.strength - MAX_WEAKER:
                tried.append((strength, moved))
    colors = np.stack([cell_colors(photo, moved, SIDE) for _, moved in tried])
    costs = color_misfits(colors) - STRENGTH_WEIGHT * np.array([strength for strength, _ in tried])
    # telling colours takes long: only where just as many black ones could decide
    for at in np.flatnonzero(costs <= costs.min() + BLACK_WEIGHT):
        costs[at] -= BLACK_WEIGHT * (not_black(tell_colors(colors[at])) == 0)
    return tried[int(costs.argmin())][1]


def _upright(homography: Array) -> Array:
    """The homography from a board whose first corner is the upper left one in the photo."""
    corners = apply_homography(homography, lattice_corners(SIDE))
    away = corners - corners.mean(axis=0)
    first = int((away[:, 0] + away[:, 1]).argmin())
    return turned(homography, first)


MIN_TOWERS = 8  # on the board set up; two players have ten fewer than the 22 of more
MIN_SHARE = 0.7  # of the towers that stand on printed squares, as they do at the start
LIKELY = np.log(0.5)
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
    pieces = Pieces(block)
    told = see_fields(photo, placed, board, picture, pieces).things
    chips = FIRST_TOWER + np.arange(MAX_CHIP)
    none = np.logaddexp.reduce(np.delete(told, chips, axis=1), axis=1)
    counts = np.column_stack([none, told[:, chips]])
    all_stand = bool((none < LIKELY).sum() == TOWERS_AT_START)
    return SetUp(pieces, counts if all_stand else None)
