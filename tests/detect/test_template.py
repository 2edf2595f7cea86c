"""The drawn print stands where rectified sheets have theirs."""

from __future__ import annotations

import numpy as np

from brikks_vision.detect.marks import PATCH_SIDE, bar_centres, bar_templates
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import load_layout
from tests.known_sheets import mark_centres

SHEET = load_layout("brikks")
AREA = SHEET.reading_area


def test_the_template_is_drawn_where_rectified_sheets_have_their_print() -> None:
    definition = load_layout("brikks")
    template = draw_template(definition, AREA, 24)
    for column in range(definition.grid.columns + 1):
        at = round((column - AREA.left) * 24 - 0.5)
        row = round((0.5 - AREA.top) * 24)
        assert template[row, at - 1 : at + 2, 0].max() > 100
    assert len(mark_centres(definition)) == 110 + 241 + 2 * 28 + 15 + 3


def test_the_print_of_a_bar_stands_in_the_middle_of_its_patches() -> None:
    definition = load_layout("brikks")
    templates = bar_templates(definition)
    assert templates.shape == (len(bar_centres(definition)), PATCH_SIDE, PATCH_SIDE)
    radius = definition.fields["energy"].radius * 36
    y, x = np.indices((PATCH_SIDE, PATCH_SIDE)) - (PATCH_SIDE - 1) / 2
    on_the_ring = np.abs(np.hypot(x, y) - radius) < 0.7
    for template in templates[: len(definition.fields["energy"].centres)]:
        assert template[on_the_ring].min() > 60
