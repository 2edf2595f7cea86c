"""Simulated photos of Brikks sheets as samples, in memory-mapped arrays.

For each photo the locator's small picture and its targets, and the sheet seen from straight above
with margins for later misplacement, with the truth of every mark.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import BARS_PIXELS, PATCH_SIDE, Key, bar_centres, mark_keys
from brikks_vision.detect.pen import Pen, pen_colors
from brikks_vision.detect.placement import rectify, rectify_patches
from brikks_vision.games.brikks.reading import CELLS
from brikks_vision.layout import Box, Layout, load_layout
from simulation.brikks.photos import random_clutter_shot, random_shot

LOCATOR_SIZE = 320
LOCATOR_STRIDE = 8
PIXELS_PER_CELL = 24
BACK_SHARE, NOTHING_SHARE, CUT_OFF_SHARE = 0.06, 0.06, 0.08  # of the photos
BLURRED_SHARE, SCRAMBLED_SHARE, WORN_SHARE = 0.05, 0.5, 0.2  # of the sheets
MARGIN = 2  # cells around the reading area
TIERS = ("scan", "good", "hard")
PATCH_MARGIN = 8  # px around a bar's patch

Arrays = dict[str, Any]
"""Arrays of samples, or `Pictures`, by name; "labels": by field and mark."""


def wide_area(layout: Layout) -> Box:
    return layout.reading_area.grown(MARGIN)


def label_file(key: Key) -> str:
    """The name of the array with the labels of a field and mark."""
    return "label-" + "-".join(key)


@cache
def array_shapes(count: int) -> dict[str, tuple[tuple[int, ...], str]]:
    """Shape and dtype of each array of a folder of samples, by name."""
    layout = load_layout("brikks-light")
    area = wide_area(layout)
    side, steps = LOCATOR_SIZE, LOCATOR_SIZE // LOCATOR_STRIDE
    height, width = round(area.height * PIXELS_PER_CELL), round(area.width * PIXELS_PER_CELL)
    patch_side = PATCH_SIDE + 2 * PATCH_MARGIN
    return {
        "small": ((count, side, side, 3), "uint8"),
        "kind": ((count,), "uint8"),  # 0 front, 1 back, 2 no sheet
        "place": ((count, steps, steps, 2), "float16"),  # sheet points, cells
        "flat": ((count, height, width, 3), "uint8"),
        "patches": (
            (count, len(bar_centres(layout)), patch_side, patch_side, 3),
            "uint8",
        ),
        "pen": ((count, 2, 3), "float32"),
        # by field and mark: 0 none, 1 a mark, 0.5 what nobody can tell; -1: not known
        **{
            label_file(key): ((count, *layout.fields[key[0]].shape), "float16")
            for key in mark_keys(layout)
        },
    }


def new_arrays(folder: Path, count: int) -> dict[str, NDArray]:
    """Arrays for so many samples, each in a file of the folder."""
    return {
        name: np.lib.format.open_memmap(folder / f"{name}.npy", "w+", dtype=kind, shape=shape)
        for name, (shape, kind) in array_shapes(count).items()
    }


class Pictures:
    """The pictures of several folders, one after the other, read when they are asked for."""

    def __init__(self, parts: list[NDArray]) -> None:
        self.parts = parts
        self.ends = np.cumsum([len(part) for part in parts])

    def __getitem__(self, at: int) -> NDArray:
        part = int(np.searchsorted(self.ends, at, side="right"))
        picture: NDArray = self.parts[part][at - self.ends[part]]
        return picture


def load_arrays(folders: list[Path], names: tuple[str, ...]) -> Arrays:
    """Arrays of the samples of some folders, by name; "labels": all of those."""

    def joined(name: str) -> NDArray | Pictures:
        parts = [np.load(folder / f"{name}.npy", mmap_mode="r") for folder in folders]
        return Pictures(parts) if parts[0].ndim > 3 else np.concatenate(parts)

    arrays: Arrays = {name: joined(name) for name in names if name != "labels"}
    if "labels" in names:
        keys = mark_keys(load_layout("brikks-light"))
        arrays["labels"] = {key: joined(label_file(key)) for key in keys}
    return arrays


def every_photo(arrays: Arrays) -> NDArray[np.int64]:
    """The number of each photo (N,), to learn from all."""
    return np.arange(len(arrays["kind"]))


def readable_sheets(arrays: Arrays) -> NDArray[np.int64]:
    """The number of each photo (N,), and -1 where its marks are not known."""
    known = (arrays["kind"] == 0) & (arrays["labels"][CELLS][:, 0, 0] >= 0)
    return np.where(known, np.arange(len(known)), -1)


def letterbox(image: NDArray[np.uint8], side: int) -> tuple[NDArray[np.uint8], float]:
    """The image shrunk to fit a square at its top left, black elsewhere, and the scale."""
    height, width = image.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    square = np.zeros((side, side, 3), np.uint8)
    square[: size[1], : size[0]] = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return square, scale


def pen_of_sample(flat: NDArray[np.uint8], cells: NDArray[np.float32]) -> Pen:
    """The pen of a sheet, ``flat`` with margins. ``cells``: crossed 1, empty 0, or either."""
    margin = MARGIN * PIXELS_PER_CELL
    inner = flat[margin:-margin, margin:-margin]
    return pen_colors(inner, cells == 1, cells == 0, load_layout("brikks-light"))


def place_targets(points: NDArray[np.float32], scale: float) -> NDArray[np.float16]:
    """Sheet points at the locator's output positions; outside of the photo far away."""
    steps = LOCATOR_SIZE // LOCATOR_STRIDE
    at = ((np.arange(steps) + 0.5) * LOCATOR_STRIDE - 0.5 + 0.5) / scale - 0.5
    x, y = np.meshgrid(at.astype(np.float32), at.astype(np.float32))
    far = 1000.0
    target = cv2.remap(
        points, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(far, far)
    )
    return np.clip(target, -far, far).astype(np.float16)


def write_sample(
    arrays: dict[str, NDArray],
    at: int,
    number: int,
    seed: int,
    tiers: tuple[str, ...],
    readable: float = 0.0,
) -> None:
    """Simulate a photo, number ``number`` of a seed, and note it at a place of the arrays.

    ``readable``: share of those that surely show a whole sheet.
    """
    layout = load_layout("brikks-light")
    rng = np.random.default_rng([seed, number])
    tier = tiers[int(rng.integers(len(tiers)))]
    surely = rng.random() < readable
    draw = 1.0 if surely else rng.random()
    if draw < BACK_SHARE + NOTHING_SHARE:
        back = draw < BACK_SHARE
        image = random_clutter_shot(layout, rng, tier, back=back)
        small, _ = letterbox(image, LOCATOR_SIZE)
        arrays["small"][at] = small
        arrays["kind"][at] = 1 if back else 2
        arrays["place"][at] = 1000
        return
    cut_off = draw < BACK_SHARE + NOTHING_SHARE + CUT_OFF_SHARE
    small_photo = rng.random() < 0.15
    long_side = int(rng.integers(560, 800) if small_photo else rng.integers(800, 2000))
    dice = random.Random(int(rng.integers(2**31)))
    scramble = rng.random() < SCRAMBLED_SHARE
    shot = random_shot(
        layout, rng, dice, tier, long_side, held_out=False, cut_off=cut_off, scramble=scramble,
        worn_share=WORN_SHARE,
    )  # fmt: skip
    blurred = (
        not surely and rng.random() < BLURRED_SHARE
    )  # beyond reading, but a sheet all the same
    image = shot.image
    if blurred:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.2, 0.7) * shot.placement.cell_size())
    small, scale = letterbox(image, LOCATOR_SIZE)
    arrays["small"][at] = small
    arrays["kind"][at] = 0
    arrays["place"][at] = place_targets(shot.points, scale)
    arrays["flat"][at] = rectify(shot.image, shot.placement, wide_area(layout), PIXELS_PER_CELL)
    arrays["pen"][at] = pen_of_sample(arrays["flat"][at], shot.drawn[CELLS])
    arrays["patches"][at] = rectify_patches(
        shot.image,
        shot.placement,
        bar_centres(layout),
        PATCH_SIDE + 2 * PATCH_MARGIN,
        BARS_PIXELS,
    )
    for key, label in shot.drawn.marks.items():
        arrays[label_file(key)][at] = -1 if cut_off or blurred else label


def write_photos(folder: Path, numbers: range, seed: int) -> None:
    """The samples of some photos, of any quality."""
    _write(folder, numbers, seed, 0.0)


def write_readable_photos(folder: Path, numbers: range, seed: int) -> None:
    """The samples of some photos that all show a whole sheet, to calibrate on."""
    _write(folder, numbers, seed, 1.0)


def _write(folder: Path, numbers: range, seed: int, readable: float) -> None:
    arrays = new_arrays(folder, len(numbers))
    for at, number in enumerate(numbers):
        write_sample(arrays, at, number, seed, TIERS, readable)
