"""Blank sheets, backs and tables: any art, but every functional part in its place."""

import itertools
import random

import cv2
import numpy as np
import pytest

from brikks_vision.games.brikks.reading import CELLS
from brikks_vision.layout import Layout, Point, load_layout
from brikks_vision.rules.brikks.referee import referee
from simulation.brikks.art import render_blank, render_overview
from simulation.brikks.photos import random_shot
from simulation.paper import fonts
from simulation.paper.blank import BlankSheet
from simulation.paper.wear import photocopied, worn

SEEDS = range(24)


@pytest.fixture(scope="module")
def definition() -> Layout:
    return load_layout("brikks-light")


@pytest.fixture(scope="module")
def sheets(definition: Layout) -> list[BlankSheet]:
    return [render_blank(definition, np.random.default_rng(seed)) for seed in SEEDS]


def _color_at(sheet: BlankSheet, point: Point) -> np.ndarray:
    column, row = (
        round(start + along * sheet.pixels_per_cell)
        for start, along in zip(sheet.origin, point, strict=True)
    )
    return sheet.image[row, column].astype(int)


def _difference(sheet: BlankSheet, first: Point, second: Point) -> int:
    return int(np.abs(_color_at(sheet, first) - _color_at(sheet, second)).max())


@pytest.mark.parametrize("pixels_per_cell", [14, 27, 60])
def test_any_scale_gives_the_page_its_size_and_the_grid_its_corner(
    definition: Layout, pixels_per_cell: int
) -> None:
    sheet, page = (
        render_blank(definition, np.random.default_rng(3), pixels_per_cell),
        definition.page,
    )
    size = round(page.height * pixels_per_cell), round(page.width * pixels_per_cell)
    assert (sheet.image.dtype, sheet.image.shape) == (np.uint8, (*size, 3))
    assert sheet.origin == pytest.approx(
        (-definition.page.left * pixels_per_cell, -definition.page.top * pixels_per_cell)
    )


def test_the_grids_lines_are_seen_at_whole_cells(
    definition: Layout, sheets: list[BlankSheet]
) -> None:
    for sheet in sheets:
        for row in range(definition.grid.rows):
            seen = [
                max(
                    _difference(sheet, (column + off, row + 0.3), (column + 0.3, row + 0.3))
                    for off in (-0.03, 0.0, 0.03)
                )
                for column in range(1, definition.grid.columns)
            ]
            assert np.median(seen) > 12, (sheet.family, row)


def test_every_energy_point_is_seen(definition: Layout, sheets: list[BlankSheet]) -> None:
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    for sheet in sheets:
        for x, y in definition.fields["energy"].centres:
            rings = [
                np.median(
                    [_color_at(sheet, (x + r * np.cos(t), y + r * np.sin(t))) for t in turns], 0
                )
                for r in np.linspace(0.1, 0.45, 12)
            ]
            assert np.ptp(rings, axis=0).max() > 8


def test_markers_are_found_where_they_are_printed(definition: Layout) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(
        getattr(cv2.aruco, definition.markers.dictionary)
    )
    detector = cv2.aruco.ArucoDetector(dictionary)
    drawn = (render_blank(definition, np.random.default_rng(seed), 25) for seed in range(24, 99))
    marked = (sheet for sheet in drawn if sheet.markers and sheet.family == "light")
    for sheet in itertools.islice(marked, 4):
        corners, ids, _ = detector.detectMarkers(sheet.image)
        found = dict(zip(np.ravel(ids).tolist(), corners, strict=True))
        first = min(found) // 4 * 4
        for index, centre in enumerate(definition.markers.centres):
            middle = found[first + index].reshape(4, 2).mean(0)
            place = (middle - sheet.origin) / sheet.pixels_per_cell
            assert np.abs(place - centre).max() < 0.05


def test_the_same_seed_draws_the_same_sheet_and_another_seed_another(
    definition: Layout, sheets: list[BlankSheet]
) -> None:
    again = render_blank(definition, np.random.default_rng(SEEDS[0]))
    assert np.array_equal(again.image, sheets[0].image)
    assert not np.array_equal(sheets[0].image, sheets[1].image)


def test_all_families_are_drawn(definition: Layout) -> None:
    families = {
        render_blank(definition, np.random.default_rng(seed), 8).family for seed in range(80)
    }
    assert families == {"arcade", "light", "photocopy", "worn"}


def test_sheets_are_drawn_where_no_fonts_exist(
    definition: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "font_files", lambda: ())
    sheet = render_blank(definition, np.random.default_rng(5), 20)
    number = definition.fields["box"].centres[-1]
    part = [_color_at(sheet, (number[0] + x, number[1])) for x in np.linspace(-0.2, 0.2, 9)]
    assert np.ptp(part, axis=0).max() > 40


def test_a_photocopy_is_grey_and_a_worn_sheet_keeps_its_size(sheets: list[BlankSheet]) -> None:
    rng = np.random.default_rng(2)
    copy = photocopied(sheets[0].image, rng)
    assert copy.shape == worn(sheets[0].image, rng).shape == sheets[0].image.shape
    assert np.ptp(copy.astype(int), axis=2).max() < 40


def test_the_back_shows_blocks_in_each_column(definition: Layout) -> None:
    for seed in range(8):
        back = render_overview(definition, np.random.default_rng(seed))
        height, width = back.shape[:2]
        assert (height, width) == (
            round(definition.page.height * 30),
            round(definition.page.width * 30),
        )
        middle = back[height // 4 : height * 3 // 4]
        for part in np.array_split(middle, 4, axis=1):
            assert part.std(axis=(0, 1)).max() > 5


# --- the simulator tells the truth about its own photos -------------------------------------------


LAYOUT = load_layout("brikks-light")


@pytest.mark.parametrize("seed", range(3))
def test_a_shot_bears_what_its_game_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shot = random_shot(LAYOUT, rng, random.Random(seed), "good", 700, held_out=True)
    state, drawn = shot.played.state, shot.drawn
    certain = drawn[CELLS] != 0.5
    crossed = np.zeros(drawn[CELLS].shape, bool)
    for cell in state.crossed:
        crossed[cell] = True
    assert ((drawn[CELLS] == 1) == crossed)[certain].all()
    assert referee(state).is_legal
    assert max(shot.image.shape) == 700
