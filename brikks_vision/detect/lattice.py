"""Fits a plane to the lattice, with slips by whole and part cells."""

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
from brikks_vision.detect.fit import LARGEST_SIGHT, SMALLEST_SIGHT, fit_planes
from brikks_vision.detect.placement import Image, Placement, apply_homography, most_moved
from brikks_vision.layout import Layout

CLEAR_EVIDENCE = -0.12  # log-likelihood of a keypoint under a placement that is surely right
NEAR_EVIDENCE = -0.5  # under less the sheet is farther off than a slip
MOST_LOOKS = 3
NEARBY = 0.5  # cells: what lies so near what was looked at need not be looked at again
SLIPS = ((0.0, -0.8, 0.8), (0.0, -0.6, 0.6, -1.2, 1.2))  # cells that it may be off: none first
FLAT = 1e-6  # determinant of a homography that maps the sheet on a line


def plane_placements(
    image: Image, placement: Placement, layout: Layout
) -> Iterator[tuple[Placement, Keypoints]]:
    """Where the sheet may lie if it is plane, and what is seen there.

    First as its markers say, then by its lattice.
    """
    if placement.method == "markers":
        yield placement, see_keypoints(image, placement)
    for slips in SLIPS:
        found = placement
        for _ in range(MOST_LOOKS):
            seen = see_keypoints(image, found)
            found, evidence = catch_lattice(seen, layout, slips)
            if evidence > CLEAR_EVIDENCE:
                break
        if most_moved(keypoints(layout), seen.through, found) > NEARBY:
            seen = see_keypoints(image, found)
        yield found, seen
        if evidence < NEAR_EVIDENCE:
            break


def catch_lattice(
    seen: Keypoints, layout: Layout, slips: tuple[float, ...]
) -> tuple[Placement, float]:
    """A plane placement under which the keypoints lie that are seen through one, and its evidence.

    It is that of no slip where that makes it clear, or else the best of all.

    A lattice looks the same a cell further on, except at its rims and beside the bars, and a first
    placement may be off by a cell: so slips around it are tried, and whole cells around each. Only
    the grid's lattice is fitted: the bars, which could slip on their own, then prove it.
    """
    aside = np.array(list(product(slips, repeat=2)))
    first, first_evidence = _best_slip(seen, layout, aside[:1])
    if first_evidence > CLEAR_EVIDENCE:
        return first, first_evidence
    best, evidence = _best_slip(seen, layout, aside[1:])
    return (best, evidence) if evidence > first_evidence else (first, first_evidence)


def _best_slip(
    seen: Keypoints, layout: Layout, slips: NDArray[np.float64]
) -> tuple[Placement, float]:
    """The placement of the most evidence of those that lie slips (S, 2), in cells, aside.

    The one that was looked through, a plane one, too, and evidence of minus infinity where none can
    be fitted.
    """
    points, marked = telling_points(layout)
    nodes, placement = lattice_nodes(layout), seen.through
    means, sure = voted_places(seen, nodes + slips[:, None])
    enough = (sure > 0).sum(axis=1) >= marked / 4
    if not enough.any():
        return placement, -np.inf
    try:
        planes = fit_planes(nodes, means[enough], sure[enough])
    except np.linalg.LinAlgError:
        return placement, -np.inf
    planes = planes[np.abs(np.linalg.det(planes)) > FLAT]  # none that makes a line of the sheet
    homographies = placement.homography @ np.linalg.inv(planes)
    shifts = np.array(list(product((0.0, -1.0, 1.0), repeat=2)))
    there = (points + shifts[:, None]).reshape(-1, 2)
    found = [replace(placement, homography=each / each[2, 2]) for each in homographies]
    found = [each for each in found if SMALLEST_SIGHT < each.cell_size() < LARGEST_SIGHT]
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
    """A plane placement that shows each sheet point where this one shows it moved by (2,) cells."""
    moved = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]], [0.0, 0.0, 1.0]])
    return replace(placement, homography=placement.homography @ moved)
