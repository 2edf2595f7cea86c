"""A board on its photo: the picture, and where each field is in it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Points
from brikks_vision.layout import Box, Point
from brikks_vision.reading.views import BoardLabel, BoardPlace
from brikks_vision.show.board import draw_board

JPEG_QUALITY = 88
EDGE = 0.8  # fields around the board: ways onto it begin there
CROP_REACH = 1.2  # fields on each side of a field's middle: towers lean out of theirs


class OnPhoto(Protocol):
    """A board of which it is known where it lies in its photo."""

    @property
    def photo(self) -> Photo: ...

    def to_photo(self, points: Points) -> Points: ...


@dataclass(frozen=True)
class Outline:
    """A field in the photo. points: of its corners, as SVG has them, in px."""

    place: BoardPlace
    points: str


def rows_of(places: Iterable[BoardPlace]) -> list[list[BoardPlace]]:
    return [list(row) for _, row in groupby(places, key=lambda place: place.row)]


def outlines(board: OnPhoto, places: Iterable[BoardPlace]) -> tuple[Outline, ...]:
    """The fields of a board, to be tapped in the photo."""
    return tuple(
        Outline(place, " ".join(f"{x:.1f},{y:.1f}" for x, y in board.to_photo(_corners(place))))
        for place in places
    )


def board_area(board: OnPhoto, side: int) -> Box:
    """The part of the photo that shows the board and the way onto it, in px."""
    border = np.array(Box(-EDGE, -EDGE, side + EDGE, side + EDGE).corners)
    height, width = board.photo.image.shape[:2]
    left, top = np.maximum(board.to_photo(border).min(axis=0), 0.0)
    right, bottom = np.minimum(board.to_photo(border).max(axis=0), (width, height))
    return Box(float(left), float(top), float(right), float(bottom))


def crop_of(board: OnPhoto, place: BoardPlace) -> Box:
    """The part of the photo around a field, square, in px."""
    (x, y), *corners = board.to_photo(
        np.concatenate([[(place.column + 0.5, place.row + 0.5)], _corners(place)])
    ).tolist()
    sides = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    reach = CROP_REACH * float(sides.max())
    return Box(x - reach, y - reach, x + reach, y + reach)


def revision_of(said: Mapping[str, object]) -> int:
    """A number for the address of a picture that changes with each answer."""
    return zlib.crc32(repr(sorted(said.items())).encode())


def drawn_board(
    board: OnPhoto,
    labels: Sequence[BoardLabel],
    side: int,
    ways: Sequence[Sequence[Point]] = (),
    best: Sequence[Point] = (),
) -> bytes:
    """The photo with signs and ways on it, as a JPEG."""
    return as_jpeg(draw_board(board.photo.image, board, labels, side, ways, best))


def as_jpeg(image: NDArray[np.uint8]) -> bytes:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


def _corners(place: BoardPlace) -> NDArray[np.float64]:
    left, top = float(place.column), float(place.row)
    return np.array(Box(left, top, left + 1, top + 1).corners)
