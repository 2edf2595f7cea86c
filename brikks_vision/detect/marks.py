"""Reads the ink: log-odds of every mark that a sheet can bear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import outputs_of, run_network, sample
from brikks_vision.detect.placement import Image, Placement, Points, rectify
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import Layout

READER_PIXELS = 24  # per cell
READER_STRIDE = 8

Key = tuple[str, str]
"""A field of a layout, and a mark that can stand in it."""


@dataclass(frozen=True)
class Marks:
    """Log-odds (natural logarithm) of every mark, float64, by field and mark.

    The array of a key has the shape of its field. A ring tells nothing of a place that is also
    crossed out.
    """

    logits: Mapping[Key, NDArray[np.float64]]

    def __getitem__(self, key: Key) -> NDArray[np.float64]:
        return self.logits[key]

    def with_logits(self, changed: Mapping[Key, NDArray[np.float64]]) -> Marks:
        """The marks with other log-odds for some keys."""
        return Marks({**self.logits, **changed})


def mark_keys(layout: Layout) -> tuple[Key, ...]:
    """All that can be marked on a sheet, field by field."""
    return tuple((name, mark) for name, field in layout.fields.items() for mark in field.marks)


def mark_places(layout: Layout, network: str) -> Iterator[tuple[Key, Points, int, tuple[int, ...]]]:
    """For each key that a network tells: its places (N, 2) in cells, its output, its shape."""
    outputs = outputs_of(network)
    for name, mark in mark_keys(layout):
        if (name, mark) in outputs:
            field = layout.fields[name]
            yield (name, mark), np.array(field.centres), outputs[name, mark], field.shape


def mark_positions(layout: Layout, network: str) -> tuple[Points, NDArray[np.int64]]:
    """Where each mark that a network tells stands, (N, 2) in cells, and its output (N,)."""
    places = list(mark_places(layout, network))
    outputs = [np.full(len(points), output) for _, points, output, _ in places]
    return np.concatenate([points for _, points, _, _ in places]), np.concatenate(outputs)


def rectify_for_reading(image: Image, placement: Placement, layout: Layout) -> Image:
    """The sheet's reading area straightened at the reader's resolution."""
    return rectify(image, placement, layout.reading_area, READER_PIXELS)


def read_marks(flat: Image, layout: Layout) -> Marks:
    """One forward pass over the rectified sheet, sampled where each mark stands.

    ``flat`` : what `rectify_for_reading` returns.
    """
    area = layout.reading_area
    maps = run_network("reader", flat, draw_template(layout, area, READER_PIXELS))
    step = READER_PIXELS / READER_STRIDE
    logits = {}
    for key, points, output, shape in mark_places(layout, "reader"):
        x = (points[:, 0] - area.left) * step - 0.5
        y = (points[:, 1] - area.top) * step - 0.5
        logits[key] = sample(maps[output : output + 1], x, y)[0].reshape(shape)
    return Marks(logits)


def mean_marks(looks: Sequence[Marks]) -> Marks:
    """The mean log-odds of one look or more at one sheet."""
    return Marks({key: np.mean([look[key] for look in looks], axis=0) for key in looks[0].logits})
