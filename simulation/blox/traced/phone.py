"""What a phone makes of the light."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from simulation.blox.traced.textures import Floats
from simulation.camera import compress
from simulation.paper.canvas import Image
from simulation.paper.chances import chance


def photographed(light: Floats, fallen: Floats, is_hard: bool, rng: np.random.Generator) -> bytes:
    """The JPEG file of linear light, red first; fallen: the colour of the light, (3,)."""
    shown = _exposed(np.maximum(light, 0), fallen, is_hard, rng)
    shown = _blurred(shown, is_hard, rng)
    noise = rng.uniform(0.012, 0.034) if is_hard else rng.uniform(0.003, 0.012)
    grain = rng.standard_normal(shown.shape).astype(np.float32) * np.float32(noise)
    shown = _smoothed(shown + grain * np.sqrt(np.maximum(shown, 0) + 0.35**2), rng)
    quality = rng.integers(72, 88) if is_hard else rng.integers(82, 95)
    return compress(_toned(shown, rng), int(quality))


def _exposed(light: Floats, fallen: Floats, is_hard: bool, rng: np.random.Generator) -> Floats:
    """By what falls on things, and a little by what the picture shows; its colour taken out."""
    height, width = light.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = 2 * ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2)
    share = rng.uniform(0.45, 0.9) if is_hard else rng.uniform(0.78, 1.0)
    balance = (fallen.mean() / np.maximum(fallen, 1e-4)) ** share
    balance *= np.exp(rng.normal(0, 0.035 if is_hard else 0.018, 3))
    shown = light * (1 - rng.uniform(0.08, 0.3) * away)[..., None] * balance
    of_fallen = 0.8 / max(1e-4, 0.75 * float(fallen.mean()))
    of_shown = 0.25 / max(1e-4, float(shown.mean()))
    stops = rng.uniform(-0.9, 0.5) if is_hard else rng.uniform(-0.25, 0.35)
    return np.asarray(shown * of_fallen**0.65 * of_shown**0.35 * 2**stops, np.float32)


def _blurred(light: Floats, is_hard: bool, rng: np.random.Generator) -> Floats:
    """Out of focus, shaken, in a haze, and with a glow around what is too bright."""
    unit = max(light.shape) / 1000
    blur = rng.uniform(0.5, 1.3) if is_hard else rng.uniform(0.3, 0.7)
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), blur * unit), np.float32)
    if is_hard and chance(rng, 0.4):
        turn, kernel = rng.uniform(0, np.pi), np.zeros((15, 15), np.float32)
        way = unit * rng.uniform(1.5, 5) * np.array([np.cos(turn), np.sin(turn)])
        for share in np.linspace(-0.5, 0.5, 60):
            x, y = np.rint(7 + share * way).astype(int)
            kernel[y, x] += 1 / 60
        light = np.asarray(cv2.filter2D(light, -1, kernel), np.float32)
    glow = cv2.GaussianBlur(np.clip(light - 0.9, 0, 3), (0, 0), 25 * unit)
    haze = rng.uniform(0, 0.05 if is_hard else 0.015)
    return np.asarray(light + glow * 0.25 + haze * light.mean(), np.float32)


def _smoothed(light: Floats, rng: np.random.Generator) -> Floats:
    """Less noise, in the colours even less than in the brightness."""
    parts: Any = cv2.cvtColor(np.clip(light, 0, 4).astype(np.float32), cv2.COLOR_RGB2YCrCb)
    parts[..., 1:] = cv2.GaussianBlur(parts[..., 1:], (0, 0), rng.uniform(1, 2.5))
    even = cv2.bilateralFilter(np.ascontiguousarray(parts[..., 0]), 5, 0.06, 2)
    parts[..., 0] += rng.uniform(0.3, 0.9) * (even - parts[..., 0])
    return np.asarray(np.maximum(cv2.cvtColor(parts, cv2.COLOR_YCrCb2RGB), 0), np.float32)


def _toned(light: Floats, rng: np.random.Generator) -> Image:
    """The picture, BGR, with a phone's contrast, colours and sharpness."""
    light = np.where(light < 0.7, light, 0.7 + 0.3 * (1 - np.exp(-(light - 0.7) / 0.3)))
    curve = 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055
    shown = np.where(light < 0.0031308, 12.92 * light, curve)
    shown = shown + rng.uniform(0.05, 0.28) * (shown - 0.5) * (1 - np.abs(2 * shown - 1))
    grey = (shown @ np.array([0.299, 0.587, 0.114]))[..., None]
    shown = np.clip(grey + (shown - grey) * rng.uniform(1.0, 1.22), 0, 1)
    shown += rng.uniform(0.3, 0.9) * (
        shown - cv2.GaussianBlur(shown, (0, 0), rng.uniform(0.8, 1.6))
    )
    return np.asarray(np.rint(np.clip(shown[..., ::-1], 0, 1) * 255), np.uint8)
