"""What stands on a board: views of its cells for the networks, and what stacks hide.

A view looks from the camera's own place straight at a cell, with up as up: turning a camera on the
spot is a homography, so a view shows exactly what the photo does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import flat_homography
from brikks_vision.detect.ground import HAZE, Light, cell_colors, turn_misfit
from brikks_vision.detect.placement import Image, Pose, scaled_homography, shrunk
from brikks_vision.detect.template import BLANK_PIXELS

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

VIEW_PIXELS = 24  # a cell's side at its own distance, px
VIEW_SIZE = (56, 112)  # width and height of a view, px
FOOT_ROW = 76.0  # row of the cell's middle; higher rows are for what stands on it, lower ones for
# what stands before it: a tower there is told by its foot
MAX_HEIGHT = 6.0  # cells; heights are told as shares of it
MAX_LEVEL = 7.0  # blocks; levels are told as shares of it
GROUND_CHANNEL = 6  # the first of the kinds of cells in `cell_views`
HEIGHT_CHANNEL = -3
MIN_LEAN = 1e-3  # sine of the angle below which a view is from straight above
USUAL_DISTANCE = 16.0  # cells; distances are told relative to it
MAP_PIXELS = 64  # of a cell's side in the map of the empty board
OFF_BOARD = 255  # in it, what is no cell; a board has fewer
REFERENCE_MARGIN = 1.0  # cells around the lattice that it shows


@dataclass(frozen=True)
class Ground:
    """What the empty board looks like.

    kinds: (rows, columns) uint8, the colour of each cell, from 0 to ``count`` - 1. reference: how
    its print differs from plain cells, as of `reference_of`; None: not known.
    """

    kinds: NDArray[np.uint8]
    count: int
    reference: Floats | None = None

    @cached_property
    def known_reference(self) -> Floats:
        """The reference with a channel that is 1 where it is known, (H, W, 4)."""
        assert self.reference is not None
        return np.dstack([self.reference, np.ones(self.reference.shape[:2], np.float32)])


def reference_of(picture: Image, kinds: NDArray[np.uint8], count: int) -> Floats:
    """How the print of an empty board differs from cells that are of one colour each.

    picture: of the board, flattened with `BLANK_PIXELS` and `REFERENCE_MARGIN`. Relative colours,
    see `relative_colors`, less those of the cell; in the margin the colours themselves.
    """
    side, pixels = len(kinds), BLANK_PIXELS
    to_picture = flat_homography(pixels, REFERENCE_MARGIN)
    _, light = turn_misfit(cell_colors(picture, to_picture, side), kinds, count)
    dark, lightest = extremes(light)
    reference = relative_colors(picture, dark, lightest)
    expected = relative_colors(light.colors(side), dark, lightest)
    rows, columns = np.mgrid[:side, :side]
    plain = expected[rows, columns, kinds]
    margin = round(REFERENCE_MARGIN * pixels)
    inner = slice(margin, margin + side * pixels)
    reference[inner, inner] -= np.repeat(np.repeat(plain, pixels, axis=0), pixels, axis=1)
    return reference


def empty_board(ground: Ground, light: Light) -> Floats:
    """The empty board as a photo would show it, flattened as the picture of `reference_of`.

    Returns (H, W, 4): colours relative to the board's own, and 1 where they are known.
    """
    side = len(ground.kinds)
    rows, columns = np.mgrid[:side, :side]
    expected = relative_colors(light.colors(side), *extremes(light))[rows, columns, ground.kinds]
    plain = np.repeat(np.repeat(expected, BLANK_PIXELS, axis=0), BLANK_PIXELS, axis=1)
    margin = round(REFERENCE_MARGIN * BLANK_PIXELS)
    beyond = ((margin, margin), (margin, margin), (0, 0))
    inside = np.pad(np.dstack([plain, np.ones(plain.shape[:2])]), beyond).astype(np.float32)
    if ground.reference is None:
        return inside
    return np.dstack([inside[..., :3] + ground.reference, np.ones(inside.shape[:2], np.float32)])


def extremes(light: Light) -> tuple[Array, Array]:
    """The colours of the darkest and of the lightest kind of cell in the middle, (3,), BGR."""
    shades = np.exp(light.shades) - HAZE
    order = shades.mean(axis=1).argsort()
    return shades[order[0]], shades[order[-1]]


def cell_view(pose: Pose, row: int, column: int) -> tuple[Array, float, float]:
    """How a cell is looked at.

    Returns the homography (3, 3) from px of the view to px of the photo, the cosine of the angle
    from the vertical, and the distance of the camera, cells.
    """
    ray = np.array([column + 0.5, row + 0.5, 0.0]) - pose.centre
    distance = math.hypot(*ray)
    forward = ray / distance
    lean = np.array([0.0, 0.0, 1.0]) - forward[2] * forward
    if math.hypot(*lean) < MIN_LEAN:
        lean = -pose.rotation[1]  # up in the photo
        lean = lean - (lean @ forward) * forward
    up = lean / math.hypot(*lean)
    (a, b, c), (x, y, z) = up.tolist(), forward.tolist()
    right = (b * z - c * y, c * x - a * z, a * y - b * x)  # the frame of the world is left-handed
    turn = np.array([right, -up, forward])
    focal, middle = VIEW_PIXELS * distance, (VIEW_SIZE[0] - 1) / 2
    from_view = np.array(
        [[1 / focal, 0, -middle / focal], [0, 1 / focal, -FOOT_ROW / focal], [0, 0, 1.0]]
    )
    matrix = pose.intrinsic @ pose.rotation @ turn.T @ from_view
    return matrix / matrix[2, 2], -z, distance


def height_rows(cosine: float, distance: float) -> Floats:
    """Height above the board, in cells, at each row of a view, for what stands in its middle."""
    above = FOOT_ROW - np.arange(VIEW_SIZE[1])
    sine = max(np.sqrt(max(0.0, 1 - cosine**2)), 0.02)
    below = VIEW_PIXELS * distance * sine + above * cosine
    heights = above * distance / np.maximum(below, 1e-3)
    return np.asarray(np.clip(heights, -1.0, MAX_HEIGHT), np.float32)


def view_scale(pose: Pose, row: float, column: float) -> float:
    """The factor to scale a photo by before its views are taken, so that none is aliased."""
    foot = np.array([column, row, 0.0])
    distance = float(np.linalg.norm(foot - pose.centre))
    return float(VIEW_PIXELS * 1.4 * distance / pose.intrinsic[0, 0])


def cell_views(
    pixels: Floats,
    pose: Pose,
    homography: Array,
    ground: Ground,
    expected: Floats,
    cells: list[tuple[int, int]],
) -> Floats:
    """The network's input for some cells: (N, channels, height, width).

    pixels: (H, W, 3) colours relative to the board's own, of the scaled photo that ``pose`` and
    ``homography`` (cells to px) are for. expected: (rows, columns, kinds, 3), such colours of each
    kind of cell at each place. Channels: three colours, how far they are from those of the empty
    board, then for each kind of cell where the empty board would show it, the cell itself, height,
    cosine and distance.
    """
    width, height = VIEW_SIZE
    views = np.zeros((len(cells), GROUND_CHANNEL + ground.count + 4, height, width), np.float32)
    numbers, kinds = _maps_of(ground)
    to_board = np.linalg.inv(homography)
    to_map = flat_homography(MAP_PIXELS, 0.0) @ to_board
    for at, (row, column) in enumerate(cells):
        matrix, cosine, distance = cell_view(pose, row, column)
        shown = cv2.warpPerspective(
            pixels, matrix, VIEW_SIZE, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        views[at, :3] = shown.transpose(2, 0, 1)
        number = cv2.warpPerspective(
            numbers, to_map @ matrix, VIEW_SIZE, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT, borderValue=OFF_BOARD,
        )  # fmt: skip
        shown_kinds = kinds[number]
        for kind in range(ground.count):
            views[at, GROUND_CHANNEL + kind] = shown_kinds == kind
        reference, is_known = reference_view(ground, to_board @ matrix)
        views[at, 3:GROUND_CHANNEL] = differences(
            views[at : at + 1, :3],
            views[at : at + 1, GROUND_CHANNEL : GROUND_CHANNEL + ground.count],
            expected[row, column][None],
            reference[None],
            is_known[None],
        )
        views[at, -4] = number == row * ground.kinds.shape[1] + column
        views[at, -3] = (height_rows(cosine, distance) / MAX_HEIGHT)[:, None]
        views[at, -2] = cosine
        views[at, -1] = np.log(distance / USUAL_DISTANCE)
    return views


def _maps_of(ground: Ground) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The board with ``MAP_PIXELS`` a cell, its px the number of their cell; each number's kind."""
    cells = np.arange(ground.kinds.size, dtype=np.uint8).reshape(ground.kinds.shape)
    kinds = np.full(OFF_BOARD + 1, ground.count, np.uint8)
    kinds[: ground.kinds.size] = ground.kinds.ravel()
    return np.repeat(np.repeat(cells, MAP_PIXELS, axis=0), MAP_PIXELS, axis=1), kinds


def reference_view(ground: Ground, to_board: Array) -> tuple[Floats, Floats]:
    """What a view would show of the reference, (3, H, W), and where, (H, W), 0 or 1.

    to_board: (3, 3), from px of the view to cells.
    """
    width, height = VIEW_SIZE
    if ground.reference is None:
        return np.zeros((3, height, width), np.float32), np.zeros((height, width), np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = flat_homography(BLANK_PIXELS, REFERENCE_MARGIN) @ to_board
    shown = cv2.warpPerspective(ground.known_reference, matrix, VIEW_SIZE, flags=flags)
    return (
        np.asarray(shown[..., :3].transpose(2, 0, 1), np.float32),
        (shown[..., 3] > 0.99).astype(np.float32),
    )


def differences(
    colors: Floats, kinds: Floats, expected: Floats, reference: Floats, is_known: Floats
) -> Floats:
    """How far colours (N, 3, H, W) are from the empty board's; 0 where that is not known.

    kinds: (N, kinds, H, W), 1 where a kind of cell would show. expected: (N, kinds, 3). reference:
    (N, 3, H, W), see `reference_of`; is_known: (N, H, W), 1 where there is one.
    """
    ground = np.einsum("nkhw,nkc->nchw", kinds, expected)
    known = np.maximum(kinds.sum(axis=1), is_known)[:, None]
    return np.asarray((colors - ground - reference * is_known[:, None]) * known, np.float32)


def level_channel(heights: Floats, blocks: Floats) -> Floats:
    """How many blocks high each row is, as a share of `MAX_LEVEL`; 0 where that is not known.

    heights: (N, ..., W) as `cell_views` tells them. blocks: (N,), the height of one block in cells,
    0 for unknown.
    """
    known = np.maximum(blocks, 1e-3).reshape(-1, *(1,) * (heights.ndim - 1))
    levels = np.clip(heights * np.float32(MAX_HEIGHT) / known, -1.0, MAX_LEVEL) / MAX_LEVEL
    levels[blocks <= 0] = 0
    return np.asarray(levels, np.float32)


def with_levels(views: Floats, block: float) -> Floats:
    """The views told how high one block is, in cells; 0 for unknown. One channel is added."""
    blocks = np.full(len(views), block, np.float32)
    levels = level_channel(views[:, HEIGHT_CHANNEL], blocks)
    return np.concatenate([views, levels[:, None]], axis=1)


def relative_colors(image: NDArray[Any], dark: Array, light: Array) -> Floats:
    """Colours (..., 3) at which the board's darkest cells are 0 and its lightest 1.

    dark, light: (3,), their colours in the image, BGR.
    """
    span = np.maximum(light - dark, 20.0)
    if image.dtype == np.uint8 and image.size:  # few levels: a table of all of them is faster
        levels = np.arange(256, dtype=np.float32)[:, None]
        table = np.asarray((levels - dark.astype(np.float32)) / span, np.float32)
        flat = np.ascontiguousarray(image).reshape(1, -1, 3)
        return np.asarray(cv2.LUT(flat, table[None]), np.float32).reshape(image.shape)
    return np.asarray((image.astype(np.float32) - dark.astype(np.float32)) / span, np.float32)


def look_at_cells(
    image: Image,
    homography: Array,
    pose: Pose,
    ground: Ground,
    light: Light,
    cells: list[tuple[int, int]],
) -> Floats:
    """The network's input for some cells of a photo, see `cell_views`.

    homography: cells to px of the photo, its first cell that of ``ground``. light: how the cells
    look in this photo.
    """
    side = len(ground.kinds)
    image, scale = shrunk(image, view_scale(pose, side / 2, side / 2))
    homography, pose = scaled_homography(homography, scale), pose.scaled(scale)
    dark, lightest = extremes(light)
    pixels = relative_colors(image, dark, lightest)
    expected = relative_colors(light.colors(side), dark, lightest)
    return cell_views(pixels, pose, homography, ground, expected, cells)


Point = tuple[float, float, float]

MAX_ALIASING = 1.5  # px of the photo for each px of a face, beyond which it is scaled down first


def faces_at(
    image: Image, pose: Pose, middles: Sequence[Point], reach: float, pixels: int
) -> NDArray[np.uint8]:
    """Level squares around points above the board, (N, pixels, pixels, 3).

    middles: (x, y, z) in cells. reach: from the middle to each side, cells. Their rows go as the
    board's do.
    """
    step, matrix = 2 * reach / pixels, pose.matrix
    faces = np.empty((len(middles), pixels, pixels, 3), np.uint8)
    for at, (x, y, z) in enumerate(middles):
        to_world = np.array([
            [step, 0, x - reach + step / 2], [0, step, y - reach + step / 2], [0, 0, z],
            [0, 0, 1.0],
        ])  # fmt: skip
        cv2.warpPerspective(
            image, matrix @ to_world, (pixels, pixels), dst=faces[at],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return faces


def frames_to_camera(
    pose: Pose, feet: Array, spans: Array, before: float, reach: float, pixels: int
) -> Array:
    """Upright rectangles that face the camera, and level squares, (N, 2, 4, 3).

    Each maps px of a face of so many px a side to homogeneous points above the board, cells.

    feet: (N, 2), x and y of points of the board, cells. spans: (N, 3), from which height to which
    the rectangles stand, and the height of the squares, cells. before: how far nearer to the camera
    than its foot each rectangle stands, cells. reach: from the middle to each side, cells. Up is
    up, and away from the camera.
    """
    frames = np.zeros((len(feet), 2, 4, 3))
    towards = pose.centre[:2] - feet
    towards /= np.maximum(np.linalg.norm(towards, axis=1), 1e-6)[:, None]
    step = 2 * reach / pixels
    for at, ((x, y), (low, high, level)) in enumerate(zip(feet, spans, strict=True)):
        east, south = towards[at]
        start, rise = step / 2 - reach, (high - low) / pixels
        frames[at, 0] = [
            [-step * south, 0, x + before * east - start * south],
            [step * east, 0, y + before * south + start * east],
            [0, -rise, high - rise / 2], [0, 0, 1.0],
        ]  # fmt: skip
        frames[at, 1] = [
            [-step * south, step * east, x + start * (east - south)],
            [step * east, step * south, y + start * (east + south)],
            [0, 0, level], [0, 0, 1.0],
        ]  # fmt: skip
    return frames


def faces_in(image: Image, pose: Pose, frames: Array, pixels: int) -> NDArray[np.uint8]:
    """The faces of frames (N, 2, 4, 3), as of `frames_to_camera`: (N, 2, pixels, pixels, 3)."""
    faces = np.empty((*frames.shape[:2], pixels, pixels, 3), np.uint8)
    for at in np.ndindex(*frames.shape[:2]):
        cv2.warpPerspective(
            image, pose.matrix @ frames[at], (pixels, pixels), dst=faces[at],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return faces


def flat_in(
    flat: NDArray[np.float32], to_flat: Array, pose: Pose, frames: Array, pixels: int
) -> NDArray[np.float32]:
    """What a flat picture of the board would show in the faces of frames, if nothing stood on it.

    flat: (H, W, channels). to_flat: (3, 3), from cells to its px. Returns (N, 2, pixels, pixels,
    channels); 0 beyond the picture.
    """
    from_photo = to_flat @ np.linalg.inv(pose.matrix[:, [0, 1, 3]])
    shown = np.empty((*frames.shape[:2], pixels, pixels, flat.shape[2]), np.float32)
    for at in np.ndindex(*frames.shape[:2]):
        cv2.warpPerspective(
            flat, from_photo @ pose.matrix @ frames[at], (pixels, pixels), dst=shown[at],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        )  # fmt: skip
    return shown


def points_in(frames: Array, pixels: int, count: int) -> Array:
    """Evenly spread points of the faces of frames, (N, 2, count, count, 3), cells."""
    at = (np.arange(count) + 0.5) * pixels / count - 0.5
    across, down = np.meshgrid(at, at)
    grid = np.stack([across, down, np.ones_like(down)], axis=-1)
    return np.asarray(np.einsum("nfij,abj->nfabi", frames[:, :, :3], grid))


def scaled_for_faces(
    image: Image, pose: Pose, middle: Point, reach: float, pixels: int
) -> tuple[Image, Pose]:
    """The photo scaled down, and its pose, so that no face near that point is aliased."""
    distance = float(np.linalg.norm(np.array(middle) - pose.centre))
    a_face = 2 * reach * pose.intrinsic[0, 0] / distance  # px of the photo
    factor = pixels * MAX_ALIASING / a_face
    small, factor = shrunk(image, factor)
    return small, pose.scaled(factor)


USUAL_WIDTH = 0.8  # cells, of a box that hides others
PAWN_WIDTH, PAWN_HEIGHT = 0.45, 1.0  # cells, of usual pawns
MASK_SIDE = 400  # px of the picture in which it is seen what hides what


def hidden_shares(
    pose: Pose, cells: Array, box: tuple[float, Array], heights: Array, hiding: NDArray[np.bool_]
) -> Array:
    """Which share of a box on each cell, 0 to 1, nearer stacks hide.

    cells: (N, 2), row and column. box: its width, and its height on each cell, (N,), in cells.
    heights: (N,), of the stacks, in cells. hiding: (N,), which of them surely stand there.
    """
    middles = np.column_stack([cells[:, ::-1] + 0.5, np.zeros(len(cells))])
    away = np.linalg.norm(middles - pose.centre, axis=1)
    boxes = np.stack([_boxes(middles, *box), _boxes(middles, USUAL_WIDTH, heights)])
    seen = pose.project(boxes.reshape(-1, 3)).reshape(2, len(cells), 8, 2)
    low = seen.min(axis=(0, 1, 2))
    scale = MASK_SIDE / float((seen.max(axis=(0, 1, 2)) - low).max())
    asked, stacks = (
        [cv2.convexHull(np.rint((each - low) * scale).astype(np.int32)) for each in kind]
        for kind in seen
    )
    shares, rims = np.zeros(len(cells)), np.array([cv2.boundingRect(each) for each in stacks])
    lows, highs = rims[:, :2], rims[:, :2] + rims[:, 2:]
    for place, outline in enumerate(asked):
        left, top, width, height = cv2.boundingRect(outline)
        near = (lows < (left + width, top + height)).all(axis=1) & (highs > (left, top)).all(axis=1)
        nearer = np.flatnonzero(hiding & near & (away < away[place]))
        if not len(nearer):
            continue
        own = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(own, outline - (left, top), 1)
        before = np.zeros_like(own)
        for other in nearer:
            cv2.fillConvexPoly(before, stacks[other] - (left, top), 1)
        shares[place] = (own & before).sum() / max(1, own.sum())
    return shares


def hidden_points(points: Array, centre: Array, low: Array, high: Array) -> NDArray[np.bool_]:
    """Which of some points (..., 3) any of some boxes hides from a camera, (...).

    centre: (3,), the camera. low, high: (boxes, 3), their lowest and highest corners.
    """
    rays = centre - points[..., None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        near, far = ((ends - points[..., None, :]) / rays for ends in (low, high))
    first, last = np.minimum(near, far).max(axis=-1), np.maximum(near, far).min(axis=-1)
    return np.asarray(((first < last) & (last > 1e-4) & (first < 1)).any(axis=-1))


def _boxes(middles: Array, width: float, heights: Array) -> Array:
    """The corners (N, 8, 3) of boxes that stand on (N, 3) places."""
    half = width / 2
    corners = np.array(
        [[x, y, z] for x in (-half, half) for y in (-half, half) for z in (0.0, 1.0)]
    )
    boxes = middles[:, None] + corners
    boxes[:, :, 2] = corners[:, 2] * heights[:, None]
    return np.asarray(boxes)
