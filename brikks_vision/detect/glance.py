"""A glance at a sheet: all marks by small networks, from what a coarsely decoded photo shows.

Most sheets are drawn so clearly that a fifth of the work tells every mark. The cells and their
edges are read by one fully convolutional network, the bars patch by patch as
`brikks_vision.detect.bars` reads them, with narrower layers and at the reader's resolution. Whether
a glance is enough is not decided here; where it is not, it still counts beside the close look.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.bars import bar_centres, by_field, patch_logits
from brikks_vision.detect.marks import READER_PIXELS, Key, Marks, mark_places
from brikks_vision.detect.networks import look_weights, run_network
from brikks_vision.detect.pen import pen_of
from brikks_vision.detect.placement import Image, Points
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import CELL, Box, Layout, Mark

GLANCE_PIXELS = 16  # per cell
GLANCE_STRIDE = 8  # px: two outputs a cell, on its middle and on its edges' middles
BESIDE_GRID = 1.25  # cells around the grid that are looked at; so an output falls on each node
GLANCE_SIDE = 32  # px of a bar's patch, at the reader's resolution


def glance_marks(flat: Image, layout: Layout) -> Marks:
    """The marks of a sheet. ``flat`` : what `rectify_for_reading` returns."""
    on_grid = _read_grid(flat, layout)
    pen = pen_of(flat, on_grid[CELL, Mark.CROSS], layout)
    views, template = bar_views(flat, layout), bar_view_templates(layout)
    of_bars = patch_logits("glance_bars", views, template, pen, layout)
    return Marks({**on_grid, **by_field(of_bars, "glance_bars", layout)})


def with_glance(marks: Marks, glance: Marks) -> Marks:
    """The marks of a close look together with a glance's, as `look_weights` says.

    Networks that were trained on other resolutions and by other draws are wrong in other places.
    """
    weights = look_weights()
    return Marks(
        {
            key: weights[key][0] * array + weights[key][1] * glance[key]
            for key, array in marks.logits.items()
        }
    )


def _read_grid(flat: Image, layout: Layout) -> dict[Key, NDArray[np.float64]]:
    """Log-odds of cells and edges, by field and mark."""
    area = glance_area(layout)
    template = draw_template(layout, area, GLANCE_PIXELS)
    maps = run_network("glance", grid_view(flat, layout), template)
    logits = {}
    for key, points, output, shape in mark_places(layout, "glance"):
        rows, columns = glance_places(points, area).T
        logits[key] = maps[output, rows, columns].astype(np.float64).reshape(shape)
    return logits


def glance_area(layout: Layout) -> Box:
    """The grid and what is beside it, in cells."""
    box = layout.grid.box
    return Box(
        box.left - BESIDE_GRID,
        box.top - BESIDE_GRID,
        box.right + BESIDE_GRID,
        box.bottom + BESIDE_GRID,
    )


def glance_places(points: Points, area: Box) -> NDArray[np.int64]:
    """The rows and columns (N, 2) of the network's output that stand on sheet points (N, 2)."""
    step = GLANCE_STRIDE / GLANCE_PIXELS
    places = (points - (area.left, area.top)) / step - 0.5
    return np.round(places[:, ::-1]).astype(np.int64)


def grid_view(flat: Image, layout: Layout) -> Image:
    """The grid at `GLANCE_PIXELS`, from what `rectify_for_reading` returns."""
    area, whole = glance_area(layout), layout.reading_area
    left = round((area.left - whole.left) * READER_PIXELS)
    top = round((area.top - whole.top) * READER_PIXELS)
    width, height = round(area.width * READER_PIXELS), round(area.height * READER_PIXELS)
    size = round(area.width * GLANCE_PIXELS), round(area.height * GLANCE_PIXELS)
    part = flat[top : top + height, left : left + width]
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)


def bar_views(flat: Image, layout: Layout) -> NDArray[np.uint8]:
    """The patches of a sheet's bars in what `rectify_for_reading` returns, to whole pixels.

    Returns (P, GLANCE_SIDE, GLANCE_SIDE, channels), in the order of `bar_centres`.
    """
    area = layout.reading_area
    corners = (bar_centres(layout) - (area.left, area.top)) * READER_PIXELS - GLANCE_SIDE / 2
    windows = np.lib.stride_tricks.sliding_window_view(flat, (GLANCE_SIDE, GLANCE_SIDE), (0, 1))
    columns, rows = np.round(corners).astype(int).T
    return np.ascontiguousarray(windows[rows, columns].transpose(0, 2, 3, 1))


@cache
def bar_view_templates(layout: Layout) -> NDArray[np.uint8]:
    """What is printed in each of `bar_views`, uint8 (P, GLANCE_SIDE, GLANCE_SIDE, 1)."""
    template = draw_template(layout, layout.reading_area, READER_PIXELS)
    return bar_views(np.ascontiguousarray(template[..., 1:]), layout)
