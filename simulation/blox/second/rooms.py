"""Windows and lamps, and the light of the room around."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from brikks_vision.rules.blox.position import SIDE
from simulation.blox.scene import Array, Lamp, Scene
from simulation.paper.chances import chance, pick, weighted

_MIDDLE = np.array([SIDE / 2, -SIDE / 2, 0.0])  # of the board
# Linear light, red first.
_WARM, _SOFT, _NEUTRAL = (1.12, 0.92, 0.66), (1.07, 0.96, 0.8), (1.0, 1.0, 0.97)
_DAY, _SKY = (0.93, 0.99, 1.1), (0.8, 0.95, 1.22)

Span = tuple[float, float]
Tint = tuple[float, float, float]


@dataclass(frozen=True)
class _Lamps:
    """How often one is there, how far from the middle of the board, how high and how large it is,
    in fields; its colours, and what it throws on the board."""

    chance: float
    away: Span
    high: Span
    side: Span
    colors: tuple[Tint, ...]
    share: Span


_CEILING = _Lamps(1, (0, 13), (22, 28), (2.5, 4), (_NEUTRAL,), (0.15, 0.28))
# Lamps, the colour of the light around, and how bright that is.
_ROOMS: dict[str, tuple[tuple[_Lamps, ...], Tint, Span]] = {
    "day": (
        (_Lamps(1, (24, 36), (12, 20), (9, 15), (_DAY, _SKY), (0.35, 0.6)),
         _Lamps(0.4, (24, 36), (12, 20), (10, 12), (_DAY,), (0.12, 0.3))), _DAY, (0.4, 0.6)),
    "evening": (
        (_Lamps(1, (2, 9), (20, 30), (2, 5), (_WARM, _SOFT), (0.5, 0.7)),
         _Lamps(0.5, (14, 22), (9, 16), (2, 2), (_WARM,), (0.1, 0.25))), _SOFT, (0.28, 0.42)),
    "pendant": (
        (_Lamps(1, (0.5, 4), (13, 19), (1.2, 3), (_SOFT,), (0.5, 0.75)),), _SOFT, (0.25, 0.4)),
    "shop": ((_CEILING, _CEILING, _CEILING), _NEUTRAL, (0.35, 0.5)),
    "desk": (
        (_Lamps(1, (8, 13), (7, 12), (0.9, 1.8), (_WARM,), (0.45, 0.65)),), _SOFT, (0.25, 0.38)),
    "mixed": (
        (_Lamps(1, (24, 34), (10, 18), (8, 13), (_SKY,), (0.3, 0.45)),
         _Lamps(1, (9, 16), (10, 17), (1.8, 1.8), (_WARM,), (0.25, 0.45))), _NEUTRAL, (0.25, 0.38)),
}  # fmt: skip
_SOFT_ROOMS = ((1.5, "day"), (1.5, "evening"), (1.0, "pendant"), (1.0, "shop"), (0.5, "mixed"),
               (0.4, "desk"))  # fmt: skip
_HARD_ROOMS = ((1.5, "mixed"), (1.2, "desk"), (1.0, "evening"), (0.6, "pendant"))


def light_up(scene: Scene, is_hard: bool, rng: np.random.Generator) -> None:
    """The light of a room, whose colour the phone takes out, but for a part."""
    lamps, tint, bright = _ROOMS[weighted(rng, *(_HARD_ROOMS if is_hard else _SOFT_ROOMS))]
    around = np.array(tint) * rng.uniform(0.96, 1.04, 3) * rng.uniform(*bright)
    thrown = [
        (each, pick(rng, *each.colors) * np.array(rng.uniform(*each.share)))
        for each in lamps
        if chance(rng, each.chance)
    ]
    fallen = around + sum(light for _, light in thrown)
    kept = rng.uniform(0.25, 0.6) if is_hard else rng.uniform(0.1, 0.35)
    balance = (fallen / fallen.mean()) ** (kept - 1)
    scene.ambient = (around * balance)[::-1]
    scene.lamps += [_lamp(each, (light * balance)[::-1], rng) for each, light in thrown]


def _lamp(look: _Lamps, fallen: Array, rng: np.random.Generator) -> Lamp:
    """fallen: the light that it throws on the middle of the board, (3,), BGR."""
    away, high, turn = rng.uniform(*look.away), rng.uniform(*look.high), rng.uniform(0, 2 * np.pi)
    way = np.array([away * np.cos(turn), away * np.sin(turn), high])
    half, square = rng.uniform(*look.side) / 2, float(way @ way)
    radiance = fallen * np.pi * square / (4 * half**2 * high / np.sqrt(square))
    return Lamp(_MIDDLE + way, _MIDDLE, half, radiance)
