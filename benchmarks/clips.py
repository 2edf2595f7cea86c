"""Clips of a phone's camera over a sheet: something is in the way at first, then all is well.

One simulated photo of the sheet on its table is seen through a camera that moves: a homography for
each frame, motion blur along the way, light, noise, a hand or a gleam over the sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import brikks_case, brikks_shot
from brikks_vision.layout import load_layout
from simulation.camera import Conditions, rim
from simulation.occluders import hand

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

SIZE = (960, 1280)  # px, width and height of a frame: a phone held upright
RATE = 12  # frames a second
SECONDS = 8
SHUTTER = 1 / 30  # s
EASE = 0.8  # s in which what is in the way goes away
CALM = Conditions(
    tilt=(0, 12), curl=(0, 0.01), fill=(0.5, 0.6), turned=False, blur=(0.2, 0.6), shake=(0, 0),
    light=(0.02, 0.3), shadow=0.3, glare=0, noise=(1, 3), exposure=(0.8, 1.1), tint=0.1,
    quality=(90, 95), moire=0,
)  # fmt: skip
TROUBLES = ("far", "aside", "tilted", "shaken", "dark", "covered", "gleam")


def _framed(corners: Array, share: float) -> Array:
    """The homography that brings what has these corners, px, to the middle of the frame.

    It takes that share of the frame.
    """
    (x, y), low, high = corners.mean(axis=0), corners.min(axis=0), corners.max(axis=0)
    zoom = share * min(np.array(SIZE) / (high - low))
    return np.array([[zoom, 0, SIZE[0] / 2 - zoom * x], [0, zoom, SIZE[1] / 2 - zoom * y],
                     [0, 0, 1]])  # fmt: skip


def _noisy(seen: Array, rng: np.random.Generator) -> Image:
    return np.clip(seen + rng.normal(0, 3, (*SIZE[::-1], 1)), 0, 255).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Clip:
    """A clip. frames: uint8 BGR, `RATE` a second. good: s from which nothing is in the way. total:
    of the sheet."""

    trouble: str
    total: int
    good: float
    frames: list[Image]


def clip(seed: int, number: int, seconds: float = SECONDS) -> Clip:
    """The same arguments give the same clip; all troubles in turn."""
    rng = np.random.default_rng([seed, number])
    trouble = TROUBLES[number % len(TROUBLES)]
    shot = brikks_shot("good", seed, number, conditions=CALM, long_side=2400)
    good, angle = float(rng.uniform(1.5, 2.5)), float(rng.uniform(0, 2 * np.pi))
    page = shot.placement.to_photo(rim(load_layout("brikks-light").marked_area)).astype(np.float32)
    first = _framed(page, rng.uniform(0.78, 0.9))
    waves = np.column_stack([rng.uniform(1, 8, 4), rng.uniform(0, 1, (4, 2))])
    cutout, frames = hand(rng).picture, []
    for at in np.arange(round(seconds * RATE)) / RATE:
        left = float(np.clip((good - at) / EASE, 0, 1))
        left = left * left * (3 - 2 * left)  # of the trouble, which ends softly
        is_shaken = trouble == "shaken" and left > 0
        seen = np.mean(
            [cv2.warpPerspective(shot.image, _camera(trouble, left, angle, moment, waves) @ first,
                                 SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
             for moment in np.linspace(at, at + SHUTTER, 9 if is_shaken else 3)], axis=0
        )  # fmt: skip
        seen = IN_THE_WAY.get(trouble, lambda frame, *_: frame)(seen, left, angle, cutout)
        frames.append(_noisy(seen, rng))
    return Clip(trouble, brikks_case(shot, number).total or 0, good, frames)


def _camera(trouble: str, left: float, angle: float, at: float, waves: Array) -> Array:
    """From the frame in which all is well to the one at a time, s.

    left: of the trouble, 1 to 0. waves: of the hand's tremble, their frequencies in Hz and phases
    of x and y (Elble and Koller 1990: to 10 Hz).
    """
    width, height = SIZE
    tremble = np.sin(2 * np.pi * (waves[:, 0, None] * at + waves[:, 1:])).mean(axis=0)
    x, y = tremble * (60.0 * left if trouble == "shaken" else 1.5)
    if trouble == "aside":
        x, y = x + np.cos(angle) * width * 0.6 * left, y + np.sin(angle) * height * 0.6 * left
    scale = 1 - 0.6 * left * (trouble == "far")
    tilt, focal = np.radians(50) * left * (trouble == "tilted"), 1.2 * height
    turn = cv2.Rodrigues(np.array([np.cos(angle), np.sin(angle), 0.0]) * tilt)[0]
    # the plane lies `focal` px before the camera, so that one px of it is one of the frame
    plane = turn @ np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 0]])
    plane[2, 2] += focal
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    moved = np.array([[scale, 0, (1 - scale) * width / 2 + x],
                      [0, scale, (1 - scale) * height / 2 + y], [0, 0, 1]])  # fmt: skip
    return np.asarray(moved @ lens @ plane, np.float64)


def _with_hand(frame: Array, left: float, _: float, cutout: Image) -> Array:
    """A hand over the lower part of the sheet; it goes away to the right."""
    side = 0.55 * SIZE[0] / cutout.shape[0]
    x, y = SIZE[0] * (0.4 + 0.7 * (1 - left)), SIZE[1] * 0.45
    laid = cv2.warpAffine(cutout, np.array([[side, 0, x], [0, side, y]]), SIZE).astype(np.float64)
    alpha = laid[..., 3:] / 255
    return frame * (1 - alpha) + laid[..., :3] * alpha


def _with_gleam(frame: Array, left: float, angle: float, _: Image) -> Array:
    """A lamp's image on the sheet, white in its middle; it wanders out of the frame."""
    x = SIZE[0] * (0.5 + 0.8 * (1 - left) * np.cos(angle))
    y = SIZE[1] * (0.45 + 0.8 * (1 - left) * np.sin(angle))
    down, across = np.indices(frame.shape[:2])
    near = np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * (0.07 * SIZE[0]) ** 2))
    return frame + 420 * left * near[..., None]


IN_THE_WAY: dict[str, Callable[[Array, float, float, Image], Array]] = {
    "covered": _with_hand,
    "gleam": _with_gleam,
    "dark": lambda frame, left, *_: frame * (1 - 0.9 * left),
}


def write(frames: Iterable[Image], path: Path, rate: int = RATE) -> None:
    """The frames as a file of YUV4MPEG2, which Chromium takes for a camera. rate: a second."""
    rest = iter(frames)
    first = next(rest)
    height, width = first.shape[:2]
    with path.open("wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F{rate}:1 Ip A1:1 C420jpeg\n".encode())
        for frame in chain([first], rest):
            file.write(b"FRAME\n" + cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).tobytes())
