"""Drawn ink lies where the pen went, as wide and as dark as the pen is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.strokes import FINER, Density, Pen, draw_stroke, inked, print_ink, random_pen

BLACK = Pen((20, 20, 20), 0.1, 1.0, 0.0, multiplies=True, kind="gel")
SIDE = 60  # px


def paper() -> Density:
    return np.zeros((SIDE, SIDE), np.float32)


def drawn(ends: list[tuple[float, float]], width: float, seed: int = 1) -> Density:
    density = paper()
    draw_stroke(density, np.array(ends), width, 1.0, BLACK, np.random.default_rng(seed))
    return density


@given(st.floats(0.3, 9.0), st.floats(10.2, 49.8))
def test_strokes_are_as_wide_as_their_pen_and_run_where_it_went(width: float, y: float) -> None:
    across = np.mean([drawn([(5, y), (55, y)], width, seed)[:, 30] for seed in range(12)], axis=0)
    assert across.sum() == pytest.approx(width, abs=0.3)
    # a thin line lies in one pixel, and is drawn at whole pixels of the finer raster
    off = 0.5 + 0.5 / FINER
    assert (across * np.arange(SIDE)).sum() / across.sum() == pytest.approx(y, abs=off)


def test_more_ink_lies_where_strokes_cross() -> None:
    density = drawn([(5, 30), (55, 30)], 4)
    alone = density[30, 20]
    draw_stroke(
        density, np.array([(30.0, 5.0), (30.0, 55.0)]), 4, 1.0, BLACK, np.random.default_rng(2)
    )
    assert density[30, 20] == alone
    assert density[30, 30] > 1.2 * alone


def test_a_stroke_beyond_the_paper_is_cut() -> None:
    density = drawn([(-20, 30), (90, 30)], 4)
    assert density[30].min() > 0.9
    assert not drawn([(-20, -9), (90, -9)], 4).any()


def test_transparent_ink_darkens_print_and_opaque_ink_covers_it() -> None:
    black, white = np.zeros((1, 3), np.float32), np.full((1, 3), 255, np.float32)
    blue = replace(BLACK, color=(200, 60, 20))
    full = np.ones((1, 1), np.float32)
    assert inked(black, full, blue).max() == 0
    cover = inked(black, full, replace(blue, multiplies=False))
    assert cover.tolist() == [[200, 60, 20]]
    seen = inked(white, full, blue)[0]
    assert seen[0] > 150 and seen[2] < 50
    assert (inked(white, full * 0.5, blue)[0] > seen).all()


def test_only_what_bears_ink_changes() -> None:
    blank = np.full((SIDE, SIDE, 3), 230, np.uint8)
    sheet = print_ink(blank, drawn([(10, 30), (50, 30)], 3), BLACK, 30, np.random.default_rng(3))
    assert (sheet[:20] == 230).all() and (sheet[40:] == 230).all()
    assert sheet[30, 15:45].max() < 80
    untouched = print_ink(blank, paper(), BLACK, 30, np.random.default_rng(3))
    assert (untouched == blank).all()


def test_pens_are_of_many_kinds_and_colours_and_some_are_pale() -> None:
    pens = [random_pen(np.random.default_rng(seed)) for seed in range(300)]
    assert {pen.kind for pen in pens} == {"ball", "gel", "felt", "pencil"}
    names = [pen.color_name for pen in pens]
    assert {"black", "blue", "magenta", "green"} <= set(names)
    assert names.count("black") + names.count("blue") > len(pens) / 3
    assert min(pen.opacity for pen in pens) < 0.55 and min(pen.width for pen in pens) < 0.04
