"""How high the boxes of stacks are, from the edges of the stacks' top faces, and what stacks hide.

All boxes are equal, so that all stacks together tell how wide and how high one is. A top face is
the only one of which the edges at the back show; the joints below show at the front alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.pieces import view_scale
from brikks_vision.detect.placement import Image, shrunk
from brikks_vision.detect.pose import Pose

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

WIDTHS = np.linspace(0.56, 0.95, 9)  # cells
HEIGHTS = np.geomspace(0.14, 0.92, 30)  # cells
USUAL_WIDTH = 0.8  # cells, of a box that hides others
MASK_SIDE = 400  # px of the picture in which it is seen what hides what
MIN_WEIGHT = 0.1  # of the surest stack's; less sure ones change nothing
EDGE_POINTS = 7  # of each edge
EDGE_INSET = 0.08  # of an edge at both ends that is not looked at
SMOOTHING = 1.0  # px of the scaled photo, of about 34 px a cell
HALF_CLEAR = 10.0  # grey levels a px, of all channels together, at which an edge is half clear


@dataclass(frozen=True)
class Edges:
    """How the photo changes: ``across`` and ``down`` (H, W, 3), grey levels a px; for ``pose``."""

    across: Floats
    down: Floats
    pose: Pose

    @cached_property
    def both(self) -> Floats:
        """(H * W, 6), across and down of each px."""
        return np.dstack([self.across, self.down]).reshape(-1, 6)


def find_edges(image: Image, pose: Pose, cells: Array) -> Edges:
    """The edges in a photo, scaled to what stacks on some cells (N, 2), row and column, need."""
    side = cells.mean(axis=0) + 0.5
    small, scale = shrunk(image, view_scale(pose, float(side[0]), float(side[1])))
    smooth = cv2.GaussianBlur(small, (0, 0), SMOOTHING).astype(np.float32)
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), np.float32)
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8), np.float32)
    return Edges(across, down, pose.scaled(scale))


def box_height(
    edges: Edges, cells: Array, weights: Array, levels: int, height: float | None = None
) -> float:
    """The height of one box, in cells, at which the top faces of all stacks are seen most clearly.

    cells: (N, 2), row and column. weights: (N,), how surely a stack stands on each, 0 to 1. levels:
    the highest stack. height: about that of one box, in cells, where it is known.
    """
    counted = weights >= MIN_WEIGHT * weights.max()
    cells, weights = cells[counted], weights[counted]
    heights = HEIGHTS if height is None else np.geomspace(0.95, 1.05, 3) * height
    tops = heights[:, None] * np.arange(1, levels + 1)
    totals = []
    for width in WIDTHS:
        scores = _top_scores(edges, cells, float(width), tops.ravel())
        scores = scores.reshape(len(cells), len(heights), levels)
        # The best level of each stack, counted against what any level has by chance.
        told = scores.max(axis=2) - scores.mean(axis=2) * 0.5
        totals.append((told * weights[:, None]).sum(axis=0))
    return float(heights[np.max(totals, axis=0).argmax()])


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


def _top_scores(edges: Edges, cells: Array, width: float, tops: Array) -> Array:
    """How clearly square faces of a width are seen at some heights above each cell, (N, tops)."""
    half = width / 2
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    middles = cells[:, ::-1] + 0.5
    places = np.empty((len(cells), len(tops), 4, 3))
    places[..., :2] = middles[:, None, None] + corners
    places[..., 2] = tops[None, :, None]
    seen = edges.pose.project(places.reshape(-1, 3)).reshape(*places.shape[:3], 2)
    ends = np.roll(seen, -1, axis=2)
    along = ends - seen
    length = np.linalg.norm(along, axis=3, keepdims=True)
    normal = np.stack([-along[..., 1], along[..., 0]], axis=-1) / np.maximum(length, 1e-6)
    shares = np.linspace(EDGE_INSET, 1 - EDGE_INSET, EDGE_POINTS)
    points = seen[..., None, :] + along[..., None, :] * shares[:, None]
    at = np.rint(points).astype(np.intp)
    rows, columns = edges.across.shape[:2]
    x, y = np.clip(at[..., 0], 0, columns - 1), np.clip(at[..., 1], 0, rows - 1)
    index, normal = y * columns + x, normal.astype(np.float32)  # (N, tops, 4, points)
    both = np.take(edges.both, index[..., 0], axis=0)
    for point in range(1, EDGE_POINTS):
        both += np.take(edges.both, index[..., point], axis=0)
    both /= EDGE_POINTS
    change = both[..., :3] * normal[..., :1] + both[..., 3:] * normal[..., 1:]
    clear = np.abs(change).sum(axis=3)
    seen_edges = clear / (clear + HALF_CLEAR)
    ordered = np.sort(seen_edges, axis=2)
    # A missing edge weighs more than a clear one: the face has all four.
    return np.asarray(ordered @ np.array([0.35, 0.3, 0.2, 0.15]), np.float64)
