"""Where a known board lies in a photo, and which of its sides is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.blank import Pictured, blank_picture
from brikks_vision.detect.board import FoundBoard, board_corners, find_boards, lattice_corners
from brikks_vision.detect.ground import Light, cell_colors, own_share, turn_misfit
from brikks_vision.detect.known_board import Match, Picture, place_pictures
from brikks_vision.detect.placement import Image, Points, apply_homography
from brikks_vision.detect.pose import skew_of_plane
from brikks_vision.errors import BoardCutOff, BoardIsAnother, NoBoardFound
from brikks_vision.games.blox.colors import has_four_colors
from brikks_vision.rules.blox.board import SIDE, Board
from brikks_vision.rules.blox.material import Color

# how far the cells of a board may be from squares, see `pose.skew_of_plane`. On 60 photos of whole
# boards (simulated, seeds 77101 and 77103) it was 0.022 at most, on the same photos cut so that
# the board lies in a corner 0.083; for lattices in halves of boards and in sheets of other games
# 0.107 or more
MAX_SKEW = 0.09

Array = NDArray[np.float64]

MIN_STRENGTH = 0.22  # of the pieces of lines; photos of boards in games have more than 0.5
# the least sum, of 2 at most, of a match's agreement and the share of the fields that look most
# like their own colour. Of 82 simulated boards in play (seed 4711), tilted by up to 69 degrees,
# with or without a learnt picture, 81 had 0.91 or more; of 250 matches of other boards none had
# above 0.86
MIN_FIT = 0.89
BOARD_STRENGTH = 0.5  # of the lines of a board that is said to be another one
MAX_OUTSIDE = 0.5  # cells by which a corner may lie outside the photo

# BGR, in the order of `Color`: of boards of which there is no picture
USUAL_COLORS = np.array([[184, 188, 192], [104, 104, 104], [96, 40, 80], [28, 28, 28]], np.uint8)
DRAWN_PIXELS = 32  # of a field's side, where a board is drawn


class PrintedBoard(Pictured, Protocol):
    """A board of which there may be a picture."""

    def __hash__(self) -> int: ...

    @property
    def board(self) -> Board:
        """Its fields."""


@dataclass(frozen=True)
class PlacedBoard:
    """A known board in a photo.

    homography: (3, 3), fields (x, y) of the board to px. light: how its fields look.
    """

    homography: Array
    light: Light

    def to_photo(self, points: Points) -> Points:
        """Where points of the board (N, 2), in fields, lie in the photo, px."""
        return apply_homography(self.homography, np.asarray(points, np.float64))


def kinds_of(board: Board) -> NDArray[np.uint8]:
    """The colours of a board's fields as numbers, (9, 9), in the order of `Color`."""
    order = {color: place for place, color in enumerate(Color)}
    return np.array([order[color] for color in board.colors], np.uint8).reshape(SIDE, SIDE)


def turned(homography: Array, quarters: int) -> Array:
    """The homography from a board whose first corner is ``quarters`` corners further on."""
    for _ in range(quarters):
        homography = homography @ np.array([[0, -1.0, SIDE], [1, 0, 0], [0, 0, 1]])
    return homography


def shifted(homography: Array, x: float, y: float) -> Array:
    return np.asarray(homography @ np.array([[1.0, 0, x], [0, 1, y], [0, 0, 1]]))


def find_lattices(image: Image) -> list[FoundBoard]:
    """Where the lattice of a board may lie in a photo, the most probable first.

    Raises
    ------
    NoBoardFound
        No board of so many square fields shows.
    BoardCutOff
        A corner lies outside the photo.
    """
    height, width = image.shape[:2]
    found = [
        each
        for each in find_boards(image, SIDE)
        if each.strength >= MIN_STRENGTH
        and skew_of_plane(each.homography, (width, height)) <= MAX_SKEW
    ]
    if not found:
        raise NoBoardFound
    inside = [each for each in found if _is_inside(image, each.homography)]
    if not inside:
        raise BoardCutOff
    return inside


def _is_inside(image: Image, homography: Array) -> bool:
    height, width = image.shape[:2]
    corners = apply_homography(homography, lattice_corners(SIDE))
    slack = MAX_OUTSIDE * float(np.linalg.norm(corners[1] - corners[0])) / SIDE
    return bool((corners >= -slack).all() and (corners <= np.array([width, height]) + slack).all())


def place_one_of(image: Image, printings: Sequence[PrintedBoard]) -> tuple[int, PlacedBoard]:
    """Which of some known boards a photo shows, by its place among them, and where it lies.

    Raises
    ------
    NoBoardFound, BoardCutOff
        See `find_lattices`.
    BoardIsAnother
        A board is there, but it is none of them.
    """
    corners = board_corners(image)
    if corners is None:
        raise NoBoardFound
    matches = place_pictures(image, corners, [picture_of(each) for each in printings])
    tried = [(_fit(image, match, printings[match.number].board), match) for match in matches]
    found = [each for each in tried if each[0][0] >= MIN_FIT]
    if not found:
        raise BoardIsAnother if _shows_a_board(image, find_lattices(image)[0]) else NoBoardFound
    (_, light), match = max(found, key=lambda each: each[0][0] + each[1].lines)
    if not _is_inside(image, match.homography):
        raise BoardCutOff
    return match.number, PlacedBoard(match.homography, light)


@lru_cache(maxsize=16)
def picture_of(printing: PrintedBoard) -> Picture:
    """The empty board; drawn in usual colours where it was not learnt.

    Raises
    ------
    DefinitionDamaged
        See `blank_picture`.
    """
    picture, blank = blank_picture(printing), printing.blank
    if picture is None or blank is None:
        colors = USUAL_COLORS[kinds_of(printing.board)]
        drawn = colors.repeat(DRAWN_PIXELS, axis=0).repeat(DRAWN_PIXELS, axis=1)
        return Picture(drawn, SIDE, DRAWN_PIXELS, 0.0)
    return Picture(picture, SIDE, blank.pixels_per_cell, -printing.page.left)


def _fit(image: Image, match: Match, board: Board) -> tuple[float, Light]:
    """How well a match fits, see `MIN_FIT`, and how the fields look then."""
    colors, kinds = cell_colors(image, match.homography, SIDE), kinds_of(board)
    _, light = turn_misfit(colors, kinds, len(Color))
    return match.agreement + own_share(colors, kinds, light), light


def _shows_a_board(image: Image, lattice: FoundBoard) -> bool:
    """Whether a lattice is that of any board: many fields in each of four colours.

    Other things with a lattice, such as a tablecloth, have fewer lines or colours.
    """
    return lattice.strength >= BOARD_STRENGTH and has_four_colors(
        cell_colors(image, lattice.homography, SIDE)
    )
