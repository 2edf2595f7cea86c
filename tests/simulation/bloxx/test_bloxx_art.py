"""Blank sheets: any art, but every functional part in its place and to be seen."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from brikks_vision.layout import Box, Layout, load_layout, parse_layout
from brikks_vision.rules.bloxx.referee import referee
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState, Written
from brikks_vision.rules.shapes import bottom_up
from simulation.bloxx.art import render_blank, sheet_of
from simulation.bloxx.layouts import AREA_UNIT, HUES, random_layout, random_printing
from simulation.bloxx.looks import FAMILIES, MIN_LUMINANCE, legible_font, random_look
from simulation.paper.blank import BlankSheet
from simulation.paper.colors import color_distance, luminance
from simulation.paper.fonts import text_mask


def part(blank: BlankSheet, box: Box) -> np.ndarray:
    """The pixels of a box of the sheet frame."""
    (x, y), scale = blank.origin, blank.pixels_per_cell
    rows = slice(round(y + box.top * scale), round(y + box.bottom * scale))
    columns = slice(round(x + box.left * scale), round(x + box.right * scale))
    return blank.image[rows, columns].astype(float)


@pytest.fixture(scope="module")
def sheets() -> list[tuple[Layout, BlankSheet]]:
    found = []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        layout = random_layout(rng)
        found.append((layout, render_blank(layout, rng)))
    return found


def test_the_page_has_the_layouts_size(sheets):
    for layout, blank in sheets:
        page, scale = layout.page, blank.pixels_per_cell
        assert blank.image.shape == (round(page.height * scale), round(page.width * scale), 3)
        assert blank.origin == pytest.approx((-page.left * scale, -page.top * scale))


def test_numbers_are_printed_in_their_cells_and_nothing_in_the_others(sheets):
    for layout, blank in sheets:
        if blank.family in ("photocopy", "worn"):  # dirt and creases lie anywhere
            continue
        numbered = {number.cell for number in sheet_of(layout).numbers}
        colored = {row.row for row in sheet_of(layout).colored_rows}
        spread: dict[bool, list[float]] = {True: [], False: []}
        for row, column in layout.grid.cells:
            if row not in colored:
                inside = part(blank, Box(column + 0.2, row + 0.2, column + 0.8, row + 0.8))
                spread[(row, column) in numbered].append(float(inside.std(axis=(0, 1)).max()))
        assert np.median(spread[True]) > 1.5 * np.median(spread[False])


def test_a_colored_row_differs_from_the_others():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        layout = random_layout(rng)
        look = random_look(rng, layout)
        for color in look.rows.values():
            assert luminance(color) >= MIN_LUMINANCE - 2
        differing = [color_distance(color, look.ground) > 20 for color in look.rows.values()]
        assert np.mean(differing) > 0.7


def test_art_is_of_all_families():
    families = {
        random_look(np.random.default_rng(seed), load_layout("bloxx")).family for seed in range(80)
    }
    assert families == set(FAMILIES)


def test_fonts_tell_figures_apart():
    for seed in range(30):
        font = legible_font(np.random.default_rng(seed))
        masks = [text_mask(sign, font, 40) for sign in "234"]
        assert len({mask.tobytes() for mask in masks}) == 3


def test_a_seed_gives_the_same_sheet_again():
    layout = load_layout("bloxx")
    one, other = (render_blank(layout, np.random.default_rng(9), 24) for _ in range(2))
    assert (one.image == other.image).all()


# --- random printings -----------------------------------------------------------------------------


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


# --- the truth beside the photos of tests/fixtures/bloxx is what the rules say of it --------------


FOLDER = Path(__file__).parents[2] / "fixtures" / "bloxx"
TRUTHS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))}


def told_state(truth: dict) -> SheetState:
    """The sheet that a truth file tells."""
    layout = parse_layout(truth["layout"]) if "layout" in truth else load_layout("bloxx")
    sheet = sheet_of(layout)

    def mark(told: dict, bonus: int) -> BonusMark:
        if bonus == told["circled"]:
            return BonusMark.CIRCLED
        return BonusMark.STRUCK if bonus in told["struck"] else BonusMark.OPEN

    return SheetState(
        sheet,
        tuple(tuple(Mark(sign) for sign in row) for row in truth["grid"]),
        bottom_up(frozenset(map(tuple, shape["cells"])) for shape in truth["shapes"]),
        tuple(
            tuple(mark(told, bonus) for bonus in row.bonuses)
            for row, told in zip(sheet.colored_rows, truth["row_bonus"], strict=True)
        ),
    )


def test_every_photo_has_its_truth():
    assert {path.name for path in FOLDER.glob("*.jpg")} == {*TRUTHS}


@pytest.mark.parametrize("name", TRUTHS)
def test_the_rules_say_the_same(name):
    truth = TRUTHS[name]
    verdict = referee(told_state(truth), Written(**truth["written"]))
    assert [str(violation.rule) for violation in verdict.violations] == truth["violations"]
    for part, points in truth["score"].items():
        assert getattr(verdict.score, part) == points
    if name.startswith("fault-"):
        assert truth["violations"] == [name.removeprefix("fault-").removesuffix(".jpg")]
    else:
        assert truth["violations"] == []
