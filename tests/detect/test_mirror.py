"""Photos that were flipped left to right: each is read as the sheet that it shows."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.cases import case_of
from benchmarks.distortions import black_and_white, grey, scanned, shaded, transposed
from brikks_vision import Reading, errors
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.locate import locate
from brikks_vision.detect.mirror import Side, side_of
from brikks_vision.detect.photo import Photo, load_photo
from brikks_vision.detect.placement import Image
from brikks_vision.detect.template import take_blank
from brikks_vision.layout import Box, Layout, load_layout
from brikks_vision.learn import learn_sheet
from brikks_vision.pipeline import ScanResult, finders, for_pictures, scan_photo, scan_sheets
from brikks_vision.reading import Status
from brikks_vision.text.languages import LANGUAGES
from simulation.brikks.art import render_blank
from tests.known_sheets import known_sheets

FIXTURES = Path(__file__).parents[1] / "fixtures"
SAMPLES = FIXTURES.parents[1] / "samples"
PHOTOS = sorted(
    path
    for folder in (FIXTURES, SAMPLES)
    for path in folder.iterdir()
    if path.suffix in (".jpg", ".png", ".webp", ".heic")
    and not path.name.startswith(("bad-", "bloxx"))  # no sheets of this layout
)
SHEET = load_layout("brikks")
BY_PRINT = [SHEET]  # markers are not looked for, as on most sheets there are none

every_photo = pytest.mark.parametrize("path", PHOTOS, ids=lambda path: path.name)
without_colors = pytest.mark.parametrize(
    "lose_colors",
    [grey, lambda image: shaded(grey(image)), black_and_white, scanned],
    ids=["grey", "grey under a shadow", "black and white", "scanned"],
)


@cache
def pixels(path: Path) -> Photo:
    """The whole photo at full size."""
    return load_photo(path, 100_000)


def flipped(path: Path) -> Image:
    return np.ascontiguousarray(pixels(path).image[:, ::-1])


def flipped_upside_down(path: Path) -> Image:
    return np.ascontiguousarray(pixels(path).image[::-1])


def transposed_photo(path: Path) -> Image:
    return transposed(pixels(path).image)


@cache
def read_as_given(path: Path) -> Reading:
    return scan_photo(pixels(path).image).reading


def readings(image: Image) -> list[Reading]:
    return [sheet.reading for sheet in scan_sheets(image) if isinstance(sheet, ScanResult)]


@cache
def reduced(path: Path) -> Photo:
    """The photo as it is looked at first."""
    return load_photo(path, 950)


FOUND: dict[bytes, Alignment] = {}


def located(image: Image) -> Alignment:
    """Where the sheet lies; the same pixels are searched once."""
    key = hashlib.sha256(image.tobytes()).digest()
    if key not in FOUND:
        FOUND[key] = locate(image, BY_PRINT)
    return FOUND[key]


def side_in(image: Image) -> Side:
    return side_of(image, located(image).placement, SHEET)


@every_photo
def test_an_ordinary_photo_shows_the_sheet_as_printed(path: Path) -> None:
    assert side_in(reduced(path).image) is Side.AS_PRINTED


@every_photo
def test_a_flipped_photo_is_flipped_back(path: Path) -> None:
    photo, axis = reduced(path), PHOTOS.index(path) % 2  # each other one upside down, too
    photo = replace(photo, image=np.asarray(cv2.flip(photo.image, axis), np.uint8))
    assert side_in(photo.image) is not Side.AS_PRINTED
    found, _ = finders.located(photo, lambda image, _: (located(image),), BY_PRINT)
    assert found.is_flipped


@without_colors
@pytest.mark.parametrize("name", ["good-art.jpg", "hard-printed.jpg", "scan-art.jpg"])
def test_a_mirror_image_is_told_without_colors(
    name: str, lose_colors: Callable[[Image], Image]
) -> None:
    image = np.asarray(lose_colors(reduced(FIXTURES / name).image), np.uint8)
    assert side_in(image) is not Side.MIRRORED
    assert side_in(np.ascontiguousarray(image[:, ::-1])) is not Side.AS_PRINTED


@pytest.mark.parametrize("name", ["good-art.jpg", "hard-printed.jpg", "upside-down.jpg"])
def test_a_flipped_photo_is_read_as_the_photo_is(name: str) -> None:
    read, meant = scan_photo(flipped(FIXTURES / name)).reading, read_as_given(FIXTURES / name)
    assert (read.grid, read.energy, read.bonus_crosses, read.bombs_used, read.score) == (
        meant.grid,
        meant.energy,
        meant.bonus_crosses,
        meant.bombs_used,
        meant.score,
    )


def test_a_photo_flipped_and_upside_down_is_read_as_the_sheet_is() -> None:
    path = FIXTURES / "good-printed.jpg"
    read = scan_photo(flipped_upside_down(path)).reading
    meant = read_as_given(path)
    assert (read.grid, read.score) == (meant.grid, meant.score)


def test_the_corners_are_told_in_the_photo_as_it_was_given() -> None:
    path = FIXTURES / "good-art.jpg"
    read, meant = scan_photo(flipped(path)).reading, read_as_given(path)
    assert read.corners is not None and meant.corners is not None
    width = pixels(path).full_size[0]
    expected = [(width - 1 - x, y) for x, y in meant.corners]
    assert np.allclose(read.corners, expected, atol=2)


def test_pictures_of_it_show_it_as_it_is_printed() -> None:
    image = flipped(FIXTURES / "good-printed.jpg")
    result = for_pictures(scan_photo(image), image)
    assert result.photo.is_flipped
    side = side_of(result.photo.image, result.placement, SHEET)
    assert side is Side.AS_PRINTED
    shown = np.abs(result.photo.image[:, ::-1].astype(int) - load_photo(image, 1900).image)
    assert shown.max() == 0


def test_sheets_side_by_side_are_read_in_a_flipped_photo() -> None:
    path = FIXTURES / "two-sheets.jpg"
    read, meant = readings(flipped(path)), readings(pixels(path).image)
    assert [reading.grid for reading in read] == [reading.grid for reading in meant]


@pytest.mark.usefixtures("observed_once")
@pytest.mark.parametrize("turned", [flipped, flipped_upside_down, transposed_photo])
def test_a_printed_bloxx_sheet_is_read_in_a_mirror(turned: Callable[[Path], Image]) -> None:
    path = FIXTURES / "bloxx" / "scan-printed.jpg"
    read, meant = scan_photo(turned(path)).reading, read_as_given(path)
    assert (read.grid, read.score, read.status) == (meant.grid, meant.score, meant.status)


@pytest.mark.usefixtures("observed_once")
def test_a_learnt_bloxx_sheet_is_read_in_a_mirror() -> None:
    learnt = learn_sheet(FIXTURES / "bloxx" / "other-blank.jpg", "bloxx", "other").layout
    path = FIXTURES / "bloxx" / "other-filled.jpg"
    read = scan_photo(flipped(path), printings=[learnt])
    meant = scan_photo(pixels(path).image, printings=[learnt])
    assert read.photo.is_flipped
    assert (read.reading.grid, read.reading.score) == (meant.reading.grid, meant.reading.score)
    side = side_of(read.photo.image, read.placement, learnt)
    assert side is Side.AS_PRINTED


def without_what_tells_the_side(photo: Image, found: Alignment) -> Image:
    """The photo without circles, the cells where a mirror shows them, and the ends of the bars."""
    image = photo.copy()
    columns = SHEET.grid.columns
    cells = [divmod(place, columns) for place, _ in SHEET.fields["cell"].colors]
    hidden = [Box(column, row, column + 1, row + 1) for row, column in cells]
    hidden += [
        Box(columns - each.right, each.top, columns - each.left, each.bottom) for each in hidden
    ]
    hidden.append(Box(-1.6, 15.1, 1.5, 15.8))  # the first of the boxes
    hidden.append(Box(-2.2, 16.9, 1.5, 18.7))  # and of the energy points
    for box in hidden:
        corners = np.round(found.placement.to_photo(np.array(box.corners))).astype(np.int32)
        cv2.fillConvexPoly(image, corners, (200, 200, 200))
    return image


def test_the_empty_sheet_of_a_learnt_printing_tells_the_side_in_any_art() -> None:
    sheet = render_blank(load_layout("brikks-light"), np.random.default_rng(7), pixels_per_cell=36)
    found = locate(sheet.image, BY_PRINT)
    learnt = replace(SHEET, blank=take_blank(sheet.image, found.placement, SHEET))
    image = without_what_tells_the_side(sheet.image, found)
    image[round(sheet.origin[1] + 14.5 * sheet.pixels_per_cell) :] = 200  # nor are there bars
    assert side_of(image, found.placement, SHEET) is Side.UNDECIDED
    assert side_of(image, found.placement, learnt) is Side.AS_PRINTED
    mirrored = np.ascontiguousarray(image[:, ::-1])
    there = locate(np.ascontiguousarray(sheet.image[:, ::-1]), BY_PRINT).placement
    assert side_of(mirrored, there, learnt) is Side.MIRRORED


def test_where_neither_side_is_plain_a_total_is_not_sure() -> None:
    """Neither circles nor bars tell it; the markers, which would, are not looked for."""
    path = FIXTURES / "good-art.jpg"
    photo = load_photo(path, 950)
    found = locate(photo.image, BY_PRINT)
    assert scan_photo(path, printings=BY_PRINT).reading.status is Status.OK
    image = without_what_tells_the_side(photo.image, found)
    read = scan_photo(image, printings=BY_PRINT)
    assert side_of(image, read.placement, SHEET) is Side.UNDECIDED
    assert read.reading.status is Status.UNCERTAIN


def test_a_negative_is_neither_as_printed_nor_a_mirror_image() -> None:
    image = load_photo(FIXTURES / "good-art.jpg", 950).image
    placement = locate(image, BY_PRINT).placement
    negative = np.full_like(image, 255) - image
    assert side_of(negative, placement, SHEET) is not Side.AS_PRINTED


def test_a_mirror_image_that_shows_no_sheet_when_flipped_is_refused_by_name() -> None:
    photo = load_photo(FIXTURES / "good-art.jpg", 950).flipped()

    def only_as_given(image: Image, layouts: Sequence[Layout]) -> tuple[Alignment, ...]:
        if image is not photo.image:
            raise errors.NoSheetFound
        return (locate(image, layouts),)

    with pytest.raises(errors.PhotoMirrored, match="as in a mirror"):
        finders.located(photo, only_as_given, known_sheets())
    told = {errors.PhotoMirrored().text(each) for each in LANGUAGES}
    assert len(told) == len(LANGUAGES)


def test_a_sheet_that_is_missed_once_is_not_found_in_a_mirror() -> None:
    """Lines and markers of the printed sheet look nearly the same in a mirror."""
    case = case_of("bloxx", "scan", 990331, 24)
    photo, printed = load_photo(case.data, 950), [load_layout("bloxx")]

    def missed_once(
        image: Image, layouts: Sequence[Layout], **effort: Any
    ) -> tuple[Alignment, ...]:
        if image is photo.image:
            raise errors.NoSheetFound
        return (locate(image, layouts, **effort),)

    with pytest.raises(errors.NoSheetFound):
        finders.located(photo, missed_once, printed)
    found = scan_photo(case.data)
    assert not found.photo.is_flipped
    assert found.reading.score.total == case.total
