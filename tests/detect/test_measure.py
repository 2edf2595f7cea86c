"""The fields of a printing are measured on a picture of its empty sheet."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from brikks_vision.detect.locate import locate
from brikks_vision.detect.measure import measured
from brikks_vision.detect.template import blank_picture, take_blank
from brikks_vision.detect.unlike import unlikeness
from brikks_vision.layout import CELL, Layout, load_layout
from simulation.brikks.art import render_blank
from tests.known_sheets import known_sheets

MARGIN = 50  # px of table around the sheet


def displaced(layout: Layout, moves: dict[str, tuple[float, float]]) -> Layout:
    """The layout with fields moved by so many cells."""
    fields = dict(layout.fields)
    for name, (x, y) in moves.items():
        centres = tuple((a + x, b + y) for a, b in fields[name].centres)
        fields[name] = replace(fields[name], centres=centres)
    return replace(layout, fields=fields)


@pytest.mark.parametrize(
    ("seed", "moves"),
    [
        (4, {"box": (0.25, 0.1), "bomb": (-0.2, 0.15)}),
        (5, {"box": (-0.3, 0.0), "energy": (0.1, 0.2)}),
    ],
)
def test_fields_are_measured_where_a_printing_has_them(
    seed: int, moves: dict[str, tuple[float, float]]
) -> None:
    printed = displaced(load_layout("brikks-light"), moves)
    sheet = render_blank(printed, np.random.default_rng(seed), pixels_per_cell=36)
    photo = np.asarray(
        cv2.copyMakeBorder(sheet.image, *(MARGIN,) * 4, cv2.BORDER_CONSTANT, value=(90, 80, 70)),
        np.uint8,
    )
    origin = np.array(sheet.origin) + MARGIN
    known = locate(photo, known_sheets())
    learnt = measured(photo, known)

    def errors(layout: Layout, alignment: object, name: str) -> float:
        placement = learnt.placement if alignment is learnt else known.placement
        seen = placement.to_photo(np.array(layout.fields[name].centres))
        true = np.array(printed.fields[name].centres) * sheet.pixels_per_cell + origin
        return float(np.linalg.norm(seen - true, axis=1).mean() / sheet.pixels_per_cell)

    before = np.mean([errors(known.layout, known, name) for name in moves])
    after = [errors(learnt.layout, learnt, name) for name in moves]
    assert np.mean(after) < 0.6 * before
    assert all(error < np.hypot(*moves[name]) for name, error in zip(moves, after, strict=True))


def test_fields_of_a_known_printing_stay_where_the_networks_know_them() -> None:
    sheet = render_blank(load_layout("brikks-light"), np.random.default_rng(7), pixels_per_cell=36)
    known = locate(sheet.image, known_sheets())
    assert measured(sheet.image, known).layout.fields == known.layout.fields


def test_a_blank_is_the_page_at_its_scale() -> None:
    layout = load_layout("brikks")
    sheet = render_blank(load_layout("brikks-light"), np.random.default_rng(7), pixels_per_cell=36)
    found = locate(sheet.image, known_sheets())
    blank = take_blank(sheet.image, found.placement, layout)
    picture = blank_picture(replace(layout, blank=blank))
    assert picture is not None
    assert picture.shape[1] == round(layout.page.width * blank.pixels_per_cell)
    assert blank_picture(layout) is None


def test_a_cross_makes_its_cell_unlike_the_others() -> None:
    layout = load_layout("brikks")
    sheet = render_blank(load_layout("brikks-light"), np.random.default_rng(8), pixels_per_cell=36)
    found = locate(sheet.image, known_sheets())
    image = sheet.image.copy()
    (x0, y0), (x1, y1) = np.round(
        found.placement.to_photo(np.array([[3.2, 9.2], [3.8, 9.8]]))
    ).astype(int)
    cv2.line(image, (x0, y0), (x1, y1), (60, 20, 20), 5)
    cv2.line(image, (x0, y1), (x1, y0), (60, 20, 20), 5)
    cells = layout.fields[CELL]
    prints = [(kind, place // 10 >= 6, place // 10 == 0) for place, kind in enumerate(cells.prints)]
    differences = unlikeness(image, found.placement, cells, prints)
    assert differences.argmax() == 93
    assert differences[93] > 3
