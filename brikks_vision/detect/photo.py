"""A photo from a file, bytes or an array: checked by its header, decoded no larger than needed.

The header (size and EXIF orientation) is read here and not with Pillow, whose import alone takes
as long as decoding. Formats: JPEG (ITU-T T.81), PNG (W3C PNG, 3rd edition), WebP (RFC 9649),
HEIC (through pillow-heif, imported only then).
"""

from __future__ import annotations

import math
import stat
import zlib
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.errors import (
    FileTooLarge,
    NotAnImage,
    PhotoDamaged,
    PhotoEmpty,
    PhotoIsNoFile,
    PhotoMissing,
    PhotoNotPermitted,
    PhotoTruncated,
    TooManyPixels,
)

Image = NDArray[np.uint8]
Format = Literal["jpeg", "png", "webp", "heic"]

MAX_PIXELS = 100_000_000
MAX_FILE_BYTES = 300_000_000
# Decoding may hold this much at once; formats that need more bytes a pixel get fewer pixels.
MAX_DECODED_BYTES = 400_000_000

_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
_BOXES = (b"ftyp", b"meta", b"moov", b"mdat", b"free", b"skip", b"uuid")  # of a HEIC file
_STRIP_ROWS = 512  # a multiple of every reduction


@dataclass(frozen=True)
class Photo:
    """A decoded photo.

    ``image``: (H, W, 3) uint8 BGR, upright by its EXIF orientation, to be left unchanged.
    ``full_size``: (width, height) of the upright photo at full resolution, in px.
    ``scale``: decoded px by full px: 1, 1/2, 1/4 or 1/8.
    ``name``: what to call it (the file's name).
    ``is_flipped``: whether ``image`` was flipped left to right, because the photo shows a mirror
    image of the sheet.
    """

    image: Image
    full_size: tuple[int, int]
    scale: float
    name: str
    is_flipped: bool = False

    def flipped(self) -> Photo:
        """The same photo as seen in a mirror."""
        image = np.asarray(cv2.flip(self.image, 1), np.uint8)
        return replace(self, image=image, is_flipped=not self.is_flipped)


@dataclass(frozen=True)
class ImageHeader:
    """What a file says of its picture before decoding.

    ``size``: (width, height) as stored, before the EXIF orientation (1-8) is applied.
    ``taken``: the camera's wall clock when the photo was taken, without a zone, right or wrong;
    None where the file does not tell.
    """

    format: Format
    size: tuple[int, int]
    orientation: int
    has_alpha: bool
    taken: datetime | None = None


def load_photo(source: str | Path | bytes | NDArray[Any], wanted_long_side: int) -> Photo:
    """Decode a photo at the smallest of 1, 1/2, 1/4, 1/8 that keeps its long side long enough.

    Parameters
    ----------
    source
        A path, a file's bytes, or an array: (H, W, 3) BGR, (H, W, 4) BGRA or (H, W) grey, uint8 or
        uint16. Never changed.
    wanted_long_side
        The least length in px of the decoded long side (less only where the photo has less).

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile
        There is nothing to open at the path.
    PhotoEmpty, PhotoTruncated, PhotoDamaged, NotAnImage, FileTooLarge, TooManyPixels
        It is no picture that can be decoded; the last two before anything is decoded.
    """
    if isinstance(source, np.ndarray):
        return _photo_from_array(source, wanted_long_side)
    if isinstance(source, bytes):
        return _photo_from_bytes(source, wanted_long_side, "photo")
    path = Path(source)
    return _photo_from_bytes(read_file(path), wanted_long_side, path.name)


def read_stream(stream: BinaryIO) -> bytes:
    """What a binary file object still has to tell; it stays open.

    Raises
    ------
    FileTooLarge, NotAnImage
        The latter for a file that was opened as text.
    """
    try:
        data: object = stream.read(MAX_FILE_BYTES + 1)
    except UnicodeDecodeError:
        raise NotAnImage from None
    if not isinstance(data, bytes):
        raise NotAnImage
    if len(data) > MAX_FILE_BYTES:
        raise FileTooLarge(len(data) // 1_000_000, MAX_FILE_BYTES // 1_000_000)
    return data


def read_file(path: Path) -> bytes:
    """The bytes of a photo file.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, FileTooLarge, PhotoEmpty
    """
    try:
        status = path.stat()
        # Opening a pipe or a device could wait, or read, forever.
        if not stat.S_ISREG(status.st_mode):
            raise PhotoIsNoFile(path)
        if status.st_size > MAX_FILE_BYTES:
            raise FileTooLarge(status.st_size // 1_000_000, MAX_FILE_BYTES // 1_000_000)
        data = path.read_bytes()
    except PermissionError:
        raise PhotoNotPermitted(path) from None
    except (OSError, ValueError):  # ValueError: a name with a null character
        raise PhotoMissing(path) from None
    if not data:
        raise PhotoEmpty
    return data


def read_header(data: bytes) -> ImageHeader:
    """Format, size and orientation of the picture in a file's bytes, without decoding it.

    Raises
    ------
    PhotoEmpty, PhotoTruncated, PhotoDamaged, NotAnImage, TooManyPixels
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


def reduction(long_side: int, wanted_long_side: int) -> int:
    """The largest of 8, 4, 2, 1 that divides ``long_side`` to no less than wanted.

    >>> reduction(4032, 1900), reduction(3000, 1900)
    (2, 1)
    """
    return next((by for by in (8, 4, 2) if long_side >= by * wanted_long_side), 1)


# --- decoding ------------------------------------------------------------------------------------


def _photo_from_bytes(data: bytes, wanted_long_side: int, name: str) -> Photo:
    header = read_header(data)
    width, height = header.size
    by = reduction(max(width, height), wanted_long_side)
    if header.format == "heic":
        image = _decode_heic(data, by)
    elif header.format == "jpeg":
        image = _decode_jpeg(data, by)
    elif header.format == "png":
        image = _decode_whole(_png_without_metadata(data), header.has_alpha, by)
    else:
        image = _decode_whole(data, header.has_alpha, by)
    if header.orientation >= 5:
        width, height = height, width
    return Photo(_upright(image, header.orientation), (width, height), 1 / by, name)


def _photo_from_array(array: NDArray[Any], wanted_long_side: int) -> Photo:
    if array.dtype not in (np.uint8, np.uint16) or array.ndim not in (2, 3) or not array.size:
        raise NotAnImage
    if array.ndim == 3 and array.shape[2] not in (1, 3, 4):
        raise NotAnImage
    height, width = array.shape[:2]
    _check_pixels((width, height), 1)
    by = reduction(max(width, height), wanted_long_side)
    return Photo(_bgr_reduced(array, by), (width, height), 1 / by, "photo")


def _check_pixels(size: tuple[int, int], bytes_per_pixel: int) -> None:
    """``bytes_per_pixel``: what the decoder holds for each pixel at the worst."""
    width, height = size
    if width < 1 or height < 1:
        raise PhotoDamaged
    limit = min(MAX_PIXELS, MAX_DECODED_BYTES // max(1, bytes_per_pixel))
    if width * height > limit:
        raise TooManyPixels(math.ceil(width * height / 1e6), limit // 1_000_000)


def _decode(data: bytes, flags: int) -> NDArray[Any]:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        raise PhotoDamaged from None
    if image is None:
        raise PhotoDamaged
    return image


def _decode_jpeg(data: bytes, by: int) -> Image:
    return np.asarray(_decode(data, _REDUCED[by]), np.uint8)


def _decode_whole(data: bytes, has_alpha: bool, by: int) -> Image:
    flags = cv2.IMREAD_UNCHANGED if has_alpha else cv2.IMREAD_COLOR
    return _bgr_reduced(_decode(data, flags), by)


def _decode_heic(data: bytes, by: int) -> Image:
    import pillow_heif

    try:
        # libheif applies the file's own rotation, so there is no EXIF orientation left to apply.
        picture = pillow_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
        return _bgr_reduced(np.asarray(picture), by)
    except Exception:  # libheif's errors come as many classes, IndexError among them
        raise PhotoDamaged from None


def _bgr_reduced(pixels: NDArray[Any], by: int) -> Image:
    """uint8 BGR, ``by`` times smaller; transparent is white. In strips: alpha needs memory."""
    if by == 1 and pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3:
        return np.ascontiguousarray(pixels)
    strips = []
    for top in range(0, pixels.shape[0], _STRIP_ROWS):
        strip = _bgr(pixels[top : top + _STRIP_ROWS])
        size = (math.ceil(strip.shape[1] / by), math.ceil(strip.shape[0] / by))
        strips.append(cv2.resize(strip, size, interpolation=cv2.INTER_AREA) if by > 1 else strip)
    return np.asarray(np.vstack(strips), np.uint8)


def _bgr(pixels: NDArray[Any]) -> Image:
    if pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    if pixels.ndim == 2 or pixels.shape[2] == 1:
        return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_GRAY2BGR), np.uint8)
    if pixels.shape[2] == 3:
        return pixels
    color, alpha = pixels[:, :, :3].astype(np.uint16), pixels[:, :, 3:].astype(np.uint16)
    return np.asarray((color * alpha + 255 * (255 - alpha) + 127) // 255, np.uint8)


def _upright(image: Image, orientation: int) -> Image:
    """The image as it was seen, from EXIF orientation 1-8 (CIPA DC-008, tag 0x0112)."""
    if orientation in (5, 6, 7, 8):
        image = np.asarray(cv2.transpose(image), np.uint8)
    flip = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return image if flip is None else np.asarray(cv2.flip(image, flip), np.uint8)


# --- headers -------------------------------------------------------------------------------------


def _number(data: bytes, at: int, length: int, order: Literal["big", "little"]) -> int:
    if at < 0 or at + length > len(data):
        raise PhotoTruncated
    return int.from_bytes(data[at : at + length], order)


def _jpeg_header(data: bytes) -> ImageHeader:
    size: tuple[int, int] | None = None
    exif, at = b"", 2
    while True:
        # Decoders skip what stands between segments; markers may be padded with 0xff.
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
            _check_pixels(size, 4)
        elif marker == 0xE1 and data[at + 2 : at + 8] == b"Exif\0\0":
            exif = data[at + 8 : at + length]
        elif marker == 0xDA:
            break
        at += max(length, 2)
    if size is None:
        raise PhotoDamaged
    # The decoder would paint what is missing grey. Bytes after the end of the image are no fault:
    # phones append films, depth maps and second pictures there.
    if data.rfind(b"\xff\xd9", at) < 0:
        raise PhotoTruncated
    # Every 8x8 block takes a bit at least, so a far shorter file lies about its size.
    if len(data) < size[0] * size[1] / (64 * 8):
        raise PhotoDamaged
    return ImageHeader("jpeg", size, _exif_orientation(exif), False, _exif_time(exif))


def _png_header(data: bytes) -> ImageHeader:
    width, height = _number(data, 16, 4, "big"), _number(data, 20, 4, "big")
    depth, color_type = _number(data, 24, 1, "big"), _number(data, 25, 1, "big")
    _check_pixels((width, height), 3)
    exif, has_alpha, pixel_bytes = b"", color_type in (4, 6), 0
    for kind, start, end in _png_chunks(data):
        if kind == b"eXIf":
            exif = data[start:end]
        elif kind == b"tRNS":
            has_alpha = True
        elif kind == b"IDAT":
            pixel_bytes += end - start
    bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(color_type, 1)
    # Deflate packs at most 1032 to 1, so a far shorter file lies about its size.
    if pixel_bytes * 1032 < width * height * bits / 8:
        raise PhotoDamaged
    bytes_per_pixel = (4 if has_alpha else 3) * (2 if depth == 16 and has_alpha else 1)
    _check_pixels((width, height), bytes_per_pixel)
    orientation, taken = _exif_orientation(exif), _exif_time(exif)
    return ImageHeader("png", (width, height), orientation, has_alpha, taken)


def _png_chunks(data: bytes) -> list[tuple[bytes, int, int]]:
    """(kind, start, end) of each chunk's content, the critical ones checked."""
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


def _png_without_metadata(data: bytes) -> bytes:
    # The decoder prints warnings about odd colour profiles and texts; pixels need none of them.
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
    _check_pixels(size, bytes_per_pixel)
    if len(data) < _number(data, 4, 4, "little") + 8:
        raise PhotoTruncated
    exif = _webp_exif(data)
    return ImageHeader("webp", size, _exif_orientation(exif), has_alpha, _exif_time(exif))


def _webp_size(data: bytes) -> tuple[tuple[int, int], bool, int]:
    """((width, height), whether it has alpha, bytes per pixel in the decoder)."""
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
    """The TIFF block; empty where there is none."""
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
    except Exception:  # libheif's errors come as many classes, IndexError among them
        raise PhotoDamaged from None
    _check_pixels((int(width), int(height)), 4)
    return ImageHeader("heic", (int(width), int(height)), 1, False, _exif_time(exif))


def _check_boxes(data: bytes) -> None:
    """Raises PhotoTruncated where the file ends before its boxes do (ISO/IEC 14496-12, 4.2)."""
    at, kinds, has_pixels = 0, set[bytes](), False
    # What is appended after the picture, as by phones that add a film, need be no box.
    while at < len(data) and not (has_pixels and data[at + 4 : at + 8] not in _BOXES):
        length, kind = _number(data, at, 4, "big"), data[at + 4 : at + 8]
        if length == 1:
            length = _number(data, at + 8, 8, "big")
        elif length == 0:  # to the end, wherever that is
            return
        if length < 8:
            raise PhotoDamaged
        if at + length > len(data):
            raise PhotoTruncated
        kinds.add(kind)
        # Small pictures may lie in a box within.
        has_pixels |= kind == b"mdat" or (kind == b"meta" and b"idat" in data[at : at + length])
        at += length
    if not has_pixels or kinds.isdisjoint((b"meta", b"moov")):
        raise PhotoTruncated


def _exif_orientation(tiff: bytes) -> int:
    """Orientation 1-8 from a TIFF block; 1 where it has none or is broken."""
    order = _byte_order(tiff)
    try:
        at = _exif_entry(tiff, _number(tiff, 4, 4, order), 0x0112)
        value = 1 if at is None else _number(tiff, at + 8, 2, order)
    except PhotoTruncated:
        return 1
    return value if 1 <= value <= 8 else 1


def _exif_time(tiff: bytes) -> datetime | None:
    """DateTimeOriginal (CIPA DC-008, tag 0x9003) from a TIFF block, without a zone."""
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
    except (PhotoTruncated, ValueError):  # cameras without a clock write blanks or zeros
        return None


def _byte_order(tiff: bytes) -> Literal["big", "little"]:
    return "little" if tiff[:2] == b"II" else "big"


def _exif_entry(tiff: bytes, directory: int, tag: int) -> int | None:
    """Where the entry of that tag stands in a directory, or None; raises PhotoTruncated."""
    order = _byte_order(tiff)
    for entry in range(_number(tiff, directory, 2, order)):
        at = directory + 2 + 12 * entry
        if _number(tiff, at, 2, order) == tag:
            return at
    return None
