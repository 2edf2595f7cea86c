"""Things that lie on a sheet: which places they hide."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from brikks_vision.detect import occlusion
from brikks_vision.detect.marks import rectify_for_reading
from brikks_vision.layout import CELL, Mark
from brikks_vision.pipeline import ScanResult, for_pictures, scan_photo
from brikks_vision.reading import Status
from simulation.occluders import coin, die, finger, note
from simulation.tables import lay

pytestmark = pytest.mark.usefixtures("observed_once")

FIXTURES = Path(__file__).parents[1] / "fixtures"
PHOTOS = ("good-arcade.jpg", "good-art.jpg", "scan-printed.jpg", "bloxx/good-printed.jpg")
Image = NDArray[np.uint8]


@cache
def plain(photo: str) -> ScanResult:
    return for_pictures(scan_photo(FIXTURES / photo), FIXTURES / photo)


def with_thing(photo: str, patch: Image, at: tuple[float, float], length: float) -> Image:
    """The photo with a thing on its sheet. ``at``, ``length``: in cells."""
    result = plain(photo)
    picture = result.photo.image.copy()
    ((x, y),) = result.placement.to_photo(np.array([at]))
    lay(picture, patch, (float(x), float(y)), 10.0, length * result.placement.cell_size(), 0.4)
    return picture


THINGS = {
    "finger": (finger(np.random.default_rng(11)).picture, 8.0),
    "coin": (coin(np.random.default_rng(12)).picture, 2.6),
    "die": (die(np.random.default_rng(13)).picture, 2.2),
    "note": (note(np.random.default_rng(24)).picture, 3.0),
}


@pytest.mark.parametrize("photo", PHOTOS)
@pytest.mark.parametrize("thing", THINGS)
def test_the_cell_under_a_thing_is_covered_and_the_total_right_or_unsure(
    photo: str, thing: str
) -> None:
    patch, length = THINGS[thing]
    result = scan_photo(with_thing(photo, patch, (3.5, 5.5), length))
    covered = result.evidence.marks.covered[CELL]
    assert covered[5, 3]
    assert not covered[0].any()
    before, reading = plain(photo).reading, result.reading
    assert reading.total_range[0] <= before.score.total <= reading.total_range[1]
    assert reading.status is not Status.OK or reading.score.total == before.score.total


@pytest.mark.parametrize("photo", PHOTOS)
def test_a_shadow_hides_nothing(photo: str) -> None:
    result = plain(photo)
    height, width = result.photo.image.shape[:2]
    shade = np.ones((height, width), np.float32)
    cv2.ellipse(shade, (width // 2, height // 2), (width // 4, height // 6), 30, 0, 360, 0.55, -1)
    shade = cv2.GaussianBlur(shade, (0, 0), width / 150)
    shaded = (result.photo.image * shade[..., None]).astype(np.uint8)
    assert not scan_photo(shaded).evidence.marks.covered


@pytest.mark.parametrize("photo", PHOTOS)
def test_nothing_is_covered_on_a_bare_sheet(photo: str) -> None:
    result = plain(photo)
    flat = rectify_for_reading(result.photo.image, result.placement, result.layout)
    assert (
        occlusion.marked_places(
            occlusion.segmented(flat, result.layout).hidden,
            result.layout,
            occlusion.MIN_COVERED_SHARE,
        )
        == {}
    )


def test_where_the_print_shows_nothing_hides_it() -> None:
    empty = np.full((48, 48, 3), 200, np.uint8)
    empty[::6, :] = 40  # lines all over
    photo = (0.7 * empty + 20).astype(np.uint8)
    photo[:, 30:] = 90  # a thing
    shown = occlusion.print_shows(photo, empty)
    assert shown[6:40, 6:24].all()
    assert not shown[:, 32:].any()
    assert not occlusion.print_shows(photo, np.full_like(empty, 128)).any()


def test_a_mark_is_no_surer_than_that_it_is_not_cancelled() -> None:
    result = plain("scan-printed.jpg")
    marks, layout = result.evidence.marks, result.layout
    area, step = layout.reading_area, occlusion.OCCLUSION_PIXELS // occlusion.OCCLUSION_STRIDE
    shares = np.zeros((1, round(area.height * step), round(area.width * step)), np.float32)
    left, top = np.subtract(layout.fields[CELL].centres[0], (area.left, area.top)) * step
    rows, columns = slice(int(top) - 3, int(top) + 4), slice(int(left) - 3, int(left) + 4)
    for share, most in ((0.2, np.log(4)), (0.9, 0.0)):
        shares[:, rows, columns] = share
        seen = occlusion.perhaps_cancelled(marks, shares, layout)[CELL, Mark.CROSS]
        assert abs(seen[0, 0]) <= most + 1e-3
        assert (abs(seen[5]) > 10).all()  # others stay sure
