"""Marks of a real pen, cut out of photographs, to be laid on prints in other pens' colours.

They are read from the folder ``real`` beside the strokes of `simulation.handwriting`:
``mattes.npz`` (optical density times 60) and ``index.json`` (kind and line width of each). Without
it there are none, and every hand of the simulator is a drawn one.

One pen is a sample of what ink does at its edges, ends and crossings, not of what pens there are:
so the mattes are made thicker or thinner, turned, and coloured as the pens of `simulation.strokes`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.handwriting import handwriting_folder
from simulation.strokes import Density, lay

DENSITY_UNIT = 60.0  # numbers of a matte for one natural logarithm of density
FULL = 1.2  # natural logarithms of density: this pen's full stroke, the median of its crosses
NOISE = 0.08  # of a full stroke: less is paper
MAX_DENSITY = 1.6  # full strokes: of what is denser, most is a shadow in the photograph
HELD_OUT_SHARE = 3  # every third photograph is only measured on
MAX_ENLARGEMENT = 1.0  # of a line: farther on its edges look torn
WIDTH_CHANGES = 0.5, 2.5  # of its own: how thin or thick a matte's line is made


@dataclass(frozen=True, eq=False)
class Matte:
    """One mark: how much ink lies where (1: a full stroke), and how wide its line is, px."""

    density: Density
    width: float


@dataclass(frozen=True)
class Mattes:
    """Marks of one pen; strokes run from left to right."""

    crosses: tuple[Matte, ...]
    rings: tuple[Matte, ...]
    strokes: tuple[Matte, ...]


@cache
def load_mattes(held_out: bool) -> Mattes | None:
    """The marks to train on, or those of the held-out photographs, which only measure.

    None: there are none in the folder of strokes.
    """
    folder = handwriting_folder() / "real"
    if not (folder / "mattes.npz").is_file() or not (folder / "index.json").is_file():
        return None
    index = json.loads((folder / "index.json").read_text("utf-8"))
    photos = sorted({entry["photo"] for entry in index})
    chosen = {
        photo
        for number, photo in enumerate(photos)
        if (number % HELD_OUT_SHARE == HELD_OUT_SHARE - 1) == held_out
    }
    kinds: dict[str, list[Matte]] = {"cross": [], "ring": [], "stroke": []}
    with np.load(folder / "mattes.npz") as stored:
        for entry in index:
            if entry["photo"] not in chosen:
                continue
            density = stored[entry["key"]].astype(np.float32).mean(axis=2) / DENSITY_UNIT / FULL
            density = np.where(density < NOISE, np.float32(0), np.minimum(density, MAX_DENSITY))
            width = float(entry["width"])
            if entry["kind"] == "stroke":
                density = _with_round_ends(density, width)
            kinds[entry["kind"]].append(Matte(density, width))
    return Mattes(*(tuple(kinds[kind]) for kind in ("cross", "ring", "stroke")))


def _with_round_ends(density: Density, width: float) -> Density:
    """A piece of a line, cut off square on both sides, as a stroke that begins and ends."""
    height, length = density.shape
    x, y = np.meshgrid(np.arange(length), np.arange(height))
    middle = (density * y).sum(axis=0) / np.maximum(density.sum(axis=0), 1e-3)
    beyond = np.maximum(np.maximum(width / 2 - x, x - (length - 1 - width / 2)), 0)
    away = np.hypot(beyond, y - middle)
    inside = np.clip(0.65 * width - away + 0.5, 0, 1)
    return np.asarray(np.where(beyond > 0, density * inside, density), np.float32)


def _as_wide(matte: Matte, change: float) -> Density:
    """The matte with its line ``change`` times as wide, eroded or dilated at its edges."""
    change = float(np.clip(change, *WIDTH_CHANGES))
    reach = abs(change - 1) * matte.width / 2
    side = 2 * round(reach) + 1
    if side == 1:
        return matte.density
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    margin = side
    wide = cv2.copyMakeBorder(
        matte.density, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=0
    )
    changed = (cv2.dilate if change > 1 else cv2.erode)(wide, kernel)
    # the densest and the faintest spots would spread
    level = float(np.median(changed[changed > 0.5])) if (changed > 0.5).any() else 1.0
    return np.asarray(changed / level, np.float32)


def stamp(
    density: Density,
    matte: Matte,
    centre: NDArray[np.float64],
    sides: NDArray[np.float64],
    angle: float,
    width: float,
) -> None:
    """Lay a mark on a density map, in place.

    ``centre``, ``sides`` (across and down, before it is turned) and ``width`` of its line: px.
    ``angle``: radians, from x to y.
    """
    height, across = matte.density.shape
    scale = np.asarray(sides, float) / (across, height)
    # a line lies across, and so it is as wide as it is high
    line = matte.width * float(scale[1] if across > 2 * height else np.sqrt(scale.prod()))
    marked = _as_wide(matte, width / max(line, 1e-3))
    shrink = 1 / max(scale.max(), 1e-3)
    if shrink > 1.3:  # much finer than the sheet's raster
        marked = cv2.GaussianBlur(marked, (0, 0), 0.4 * shrink)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = turn @ np.diag(scale)
    middle = (np.array(marked.shape[::-1]) - 1) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (middle + 1) @ matrix.T
    low = np.floor(corners.min(axis=0) + centre).astype(int) - 1
    high = np.ceil(corners.max(axis=0) + centre).astype(int) + 2
    offset = np.asarray(centre) - low - matrix @ middle
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    part = cv2.warpAffine(
        marked, np.column_stack([matrix, offset]), size, flags=cv2.INTER_LINEAR, borderValue=0
    )
    lay(density, np.asarray(part, np.float32), (int(low[0]), int(low[1])))


def stamp_line(
    density: Density,
    strokes: tuple[Matte, ...],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    width: float,
    rng: np.random.Generator,
) -> None:
    """Lay a straight line of a real pen on a density map, in place; px."""
    along = np.asarray(end, float) - start
    length = float(np.linalg.norm(along))
    matte = strokes[int(rng.integers(len(strokes)))]
    scale = min(width / matte.width, MAX_ENLARGEMENT)
    pieces = max(1, round(length / (matte.density.shape[1] * scale) / 1.6))
    angle = float(np.arctan2(along[1], along[0]))
    for piece in range(pieces):
        centre = np.asarray(start) + along * (piece + 0.5) / pieces
        sides = np.array([length / pieces + 0.5 * width, matte.density.shape[0] * scale])
        turned = angle + (np.pi if rng.random() < 0.5 else 0.0)
        stamp(density, matte, centre, sides, turned, width)
