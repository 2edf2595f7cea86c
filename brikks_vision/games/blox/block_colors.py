"""The colours of the blocks of all towers of a photo, told beside each other.

A white block in the shade looks like a grey one in the light: blocks of one photo attend to each
other (Vaswani et al. 2017), each seen from before it and from above.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.faces import faces_to_camera, scaled_for_faces
from brikks_vision.detect.ground import Light
from brikks_vision.detect.networks import run_next
from brikks_vision.detect.pieces import USUAL_DISTANCE, Floats, extremes, relative_colors
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose
from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import Color

Array = NDArray[np.float64]

NETWORK = "board_blocks"
# The network was trained with these.
PIXELS = 40  # of a face's side
REACH = 0.65  # fields to each side of the middle of a block
BEFORE = 0.4  # fields before its middle, where its nearest side or edge is
SPAN = (-0.75, 1.75)  # heights of a block, from its foot, that its upright face shows
PICTURES = 2 * 3 * PIXELS * PIXELS
CLUES = 5 + 3 * len(Color)
OUTPUTS = len(Color) + 1  # a logit of each colour, and that the block shows


def look_at_things(
    photo: Image, pose: Pose, light: Light, places: NDArray[np.intp], spans: Array, own: Array
) -> tuple[NDArray[np.uint8], Floats]:
    """The faces (N, 2, PIXELS, PIXELS, 3) of N things, BGR, and what else is known, (N, clues).

    places: of each among the fields. spans: (N, 3), as of `faces_to_camera`. own: (N, ...), what
    is known of each; where the camera is from there, and how the fields look there, are added.
    """
    feet = np.column_stack([places % SIDE + 0.5, places // SIDE + 0.5]).astype(np.float64)
    scaled, near = scaled_for_faces(photo, pose, (SIDE / 2, SIDE / 2, 0.0), REACH, PIXELS)
    faces = faces_to_camera(scaled, near, feet, spans, BEFORE, REACH, PIXELS)
    away = pose.centre - np.column_stack([feet, spans[:, 0]])
    distance = np.linalg.norm(away, axis=1)
    dark, lightest = extremes(light)
    expected = relative_colors(light.colors(SIDE), dark, lightest)[places // SIDE, places % SIDE]
    clues = np.column_stack([
        own, away[:, 2] / distance, np.log(distance / USUAL_DISTANCE),
        expected.reshape(len(places), -1),
    ])  # fmt: skip
    return faces, clues.astype(np.float32)


def look_at_blocks(
    photo: Image,
    pose: Pose,
    light: Light,
    blocks: tuple[NDArray[np.intp], NDArray[np.intp]],
    above: NDArray[np.intp],
    height: float,
) -> tuple[NDArray[np.uint8], Floats]:
    """The faces of N blocks and what else is known, as of `look_at_things`.

    blocks: the place of each among the fields, and its level, from 0. above: how many blocks
    probably lie on it; less than 0 where its tower probably ends below. height: of one, fields.
    """
    places, levels = blocks
    spans = (levels[:, None] + np.array([*SPAN, 1])) * height
    own = np.column_stack([levels / 4, above / 4, np.full(len(levels), height)])
    return look_at_things(photo, pose, light, places, spans, own)


def as_inputs(colors: Floats, clues: Floats) -> Floats:
    """The network's input (..., N, PICTURES + CLUES + 1); its last value marks what is no block.

    colors: (..., N, 2, PIXELS, PIXELS, 3), relative to the board's own.
    """
    pictures = np.moveaxis(colors, -1, -3).reshape(*clues.shape[:-1], PICTURES)
    absent = np.zeros((*clues.shape[:-1], 1), np.float32)
    return np.concatenate([pictures, clues, absent], axis=-1, dtype=np.float32)


def told_beside_others(
    network: str, faces: NDArray[np.uint8], clues: Floats, light: Light
) -> tuple[Array, Array]:
    """What a network tells of N things: log-probabilities of colours (N, 4), and logits (N,)."""
    colors = relative_colors(faces, *extremes(light))
    told = run_next(network, as_inputs(colors, clues)).astype(np.float64)
    logits, is_there = told[:, :-1], told[:, -1]
    return logits - np.logaddexp.reduce(logits, axis=1, keepdims=True), is_there
