"""Where the bars are seen when curled paper displaces them against the lattice."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.aligner import ALIGNER_STEP, REACH, Keypoints, seen_at
from brikks_vision.detect.features import beyond_the_bars, keypoints, within
from brikks_vision.detect.placement import Placement
from brikks_vision.layout import Layout

# how the bars may lie aside of where the lattice puts them, in cells: as far as beyond a fold, but
# no row further, as nothing is printed that tells rows apart. Across, down, their right end
# further than the left one (half of it), the lower ones further than the upper ones (half of it)
BARS_MOVED = np.array(
    list(
        product(
            np.linspace(-1.65, 1.65, 23),
            (0.0, -0.2, 0.2, -0.4, 0.4, -0.6, 0.6),
            (0.0, -0.2, 0.2, -0.4, 0.4),
            (0.0, -0.2, 0.2),
        )
    )
)
LIKELY_IN_PLACE = 2.0  # log-odds against each cell of these
IN_PLACE = -0.15  # mean log-likelihood of the bars where the lattice puts them: look no further
LESS_LIKELY = 15.0  # log-odds of places of the bars that are followed, by the likeliest
BAR_SPREAD = 0.15  # cells
OUT_OF_VIEW = 0.5  # probability of what is seen where nothing can be seen


def bars_aside(seen: Keypoints, placement: Placement, layout: Layout) -> list[NDArray[np.float64]]:
    """How far off the keypoints' places (N, 2) the bars may be seen, in cells; 0 for all others.

    The bars lie outside of the lattice, and under curled paper a placement that fits the lattice
    may miss them by half the way to the next mark, or more, which looks the same, but for their
    ends. So shifts and stretches of all bars together are weighed by the marks that they hit and by
    the places beyond the ends, where none is. The likeliest comes first, then those that are a mark
    further on and nearly as likely: a look through a placement that follows them decides.
    """
    points = keypoints(layout)
    barred = np.flatnonzero(points[:, 1] > layout.grid.rows)
    there = seen_at(seen, placement, np.concatenate([points[barred], beyond_the_bars(layout)]))
    aside = np.zeros_like(points)
    if _likelihood(seen, there[None], len(barred))[0] > IN_PLACE * len(there):
        return [aside]
    middle, half = (there.max(axis=0) + there.min(axis=0)) / 2, np.ptp(there, axis=0) / 2
    x, y = ((there - middle) / half).T
    across, down, stretched, slanted = BARS_MOVED.T[..., None]
    moved = np.stack([across + stretched * x + slanted * y, np.tile(down, len(there))], axis=-1)
    likelihood = _likelihood(seen, there + moved, len(barred))
    likelihood -= LIKELY_IN_PLACE * np.abs(BARS_MOVED).sum(axis=1)
    likely = likelihood > likelihood.max() - LESS_LIKELY
    found = []
    while likely.any():
        best = int(np.where(likely, likelihood, -np.inf).argmax())
        found.append(aside.copy())
        found[-1][barred] = moved[best, : len(barred)]
        likely &= np.abs(BARS_MOVED[:, 0] - BARS_MOVED[best, 0]) > REACH
    return found


def _likelihood(seen: Keypoints, places: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Log-likelihoods (S,) of places (S, M, 2) in what is seen: of ``count`` keypoints, then of
    places where none is."""
    area = seen.through.area
    x, y = np.moveaxis(places, -1, 0)
    columns = np.round((x - area.left) / ALIGNER_STEP - 0.5).astype(int)
    rows = np.round((y - area.top) / ALIGNER_STEP - 0.5).astype(int)
    nearest = np.clip(rows, 0, len(seen.heat) - 1), np.clip(columns, 0, seen.heat.shape[1] - 1)
    vote_x, vote_y = seen.votes[..., 0][nearest], seen.votes[..., 1][nearest]
    squares = (vote_x - x) ** 2 + (vote_y - y) ** 2
    hit = np.clip(seen.heat[nearest] * np.exp(-0.5 * squares / BAR_SPREAD**2), 0.02, 0.98)
    hit[:, count:] = 1 - hit[:, count:]
    hit[~seen.in_photo[nearest] | ~within(places, area)] = OUT_OF_VIEW
    return np.asarray(np.log(hit).sum(axis=1), np.float64)
