"""Fiducials printed in the corners of a sheet."""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.layout import Box, Markers
from simulation.paper.canvas import Canvas, blend_mask
from simulation.paper.colors import WHITE, Color


def draw_markers(canvas: Canvas, markers: Markers, sheet: int, ink: Color) -> None:
    """The four fiducials of the n-th sheet of a page, each on a white quiet zone."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    modules = dictionary.markerSize + 2
    for index, centre in enumerate(markers.centres):
        bits = cv2.aruco.generateImageMarker(dictionary, 4 * sheet + index, modules)
        module, half = markers.size / modules, markers.size / 2
        quiet = half + module
        left, top = centre[0] - half, centre[1] - half
        canvas.box(
            Box(centre[0] - quiet, centre[1] - quiet, centre[0] + quiet, centre[1] + quiet), WHITE
        )
        x0, y0 = canvas.pixel((left, top))
        side = round(markers.size * canvas.scale)
        black = cv2.resize(cv2.bitwise_not(bits), (side, side), interpolation=cv2.INTER_NEAREST)
        blend_mask(canvas.image, np.asarray(black, np.uint8), round(x0), round(y0), ink)
