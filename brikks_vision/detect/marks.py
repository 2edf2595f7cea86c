"""Reads the ink: a probability for every mark that a sheet can bear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import run_network, sample
from brikks_vision.detect.placement import Image, Placement, Points, rectify
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import SheetDefinition

READER_PIXELS = 24  # per cell
READER_STRIDE = 8
CELL, EDGE, RING, STRIKE, BOX, BOMB = range(6)  # the reader's channels


@dataclass(frozen=True)
class Marks:
    """Log-odds (natural logarithm) of every mark, float64.

    cells : (rows, columns), crossed.
    vertical_edges : (rows, columns + 1), horizontal_edges : (rows + 1, columns), inked.
    rings : (points,), a ring drawn by hand, which tells nothing of a point that is crossed out.
    strikes : (points,), crossed out.
    boxes : (boxes,), crossed. bombs : (bombs,), crossed out.
    """

    cells: NDArray[np.float64]
    vertical_edges: NDArray[np.float64]
    horizontal_edges: NDArray[np.float64]
    rings: NDArray[np.float64]
    strikes: NDArray[np.float64]
    boxes: NDArray[np.float64]
    bombs: NDArray[np.float64]


def _mark_shapes(definition: SheetDefinition) -> list[tuple[int, tuple[int, ...]]]:
    """Channel and array shape of each field of `Marks`, in their order."""
    rows, columns = definition.grid.rows, definition.grid.columns
    points = len(definition.energy.centres)
    return [
        (CELL, (rows, columns)),
        (EDGE, (rows, columns + 1)),
        (EDGE, (rows + 1, columns)),
        (RING, (points,)),
        (STRIKE, (points,)),
        (BOX, (len(definition.bonus.centres),)),
        (BOMB, (len(definition.bombs.centres),)),
    ]


def _lattice_points(rows: int, columns: int, x: float, y: float) -> Points:
    return np.array([(column + x, row + y) for row in range(rows) for column in range(columns)])


def mark_positions(definition: SheetDefinition) -> tuple[Points, NDArray[np.int64]]:
    """Where each mark of `Marks` stands, (N, 2) in cells, field by field, and its channel (N,)."""
    rows, columns = definition.grid.rows, definition.grid.columns
    energy = np.asarray(definition.energy.centres)
    points = np.concatenate(
        [
            _lattice_points(rows, columns, 0.5, 0.5),
            _lattice_points(rows, columns + 1, 0.0, 0.5),
            _lattice_points(rows + 1, columns, 0.5, 0.0),
            energy,
            energy,
            np.asarray(definition.bonus.centres),
            np.asarray(definition.bombs.centres),
        ]
    )
    channels = [
        np.full(int(np.prod(shape)), channel) for channel, shape in _mark_shapes(definition)
    ]
    return points, np.concatenate(channels).astype(np.int64)


def rectify_for_reading(image: Image, placement: Placement, definition: SheetDefinition) -> Image:
    """The sheet's reading area straightened at the reader's resolution."""
    return rectify(image, placement, definition.reading_area, READER_PIXELS)


def read_marks(flat: Image, definition: SheetDefinition) -> Marks:
    """One forward pass over the rectified sheet, sampled where each mark stands.

    ``flat`` : what `rectify_for_reading` returns.
    """
    area = definition.reading_area
    maps = run_network("reader", flat, draw_template(definition.name, area, READER_PIXELS))
    points, channels = mark_positions(definition)
    step = READER_PIXELS / READER_STRIDE
    x = (points[:, 0] - area.left) * step - 0.5
    y = (points[:, 1] - area.top) * step - 0.5
    logits = sample(maps, x, y)[channels, np.arange(len(channels))]
    fields, first = [], 0
    for _, shape in _mark_shapes(definition):
        count = int(np.prod(shape))
        fields.append(logits[first : first + count].reshape(shape))
        first += count
    return Marks(*fields)


def mean_marks(looks: Sequence[Marks]) -> Marks:
    """The mean log-odds of one look or more at one sheet."""
    return Marks(
        **{
            name: np.mean([getattr(look, name) for look in looks], axis=0)
            for name in vars(looks[0])
        }
    )
