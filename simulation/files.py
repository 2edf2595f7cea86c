"""Photo files in the formats that are read."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image as PillowImage

from simulation.camera import compress
from simulation.photos import Photo

MAX_BYTES = 340_000  # of a photo that is kept with the project


def as_jpeg(photo: Photo) -> bytes:
    """The photo's own file, compressed again if it is too large to be kept."""
    data, quality = photo.data, 92
    while len(data) > MAX_BYTES and quality > 60:
        quality -= 4
        data = compress(photo.image, quality)
    return data


def as_turned_jpeg(photo: Photo) -> bytes:
    """Pixels a quarter turn off, and the EXIF orientation that puts them right."""
    exif = PillowImage.Exif()
    exif[0x0112] = 6  # to be shown turned clockwise
    stored = PillowImage.fromarray(photo.image[:, :, ::-1]).transpose(
        PillowImage.Transpose.ROTATE_90
    )
    return _saved(stored, "JPEG", quality=80, exif=exif.tobytes())


def as_png(photo: Photo) -> bytes:
    """A palette of 48 colours: as small as a PNG of a photo gets."""
    picture = PillowImage.fromarray(photo.image[:, :, ::-1])
    return _saved(picture.quantize(48, dither=PillowImage.Dither.NONE), "PNG", optimize=True)


def as_webp(photo: Photo) -> bytes:
    return _saved(PillowImage.fromarray(photo.image[:, :, ::-1]), "WEBP", quality=75)


def as_heic(photo: Photo) -> bytes:
    import pillow_heif

    pillow_heif.register_heif_opener()
    return _saved(PillowImage.fromarray(photo.image[:, :, ::-1]), "HEIF", quality=55)


def _saved(picture: PillowImage.Image, kind: str, **settings: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **settings)
    return buffer.getvalue()
