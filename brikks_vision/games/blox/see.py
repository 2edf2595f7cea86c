"""Looks at all fields of a placed board."""

from __future__ import annotations

import numpy as np

from brikks_vision.detect.networks import run_next
from brikks_vision.detect.pieces import Ground, look_at_cells
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import pose_of_plane
from brikks_vision.games.blox.looks import Looks, parse_looks
from brikks_vision.games.blox.place import PlacedBoard, kinds_of
from brikks_vision.rules.blox import Board, Color
from brikks_vision.rules.blox.board import FIELDS

NETWORK = "board_pieces"


def see_fields(photo: Image, placed: PlacedBoard, board: Board) -> Looks:
    """What the network sees on each field, in the order of ``FIELDS``."""
    height, width = photo.shape[:2]
    pose = pose_of_plane(placed.homography, (width, height))
    ground = Ground(kinds_of(board), len(Color))
    views = look_at_cells(photo, placed.homography, pose, ground, placed.light, list(FIELDS))
    return parse_looks(np.asarray(run_next(NETWORK, views), np.float32))
