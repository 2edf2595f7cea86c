"""Locating one sheet: by markers, by its print, from other views."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision.detect import locate as locating
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.fit import fit, keypoints
from brikks_vision.detect.lattice import MIN_CLEAR_EVIDENCE
from brikks_vision.detect.locate import locate
from brikks_vision.detect.locator import marker_matches
from brikks_vision.detect.photo import load_photo
from brikks_vision.layout import load_layout
from tests.known_sheets import known_sheets, mark_centres

SHEET, LIGHT = load_layout("brikks"), load_layout("brikks-light")
FIXTURES = Path(__file__).parents[1] / "fixtures"


def test_markers_keep_a_placement_clear_where_hardly_any_print_shows() -> None:
    sheet = load_layout("brikks")
    image = load_photo(FIXTURES / "good-printed.jpg", 1900).image
    placement = locate(image, known_sheets()).placement
    corners = placement.to_photo(np.array([[0.0, 0.0], [8.5, 0.0], [8.5, 11.0], [0.0, 11.0]]))
    covered = image.copy()  # another paper lies on the grid
    cv2.fillConvexPoly(covered, corners.astype(np.int32), (230, 230, 230))
    found = locate(covered, known_sheets())
    assert found.evidence < MIN_CLEAR_EVIDENCE
    assert found.is_clear
    points = mark_centres(sheet)
    moved = found.placement.to_photo(points) - placement.to_photo(points)
    assert np.linalg.norm(moved, axis=1).max() < 0.5 * placement.cell_size()


def test_a_small_sheet_among_larger_ones_is_found_in_another_view() -> None:
    """The view of the whole photo makes out none: other games' grids are in the way."""
    image = load_photo(Path(__file__).parents[1] / "places" / "overlooked.jpg", 1900).image
    alignment = locate(image, known_sheets())
    truth = [[165.6, 386.7], [89.5, 290.6], [193.5, 211.9], [268.3, 304.3]]  # px, as drawn
    corners = alignment.placement.to_photo(np.asarray(SHEET.grid.box.corners))
    assert alignment.is_clear
    assert np.abs(corners - truth).max() < 0.3 * alignment.placement.cell_size()


@pytest.mark.parametrize(
    ("name", "ends"),  # px, checked by eye: first and last of the energy points' rows
    [
        ("folded", [[433.7, 584.3], [666.2, 541.5], [431.2, 597.6], [667.6, 553.5]]),
        ("folded-2", [[783.2, 219.3], [533.4, 157.8], [795.0, 207.5], [540.6, 146.6]]),
    ],
)
def test_bars_beyond_a_fold_are_not_read_a_mark_further_on(
    name: str, ends: list[list[float]]
) -> None:
    image = load_photo(Path(__file__).parents[1] / "places" / f"{name}.jpg", 1900).image
    alignment = locate(image, known_sheets())
    centres = SHEET.fields["energy"].centres
    a_row = [at for at, (_, y) in enumerate(centres) if y == centres[0][1]]
    at = [a_row[0], a_row[-1], a_row[-1] + 1, len(centres) - 1]
    found = alignment.placement.to_photo(np.asarray(centres)[at])
    assert np.abs(found - ends).max() < 0.3 * alignment.placement.cell_size()


def test_markers_that_curled_paper_puts_half_a_cell_off_are_not_believed() -> None:
    """Everything is seen within half a cell of where the markers say, and yet nothing is there."""
    image = load_photo(Path(__file__).parents[1] / "places" / "curled.jpg", 1900).image
    grid = np.asarray(SHEET.grid.box.corners)
    truth = [[684.6, 246.1], [1123.0, 327.5], [1024.2, 715.4], [638.7, 657.1]]  # px, as drawn
    markers = marker_matches(image, LIGHT.markers)
    assert markers is not None
    by_markers = fit(markers, SHEET.reading_area, "markers", np.inf)
    alignment = locate(image, known_sheets())
    cell = alignment.placement.cell_size()
    assert np.abs(by_markers.to_photo(grid) - truth).max() > 0.4 * cell
    assert np.abs(alignment.placement.to_photo(grid) - truth).max() < 0.1 * cell
    assert alignment.is_clear


Seen = Callable[[Alignment, int], Alignment]


def aligned_as(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> list[Alignment]:
    """What each view's alignment is made to be: ``seen`` of the true one and of how many before."""
    true_align, found = locating.align, []

    def otherwise(*arguments: Any) -> Alignment:
        found.append(seen(true_align(*arguments), len(found)))
        return found[-1]

    monkeypatch.setattr(locating, "align", otherwise)
    return found


@pytest.mark.parametrize("better", [-0.1, 0.01])
def test_a_sheet_whose_place_is_not_clear_is_placed_anew_from_another_view(
    better: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = load_photo("samples/arcade.jpg", 1900).image
    known = locate(photo, known_sheets())

    def misled_at_first(seen: Alignment, before: int) -> Alignment:
        if before:
            return seen
        wrong = seen.placement.moved(seen.placement.cell_size() / 2, 0)  # and it shows
        return Alignment(SHEET, wrong, seen.evidence + better, is_clear=False)

    found = aligned_as(misled_at_first, monkeypatch)
    again = locate(photo, known_sheets())
    assert again.is_clear
    assert again.evidence == found[1].evidence
    points = keypoints(SHEET)
    off = again.placement.to_photo(points) - known.placement.to_photo(points)
    assert np.abs(off).max() < 0.1 * known.placement.cell_size()


@pytest.mark.parametrize("best", [0, 1, 2])
def test_a_sheet_whose_place_is_clear_in_no_view_is_where_most_speaks_for_it(
    best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_clear_and_never_the_same(seen: Alignment, before: int) -> Alignment:
        aside = seen.placement.moved(before * seen.placement.cell_size(), 0)
        return Alignment(SHEET, aside, seen.evidence - 0.05 * (before != best), is_clear=False)

    found = aligned_as(never_clear_and_never_the_same, monkeypatch)
    again = locate(load_photo("samples/arcade.jpg", 1900).image, known_sheets())
    assert not again.is_clear
    assert len(found) == 1 + locating.MAX_FOLLOWED
    assert again.evidence == max(each.evidence for each in found) == found[best].evidence


def test_a_sheet_that_only_a_later_view_shows_is_not_placed_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def in_the_second_view_and_not_clear(seen: Alignment, before: int) -> Alignment:
        return replace(seen, evidence=seen.evidence if before else -0.9, is_clear=False)

    found = aligned_as(in_the_second_view_and_not_clear, monkeypatch)
    again = locate(load_photo("samples/arcade.jpg", 1900).image, known_sheets())
    assert again.evidence == max(each.evidence for each in found[1:])
    assert len(found) == 1 + locating.MAX_FOLLOWED


def test_a_sheet_that_looks_like_another_is_sought_by_its_markers_before_it_is_aligned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = aligned_as(lambda seen, _: seen, monkeypatch)
    image = load_photo(FIXTURES / "bloxx" / "good-printed.jpg", 950).image
    assert locate(image, known_sheets()).layout.name == "bloxx"
    assert not found
