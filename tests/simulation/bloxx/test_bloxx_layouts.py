"""Random printings: whole, varied, and nothing stands on anything else."""

import json
from itertools import combinations

import numpy as np
import pytest

from brikks_vision.layout import Box, Layout, parse_layout
from simulation.bloxx.art import sheet_of
from simulation.bloxx.layouts import AREA_UNIT, HUES, random_layout, random_printing

LAYOUTS = [random_layout(np.random.default_rng(seed)) for seed in range(120)]


def boxes_of(layout: Layout) -> list[Box]:
    fields = [layout.fields["bonus"], *layout.figures.values()]
    return [
        Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for field in fields
        for (x, y), (width, height) in ((centre, field.size) for centre in field.centres)
    ]


def overlap(one: Box, other: Box) -> bool:
    slack = 1e-4
    return (
        one.left < other.right - slack
        and other.left < one.right - slack
        and one.top < other.bottom - slack
        and other.top < one.bottom - slack
    )


def test_nothing_stands_on_anything_else():
    for layout in LAYOUTS:
        boxes = [layout.grid.box, *boxes_of(layout)]
        assert not any(overlap(one, other) for one, other in combinations(boxes, 2))


def test_all_that_is_marked_lies_on_the_page_and_in_the_area_that_is_read():
    for layout in LAYOUTS:
        marked = layout.marked_area
        for around in (layout.page, layout.reading_area):
            assert around.left < marked.left and around.right > marked.right
            assert around.top < marked.top and around.bottom > marked.bottom
        for side in (layout.reading_area.width, layout.reading_area.height):
            assert side / AREA_UNIT == pytest.approx(round(side / AREA_UNIT))


def test_places_and_prints_say_what_the_rules_read():
    for layout in LAYOUTS:
        sheet = sheet_of(layout)
        assert len(layout.fields["bonus"].centres) == 2 * len(sheet.colored_rows)
        assert {row.color for row in sheet.colored_rows} == set(layout.colors) <= set(HUES)
        prints = layout.fields["cell"].prints
        numbered = {cell for cell, kind in zip(layout.grid.cells, prints, strict=True) if kind}
        assert numbered == {number.cell for number in sheet.numbers}
        assert {number.value for number in sheet.numbers} <= {2, 3, 4}


def test_printings_are_of_all_kinds():
    sheets = [sheet_of(layout) for layout in LAYOUTS]
    usual = [sheet for sheet in sheets if (sheet.rows, sheet.columns) == (10, 7)]
    assert 0.6 < len(usual) / len(sheets) < 0.9
    assert {len(sheet.colored_rows) for sheet in sheets} == {3, 4, 5}
    assert {color for layout in LAYOUTS for color in layout.colors} == set(HUES)
    assert any(sheet.dice for sheet in sheets) and not all(sheet.dice for sheet in sheets)
    beside = [max(x for x, _ in layout.fields["bonus"].centres) for layout in LAYOUTS]
    assert any(x > layout.grid.columns for x, layout in zip(beside, LAYOUTS, strict=True))


def test_a_printing_is_json_and_a_seed_gives_the_same_again():
    one, other = (random_printing(np.random.default_rng(5)) for _ in range(2))
    assert json.loads(json.dumps(one)) == one == other
    assert parse_layout(one).printed == one["printed"]
