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
from brikks_vision.games.blox.see import read_views, views_of

MIN_TOWERS = 8  # on the board set up; two players have ten fewer than the 22 of more
MIN_SHARE = 0.7  # of the towers that stand on printed squares, as they do at the start
LIKELY = np.log(0.5)


def learn_block(photo: Image, printing: NamedBoard) -> float | None:
    """How high one block of the set is, in fields; None where the board's squares are not known.

    photo: (H, W, 3) uint8 BGR, of the board set up: on each field with squares stands a tower of so
    many blocks. For two players there are none of one block, but four more of two.

    Raises
    ------
    NoBoardFound, BoardCutOff, BoardIsAnother
        See `place_one_of`.
    BoardNotSetUp
        Too few towers stand there, or not on the printed squares.
    """
    board, squares = printing.board, np.array(printing.board.squares)
    _, placed = place_one_of(photo, [printing])
    evidence = read_views(views_of(photo, placed, board, blank_picture(printing)), 0.0)
    is_tower: NDArray[np.bool_] = evidence.kinds[:, KINDS.index(TOWER)] > LIKELY
    stands = is_tower & (squares > 0) if squares.any() else is_tower
    if stands.sum() < max(MIN_TOWERS, MIN_SHARE * is_tower.sum()):
        raise BoardNotSetUp
    if not squares.any():
        return None
    is_higher = (squares == 1) & (evidence.heights[:, 1:].max(axis=1) > evidence.heights[:, 0])
    heights = np.where(is_higher, 2, squares)
    return block_height_of(evidence.tops[stands], heights[stands])
