"""A canvas to print on, and the shapes that are printed.

A ``Canvas`` carries an image and the frame it is drawn in: a point (x, y) of that frame (in cells)
lies at pixel ``origin + (x, y) * scale``, where a pixel's centre has integer coordinates, as in
OpenCV.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from brikks_vision.layout import Box, Point
from simulation.paper.colors import Color
from simulation.paper.fonts import Font, text_aspect, text_mask

Image = npt.NDArray[np.uint8]


_SHIFT = 4
_ONE = 1 << _SHIFT


@dataclass(frozen=True)
class Canvas:
    """An image (uint8 BGR) and the frame that is drawn in; lengths are in cells."""

    image: Image
    origin: tuple[float, float]
    scale: float

    def moved(self, x: float, y: float) -> Canvas:
        """The same image with everything drawn (x, y) cells further right and down."""
        return replace(
            self, origin=(self.origin[0] + x * self.scale, self.origin[1] + y * self.scale)
        )

    def pixel(self, point: Point) -> tuple[float, float]:
        """Where a point of the frame lies in the image, in px."""
        return (
            self.origin[0] + point[0] * self.scale,
            self.origin[1] + point[1] * self.scale,
        )

    def thickness(self, width: float) -> int:
        """A line's width in whole px, at least 1."""
        return max(1, round(width * self.scale))

    def _fixed(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        pixels = np.asarray(points, np.float64) * self.scale + self.origin
        return np.rint(pixels * _ONE).astype(np.int32)

    def fill(self, points: npt.ArrayLike, color: Color) -> None:
        """Fill a polygon of points (n, 2)."""
        cv2.fillPoly(self.image, [self._fixed(points)], color, cv2.LINE_AA, _SHIFT)

    def outline(
        self, points: npt.ArrayLike, color: Color, width: float, is_closed: bool = True
    ) -> None:
        """Draw a polygon of points (n, 2), closed or as an open line."""
        fixed, wide = [self._fixed(points)], self.thickness(width)
        cv2.polylines(self.image, fixed, is_closed, color, wide, cv2.LINE_AA, _SHIFT)

    def path(self, points: npt.ArrayLike, color: Color, width: float) -> None:
        """Draw an open line through points (n, 2)."""
        self.outline(points, color, width, is_closed=False)

    def stroke(self, start: Point, end: Point, color: Color, width: float) -> None:
        """A straight line with square ends, its width kept below a pixel."""
        x, y = end[0] - start[0], end[1] - start[1]
        length = math.hypot(x, y) or 1.0
        # cv2's anti-aliased fill covers about 1.4 px more than the polygon.
        half = max(width / 2 - 0.7 / self.scale, 0.05 / self.scale)
        x, y = -y / length * half, x / length * half
        self.fill(
            [
                (start[0] + x, start[1] + y),
                (end[0] + x, end[1] + y),
                (end[0] - x, end[1] - y),
                (start[0] - x, start[1] - y),
            ],
            color,
        )

    def disc(self, centre: Point, radius: float, color: Color) -> None:
        """A filled circle."""
        self._circle(centre, radius, color, cv2.FILLED)

    def ring(self, centre: Point, radius: float, color: Color, width: float) -> None:
        """A circle line whose middle has that radius."""
        self._circle(centre, radius, color, self.thickness(width))

    def _circle(self, centre: Point, radius: float, color: Color, wide: int) -> None:
        at, far = self._fixed([centre])[0].tolist(), round(radius * self.scale * _ONE)
        cv2.circle(self.image, at, far, color, wide, cv2.LINE_AA, _SHIFT)

    def box(self, box: Box, color: Color) -> None:
        """A filled rectangle."""
        self.fill(box.corners, color)

    def view(self, box: Box) -> Canvas | None:
        """The same frame cut to a box: nothing is drawn outside it; None where it is empty."""
        left, top = (max(0, math.ceil(value)) for value in self.pixel((box.left, box.top)))
        right, bottom = (math.floor(value) for value in self.pixel((box.right, box.bottom)))
        part = self.image[top : max(bottom, top), left : max(right, left)]
        if part.shape[0] < 2 or part.shape[1] < 2:
            return None
        return Canvas(part, (self.origin[0] - left, self.origin[1] - top), self.scale)

    def text(self, text: str, centre: Point, height: float, color: Color, font: Font) -> None:
        """A text around ``centre`` whose ink is ``height`` cells high."""
        mask = text_mask(text, font, height * self.scale)
        x, y = self.pixel(centre)
        blend_mask(
            self.image,
            mask,
            round(x - mask.shape[1] / 2),
            round(y - mask.shape[0] / 2),
            color,
        )

    def fitted_text(
        self, text: str, centre: Point, size: tuple[float, float], color: Color, font: Font
    ) -> None:
        """A text around ``centre`` as large as fits into ``size`` (width, height) in cells."""
        wide = text_aspect(text, font) * font.stretch + abs(font.slant)
        self.text(text, centre, min(size[1], size[0] / wide), color, font)

    def squeezed_text(
        self, text: str, centre: Point, size: tuple[float, float], color: Color, font: Font
    ) -> None:
        """A text of height ``size[1]``, its letters narrower where it is wider than ``size[0]``."""
        narrowest = size[0] / size[1] / text_aspect(text, font)
        slim = replace(font, stretch=min(font.stretch, narrowest), slant=0.0)
        self.text(text, centre, size[1], color, slim)


def blend_mask(image: Image, mask: Image, left: int, top: int, color: Color) -> None:
    """Lay a colour on the image in place where the mask (0..255) says; cut at the image's edge."""
    height, width = mask.shape
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + width, image.shape[1]), min(top + height, image.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.int32)
    roi = image[y0:y1, x0:x1]
    ground = roi.astype(np.int32)
    roi[:] = ground + (np.array(color, np.int32) - ground) * part // 255


def rounded(box: Box, radius: float) -> npt.NDArray[np.float64]:
    """The outline of a box with rounded corners, points (n, 2) clockwise, in the box's unit."""
    radius = min(radius, box.width / 2, box.height / 2)
    if radius <= 0:
        return np.array(box.corners)
    turns = np.linspace(0, math.pi / 2, 9)
    arc = np.stack([np.cos(turns), np.sin(turns)], 1) * radius
    corners = (
        (box.right - radius, box.bottom - radius),
        (box.left + radius, box.bottom - radius),
        (box.left + radius, box.top + radius),
        (box.right - radius, box.top + radius),
    )
    turned = (
        arc,
        np.stack([-arc[:, 1], arc[:, 0]], 1),
        -arc,
        np.stack([arc[:, 1], -arc[:, 0]], 1),
    )
    return np.concatenate([part + corner for part, corner in zip(turned, corners, strict=True)])


def around(points: tuple[Point, ...], x: float, y: float) -> Box:
    """The smallest box around the points, with a margin."""
    across, down = [p[0] for p in points], [p[1] for p in points]
    return Box(min(across) - x, min(down) - y, max(across) + x, max(down) + y)


def empty_page(page: Box, pixels_per_cell: int) -> Canvas:
    """A black canvas as large as the page, whose frame is the sheet frame."""
    height, width = round(page.height * pixels_per_cell), round(page.width * pixels_per_cell)
    return Canvas(
        np.zeros((height, width, 3), np.uint8),
        (-page.left * pixels_per_cell, -page.top * pixels_per_cell),
        float(pixels_per_cell),
    )
