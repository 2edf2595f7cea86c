"""Colours, BGR tuples of integers 0 to 255."""

from __future__ import annotations

import numpy as np

Color = tuple[int, int, int]


BLACK: Color = (0, 0, 0)
WHITE: Color = (255, 255, 255)


def hsv(hue: float, saturation: float, value: float) -> Color:
    """BGR of a hue in degrees (any; wraps), saturation and value 0..1 (clipped)."""
    sector = (hue % 360.0) / 60.0
    saturation, value = min(max(saturation, 0.0), 1.0), min(max(value, 0.0), 1.0)
    chroma = value * saturation
    second = chroma * (1 - abs(sector % 2 - 1))
    red, green, blue = (
        (chroma, second, 0.0),
        (second, chroma, 0.0),
        (0.0, chroma, second),
        (0.0, second, chroma),
        (second, 0.0, chroma),
        (chroma, 0.0, second),
    )[int(sector) % 6]
    base = value - chroma
    return (
        round(255 * (blue + base)),
        round(255 * (green + base)),
        round(255 * (red + base)),
    )


def from_hex(text: str) -> Color:
    """BGR of ``#rrggbb``."""
    return (int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16))


def to_hsv(color: Color) -> tuple[float, float, float]:
    """Hue in degrees, saturation and value 0..1."""
    blue, green, red = (channel / 255 for channel in color)
    value, low = max(red, green, blue), min(red, green, blue)
    chroma = value - low
    if chroma == 0:
        return 0.0, 0.0, value
    if value == red:
        hue = (green - blue) / chroma
    elif value == green:
        hue = 2 + (blue - red) / chroma
    else:
        hue = 4 + (red - green) / chroma
    return (60 * hue) % 360, chroma / value, value


def luminance(color: Color) -> float:
    """0 (black) .. 255 (white)."""
    return 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2]


def mixed(first: Color, second: Color, share: float) -> Color:
    """``share`` (0..1) of the second colour over the first."""
    return (
        round(first[0] + (second[0] - first[0]) * share),
        round(first[1] + (second[1] - first[1]) * share),
        round(first[2] + (second[2] - first[2]) * share),
    )


def varied(rng: np.random.Generator, color: Color, hue: float, spread: float) -> Color:
    """The colour, its hue moved by up to ``hue`` degrees, saturation and value by ``spread``."""
    base_hue, saturation, value = to_hsv(color)
    return hsv(
        base_hue + rng.uniform(-hue, hue),
        saturation + (rng.uniform(-spread, spread) if saturation > 0.05 else 0.0),
        value + rng.uniform(-spread, spread),
    )


def any_color(
    rng: np.random.Generator,
    saturation: tuple[float, float] = (0.0, 1.0),
    value: tuple[float, float] = (0.0, 1.0),
) -> Color:
    """A colour of any hue."""
    return hsv(rng.uniform(0, 360), rng.uniform(*saturation), rng.uniform(*value))


def contrasting(
    rng: np.random.Generator, ground: Color, contrast: float, saturation: float = 1.0
) -> Color:
    """A random colour whose luminance differs from the ground's by at least ``contrast``."""
    for _ in range(8):
        color = any_color(rng, (0.0, saturation))
        if abs(luminance(color) - luminance(ground)) >= contrast:
            return color
    return BLACK if luminance(ground) > 127 else WHITE


def visible_on(color: Color, ground: Color, contrast: float) -> Color:
    """The colour, made darker or lighter until it stands out from the ground."""
    target = BLACK if luminance(ground) > 120 else WHITE
    for share in (0.0, 0.25, 0.5, 0.75):
        candidate = mixed(color, target, share)
        if abs(luminance(candidate) - luminance(ground)) >= contrast:
            return candidate
    return target


def color_distance(first: Color, second: Color) -> float:
    """How different two colours look: half their largest difference in a channel, and luminance."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True)) * 0.5 + abs(
        luminance(first) - luminance(second)
    )
