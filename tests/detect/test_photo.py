"""A photo is decoded upright and small enough, or refused with its own sentence."""

import io
import os
import struct
import zlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage

from benchmarks.distortions import black_and_white, coarse_jpeg, grey, posterized, scanned, shaded
from brikks_vision import Reading, errors, scan
from brikks_vision.detect import photo as photo_module
from brikks_vision.detect.headers import read_header
from brikks_vision.detect.photo import load_photo, reduction
from brikks_vision.detect.placement import Image
from brikks_vision.reading import Status
from brikks_vision.show.report import status_text
from brikks_vision.text.languages import LANGUAGES
from tests.png_headers import png_claiming

RED, GREEN, PAPER = (255, 0, 0), (0, 255, 0), (200, 200, 200)


def stripes() -> PillowImage.Image:
    """600x400 px of paper with a red top and a green left edge."""
    pixels = np.full((400, 600, 3), PAPER, np.uint8)
    pixels[:100] = RED
    pixels[:, :100] = GREEN
    return PillowImage.fromarray(pixels)


def encoded(
    picture: PillowImage.Image, kind: str, orientation: int = 1, **settings: object
) -> bytes:
    exif = PillowImage.Exif()
    exif[0x0112] = orientation
    if kind == "HEIF":
        import pillow_heif

        pillow_heif.register_heif_opener()
    buffer = io.BytesIO()
    picture.save(buffer, kind, exif=exif.tobytes(), **settings)
    return buffer.getvalue()


def color_at(image: np.ndarray, x: int, y: int) -> tuple[int, ...]:
    """RGB, rounded to what survives lossy formats."""
    return tuple(int(round(value / 50) * 50) for value in image[y, x][::-1])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_is_applied_once(kind: str, orientation: int) -> None:
    data = encoded(stripes(), kind, orientation)
    with PillowImage.open(io.BytesIO(data)) as opened:
        expected = opened.convert("RGB") if kind == "HEIF" else upright(opened, orientation)
    photo = load_photo(data, 1900)
    assert photo.full_size == expected.size
    assert photo.image.shape == (expected.height, expected.width, 3)
    difference = photo.image[:, :, ::-1].astype(int) - np.asarray(expected)
    assert abs(difference).mean() < 1


def upright(picture: PillowImage.Image, orientation: int) -> PillowImage.Image:
    turn = {
        2: PillowImage.Transpose.FLIP_LEFT_RIGHT,
        3: PillowImage.Transpose.ROTATE_180,
        4: PillowImage.Transpose.FLIP_TOP_BOTTOM,
        5: PillowImage.Transpose.TRANSPOSE,
        6: PillowImage.Transpose.ROTATE_270,
        7: PillowImage.Transpose.TRANSVERSE,
        8: PillowImage.Transpose.ROTATE_90,
    }.get(orientation)
    picture = picture.convert("RGB")
    return picture if turn is None else picture.transpose(turn)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize(("wanted", "by"), [(601, 1), (600, 1), (300, 2), (150, 4), (40, 8)])
def test_a_photo_is_reduced_but_never_below_what_is_wanted(kind: str, wanted: int, by: int) -> None:
    photo = load_photo(encoded(stripes(), kind, 1), wanted)
    assert photo.scale == 1 / by
    assert photo.image.shape[:2] == (400 // by, 600 // by)
    assert photo.full_size == (600, 400)
    assert color_at(photo.image, 500 // by, 50 // by) == (250, 0, 0)
    assert color_at(photo.image, 50 // by, 300 // by) == (0, 250, 0)


@pytest.mark.parametrize(("most", "shape"), [(1000, (400, 600)), (450, (300, 450))])
def test_a_photo_is_scaled_down_to_at_most_so_many_pixels(
    most: int, shape: tuple[int, int]
) -> None:
    photo = load_photo(encoded(stripes(), "PNG", 1), 600).at_most(most)
    assert photo.image.shape[:2] == shape
    assert photo.scale == shape[1] / 600
    assert photo.full_size == (600, 400)


@given(st.integers(1, 12000), st.integers(1, 4000))
def test_reduction_keeps_the_wanted_length(long_side: int, wanted: int) -> None:
    by = reduction(long_side, wanted)
    assert by in (1, 2, 4, 8)
    assert by == 1 or long_side / by >= wanted
    assert by == 8 or long_side / (2 * by) < wanted


def transparent_below() -> PillowImage.Image:
    picture = stripes().convert("RGBA")
    picture.putalpha(
        PillowImage.fromarray(np.repeat([[255], [0]], 200, 0).astype(np.uint8).repeat(600, 1))
    )
    return picture


@pytest.mark.parametrize("wanted", [1900, 300])
@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_transparent_is_white(kind: str, wanted: int) -> None:
    photo = load_photo(encoded(transparent_below(), kind, lossless=True), wanted)
    by = round(1 / photo.scale)
    assert color_at(photo.image, 500 // by, 50 // by) == (250, 0, 0)
    assert color_at(photo.image, 500 // by, 350 // by) == (250, 250, 250)


def test_a_palette_with_transparency() -> None:
    photo = load_photo(encoded(transparent_below().quantize(16), "PNG"), 1900)
    assert color_at(photo.image, 500, 50) == (250, 0, 0)
    assert color_at(photo.image, 500, 350) == (250, 250, 250)


@pytest.mark.parametrize("mode", ["L", "LA", "P", "1"])
def test_grey_palette_and_bilevel_pictures(mode: str) -> None:
    photo = load_photo(encoded(stripes().convert(mode), "PNG"), 1900)
    assert photo.image.shape == (400, 600, 3)


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_sixteen_bits(channels: int) -> None:
    pixels = np.full((40, 60, channels), 200 * 257, np.uint16)
    pixels[:, :, 3:] = 65535
    data = cv2.imencode(".png", pixels)[1].tobytes()
    for source in (data, pixels):
        photo = load_photo(source, 1900)
        assert photo.image.dtype == np.uint8
        assert photo.image.shape == (40, 60, 3)
        assert (photo.image == 200).all()


def test_an_array_is_taken_as_bgr_and_left_alone() -> None:
    pixels = np.asarray(stripes())[:, :, ::-1].copy()
    before = pixels.copy()
    photo = load_photo(pixels, 300)
    assert color_at(photo.image, 250, 25) == (250, 0, 0)
    assert (pixels == before).all()


def test_a_file_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "Übergröße 1.JPG"
    path.write_bytes(encoded(stripes(), "JPEG"))
    before = path.read_bytes(), path.stat().st_mtime_ns
    assert load_photo(path, 1900).name == "Übergröße 1.JPG"
    assert load_photo(str(path), 1900).name == "Übergröße 1.JPG"
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("settings", [{}, {"progressive": True}])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_jpeg_is_never_a_photo(settings: dict[str, object], share: float) -> None:
    data = encoded(noise(), "JPEG", **settings)
    with pytest.raises(errors.PhotoTruncated):
        load_photo(data[: int(len(data) * share)], 1900)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_other_truncated_files_are_never_photos(kind: str, share: float) -> None:
    data = encoded(noise(), kind)
    with pytest.raises((errors.PhotoTruncated, errors.PhotoDamaged)):
        load_photo(data[: int(len(data) * share)], 1900)


@pytest.mark.parametrize("length", [16, 28, 200, 370, 0.3, 0.999, -1])
def test_a_heic_file_that_ends_before_its_boxes_is_truncated(length: float) -> None:
    data = encoded(noise(), "HEIF")
    end = int(len(data) * length) if 0 < length < 1 else int(length)
    with pytest.raises(errors.PhotoTruncated):
        read_header(data[:end])


def test_boxes_of_heic_files() -> None:
    data = encoded(noise(), "HEIF")
    at = data.index(b"mdat") - 4
    pixels = data[at + 8 :]
    to_the_end = data[:at] + b"\0\0\0\0mdat" + pixels
    assert read_header(to_the_end).size == (400, 300)
    # what phones append after the picture is no fault
    for appended in (b"\0" * 5000, b"SEFH" + bytes(100), b"\0\1\0\0mpvd" + bytes(9)):
        assert read_header(data + appended).size == (400, 300)
    # a length of 64 bits
    large = (16 + len(pixels)).to_bytes(8, "big")
    with pytest.raises(errors.PhotoTruncated):
        read_header(data[:at] + b"\0\0\0\1mdat" + large + pixels[:-1])
    with pytest.raises(errors.PhotoDamaged):
        read_header(data[:at] + b"\0\0\0\7mdat" + pixels)


def noise() -> PillowImage.Image:
    pixels = np.random.default_rng(7).integers(0, 255, (300, 400, 3)).astype(np.uint8)
    return PillowImage.fromarray(pixels)


def test_what_phones_append_to_a_jpeg_is_no_fault() -> None:
    data = encoded(stripes(), "JPEG")
    whole = load_photo(data, 1900).image
    for appended in (b"\0" * 5000, b"ftypmp42" * 1000, data[: len(data) // 2]):
        assert (load_photo(data + appended, 1900).image == whole).all()


def test_a_thumbnail_does_not_pass_for_the_end_of_the_picture() -> None:
    data = encoded(noise(), "JPEG")
    thumbnail = encoded(stripes().resize((60, 40)), "JPEG")
    segment = b"\xff\xed" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    photo = data[:2] + segment + data[2:]
    assert load_photo(photo, 1900).full_size == (400, 300)
    with pytest.raises(errors.PhotoTruncated):
        load_photo(photo[: len(photo) - 5000], 1900)


@pytest.mark.parametrize("settings", [{}, {"progressive": True}])
@pytest.mark.parametrize("quality", [5, 11, 13, 50, 75, 95])
def test_the_header_of_a_jpeg_tells_its_quality(quality: int, settings: dict[str, object]) -> None:
    data = encoded(stripes(), "JPEG", quality=quality, **settings)
    assert read_header(data).quality == pytest.approx(quality, abs=0.6)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIF"])
def test_other_formats_have_full_quality(kind: str) -> None:
    assert read_header(encoded(stripes(), kind)).quality == 100


def jpeg_claiming(width: int, height: int) -> bytes:
    data = encoded(stripes(), "JPEG")
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


@pytest.mark.parametrize(
    "data",
    [
        png_claiming(10_001, 10_000, b"x"),
        png_claiming(2**31 - 1, 2**31 - 1, b"x"),
        jpeg_claiming(65_500, 65_500),
        b"RIFF\xff\xff\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff" + b"\0" * 65536,
    ],
)
def test_over_100_megapixels_is_refused_from_the_header(data: bytes) -> None:
    with pytest.raises(errors.TooManyPixels, match="at most 100"):
        read_header(data)


def jpeg_of_scans(extra: int, comment: bytes = b"") -> bytes:
    """A progressive JPEG of some ten scans; its second scan comes as many times more."""
    data = encoded(stripes(), "JPEG", progressive=True)
    first = data.index(b"\xff\xda")
    tables = data.index(b"\xff\xc4", first)
    following = data.index(b"\xff\xc4", data.index(b"\xff\xda", tables))
    return data[:tables] + comment + extra * data[tables:following] + data[tables:]


def test_a_jpeg_of_absurdly_many_scans_is_refused_from_the_header() -> None:
    assert load_photo(jpeg_of_scans(80), 100).image.shape
    end_in_comment = b"\xff\xfe\x00\x04\xff\xd9"
    for data in (jpeg_of_scans(1000), jpeg_of_scans(1000, end_in_comment)):
        with pytest.raises(errors.TooManyScans, match="more than 100 steps"):
            read_header(data)


def test_a_picture_that_takes_too_long_to_decode_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = encoded(stripes().resize((6000, 4000)), "JPEG")
    monkeypatch.setattr(photo_module, "MAX_SECONDS", 0.001)
    with pytest.raises(errors.ReadingTooSlow):
        load_photo(data, 1900)


def test_a_header_that_claims_more_than_the_file_can_hold() -> None:
    for data in (jpeg_claiming(9_999, 9_999), png_claiming(9_999, 9_999, zlib.compress(b"x"))):
        with pytest.raises(errors.PhotoDamaged):
            read_header(data)


def test_no_pixels_at_all() -> None:
    with pytest.raises(errors.PhotoDamaged):
        load_photo(png_claiming(0, 5, b""), 1900)


def test_files_that_are_no_photos(tmp_path: Path) -> None:
    (tmp_path / "notes.jpg").write_text("total 73")
    (tmp_path / "empty.jpg").touch()
    cases = [
        (tmp_path / "nothing.jpg", errors.PhotoMissing),
        (tmp_path / "notes.jpg" / "below.jpg", errors.PhotoMissing),
        (tmp_path / ("x" * 300), errors.PhotoMissing),
        (Path("\0"), errors.PhotoMissing),
        (tmp_path, errors.PhotoIsNoFile),
        (tmp_path / "notes.jpg", errors.NotAnImage),
        (tmp_path / "empty.jpg", errors.PhotoEmpty),
    ]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.jpg")
        cases.append((tmp_path / "pipe.jpg", errors.PhotoIsNoFile))
    for path, error in cases:
        with pytest.raises(error):
            load_photo(path, 1900)


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF"])
def test_formats_that_are_not_read(kind: str) -> None:
    buffer = io.BytesIO()
    stripes().save(buffer, kind)
    with pytest.raises(errors.NotAnImage, match="JPEG, PNG, WebP or HEIC"):
        load_photo(buffer.getvalue(), 1900)


@pytest.mark.parametrize("array", [np.zeros((0, 5, 3), np.uint8), np.zeros((4, 4)), np.zeros(9)])
def test_arrays_that_are_no_pictures(array: np.ndarray) -> None:
    with pytest.raises(errors.NotAnImage):
        load_photo(array, 1900)


SEEDS = {kind: encoded(noise().resize((64, 48)), kind) for kind in ("JPEG", "PNG", "WEBP", "HEIF")}


@settings(max_examples=300, deadline=2000, derandomize=True)
@given(st.sampled_from(sorted(SEEDS)), st.data())
def test_mutated_files_give_a_photo_or_a_named_error(kind: str, data: st.DataObject) -> None:
    content = bytearray(SEEDS[kind])
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(1, len(content)))
    for mutated in (bytes(content), bytes(content[:cut])):
        try:
            photo = load_photo(mutated, 1900)
        except errors.BrikksError as error:
            assert str(error)
        else:
            assert photo.image.ndim == 3


# --- a photo without tones is never read as sure; an ordinary one, however lit, has them ----------


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
