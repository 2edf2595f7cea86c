"""Pictures of what lies below a grid: lines to write on."""

import cv2
import numpy as np

from brikks_vision.layout import Box

PIXELS = 32
AREA = Box(0.0, 0.0, 9.0, 5.0)


def page() -> np.ndarray:
    return np.full((round(AREA.height * PIXELS), round(AREA.width * PIXELS), 3), 230, np.uint8)


def at(x: float, y: float) -> tuple[int, int]:
    return round(x * PIXELS), round(y * PIXELS)


def with_lines() -> np.ndarray:
    """Four lines in a row, each 1.5 cells long."""
    picture = page()
    for number in range(4):
        left = 0.6 + 2.1 * number
        cv2.line(picture, at(left, 3.0), at(left + 1.5, 3.0), (60, 60, 60), 2)
    return picture
