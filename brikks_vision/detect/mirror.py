"""Detects photos that were flipped left to right, as selfie cameras and slide scanners do.

Lattice and bars look nearly the same in a mirror, so the networks locate them all the same. The
coloured circles printed in the grid do not: the colours at their places are compared with those of
the sheet and with those of its mirror image.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image, Placement, Points
from brikks_vision.detect.thresholds import (
    MIN_MIRROR_CORRELATION,
    MIN_MIRROR_DIFFERENCE,
    MIRROR_SPOTS,
)
from brikks_vision.layout import CELL, Layout

# linear sRGB to CIE XYZ, divided by the white point D65
_TO_XYZ = np.array(
    [
        [0.412453, 0.357580, 0.180423],
        [0.212671, 0.715160, 0.072169],
        [0.019334, 0.119193, 0.950227],
    ]
) / np.array([[0.950456], [1.0], [1.088754]])
SPOTS = tuple(product(MIRROR_SPOTS, repeat=2))


def looks_mirrored(image: Image, placement: Placement, layout: Layout) -> bool:
    """Whether the placed sheet shows the print of its mirror image.

    ``image`` : uint8 BGR (height, width, 3). A sheet without coloured circles never looks
    mirrored, nor does one that is placed by markers or keypoints: they are not found in a mirror.
    """
    cells = layout.fields[CELL]
    if not cells.colors or placement.method != "lattice":
        return False
    expected = _lab(np.array([_bgr(layout.colors[color]) for _, color in cells.colors]))
    centres = np.array([cells.centres[place] for place, _ in cells.colors])
    flipped = np.array([layout.grid.columns, 0.0]) + centres * (-1, 1)
    radius = max(max(drawn.values(), default=0.0) for drawn in cells.drawn) / 2
    as_printed = _correlation(_colors_at(image, placement, centres, radius), expected)
    as_mirrored = _correlation(_colors_at(image, placement, flipped, radius), expected)
    return bool(as_mirrored > max(MIN_MIRROR_CORRELATION, as_printed + MIN_MIRROR_DIFFERENCE))


def _colors_at(
    image: Image, placement: Placement, centres: Points, radius: float
) -> NDArray[np.float64]:
    """CIELAB colours (N, 3), each the mean of nine spots around a sheet point (N, 2), in cells."""
    spots = (centres[:, None] + radius * np.array(SPOTS)).reshape(-1, 2)
    x, y = placement.to_photo(spots).astype(np.float32).T
    seen = cv2.remap(image, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colors = _lab(np.asarray(seen)[0]).reshape(len(centres), len(SPOTS), 3)
    return np.asarray(colors.mean(axis=1), np.float64)


def _correlation(colors: NDArray[np.float64], expected: NDArray[np.float64]) -> float:
    """Correlation (-1 to 1) of two lists (N, 3) of colours, each relative to its median colour."""
    one, other = (each - np.median(each, axis=0) for each in (colors, expected))
    return float((one * other).sum() / (np.linalg.norm(one) * np.linalg.norm(other) + 1e-9))


def _lab(colors: NDArray[np.integer]) -> NDArray[np.float64]:
    """CIELAB (N, 3), lightness 0 to 255, of sRGB colours in BGR order (N, 3), 0 to 255.

    Lightness is scaled as in OpenCV's 8-bit pictures, on which `MIN_MIRROR_DIFFERENCE` was set.

    Written out (IEC 61966-2-1, white point D65) for a few hundred colours: OpenCV's conversion
    fills tables at its first call, which takes longer than a plain sheet is read in.
    """
    share = colors[:, ::-1] / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _TO_XYZ.T
    curved = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = curved.T
    return np.stack([2.55 * (116 * y - 16), 500 * (x - y), 200 * (y - z)], axis=1)


def _bgr(color: str) -> tuple[int, int, int]:
    """BGR of a colour written as "#rrggbb"."""
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return blue, green, red
