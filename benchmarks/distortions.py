"""Photos made worse: mirrored, without colours, degraded, two sheets in one picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.photos import TruePlacement

Image = NDArray[np.uint8]  # BGR
BLURRED_LIGHT = 0.25  # of the photo's longer side: the softness of a drawn shadow

# --- one photo made worse ------------------------------------------------------------------------


def as_it_is(image: Image) -> Image:
    return image


def flipped(image: Image) -> Image:
    return np.ascontiguousarray(image[:, ::-1])


def transposed(image: Image) -> Image:
    return np.ascontiguousarray(image.transpose(1, 0, 2))


def grey(image: Image) -> Image:
    return _in_three(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def shaded(image: Image) -> Image:
    """A soft shadow over the left half."""
    height, width = image.shape[:2]
    light = np.where(np.arange(width) < width / 2, 0.35, 1.0).astype(np.float32)
    softness = BLURRED_LIGHT * max(height, width) / 3
    light = cv2.GaussianBlur(light[None], (0, 0), softness, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(image * light.reshape(1, width, 1), np.uint8)


def black_and_white(image: Image) -> Image:
    """By one threshold (Otsu's)."""
    level = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return _in_three(cv2.threshold(level, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1])


def scanned(image: Image) -> Image:
    """Black and white by each pixel's neighbourhood, as apps for documents do."""
    level = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    side = max(image.shape[:2]) // 40 * 2 + 1
    return _in_three(
        cv2.adaptiveThreshold(
            level, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, side, 12
        )
    )


def coarse_jpeg(quality: int, long_side: int, image: Image) -> bytes:
    """As a file, whose header tells how coarse it is."""
    small = cv2.resize(image, None, fx=(scale := long_side / max(image.shape[:2])), fy=scale,
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def posterized(levels: int, image: Image) -> Image:
    step = 255 / (levels - 1)
    return np.asarray(np.round(np.round(image / step) * step), np.uint8)


def doubled(cells: float, image: Image) -> Image:
    """Two exposures, between which the camera moved. ``cells``: by about so many."""
    by = cells * max(image.shape[:2]) / 30
    moved = cv2.warpAffine(
        image, np.array([[1, 0, by], [0, 1, 0.4 * by]]), image.shape[1::-1],
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return cv2.addWeighted(image, 0.5, moved, 0.5, 0)


def _in_three(level: Image) -> Image:
    return np.repeat(np.asarray(level, np.uint8)[..., None], 3, axis=2)


def negative(image: Image) -> Image:
    return 255 - image


Distort = Callable[[Image], Image | bytes]


def _combined() -> Iterator[tuple[str, Distort]]:
    """Each loss of colours alone and after each way to turn the picture over."""
    turns = {"": as_it_is, "mirrored": flipped, "transposed": transposed}
    tones = {
        "": as_it_is, "shaded": shaded, "grey": grey, "grey, shaded": lambda at: shaded(grey(at)),
        "black and white": black_and_white, "scanned": scanned, "negative": negative,
    }  # fmt: skip
    for tone, lose in tones.items():
        for turn, turned in turns.items():
            name = ", ".join(filter(None, (turn, tone)))
            yield name or "none", lambda image, lose=lose, turned=turned: lose(turned(image))


DISTORTIONS: dict[str, Distort] = {
    **dict(_combined()),
    **{f"JPEG {quality}, {side} px": partial(coarse_jpeg, quality, side)
       for quality, side in ((20, 900), (10, 900), (5, 900), (5, 1600), (2, 1600))},
    **{f"{levels} levels": partial(posterized, levels) for levels in (8, 4, 3, 2)},
    **{f"doubled by {cells:g}": partial(doubled, cells) for cells in (0.1, 0.3, 1, 3)},
}  # fmt: skip

# --- two sheets in one picture -------------------------------------------------------------------


def as_large(image: Image, other: Image) -> Image:
    """The other picture in the size of the first."""
    return np.asarray(cv2.resize(other, image.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)


def laid_upon(image: Image, here: TruePlacement, other: Image, there: TruePlacement) -> Image:
    """The photo of the other sheet, warped so that the sheet lies where the first one does."""
    corners = np.array([[-2.0, -1], [9, -1], [9, 13], [-2, 13]])  # within both games' pages
    matrix = cv2.getPerspectiveTransform(
        there.to_photo(corners).astype(np.float32), here.to_photo(corners).astype(np.float32)
    )
    size = image.shape[1::-1]
    warped = cv2.warpPerspective(other, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def halves(axis: int, image: Image, other: Image) -> Image:
    middle = image.shape[axis] // 2
    first, _ = np.split(image, [middle], axis)
    return np.concatenate([first, np.split(other, [middle], axis)[1]], axis)


JOINTS: dict[str, Callable[[Image, Image], Image]] = {
    "two exposures": lambda image, other: cv2.addWeighted(image, 0.5, other, 0.5, 0),
    "two exposures, 3 to 1": lambda image, other: cv2.addWeighted(image, 0.75, other, 0.25, 0),
    "halves, side by side": partial(halves, 1),
    "halves, one above the other": partial(halves, 0),
}
