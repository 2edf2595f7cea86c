"""Measures where the fields of a printing stand, on one photo of its empty sheet.

Editions and copies of a sheet differ by some tenths of a cell in where their bars stand beside the
grid. The aligner sees the centres of printed marks in any art, each with an error of its own: the
places are means over several shifted views, and those of one row of a field move together.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import ceil

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect import lattice
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.fit import STIFFNESS, fit, row_ends
from brikks_vision.detect.placement import Image, Placement, Points
from brikks_vision.layout import Box, Field, Layout, bounds

# Set by hand where no source is named.
# shifts of the views, across and down, as shares of the distance between two outputs of the
# aligner, so that its errors differ from view to view
VIEW_SHIFTS = (-1 / 3, 0.0, 1 / 3)
# the placement is fitted to the measured places, then they are measured through it again
MEASURING_ROUNDS = 2
# cells, across and down, by which a field is moved as a whole, and stretched at its ends: set by
# hand to catch moves that simulated printings had
FIELD_MOVES = tuple(
    product(
        (step * 0.075 for step in range(-16, 17)),
        (step * 0.15 for step in range(-3, 4)),
        (0.0, -0.1, 0.1, -0.2, 0.2),
    )
)
MOVE_PENALTY = 4.0  # log-odds per cell, the prior against a move of a field
MAX_FIELD_MOVE = 1.4  # cells by which one place of a field may move
# share that is kept of the deviation of a place from the line of its row: prints are regular,
# votes are not; 0 and 0.8 were as good on 12 simulated printings (seeds 101 to 112)
KEPT_DEVIATION = 0.4
# cells, a field that is moved by less stands where it is known to: twice the error of one place
LEAST_MOVE = 0.1
PLACE_MARGIN = 0.4  # cells around a place that belong to the reading area
AREA_STEP = 8 / 3  # cells; the networks take reading areas with sides that are multiples of it


def measured(image: Image, alignment: Alignment) -> Alignment:
    """The alignment of an empty sheet, its layout's fields where this printing has them.

    ``image`` : uint8 BGR. The grid stays: the frame is defined by it.

    Raises
    ------
    NoSheetFound
    """
    known = alignment.layout
    for _ in range(MEASURING_ROUNDS):
        layout = _seen_layout(image, alignment, known)
        seen = lattice.see_keypoints(image, alignment.placement)
        matches = lattice.match_keypoints(seen, alignment.placement, layout, np.zeros((1, 2)))
        placement = fit(matches, layout.reading_area, alignment.placement.method, STIFFNESS)
        evidence = lattice.evidence_for(seen, placement, layout)
        alignment = replace(alignment, layout=layout, placement=placement, evidence=evidence)
    return alignment


def _seen_layout(image: Image, alignment: Alignment, known: Layout) -> Layout:
    """The layout with the places of its fields as they are seen, near those of the known one."""
    views = [
        _view(image, alignment.placement, (x * lattice.ALIGNER_STEP, y * lattice.ALIGNER_STEP))
        for x, y in product(VIEW_SHIFTS, repeat=2)
    ]
    fields = dict(alignment.layout.fields)
    for field in alignment.layout.places:
        first = np.array(known.fields[field.name].centres)
        near = first + _common_moves(views, field, first)
        moves = _regular(first, _voted(views, near, _reach(first)) - first)
        if np.abs(moves).max() < LEAST_MOVE:  # the networks learnt with its known places
            moves = np.zeros_like(moves)
        fields[field.name] = _moved(field, first + moves)
    area = _area_around(alignment.layout.reading_area, list(fields.values()))
    return replace(alignment.layout, fields=fields, reading_area=area)


def _area_around(area: Box, fields: list[Field]) -> Box:
    """The reading area, grown by whole steps where a place would lie at its rim or beyond."""
    places = bounds(field.box for field in fields).grown(PLACE_MARGIN)
    return Box(
        area.left - AREA_STEP * ceil(max(0.0, area.left - places.left) / AREA_STEP),
        area.top - AREA_STEP * ceil(max(0.0, area.top - places.top) / AREA_STEP),
        area.right + AREA_STEP * ceil(max(0.0, places.right - area.right) / AREA_STEP),
        area.bottom + AREA_STEP * ceil(max(0.0, places.bottom - area.bottom) / AREA_STEP),
    )


View = tuple[lattice.Keypoints, tuple[float, float]]
"""What is seen through a placement that is shifted by (x, y), in cells."""


def _view(image: Image, placement: Placement, shift: tuple[float, float]) -> View:
    moved = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]])
    there = replace(placement, homography=placement.homography @ moved)
    return lattice.see_keypoints(image, there), shift


def _reach(centres: Points) -> float:
    """Half the distance of two neighbouring places, at most `SEARCH_RADIUS`, in cells."""
    if len(centres) < 2:
        return lattice.SEARCH_RADIUS
    apart = np.linalg.norm(centres[:, None] - centres, axis=-1)
    return min(lattice.SEARCH_RADIUS, float(apart[apart > 0].min()) / 2)


def _common_moves(views: list[View], field: Field, centres: Points) -> Points:
    """How a field has moved as a whole and stretched: moves (N, 2) of its centres, in cells.

    A row of equal marks looks the same one mark further on, but for its ends.
    """
    candidates, ends = np.array(FIELD_MOVES), row_ends(field)
    points = np.concatenate([centres, ends])
    middle, half = points[:, 0].mean(), max(float(np.ptp(points[:, 0])) / 2, 1e-6)
    across, down, stretch = candidates.T[..., None]
    at = (points[:, 0] - middle) / half
    moves = np.stack([across + stretch * at, np.tile(down, len(points))], axis=-1)
    likelihood = -MOVE_PENALTY * np.abs(candidates).sum(axis=1)
    for seen, shift in views:
        x, y = np.moveaxis(points + moves - shift, -1, 0)
        found = lattice.likelihood_of_places(seen, x, y, len(centres))
        likelihood += found / len(views)
    return np.asarray(moves[int(likelihood.argmax()), : len(centres)], np.float64)


def _voted(views: list[View], centres: Points, reach: float) -> Points:
    """Where printed marks are seen near ``centres`` (N, 2), in cells: medians over the views."""
    found = []
    for seen, shift in views:
        places, weights = lattice.voted_places(seen, centres - shift, reach)
        places[weights == 0] = np.nan
        found.append(places + shift)
    votes = np.array(found)
    unseen = np.isnan(votes).all(axis=0)
    votes[:, unseen] = centres[unseen]
    return np.asarray(np.nanmedian(votes, axis=0), np.float64)


def _regular(places: Points, moves: Points) -> Points:
    """Moves (N, 2) of places (N, 2), in cells, those of one row near a common line."""
    moves = np.clip(moves, -MAX_FIELD_MOVE, MAX_FIELD_MOVE)
    result = moves.copy()
    for _, row in _rows(places).items():
        x = places[row, 0]
        line = _line(x, moves[row]) if len(row) > 2 else np.median(moves[row], axis=0)
        result[row] = line + KEPT_DEVIATION * (moves[row] - line)
    return result


def _rows(places: Points) -> dict[float, list[int]]:
    """Indices of the places of a field by the height that they stand at; of a column all places."""
    rows: dict[float, list[int]] = {}
    for at, y in enumerate(np.round(places[:, 1], 3)):
        rows.setdefault(float(y), []).append(at)
    if all(len(row) == 1 for row in rows.values()):
        return {0.0: list(range(len(places)))}
    return rows


def _line(x: NDArray[np.float64], moves: Points) -> Points:
    """The lines through moves (N, 2) over positions (N,), by medians (Theil and Sen)."""
    first, second = np.triu_indices(len(x), 1)
    apart = np.abs(x[first] - x[second]) > 1e-6
    if not apart.any():
        return np.median(moves, axis=0) + np.zeros_like(moves)
    first, second = first[apart], second[apart]
    slopes = np.median((moves[first] - moves[second]) / (x[first] - x[second])[:, None], axis=0)
    offsets = np.median(moves - slopes * x[:, None], axis=0)
    return np.asarray(offsets + slopes * x[:, None], np.float64)


def _moved(field: Field, centres: Points) -> Field:
    places = tuple((round(float(x), 4), round(float(y), 4)) for x, y in centres)
    return replace(field, centres=places)
