"""Where a known board lies in a photo, and which of its sides is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import FoundBoard, find_boards, fit_lines
from brikks_vision.detect.ground import Light, cell_colors, turn_misfit
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
PLAIN_MISFIT = 0.07  # log colour: a board that fits so well and so much better lies so
PLAIN_LEAD = 0.02
BETTER = 0.006  # log colour
MAX_MISFIT = 0.13  # a worse fit is another board
MIN_LEAD = 0.007  # of the best of the four turns before the next
# A table or a sheet with a lattice fits a board by chance, but does not tell its colours apart. Of
# 125 photos without a board those that fit have a contrast of 0.02 and a lead of 0.28 misfits at
# most; of 28 simulated ones of boards all but one have a contrast of 0.14, and that one, on which
# chips hide a colour, a lead of 0.68.
MIN_CONTRAST = 0.06  # log colour: between the two most alike colours
PLAIN_LEAD_SHARE = 0.5  # of the misfit, where colours differ less
MIN_LEAD_SHARE = 0.2  # of the misfit; boards that are known have 0.22, others by chance 0.18
BOARD_STRENGTH = 0.5  # of the lines of a board that is said to be another one
MIN_OUTSIDE = 0.5  # cells by which a corner may lie outside the photo


@dataclass(frozen=True)
class PlacedBoard:
    """A known board in a photo.

    homography: (3, 3), fields (x, y) of the board to px. light: how its fields look. misfit, lead:
    in log colour, how badly the fields fit, and how much worse the next of the four turns does.
    """

    homography: Array
    light: Light
    misfit: float
    lead: float

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
    lattice = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float64)
    corners = apply_homography(homography, lattice)
    slack = MIN_OUTSIDE * float(np.linalg.norm(corners[1] - corners[0])) / SIDE
    return bool((corners >= -slack).all() and (corners <= np.array([width, height]) + slack).all())


def place_one_of(image: Image, boards: Sequence[Board]) -> tuple[int, PlacedBoard]:
    """Which of some known boards a photo shows, by its place among them, and where it lies.

    Raises
    ------
    NoBoardFound, BoardCutOff
        See `find_lattices`.
    BoardIsAnother
        A board is there, but it is none of them.
    """
    lattices = find_lattices(image)
    placed = [(number, _placed(image, board, lattices)) for number, board in enumerate(boards)]
    found = [each for each in placed if _fits(each[1])]
    if not found:
        raise BoardIsAnother if _shows_a_board(image, lattices[0]) else NoBoardFound
    return min(found, key=lambda each: each[1].misfit)


def _fits(placed: PlacedBoard) -> bool:
    """Whether the fields have the board's colours, which differ."""
    is_contrasty = placed.light.contrast >= MIN_CONTRAST
    share = MIN_LEAD_SHARE if is_contrasty else PLAIN_LEAD_SHARE
    return placed.misfit <= MAX_MISFIT and placed.lead >= max(MIN_LEAD, share * placed.misfit)


def _shows_a_board(image: Image, lattice: FoundBoard) -> bool:
    """Whether a lattice is that of any board: many fields in each of four colours.

    Other things with a lattice, such as a tablecloth, have fewer lines or colours.
    """
    return lattice.strength >= BOARD_STRENGTH and has_four_colors(
        cell_colors(image, lattice.homography, SIDE)
    )


def _placed(image: Image, board: Board, lattices: Sequence[FoundBoard]) -> PlacedBoard:
    """The placement of a board that fits best on one of the lattices."""
    kinds = kinds_of(board)
    best: PlacedBoard | None = None
    for lattice in lattices:
        placed = _best_turn(image, lattice.homography, kinds, [(0, 0)])
        if best is None or placed.misfit < best.misfit - BETTER:
            best = placed
        if best.misfit < PLAIN_MISFIT and best.lead > PLAIN_LEAD:
            return best
    assert best is not None
    # A lattice looks the same one cell further on; the colours do not.
    shifts = [(x, y) for x, y in product((-1, 0, 1), repeat=2) if (x, y) != (0, 0)]
    other = _best_turn(image, lattices[0].homography, kinds, shifts)
    if other.misfit < best.misfit - BETTER:
        refined = fit_lines(image, other.homography, SIDE).homography
        best = _best_turn(image, refined, kinds, [(0, 0)])
    return best


def _best_turn(
    image: Image, lattice: Array, kinds: NDArray[np.uint8], shifts: list[tuple[int, int]]
) -> PlacedBoard:
    found = []
    for shift in shifts:
        moved = shifted(lattice, *shift)
        colors = cell_colors(image, moved, SIDE)
        for quarters in range(4):
            # The board's own first corner lies at one of the four corners of the lattice.
            seen = np.rot90(colors, quarters)
            misfit, light = turn_misfit(seen, kinds, len(Color))
            found.append((misfit, turned(moved, quarters), light, quarters))
    found.sort(key=lambda each: each[0])
    best = found[0]
    others = [each[0] for each in found[1:] if each[3] != best[3]]
    return PlacedBoard(best[1], best[2], best[0], min(others, default=best[0] + 1) - best[0])
