"""Things that lie on a sheet: which places they hide."""

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
    told = {name: np.zeros(field.shape) for name, field in layout.fields.items()}
    before = marks[CELL, Mark.CROSS]
    crossed, empty = (tuple(np.argwhere(each)[0]) for each in (before > 10, before < -10))
    for share, most in ((0.2, np.log(4)), (0.9, 0.0)):
        told[CELL][crossed] = told[CELL][empty] = share
        seen = occlusion.perhaps_cancelled(marks, told, layout)[CELL, Mark.CROSS]
        assert seen[crossed] <= most + 1e-3
        assert seen[empty] < -10 or share > 0.5  # no mark, cancelled or not
        assert (np.abs(seen) > 10).sum() >= (np.abs(before) > 10).sum() - 2  # others stay sure


def test_who_cancels_one_mark_surely_may_have_cancelled_others() -> None:
    few, with_a_sure_one = np.full(60, 0.02), np.r_[np.full(59, 0.02), 0.9999]
    alone, beside = occlusion.as_rare(few), occlusion.as_rare(with_a_sure_one)
    assert (alone < 0.002).all()
    assert beside[-1] > 0.95
    assert (beside[:-1] > 8 * alone[:-1]).all()


@pytest.mark.parametrize("photo", PHOTOS)
def test_a_cross_that_is_scribbled_over_is_not_surely_one(photo: str) -> None:
    """In the colour of its ink, four times to and fro, about as thick as the player's lines."""
    result = plain(photo)
    placement, field = result.placement, result.layout.fields[CELL]
    crossed = np.flatnonzero(result.evidence.marks[CELL, Mark.CROSS].ravel() > 8)
    picture, chosen = result.photo.image.copy(), crossed[[3, len(crossed) // 2, -4]]
    reach = int(placement.cell_size() / 2)
    for x, y in np.array(field.centres)[chosen]:
        zigzag = np.stack([x + np.linspace(-0.4, 0.4, 9), y + 0.36 * (-1.0) ** np.arange(9)], -1)
        column, row = placement.to_photo(np.array([[x, y]]))[0].astype(int)
        near = picture[row - reach : row + reach + 1, column - reach : column + reach + 1]
        ink = np.percentile(near.reshape(-1, 3), 4, axis=0).tolist()
        points = np.round(placement.to_photo(zigzag)).astype(np.int32)
        cv2.polylines(picture, [points], False, ink, max(1, reach // 7), cv2.LINE_AA)
    logits = scan_photo(picture).evidence.marks[CELL, Mark.CROSS].ravel()
    assert (logits[chosen] < 6).all()
    assert np.median(logits[np.setdiff1d(crossed, chosen)]) > 5
