"""Print: solid things stay where they belong, lit from one side; and letters."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from simulation.paper import fonts
from simulation.paper.canvas import Canvas
from simulation.paper.fonts import random_font
from simulation.paper.relief import (
    ball_style,
    embossed_point,
    like_a_photograph,
    lit_bomb,
    point_relief,
    shaded_disc,
)
from simulation.paper.wear import coarsely_printed, faded, screened

CELL = 40.0  # px
PAPER = 215  # grey level


def paper() -> Canvas:
    return Canvas(np.full((160, 160, 3), PAPER, np.uint8), (80.0, 80.0), CELL)


def changed(canvas: Canvas) -> np.ndarray:
    """How far from the middle each pixel that was drawn on is, in cells."""
    rows, columns = np.nonzero((canvas.image != PAPER).any(axis=2))
    return np.asarray(np.hypot(rows - 80, columns - 80) / CELL)


@pytest.mark.parametrize("light", [-2.0, -0.5, 1.0])
def test_a_disc_is_brighter_towards_the_light(light: float) -> None:
    canvas = paper()
    shaded_disc(canvas, (0.0, 0.0), 1.0, ((240, 240, 240), (20, 20, 20)), light, 0.5)
    aside = 0.7 * CELL * np.array([math.cos(light), math.sin(light)])
    lit, dark = (canvas.image[round(80 + s * aside[1]), round(80 + s * aside[0])] for s in (1, -1))
    assert lit.mean() > dark.mean() + 60
    assert changed(canvas).max() < 1.05


@pytest.mark.parametrize("seed", range(12))
def test_an_embossed_point_keeps_to_its_place_and_its_rim_is_dark_on_one_side(seed: int) -> None:
    canvas = paper()
    relief = replace(point_relief(np.random.default_rng(seed), (60, 60, 60)), gleam=0.0)
    embossed_point(canvas, (0.0, 0.0), 0.5, (230, 230, 230), relief)
    assert changed(canvas).max() < 0.9
    rim = 0.5 * CELL * np.array([math.cos(relief.light), math.sin(relief.light)])
    lit, dark = (canvas.image[round(80 + s * rim[1]), round(80 + s * rim[0])] for s in (1, -1))
    assert dark.mean() < lit.mean()


@pytest.mark.parametrize("seed", range(12))
def test_a_lit_bomb_stays_near_its_place_and_bears_its_figure(seed: int) -> None:
    rng = np.random.default_rng(seed)
    style, font = ball_style(rng, (PAPER,) * 3, 0.5), random_font(rng)
    bare, numbered = paper(), paper()
    lit_bomb(bare, (0.0, 0.0), 0.5, " ", font, style)
    lit_bomb(numbered, (0.0, 0.0), 0.5, "4", font, style)
    assert changed(numbered).max() < 1.6
    figure = np.abs(numbered.image.astype(int) - bare.image).max(axis=2)
    rows, columns = np.nonzero(figure > 20)
    assert len(rows) > 20
    assert np.hypot(rows.mean() - 80, columns.mean() - 80) < 0.15 * CELL


def test_wear_keeps_the_size_and_bleaching_makes_print_lighter() -> None:
    rng = np.random.default_rng(3)
    picture = like_a_photograph(rng, 90, 70)
    assert picture.shape == (90, 70, 3) and picture.std() > 5
    for changed_picture in (coarsely_printed(picture, 40, rng), screened(picture, 40, rng)):
        assert changed_picture.shape == picture.shape
        soft = (cv2.GaussianBlur(each, (0, 0), 6) for each in (changed_picture, picture))
        assert np.corrcoef(*(each.ravel() for each in soft))[0, 1] > 0.9
    lighter = faded(np.minimum(picture, 200).astype(np.uint8), rng)
    assert (lighter.mean(axis=(0, 1)) > np.minimum(picture, 200).mean(axis=(0, 1)) - 12).all()
    assert lighter.mean() > np.minimum(picture, 200).mean()


# --- letters that do not depend on the machine more than they must --------------------------------


def test_fonts_do_not_change_what_else_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    with_fonts, without = np.random.default_rng(1), np.random.default_rng(1)
    fonts.random_font(with_fonts)
    monkeypatch.setattr(fonts, "font_files", lambda: ())
    fonts.random_font(without)
    assert with_fonts.random() == without.random()
