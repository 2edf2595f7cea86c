"""Photos that were flipped left to right: each is read as the sheet that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from brikks_vision import Reading, errors
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.locate import locate
from brikks_vision.detect.mirror import looks_mirrored
from brikks_vision.detect.photo import Photo, load_photo
from brikks_vision.detect.placement import Image
from brikks_vision.games import readable_layouts
from brikks_vision.layout import Layout, load_layout
from brikks_vision.pipeline import ScanResult, _located, for_pictures, scan_photo, scan_sheets

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

every_photo = pytest.mark.parametrize("path", PHOTOS, ids=lambda path: path.name)


@cache
def pixels(path: Path) -> Photo:
    """The whole photo at full size."""
    return load_photo(path, 100_000)


def flipped(path: Path) -> Image:
    return np.ascontiguousarray(pixels(path).image[:, ::-1])


def flipped_upside_down(path: Path) -> Image:
    return np.ascontiguousarray(pixels(path).image[::-1])


def readings(image: Image) -> list[Reading]:
    return [sheet.reading for sheet in scan_sheets(image) if isinstance(sheet, ScanResult)]


@every_photo
def test_no_ordinary_photo_looks_mirrored(path: Path) -> None:
    image = load_photo(path, 950).image
    assert not looks_mirrored(image, locate(image, readable_layouts()).placement, SHEET)


@every_photo
@pytest.mark.parametrize("axis", [1, 0], ids=["flipped", "upside down and flipped"])
def test_a_flipped_photo_looks_mirrored(path: Path, axis: int) -> None:
    image = np.asarray(cv2.flip(load_photo(path, 950).image, axis), np.uint8)
    assert looks_mirrored(image, locate(image, readable_layouts()).placement, SHEET)


@pytest.mark.parametrize("name", ["good-art.jpg", "hard-printed.jpg", "upside-down.jpg"])
def test_a_flipped_photo_is_read_as_the_photo_is(name: str) -> None:
    image = pixels(FIXTURES / name).image
    read, meant = scan_photo(flipped(FIXTURES / name)).reading, scan_photo(image).reading
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
    meant = scan_photo(pixels(path).image).reading
    assert (read.grid, read.score) == (meant.grid, meant.score)


def test_the_corners_are_told_in_the_photo_as_it_was_given() -> None:
    path = FIXTURES / "good-art.jpg"
    read, meant = scan_photo(flipped(path)).reading, scan_photo(pixels(path).image).reading
    assert read.corners is not None and meant.corners is not None
    width = pixels(path).full_size[0]
    expected = [(width - 1 - x, y) for x, y in meant.corners]
    assert np.allclose(read.corners, expected, atol=2)


def test_pictures_of_it_show_it_as_it_is_printed() -> None:
    image = flipped(FIXTURES / "good-printed.jpg")
    result = for_pictures(scan_photo(image), image)
    assert result.photo.is_flipped
    assert not looks_mirrored(result.photo.image, result.placement, SHEET)
    shown = np.abs(result.photo.image[:, ::-1].astype(int) - load_photo(image, 1900).image)
    assert shown.max() == 0


def test_sheets_side_by_side_are_read_in_a_flipped_photo() -> None:
    path = FIXTURES / "two-sheets.jpg"
    read, meant = readings(flipped(path)), readings(pixels(path).image)
    assert [reading.grid for reading in read] == [reading.grid for reading in meant]


def test_colors_that_are_like_no_print_do_not_look_mirrored() -> None:
    image = load_photo(FIXTURES / "good-art.jpg", 950).image
    placement = locate(image, readable_layouts()).placement
    negative = np.full_like(image, 255) - image
    assert not looks_mirrored(negative, placement, SHEET)


def test_a_mirror_image_that_shows_no_sheet_when_flipped_is_refused_by_name() -> None:
    photo = load_photo(FIXTURES / "good-art.jpg", 950).flipped()

    def only_as_given(image: Image, layouts: Sequence[Layout]) -> tuple[Alignment, ...]:
        if image is not photo.image:
            raise errors.NoSheetFound
        return (locate(image, layouts),)

    with pytest.raises(errors.PhotoMirrored, match="as in a mirror"):
        _located(photo, only_as_given, readable_layouts())
    assert len({errors.PhotoMirrored().text(each) for each in ("de", "en", "fr", "es")}) == 4
