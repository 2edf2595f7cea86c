"""What a photo file says of its picture before decoding: format, size, orientation, quality, date.

The header is read here and not with Pillow, whose import alone takes as long as decoding. Formats:
JPEG (ITU-T T.81), PNG (W3C PNG, 3rd edition), WebP (RFC 9649), HEIC (through pillow-heif, imported
only then).
"""

from __future__ import annotations

import math
import re
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from brikks_vision.errors import (
    NotAnImage,
    PhotoDamaged,
    PhotoEmpty,
    PhotoTruncated,
    TooManyPixels,
    TooManyScans,
)

Format = Literal["jpeg", "png", "webp", "heic"]
MAX_PIXELS = 100_000_000  # a larger picture is refused before it is decoded
MAX_DECODED_BYTES = 400_000_000  # held while decoding; formats with more bytes a pixel get fewer px
MAX_SCANS = 100  # of a JPEG; encoders write some ten, and each costs a pass over all blocks
MAX_SECONDS = 120  # that one photo may take, wherever it is read
_SEQUENTIAL = (0xC0, 0xC1)  # frames (T.81, B.1.1.3) that are one scan where it has all components
# steps of the lowest luma frequencies, in zigzag order, at quality 50 (T.81, table K.1)
_MEDIUM_STEPS = (16, 11, 12, 14, 12, 10, 16, 14, 13, 14)
_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")  # but for restarts: ends the data of a scan
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
_BOXES = (b"ftyp", b"meta", b"moov", b"mdat", b"free", b"skip", b"uuid")  # of a HEIC file


@dataclass(frozen=True)
class ImageHeader:
    """What a file says of its picture before decoding.

    ``size``: (width, height) in px as stored, before the EXIF orientation (1-8) is applied.
    ``taken``: the camera's wall clock when the photo was taken, without a time zone; None if the
    file has none. ``quality``: of a JPEG, 1 to 100 as libjpeg counts it, by how coarsely brightness
    is kept; 100 of other formats.
    """

    format: Format
    size: tuple[int, int]
    orientation: int
    has_alpha: bool
    taken: datetime | None = None
    quality: float = 100.0


def read_header(data: bytes) -> ImageHeader:
    """Format, size, orientation, quality and date of the picture in a file's bytes.

    Nothing is decoded.

    Raises
    ------
    PhotoEmpty, PhotoTruncated, PhotoDamaged, NotAnImage, TooManyPixels, TooManyScans
    """
    if not data:
        raise PhotoEmpty
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg_header(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png_header(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_header(data)
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        return _heic_header(data)
    raise NotAnImage


def check_pixels(size: tuple[int, int], bytes_per_pixel: int) -> None:
    """Refuse a size that would need too much memory to decode.

    ``bytes_per_pixel`` : what the decoder holds for each pixel at most.

    Raises
    ------
    PhotoDamaged, TooManyPixels
    """
    width, height = size
    if width < 1 or height < 1:
        raise PhotoDamaged
    limit = min(MAX_PIXELS, MAX_DECODED_BYTES // max(1, bytes_per_pixel))
    if width * height > limit:
        raise TooManyPixels(math.ceil(width * height / 1e6), limit // 1_000_000)


def _number(data: bytes, at: int, length: int, order: Literal["big", "little"]) -> int:
    if at < 0 or at + length > len(data):
        raise PhotoTruncated
    return int.from_bytes(data[at : at + length], order)


def _jpeg_header(data: bytes) -> ImageHeader:
    size: tuple[int, int] | None = None
    exif, at, frame, components, quality = b"", 2, 0, 0, 100.0
    while True:
        # Decoders skip bytes between segments; markers may be padded with 0xff.
        at = data.find(b"\xff", at)
        if at < 0:
            raise PhotoTruncated
        marker = _number(data, at + 1, 1, "big")
        if marker == 0xFF:
            at += 1
            continue
        at += 2
        if marker in (0x00, 0x01) or 0xD0 <= marker <= 0xD8:
            continue
        if marker == 0xD9:
            raise PhotoDamaged
        length = _number(data, at, 2, "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            size = (_number(data, at + 5, 2, "big"), _number(data, at + 3, 2, "big"))
            check_pixels(size, 4)
            frame, components = marker, _number(data, at + 7, 1, "big")
        elif marker == 0xE1 and data[at + 2 : at + 8] == b"Exif\0\0":
            exif = data[at + 8 : at + length]
        elif marker == 0xDB:
            quality = _luma_quality(data[at + 2 : at + length], quality)
        elif marker == 0xDA:
            break
        at += max(length, 2)
    if size is None:
        raise PhotoDamaged
    # The decoder would paint missing parts grey. Bytes after the end of the image are no error:
    # phones append films, depth maps and second pictures.
    if data.rfind(b"\xff\xd9", at) < 0:
        raise PhotoTruncated
    if frame not in _SEQUENTIAL or _number(data, at + 2, 1, "big") < components:
        _check_scans(data, at + length)
    # Every 8 x 8 block takes at least one bit, so a much shorter file has a wrong size.
    if len(data) < size[0] * size[1] / (64 * 8):
        raise PhotoDamaged
    orientation, taken = _exif_orientation(exif), _exif_time(exif)
    return ImageHeader("jpeg", size, orientation, False, taken, quality)


def _luma_quality(tables: bytes, known: float) -> float:
    """Quality 1 to 100 by the first of a segment's quantisation tables (T.81, B.2.4.1).

    That is the one for luma in what libjpeg, phones and messengers write. ``known``: returned where
    it is not among them.
    """
    at = 0
    while at < len(tables):
        size = 2 if tables[at] >> 4 else 1
        if tables[at] & 15 == 0:
            steps = tables[at + 1 : at + 1 + size * len(_MEDIUM_STEPS)]
            total = sum(
                int.from_bytes(steps[i : i + size], "big") for i in range(0, len(steps), size)
            )
            scale = 100 * max(1, total) / sum(_MEDIUM_STEPS)  # libjpeg's jpeg_quality_scaling
            return max(1.0, 5000 / scale if scale > 100 else 100 - scale / 2)
        at += 1 + 64 * size
    return known


def _check_scans(data: bytes, at: int) -> None:
    """Refuse a JPEG with too many scans; ``at``: where the data of the first begins.

    Raises
    ------
    TooManyScans
    """
    scans = 1
    while (found := _MARKER.search(data, at)) is not None:
        marker, at = data[found.end() - 1], found.end()
        if marker == 0xD9:
            return
        scans += marker == 0xDA
        if scans > MAX_SCANS:
            raise TooManyScans(MAX_SCANS)
        if marker != 0x01:
            at += max(int.from_bytes(data[at : at + 2], "big"), 2)


def _png_header(data: bytes) -> ImageHeader:
    width, height = _number(data, 16, 4, "big"), _number(data, 20, 4, "big")
    depth, color_type = _number(data, 24, 1, "big"), _number(data, 25, 1, "big")
    check_pixels((width, height), 3)
    exif, has_alpha, pixel_bytes = b"", color_type in (4, 6), 0
    for kind, start, end in _png_chunks(data):
        if kind == b"eXIf":
            exif = data[start:end]
        elif kind == b"tRNS":
            has_alpha = True
        elif kind == b"IDAT":
            pixel_bytes += end - start
    bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(color_type, 1)
    # Deflate compresses at most 1032 to 1, so a much shorter file has a wrong size.
    if pixel_bytes * 1032 < width * height * bits / 8:
        raise PhotoDamaged
    bytes_per_pixel = (4 if has_alpha else 3) * (2 if depth == 16 and has_alpha else 1)
    check_pixels((width, height), bytes_per_pixel)
    orientation, taken = _exif_orientation(exif), _exif_time(exif)
    return ImageHeader("png", (width, height), orientation, has_alpha, taken)


def _png_chunks(data: bytes) -> list[tuple[bytes, int, int]]:
    """(kind, start, end) of each chunk's content; verifies the checksums of those that matter."""
    chunks, at = [], 8
    while True:
        length = _number(data, at, 4, "big")
        kind, start, end = data[at + 4 : at + 8], at + 8, at + 8 + length
        checksum = _number(data, end, 4, "big")
        if kind in (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS") and checksum != zlib.crc32(
            memoryview(data)[at + 4 : end]
        ):
            raise PhotoDamaged
        chunks.append((kind, start, end))
        if kind == b"IEND":
            return chunks
        at = end + 4


def png_without_metadata(data: bytes) -> bytes:
    """The file without chunks that do not affect pixels; the decoder warns about odd ones."""
    kept = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
    chunks = _png_chunks(data)
    if all(kind in kept for kind, _, _ in chunks):
        return data
    view = memoryview(data)
    return b"".join(
        [view[:8], *(view[start - 8 : end + 4] for kind, start, end in chunks if kind in kept)]
    )


def _webp_header(data: bytes) -> ImageHeader:
    size, has_alpha, bytes_per_pixel = _webp_size(data)
    check_pixels(size, bytes_per_pixel)
    if len(data) < _number(data, 4, 4, "little") + 8:
        raise PhotoTruncated
    exif = _webp_exif(data)
    return ImageHeader("webp", size, _exif_orientation(exif), has_alpha, _exif_time(exif))


def _webp_size(data: bytes) -> tuple[tuple[int, int], bool, int]:
    """(width, height), whether there is an alpha channel, and the decoder's bytes per pixel."""
    kind, at = data[12:16], 20
    if kind == b"VP8 ":
        size = (_number(data, at + 6, 2, "little"), _number(data, at + 8, 2, "little"))
        return (size[0] & 0x3FFF, size[1] & 0x3FFF), False, 3
    if kind == b"VP8L":
        bits = _number(data, at + 1, 4, "little")
        return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1), bool(bits >> 28 & 1), 4
    if kind != b"VP8X":
        raise PhotoDamaged
    flags = _number(data, at, 1, "little")
    size = (_number(data, at + 4, 3, "little") + 1, _number(data, at + 7, 3, "little") + 1)
    # An animation is decoded with several canvases at once.
    return size, bool(flags & 0x10), 16 if flags & 0x02 else 4


def _webp_exif(data: bytes) -> bytes:
    """The TIFF block of the EXIF data; empty if there is none."""
    at = 12
    while at + 8 <= len(data):
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        if data[at : at + 4] == b"EXIF":
            return data[at + 8 : at + 8 + length].removeprefix(b"Exif\0\0")
        at += 8 + length + length % 2
    return b""


def _heic_header(data: bytes) -> ImageHeader:
    import pillow_heif

    _check_boxes(data)
    try:
        picture = pillow_heif.open_heif(data)
        width, height = picture.size
        exif = bytes(picture.info.get("exif") or b"").removeprefix(b"Exif\0\0")
    except Exception:  # libheif raises many classes, IndexError among them.
        raise PhotoDamaged from None
    check_pixels((int(width), int(height)), 4)
    return ImageHeader("heic", (int(width), int(height)), 1, False, _exif_time(exif))


def _check_boxes(data: bytes) -> None:
    """Refuse a file that ends before its boxes do (ISO/IEC 14496-12, 4.2).

    Raises
    ------
    PhotoTruncated, PhotoDamaged
    """
    at, kinds, has_pixels = 0, set[bytes](), False
    # Bytes after the picture, such as the films that phones append, need not be boxes.
    while at < len(data) and not (has_pixels and data[at + 4 : at + 8] not in _BOXES):
        length, kind = _number(data, at, 4, "big"), data[at + 4 : at + 8]
        if length == 1:
            length = _number(data, at + 8, 8, "big")
        elif length == 0:  # The box extends to the end of the file.
            return
        if length < 8:
            raise PhotoDamaged
        if at + length > len(data):
            raise PhotoTruncated
        kinds.add(kind)
        # A small picture may lie in an inner box.
        has_pixels |= kind == b"mdat" or (kind == b"meta" and b"idat" in data[at : at + length])
        at += length
    if not has_pixels or kinds.isdisjoint((b"meta", b"moov")):
        raise PhotoTruncated


def _exif_orientation(tiff: bytes) -> int:
    """Orientation 1-8 from a TIFF block; 1 if there is none or the block is damaged."""
    order = _byte_order(tiff)
    try:
        at = _exif_entry(tiff, _number(tiff, 4, 4, order), 0x0112)
        value = 1 if at is None else _number(tiff, at + 8, 2, order)
    except PhotoTruncated:
        return 1
    return value if 1 <= value <= 8 else 1


def _exif_time(tiff: bytes) -> datetime | None:
    """DateTimeOriginal (CIPA DC-008, tag 0x9003) from a TIFF block, without a time zone."""
    order = _byte_order(tiff)
    try:
        pointer = _exif_entry(tiff, _number(tiff, 4, 4, order), 0x8769)
        if pointer is None:
            return None
        at = _exif_entry(tiff, _number(tiff, pointer + 8, 4, order), 0x9003)
        if at is None:
            return None
        start = _number(tiff, at + 8, 4, order)
        year, month, day, hour, minute, second = (
            int(tiff[start + offset : start + offset + width])
            for offset, width in ((0, 4), (5, 2), (8, 2), (11, 2), (14, 2), (17, 2))
        )
        return datetime(year, month, day, hour, minute, second)
    except (PhotoTruncated, ValueError):  # Cameras without a clock write blanks or zeros.
        return None


def _byte_order(tiff: bytes) -> Literal["big", "little"]:
    return "little" if tiff[:2] == b"II" else "big"


def _exif_entry(tiff: bytes, directory: int, tag: int) -> int | None:
    """Offset of the entry with a tag in a directory, or None; raises PhotoTruncated."""
    order = _byte_order(tiff)
    for entry in range(_number(tiff, directory, 2, order)):
        at = directory + 2 + 12 * entry
        if _number(tiff, at, 2, order) == tag:
            return at
    return None
