"""What the pieces of a set look like, learnt from a photo of its board set up for a game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.blank import blank_picture
from brikks_vision.detect.placement import Image
from brikks_vision.errors import BoardNotSetUp
from brikks_vision.games.blox.blocks import block_height_of
from brikks_vision.games.blox.field_evidence import KINDS, TOWER
from brikks_vision.games.blox.learn import NamedBoard
from brikks_vision.games.blox.place import place_one_of
from brikks_vision.games.blox.see import pose_of, read_views, see_towers, views_of

MIN_TOWERS = 8  # on the board set up; two players have ten fewer than the 22 of more
MIN_SHARE = 0.7  # of the towers that stand on printed squares, as they do at the start
LIKELY = np.log(0.5)


def learn_block(photo: Image, printing: NamedBoard) -> float:
    """How high one block of the set is, in fields.

    photo: (H, W, 3) uint8 BGR, of the board set up: a tower stands on each field with squares.

    Raises
    ------
    NoBoardFound, BoardCutOff, BoardIsAnother
        See `place_one_of`.
    BoardNotSetUp
        Too few towers stand there, or not on the printed squares.
    """
    board, squares = printing.board, np.array(printing.board.squares)
    _, placed = place_one_of(photo, [printing])
    views = views_of(photo, placed, board, blank_picture(printing))
    first = read_views(views, 0.0)
    is_tower: NDArray[np.bool_] = first.kinds[:, KINDS.index(TOWER)] > LIKELY
    stands = is_tower & (squares > 0) if squares.any() else is_tower
    if stands.sum() < max(MIN_TOWERS, MIN_SHARE * is_tower.sum()):
        raise BoardNotSetUp
    towers = max(see_towers(photo, pose_of(photo, placed), views, first), key=lambda each: each.fit)
    likely = np.log(towers.sure) > LIKELY
    heights = 1 + towers.log_heights.argmax(axis=1)
    return block_height_of(first.tops[towers.places[likely]], heights[likely])
