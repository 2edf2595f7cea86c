"""Photos of marked sheets on tables, with all that is true of them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Box
from simulation.camera import (
    TIERS,
    Conditions,
    Pose,
    cell_size,
    compress,
    photograph,
    random_pose,
    sheet_map,
)
from simulation.hand import Hand
from simulation.marks import Drawn
from simulation.paper.blank import BlankSheet
from simulation.tables import render_table

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class TruePlacement:
    """The camera's own pose in the place of a found placement."""

    pose: Pose
    factor: float = 1.0
    corner: tuple[float, float] = (0.0, 0.0)  # px of the scaled photo before the part

    def to_photo(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return (self.pose.project(points) + 0.5) * self.factor - 0.5 - self.corner

    def scaled(self, factor: float) -> TruePlacement:
        x, y = self.corner
        return TruePlacement(self.pose, self.factor * factor, (x * factor, y * factor))

    def moved(self, x: float, y: float) -> TruePlacement:
        return TruePlacement(self.pose, self.factor, (self.corner[0] - x, self.corner[1] - y))

    def cell_size(self) -> float:
        return cell_size(self.pose) * self.factor


@dataclass(frozen=True)
class Photo:
    """A simulated photo and where the sheet lies in it.

    image: decoded from ``data``, the JPEG file. points: float32 (height, width, 2), the sheet
    point in cells of every pixel. tier: of `camera.TIERS`.
    """

    image: Image
    data: bytes
    points: NDArray[np.float32]
    placement: TruePlacement
    tier: str


@dataclass(frozen=True)
class MarkedPhoto(Photo):
    """A photo of a marked sheet: by what hand, and what the sheet truly bears."""

    hand: Hand
    drawn: Drawn


def take_photo(
    sheet: Image,
    blank: BlankSheet,
    page: Box,
    rng: np.random.Generator,
    tier: str,
    long_side: int,
    needed: Box,
    conditions: Conditions | None = None,
) -> Photo:
    """Lay a marked sheet on a table and photograph it.

    ``sheet``: the marked picture of ``blank``; ``page``: the paper, in the sheet frame.
    ``long_side``: of the photo, px. ``needed``: what must be in the picture. ``conditions``: what
    the photo is like, if not any of its tier.
    """
    conditions = conditions or TIERS[tier]
    pose = random_pose(rng, page, needed, conditions, long_side)
    table = table_for(rng, pose.size, tier)
    points = sheet_map(pose)
    image = photograph(
        sheet, blank.origin, blank.pixels_per_cell, table, pose, points, rng, conditions
    )
    data = compress(image, int(rng.integers(*conditions.quality)))
    return Photo(decoded(data), data, points, TruePlacement(pose), tier)


def table_for(rng: np.random.Generator, size: tuple[int, int], tier: str) -> Image:
    """A table for photos of a tier, uint8 BGR; ``size``: width, height of the photo, px."""
    if tier == "scan":  # the scanner's lid
        level = int(rng.choice([rng.integers(235, 256), rng.integers(10, 60)], p=[0.8, 0.2]))
        return np.full((size[1], size[0], 3), level, np.uint8)
    return render_table(rng, size[0], size[1])


def decoded(data: bytes) -> Image:
    """The pixels of an image file, uint8 BGR."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
