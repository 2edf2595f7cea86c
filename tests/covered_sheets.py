"""What something on a sheet hides, and the ink of the rest."""

from __future__ import annotations

import numpy as np

from brikks_vision.detect.marks import Covered, Marks
from brikks_vision.layout import Layout


def covered_by(layout: Layout, at: tuple[float, float], size: tuple[float, float]) -> Covered:
    """The places under an ellipse. ``at``: its middle (x, y); ``size``: from there, in cells."""
    return {
        name: (((np.array(field.centres) - at) / size) ** 2).sum(axis=1).reshape(field.shape) < 1
        for name, field in {**layout.fields, **layout.figures}.items()
    }


def any_cover(layout: Layout, rng: np.random.Generator) -> Covered:
    """What something of any size hides, anywhere on the sheet."""
    area = layout.reading_area
    at = rng.uniform(area.left, area.right), rng.uniform(area.top, area.bottom)
    return covered_by(layout, at, tuple(rng.uniform(0.4, 3.5, 2)))


def seen_with_noise(marks: Marks, rng: np.random.Generator) -> Marks:
    """The same marks, each as clear as marks in photos are."""
    return Marks(
        {
            key: np.sign(logits) * rng.normal(8.0, 2.0, logits.shape)
            for key, logits in marks.logits.items()
        }
    )
