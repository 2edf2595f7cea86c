"""Looks at all fields of a placed board: first at each for itself, then at the towers once more,
as they tell together how high one block is."""

from __future__ import annotations

import numpy as np

from brikks_vision.detect.networks import run_next
from brikks_vision.detect.pieces import Floats, Ground, look_at_cells, with_levels
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import pose_of_plane
from brikks_vision.games.blox.blocks import block_height_guesses
from brikks_vision.games.blox.looks import KINDS, TOWER, Looks, parse_looks
from brikks_vision.games.blox.place import PlacedBoard, kinds_of
from brikks_vision.rules.blox import Board, Color
from brikks_vision.rules.blox.board import FIELDS

NETWORK = "board_pieces"
MIN_TOWER = np.log(0.02)  # log-probability from which a field is looked at as a tower
SECOND_WEIGHT = 0.6  # of the second look, in what kind of thing it is


def see_fields(photo: Image, placed: PlacedBoard, board: Board) -> Looks:
    """What the network sees on each field, in the order of ``FIELDS``."""
    height, width = photo.shape[:2]
    pose = pose_of_plane(placed.homography, (width, height))
    ground = Ground(kinds_of(board), len(Color))
    views = look_at_cells(photo, placed.homography, pose, ground, placed.light, list(FIELDS))
    first = _look(views, 0.0)
    towers = np.flatnonzero(first.kinds[:, KINDS.index(TOWER)] > MIN_TOWER)
    if not len(towers):
        return first
    best: tuple[float, Looks] | None = None
    for block, chance in block_height_guesses(first):
        second = _look(views[towers], block)
        clear = chance + float((second.heights.max(axis=1) * _weight(first, towers)).sum())
        if best is None or clear > best[0]:
            best = (clear, second)
    assert best is not None
    return _together(first, best[1], towers)


def _weight(looks: Looks, towers: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
    return np.asarray(np.exp(looks.kinds[towers, KINDS.index(TOWER)]), np.float32)


def _look(views: Floats, block: float) -> Looks:
    return parse_looks(np.asarray(run_next(NETWORK, with_levels(views, block)), np.float32))


def _together(
    first: Looks, second: Looks, towers: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> Looks:
    """The first look, with what the second says of the towers."""
    kinds, heights = first.kinds.copy(), first.heights.copy()
    colors, shown = first.block_colors.copy(), first.shown.copy()
    mixed = (1 - SECOND_WEIGHT) * kinds[towers] + SECOND_WEIGHT * second.kinds
    kinds[towers] = mixed - np.logaddexp.reduce(mixed, axis=1)[:, None]
    heights[towers] = second.heights
    colors[towers], shown[towers] = second.block_colors, second.shown
    return Looks(kinds, heights, first.tops, colors, shown)
