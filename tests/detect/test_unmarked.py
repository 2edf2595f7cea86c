"""What is printed on a sheet, from several that are marked."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from brikks_vision.detect.marks import Covered
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.template import BLANK_PIXELS, blank_picture
from brikks_vision.detect.unlike import empty_page
from brikks_vision.errors import PrintHidden
from brikks_vision.games.brikks.learn import learn_from_marked
from brikks_vision.layout import CELL, Layout
from brikks_vision.learn import learn_sheet

FIXTURES = Path("tests/fixtures")
INK = (90, 20, 20)  # BGR


@pytest.fixture(scope="module")
def layout() -> Layout:
    found = learn_sheet(FIXTURES / "blank.jpg", "brikks", "mine").layout
    assert isinstance(found, Layout)
    return found


def crossed(layout: Layout, cells: np.ndarray, light: float) -> np.ndarray:
    """The empty sheet with crosses in these cells, in brighter or darker light."""
    page = np.array(blank_picture(layout))
    for centre in np.array(layout.fields[CELL].centres)[cells.ravel()]:
        x, y = ((centre - (layout.page.left, layout.page.top)) * BLANK_PIXELS).astype(int)
        for slant in (1, -1):
            cv2.line(page, (x - 11, y - 11 * slant), (x + 11, y + 11 * slant), INK, 4)
    return np.clip(page * light, 1, 255).astype(np.uint8)


def empty_of(layout: Layout, marked: list[np.ndarray]) -> tuple[np.ndarray, Covered]:
    lights = np.linspace(0.7, 1, len(marked))
    pages = [crossed(layout, *each) for each in zip(marked, lights, strict=True)]
    return empty_page(pages, [{CELL: each} for each in marked], layout)


def test_what_is_marked_on_one_sheet_shows_on_another(layout: Layout) -> None:
    shape = layout.fields[CELL].shape
    number = np.arange(np.prod(shape)).reshape(shape)
    page, unknown = empty_of(layout, [number % 3 != at for at in range(3)])
    assert not any(places.any() for places in unknown.values())
    print_ = np.array(blank_picture(layout), float)
    light = page.mean() / print_.mean()
    assert np.abs(page - light * print_).mean() < 5  # grey levels


def test_a_cell_that_is_marked_on_all_looks_like_others_of_its_print(layout: Layout) -> None:
    marked = np.zeros(layout.fields[CELL].shape, np.bool_)
    marked[-1] = True
    page, unknown = empty_of(layout, [marked] * 3)
    assert not any(places.any() for places in unknown.values())
    print_, inked = np.array(blank_picture(layout), float), crossed(layout, marked, 1.0)
    light = page.mean() / print_.mean()
    changed = (inked != print_).any(axis=2)
    assert np.abs(page - light * print_)[changed].mean() < 15
    assert np.abs(inked - print_)[changed].mean() > 60


def test_places_that_nothing_shows_are_told(layout: Layout) -> None:
    marked = np.ones(layout.fields[CELL].shape, np.bool_)
    _, unknown = empty_of(layout, [marked] * 3)
    assert unknown[CELL].all() and not unknown["energy"].any()


def test_marks_that_are_not_known_are_not_taken_for_print() -> None:
    photo = load_photo(FIXTURES / "good-printed.jpg", 2000)
    with pytest.raises(PrintHidden):
        learn_from_marked([(photo, {})] * 3, "mine")
