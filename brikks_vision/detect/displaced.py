"""Where the bars are seen when curled paper displaces them against the lattice."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.aligner import (
    ALIGNER_STEP,
    MAX_HEAT,
    MIN_HEAT,
    SEARCH_RADIUS,
    Keypoints,
    seen_at,
)
from brikks_vision.detect.features import beyond_bars, keypoints
from brikks_vision.detect.placement import Placement
from brikks_vision.layout import Layout

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
    return bool(likelihood_of_places(seen, there[None], count)[0] > MIN_BARS_IN_PLACE * len(there))


def _bars_seen(
    seen: Keypoints, placement: Placement, layout: Layout
) -> tuple[NDArray[np.float64], int]:
    """Where the marks of the bars would be seen, and places beyond their ends, (N, 2) in cells; and
    the number of marks.
    """
    points = keypoints(layout)
    barred = points[points[:, 1] > layout.grid.rows]
    return seen_at(seen, placement, np.concatenate([barred, beyond_bars(layout)])), len(barred)


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
    points = keypoints(layout)
    barred = np.flatnonzero(points[:, 1] > layout.grid.rows)
    aside = np.zeros_like(points)
    if bars_in_place(seen, placement, layout):
        return [aside]
    there, _ = _bars_seen(seen, placement, layout)
    middle, half = (there.max(axis=0) + there.min(axis=0)) / 2, np.ptp(there, axis=0) / 2
    x, y = ((there - middle) / half).T
    across, down, stretched, slanted = (each[..., None] for each in np.ix_(*_CHOICES))
    likelihood = _likelihood(
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
    seen: Keypoints, places: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Log-likelihoods (S,) of places (S, M, 2): ``count`` keypoints, then points without print."""
    return _likelihood(seen, places[..., 0], places[..., 1], count)


def _likelihood(
    seen: Keypoints, x: NDArray[np.float64], y: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """As of `likelihood_of_places`; of places x, y (..., M) that broadcast, which saves time."""
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
