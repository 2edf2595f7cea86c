"""Placements: mapping points through them, rectifying the sheet."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from brikks_vision.detect.placement import Placement, rectify, rectify_patches
from brikks_vision.layout import Box, load_layout

SHEET = load_layout("brikks")
AREA = SHEET.reading_area
FLAT = np.zeros((12, 2))


# A camera that turns the sheet by 0.3 radians and tilts it a little; 30 px a cell.
CAMERA = np.array([[28.66, -8.87, 400], [8.87, 28.66, 300], [0.002, -0.001, 1.0]])


@pytest.mark.parametrize("factor", [0.25, 0.5, 2.0, 3.7])
def test_a_scaled_photo_shows_the_same_places(factor: float) -> None:
    placement = Placement(CAMERA, FLAT, AREA, "lattice", 0.0)
    points = np.array([[0.0, 0.0], [10.0, 11.0], [-1.5, 17.0]])
    expected = (placement.to_photo(points) + 0.5) * factor - 0.5
    assert np.allclose(placement.scaled(factor).to_photo(points), expected)


@pytest.mark.parametrize("cell", [14.0, 24.0, 55.0, 90.0])
def test_rectified_pixels_show_their_sheet_points(cell: float) -> None:
    """A picture that is brighter to the right keeps its brightness where it belongs."""
    area = Box(0, 0, 8, 8)
    width = round(10 * cell)
    ramp = np.repeat(np.linspace(0, 250, width)[None], width, axis=0)
    image = np.repeat(ramp[..., None], 3, axis=2).astype(np.uint8)
    matrix = np.array([[cell, 0, cell], [0, cell, cell], [0, 0, 1.0]])
    flat = rectify(image, Placement(matrix, FLAT, area, "lattice", 0.0), area, 24)
    assert flat.shape == (192, 192, 3)
    x = (np.arange(192) + 0.5) / 24
    assert np.abs(flat[96, :, 1] - (x + 1) * cell / (width - 1) * 250).max() < 2.5


@pytest.mark.parametrize("cell", [30.0, 36.0, 47.0, 70.0, 95.0, 130.0])
def test_thin_lines_are_averaged_and_not_lost(cell: float) -> None:
    """Lines of one pixel, each elsewhere between the samples, keep their darkness."""
    area = Box(0, 0, 8, 8)
    side = round(10 * cell)
    image = np.full((side, side, 3), 255, np.uint8)
    lines = np.linspace(2 * cell, 8 * cell, 9).astype(int)
    image[:, lines] = 0
    matrix = np.array([[cell, 0, cell], [0, cell, cell], [0, 0, 1.0]])
    flat = rectify(image, Placement(matrix, FLAT, area, "lattice", 0.0), area, 24)
    for line in lines:
        at = round(((line + 0.5) / cell - 1) * 24)
        darkness = (255 - flat[96, at - 5 : at + 5, 1].astype(float)).sum() * cell / 24
        assert darkness == pytest.approx(255, rel=0.25)


@pytest.mark.parametrize("cell", [20.0, 36.0, 110.0])
def test_a_patch_shows_what_the_whole_sheet_shows_there(cell: float) -> None:
    rng = np.random.default_rng(3)
    side = round(10 * cell)
    image = cv2.resize(rng.integers(0, 255, (12, 12, 3)).astype(np.uint8), (side, side))
    matrix = np.array([[cell, 0, cell], [0, cell, cell], [0, 0, 1.0]])
    matrix[2, :2] = 0.001, -0.0005
    placement = Placement(matrix, FLAT, Box(0, 0, 8, 8), "lattice", 0.0)
    whole = rectify(image, placement, Box(0, 0, 8, 8), 36)
    patches = rectify_patches(image, placement, np.array([[2.0, 3.0], [5.0, 1.0]]), 48, 36)
    for patch, (x, y) in zip(patches, [(2, 3), (5, 1)], strict=True):
        same = whole[36 * y - 24 : 36 * y + 24, 36 * x - 24 : 36 * x + 24]
        assert np.abs(patch.astype(int) - same).max() < 8


def test_rectifying_leaves_the_photo_alone() -> None:
    image = np.random.default_rng(0).integers(0, 255, (300, 300, 3)).astype(np.uint8)
    before = image.copy()
    matrix = np.array([[15.0, 0, 60], [0, 15, 40], [0, 0, 1]])
    rectify(image, Placement(matrix, FLAT, AREA, "lattice", 0.0), AREA, 12)
    assert cv2.norm(image, before) == 0
