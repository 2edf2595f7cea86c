"""Photos as they are decoded, and whether they kept their tones.

Recognises photos that have lost their tones: thresholded to black and white, or posterized.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.headers import (
    MAX_SECONDS,
    ImageHeader,
    check_pixels,
    png_without_metadata,
    read_header,
)
from brikks_vision.detect.placement import Image
from brikks_vision.errors import (
    FileTooLarge,
    NotAnImage,
    PhotoDamaged,
    PhotoEmpty,
    PhotoIsNoFile,
    PhotoMissing,
    PhotoNotPermitted,
    ReadingTooSlow,
    SourceUnknown,
)

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

# Set by hand where no source is named.
FEW_TONES = 16  # of a channel; with so few tones all marks look equally strong
# share of the pixels with other tones than the `FEW_TONES` most common ones, in some channel.
# Pictures in black and white or with up to 16 levels have 0; sheets had 0.25 or more, one in 48
# colours 0.05
MIN_OTHER_TONES = 0.005
# share of the pixels that may be darker, or lighter, than the range of tones
OUTLYING_TONES = 0.001
# share of the pixels in the middle half of the range of tones, in some channel. Pictures in black
# and white have 0, even as a JPEG of quality 70. Sheets had 0.13 or more; with doubled light, so
# that most is white, 0.013; whitened as by apps that scan documents, 0.057
MIN_BETWEEN = 0.002


def has_tones(image: Image) -> bool:
    """Whether a picture has many tones, not just a few or two extremes.

    ``image`` : uint8 BGR (height, width, 3), as large as it was taken: scaling mixes tones.
    """
    counts = [cv2.calcHist([image], [channel], None, [256], [0, 256]) for channel in range(3)]
    shares = np.reshape(counts, (3, 256)) / (image.shape[0] * image.shape[1])
    others = np.sort(shares, axis=1)[:, :-FEW_TONES].sum(axis=1)
    below = shares.cumsum(axis=1)
    darkest, lightest = (
        (below < limit).sum(axis=1) for limit in (OUTLYING_TONES, 1 - OUTLYING_TONES)
    )
    quarter = (lightest - darkest) / 4
    tones = np.arange(256)
    is_between = (tones > (darkest + quarter)[:, None]) & (tones < (lightest - quarter)[:, None])
    between = (shares * is_between).sum(axis=1)
    return bool(others.max() >= MIN_OTHER_TONES and between.max() >= MIN_BETWEEN)


# Set by hand where no source is named.
# quality of a JPEG, as libjpeg counts it; cameras and messengers use 50 or more. About one in 50
# photos of quality 5, 900 px long, was read wrong and called sure
MIN_QUALITY = 12.0
TONE_ROWS = 100  # rows of pixels of a picture at which its tones are counted
MAX_STRIP = 20  # times as long as wide; a narrower photo shows no sheet and no board

Stored: TypeAlias = str | Path | bytes | NDArray[Any]
"""A source that can be decoded more than once."""
Source: TypeAlias = "Stored | os.PathLike[str] | bytearray | memoryview | BinaryIO | PillowImage"
"""A photo as a caller of `scan` may give it; `stored` takes it."""

MAX_FILE_BYTES = 300_000_000  # a larger file is refused before it is read
_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_STRIP_ROWS = 512  # a multiple of every reduction
_Pixels = TypeVar("_Pixels")


@dataclass(frozen=True)
class Photo:
    """A decoded photo.

    ``image``: (H, W, 3) uint8 BGR, upright by its EXIF orientation, to be left unchanged.
    ``full_size``: (width, height) of the upright photo at full resolution, in px.
    ``scale``: decoded px per full px: of `load_photo` 1, 1/2, 1/4 or 1/8.
    ``name``: the file's name.
    ``is_flipped``: ``image`` was flipped left to right, because the photo shows the sheet mirrored.
    ``keeps_tones``: false of a JPEG of very low quality, and of a picture with few tones: what is
    read in it is never sure.
    """

    image: Image
    full_size: tuple[int, int]
    scale: float
    name: str
    is_flipped: bool = False
    keeps_tones: bool = True

    def flipped(self) -> Photo:
        """The photo flipped left to right."""
        image = np.asarray(cv2.flip(self.image, 1), np.uint8)
        return replace(self, image=image, is_flipped=not self.is_flipped)

    @property
    def is_strip(self) -> bool:
        """Whether the photo is too narrow to show a sheet or a board."""
        return max(self.full_size) > MAX_STRIP * min(self.full_size)

    def at_most(self, long_side: int) -> Photo:
        """The photo scaled down so that its long side has no more than so many px."""
        factor = long_side / max(self.image.shape[:2])
        if factor >= 1:
            return self
        small = cv2.resize(self.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        return replace(self, image=np.asarray(small, np.uint8), scale=self.scale * factor)


def stored(source: Source) -> Stored:
    """The photo as `load_photo` takes it: of what can be read once only, all that it holds.

    A file object is read to its end and stays open; an image of Pillow becomes a BGR array, upright
    by its EXIF orientation. Neither is changed otherwise.

    Raises
    ------
    SourceUnknown
        It is nothing that holds a photo.
    PhotoDamaged, TooManyPixels, FileTooLarge, NotAnImage, PhotoIsNoFile
    """
    if isinstance(source, str | Path | bytes | np.ndarray):
        return source
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    if isinstance(source, os.PathLike):
        return Path(source)
    from PIL import Image as Pillow

    if isinstance(source, Pillow.Image):
        return _array_from_pillow(source)
    if not hasattr(source, "read"):
        raise SourceUnknown(type(source).__name__)
    return read_stream(source)


def _array_from_pillow(picture: PillowImage) -> NDArray[Any]:
    """BGR; BGRA if it may be transparent; grey if it has 16 bits."""
    from PIL import ImageOps

    check_pixels(picture.size, 4)
    try:
        upright = ImageOps.exif_transpose(picture)
        if upright.mode.startswith("I"):  # Pillow would cut off all above 255
            return np.asarray(upright).astype(np.uint16)
        is_opaque = not upright.has_transparency_data
        pixels = np.asarray(upright.convert("RGB" if is_opaque else "RGBA"))
    except Exception:  # Pillow's decoders raise many classes, SyntaxError among them.
        raise PhotoDamaged from None
    return np.ascontiguousarray(pixels[..., [2, 1, 0, 3][: pixels.shape[2]]])


def load_photo(
    source: Stored, wanted_long_side: int, meanwhile: Callable[[], object] = lambda: None
) -> Photo:
    """Decode a photo at the smallest of the scales 1, 1/2, 1/4, 1/8 that is large enough.

    Parameters
    ----------
    source
        A path, a file's bytes, or an array: (H, W, 3) BGR, (H, W, 4) BGRA or (H, W) grey, uint8 or
        uint16. Never changed.
    wanted_long_side
        Minimum length, in px, of the decoded long side; shorter only if the photo is.
    meanwhile
        Work that needs the interpreter, which decoding a file does not; of an array not done.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile
        No file can be opened at the path.
    PhotoEmpty, PhotoTruncated, PhotoDamaged, NotAnImage, FileTooLarge, TooManyPixels, TooManyScans
        The picture cannot be decoded; the last three are raised before decoding.
    ReadingTooSlow
        Decoding takes longer than `MAX_SECONDS`.
    """
    if isinstance(source, np.ndarray):
        return _photo_from_array(source, wanted_long_side)
    if isinstance(source, bytes):
        return _photo_from_bytes(source, wanted_long_side, "photo", meanwhile)
    path = Path(source)
    return _photo_from_bytes(read_file(path), wanted_long_side, path.name, meanwhile)


def read_stream(stream: BinaryIO) -> bytes:
    """Read a binary file object to its end; it stays open.

    Raises
    ------
    FileTooLarge
    NotAnImage
        The file was opened as text.
    PhotoIsNoFile
        It is closed, or cannot be read.
    """
    try:
        data: object = stream.read(MAX_FILE_BYTES + 1)
    except UnicodeDecodeError:
        raise NotAnImage from None
    except Exception:  # an object of the caller's own may raise any
        raise PhotoIsNoFile(getattr(stream, "name", type(stream).__name__)) from None
    if not isinstance(data, bytes):
        raise NotAnImage
    if len(data) > MAX_FILE_BYTES:
        raise FileTooLarge(len(data) // 1_000_000, MAX_FILE_BYTES // 1_000_000)
    return data


def read_file(path: Path) -> bytes:
    """Read the bytes of a photo file.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, FileTooLarge, PhotoEmpty
    """
    try:
        status = path.stat()
        # Reading a pipe or a device might never end.
        if not stat.S_ISREG(status.st_mode):
            raise PhotoIsNoFile(path)
        if status.st_size > MAX_FILE_BYTES:
            raise FileTooLarge(status.st_size // 1_000_000, MAX_FILE_BYTES // 1_000_000)
        data = path.read_bytes()
    except PermissionError:
        raise PhotoNotPermitted(path) from None
    except (OSError, ValueError):  # ValueError: a name with a null character.
        raise PhotoMissing(path) from None
    if not data:
        raise PhotoEmpty
    return data


def reduction(long_side: int, wanted_long_side: int) -> int:
    """The largest of 8, 4, 2, 1 by which a long side can be divided without falling below another.

    >>> reduction(4032, 1900), reduction(3000, 1900)
    (2, 1)
    """
    return next((by for by in (8, 4, 2) if long_side >= by * wanted_long_side), 1)


def _photo_from_bytes(
    data: bytes, wanted_long_side: int, name: str, meanwhile: Callable[[], object]
) -> Photo:
    header = read_header(data)
    width, height = header.size
    by = reduction(max(width, height), wanted_long_side)
    image, keeps_tones = _in_time(lambda: _decoded(data, header, by), meanwhile)
    if header.orientation >= 5:
        width, height = height, width
    upright = _upright(image, header.orientation)
    keeps_tones &= header.quality >= MIN_QUALITY
    return Photo(upright, (width, height), 1 / by, name, keeps_tones=keeps_tones)


def _in_time(decode: Callable[[], _Pixels], meanwhile: Callable[[], object]) -> _Pixels:
    """What ``decode`` returns or raises; ReadingTooSlow where that takes too long.

    A decoder cannot be stopped. It is left to end by itself, which costs nothing but its core.
    """
    decoded: list[_Pixels] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            decoded.append(decode())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, name="decoder", daemon=True)
    thread.start()
    meanwhile()
    thread.join(MAX_SECONDS)
    if thread.is_alive():
        raise ReadingTooSlow(MAX_SECONDS)
    if failed:
        raise failed.pop()
    return decoded.pop()


def _decoded(data: bytes, header: ImageHeader, by: int) -> tuple[Image, bool]:
    """The picture, ``by`` times smaller, and whether it has tones."""
    if header.format == "heic":
        return _decode_heic(data, by)
    if header.format == "jpeg":
        image = _decode_jpeg(data, by)
        return image, has_tones(_some_rows(image))
    if header.format == "png":
        return _decode_whole(png_without_metadata(data), header.has_alpha, by)
    return _decode_whole(data, header.has_alpha, by)


def _photo_from_array(array: NDArray[Any], wanted_long_side: int) -> Photo:
    if array.dtype not in (np.uint8, np.uint16) or array.ndim not in (2, 3) or not array.size:
        raise NotAnImage
    if array.ndim == 3 and array.shape[2] not in (1, 3, 4):
        raise NotAnImage
    height, width = array.shape[:2]
    check_pixels((width, height), 1)
    by = reduction(max(width, height), wanted_long_side)
    image, keeps_tones = _bgr_reduced(array, by)
    return Photo(image, (width, height), 1 / by, "photo", keeps_tones=keeps_tones)


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


def _decode_whole(data: bytes, has_alpha: bool, by: int) -> tuple[Image, bool]:
    flags = cv2.IMREAD_UNCHANGED if has_alpha else cv2.IMREAD_COLOR
    return _bgr_reduced(_decode(data, flags), by)


def _decode_heic(data: bytes, by: int) -> tuple[Image, bool]:
    import pillow_heif

    try:
        # libheif applies the rotation, so no EXIF orientation is left to apply.
        picture = pillow_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
        return _bgr_reduced(np.asarray(picture), by)
    except Exception:  # libheif raises many classes, IndexError among them.
        raise PhotoDamaged from None


def _bgr_reduced(pixels: NDArray[Any], by: int) -> tuple[Image, bool]:
    """uint8 BGR, ``by`` times smaller, on white; and whether the pixels have tones.

    In strips, because blending alpha needs memory.
    """
    keeps_tones = has_tones(np.ascontiguousarray(_bgr(_some_rows(pixels))))
    if by == 1 and pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3:
        return np.ascontiguousarray(pixels), keeps_tones
    strips = []
    for top in range(0, pixels.shape[0], _STRIP_ROWS):
        strip = _bgr(pixels[top : top + _STRIP_ROWS])
        size = (math.ceil(strip.shape[1] / by), math.ceil(strip.shape[0] / by))
        strips.append(cv2.resize(strip, size, interpolation=cv2.INTER_AREA) if by > 1 else strip)
    return np.asarray(np.vstack(strips), np.uint8), keeps_tones


def _some_rows(pixels: NDArray[Any]) -> NDArray[Any]:
    """About `TONE_ROWS` rows of a picture."""
    return pixels[:: max(1, len(pixels) // TONE_ROWS)]


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
    """The image rotated upright by its EXIF orientation 1-8 (CIPA DC-008, tag 0x0112)."""
    if orientation in (5, 6, 7, 8):
        image = np.asarray(cv2.transpose(image), np.uint8)
    flip = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return image if flip is None else np.asarray(cv2.flip(image, flip), np.uint8)
