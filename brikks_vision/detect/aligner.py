"""What the aligner network sees through a placement: the keypoints of the print."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.features import keypoints, telling_points
from brikks_vision.detect.fit import Matches
from brikks_vision.detect.networks import run_network, sample
from brikks_vision.detect.placement import Image, Placement, Points, apply_homography, rectify
from brikks_vision.layout import Layout

# Set by hand where no source is named.
MIN_KEYPOINTS = 60  # keypoints within the photo; fewer prove nothing
# evidence for a placement with fewer keypoints: below log `MIN_HEAT` (-3.9), the lowest that the
# clipped heat allows
NO_EVIDENCE = -4.0
# bounds of the probability of a keypoint, so that no single point decides
MIN_HEAT, MAX_HEAT = 0.02, 0.98
# bounds of the predicted log scale of a vote for a keypoint
MIN_KEYPOINT_LOG_SCALE, MAX_KEYPOINT_LOG_SCALE = -5.0, 3.0
SEARCH_RADIUS = 0.5  # cells around the expected place of a keypoint: half the way to the next node
VOTE_VARIANCE = 0.01  # cells², scatter of the votes for a keypoint that halves its weight
# cells; farther from its place a vote is nearer to the point half-way to the next node
MAX_KEYPOINT_OFFSET = 0.25

# The network was trained at this resolution and stride.
ALIGNER_PIXELS = 12  # px per cell of its input
ALIGNER_STRIDE = 4  # px of its input per output
ALIGNER_STEP = ALIGNER_STRIDE / ALIGNER_PIXELS  # cells per output


@dataclass(frozen=True)
class Keypoints:
    """What the aligner sees through a placement, one entry per `ALIGNER_STEP`.

    through: that placement.
    heat: (rows, columns) probability that a keypoint is here.
    around: (rows, columns) maximum of ``heat`` over the 3 x 3 neighbourhood.
    votes: (rows, columns, 2) position of the nearest keypoint, in cells.
    strength: (rows, columns) weight of each vote: the heat over the predicted variance.
    frame: width and height of the photo, px.
    """

    through: Placement
    heat: NDArray[np.float64]
    around: NDArray[np.float32]
    votes: NDArray[np.float64]
    strength: NDArray[np.float64]
    frame: tuple[int, int]

    @cached_property
    def in_photo(self) -> NDArray[np.bool_]:
        """(rows, columns) which entries lie within the photo."""
        steps = np.moveaxis(np.indices(self.heat.shape), 0, -1).reshape(-1, 2)[:, ::-1] + 0.5
        area = self.through.area
        places = np.asarray((area.left, area.top) + steps * ALIGNER_STEP, np.float64)
        return inside(self.through.to_photo(places), self.frame).reshape(self.heat.shape)


def inside(points: Points, frame: tuple[int, int]) -> NDArray[np.bool_]:
    """Which photo points (N, 2), px, lie within a frame (width, height)."""
    (x, y), (width, height) = points.T, frame
    return np.asarray((x >= 0) & (x < width) & (y >= 0) & (y < height), np.bool_)


def see_keypoints(image: Image, placement: Placement) -> Keypoints:
    """One forward pass of the aligner over the sheet rectified by a placement."""
    area = placement.area
    maps = run_network("aligner", rectify(image, placement, area, ALIGNER_PIXELS)).astype(float)
    logit, offset_x, offset_y, log_scale = maps
    x = area.left + (np.arange(logit.shape[1]) + 0.5) * ALIGNER_STEP
    y = area.top + (np.arange(logit.shape[0]) + 0.5) * ALIGNER_STEP
    votes = np.stack([x + offset_x, y[:, None] + offset_y], axis=-1)
    heat = 1 / (1 + np.exp(-logit))
    strength = heat * np.exp(
        -2 * np.clip(log_scale, MIN_KEYPOINT_LOG_SCALE, MAX_KEYPOINT_LOG_SCALE)
    )
    around = np.asarray(cv2.dilate(heat, np.ones((3, 3), np.uint8)), np.float32)
    return Keypoints(placement, heat, around, votes, strength, (image.shape[1], image.shape[0]))


def seen_at(seen: Keypoints, placement: Placement, points: Points) -> Points:
    """Where sheet points (N, 2) appear in ``seen``, in cells, if ``placement`` is right.

    Both placements must be close: the bend of the one seen through is taken as locally constant.
    """
    back = np.linalg.inv(seen.through.homography)
    there = apply_homography(back, seen.through.to_photo(points))
    return points + apply_homography(back, placement.to_photo(points)) - there


def match_keypoints(
    seen: Keypoints,
    placement: Placement,
    layout: Layout,
    aside: NDArray[np.float64],
) -> Matches:
    """Match each keypoint to the mean of the votes around its expected place.

    ``aside`` : (N, 2) cells, expected displacements of the keypoints.
    """
    points = keypoints(layout)
    means, sure = voted_places(seen, seen_at(seen, placement, points) + aside)
    kept = sure > 0
    return Matches(points[kept], seen.through.to_photo(means[kept]), sure[kept])


def voted_places(
    seen: Keypoints, expected: NDArray[np.float64], radius: float = SEARCH_RADIUS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weighted mean (..., 2) of the votes around expected places (..., 2), and its weight (...).

    Places are in cells of ``seen``. The weight falls with the spread of the votes; it is 0 if
    there are none within ``radius``, in cells.
    """
    area = seen.through.area
    reach = int(np.ceil(radius / ALIGNER_STEP))
    around = np.arange(-reach, reach + 1)
    last_row, last_column = seen.heat.shape[0] - 1, seen.heat.shape[1] - 1
    columns = np.round((expected[..., 0] - area.left) / ALIGNER_STEP - 0.5).astype(int)
    rows = np.round((expected[..., 1] - area.top) / ALIGNER_STEP - 0.5).astype(int)
    columns = np.clip(columns[..., None, None] + around[None, :], 0, last_column)
    rows = np.clip(rows[..., None, None] + around[:, None], 0, last_row)
    # One coordinate at a time: numpy is slow along an axis of length two.
    votes = [seen.votes[..., axis][rows, columns] for axis in (0, 1)]
    near = [
        np.abs(vote - expected[..., None, None, axis]) < radius for axis, vote in enumerate(votes)
    ]
    weights = seen.strength[rows, columns] * (near[0] & near[1])
    total = weights.sum(axis=(-2, -1))
    means = [(vote * weights).sum(axis=(-2, -1)) / (total + 1e-9) for vote in votes]
    scatter = sum(
        (vote - mean[..., None, None]) ** 2 for vote, mean in zip(votes, means, strict=True)
    )
    spread = (scatter * weights).sum(axis=(-2, -1)) / (total + 1e-9)
    sureness = np.where(total > 1e-6, total / (1 + spread / VOTE_VARIANCE), 0.0)
    return np.stack(means, axis=-1), sureness


def keypoint_evidence(
    seen: Keypoints,
    places: NDArray[np.float64],
    shown: NDArray[np.bool_],
    keypoint_count: int,
) -> NDArray[np.float64]:
    """How well S placements explain the heat: keypoints where they expect some, none elsewhere.

    Parameters
    ----------
    places : (S, M, 2) cells of ``seen``; of each placement first the ``keypoint_count`` keypoints,
        then points where nothing is printed.
    shown : (S, M) which places lie within the photo.

    Returns
    -------
    (S,) mean log-likelihoods per place, at most 0; `NO_EVIDENCE` with fewer than `MIN_KEYPOINTS`.
    """
    area = seen.through.area
    x = (places[..., 0].ravel() - area.left) / ALIGNER_STEP - 0.5
    y = (places[..., 1].ravel() - area.top) / ALIGNER_STEP - 0.5
    heat = np.clip(sample(seen.around[None], x, y)[0], MIN_HEAT, MAX_HEAT).reshape(shown.shape)
    heat[:, keypoint_count:] = 1 - heat[:, keypoint_count:]
    sums = np.where(shown, np.log(heat), 0).sum(axis=1)
    enough = shown[:, :keypoint_count].sum(axis=1) >= MIN_KEYPOINTS
    return np.where(enough, sums / np.maximum(shown.sum(axis=1), 1), NO_EVIDENCE)


def lies_where_seen(seen: Keypoints, placement: Placement, layout: Layout) -> bool:
    """Whether most votes for the keypoints lie within `MAX_KEYPOINT_OFFSET` of their places.

    The evidence cannot tell this: it counts all heat within a step of a place.
    """
    points = keypoints(layout)
    points = points[inside(placement.to_photo(points), seen.frame)]
    expected = seen_at(seen, placement, points)
    means, sure = voted_places(seen, expected)
    in_place = np.linalg.norm(means - expected, axis=1) < MAX_KEYPOINT_OFFSET
    return bool(sure[in_place].sum() > sure.sum() / 2)


def evidence_for(seen: Keypoints, placement: Placement, layout: Layout) -> float:
    """`keypoint_evidence` of one placement close to the one seen through."""
    points, marked = telling_points(layout)
    shown = inside(placement.to_photo(points), seen.frame)
    places = seen_at(seen, placement, points)
    return float(keypoint_evidence(seen, places[None], shown[None], marked)[0])
