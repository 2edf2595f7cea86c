"""Places a plane sheet by its lattice, which looks the same one cell further on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.aligner import (
    Keypoints,
    inside,
    keypoint_evidence,
    see_keypoints,
    voted_places,
)
from brikks_vision.detect.features import keypoints, lattice_nodes, telling_points
from brikks_vision.detect.fit import MAX_VISIBLE_CELL, MIN_VISIBLE_CELL, fit_planes
from brikks_vision.detect.placement import Image, Placement, apply_homography, max_shift
from brikks_vision.layout import Layout

# Set by hand where no source is named.
MIN_CLEAR_EVIDENCE = -0.12  # evidence above which a placement is right: a slip by a cell costs more
# evidence below which no slip can reach a sheet; near a sheet it stayed above -0.45 on 24 photos
# with seven displacements of up to two cells each
MIN_NEAR_EVIDENCE = -0.5
# cells across and down, tried in two rounds, 0 first; wider ones rescued none of 580 photos
SLIPS = ((0.0, -0.8, 0.8), (0.0, -0.6, 0.6, -1.2, 1.2))
MAX_LATTICE_RUNS = 3  # runs of the aligner for one round of slips
MAX_SEEN_SHIFT = 0.5  # cells; a placement that moved no farther needs no new run of the aligner
# determinant of a homography in cells; a smaller one maps the sheet to a line
MIN_DETERMINANT = 1e-6
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
        if max_shift(keypoints(layout), seen.through, found) > MAX_SEEN_SHIFT:
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
    points, marked = telling_points(layout)
    nodes, placement = lattice_nodes(layout), seen.through
    means, sure = voted_places(seen, nodes + slips[:, None])
    enough = (sure > 0).sum(axis=1) >= MIN_NODE_SHARE * marked
    if not enough.any():
        return placement, -np.inf
    try:
        planes = fit_planes(nodes, means[enough], sure[enough])
    except np.linalg.LinAlgError:
        return placement, -np.inf
    planes = planes[np.abs(np.linalg.det(planes)) > MIN_DETERMINANT]
    homographies = placement.homography @ np.linalg.inv(planes)
    shifts = np.array(list(product((0.0, -1.0, 1.0), repeat=2)))
    there = (points + shifts[:, None]).reshape(-1, 2)
    found = [replace(placement, homography=each / each[2, 2]) for each in homographies]
    found = [each for each in found if MIN_VISIBLE_CELL < each.cell_size() < MAX_VISIBLE_CELL]
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
