"""The colours of the blocks of all towers of a photo, told beside each other.

A white block in the shade looks like a grey one in the light: blocks of one photo attend to each
other (Vaswani et al. 2017), each seen from before it and from above.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.faces import faces_in, frames_to_camera, points_in, scaled_for_faces
from brikks_vision.detect.ground import Light
from brikks_vision.detect.networks import run_next
from brikks_vision.detect.pieces import USUAL_DISTANCE, Floats, extremes, relative_colors
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose
from brikks_vision.detect.stacks import USUAL_WIDTH, hidden_points
from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import Color

Array = NDArray[np.float64]

NETWORK = "board_blocks"
# The network was trained with these.
PIXELS = 40  # of a face's side
REACH = 0.65  # fields to each side of the middle of a block
BEFORE = 0.4  # fields before its middle, where its nearest side or edge is
SPAN = (-0.75, 1.75)  # heights of a block, from its foot, that its upright face shows
MASK = 10  # points of a face's side of which it is known whether towers hide them
CLUES = 5 + 3 * len(Color)
KNOWN = 4  # colours of blocks, and of pawns
OUTPUTS = len(Color) + 1  # a logit of each colour, and that the block shows


UNIT, LEAST = 100.0, -0.5  # of a relative colour as uint8, and the least


@dataclass(frozen=True)
class Looked:
    """What is seen of N things. faces: (N, 2, PIXELS, PIXELS, 3), BGR. hidden: (N, 2, MASK, MASK),
    where a tower stands before them. clues: (N, clues), what else is known.
    """

    faces: NDArray[np.uint8]
    hidden: NDArray[np.bool_]
    clues: Floats


@dataclass(frozen=True)
class OnBoard:
    """What is known of the board where N things stand, for a network that is told of it.

    empty: (..., N, 2, PIXELS, PIXELS, 4), what the empty board would show in their faces, as of
    `empty_board`. clues: (..., N, clues), where each is, and what its field tells by itself.
    """

    empty: Floats
    clues: Floats


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
    scaled, near = scaled_for_faces(photo, pose, (SIDE / 2, SIDE / 2, 0.0), REACH, PIXELS)
    frames = frames_to_camera(near, feet, spans, BEFORE, REACH, PIXELS)
    faces = faces_in(scaled, near, frames, PIXELS)
    away = pose.centre - np.column_stack([feet, spans[:, 0]])
    distance = np.linalg.norm(away, axis=1)
    dark, lightest = extremes(light)
    expected = relative_colors(light.colors(SIDE), dark, lightest)[places // SIDE, places % SIDE]
    clues = np.column_stack([
        own, away[:, 2] / distance, np.log(distance / USUAL_DISTANCE),
        expected.reshape(len(places), -1),
    ])  # fmt: skip
    hidden = _hidden(points_in(frames, PIXELS, MASK), pose, places, towers)
    return Looked(faces, hidden, clues.astype(np.float32))


def _hidden(
    points: Array, pose: Pose, places: NDArray[np.intp], towers: Array
) -> NDArray[np.bool_]:
    """Which points (N, ..., 3) of things on some places the towers on other places hide."""
    hidden = np.zeros(points.shape[:-1], np.bool_)
    stand = np.flatnonzero(towers)
    feet = middles(stand)
    low = np.column_stack([feet - USUAL_WIDTH / 2, np.zeros(len(stand))])
    high = np.column_stack([feet + USUAL_WIDTH / 2, towers[stand]])
    beyond = np.linalg.norm(pose.centre[:2] - feet, axis=1)
    for at, (place, foot) in enumerate(zip(places, middles(places), strict=True)):
        # only what is nearer, and about in line, can hide it
        towards = pose.centre[:2] - foot
        aside = np.abs((feet - foot) @ np.array([-towards[1], towards[0]]))
        aside /= max(float(np.linalg.norm(towards)), 1e-6)
        nearer = beyond < np.linalg.norm(towards)
        some = (stand != place) & nearer & (aside < REACH + USUAL_WIDTH)
        if some.any():
            hidden[at] = hidden_points(points[at], pose.centre, low[some], high[some])
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


@dataclass(frozen=True, eq=False)
class Examples:
    """N things of the same set whose colours are known.

    faces: (N, 2, PIXELS, PIXELS, 3), as of `as_stored`. hidden, clues: as of `Looked`. colors:
    (N,), among the colours that such things have. picture: the file that the faces were read from,
    if any: encoded anew, they would be others.
    """

    faces: NDArray[np.uint8]
    hidden: NDArray[np.bool_]
    clues: Floats
    colors: NDArray[np.intp]
    picture: bytes | None = None


def as_stored(faces: NDArray[np.uint8], light: Light) -> NDArray[np.uint8]:
    """Faces as relative colours of one byte each."""
    colors = relative_colors(faces, *extremes(light))
    return np.asarray(np.clip((colors - LEAST) * UNIT, 0, 255), np.uint8)


def as_inputs(
    colors: Floats,
    hidden: NDArray[np.bool_],
    clues: Floats,
    known: NDArray[np.intp],
    board: OnBoard | None = None,
) -> Floats:
    """The network's input (..., N, pictures + clues + kinds + 1); its last value marks nothing.

    colors: (..., N, 2, PIXELS, PIXELS, 3), relative to the board's own. hidden, clues: as of
    `Looked`. known: (..., N), the colour of each thing that is an example, less than 0 of others.
    board: where the network is told of it; then how far each colour is from the empty board's, and
    where that is known, are four more channels.
    """
    of_points = hidden[..., None, :, :].astype(np.float32)
    finer = of_points.repeat(PIXELS // MASK, axis=-1).repeat(PIXELS // MASK, axis=-2)
    pictures, told = [np.moveaxis(colors, -1, -3), finer], [clues]
    if board is not None:
        empty, is_known = board.empty[..., :3], board.empty[..., 3:]
        pictures += [np.moveaxis(each, -1, -3) for each in ((colors - empty) * is_known, is_known)]
        told.append(board.clues)
    absent = np.zeros((*clues.shape[:-1], 1), np.float32)
    flat = np.concatenate(pictures, axis=-3).reshape(*clues.shape[:-1], -1)
    is_example = np.arange(KNOWN) == known[..., None]
    return np.concatenate([flat, *told, is_example, absent], axis=-1, dtype=np.float32)


def nothing_known(like: OnBoard, count: int) -> OnBoard:
    """Of so many examples, which stand on no board."""
    return OnBoard(
        np.zeros((count, *like.empty.shape[-4:]), np.float32),
        np.zeros((count, like.clues.shape[-1]), np.float32),
    )


def told_beside_others(
    network: str,
    looked: Looked,
    light: Light,
    examples: Examples | None = None,
    board: OnBoard | None = None,
) -> tuple[Array, Array]:
    """What a network tells of N things: log-probabilities of colours (N, 4), and logits (N,)."""
    count = len(looked.clues)
    colors = relative_colors(looked.faces, *extremes(light))
    inputs = as_inputs(colors, looked.hidden, looked.clues, np.full(count, -1), board)
    if examples is not None:
        stored = examples.faces.astype(np.float32) / UNIT + LEAST
        off = None if board is None else nothing_known(board, len(stored))
        known = as_inputs(stored, examples.hidden, examples.clues, examples.colors, off)
        inputs = np.concatenate([inputs, known])
    told = run_next(network, inputs)[:count].astype(np.float64)
    logits, is_there = told[:, :-1], told[:, -1]
    return logits - np.logaddexp.reduce(logits, axis=1, keepdims=True), is_there
