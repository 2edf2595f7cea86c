"""The fast pass: reads all marks with small networks from a coarsely decoded photo.

It takes a fifth of the work of the full pass and is enough for most sheets. One fully convolutional
network reads the cells and their edges. The bars are read patch by patch as in
`brikks_vision.detect.bars`, with narrower layers and at the reader's resolution. The pipeline
decides whether it is enough; if it is not, its log-odds are added to those of the full pass.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.bars import bar_centres, by_field, patch_logits
from brikks_vision.detect.marks import READER_PIXELS, Key, Marks, either_covered, mark_places
from brikks_vision.detect.networks import pass_weights, run_network
from brikks_vision.detect.pen import pen_of
from brikks_vision.detect.placement import Image, Points
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import CELL, Box, Layout, Mark

# The networks were trained with these.
FAST_PIXELS = 16  # px per cell
FAST_STRIDE = 8  # px per output: outputs fall on the centres of cells and on those of their edges
BESIDE_GRID = 1.25  # cells around the grid in the input; with it an output falls on each node
FAST_SIDE = 32  # px, side of a bar's patch at the reader's resolution


def fast_marks(flat: Image, layout: Layout) -> Marks:
    """Read all marks of a sheet. ``flat`` : see `rectify_for_reading`."""
    on_grid = _read_grid(flat, layout)
    pen = pen_of(flat, on_grid[CELL, Mark.CROSS], layout)
    views, template = bar_views(flat, layout), bar_view_templates(layout)
    of_bars = patch_logits("fast_bars", views, template, pen)
    return Marks({**on_grid, **by_field(of_bars, "fast_bars", layout)})


def combine_passes(full: Marks, fast: Marks, cell: float) -> Marks:
    """The weighted sum of the log-odds of the full and the fast pass, see `pass_weights`.

    Networks trained at different resolutions and on different samples make different errors.
    """
    weights = pass_weights(cell)
    together = Marks(
        {
            key: weights[key][0] * array + weights[key][1] * fast[key]
            for key, array in full.logits.items()
        }
    )
    return together.with_covered(either_covered(full.covered, fast.covered))


def _read_grid(flat: Image, layout: Layout) -> dict[Key, NDArray[np.float64]]:
    """Log-odds of the cells and their edges, by field and mark."""
    area = fast_area(layout)
    template = draw_template(layout, area, FAST_PIXELS)
    maps = run_network("fast_reader", grid_view(flat, layout), template)
    logits = {}
    for key, points, output, shape in mark_places(layout, "fast_reader"):
        rows, columns = fast_places(points, area).T
        logits[key] = maps[output, rows, columns].astype(np.float64).reshape(shape)
    return logits


def fast_area(layout: Layout) -> Box:
    """The grid with a margin, in cells."""
    box = layout.grid.box
    return Box(
        box.left - BESIDE_GRID,
        box.top - BESIDE_GRID,
        box.right + BESIDE_GRID,
        box.bottom + BESIDE_GRID,
    )


def fast_places(points: Points, area: Box) -> NDArray[np.int64]:
    """Rows and columns (N, 2) of the network's output at sheet points (N, 2), in cells."""
    step = FAST_STRIDE / FAST_PIXELS
    places = (points - (area.left, area.top)) / step - 0.5
    return np.round(places[:, ::-1]).astype(np.int64)


def grid_view(flat: Image, layout: Layout) -> Image:
    """The `fast_area` at `FAST_PIXELS`, from what `rectify_for_reading` returns."""
    area, whole = fast_area(layout), layout.reading_area
    left = round((area.left - whole.left) * READER_PIXELS)
    top = round((area.top - whole.top) * READER_PIXELS)
    width, height = round(area.width * READER_PIXELS), round(area.height * READER_PIXELS)
    size = round(area.width * FAST_PIXELS), round(area.height * FAST_PIXELS)
    part = flat[top : top + height, left : left + width]
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)


def bar_views(flat: Image, layout: Layout) -> NDArray[np.uint8]:
    """Patches of the bars, cut to whole pixels from what `rectify_for_reading` returns.

    Returns (P, FAST_SIDE, FAST_SIDE, channels) in the order of `bar_centres`.
    """
    area = layout.reading_area
    corners = (bar_centres(layout) - (area.left, area.top)) * READER_PIXELS - FAST_SIDE / 2
    windows = np.lib.stride_tricks.sliding_window_view(flat, (FAST_SIDE, FAST_SIDE), (0, 1))
    columns, rows = np.round(corners).astype(int).T
    return np.ascontiguousarray(windows[rows, columns].transpose(0, 2, 3, 1))


@cache
def bar_view_templates(layout: Layout) -> NDArray[np.uint8]:
    """Drawn print of each of `bar_views`, uint8 (P, FAST_SIDE, FAST_SIDE, 1)."""
    template = draw_template(layout, layout.reading_area, READER_PIXELS)
    views = bar_views(np.ascontiguousarray(template[..., 1:]), layout)
    views.setflags(write=False)
    return views
