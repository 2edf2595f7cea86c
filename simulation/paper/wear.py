"""What happens to a printed sheet before it is played on: copying and use."""

from __future__ import annotations

import cv2
import numpy as np

from simulation.paper.canvas import Canvas, Image
from simulation.paper.chances import chance, pick
from simulation.paper.colors import WHITE, hsv, mixed
from simulation.paper.surfaces import add_grain, smooth_field


def aged(canvas: Canvas, family: str, rng: np.random.Generator, copied: float) -> tuple[str, Image]:
    """What a printer, time and use make of a page: its family and uint8 BGR of the same size.

    copied: share of the pages that are photocopies.
    """
    image, scale = canvas.image, int(canvas.scale)
    if chance(rng, 0.3):
        image = coarsely_printed(image, scale, rng)
    if chance(rng, 0.12):
        image = screened(image, scale, rng)
    if chance(rng, 0.15):
        image = faded(image, rng)
    if chance(rng, copied):
        family, image = "photocopy", photocopied(image, rng)
    if chance(rng, 0.12):
        family, image = "worn", worn(image, rng)
    return family, image


def photocopied(image: Image, rng: np.random.Generator) -> Image:
    """A grey copy: hard or flat contrast, specks, dirt, dark edges; uint8 BGR of the same size."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    levels = np.arange(256) / 255
    middle, slope = rng.uniform(0.25, 0.5), rng.uniform(2.5, 7.0)
    curve = 1 / (1 + np.exp(-slope * (levels - middle)))
    curve = (curve - curve[0]) / (curve[-1] - curve[0])
    share = rng.uniform(0.0, 0.8)
    low, high = rng.uniform(0, 60), rng.uniform(215, 255)
    curve = low + (high - low) * ((1 - share) * levels + share * curve)
    grey = np.asarray(cv2.LUT(grey, curve.astype(np.uint8)), np.uint8)
    height, width = grey.shape
    for _ in range(int(rng.integers(0, 60))):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.circle(grey, at, int(rng.integers(0, 3)), (int(rng.integers(0, 120)),), -1)
    for _ in range(int(rng.integers(0, 3))):
        x = int(rng.integers(width))
        grey[:, x : x + int(rng.integers(1, 3))] = int(rng.integers(60, 230))
    if chance(rng, 0.4):
        edge = int(rng.integers(2, 14))
        side = pick(rng, grey[:edge], grey[-edge:], grey[:, :edge], grey[:, -edge:])
        side[:] = int(rng.integers(0, 110))
    copy = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    add_grain(rng, copy, float(rng.uniform(0, 12)))
    if chance(rng, 0.4):
        tint = np.array([rng.uniform(0.9, 1.0), rng.uniform(0.94, 1.0), rng.uniform(0.94, 1.0)])
        table = (np.arange(256)[:, None] * tint).astype(np.uint8)[None]
        return np.asarray(cv2.LUT(copy, table), np.uint8)
    return copy


def coarsely_printed(image: Image, cell: float, rng: np.random.Generator) -> Image:
    """Print from a small, compressed picture; ``cell``: px. uint8 BGR of the same size."""
    height, width = image.shape[:2]
    scale = min(1.0, float(rng.uniform(20, 34)) / cell)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))]
    coded = cv2.imencode(".jpg", small, quality)[1]
    decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    method = pick(rng, cv2.INTER_LINEAR, cv2.INTER_CUBIC)
    return np.asarray(cv2.resize(decoded, (width, height), interpolation=method), np.uint8)


def screened(image: Image, cell: float, rng: np.random.Generator) -> Image:
    """Print in the dots of a screen, each ink at its own angle; uint8 BGR of the same size."""
    height, width = image.shape[:2]
    period = float(rng.uniform(0.06, 0.14)) * cell
    depth = float(rng.uniform(10, 50))
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    result = image.astype(np.float32)
    for channel, angle in enumerate(rng.permutation([0.0, 0.26, 1.31])):
        along = (x * np.cos(angle) + y * np.sin(angle)) * np.float32(2 * np.pi / period)
        aside = (y * np.cos(angle) - x * np.sin(angle)) * np.float32(2 * np.pi / period)
        level = result[..., channel] / 255
        # the dots are largest where half of the paper is inked
        result[..., channel] += depth * 4 * level * (1 - level) * np.cos(along) * np.cos(aside)
    return np.asarray(np.clip(result, 0, 255), np.uint8)


def faded(image: Image, rng: np.random.Generator) -> Image:
    """Print bleached by the sun or from an empty cartridge; uint8 BGR of the same size."""
    left = rng.uniform(0.35, 0.9) * np.clip(rng.normal(1, 0.12, 3), 0.7, 1.2)
    levels = np.arange(256)[:, None]
    table = np.clip(255 - (255 - levels) * left, 0, 255).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(image, table), np.uint8)


def worn(image: Image, rng: np.random.Generator) -> Image:
    """A used sheet: faded, stained, creased, scratched; uint8 BGR of the same size."""
    height, width = image.shape[:2]
    low = (max(height // 4, 2), max(width // 4, 2))
    shade = np.full((*low, 3), 255, np.uint8)
    if chance(rng, 0.6):
        field = smooth_field(rng, *low, int(rng.integers(3, 7)), int(rng.integers(3, 6)))
        depth = float(rng.uniform(0.05, 0.25))
        shade[:] = (255 - field.astype(np.float32) * depth).astype(np.uint8)[..., None]
    for _ in range(int(rng.integers(0, 3))):
        stain = hsv(rng.uniform(20, 45), rng.uniform(0.1, 0.5), rng.uniform(0.6, 0.92))
        at = (int(rng.integers(low[1])), int(rng.integers(low[0])))
        radius = int(rng.uniform(0.06, 0.2) * low[1])
        layer = np.full_like(shade, 255)
        cv2.circle(layer, at, radius, stain, int(rng.integers(1, 5)), cv2.LINE_AA)
        if chance(rng, 0.5):
            cv2.circle(layer, at, radius, mixed(stain, WHITE, 0.6), -1, cv2.LINE_AA)
        shade = cv2.multiply(shade, layer, scale=1 / 255)
    result = cv2.resize(shade, (width, height), interpolation=cv2.INTER_LINEAR)
    result = cv2.multiply(image, result, scale=1 / 255)
    if chance(rng, 0.4):
        fade = float(rng.uniform(0.05, 0.3))
        result = cv2.addWeighted(result, 1 - fade, result, 0, float(255 * fade * rng.random()))
    used = np.asarray(result, np.uint8)
    for _ in range(int(rng.integers(0, 4))):
        _crease(used, rng)
    for _ in range(int(rng.integers(0, 8))):
        start = rng.uniform(0, 1, 2) * (width, height)
        end = start + rng.normal(0, 0.15, 2) * width
        color = hsv(0, 0, rng.uniform(0.5, 1.0))
        cv2.line(
            used,
            (int(start[0]), int(start[1])),
            (int(end[0]), int(end[1])),
            color,
            1,
            cv2.LINE_AA,
        )
    return used


def _crease(image: Image, rng: np.random.Generator) -> None:
    """A fold through the whole sheet: a bright line beside a dark one, in place."""
    height, width = image.shape[:2]
    if chance(rng, 0.5):
        y = rng.uniform(0, height, 2) if chance(rng, 0.4) else np.repeat(rng.uniform(0, height), 2)
        ends = ((0, int(y[0])), (width, int(y[1])))
        step = (0, 1)
    else:
        x = rng.uniform(0, width, 2) if chance(rng, 0.4) else np.repeat(rng.uniform(0, width), 2)
        ends = ((int(x[0]), 0), (int(x[1]), height))
        step = (1, 0)
    left, top = min(e[0] for e in ends), min(e[1] for e in ends)
    right, bottom = max(e[0] for e in ends) + 4, max(e[1] for e in ends) + 4
    part = image[max(top - 4, 0) : bottom, max(left - 4, 0) : right]
    offset = (max(left - 4, 0), max(top - 4, 0))
    mask = np.zeros(part.shape[:2], np.uint8)
    start = (ends[0][0] - offset[0], ends[0][1] - offset[1])
    end = (ends[1][0] - offset[0], ends[1][1] - offset[1])
    strength = int(rng.integers(40, 150))
    cv2.line(mask, start, end, (strength,), 1, cv2.LINE_AA)
    cv2.add(part, cv2.merge([mask] * 3), dst=part)
    mask[:] = 0
    start, end = (start[0] + step[0], start[1] + step[1]), (end[0] + step[0], end[1] + step[1])
    cv2.line(mask, start, end, (strength // 2,), 1, cv2.LINE_AA)
    cv2.subtract(part, cv2.merge([mask] * 3), dst=part)
