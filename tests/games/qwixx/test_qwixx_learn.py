"""Learning prints of a Qwixx sheet that are drawn by chance: where all is, and a mirror."""

import cv2
import numpy as np
import pytest

from brikks_vision import learn_sheet
from brikks_vision.errors import BlankIsMarked, GridNotFound, PhotoMirrored
from brikks_vision.games.learning import Proposal
from brikks_vision.layout import Layout
from simulation.qwixx.art import random_layout, render_blank

ASIDE = 0.15  # of a step from a number to the next


def drawn(seed: int, reordered: bool = False) -> tuple[Layout, np.ndarray, float]:
    """A print, its picture on a grey table, and px of its unit; its corner lies at (200, 150)."""
    rng = np.random.default_rng(seed)
    layout = random_layout(rng, reordered)
    blank = render_blank(layout, rng, 60)
    height, width = blank.image.shape[:2]
    table = np.full((height + 300, width + 400, 3), 90, np.uint8)
    table[150 : 150 + height, 200 : 200 + width] = blank.image
    return layout, table, blank.pixels_per_cell


def learnt(picture: np.ndarray) -> Proposal:
    return learn_sheet(cv2.imencode(".jpg", picture)[1].tobytes(), "qwixx", "any")


def aside(found: Proposal, layout: Layout, pixels: float, name: str) -> float:
    """How far the places of a field are from where they were drawn, at most, in steps."""
    page = layout.page
    field = layout.fields[name] if name in layout.fields else layout.figures[name]
    seen = found.layout.fields.get(name) or found.layout.figures[name]
    true = (np.array(field.centres) - (page.left, page.top)) * pixels + (200, 150)
    return float(np.abs(found.placement.to_photo(np.array(seen.centres)) - true).max() / pixels)


@pytest.mark.parametrize("seed, reordered", [(1, False), (5, True)])
def test_any_print_is_learnt_where_its_places_are(seed: int, reordered: bool) -> None:
    layout, picture, pixels = drawn(seed, reordered)
    found = learnt(picture)
    assert found.remark is None and not found.doubts
    for name in ("row", "lock", "failed", "rows", "total"):
        assert aside(found, layout, pixels, name) < ASIDE, name


def test_which_end_is_up_is_told_by_the_numbers() -> None:
    _, picture, _ = drawn(2)
    upside_down = np.ascontiguousarray(picture[::-1, ::-1])
    found = learnt(upside_down)
    lock = found.placement.to_photo(np.array(found.layout.fields["lock"].centres))
    assert found.remark is None
    assert lock[:, 0].max() < upside_down.shape[1] / 2  # red comes first, farthest down
    assert (np.diff(lock[:, 1]) < 0).all()


def test_a_mirrored_photo_is_refused() -> None:
    _, picture, _ = drawn(2)
    assert isinstance(learnt(np.ascontiguousarray(picture[:, ::-1])).remark, PhotoMirrored)


def test_a_photo_without_rows_of_numbers_is_no_sheet() -> None:
    assert isinstance(learnt(np.full((900, 1200, 3), 200, np.uint8)).remark, GridNotFound)


def test_a_filled_sheet_is_no_empty_one() -> None:
    """A place that is printed so can be said to be empty."""
    found = learn_sheet("tests/fixtures/qwixx/good.jpg", "qwixx")
    assert isinstance(found.remark, BlankIsMarked)
    where, _, mark = str(found.remark.facts["setting"]).partition("=")
    again = found.given({where: mark})
    assert isinstance(again.remark, BlankIsMarked)
    assert again.remark.facts["count"] == int(found.remark.facts["count"]) - 1
