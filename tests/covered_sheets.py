"""What something on a sheet hides, and the ink of the rest."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision import scan
from brikks_vision.detect.marks import Covered, Marks
from brikks_vision.layout import Layout
from brikks_vision.reading import AnyReading

SKIN = 116, 150, 205  # BGR


def covered_by(layout: Layout, at: tuple[float, float], size: tuple[float, float]) -> Covered:
    """The places under an ellipse. ``at``: its middle (x, y); ``size``: from there, in cells."""
    return {
        name: (((np.array(field.centres) - at) / size) ** 2).sum(axis=1).reshape(field.shape) < 1
        for name, field in {**layout.fields, **layout.figures}.items()
    }


def covered_places(layout: Layout, **fields: list[Any]) -> Covered:
    """These places, by field."""
    covered = {}
    for name, places in fields.items():
        covered[name] = np.zeros({**layout.fields, **layout.figures}[name].shape, bool)
        for place in places:
            covered[name][place] = True
    return covered


def any_cover(layout: Layout, rng: np.random.Generator) -> Covered:
    """What something of any size hides, anywhere on the sheet."""
    area = layout.reading_area
    at = rng.uniform(area.left, area.right), rng.uniform(area.top, area.bottom)
    return covered_by(layout, at, tuple(rng.uniform(0.4, 3.5, 2)))


def seen_with_noise(marks: Marks, rng: np.random.Generator) -> Marks:
    """The same marks, each as clear as marks in photos are."""
    return Marks(
        {
            key: np.sign(logits) * rng.normal(8.0, 2.0, logits.shape)
            for key, logits in marks.logits.items()
        }
    )


def to_photo(reading: AnyReading, points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Where points of the sheet (N, 2), in cells, lie in the photo, px."""
    grid = np.array([[0, 0], [10, 0], [10, 11], [0, 11]], np.float32)
    plane = cv2.getPerspectiveTransform(grid, np.array(reading.corners, np.float32))
    return cv2.perspectiveTransform(np.float32(points)[None], plane)[0].astype(np.int32)


def with_thumb(photo: Path, at: tuple[float, float], path: Path) -> Path:
    """The photo with a thumb on the sheet, which reaches in from the right. at: its tip, cells."""
    reading = scan(photo)
    x, y = at
    bend = np.linspace(np.pi / 2, 3 * np.pi / 2, 20)
    tip = np.c_[x + 1 + np.cos(bend), y - 0.9 * np.sin(bend)]
    outline = np.concatenate([[[x + 14, y - 1.2]], tip[::-1], [[x + 14, y + 1.2]]])
    image = cv2.imread(str(photo))
    assert image is not None
    mask = cv2.fillPoly(np.zeros(image.shape[:2], np.uint8), [to_photo(reading, outline)], 255)
    soft = cv2.GaussianBlur(mask, (0, 0), 3)[..., None] / 255
    cv2.imwrite(str(path), np.asarray(image * (1 - soft) + np.array(SKIN) * soft, np.uint8))
    return path
