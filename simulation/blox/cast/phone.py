"""What a phone makes of the light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.blox.traced.textures import Floats
from simulation.camera import compress
from simulation.paper.canvas import Image
from simulation.paper.chances import chance

_LONG_SIDE = 1600  # px, of the photos that lengths of `Shot` are told for
_SPREADS = (1.2, 2.6, 5.5)  # px, of things more and more out of focus


@dataclass(frozen=True, eq=False)
class Shot:
    """How one photo is taken.

    gain: of each colour, (3,). focus: how fast things get blurred before and behind the board.
    focus, blur, shake: in px of a photo 1600 px long. turn: the way of the shaking, radians.
    """

    gain: Floats
    focus: float
    shake: float
    turn: float
    blur: float
    flare: float
    vignette: float
    shot_noise: float
    dark_noise: float
    color_noise: float
    shoulder: float
    contrast: float
    saturation: float
    sharpening: float
    quality: int


def random_shot(rng: np.random.Generator, fallen: NDArray[np.float64], is_hard: bool) -> Shot:
    """fallen: the light on the board, (3,), of whose colour the phone leaves a part."""
    u = rng.uniform
    kept = u(0.25, 0.6) if is_hard else u(0.1, 0.35)
    balance = (fallen / fallen.mean()) ** (kept - 1)
    balance *= np.exp(rng.normal(0, 0.06 if is_hard else 0.035, 3))
    balance /= balance @ (0.3, 0.6, 0.1)
    stops = u(-0.75, 0.05) if is_hard else u(-0.3, 0.25)
    return Shot(
        gain=np.asarray(balance / fallen.mean() * 2**stops, np.float32),
        focus=u(0, 6),
        shake=u(1.2, 4) if is_hard and chance(rng, 0.6) else 0.0,
        turn=u(0, np.pi),
        blur=u(0.6, 1.3) if is_hard else u(0.3, 0.8),
        flare=u(0, 0.05),
        vignette=u(0.05, 0.35),
        shot_noise=u(0.03, 0.075) if is_hard else u(0.006, 0.026),
        dark_noise=u(0.004, 0.012) if is_hard else u(0.001, 0.004),
        color_noise=u(0.03, 0.1) if is_hard else u(0, 0.02),
        shoulder=u(0.6, 0.85),
        contrast=u(0, 0.7),
        saturation=u(0.9, 1.2),
        sharpening=u(0.1, 0.8),
        quality=int(rng.integers(85, 89) if is_hard else rng.integers(85, 95)),
    )


def photographed(
    light: Floats, away: Floats, board_away: float, shot: Shot, rng: np.random.Generator
) -> bytes:
    """The JPEG file of linear light, red first; away: how far each pixel comes from."""
    seen = np.clip(light * shot.gain, 0, 12)
    unit = max(light.shape) / _LONG_SIDE
    out_of_focus = np.float32(shot.focus * unit) * np.abs(board_away / np.maximum(away, 1) - 1)
    seen = _blurred(_focused(seen, out_of_focus), shot, unit)
    return compress(_toned(_noisy(_veiled(seen, shot), shot, rng), shot), shot.quality)


def _focused(light: Floats, spread: Floats) -> Floats:
    """Blurred as far as told for each pixel, px."""
    levels = [light, *(_spread(light, sigma) for sigma in _SPREADS)]
    level = np.interp(spread, [0.4, *_SPREADS], range(len(levels))).astype(np.float32)
    level = _spread(level, 2)
    shares = [np.clip(1 - np.abs(level - number), 0, 1)[..., None] for number in range(len(levels))]
    parts = [image * share for image, share in zip(levels, shares, strict=True)]
    return np.asarray(np.sum(parts, 0), np.float32)


def _spread(image: Floats, sigma: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.float32)


def _blurred(light: Floats, shot: Shot, unit: float) -> Floats:
    if shot.shake:
        reach = shot.shake * unit
        middle = int(np.ceil(reach))
        kernel = np.zeros((2 * middle + 1, 2 * middle + 1), np.float32)
        for way in np.linspace(-reach / 2, reach / 2, 21):
            off = np.rint(way * np.array([np.sin(shot.turn), np.cos(shot.turn)])).astype(int)
            kernel[middle + off[0], middle + off[1]] += 1
        kernel = _spread(kernel, 0.6)
        light = np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)
    return _spread(light, max(0.2, shot.blur * unit))


def _veiled(light: Floats, shot: Shot) -> Floats:
    """Stray light all over it, and darker corners."""
    height, width = light.shape[:2]
    small = cv2.resize(light, (64, 64), interpolation=cv2.INTER_AREA)
    stray = cv2.resize(cv2.GaussianBlur(small, (0, 0), 12), (width, height))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    off = ((x - width / 2) ** 2 + (y - height / 2) ** 2) * 4 / (width**2 + height**2)
    dark = shot.vignette * off * (1.1 - 0.2 * off)
    return np.asarray((light + shot.flare * stray) * (1 - dark)[..., None], np.float32)


def _noisy(light: Floats, shot: Shot, rng: np.random.Generator) -> Floats:
    height, width = light.shape[:2]
    grain = rng.standard_normal(light.shape, dtype=np.float32)
    grain = grain * 0.65 + _spread(grain, 0.9) * 0.9
    light = light + grain * np.sqrt(shot.shot_noise**2 * np.maximum(light, 0) + shot.dark_noise**2)
    coarse = rng.standard_normal((height // 6, width // 6, 3), dtype=np.float32)
    spots = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    spots -= spots.mean(2, keepdims=True)
    light = np.clip(light, 0, 8) * (1 + shot.color_noise * spots)
    return np.asarray(np.clip(light, 0, 8), np.float32)


def _toned(light: Floats, shot: Shot) -> Image:
    """The picture, BGR, with a phone's contrast, colours and sharpness."""
    knee = shot.shoulder
    soft = knee + (1 - knee) * (1 - np.exp(-(light - knee) / (1 - knee)))
    light = np.where(light > knee, soft, light)
    curve = 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055
    shown = np.where(light <= 0.0031308, 12.92 * light, curve).astype(np.float32)
    shown += shot.contrast * shown * (1 - shown) * (shown - 0.42) * 2
    grey = (shown @ np.array([0.3, 0.59, 0.11], np.float32))[..., None]
    shown = grey + (shown - grey) * shot.saturation
    shown += shot.sharpening * (shown - _spread(shown, 1.3))
    return np.asarray(np.rint(np.clip(shown[..., ::-1], 0, 1) * 255), np.uint8)
