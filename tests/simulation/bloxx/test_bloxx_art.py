"""Blank sheets: any art, but every functional part in its place and to be seen."""

import numpy as np
import pytest

from brikks_vision.layout import Box, Layout, load_layout
from simulation.bloxx.art import render_blank, sheet_of
from simulation.bloxx.layouts import random_layout
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
