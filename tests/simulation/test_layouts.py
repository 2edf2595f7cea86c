"""A layout of a game that nobody knows is drawn, marked and photographed by its data alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from brikks_vision.detect.placement import rectify
from brikks_vision.layout import Layout, load_layout, parse_layout
from simulation.camera import TIERS
from simulation.hand import Hand, plain_hand, random_hand
from simulation.handwriting import load_writers
from simulation.layouts import draw_marks, render_layout
from simulation.photos import take_photo
from simulation.strokes import Pen

PIXELS = 40  # px per cell
CROSSES, CIRCLE, FILLS = ("cell", "cross"), ("circle", "ring"), ("cell", "fill")
BLACK_PEN = Pen((30, 28, 28), 0.09, 0.95, 0.0, True, "gel", "black")

TOY = parse_layout(
    {
        "name": "toy",
        "game": "toy",
        "title": "Toy",
        "page": {"x": [-1, 4], "y": [-1.5, 5]},
        "reading_area": {"x": [-0.5, 3.5], "y": [-0.5, 4.5]},
        "grid": {"rows": 3, "columns": 3, "line_width": 0.06},
        "fields": {
            "cell": {"marks": ["cross", "fill"]},
            "circle": {
                "centres": [[1.5, 4]],
                "size": [0.7, 0.7],
                "marks": ["ring"],
                "drawn": [{"ring": 0.7}],
            },
        },
        "colors": {},
        "printed": {},
    }
)
GRID_CROSSES = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 1]], bool)


def plain_black_hand(seed: int) -> Hand:
    rng = np.random.default_rng(seed)
    hand = plain_hand(rng, random_hand(rng, load_writers(held_out=True)))
    return replace(hand, pen=BLACK_PEN, ring_size=1.2, looseness=0.03)


def ink_in_cells(flat: NDArray[np.uint8], blank: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The share of inked pixels in each cell of a toy, within its lines: (3, 3)."""
    changed = np.abs(flat.astype(int) - blank).max(axis=2) > 60
    cells = changed.reshape(3, PIXELS, 3, PIXELS)[:, 5:-5, :, 5:-5]
    return cells.mean(axis=(1, 3))


def grid_of(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The toy's grid in a picture of its page."""
    left, top = round(-TOY.page.left * PIXELS), round(-TOY.page.top * PIXELS)
    return picture[top : top + 3 * PIXELS, left : left + 3 * PIXELS]


def test_a_toy_is_printed_by_its_data_alone() -> None:
    blank = render_layout(TOY, np.random.default_rng(1), PIXELS)
    assert blank.image.shape == (round(6.5 * PIXELS), 5 * PIXELS, 3)
    paper = blank.image[2, 2].astype(int)
    points = {
        "line": (1.0, 0.5),
        "empty cell": (0.5, 0.5),
        "circle": (1.175, 4.0),
        "in it": (1.5, 4),
    }
    seen = {}
    for name, point in points.items():
        x, y = (round(o + PIXELS * at) for o, at in zip(blank.origin, point, strict=True))
        seen[name] = bool(np.abs(blank.image[y, x] - paper).max() > 60)
    assert seen == {"line": True, "empty cell": False, "circle": True, "in it": False}


@pytest.mark.parametrize("seed", range(4))
def test_marks_stand_where_they_are_given_and_nowhere_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    blank = render_layout(TOY, rng, PIXELS)
    marks = {CROSSES: GRID_CROSSES, CIRCLE: np.array([True])}
    sheet = draw_marks(blank, TOY, marks, plain_black_hand(seed), rng)
    share = ink_in_cells(grid_of(sheet.picture), grid_of(blank.image))
    assert share[GRID_CROSSES].min() > 0.04 > share[~GRID_CROSSES].max()
    below = slice(round((3.3 - TOY.page.top) * PIXELS), None)
    assert (np.abs(sheet.picture[below].astype(int) - blank.image[below]).max(axis=2) > 60).any()
    assert sheet.drawn[CROSSES].tolist() == GRID_CROSSES.tolist()
    assert sheet.drawn[CIRCLE].tolist() == [1]
    assert not sheet.drawn[FILLS].any()


@pytest.mark.parametrize("tier", sorted(TIERS))
def test_a_photo_of_a_toy_shows_its_marks(tier: str) -> None:
    marks = {CROSSES: GRID_CROSSES, CIRCLE: np.array([True])}
    rng = np.random.default_rng(5)
    blank = render_layout(TOY, rng, 36)
    sheet = draw_marks(blank, TOY, marks, plain_black_hand(5), rng)
    photo = take_photo(sheet.picture, blank, TOY.page, rng, tier, 900, TOY.marked_area)
    assert max(photo.image.shape) == 900
    flat = rectify(photo.image, photo.placement, TOY.grid.box, PIXELS).astype(float).min(axis=2)
    cells = flat.reshape(3, PIXELS, 3, PIXELS)[:, 6:-6, :, 6:-6]
    # strokes are darker than the paper around them, whatever the light
    spread = np.ptp(np.percentile(cells, [2, 50], axis=(1, 3)), axis=0)
    assert spread[GRID_CROSSES].min() > spread[~GRID_CROSSES].max()


def test_a_filled_cell_bears_more_ink_than_a_crossed_one() -> None:
    shares = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        blank = render_layout(TOY, rng, PIXELS)
        crossed, filled = np.zeros((3, 3), bool), np.zeros((3, 3), bool)
        crossed[0, 0] = filled[2, 2] = True
        marks = {CROSSES: crossed, FILLS: filled}
        sheet = draw_marks(blank, TOY, marks, plain_black_hand(seed), rng)
        share = ink_in_cells(grid_of(sheet.picture), grid_of(blank.image))
        assert share[0, 0] > 0.04
        shares.append((share[2, 2], share[0, 0]))
    of_filled, of_crossed = np.median(shares, axis=0)  # a hand may scribble loosely
    assert of_filled > 1.2 * of_crossed


def test_no_mark_is_drawn_that_the_layout_does_not_have() -> None:
    rng = np.random.default_rng(1)
    blank, hand = render_layout(TOY, rng, PIXELS), plain_black_hand(1)
    with pytest.raises(ValueError, match="no mark"):
        draw_marks(blank, TOY, {("cell", "ring"): GRID_CROSSES}, hand, rng)
    with pytest.raises(ValueError, match="shape"):
        draw_marks(blank, TOY, {CROSSES: GRID_CROSSES[:2]}, hand, rng)


@pytest.mark.parametrize("name", ["brikks", "brikks-light", "bloxx"])
def test_the_sheets_of_all_games_are_drawn_with_all_their_marks(name: str) -> None:
    layout: Layout = load_layout(name)
    rng = np.random.default_rng(2)
    blank = render_layout(layout, rng, 30)
    for field in layout.fields.values():
        for mark in field.marks:
            marks = {(field.name, mark): np.ones(field.shape, bool)}
            sheet = draw_marks(blank, layout, marks, plain_black_hand(2), rng)
            changed = np.abs(sheet.picture.astype(int) - blank.image).max(axis=2) > 30
            for x, y in field.centres:
                column, row = (
                    round(o + 30 * at) for o, at in zip(blank.origin, (x, y), strict=True)
                )
                around = changed[max(0, row - 20) : row + 20, max(0, column - 20) : column + 20]
                assert around.any(), (name, field.name, mark)
