"""Reads the log-odds of all marks from the rectified sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.fusion import PHOTOS, SAME_PHOTO, Shared, added
from brikks_vision.detect.networks import outputs_of, run_network, sample
from brikks_vision.detect.placement import Image, Placement, Points, rectify
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import Layout

# The network was trained at this resolution and stride.
READER_PIXELS = 24  # px per cell
READER_STRIDE = 8  # px per output

Key = tuple[str, str]
"""A field of a layout and a mark that can stand in it."""

NO_SHARED: Mapping[Key, Shared] = {}

Covered = Mapping[str, NDArray[np.bool_]]
"""By field of a layout (of figures, too), in its shape: True where something hides the place.

Of a field that is missing nothing is hidden.
"""


@dataclass(frozen=True)
class Marks:
    """Log-odds (natural logarithm) of all marks, float64, by field and mark.

    Each array has the shape of its field. The log-odds of a ring are meaningless in a place that is
    crossed. covered: the places that something hides; their log-odds are 0, see `with_covered`.
    cancelled: those whose mark the player has cancelled; their log-odds are 0, too. least: of keys
    whose marks might not show, the least log-odds of each place, see `with_least`.
    """

    logits: Mapping[Key, NDArray[np.float64]]
    covered: Covered = field(default_factory=dict)
    least: Mapping[Key, NDArray[np.float64]] = field(default_factory=dict)
    cancelled: Covered = field(default_factory=dict)

    def __getitem__(self, key: Key) -> NDArray[np.float64]:
        return self.logits[key]

    def hidden(self, name: str, shape: tuple[int, ...]) -> NDArray[np.bool_]:
        """The covered places of a field of that shape."""
        return self.covered.get(name, np.zeros(shape, np.bool_))

    def with_logits(self, changed: Mapping[Key, NDArray[np.float64]]) -> Marks:
        """The marks with the log-odds of some keys replaced; what tells nothing stays at 0."""
        marks = replace(self, logits={**self.logits, **changed})
        return marks.with_covered(self.covered).with_cancelled(self.cancelled)

    def with_covered(self, covered: Covered) -> Marks:
        """The marks with exactly these places hidden; their log-odds become 0."""
        hidden = {name: places for name, places in covered.items() if places.any()}
        if not hidden and not self.covered:
            return self
        return replace(self, logits=self._without(hidden), covered=hidden)

    def with_cancelled(self, cancelled: Covered) -> Marks:
        """The marks with exactly these places cancelled; their log-odds become 0."""
        struck = {name: places for name, places in cancelled.items() if places.any()}
        if not struck and not self.cancelled:
            return self
        return replace(self, logits=self._without(struck), cancelled=struck)

    def _without(self, places: Covered) -> Mapping[Key, NDArray[np.float64]]:
        """The log-odds with 0 at these places."""
        return {
            (name, mark): np.where(places[name], 0.0, array) if name in places else array
            for (name, mark), array in self.logits.items()
        }

    def with_least(self, least: Mapping[Key, NDArray[np.float64]]) -> Marks:
        """The marks where that a mark is not seen tells no more against it than this.

        Further passes over the same photo keep it. least: log-odds, 0 or less.
        """
        raised = {key: np.maximum(self.logits[key], lowest) for key, lowest in least.items()}
        return replace(self, logits={**self.logits, **raised}, least=least)


def mark_keys(layout: Layout) -> tuple[Key, ...]:
    """All fields and marks of a layout, field by field."""
    return tuple((name, mark) for name, field in layout.fields.items() for mark in field.marks)


def mark_places(layout: Layout, network: str) -> Iterator[tuple[Key, Points, int, tuple[int, ...]]]:
    """For each key that a network reads: centres (N, 2) in cells, output, shape of the field."""
    outputs = outputs_of(network)
    for name, mark in mark_keys(layout):
        if (name, mark) in outputs:
            field = layout.fields[name]
            yield (name, mark), np.array(field.centres), outputs[name, mark], field.shape


def rectify_for_reading(image: Image, placement: Placement, layout: Layout) -> Image:
    """The reading area, rectified at the reader's resolution: uint8 BGR."""
    return rectify(image, placement, layout.reading_area, READER_PIXELS)


def read_marks(flat: Image, layout: Layout) -> Marks:
    """One forward pass over the rectified sheet, sampled at the centre of each mark.

    ``flat`` : see `rectify_for_reading`.
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


def mean_marks(passes: Sequence[Marks]) -> Marks:
    """The mean log-odds of one or more passes over the same sheet.

    A place that is covered in one of them counts as covered.
    """
    means = {key: added([each[key] for each in passes], SAME_PHOTO) for key in passes[0].logits}
    covered = reduce(either_covered, [each.covered for each in passes])
    cancelled = reduce(either_covered, [each.cancelled for each in passes])
    return Marks(means).with_covered(covered).with_cancelled(cancelled)


def added_marks(photos: Sequence[Marks], shared: Mapping[Key, Shared] = NO_SHARED) -> Marks:
    """What one or more photos of the same sheet in the same state tell together.

    A place is covered, or cancelled, if it is so in all of them. shared: see `added`; `PHOTOS`
    where nothing is said.
    """
    together = {}
    for key in photos[0].logits:
        logs = [each[key] for each in photos]
        shown = [~each.hidden(key[0], log.shape) for each, log in zip(photos, logs, strict=True)]
        together[key] = added(logs, shared.get(key, PHOTOS), shown)
    covered, cancelled = (
        {
            name: np.logical_and.reduce([each.get(name, np.zeros_like(places)) for each in some])
            for name, places in some[0].items()
        }
        for some in ([each.covered for each in photos], [each.cancelled for each in photos])
    )
    return Marks(together).with_covered(covered).with_cancelled(cancelled)


def either_covered(some: Covered, more: Covered) -> Covered:
    """The places that one or the other has."""
    return {
        **some,
        **{name: some[name] | places if name in some else places for name, places in more.items()},
    }
