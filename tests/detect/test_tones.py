"""A photo of which the tones are lost is never read as sure; an ordinary one, however lit, is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.distortions import black_and_white, coarse_jpeg, grey, posterized, scanned, shaded
from brikks_vision import Reading, scan
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.placement import Image
from brikks_vision.reading import Status
from brikks_vision.show.report import status_text
from brikks_vision.text.languages import LANGUAGES

FIXTURES = Path(__file__).parents[1] / "fixtures"
PHOTOS = ("good-art.jpg", "scan-art-2.jpg", "bloxx/good-printed.jpg")
Change = Callable[[Image], Image]

every_photo = pytest.mark.parametrize("name", PHOTOS)


@cache
def picture(name: str) -> Image:
    """Twice as large as is needed, so that it is scaled down."""
    image = load_photo(FIXTURES / name, 100_000).image
    scale = 1950 / max(image.shape[:2])
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale), np.uint8)


def brighter(by: float, image: Image) -> Image:
    return np.asarray(np.clip(image * by, 0, 255), np.uint8)


def as_jpeg(quality: int, image: Image) -> Image:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


ORDINARY: dict[str, Change] = {
    "as it is": lambda image: image,
    "grey": grey,
    "shaded": shaded,
    "a third of the light": partial(brighter, 1 / 3),
    "half more light": partial(brighter, 1.5),
}
ROBBED: dict[str, Change] = {
    "black and white": black_and_white,
    "scanned": scanned,
    "black and white, kept as a JPEG": lambda image: as_jpeg(75, black_and_white(image)),
    **{f"{levels} levels": partial(posterized, levels) for levels in (2, 3, 4, 8)},
}


@every_photo
@pytest.mark.parametrize("change", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_photo_has_tones(name: str, change: Change) -> None:
    assert load_photo(change(picture(name)), 950).keeps_tones


def test_a_picture_of_48_colors_has_tones() -> None:
    assert load_photo(FIXTURES / "picture.png", 950).keeps_tones


@every_photo
@pytest.mark.parametrize("change", ROBBED.values(), ids=ROBBED)
def test_of_a_photo_by_thresholds_no_tones_are_left(name: str, change: Change) -> None:
    assert not load_photo(change(picture(name)), 950).keeps_tones


@pytest.mark.parametrize("name", ["good-art.jpg", "bloxx/good-printed.jpg"])
@pytest.mark.parametrize(
    "change",
    [partial(posterized, 8), partial(coarse_jpeg, 8, 1600)],
    ids=["8 levels", "JPEG of quality 8"],
)
def test_what_is_read_of_lost_evidence_is_not_sure(
    name: str, change: Callable[[Image], Image | bytes]
) -> None:
    image = picture(name)
    assert scan(image).status is Status.OK
    reading = scan(change(image))
    assert (reading.status, reading.violations) == (Status.UNCERTAIN, ())
    if not reading.doubts:
        assert "photograph it again" in status_text(reading, "en")


def test_a_photo_that_is_not_clear_enough_is_told_in_every_language() -> None:
    reading = Reading("a.jpg", Status.UNCERTAIN, game="brikks", total_range=(87, 87))
    told = {status_text(reading, language) for language in LANGUAGES}
    assert len(told) == len(LANGUAGES)
    assert not any("87" in sentence for sentence in told)
