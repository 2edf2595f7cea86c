"""What the record keeps of a photo file: its content, its time, a small picture, no place."""

import hashlib
import io
from datetime import datetime, timedelta
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as PillowImage

from brikks_vision.detect.headers import read_header
from brikks_vision.errors import CameraDateAhead
from brikks_vision.intake.photos import THUMBNAIL_SIDE, check_date, photo_facts, thumbnail_of
from brikks_vision.pipeline import scan_photo
from brikks_vision.record.entries import EARLIEST, LATEST

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILE_DATE = datetime(2026, 5, 1, 12, 30).timestamp()
TAKEN = datetime(2026, 3, 14, 20, 15, 9)
LATITUDE = (52.0, 31.0, 12.3)


def photographed(kind: str, taken: str | None, order: str = "<") -> bytes:
    """A picture with a time, an orientation and a place in its EXIF data."""
    exif = PillowImage.Exif()
    exif.endian = order
    exif[0x0112] = 6
    if taken is not None:
        exif.get_ifd(0x8769)[0x9003] = taken
    exif.get_ifd(0x8825)[2] = LATITUDE
    if kind == "HEIF":
        import pillow_heif

        pillow_heif.register_heif_opener()
    buffer = io.BytesIO()
    PillowImage.new("RGB", (64, 48), "white").save(buffer, kind, exif=exif.tobytes())
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize("order", ["<", ">"])
def test_the_time_taken_is_the_cameras(kind: str, order: str) -> None:
    data = photographed(kind, f"{TAKEN:%Y:%m:%d %H:%M:%S}", order)
    facts = photo_facts(data, "a.jpg", FILE_DATE)
    assert (facts.taken, facts.taken_from, facts.name) == (TAKEN, "exif", "a.jpg")
    assert facts.sha256 == hashlib.sha256(data).hexdigest()
    assert read_header(data).orientation == (1 if kind == "HEIF" else 6)


@pytest.mark.parametrize(
    "data",
    [
        photographed("JPEG", None),
        photographed("JPEG", "0000:00:00 00:00:00"),
        photographed("JPEG", "    :  :     :  :  "),
        photographed("JPEG", "2026"),
        photographed("JPEG", "0001:01:01 00:00:00"),
        photographed("JPEG", "1970:01:01 00:00:00"),
        b"no picture",
    ],
)
def test_without_it_the_files_date_counts(data: bytes) -> None:
    facts = photo_facts(data, "a.jpg", FILE_DATE)
    assert (facts.taken, facts.taken_from) == (datetime.fromtimestamp(FILE_DATE), "file")


@pytest.mark.parametrize("taken", ["2999:12:31 23:59:59", "9999:12:31 23:59:59"])
def test_a_camera_date_in_the_future_is_not_used(taken: str) -> None:
    facts = photo_facts(photographed("JPEG", taken), "a.jpg", FILE_DATE)
    assert (facts.taken, facts.taken_from) == (
        datetime.fromtimestamp(FILE_DATE),
        "file-as-camera-ahead",
    )
    with pytest.raises(CameraDateAhead, match=taken[:4]):
        check_date(facts)


def test_clocks_of_other_zones_are_not_in_the_future() -> None:
    ahead = datetime.now() + timedelta(hours=20)
    facts = photo_facts(photographed("JPEG", f"{ahead:%Y:%m:%d %H:%M:%S}"), "a.jpg", FILE_DATE)
    assert (facts.taken, facts.taken_from) == (ahead.replace(microsecond=0), "exif")
    check_date(facts)


@pytest.mark.parametrize("seconds", [1e300, datetime(9999, 12, 30).timestamp(), 0])
def test_a_date_that_no_calendar_has(seconds: float) -> None:
    facts = photo_facts(b"", "a.jpg", seconds)
    assert facts.taken_from == "file"
    assert EARLIEST < facts.taken < LATEST


def test_the_thumbnail_is_a_small_jpeg_without_camera_data() -> None:
    result = scan_photo(FIXTURES / "exif.jpg")
    data = thumbnail_of(result, "de")
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert max(picture.shape) == THUMBNAIL_SIDE
    assert b"Exif" not in data
    assert len(data) < 250_000
