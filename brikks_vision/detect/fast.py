"""The fast pass: reads a sheet in a coarsely decoded photo, the grid with a small network.

That one is fully convolutional and tells the cells and their edges. The bars are read patch by
patch, see `brikks_vision.detect.bars`. The pipeline decides whether it is enough; if it is not, the
log-odds of the reader of the whole sheet are added.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.bars import bar_logits
from brikks_vision.detect.faint import least_of_rings
from brikks_vision.detect.marks import READER_PIXELS, Key, Marks, mark_places
from brikks_vision.detect.networks import blank_weights, pass_weights, run_network
from brikks_vision.detect.pen import pen_of
from brikks_vision.detect.placement import Image, Points
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import CELL, Box, Layout, Mark

# The networks were trained with these.
FAST_PIXELS = 16  # px per cell
FAST_STRIDE = 8  # px per output: outputs fall on the centres of cells and on those of their edges
LEFT_TO_RIGHT = (2,)  # axes of the bars in a mirror, see `bar_logits`
# of what both passes tell of the bars, and of what the fast pass tells of them in a mirror: by both
# networks and the mirror a mark is told no more surely than by both networks. Of 97 simulated
# photos that all networks left open (seeds 47011 and 47012) 22 were settled and none more was
# wrong; with 0.66 and 0.5 26, but one more player was accused
FIRST_SHARE, MIRRORED_SHARE = 0.6, 0.5
BESIDE_GRID = 1.25  # cells around the grid in the input; with it an output falls on each node


def fast_marks(flat: Image, patches: NDArray[np.uint8], layout: Layout) -> Marks:
    """Read all marks of a sheet.

    flat : see `rectify_for_reading`. patches : see `rectify_bars`.
    """
    on_grid = _read_grid(flat, layout)
    pen = pen_of(flat, on_grid[CELL, Mark.CROSS], layout)
    of_bars = bar_logits(patches, pen, layout)
    least = least_of_rings(patches, pen, of_bars, layout)
    return Marks({**on_grid, **of_bars}).with_least(least)


def combine_passes(of_reader: Marks, fast: Marks, cell: float) -> Marks:
    """The weighted sum of the log-odds of the reader and of the fast pass, see `pass_weights`.

    Networks trained at different resolutions and on different samples make different errors.

    cell : as of `pass_weights`.
    """
    weights = pass_weights(cell)
    together = {
        key: weights[key][0] * array + weights[key][1] * fast[key]
        for key, array in of_reader.logits.items()
    }
    return Marks(together).with_least(fast.least)


def with_blank(marks: Marks, beside_blank: Marks) -> Marks:
    """The marks of both passes and, weighted, what patches tell beside the empty sheet.

    The networks of a sheet know how it is printed mostly. What is printed otherwise on this one,
    as thick dark lines or rings that look drawn, its empty sheet tells.
    """
    more = {key: marks[key] + by * beside_blank[key] for key, by in blank_weights().items()}
    return marks.with_logits(more).with_least(marks.least)


def with_mirrored_bars(
    marks: Marks, flat: Image, patches: NDArray[np.uint8], cell: float, layout: Layout
) -> Marks:
    """The marks of both passes and, weighted, how the bars look in a mirror.

    cell : as of `pass_weights`. Others as of `fast_marks`.
    """
    pen = pen_of(flat, marks[CELL, Mark.CROSS], layout)
    mirrored, weights = bar_logits(patches, pen, layout, LEFT_TO_RIGHT), pass_weights(cell)
    together = {
        key: FIRST_SHARE * marks[key] + MIRRORED_SHARE * weights[key][1] * array
        for key, array in mirrored.items()
    }
    return marks.with_logits(together).with_least(marks.least)


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
