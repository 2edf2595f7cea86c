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
from brikks_vision.detect.features import beyond_bars, keypoints, within
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
DISPLACEMENTS = np.array(
    list(
        product(
            np.linspace(-MAX_BAR_SHIFT, MAX_BAR_SHIFT, BAR_SHIFTS),
            BAR_DROPS,
            BAR_STRETCHES,
            BAR_SLANTS,
        )
    )
)


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
    across, down, stretched, slanted = DISPLACEMENTS.T[..., None]
    moved = np.stack([across + stretched * x + slanted * y, np.tile(down, len(there))], axis=-1)
    likelihood = likelihood_of_places(seen, there + moved, len(barred))
    likelihood -= DISPLACEMENT_PENALTY * np.abs(DISPLACEMENTS).sum(axis=1)
    likely = likelihood > likelihood.max() - MAX_DISPLACEMENT_REGRET
    found = []
    while likely.any():
        best = int(np.where(likely, likelihood, -np.inf).argmax())
        found.append(aside.copy())
        found[-1][barred] = moved[best, : len(barred)]
        likely &= np.abs(DISPLACEMENTS[:, 0] - DISPLACEMENTS[best, 0]) > SEARCH_RADIUS
    return found


def likelihood_of_places(
    seen: Keypoints, places: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Log-likelihoods (S,) of places (S, M, 2): ``count`` keypoints, then points without print."""
    area, (rows, columns) = seen.through.area, seen.heat.shape
    x, y = places[..., 0], places[..., 1]
    column = np.round((x - area.left) / ALIGNER_STEP - 0.5).astype(np.intp)
    row = np.round((y - area.top) / ALIGNER_STEP - 0.5).astype(np.intp)
    nearest = np.clip(row, 0, rows - 1) * columns + np.clip(column, 0, columns - 1)
    vote_x, vote_y = (np.ascontiguousarray(seen.votes[..., at]).take(nearest) for at in (0, 1))
    squares = (vote_x - x) ** 2 + (vote_y - y) ** 2
    hit = seen.heat.take(nearest) * np.exp(squares * (-0.5 / VOTE_DEVIATION**2))
    hit = np.clip(hit, MIN_HEAT, MAX_HEAT)
    hit[:, count:] = 1 - hit[:, count:]
    hit[~(seen.in_photo.take(nearest) & within(places, area))] = UNSEEN_PROBABILITY
    return np.asarray(np.log(hit).sum(axis=1), np.float64)
