"""Windows and lamps, and the light of the room around. Light is linear, red first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brikks_vision.rules.blox.board import SIDE
from simulation.paper.chances import chance, pick, weighted

Array = NDArray[np.float64]

_MIDDLE = np.array([SIDE / 2, -SIDE / 2, 0.0])  # of the board
_WARM, _SOFT, _NEUTRAL = (1.12, 0.92, 0.66), (1.07, 0.96, 0.8), (1.0, 1.0, 0.97)
_DAY, _SKY = (0.93, 0.99, 1.1), (0.8, 0.95, 1.22)
_SOFT_ROOMS = ((1.5, "day"), (1.5, "evening"), (1.0, "pendant"), (1.0, "shop"), (0.5, "mixed"),
               (0.4, "desk"))  # fmt: skip
_HARD_ROOMS = ((1.5, "mixed"), (1.2, "desk"), (1.0, "evening"), (0.6, "pendant"))


@dataclass(frozen=True, eq=False)
class Lamp:
    """A rectangle, (3,) each, in the frame of the scene.

    fallen: the light that it throws on the middle of the board.
    """

    middle: Array
    half_across: Array
    half_up: Array
    fallen: Array

    @property
    def row(self) -> list[float]:
        """As the caster wants it, with its radiance."""
        way = self.middle - _MIDDLE
        square = float(way @ way)
        normal = np.cross(self.half_across, self.half_up)
        here = max(0.05, float(way[2]) / square**0.5)
        seen = 4 * abs(float(normal @ way)) / square**1.5
        radiance = self.fallen * np.pi / max(here * seen, 1e-6)
        return [*self.middle, *self.half_across, *self.half_up, *radiance]


@dataclass(frozen=True, eq=False)
class Room:
    """Lamps, and the light from above, from the sides and from below, (3, 3)."""

    lamps: tuple[Lamp, ...]
    around: Array

    @property
    def fallen(self) -> Array:
        """The light that falls on the board, (3,)."""
        of_lamps = [lamp.fallen for lamp in self.lamps]
        return np.asarray(np.sum(of_lamps, 0) + 0.75 * self.around[0] + 0.25 * self.around[1])


def random_room(rng: np.random.Generator, is_hard: bool) -> Room:
    kind = weighted(rng, *(_HARD_ROOMS if is_hard else _SOFT_ROOMS))
    lamps, tint, bright = _ROOMS[kind](rng)
    color = np.array(tint) * rng.uniform(0.96, 1.04, 3) * rng.uniform(*bright)
    walls = np.array(pick(rng, (1, 1, 1), (1, 1, 1), (1.08, 0.98, 0.86), (0.95, 1, 1.04)))
    above, beside = color * rng.uniform(0.9, 1.15), color * rng.uniform(0.6, 1.0) * walls
    return Room(lamps, np.stack([above, beside, color * (0.3, 0.26, 0.22)]))


def _lamp(
    away: float, high: float, turn: float, size: tuple[float, float], color: ArrayLike,
    share: float, looks_at: ArrayLike = (0, 0, 0),
) -> Lamp:  # fmt: skip
    """So far from the middle of the board and so high; size, in fields: across and up."""
    middle = np.array([away * np.cos(turn), away * np.sin(turn), high])
    way = np.asarray(looks_at) - middle
    way /= np.linalg.norm(way)
    across = np.cross(way, [0, 1, 0] if abs(way[2]) > 0.98 else [0, 0, 1])
    across /= np.linalg.norm(across)
    half_across, half_up = across * size[0] / 2, np.cross(way, across) * size[1] / 2
    return Lamp(middle + _MIDDLE, half_across, half_up, np.asarray(color) * share)


_Lit = tuple[tuple[Lamp, ...], tuple[float, float, float], tuple[float, float]]
"""Lamps, the colour of the light around, and how bright that is, from and to."""


def _day(rng: np.random.Generator) -> _Lit:
    u, turn = rng.uniform, rng.uniform(0, 2 * np.pi)

    def window(turn: float, size: tuple[float, float], color: ArrayLike, share: float) -> Lamp:
        return _lamp(u(24, 36), u(12, 20), turn, size, color, share, (0, 0, 2))

    lamps = [window(turn, (u(9, 16), u(10, 15)), pick(rng, _DAY, _SKY), u(0.35, 0.6))]
    if chance(rng, 0.4):
        lamps.append(window(turn + u(0.8, 1.8), (10, 12), _DAY, u(0.12, 0.3)))
    return tuple(lamps), _DAY, (0.4, 0.6)


def _evening(rng: np.random.Generator) -> _Lit:
    u, turn = rng.uniform, rng.uniform(0, 2 * np.pi)
    color, size = pick(rng, _WARM, _WARM, _SOFT, _SOFT, _SOFT), (u(2, 5), u(2, 5))
    lamps = [_lamp(u(2, 9), u(20, 30), turn, size, color, u(0.5, 0.7))]
    if chance(rng, 0.5):
        second = turn + u(1.5, 4.5)
        lamps.append(_lamp(u(14, 22), u(9, 16), second, (2, 2), _WARM, u(0.1, 0.25)))
    return tuple(lamps), _SOFT, (0.28, 0.42)


def _pendant(rng: np.random.Generator) -> _Lit:
    u = rng.uniform
    size = u(1.2, 3), u(1.2, 3)
    lamp = _lamp(u(0.5, 4), u(13, 19), u(0, 2 * np.pi), size, _SOFT, u(0.5, 0.75))
    return (lamp,), _SOFT, (0.25, 0.4)


def _shop(rng: np.random.Generator) -> _Lit:
    lamps = []
    for along in (-12.0, 0.0, 12.0):
        x, y = along + rng.uniform(-2, 2), rng.uniform(-4, 4)
        away, turn = float(np.hypot(x, y)), float(np.arctan2(y, x))
        high, share = rng.uniform(22, 28), rng.uniform(0.15, 0.28)
        lamps.append(_lamp(away, high, turn, (1.2, 10), _NEUTRAL, share, (along, 0, 0)))
    return tuple(lamps), _NEUTRAL, (0.35, 0.5)


def _desk(rng: np.random.Generator) -> _Lit:
    u = rng.uniform
    size = u(0.9, 1.8), u(0.9, 1.8)
    lamp = _lamp(u(8, 13), u(7, 12), u(0, 2 * np.pi), size, _WARM, u(0.45, 0.65))
    return (lamp,), _SOFT, (0.25, 0.38)


def _mixed(rng: np.random.Generator) -> _Lit:
    u, turn = rng.uniform, rng.uniform(0, 2 * np.pi)
    size, share = (u(8, 13), 11.0), u(0.3, 0.45)
    window = _lamp(u(24, 34), u(10, 18), turn, size, _SKY, share, (0, 0, 2))
    second, share = turn + u(1.8, 4.4), u(0.25, 0.45)
    lamp = _lamp(u(9, 16), u(10, 17), second, (1.8, 1.8), _WARM, share)
    return (window, lamp), _NEUTRAL, (0.25, 0.38)


_ROOMS: dict[str, Callable[[np.random.Generator], _Lit]] = {
    "day": _day, "evening": _evening, "pendant": _pendant, "shop": _shop, "desk": _desk,
    "mixed": _mixed,
}  # fmt: skip
