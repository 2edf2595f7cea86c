"""From a photo's bytes and its scan to what the record keeps of them."""

from __future__ import annotations

import hashlib
from datetime import datetime

import cv2
import numpy as np

from brikks_vision.detect import headers, placement
from brikks_vision.errors import CameraDateAhead, PhotoUnreadable
from brikks_vision.games import game_named
from brikks_vision.infer.evidence import Evidence, evidence_from_json, evidence_json
from brikks_vision.layout import Box, Layout, bounds
from brikks_vision.pipeline import ScanResult, for_pictures
from brikks_vision.record.entries import EARLIEST, MAX_AHEAD, Material, PhotoFacts, SheetReading
from brikks_vision.show.board import drawn
from brikks_vision.show.marks_on_sheet import place_of

THUMBNAIL_SIDE = 960  # px of the long side: figures and marks can be read on a phone
PICTURE_PIXELS = 48  # per cell of the straightened sheet: sharp on a phone's screen
PICTURE_MARGIN = 0.5  # cells around everything that a player marks
SPOT_CELLS = 2  # on each side of a place that is asked about: its neighbours can be seen
_RING_GAP = 0.15  # cells between a mark and the ring around it, as on the page
_RING_COLOR = (0, 140, 255)  # BGR, orange: no pen of a player writes so
_QUALITY = 80


def content_hash(data: bytes) -> str:
    """SHA-256 of a file's bytes, hexadecimal: what a photo is known by."""
    return hashlib.sha256(data).hexdigest()


def photo_facts(data: bytes, name: str, modified: float) -> PhotoFacts:
    """What the record keeps of a photo file beside its readings: never where it was taken.

    ``modified``: the file's date in seconds since 1970, for photos that do not tell when they were
    taken, or tell a date in the future. Where nobody can have taken one then either, it counts as
    taken now.
    """
    camera, now, sha256 = _camera_date(data), datetime.now(), content_hash(data)
    if camera is not None and EARLIEST <= camera <= now + MAX_AHEAD:
        return PhotoFacts(sha256, name, camera, "exif")
    written = _file_date(modified)
    is_possible = written is not None and EARLIEST <= written <= now + MAX_AHEAD
    taken = written if written is not None and is_possible else now
    if camera is not None and camera > now:
        return PhotoFacts(sha256, name, taken, "file-as-camera-ahead", camera)
    return PhotoFacts(sha256, name, taken, "file")


def check_date(photo: PhotoFacts) -> None:
    """Raises CameraDateAhead where the camera's date is not used because it lies in the future."""
    if photo.camera is not None:
        raise CameraDateAhead(*(f"{date:%Y-%m-%d %H:%M}" for date in (photo.camera, photo.taken)))


def thumbnail_of(result: ScanResult, language: str) -> bytes:
    """The photo with the reading drawn on it as a small JPEG, without any data of the camera."""
    photo, reading = result.photo.image, result.reading
    return small_jpeg(drawn(photo, result.placement, reading, result.layout, language, result.view))


def small_jpeg(picture: placement.Image) -> bytes:
    """A picture with a long side of `THUMBNAIL_SIDE` at most, as a JPEG. picture: uint8 BGR."""
    factor = min(1.0, THUMBNAIL_SIDE / max(picture.shape[:2]))
    height, width = (max(1, round(side * factor)) for side in picture.shape[:2])
    return jpeg_of(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA))


def jpeg_of(picture: cv2.typing.MatLike, quality: int = _QUALITY) -> bytes:
    """The picture (uint8, BGR) as a JPEG without any data of the camera."""
    _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return encoded.tobytes()


def picture_area(layout: Layout, evidence: Evidence) -> Box:
    """The part of the sheet that `picture_of` shows, in the sheet frame, in cells.

    Everything that a player marks, and the words and settings that a player writes on prints that
    have fields for them.
    """
    boxes = [layout.marked_area]
    if evidence.on_sheet is not None:
        boxes += [*layout.words.values(), *(field.box for field in layout.settings.values())]
    return bounds(boxes).grown(PICTURE_MARGIN)


def picture_of(result: ScanResult) -> bytes:
    """The sheet straightened, `PICTURE_PIXELS` a cell, as a JPEG without any data of the camera."""
    area = picture_area(result.layout, result.evidence)
    flat = placement.rectify(result.photo.image, result.placement, area, PICTURE_PIXELS)
    return jpeg_of(flat)


def spot_of(material: Material, where: str, layout: Layout) -> bytes | None:
    """A place of the sheet ("bomb 1") with what lies around it, ringed, as a JPEG.

    None where the picture that was kept is none, or there is no such place.
    """
    flat = cv2.imdecode(np.frombuffer(material.picture, np.uint8), cv2.IMREAD_COLOR)
    place = place_of(where, layout)
    if flat is None or place is None:
        return None
    (centre, radius), former = place, game_named(layout.game).FORMER_KEYS
    area = picture_area(layout, evidence_from_json(material.evidence, former))
    x, y = (
        round(PICTURE_PIXELS * (at - start))
        for at, start in zip(centre, (area.left, area.top), strict=True)
    )
    ring = round(PICTURE_PIXELS * (radius + _RING_GAP))
    drawn = cv2.circle(flat, (x, y), ring, _RING_COLOR, 2, cv2.LINE_AA)
    around = SPOT_CELLS * PICTURE_PIXELS
    cut = drawn[max(0, y - around) : y + around, max(0, x - around) : x + around]
    return jpeg_of(cut)


def sheet_reading(result: ScanResult, data: bytes, language: str) -> SheetReading:
    """A sheet or board with everything that the record keeps of it. ``data``: the photo file's."""
    if game_named(result.layout.game).board is not None:
        return SheetReading(result.reading, thumbnail_of(result, language or "en"))
    pictured = for_pictures(result, data)
    return SheetReading(
        result.reading,
        thumbnail_of(pictured, language),
        Material(evidence_json(result.evidence), picture_of(pictured)),
    )


def _camera_date(data: bytes) -> datetime | None:
    try:
        return headers.read_header(data).taken
    except PhotoUnreadable:
        return None


def _file_date(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds)
    except (OverflowError, OSError, ValueError):  # no date that a calendar has
        return None
