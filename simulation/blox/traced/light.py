"""What shines on the table: the room around it, windows and lamps, as parts for Mitsuba."""

from __future__ import annotations

from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from simulation.blox.cameras import Camera
from simulation.blox.traced.pieces import MIDDLE
from simulation.paper.chances import chance, pick

Array = NDArray[np.float64]

# Linear light, red first.
_LAMPS = ((1.0, 0.74, 0.46), (1.0, 0.83, 0.62), (1.0, 0.92, 0.82))
_DAY = (0.92, 0.98, 1.08)
_WALLS = ((0.9, 0.88, 0.82), (0.8, 0.84, 0.9), (0.88, 0.8, 0.68), (0.75, 0.8, 0.72))
_ROOM_SHAPE = (64, 128)


def random_lights(rng: np.random.Generator, is_hard: bool, camera: Camera) -> dict[str, Any]:
    """Mitsuba's emitters, by day or in the evening; no lamp stands where the camera sees it."""
    is_day = chance(rng, 0.35 if is_hard else 0.55)
    tint = np.array(_DAY if is_day else pick(rng, *_LAMPS))
    level = rng.uniform(0.15, 0.6) if is_hard else rng.uniform(0.5, 1.0)
    room = _random_room(rng) * tint * level
    for _ in range(int(rng.integers(1, 3)) if is_day else 0):  # windows
        left, wide = int(rng.integers(0, 106)), int(rng.integers(10, 20))
        room[14:29, left : left + wide] = np.array(_DAY) * rng.uniform(5, 13)
    count = int(rng.integers(0, 2)) if is_day else int(rng.integers(1, 4))
    lamps = range(max(count, int(is_hard)))
    found = {f"lamp {number}": _random_lamp(rng, tint, camera) for number in lamps}
    smooth = mi.Bitmap(cv2.GaussianBlur(room.astype(np.float32), (0, 0), 0.9))
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    turned = upright.rotate([0, 1, 0], float(rng.uniform(0, 360)))
    return found | {"room": {"type": "envmap", "bitmap": smooth, "to_world": turned}}


def _random_room(rng: np.random.Generator) -> Array:
    """Walls, a ceiling, a floor and furniture."""
    lift = np.linspace(90, -90, _ROOM_SHAPE[0])
    light = 0.55 + 0.45 * np.clip(lift / 60, -1, 1)
    wall = np.array(pick(rng, *_WALLS)) * rng.uniform(0.7, 1.0)
    room = np.ones((*_ROOM_SHAPE, 3)) * wall * light[:, None, None]
    room[lift > 35] = 0.76, 0.75, 0.73
    room[lift < -3] = 0.25, 0.2, 0.16
    for _ in range(int(rng.integers(3, 7))):
        left, top = int(rng.integers(0, _ROOM_SHAPE[1])), int(rng.integers(16, 30))
        wide, high = int(rng.integers(5, 22)), int(rng.integers(4, 16))
        room[top : top + high, left : left + wide] = rng.uniform(0.04, 0.64, 3)
    return room


def _random_lamp(rng: np.random.Generator, tint: Array, camera: Camera) -> dict[str, Any]:
    """Hangs over the table or the room, or stands somewhere."""
    hangs = chance(rng, 0.6)
    high = rng.uniform(22, 55) if hangs else rng.uniform(10, 22)
    reach, turn = rng.uniform(0, 22) if hangs else rng.uniform(26, 50), rng.uniform(0, 2 * np.pi)
    for quarter in range(4):
        angle = turn + quarter * np.pi / 2
        away = np.array([reach * np.cos(angle), reach * np.sin(angle), high])
        middle = away * (1, -1, 1) + np.array([MIDDLE, MIDDLE, 0])
        if not camera.sees(middle[None], 1.4).any():
            break
    radius, far = rng.uniform(1.0, 4.5), float(np.linalg.norm(away))
    color = np.array(pick(rng, *_LAMPS)) if chance(rng, 0.5) else tint
    sideways = max(0.35, high / far) if hangs else 0.8
    radiance = color * rng.uniform(0.9, 2.4) * (far / radius) ** 2 / 3 * sideways
    return {
        "type": "sphere", "center": (middle * (1, -1, 1)).tolist(), "radius": float(radius),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": radiance.tolist()}},
    }  # fmt: skip
