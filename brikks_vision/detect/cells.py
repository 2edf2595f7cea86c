"""The grid of a printing that is not known: its cells, its size, and how plainly its rows show.

A cell is a region that edges surround, nearly a parallelogram. Cells that continue each other at
the distance of their own sides make a lattice; the largest lattice is the grid.

What lies between the cells of a row tells most: a strip beside a grid has an end as a row has, but
nothing that parts its cells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.fit import fit_placement
from brikks_vision.detect.placement import (
    Image,
    Placement,
    Points,
    apply_homography,
    rectify,
    shrunk,
)
from brikks_vision.layout import Box

# All set by hand on simulated printings (seeds 1 to 60).
MIN_CELL_SIDE = 10.0  # px, side of a cell in a picture of `SIDES`
MAX_CELL_SIDE = 200.0  # px, the same
MIN_CELL_FILLED = 0.72  # share of its smallest parallelogram that a cell fills
MAX_CELL_SIDE_RATIO = 1.9  # longer side over shorter, of a cell seen at a slant
MAX_CELL_STEP_ERROR = 0.22  # cells between a neighbour and where it is expected
SAME_CELL = 0.2  # of its side, by which two finds of one cell lie apart
STEP = 1.06  # sides from one cell to the next: a gap or a line lies between them
MAX_CELL_AREA_RATIO = 1.8  # larger over smaller, of neighbouring cells
MIN_CELLS = 20  # of a lattice
MAX_LATTICE_ERROR = 0.14  # cells between a cell and its place on the plane lattice
MIN_GRID_SIDE = 4  # rows or columns of a grid
MAX_GRID_SIDE = 20  # rows or columns of a grid
MIN_LINE_SHARE = 0.66  # share of the cells of a row or column of the grid that must be seen
PLAINER = (8, 4, 0)  # the first kinds of edges of `regions_of` that are looked at together
SIDES = (1000, 1500)  # px, longer side of the photo in which cells are sought
LINE_PIXELS = 24  # px per cell, in which lines are sought
LINE_SIDE = 0.13  # cells, from a line to the ground beside it
GRID_STIFFNESS = 0.003  # ridge of the bend: it must hold beyond the grid, too


@dataclass(frozen=True)
class FoundGrid:
    """A grid in a photo.

    The grid's corner is (0, 0); which side is up is not known. cells, photo: (N, 2) centres of the
    cells that were seen, in cells of that frame and in px.
    """

    rows: int
    columns: int
    cells: Points
    photo: Points

    @property
    def size(self) -> int:
        """The number of cells that were seen."""
        return len(self.cells)

    @property
    def corners(self) -> Points:
        """The grid's corners in the photo, (4, 2) px, by a plane."""
        homography, _ = cv2.findHomography(self.cells, self.photo, 0)
        frame = Box(0.0, 0.0, float(self.columns), float(self.rows))
        return apply_homography(homography, np.array(frame.corners))

    def turned(self) -> FoundGrid:
        """The same grid by a quarter turn, what was its left side up."""
        turned = np.stack([self.rows - self.cells[:, 1], self.cells[:, 0]], axis=1)
        return FoundGrid(self.columns, self.rows, turned, self.photo)

    def placement(self, area: Box) -> Placement:
        """Where the grid lies: a plane, bent a little. ``area`` : where the bend is defined, cells.

        Raises
        ------
        numpy.linalg.LinAlgError
        """
        weights = np.ones(len(self.cells))
        return fit_placement(self.cells, self.photo, weights, area, "lattice", GRID_STIFFNESS)


def find_grids(image: Image, long_sides: Sequence[int] = SIDES) -> list[FoundGrid]:
    """The grids in a photo, the one with most cells first. ``image`` : uint8 BGR.

    ``long_sides`` : px, of the pictures of it in which cells are sought.
    """
    found: list[FoundGrid] = []
    for long_side in long_sides:
        small, scale = shrunk(image, long_side / max(image.shape[:2]))
        for centres, sides in _cells(small):
            for grid in _lattices(centres, sides):
                found.append(replace(grid, photo=(grid.photo + 0.5) / scale - 0.5))
    found.sort(key=lambda grid: -grid.size)
    distinct: list[FoundGrid] = []
    for grid in found:
        if not min(grid.rows, grid.columns) >= MIN_GRID_SIDE:
            continue
        if max(grid.rows, grid.columns) > MAX_GRID_SIDE:
            continue
        if not any(_lie_on_each_other(grid, other) for other in distinct):
            distinct.append(grid)
    return distinct


def resized(grid: FoundGrid, sides: tuple[int, int, int, int]) -> FoundGrid:
    """The grid with more rows and columns at its sides (left, top, right, bottom), or fewer."""
    left, top, right, bottom = sides
    cells = grid.cells + np.array([left, top], np.float64)
    rows, columns = grid.rows + top + bottom, grid.columns + left + right
    inside = (cells > 0).all(axis=1) & (cells < (columns, rows)).all(axis=1)
    return FoundGrid(rows, columns, cells[inside], grid.photo[inside])


def _lie_on_each_other(one: FoundGrid, other: FoundGrid) -> bool:
    """Whether two grids of one shape are the same: the middle of the smaller lies in the other."""
    if sorted((one.rows, one.columns)) != sorted((other.rows, other.columns)):
        return False
    middle = one.photo.mean(axis=0)
    outline = cv2.convexHull(other.photo.astype(np.float32))
    return cv2.pointPolygonTest(outline, (float(middle[0]), float(middle[1])), False) >= 0


Cells = tuple[Points, NDArray[np.float64]]
"""Centres (N, 2) of what may be cells, px, and their sides (N, 2, 2), vectors in px."""


def _cells(image: Image) -> Iterable[Cells]:
    """Candidates for cells by the plainest edges, and then by fainter ones, too."""
    every = [_quadrangles(regions) for regions in regions_of(image)]
    for first in PLAINER:
        yield _distinct(every[first:])


def regions_of(image: Image) -> Iterable[NDArray[np.uint8]]:
    """Binary pictures whose white regions may be cells; the last show the plainest edges alone."""
    smooth = cv2.GaussianBlur(image, (0, 0), 0.8)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    for offset, window, turned in product((2, 6), (15, 31), (grey, 255 - grey)):
        yield np.asarray(
            cv2.adaptiveThreshold(
                turned, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, offset
            )
        )
    for low, high in ((10, 30), (25, 70)):
        edges = np.zeros(grey.shape, np.uint8)
        for channel in cv2.split(smooth):
            edges |= np.asarray(cv2.Canny(channel, low, high, L2gradient=True), np.uint8)
        yield np.asarray(255 - cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8)


def _quadrangles(regions: NDArray[np.uint8]) -> Cells:
    """White regions that are about parallelograms of a cell's size; holes in them do not count."""
    contours, _ = cv2.findContours(regions, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    centres, sides = [], []
    for contour in contours:
        if len(contour) < 4:
            continue
        _, _, width, height = cv2.boundingRect(contour)
        if max(width, height) < MIN_CELL_SIDE or max(width, height) > 1.5 * MAX_CELL_SIDE:
            continue
        area = cv2.contourArea(contour)
        if area < MIN_CELL_SIDE**2:
            continue
        hull = cv2.convexHull(contour)
        hull_area = cv2.contourArea(hull)
        if area < MIN_CELL_FILLED * hull_area:
            continue
        _, (w, h), angle = cv2.minAreaRect(hull)
        if min(w, h) < MIN_CELL_SIDE or max(w, h) > MAX_CELL_SIDE_RATIO * min(w, h):
            continue
        if hull_area < MIN_CELL_FILLED * w * h:
            continue
        moments = cv2.moments(hull)
        centres.append((moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]))
        turn = np.radians(angle)
        across = np.array([np.cos(turn), np.sin(turn)]) * w
        down = np.array([-np.sin(turn), np.cos(turn)]) * h
        sides.append((across, down))
    return np.array(centres).reshape(-1, 2), np.array(sides).reshape(-1, 2, 2)


def _distinct(every: list[Cells]) -> Cells:
    """All cells, of those at one place and of one size only the first."""
    centres, sides = (np.concatenate(parts) for parts in zip(*every, strict=True))
    sizes = np.exp2(np.round(np.log2(np.linalg.norm(sides, axis=2).min(axis=1))))
    places = np.column_stack([np.round(centres / (SAME_CELL * sizes[:, None])), sizes])
    kept = np.sort(np.unique(places, axis=0, return_index=True)[1])
    return centres[kept], sides[kept]


def _lattices(centres: Points, sides: NDArray[np.float64]) -> list[FoundGrid]:
    """The lattices that cells make."""
    order = centres[:, 0].argsort()
    centres, sides = centres[order], sides[order]  # by x, so that a part of them is looked through
    areas = np.abs(np.linalg.det(sides))
    free = np.ones(len(centres), bool)
    found = []
    for start in np.argsort(-areas):
        if free[start]:
            places = _grown(int(start), centres, sides, areas, free)
            free[list(places)] = False
            grid = _grid_of(places, centres) if len(places) >= MIN_CELLS else None
            if grid is not None:
                found.append(grid)
    return found


def _grown(
    start: int,
    centres: Points,
    sides: NDArray[np.float64],
    areas: NDArray[np.float64],
    free: NDArray[np.bool_],
) -> dict[int, tuple[int, int]]:
    """Cells that continue each other from one on, with their (column, row); ``centres`` by x."""
    places = {start: (0, 0)}
    taken = {(0, 0)}
    axes = {start: _right_handed(sides[start])}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        column, row = places[at]
        for axis, way in product((0, 1), (1, -1)):
            place = column + way * (axis == 0), row + way * (axis == 1)
            if place in taken:
                continue
            step = way * axes[at][axis]
            expected = centres[at] + STEP * step
            reach = MAX_CELL_STEP_ERROR * float(np.hypot(*step))
            first, last = centres[:, 0].searchsorted((expected[0] - reach, expected[0] + reach))
            if first == last:
                continue
            distance = np.hypot(*(centres[first:last] - expected).T)
            ratio = areas[first:last] / areas[at]
            is_unlike = np.maximum(ratio, 1 / ratio) > MAX_CELL_AREA_RATIO
            distance[is_unlike | ~free[first:last]] = np.inf
            other = first + int(distance.argmin())
            if distance[other - first] > reach or other in places:
                continue
            places[other] = place
            taken.add(place)
            # The step that was taken tells this axis better than the sides of one cell.
            axes[other] = axes[at].copy()
            axes[other][axis] = (axes[at][axis] + way * (centres[other] - centres[at])) / 2
            queue.append(other)
    return places


def _right_handed(sides: NDArray[np.float64]) -> NDArray[np.float64]:
    """The two sides as axes across and down, y pointing down in the photo."""
    across, down = sides
    if across[0] * down[1] - across[1] * down[0] < 0:
        down = -down
    return np.array([across, down])


def _grid_of(places: dict[int, tuple[int, int]], centres: Points) -> FoundGrid | None:
    """The plane grid through cells, its rows and columns those of which most cells are seen."""
    lattice = np.array(list(places.values()), float)
    photo = centres[list(places)]
    homography, _ = cv2.findHomography(lattice, photo, cv2.RANSAC, 3.0)
    if homography is None:
        return None
    inverse = np.linalg.inv(homography)
    error = np.linalg.norm(apply_homography(inverse, photo) - lattice, axis=1)
    kept = error < MAX_LATTICE_ERROR
    if kept.sum() < MIN_CELLS:
        return None
    cells = {(int(x), int(y)) for x, y in lattice[kept]}
    columns, rows = _span(cells)
    if columns is None or rows is None:
        return None
    (left, right), (top, bottom) = columns, rows
    x, y = lattice.T
    kept &= (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
    corner = np.array([left - 0.5, top - 0.5])
    return FoundGrid(bottom - top + 1, right - left + 1, lattice[kept] - corner, photo[kept])


def _span(
    cells: set[tuple[int, int]],
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """First and last column and row of which enough cells are seen."""
    left, right = min(x for x, _ in cells), max(x for x, _ in cells)
    top, bottom = min(y for _, y in cells), max(y for _, y in cells)
    while True:
        width, height = right - left + 1, bottom - top + 1
        inside = [(x, y) for x, y in cells if left <= x <= right and top <= y <= bottom]
        if not inside or width < 2 or height < 2:
            return None, None
        in_column = [sum(x == at for x, _ in inside) / height for at in (left, right)]
        in_row = [sum(y == at for _, y in inside) / width for at in (top, bottom)]
        worst = min((*in_column, *in_row))
        if worst >= MIN_LINE_SHARE:
            return (left, right), (top, bottom)
        if in_column[0] == worst:
            left += 1
        elif in_column[1] == worst:
            right -= 1
        elif in_row[0] == worst:
            top += 1
        else:
            bottom -= 1


Shares = NDArray[np.float64]

ALONG = np.linspace(0.2, 0.8, 13)  # of a cell's side, where a line is looked at
LEAST_SHOWN = 0.15  # of the usual strength of lines: paler ones of a row tell nothing
WEAKEST = 25  # percentile of the lines of a row that counts for it: letters make some, too


def line_shares(image: Image, grid: FoundGrid, beyond: int) -> tuple[Shares, Shares]:
    """How much the lines in each row (rows,) and column (columns,) are like those of the grid.

    All columns cross the same rows: each line of a column is compared with the same line of the
    others, by its colour. Rows are coloured in different ways: of a row it is compared how strong
    its lines are, with those of the palest row within the grid.

    ``grid`` : upright, grown by ``beyond`` rows and columns on each side.

    Raises
    ------
    numpy.linalg.LinAlgError
    """
    inner = slice(beyond + 1, -beyond - 1)
    rows, columns = (_between(image, each)[:, beyond:-beyond] for each in (grid, grid.turned()))
    strengths = np.percentile(np.linalg.norm(rows, axis=2), WEAKEST, axis=1)
    usual = np.median(columns[inner], axis=0)
    along = (columns * usual).sum(axis=2) / np.maximum((usual**2).sum(axis=1), 1e-6)
    palest = float(strengths[inner].min())
    palest = max(palest, LEAST_SHOWN * float(np.median(strengths[inner])), 1e-6)
    return strengths / palest, np.median(along, axis=1)


def _between(image: Image, grid: FoundGrid) -> NDArray[np.float64]:
    """The lines between the cells of each row, beside what lies on both sides of them.

    (rows, columns - 1, 3), differences of BGR.
    """
    area = Box(-1.0, -1.0, grid.columns + 1.0, grid.rows + 1.0)
    flat = rectify(image, grid.placement(area), area, LINE_PIXELS).astype(np.float32)
    x = np.arange(1.0, grid.columns)[:, None] + 0 * ALONG
    found = []
    for row in range(grid.rows):
        y = row + ALONG + 0 * x
        before, on, after = (
            cv2.remap(
                flat,
                ((x + step * LINE_SIDE - area.left) * LINE_PIXELS - 0.5).astype(np.float32),
                ((y - area.top) * LINE_PIXELS - 0.5).astype(np.float32),
                cv2.INTER_LINEAR,
            )
            for step in (-1, 0, 1)
        )
        found.append(np.median(on - (before + after) / 2, axis=1))
    return np.array(found, np.float64)
