"""Finds a board of square cells in a photo, in any perspective: a network sees where it lies, then
the lines between the cells are fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import run_network
from brikks_vision.detect.placement import Image, apply_homography, scaled_homography, shrunk

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

LOCATOR_SIDE = 192  # px of the picture that the network sees
LOCATOR_STRIDE = 4  # px of that picture for each px of its maps
PEAK_REACH = 3  # px of its maps around a corner of the region of cells
PADDING = 114  # grey around a picture that is not square

FLAT_PIXELS = 24  # of a cell in the flattened photo that the lines are looked for in
FLAT_MARGIN = 1.0  # cells around the lattice
REACHES = (0.5, 0.35, 0.2, 0.12)  # cells to both sides of a line at which it is looked for, in turn
PIECE_LENGTH = 0.7  # of a cell's side that is looked at, away from the corners
MIN_CLEAR = 12.0  # grey levels of all channels together over two px, above what is around
SEARCH_PIXELS = 14  # of a cell in the flattened photo that is searched
SEARCH_MARGIN = 2.0  # cells
SIDE_SHIFTS = (-1.0, -0.5, 0.0, 0.5, 1.0)  # cells
CORNER_REACHES = (0.8, 0.4, 0.2, 0.4, 0.2, 0.1)  # cells
STARTS, SEARCHES = 9, 3  # quads whose corners are moved; those that lines are fitted to
MIN_APART = 0.3  # cells of a corner by which two quads differ
PIECE_POINTS = 5  # of a side of a cell
CLEAR_STEP = 8.0  # grey levels of all channels together, at a px, of a line that is half clear
INLIER = 0.06  # cells from its place at which a line is seen of a homography that fits
MIN_LINES_SHARE = 0.25  # of the pieces of lines must be seen


@dataclass(frozen=True)
class FoundBoard:
    """Where the cells lie.

    homography: (3, 3), cells to px of the photo; which corner is the first is not known. strength:
    the share, 0 to 1, of the pieces of lines between cells that are seen where they should be.
    """

    homography: Array
    strength: float


def letterbox(image: Image, side: int) -> tuple[Image, float]:
    """The image, scaled into a grey square from its top left, and the factor of the scale."""
    height, width = image.shape[:2]
    factor = side / max(height, width)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    boxed = np.full((side, side, 3), PADDING, np.uint8)
    boxed[: size[1], : size[0]] = cv2.resize(image, size, interpolation=method)
    return boxed, factor


def quad_of_maps(maps: Floats) -> Array | None:
    """The four corners (4, 2) in px of the network's input, clockwise; None where it sees none.

    maps: logits (2, H, W): of being on the cells, and of being a corner of all of them.
    """
    mask = (maps[0] > 0).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[largest, cv2.CC_STAT_AREA] < 12:
        return None
    part = (labels == largest).astype(np.uint8)
    quad = _quad_around(part)
    if quad is None:
        return None
    corners = np.array([_peak(maps[1], corner) for corner in quad])
    return np.asarray((corners + 0.5) * LOCATOR_STRIDE - 0.5)


def _quad_around(part: NDArray[np.uint8]) -> Array | None:
    """The quadrilateral (4, 2) that covers a region best, clockwise, px."""
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(outlines, key=len)).astype(np.float32)
    length = cv2.arcLength(hull, True)
    best = None
    for share in np.linspace(0.01, 0.2, 39):
        shape = cv2.approxPolyDP(hull, share * length, True)[:, 0]
        if len(shape) == 4:
            best = shape
            break
        if len(shape) < 4:
            break
    if best is None:
        best = cv2.boxPoints(cv2.minAreaRect(hull))
    quad = np.asarray(best, np.float64)
    area = np.roll(quad, -1, 0) - quad
    following = np.roll(area, -1, 0)
    if (area[:, 0] * following[:, 1] - area[:, 1] * following[:, 0]).sum() < 0:
        quad = quad[::-1]
    return quad


def _peak(heat: Floats, corner: Array) -> Array:
    """The middle of the map of corners near a corner; the corner itself where there is no peak."""
    height, width = heat.shape
    x, y = np.rint(corner).astype(int)
    left, top = max(0, x - PEAK_REACH), max(0, y - PEAK_REACH)
    part = heat[top : min(height, y + PEAK_REACH + 1), left : min(width, x + PEAK_REACH + 1)]
    if not part.size or part.max() < -2.0:
        return np.asarray(corner)
    row, column = np.unravel_index(int(part.argmax()), part.shape)
    near = heat[
        max(0, top + row - 1) : top + row + 2, max(0, left + column - 1) : left + column + 2
    ]
    weights = 1 / (1 + np.exp(-near.astype(np.float64)))
    ys, xs = np.mgrid[
        max(0, top + row - 1) : max(0, top + row - 1) + near.shape[0],
        max(0, left + column - 1) : max(0, left + column - 1) + near.shape[1],
    ]
    return np.asarray(np.array([(weights * xs).sum(), (weights * ys).sum()]) / weights.sum())


def board_corners(image: Image) -> Array | None:
    """The corners of a board's cells, (4, 2) px, clockwise, about where they are; None: no board.

    image: (H, W, 3) uint8 BGR.
    """
    boxed, factor = letterbox(image, LOCATOR_SIDE)
    quad = quad_of_maps(run_network("board_locator", boxed))
    return None if quad is None else np.asarray((quad + 0.5) / factor - 0.5)


def find_boards(image: Image, side: int) -> list[FoundBoard]:
    """Where a board of ``side`` x ``side`` cells may lie in a photo, the most probable first.

    Empty where none is seen. image: (H, W, 3) uint8 BGR.
    """
    corners = board_corners(image)
    if corners is None:
        return []
    found = [
        fit_lines(image, homography, side)
        for homography in search_lattice(image, quad_homography(corners, side), side)
    ]
    return sorted(found, key=lambda each: -each.strength)


def lattice_corners(side: int) -> Array:
    """The corners (4, 2) of a board of so many cells, clockwise from its first one, cells."""
    return np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float64)


@cache
def cell_sides(side: int) -> tuple[Array, Array]:
    """The middles (N, 2) and normals (N, 2) of the sides of cells, cells; upright ones first."""
    fixed, moving = np.meshgrid(np.arange(side + 1.0), np.arange(side) + 0.5, indexing="ij")
    places = np.stack([fixed.ravel(), moving.ravel()], axis=1)
    normals = np.repeat([[1.0, 0.0], [0.0, 1.0]], len(places), axis=0)
    return np.concatenate([places, places[:, ::-1]]), normals


def quad_homography(corners: Array, side: int) -> Array:
    """The homography (3, 3) from cells to px that has these corners (4, 2)."""
    lattice = lattice_corners(side).astype(np.float32)
    found = cv2.getPerspectiveTransform(lattice, corners.astype(np.float32))
    return np.asarray(found, np.float64)


def _quad_homographies(quads: Array, side: int) -> Array:
    """Those of `quad_homography` for (N, 4, 2) quads, (N, 3, 3)."""
    x, y = lattice_corners(side).T
    design = np.zeros((len(quads), 4, 2, 8))
    design[:, :, 0, 0] = design[:, :, 1, 3] = x
    design[:, :, 0, 1] = design[:, :, 1, 4] = y
    design[:, :, 0, 2] = design[:, :, 1, 5] = 1
    design[..., 6] = -quads * x[:, None]
    design[..., 7] = -quads * y[:, None]
    solved = np.linalg.solve(design.reshape(-1, 8, 8), quads.reshape(-1, 8, 1))[..., 0]
    return np.concatenate([solved, np.ones((len(quads), 1))], axis=1).reshape(-1, 3, 3)


def search_lattice(image: Image, homography: Array, side: int) -> list[Array]:
    """A few homographies near a first one, at which most sides of cells are seen as lines.

    First all four sides of the board are shifted, then its corners one by one.
    """
    flat = flatten(image, homography, side, SEARCH_PIXELS, SEARCH_MARGIN)
    smooth = cv2.GaussianBlur(flat, (0, 0), 1.5).astype(np.float32)
    steps = (_sobel(smooth, 1, 0), _sobel(smooth, 0, 1))
    shifts = [
        [[left, top], [right, top], [right, bottom], [left, bottom]]
        for left, right, top, bottom in product(SIDE_SHIFTS, repeat=4)
    ]
    quads = lattice_corners(side) + np.array(shifts)
    scores = _lines_seen(steps, quads, side)
    starts = scores.argsort()[::-1][:STARTS]
    quads, scores = _corners_moved(steps, quads[starts], scores[starts], side)
    found: list[Array] = []
    for quad in quads[scores.argsort()[::-1]]:
        if all(np.abs(quad - other).max() > MIN_APART for other in found):
            found.append(quad)
    return [homography @ quad_homography(quad, side) for quad in found[:SEARCHES]]


def _sobel(pixels: Floats, across: int, down: int) -> Floats:
    return np.asarray(cv2.Sobel(pixels, cv2.CV_32F, across, down, scale=1 / 8), np.float32)


def _corners_moved(
    steps: tuple[Floats, Floats], quads: Array, scores: Array, side: int
) -> tuple[Array, Array]:
    """The corners of each of (N, 4, 2) quads moved one by one to where more lines are seen.

    Returns the quads and their scores, (N,).
    """
    for reach in CORNER_REACHES:
        moves = np.array([move for move in product((-reach, 0, reach), repeat=2) if any(move)])
        for corner in range(4):
            tried = np.repeat(quads[:, None], len(moves), axis=1)
            tried[:, :, corner] += moves
            seen = _lines_seen(steps, tried.reshape(-1, 4, 2), side).reshape(len(quads), -1)
            best = seen.argmax(axis=1)
            every = np.arange(len(quads))
            is_better = seen[every, best] > scores
            quads = np.where(is_better[:, None, None], tried[every, best], quads)
            scores = np.where(is_better, seen[every, best], scores)
    return quads, scores


def _lines_seen(steps: tuple[Floats, Floats], quads: Array, side: int) -> Array:
    """How clearly the sides of all cells are seen as lines, 0 to 1, for each of (N, 4, 2) quads.

    steps: the flattened photo's changes across and down.
    """
    homographies = _quad_homographies(quads, side).astype(np.float32)
    along = (np.arange(PIECE_POINTS) + 0.5) / PIECE_POINTS * 0.7 + 0.15
    lines, cells = np.arange(side + 1), np.arange(side)
    fixed, moving = np.meshgrid(lines, (cells[:, None] + along).ravel(), indexing="ij")
    total = np.zeros(len(quads))
    for step, x, y in ((steps[0], fixed, moving), (steps[1], moving, fixed)):
        points = np.stack([x.ravel(), y.ravel(), np.ones(x.size)]).astype(np.float32)
        seen_at = homographies @ points
        places = (seen_at[:, :2] / seen_at[:, 2:] + np.float32(SEARCH_MARGIN)) * SEARCH_PIXELS
        at = np.clip(places.astype(np.int32), 0, step.shape[0] - 1)
        index = (at[:, 1] * step.shape[1] + at[:, 0]).reshape(len(quads), -1, PIECE_POINTS)
        seen = np.take(step.reshape(-1, 3), index, axis=0)
        clear = np.abs(np.add.reduce(seen, axis=2) / PIECE_POINTS).sum(axis=2)
        total += (clear / (clear + CLEAR_STEP)).mean(axis=1)
    return np.asarray(total / 2)


def flat_homography(pixels: int, margin: float) -> Array:
    """The homography (3, 3) from cells to px of a board as `flatten` shows it."""
    first = margin * pixels - 0.5
    return np.array([[pixels, 0, first], [0, pixels, first], [0, 0, 1.0]])


def flatten(image: Image, homography: Array, side: int, pixels: int, margin: float) -> Image:
    """The board from straight above: ``pixels`` a cell, with a margin of so many cells around."""
    length = round((side + 2 * margin) * pixels)
    matrix = homography @ np.linalg.inv(flat_homography(pixels, margin))
    # Scaled down first where the photo is much finer.
    size = cell_pixels(homography, side)
    factor = 1.5 * pixels / max(size, 1e-6)
    if factor < 0.7:
        image, factor = shrunk(image, factor)
        matrix = scaled_homography(matrix, factor)
    flat = cv2.warpPerspective(
        image,
        matrix,
        (length, length),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(flat, np.uint8)


def cell_pixels(homography: Array, side: int) -> float:
    """Side of a cell in the middle of the board, px."""
    middle = np.array(
        [[side / 2, side / 2], [side / 2 + 0.1, side / 2], [side / 2, side / 2 + 0.1]]
    )
    a, b, c = apply_homography(homography, middle)
    return float(10 * np.sqrt(abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])))


def fit_lines(
    image: Image, homography: Array, side: int, reaches: Sequence[float] = REACHES
) -> FoundBoard:
    """The homography with the lines between cells where the photo shows them.

    reaches: how far from its place a line is looked for, in turn, cells.
    """
    strength = 0.0
    for reach in reaches:
        flat = flatten(image, homography, side, FLAT_PIXELS, FLAT_MARGIN)
        centres, normals, offsets, weights = _line_pieces(flat, side, reach)
        strength = float(((weights > 0) & (np.abs(offsets) < INLIER)).mean())
        step = _fit_step(centres, normals, offsets, weights)
        if step is None:
            break
        homography = homography @ step
        homography /= homography[2, 2]
    return FoundBoard(homography, strength)


def lines_strength(image: Image, homography: Array, side: int) -> float:
    """The share of the sides of cells that are seen as lines where they should be, 0 to 1."""
    flat = flatten(image, homography, side, FLAT_PIXELS, FLAT_MARGIN)
    _, _, offsets, weights = _line_pieces(flat, side, REACHES[-1])
    return float(((weights > 0) & (np.abs(offsets) < INLIER)).mean())


def _line_pieces(flat: Image, side: int, reach: float) -> tuple[Array, Array, Array, Array]:
    """Where each side of each cell is seen beside its place.

    Returns centres (N, 2) and normals (N, 2) of the pieces, cells, how far along the normal each is
    seen, (N,), and how clearly, (N,), 0 for not at all.
    """
    pixels = cv2.GaussianBlur(flat, (0, 0), 1.0).astype(np.float32)
    across = _pieces_across(pixels, side, reach)
    down = _pieces_across(np.ascontiguousarray(pixels.transpose(1, 0, 2)), side, reach)
    offsets, weights = np.concatenate([across, down], axis=1)
    return (*cell_sides(side), offsets, weights)


def _pieces_across(pixels: Floats, side: int, reach: float) -> tuple[Array, Array]:
    """Offsets and clearness of the upright sides of cells, line by line, each (N,)."""
    margin, span = round(FLAT_MARGIN * FLAT_PIXELS), max(2, round(reach * FLAT_PIXELS))
    inset = round((1 - PIECE_LENGTH) / 2 * FLAT_PIXELS)
    rows = pixels[margin : margin + side * FLAT_PIXELS].reshape(side, FLAT_PIXELS, -1, 3)
    mean = rows[:, inset : FLAT_PIXELS - inset].mean(axis=1)  # (cells, columns, 3)
    steps = np.abs(mean[:, 2:] - mean[:, :-2]).sum(axis=2)  # of column + 1
    # A line lies between two px; the change there is that of either.
    lines = margin + np.arange(side + 1) * FLAT_PIXELS
    offsets = np.arange(-span, span)
    profiles = steps[:, lines[:, None] + offsets - 1].transpose(1, 0, 2).reshape(-1, 2 * span)
    near = np.exp(-0.5 * ((offsets + 0.5) / (0.6 * span)) ** 2)
    tops = (profiles * near).argmax(axis=1)
    every = np.arange(len(profiles))
    clear = profiles[every, tops] - np.median(profiles, axis=1)
    inner = np.clip(tops, 1, 2 * span - 2)
    left, middle, right = (profiles[every, inner + move] for move in (-1, 0, 1))
    bend = left - 2 * middle + right
    fine = np.where(bend < 0, 0.5 * (left - right) / np.minimum(bend, -1e-6), 0.0)
    places = offsets[tops] + 0.5 + np.where(tops == inner, np.clip(fine, -1, 1), 0.0)
    weights = np.where(clear > MIN_CLEAR, clear, 0.0)
    return places.astype(np.float64) / FLAT_PIXELS, weights.astype(np.float64)


def _fit_step(centres: Array, normals: Array, offsets: Array, weights: Array) -> Array | None:
    """The homography (3, 3) in cells that moves the pieces to where they are seen."""
    used = weights > 0
    if used.mean() < MIN_LINES_SHARE:
        return None
    points, normals, offsets = centres[used], normals[used], offsets[used]
    base = np.sqrt(np.minimum(weights[used], 80.0))
    x, y = points.T
    # Displacement of a point by a homography near the identity, linear in its eight parameters.
    zero, one = np.zeros_like(x), np.ones_like(x)
    across = np.stack([x, y, one, zero, zero, zero, -x * x, -x * y], axis=1)
    down = np.stack([zero, zero, zero, x, y, one, -x * y, -y * y], axis=1)
    design = normals[:, :1] * across + normals[:, 1:] * down
    robust = np.ones_like(offsets)
    solution = np.zeros(8)
    prior = np.diag([1, 1, 0.1, 1, 1, 0.1, 20, 20]) * 1.0
    for _ in range(8):
        weight = base * robust
        left = design.T @ (design * weight[:, None]) + prior
        solution = np.linalg.solve(left, design.T @ (offsets * weight))
        left_over = offsets - design @ solution
        scale = max(1.48 * float(np.median(np.abs(left_over))), 0.015)
        robust = 1 / (1 + (left_over / (1.5 * scale)) ** 2) ** 2
    a, b, c, d, e, f, g, h = solution
    return np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1.0]])
