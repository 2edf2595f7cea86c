"""Photos of several sheets that lie side by side on one table, with the truth of each.

Table frame: cells, as large as the first sheet's; the sheets' middles lie on a row, each sheet
pushed and turned a little, now and then upside down for the player across.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Box, Layout
from simulation.camera import TIERS, Pose, compress, develop, random_pose, sheet_map
from simulation.marks import MarkedSheet
from simulation.photos import decoded
from simulation.tables import render_table

Image = NDArray[np.uint8]
Points = NDArray[np.float64]

MIN_GAP, MAX_GAP = 0.3, 4.0  # cells between two sheets
MAX_OFF_ROW = 1.5  # cells that a sheet may lie above or below the row
MAX_TURN = 5.0  # degrees


@dataclass(frozen=True)
class LaidSheet:
    """A marked sheet on the table: ``turn`` (2, 2) and ``middle`` (2,) take it to the table."""

    marked: MarkedSheet
    page: Box
    turn: Points
    middle: Points

    def to_table(self, points: Points) -> Points:
        return (points - _middle(self.page)) @ self.turn.T + self.middle

    def from_table(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Sheet points of table points (..., 2)."""
        back = (points - self.middle.astype(np.float32)) @ self.turn.astype(np.float32)
        return np.asarray(back + _middle(self.page).astype(np.float32), np.float32)


@dataclass(frozen=True)
class SheetPlace:
    """The camera's own pose of one of the sheets, in the place of a found placement."""

    pose: Pose
    sheet: LaidSheet

    def to_photo(self, points: Points) -> Points:
        return self.pose.project(self.sheet.to_table(points))

    def cell_size(self) -> float:
        x, y = _middle(self.sheet.page)
        a, b, c = self.to_photo(np.array([[x, y], [x + 1, y], [x, y + 1]]))
        return float(np.sqrt(abs(np.linalg.det(np.stack([b - a, c - a])))))


@dataclass(frozen=True)
class SeveralShot:
    """``image`` is decoded from ``data``, the JPEG file; the sheets are in the order laid."""

    image: Image
    data: bytes
    sheets: tuple[LaidSheet, ...]
    places: tuple[SheetPlace, ...]
    tier: str

    def left_to_right(self, layout: Layout) -> list[int]:
        """The sheets' numbers by where the middle of their grid lies in the photo."""
        middle = _middle(layout.grid.box)[None]
        return sorted(
            range(len(self.places)), key=lambda at: float(self.places[at].to_photo(middle)[0, 0])
        )


def _middle(box: Box) -> Points:
    return np.array(box.middle)


def lay_side_by_side(
    marked: Iterable[MarkedSheet],
    page: Box,
    rng: np.random.Generator,
    upside_down: float = 0.1,
) -> tuple[LaidSheet, ...]:
    """Lay sheets on a row; ``upside_down``: probability of each."""
    sheets, right = [], 0.0
    for sheet in marked:
        angle = np.radians(rng.uniform(-MAX_TURN, MAX_TURN))
        if rng.random() < upside_down:
            angle += np.pi
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        reach = float(np.abs((np.asarray(page.corners) - _middle(page)) @ turn.T)[:, 0].max())
        middle = np.array([right + reach, rng.uniform(-MAX_OFF_ROW, MAX_OFF_ROW)])
        right += 2 * reach + rng.uniform(MIN_GAP, MAX_GAP)
        sheets.append(LaidSheet(sheet, page, turn, middle))
    return tuple(sheets)


def shoot_several(
    sheets: tuple[LaidSheet, ...], rng: np.random.Generator, tier: str, long_side: int
) -> SeveralShot:
    """Photograph sheets that lie on a table, all wholly in the frame; the long side in px."""
    # a table does not curl, and who photographs a row of sheets holds the phone along it
    conditions = replace(TIERS[tier], curl=(0, 0), turned=False, fill=(0.8, 1.0))
    corners = np.concatenate([sheet.to_table(np.asarray(sheet.page.corners)) for sheet in sheets])
    low, high = corners.min(axis=0), corners.max(axis=0)
    row = Box(float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    while True:
        pose = random_pose(rng, row, row, conditions, long_side)
        right, left = pose.project(np.array([[row.right, 0.0], [row.left, 0.0]]))
        if right[0] - left[0] > abs(right[1] - left[1]):
            break
    table_points = sheet_map(pose)
    scene = cv2.resize(render_table(rng, *pose.size), pose.size, interpolation=cv2.INTER_LINEAR)
    for sheet in sheets:
        scene = _with_sheet(scene, sheet, SheetPlace(pose, sheet).cell_size(), table_points, rng)
    image = develop(scene, rng, conditions)
    data = compress(image, int(rng.integers(*conditions.quality)))
    places = tuple(SheetPlace(pose, sheet) for sheet in sheets)
    return SeveralShot(decoded(data), data, sheets, places, tier)


def _with_sheet(
    scene: Image,
    sheet: LaidSheet,
    cell: float,
    table_points: NDArray[np.float32],
    rng: np.random.Generator,
) -> Image:
    """The scene with the sheet on it; ``cell``: a cell's side in it, px."""
    points, page, blank = sheet.from_table(table_points), sheet.page, sheet.marked.blank
    source = sheet.marked.picture
    shrink = blank.pixels_per_cell / cell
    if shrink > 1.2:  # no aliasing
        source = cv2.GaussianBlur(source, (0, 0), 0.4 * shrink)
    at = points * np.float32(blank.pixels_per_cell) + np.asarray(blank.origin, np.float32)
    warped = cv2.remap(
        source, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    on_page = (
        (points[..., 0] > page.left) & (points[..., 0] < page.right)
        & (points[..., 1] > page.top) & (points[..., 1] < page.bottom)
    ).astype(np.float32)  # fmt: skip
    soft = cv2.blur(on_page, (3, 3))[..., None]
    reach = int(cell * rng.uniform(0.3, 1.0)) | 1
    shadow = cv2.blur(on_page, (reach, reach))[..., None]
    darker = scene * (1 - rng.uniform(0, 0.4) * shadow)
    return np.clip(warped * soft + darker * (1 - soft), 0, 255).astype(np.uint8)
