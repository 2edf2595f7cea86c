"""What the aligner network sees of the lattice and the bars, and the plane that follows from it.

What the aligner network sees through a placement: the keypoints of the print.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect import fit
from brikks_vision.detect.networks import run_network, sample
from brikks_vision.detect.placement import (
    Image,
    Placement,
    Points,
    apply_homography,
    max_shift,
    rectify,
)
from brikks_vision.errors import NoSheetFound
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
) -> fit.Matches:
    """Match each keypoint to the mean of the votes around its expected place.

    ``aside`` : (N, 2) cells, expected displacements of the keypoints.
    """
    points = fit.keypoints(layout)
    means, sure = voted_places(seen, seen_at(seen, placement, points) + aside)
    kept = sure > 0
    return fit.Matches(points[kept], seen.through.to_photo(means[kept]), sure[kept])


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
    confidence = np.where(total > 1e-6, total / (1 + spread / VOTE_VARIANCE), 0.0)
    return np.stack(means, axis=-1), confidence


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
    points = fit.keypoints(layout)
    points = points[inside(placement.to_photo(points), seen.frame)]
    expected = seen_at(seen, placement, points)
    means, sure = voted_places(seen, expected)
    in_place = np.linalg.norm(means - expected, axis=1) < MAX_KEYPOINT_OFFSET
    return bool(sure[in_place].sum() > sure.sum() / 2)


def evidence_for(seen: Keypoints, placement: Placement, layout: Layout) -> float:
    """`keypoint_evidence` of one placement close to the one seen through."""
    points, marked = fit.telling_points(layout)
    shown = inside(placement.to_photo(points), seen.frame)
    places = seen_at(seen, placement, points)
    return float(keypoint_evidence(seen, places[None], shown[None], marked)[0])


# Set by hand where no source is named.
MIN_CLEAR_EVIDENCE = -0.12  # evidence above which a placement is right: a slip by a cell costs more
# evidence below which no slip can reach a sheet; near a sheet it stayed above -0.45 on 24 photos
# with seven displacements of up to two cells each
MIN_NEAR_EVIDENCE = -0.5
# cells across and down, tried in two rounds, 0 first; wider ones rescued none of 580 photos
SLIPS = ((0.0, -0.8, 0.8), (0.0, -0.6, 0.6, -1.2, 1.2))
MAX_LATTICE_RUNS = 3  # runs of the aligner for one round of slips
MAX_SEEN_SHIFT = 0.5  # cells; a placement that moved no farther needs no new run of the aligner
# visible nodes that a slip is fitted to, as a share of the number of keypoints
MIN_NODE_SHARE = 1 / 4


def plane_placements(
    image: Image, placement: Placement, layout: Layout
) -> Iterator[tuple[Placement, Keypoints]]:
    """Candidate placements of a plane sheet, each with the keypoints seen through it or near it.

    First the placement by markers, if it is one, then placements by the lattice.
    """
    if placement.method == "markers":
        yield placement, see_keypoints(image, placement)
    for slips in SLIPS:
        found = placement
        for _ in range(MAX_LATTICE_RUNS):
            seen = see_keypoints(image, found)
            found, evidence = catch_lattice(seen, layout, slips)
            if evidence > MIN_CLEAR_EVIDENCE:
                break
        if max_shift(fit.keypoints(layout), seen.through, found) > MAX_SEEN_SHIFT:
            seen = see_keypoints(image, found)
        yield found, seen
        if evidence < MIN_NEAR_EVIDENCE:
            break


def catch_lattice(
    seen: Keypoints, layout: Layout, slips: tuple[float, ...]
) -> tuple[Placement, float]:
    """The plane placement with the most evidence over several slips, and that evidence.

    Returns the fit without a slip if its evidence is clear.

    A lattice looks the same one cell further on, except at its rim and beside the bars, and a first
    placement may be off by a cell. So several slips are fitted, and each is shifted by whole cells
    all round. Only the lattice is fitted. The bars, which can slip on their own, then decide.

    ``slips`` : cells, across and down alike, 0 first.
    """
    aside = np.array(list(product(slips, repeat=2)))
    first, first_evidence = _best_slip(seen, layout, aside[:1])
    if first_evidence > MIN_CLEAR_EVIDENCE:
        return first, first_evidence
    best, evidence = _best_slip(seen, layout, aside[1:])
    return (best, evidence) if evidence > first_evidence else (first, first_evidence)


def _best_slip(
    seen: Keypoints, layout: Layout, slips: NDArray[np.float64]
) -> tuple[Placement, float]:
    """The plane placement with the most evidence over slips (S, 2), in cells.

    Returns the placement seen through and minus infinity if none can be fitted.
    """
    points, marked = fit.telling_points(layout)
    nodes, placement = fit.lattice_nodes(layout), seen.through
    means, sure = voted_places(seen, nodes + slips[:, None])
    found = []
    for mean, weights in zip(means, sure, strict=True):
        shown = weights > 0
        if shown.sum() >= MIN_NODE_SHARE * marked:
            matches = fit.Matches(nodes[shown], mean[shown], weights[shown])
            with suppress(NoSheetFound):
                plane = fit.fit(matches, placement.area, placement.method, np.inf)
                moved = placement.homography @ plane.homography
                found.append(replace(placement, homography=moved / moved[2, 2]))
    shifts = np.array(list(product((0.0, -1.0, 1.0), repeat=2)))
    there = (points + shifts[:, None]).reshape(-1, 2)
    found = [
        each for each in found if fit.MIN_VISIBLE_CELL < each.cell_size() < fit.MAX_VISIBLE_CELL
    ]
    if not found:
        return placement, -np.inf
    back = np.linalg.inv(placement.homography)
    now = np.stack([each.to_photo(there) for each in found])
    shown = inside(now.reshape(-1, 2), seen.frame).reshape(-1, len(points))
    places = apply_homography(back, now.reshape(-1, 2)).reshape(-1, len(points), 2)
    evidence = keypoint_evidence(seen, places, shown, marked)
    slip, shift = divmod(int(evidence.argmax()), len(shifts))
    return shifted(found[slip], shifts[shift]), float(evidence.max())


def shifted(placement: Placement, shift: NDArray[np.float64]) -> Placement:
    """A plane placement shifted by (2,) cells along the sheet."""
    moved = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]], [0.0, 0.0, 1.0]])
    return replace(placement, homography=placement.homography @ moved)


# Set by hand where no source is named.
# cells, and steps: the bars are tried at this many places across, up to this far to either side,
# which is enough for a fold between grid and bars
MAX_BAR_SHIFT, BAR_SHIFTS = 1.65, 23
# cells down: less than a row, because no print tells one row of marks from the next
BAR_DROPS = (0.0, -0.2, 0.2, -0.4, 0.4, -0.6, 0.6)
# cells, half the difference between the right and the left end
BAR_STRETCHES = (0.0, -0.2, 0.2, -0.4, 0.4)
BAR_SLANTS = (0.0, -0.2, 0.2)  # cells, half the difference between the lowest and the highest bar
DISPLACEMENT_PENALTY = 2.0  # log-odds per cell of any of them, the prior against a displacement
# mean log-likelihood of undisplaced bars above which no other place is tried
MIN_BARS_IN_PLACE = -0.15
# log-odds; displacements that are worse than the best by more are dropped
MAX_DISPLACEMENT_REGRET = 15.0
VOTE_DEVIATION = 0.15  # cells, the standard deviation of a vote for a mark of the bars
# probability of a mark outside the photo or the rectified area: it says nothing
UNSEEN_PROBABILITY = 0.5

# Candidate displacements of the bars against the lattice, in cells: across, down, stretch, slant.
_CHOICES = (
    np.linspace(-MAX_BAR_SHIFT, MAX_BAR_SHIFT, BAR_SHIFTS),
    np.array(BAR_DROPS),
    np.array(BAR_STRETCHES),
    np.array(BAR_SLANTS),
)
DISPLACEMENTS = np.array(list(product(*_CHOICES)))


def bars_in_place(seen: Keypoints, placement: Placement, layout: Layout) -> bool:
    """Whether all bars are seen where a placement has them."""
    there, count = _bars_seen(seen, placement, layout)
    likelihood = float(likelihood_of_places(seen, there[:, 0], there[:, 1], count))
    return likelihood > MIN_BARS_IN_PLACE * len(there)


def _bars_seen(
    seen: Keypoints, placement: Placement, layout: Layout
) -> tuple[NDArray[np.float64], int]:
    """Where the marks of the bars would be seen, and places beyond their ends, (N, 2) in cells; and
    the number of marks.
    """
    points = fit.keypoints(layout)
    barred = points[points[:, 1] > layout.grid.rows]
    return seen_at(seen, placement, np.concatenate([barred, fit.beyond_bars(layout)])), len(barred)


def bar_displacements(
    seen: Keypoints, placement: Placement, layout: Layout
) -> list[NDArray[np.float64]]:
    """Displacements (N, 2) of the keypoints, in cells, with the bars where they may be seen.

    On curled paper a placement that fits the lattice may miss the bars by half the distance between
    two marks or more. A shift by one mark looks the same except at the ends of the bars. So all
    bars are displaced together, and a displacement is scored by the marks that it hits and by the
    empty places beyond the ends. The most likely one comes first, then those that are at least half
    a cell away and nearly as likely: the next look through the refitted placement decides. The
    displacement of the lattice is 0.
    """
    points = fit.keypoints(layout)
    barred = np.flatnonzero(points[:, 1] > layout.grid.rows)
    aside = np.zeros_like(points)
    if bars_in_place(seen, placement, layout):
        return [aside]
    there, _ = _bars_seen(seen, placement, layout)
    middle, half = (there.max(axis=0) + there.min(axis=0)) / 2, np.ptp(there, axis=0) / 2
    x, y = ((there - middle) / half).T
    across, down, stretched, slanted = (each[..., None] for each in np.ix_(*_CHOICES))
    likelihood = likelihood_of_places(
        seen,
        there[:, 0] + (across + stretched * x + slanted * y),
        there[:, 1] + down,
        len(barred),
    ).ravel()
    likelihood -= DISPLACEMENT_PENALTY * np.abs(DISPLACEMENTS).sum(axis=1)
    likely = likelihood > likelihood.max() - MAX_DISPLACEMENT_REGRET
    found = []
    while likely.any():
        best = int(np.where(likely, likelihood, -np.inf).argmax())
        across, down, stretched, slanted = DISPLACEMENTS[best]
        moved = across + stretched * x + slanted * y
        found.append(aside.copy())
        found[-1][barred, 0], found[-1][barred, 1] = moved[: len(barred)], down
        likely &= np.abs(DISPLACEMENTS[:, 0] - DISPLACEMENTS[best, 0]) > SEARCH_RADIUS
    return found


def likelihood_of_places(
    seen: Keypoints, x: NDArray[np.float64], y: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Log-likelihoods (...) of places x, y (..., M): ``count`` keypoints, then empty points.

    x and y broadcast, which saves time.
    """
    area, (rows, columns) = seen.through.area, seen.heat.shape
    column = np.round((x - area.left) / ALIGNER_STEP - 0.5).astype(np.intp)
    row = np.round((y - area.top) / ALIGNER_STEP - 0.5).astype(np.intp)
    nearest = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
    squares = (seen.votes[..., 0].ravel().take(nearest) - x) ** 2
    squares += (seen.votes[..., 1].ravel().take(nearest) - y) ** 2
    squares *= 0.5 / VOTE_DEVIATION**2
    hit = np.log(seen.heat).take(nearest)
    hit -= squares
    np.clip(hit, np.log(MIN_HEAT), np.log(MAX_HEAT), out=hit)
    hit[..., count:] = np.log1p(-np.exp(hit[..., count:]))
    is_within = (x >= area.left) & (x <= area.right) & (y >= area.top) & (y <= area.bottom)
    hit[~(seen.in_photo.take(nearest) & is_within)] = np.log(UNSEEN_PROBABILITY)
    return np.asarray(hit.sum(axis=-1), np.float64)
