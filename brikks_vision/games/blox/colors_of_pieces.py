"""The colours of the blocks of all towers of a photo, told beside each other.

A white block in the shade looks like a grey one in the light: blocks of one photo attend to each
other (Vaswani et al. 2017), each seen from before it and from above.

The pawns of a photo, told beside each other: those of one player look alike.

A brown pawn may be as red as another set's red one. Each field that may bear a pawn is looked at
from before it and from above, finer than for a first reading.

How high a block of a set is, from a photo of its set-up.

The colours of the blocks of towers that stand over several photos, from all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect import pieces
from brikks_vision.detect.board import flat_homography
from brikks_vision.detect.ground import Light
from brikks_vision.detect.networks import run_next
from brikks_vision.detect.placement import Image, Pose
from brikks_vision.detect.template import BLANK_PIXELS
from brikks_vision.errors import DefinitionDamaged
from brikks_vision.games.blox.decode import MIN_SHOWN
from brikks_vision.games.blox.field_evidence import normalized
from brikks_vision.games.blox.reading import BoardReading
from brikks_vision.rules.blox.material import MAX_HEIGHT, Color, PawnColor
from brikks_vision.rules.blox.position import FIELDS, SIDE, Tower, tower_of

Array = NDArray[np.float64]

NETWORK = "board_blocks"
# The network was trained with these.
PIXELS = 40  # of a face's side
REACH = 0.65  # fields to each side of the middle of a block
BEFORE = 0.4  # fields before its middle, where its nearest side or edge is
SPAN = (-0.75, 1.75)  # heights of a block, from its foot, that its upright face shows
MASK = 10  # points of a face's side of which it is known whether towers hide them
CLUES = 5 + 3 * len(Color)
UNUSED = 4  # of its inputs: it learnt to take examples of a set, which told it nothing more
OUTPUTS = len(Color) + 1  # a logit of each colour, and that the block shows


@dataclass(frozen=True)
class Looked:
    """What is seen of N things. faces: (N, 2, PIXELS, PIXELS, 3), BGR. hidden: (N, 2, MASK, MASK),
    where a tower stands before them. clues: (N, clues), what else is known.
    """

    faces: NDArray[np.uint8]
    hidden: NDArray[np.bool_]
    clues: pieces.Floats


@dataclass(frozen=True)
class OnBoard:
    """What is known of the board where N things stand, for a network that is told of it.

    empty: (..., N, 2, PIXELS, PIXELS, 4), what the empty board would show in their faces, as of
    `empty_board`. clues: (..., N, clues), where each is, and what its field tells by itself.
    """

    empty: pieces.Floats
    clues: pieces.Floats


def look_at_things(
    photo: Image,
    pose: Pose,
    light: Light,
    places: NDArray[np.intp],
    spans: Array,
    own: Array,
    towers: Array,
) -> Looked:
    """What is seen of N things.

    places: of each among the fields. spans: (N, 3), as of `frames_to_camera`. own: (N, ...), what
    is known of each; where the camera is from there, and how the fields look there, are added.
    towers: (81,), how high one surely stands on each field, in fields; 0 for none.
    """
    feet = middles(places)
    scaled, near = pieces.scaled_for_faces(photo, pose, (SIDE / 2, SIDE / 2, 0.0), REACH, PIXELS)
    frames = pieces.frames_to_camera(near, feet, spans, BEFORE, REACH, PIXELS)
    faces = pieces.faces_in(scaled, near, frames, PIXELS)
    away = pose.centre - np.column_stack([feet, spans[:, 0]])
    distance = np.linalg.norm(away, axis=1)
    dark, lightest = pieces.extremes(light)
    expected = pieces.relative_colors(light.colors(SIDE), dark, lightest)[
        places // SIDE, places % SIDE
    ]
    clues = np.column_stack([
        own, away[:, 2] / distance, np.log(distance / pieces.USUAL_DISTANCE),
        expected.reshape(len(places), -1),
    ])  # fmt: skip
    hidden = _hidden(pieces.points_in(frames, PIXELS, MASK), pose, places, towers)
    return Looked(faces, hidden, clues.astype(np.float32))


def _hidden(
    points: Array, pose: Pose, places: NDArray[np.intp], towers: Array
) -> NDArray[np.bool_]:
    """Which points (N, ..., 3) of things on some places the towers on other places hide."""
    hidden = np.zeros(points.shape[:-1], np.bool_)
    stand = np.flatnonzero(towers)
    feet = middles(stand)
    low = np.column_stack([feet - pieces.USUAL_WIDTH / 2, np.zeros(len(stand))])
    high = np.column_stack([feet + pieces.USUAL_WIDTH / 2, towers[stand]])
    beyond = np.linalg.norm(pose.centre[:2] - feet, axis=1)
    for at, (place, foot) in enumerate(zip(places, middles(places), strict=True)):
        # only what is nearer, and about in line, can hide it
        towards = pose.centre[:2] - foot
        aside = np.abs((feet - foot) @ np.array([-towards[1], towards[0]]))
        aside /= max(float(np.linalg.norm(towards)), 1e-6)
        nearer = beyond < np.linalg.norm(towards)
        some = (stand != place) & nearer & (aside < REACH + pieces.USUAL_WIDTH)
        if some.any():
            hidden[at] = pieces.hidden_points(points[at], pose.centre, low[some], high[some])
    return hidden


def middles(places: NDArray[np.intp]) -> Array:
    """(N, 2), x and y of the middles of fields."""
    return np.column_stack([places % SIDE + 0.5, places // SIDE + 0.5]).astype(np.float64)


def look_at_blocks(
    photo: Image,
    pose: Pose,
    light: Light,
    blocks: tuple[NDArray[np.intp], NDArray[np.intp]],
    above: NDArray[np.intp],
    height: float,
    towers: Array,
) -> Looked:
    """What is seen of N blocks; towers: as of `look_at_things`.

    blocks: the place of each among the fields, and its level, from 0. above: how many blocks
    probably lie on it; less than 0 where its tower probably ends below. height: of one, fields.
    """
    places, levels = blocks
    spans = (levels[:, None] + np.array([*SPAN, 1])) * height
    own = np.column_stack([levels / 4, above / 4, np.full(len(levels), height)])
    return look_at_things(photo, pose, light, places, spans, own, towers)


def as_inputs(
    colors: pieces.Floats,
    hidden: NDArray[np.bool_],
    clues: pieces.Floats,
    board: OnBoard | None = None,
) -> pieces.Floats:
    """The network's input (..., N, pictures + clues + UNUSED + 1); its last value marks nothing.

    colors: (..., N, 2, PIXELS, PIXELS, 3), relative to the board's own. hidden, clues: as of
    `Looked`. board: where the network is told of it; then how far each colour is from the empty
    board's, and where that is known, are four more channels.
    """
    of_points = hidden[..., None, :, :].astype(np.float32)
    finer = of_points.repeat(PIXELS // MASK, axis=-1).repeat(PIXELS // MASK, axis=-2)
    pictures, told = [np.moveaxis(colors, -1, -3), finer], [clues]
    if board is not None:
        empty, is_known = board.empty[..., :3], board.empty[..., 3:]
        pictures += [np.moveaxis(each, -1, -3) for each in ((colors - empty) * is_known, is_known)]
        told.append(board.clues)
    unused = np.zeros((*clues.shape[:-1], UNUSED + 1), np.float32)
    flat = np.concatenate(pictures, axis=-3).reshape(*clues.shape[:-1], -1)
    return np.concatenate([flat, *told, unused], axis=-1, dtype=np.float32)


def told_beside_others(
    network: str, looked: Looked, light: Light, board: OnBoard | None = None
) -> tuple[Array, Array]:
    """What a network tells of N things: log-probabilities of colours (N, 4), and logits (N,)."""
    colors = pieces.relative_colors(looked.faces, *pieces.extremes(light))
    told = run_next(network, as_inputs(colors, looked.hidden, looked.clues, board))
    logits, is_there = np.split(told.astype(np.float64), [-1], axis=1)
    return normalized(logits), is_there[:, 0]


PAWN_NETWORK = "board_pawns"
# The network was trained with these.
PAWN_SPAN = (
    -0.25,
    1.25,
    0.1,
)  # fields: from where to where its upright face reaches, its level one
PAWN_CLUES = 2 + 4 * len(Color)
POSITION = 5  # what is told first of where each is: x, y, where the camera is from there
KINDS = 2 + len(PawnColor)  # what each field tells by itself
LEAST_KIND, KIND_UNIT = -8.0, 4.0  # log-probability, and what is told as 1
PAWN_OUTPUTS = len(PawnColor) + 1  # a logit of each colour, and that a pawn stands there


def look_at_pawns(
    photo: Image,
    pose: Pose,
    light: Light,
    kinds: NDArray[np.uint8],
    places: NDArray[np.intp],
    towers: Array,
) -> Looked:
    """What is seen of what stands on N fields; towers: as of `look_at_things`.

    kinds: (9, 9), colours of the fields. places: among the fields.
    """
    own = np.eye(len(Color))[kinds.ravel()[places]]
    spans = np.tile(PAWN_SPAN, (len(places), 1))
    return look_at_things(photo, pose, light, places, spans, own, towers)


def pawns_on_board(
    pose: Pose, light: Light, ground: pieces.Ground, kinds: Array, places: NDArray[np.intp]
) -> OnBoard:
    """What is known of the board where pawns may stand.

    kinds: (81, kinds), log-probabilities of what each field tells by itself.
    """
    feet = middles(places)
    spans = np.tile(PAWN_SPAN, (len(places), 1))
    frames = pieces.frames_to_camera(pose, feet, spans, BEFORE, REACH, PIXELS)
    flat = pieces.empty_board(ground, light)
    empty = pieces.flat_in(
        flat, flat_homography(BLANK_PIXELS, pieces.REFERENCE_MARGIN), pose, frames, PIXELS
    )
    away = pose.centre - np.column_stack([feet, np.zeros(len(feet))])
    level = np.maximum(np.linalg.norm(away[:, :2], axis=1), 1e-6)
    clues = np.column_stack([
        feet - SIDE / 2, away[:, :2] / level[:, None], away[:, 2] / np.linalg.norm(away, axis=1),
        np.maximum(kinds[places], LEAST_KIND) / KIND_UNIT,
    ])  # fmt: skip
    return OnBoard(empty, clues.astype(np.float32))


MIN_BLOCK, MAX_BLOCK = 0.1, 1.2  # height, fields


@dataclass(frozen=True)
class Pieces:
    """What is known of a set. block: how high one is, fields."""

    block: float


def parse_pieces(data: Any, source: object) -> Pieces | None:
    """The pieces of a definition; raises DefinitionDamaged."""
    if data is None:
        return None
    height = data.get("block") if isinstance(data, dict) else None
    if not isinstance(height, int | float) or not MIN_BLOCK <= height <= MAX_BLOCK:
        raise DefinitionDamaged(source, "pieces.block")
    return Pieces(float(height))


COLORS = tuple(Color)
MISTAKEN = 0.1
"""Share of blocks whose colour a photo shows wrongly, by its light: each photo tells so much."""
SURE_COLOR = 0.9
"""The same as `decode.TOLD_COLOR`, of what all photos of a game tell together."""
SHARED = 0.5
"""n photos of one game count as n to the power of 1 - SHARED: their light errs alike. Of 0, 0.5 and
0.75 what is true is most probable with 0.5, on the last positions of 18 games (seed 61113)."""


@dataclass(frozen=True)
class TowerColors:
    """What the photos show of blocks, added up.

    logs: (photos + 1, 81, 5, 4), by photo, the sum of the log-probabilities of each block's colour
    in all photos before it that show the block. shown: (photos + 1, 81, 5), how many did.
    """

    logs: Array
    shown: NDArray[np.intp]

    @classmethod
    def of(cls, boards: Sequence[BoardReading]) -> TowerColors:
        chances = np.exp(np.stack([board.block_colors for board in boards]))
        logs = np.log((1 - MISTAKEN) * chances + MISTAKEN / len(COLORS))
        shows = np.stack([board.shown for board in boards]) > MIN_SHOWN
        first = np.zeros((1, len(FIELDS), MAX_HEIGHT))
        added = np.concatenate([first[..., None] * np.zeros(len(COLORS)), logs * shows[..., None]])
        return cls(added.cumsum(axis=0), np.concatenate([first, shows]).cumsum(axis=0).astype(int))

    def chances(self, place: int, since: int, until: int, height: int) -> Array:
        """The probabilities (height, 4) of each block's colour, bottom-up, as photos show them.

        Even for a block that no photo of ``since`` to before ``until`` shows. place: among
        ``FIELDS``.
        """
        photos = (self.shown[until] - self.shown[since])[place, :height, None]
        logs = (self.logs[until] - self.logs[since])[place, :height] / np.maximum(
            photos, 1
        ) ** SHARED
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def tower(self, place: int, since: int, until: int, height: int) -> Tower:
        """The tower that stood there, with those colours that are sure."""
        return tower_with(self.chances(place, since, until, height))


def tower_with(chances: Array, least: float = SURE_COLOR) -> Tower:
    """A tower with those colours that are so probable; chances: (height, 4)."""
    blocks = zip(chances.argmax(axis=1), chances.max(axis=1), strict=True)
    return tower_of(tuple(COLORS[kind] if chance >= least else None for kind, chance in blocks))
