"""The fast pass over the bars: the same patches as the full pass has, coarser."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.fast import bar_view_templates, bar_views
from brikks_vision.layout import load_layout
from training.augment import coarsened, photographed_otherwise
from training.photos import Arrays
from training.tasks.bars import bars_input
from training.tasks.marks import BAR_KINDS, labels_of
from training.tasks.task import Batch


def fast_bars_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    layout = load_layout("brikks-light")
    flats = coarsened(arrays, chosen, rng, training)
    pens = arrays["pen"][chosen]
    sheets = [(bar_views(flat, layout), pen) for flat, pen in zip(flats, pens, strict=True)]
    if training:
        sheets = [photographed_otherwise(patches, pen, rng) for patches, pen in sheets]
    template = bar_view_templates(layout)
    return bars_input(sheets, template, labels_of(arrays, chosen, BAR_KINDS), rng, training)
