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

from brikks_vision.detect.bars import (
    BOMB,
    BOX,
    RING,
    STRIKE,
    bar_centres,
    bar_counts,
    patch_logits,
)
from brikks_vision.detect.marks import EDGE, READER_PIXELS, Marks, mark_positions
from brikks_vision.detect.networks import run_network
from brikks_vision.detect.pen import pen_of
from brikks_vision.detect.placement import Image, Points
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import Box, SheetDefinition, load_sheet

GLANCE_PIXELS = 16  # per cell
GLANCE_STRIDE = 8  # px: two outputs a cell, on its middle and on its edges' middles
BESIDE_GRID = 1.25  # cells around the grid that are looked at; so an output falls on each node
GLANCE_SIDE = 32  # px of a bar's patch, at the reader's resolution
# of the log-odds of a close look and of a glance: by the log loss of samples, and of photos of two
# other renderers, on which either alone is too modest about cells
WEIGHTS = {
    "cells": (0.4, 0.8), "vertical_edges": (0.2, 0.8), "horizontal_edges": (0.2, 0.8),
    "rings": (0.9, 0.1), "strikes": (0.9, 0.2), "boxes": (0.9, 0.1), "bombs": (0.9, 0.1),
}  # fmt: skip


def glance_marks(flat: Image, definition: SheetDefinition) -> Marks:
    """The marks of a sheet. ``flat`` : what `rectify_for_reading` returns."""
    cells, vertical_edges, horizontal_edges = _read_grid(flat, definition)
    pen = pen_of(flat, cells, definition)
    views, template = bar_views(flat, definition), bar_view_templates(definition.name)
    of_bars = patch_logits("glance_bars", views, template, pen, definition)
    energy, boxes, bombs = np.split(of_bars, np.cumsum(bar_counts(definition))[:-1])
    return Marks(
        cells,
        vertical_edges,
        horizontal_edges,
        rings=energy[:, RING],
        strikes=energy[:, STRIKE],
        boxes=boxes[:, BOX],
        bombs=bombs[:, BOMB],
    )


def with_glance(marks: Marks, glance: Marks) -> Marks:
    """The marks of a close look together with a glance's, as `WEIGHTS` says.

    Networks that were trained on other resolutions and by other draws are wrong in other places.
    """
    fields = {
        name: of_close * getattr(marks, name) + of_glance * getattr(glance, name)
        for name, (of_close, of_glance) in WEIGHTS.items()
    }
    return Marks(**fields)


def _read_grid(
    flat: Image, definition: SheetDefinition
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Log-odds of cells and of vertical and horizontal edges, shaped as `Marks` says."""
    area, grid = glance_area(definition), definition.grid
    template = draw_template(definition.name, area, GLANCE_PIXELS)
    maps = run_network("glance", grid_view(flat, definition), template)
    points, channels = mark_positions(definition)
    channels = channels[channels <= EDGE]
    rows, columns = glance_places(points[: len(channels)], area).T
    logits = maps[channels, rows, columns].astype(np.float64)
    cells, sides = grid.rows * grid.columns, grid.rows * (grid.columns + 1)
    of_cells, vertical, horizontal = np.split(logits, [cells, cells + sides])
    return (
        of_cells.reshape(grid.rows, grid.columns),
        vertical.reshape(grid.rows, grid.columns + 1),
        horizontal.reshape(grid.rows + 1, grid.columns),
    )


def glance_area(definition: SheetDefinition) -> Box:
    """The grid and what is beside it, in cells."""
    box = definition.grid.box
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


def grid_view(flat: Image, definition: SheetDefinition) -> Image:
    """The grid at `GLANCE_PIXELS`, from what `rectify_for_reading` returns."""
    area, whole = glance_area(definition), definition.reading_area
    left = round((area.left - whole.left) * READER_PIXELS)
    top = round((area.top - whole.top) * READER_PIXELS)
    width, height = round(area.width * READER_PIXELS), round(area.height * READER_PIXELS)
    size = round(area.width * GLANCE_PIXELS), round(area.height * GLANCE_PIXELS)
    part = flat[top : top + height, left : left + width]
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)


def bar_views(flat: Image, definition: SheetDefinition) -> NDArray[np.uint8]:
    """The patches of a sheet's bars in what `rectify_for_reading` returns, to whole pixels.

    Returns (P, GLANCE_SIDE, GLANCE_SIDE, channels), in the order of `bar_centres`.
    """
    area = definition.reading_area
    corners = (bar_centres(definition) - (area.left, area.top)) * READER_PIXELS - GLANCE_SIDE / 2
    windows = np.lib.stride_tricks.sliding_window_view(flat, (GLANCE_SIDE, GLANCE_SIDE), (0, 1))
    columns, rows = np.round(corners).astype(int).T
    return np.ascontiguousarray(windows[rows, columns].transpose(0, 2, 3, 1))


@cache
def bar_view_templates(sheet: str) -> NDArray[np.uint8]:
    """What is printed in each of `bar_views`, uint8 (P, GLANCE_SIDE, GLANCE_SIDE, 1)."""
    definition = load_sheet(sheet)
    template = draw_template(sheet, definition.reading_area, READER_PIXELS)
    return bar_views(np.ascontiguousarray(template[..., 1:]), definition)
