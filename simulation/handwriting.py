"""Human pen strokes, split by writer, with strokes of our own making where there are none.

Strokes are lists of points in a unit box centred on 0, longest side 1, y down. They are read from
the folder ``shared/handwriting`` beside the repository (or the one that the environment variable
``BRIKKS_HANDWRITING`` names); without it the simulator draws strokes of its own.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Stroke = NDArray[np.float64]  # (points, 2)
Glyph = tuple[Stroke, ...]

CROSSES = {"X", "chi"}
RINGS = {"O", "omicron"}
MIN_LOOP_WIDTH = 0.5  # of the longer side of a ring
MIN_LOOP_AREA = 0.6  # of the box around a ring that it encloses
MAX_LOOP_GAP = 0.35  # between both ends of a ring, in its longer side
MIN_LINE_SPAN = 0.7  # from end to end of a line, in its longest side
MIN_WINDING, MAX_WINDING = 1.05, 2.4  # length of a line, in that from end to end
MAX_FROM_MIDDLE = 0.12  # that a line passes its middle, in the same
HELD_OUT_SHARE = 3  # every third writer is never trained on


@dataclass(frozen=True)
class Writers:
    """Glyphs by one group of writers: ``crosses[i]`` and ``rings[i]`` are one writer's own.

    ``loops``: whatever else of theirs is drawn as a ring is, such as noughts and bowls of letters.
    ``lines``: winding strokes through the middle of their letters.
    """

    crosses: tuple[tuple[Glyph, ...], ...]
    rings: tuple[tuple[Glyph, ...], ...]
    loops: tuple[Glyph, ...]
    lines: tuple[Glyph, ...]
    digits: dict[str, tuple[Glyph, ...]]


def handwriting_folder() -> Path:
    """The folder of human strokes, see the docstring of this module."""
    named = os.environ.get("BRIKKS_HANDWRITING")
    beside = Path(__file__).resolve().parents[2] / "shared" / "handwriting"
    return Path(named) if named else beside


def _samples(path: Path) -> Iterable[tuple[str, str, Glyph]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            sample = json.loads(line)
            strokes = tuple(np.asarray(stroke, float) for stroke in sample["strokes"])
            yield sample["char"], sample["writer"], strokes


def _smooth_noise(rng: np.random.Generator, count: int, size: float) -> Stroke:
    knots = rng.normal(0.0, size, (4, 2))
    at = np.linspace(0, 3, count)
    return np.stack([np.interp(at, range(4), knots[:, axis]) for axis in (0, 1)], axis=1)


def resampled(stroke: Stroke, count: int) -> Stroke:
    """The stroke resampled at ``count`` points, evenly along its own ones."""
    at = np.linspace(0, len(stroke) - 1, count)
    return np.stack([np.interp(at, range(len(stroke)), axis) for axis in stroke.T], axis=1)


def turning(angle: float) -> NDArray[np.float64]:
    """The matrix that turns points (N, 2) around 0 by ``angle`` radians: ``points @ matrix``."""
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def own_cross(rng: np.random.Generator) -> Glyph:
    """Two crossing strokes, bent a little: the fallback for human crosses."""
    size = 0.5 * rng.uniform(0.8, 1.0, 4)
    ends = np.array([[-1, -1], [1, 1], [1, -1], [-1, 1]]) * size[:, None]
    ends += rng.normal(0, 0.06, ends.shape)
    at = np.linspace(0, 1, 14)[:, None]
    return tuple(
        ends[i] * (1 - at) + ends[i + 1] * at + _smooth_noise(rng, 14, 0.02) for i in (0, 2)
    )


def own_ring(rng: np.random.Generator) -> Glyph:
    """A hand-drawn ring that does not quite close, or runs on into a tail within or without.

    A third have corners, a third are rounded triangles, squares or eggs, a third are about round;
    some pens come from aside or leave aside.
    """
    start, turn = rng.uniform(0, 2 * np.pi), 2 * np.pi * rng.uniform(0.88, 1.3)
    angle = start + np.linspace(0, turn, 40) * rng.choice([-1, 1])
    radius = 0.5 + np.linspace(0, 1, 40) * rng.normal(0, 0.08)
    corners_rng = rng.spawn(1)[0]  # of its own, so that other hands of a seed stay as they are
    if corners_rng.random() < 0.35:
        radius *= _polygon_radius(corners_rng, angle)
    elif rng.random() < 0.5:
        for corners in (2, 3, 4):
            height = rng.uniform(0, 0.8) / (corners**2 - 1)  # 1: where it would no longer bulge
            radius *= 1 + height * np.cos(corners * angle + rng.uniform(0, 2 * np.pi))
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None]
    for _ in range(2):
        ring = ring[::-1]
        if rng.random() < 0.15:
            ring = np.concatenate([ring, _tail(rng, ring)])
    return (ring * [1, rng.uniform(0.8, 1.2)] + _smooth_noise(rng, len(ring), 0.02),)


def _polygon_radius(rng: np.random.Generator, angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far straight sides between three to five corners are from 0, at each angle (N,).

    The corners stand at about equal angles, any way up. The farthest of them is 1.2 away: its
    longest side is about that of a circle with radius 1.
    """
    count = int(rng.integers(3, 6))
    at = (np.arange(count) + rng.uniform(-0.12, 0.12, count)) * 2 * np.pi / count
    at += rng.uniform(0, 2 * np.pi)
    far = rng.uniform(0.85, 1.15, count)
    corners = np.stack([np.cos(at), np.sin(at)], axis=1) * far[:, None]
    after = np.roll(corners, -1, axis=0)
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    # where each ray from 0 meets the line of each side that it faces: the nearest is the side met
    normal = np.stack([after[:, 1] - corners[:, 1], corners[:, 0] - after[:, 0]], axis=1)
    reach = np.sum(normal * corners, axis=1)
    facing = way @ normal.T
    with np.errstate(divide="ignore"):
        met = np.where(facing > 0, reach / facing, np.inf)
    sides = np.maximum(met.min(axis=1), 0.4)  # none of them near the middle, as a strike is
    return np.asarray(1.2 / far.max() * sides)


def _tail(rng: np.random.Generator, ring: Stroke) -> Stroke:
    """How the pen runs on from the end of a ring around 0: on along it, or outwards."""
    along, outwards = ring[-1] - ring[-4], ring[-1]
    way = along / np.linalg.norm(along)
    way = way + outwards / np.linalg.norm(outwards) * rng.uniform(0.0, 1.5)
    steps = np.linspace(0, rng.uniform(0.1, 0.5), 8)[1:, None]
    return np.asarray(ring[-1] + steps * way / np.linalg.norm(way))


def loop(stroke: Stroke) -> Glyph | None:
    """The stroke as a ring around 0; None where it does not close or encloses too little.

    ``stroke``: (points, 2); the longest side of the result is 1.
    """
    low, high = stroke.min(axis=0), stroke.max(axis=0)
    side = high - low
    if len(stroke) < 8 or side.min() < MIN_LOOP_WIDTH * side.max():
        return None
    after = np.roll(stroke, -1, axis=0)
    enclosed = abs(np.sum(stroke[:, 0] * after[:, 1] - stroke[:, 1] * after[:, 0])) / 2
    gap = np.linalg.norm(stroke[-1] - stroke[0])
    if enclosed < MIN_LOOP_AREA * side.prod() or gap > MAX_LOOP_GAP * side.max():
        return None
    return ((stroke - (low + high) / 2) / side.max(),)


MIN_RING_WIDTH = 0.6  # width of a ring in its height


def slender(glyph: Glyph, squeeze: float, slant: float) -> Glyph:
    """The ring narrower by a factor, but not beyond `MIN_RING_WIDTH`, then slanted.

    slant: how far the top leans to the right, in the height. The longest side is 1 again.
    """
    points = np.concatenate(glyph)
    width, height = np.ptp(points, axis=0)
    squeeze = max(squeeze, min(1.0, MIN_RING_WIDTH * height / max(width, 1e-6)))
    changed = np.array([[squeeze, 0.0], [-slant, 1.0]])
    side = np.ptp(points @ changed, axis=0).max()
    return tuple(stroke @ changed / side for stroke in glyph)


def line(stroke: Stroke) -> Glyph | None:
    """The stroke as a winding line through 0, or None where it is none.

    ``stroke``: (points, 2); the longest side of the result is 1.
    """
    low, high = stroke.min(axis=0), stroke.max(axis=0)
    side = float((high - low).max())
    span = float(np.linalg.norm(stroke[-1] - stroke[0]))
    length = float(np.linalg.norm(np.diff(stroke, axis=0), axis=1).sum())
    if side == 0 or span < MIN_LINE_SPAN * side:
        return None
    if not MIN_WINDING <= length / span <= MAX_WINDING:
        return None
    placed = (stroke - (low + high) / 2) / side
    if np.linalg.norm(resampled(placed, 80), axis=1).min() > MAX_FROM_MIDDLE:
        return None
    return (placed,)


OWN_DIGITS: dict[str, list[list[tuple[float, float]]]] = {
    "0": [
        [(0.0, -0.5), (-0.28, -0.2), (-0.28, 0.2), (0, 0.5), (0.28, 0.2), (0.28, -0.2), (0, -0.5)]
    ],
    "1": [[(-0.15, -0.3), (0.05, -0.5), (0.05, 0.5)]],
    "2": [[(-0.25, -0.3), (0, -0.5), (0.25, -0.3), (0.1, 0.0), (-0.28, 0.5), (0.3, 0.48)]],
    "3": [[(-0.22, -0.45), (0.2, -0.4), (0, -0.05), (0.25, 0.2), (0.05, 0.5), (-0.25, 0.38)]],
    "4": [[(0.05, -0.5), (-0.28, 0.12), (0.3, 0.12)], [(0.12, -0.15), (0.1, 0.5)]],
    "5": [[(0.25, -0.5), (-0.18, -0.5), (-0.2, -0.05), (0.2, 0.05), (0.18, 0.42), (-0.25, 0.45)]],
    "6": [[(0.15, -0.5), (-0.22, 0.0), (-0.15, 0.45), (0.2, 0.4), (0.18, 0.08), (-0.2, 0.15)]],
    "7": [[(-0.28, -0.48), (0.28, -0.5), (-0.05, 0.5)]],
    "8": [[(0.2, -0.4), (-0.15, -0.45), (0.2, 0.3), (-0.1, 0.5), (-0.2, 0.25), (0.2, -0.4)]],
    "9": [[(0.22, -0.3), (-0.15, -0.45), (-0.15, -0.05), (0.22, -0.2), (0.22, -0.35), (0.1, 0.5)]],
}


def own_digit(rng: np.random.Generator, digit: str) -> Glyph:
    """A digit from a rounded polyline with a slant: the fallback for human digits."""
    glyph = []
    for corners in OWN_DIGITS[digit]:
        points = np.asarray(corners) + rng.normal(0, 0.03, (len(corners), 2))
        for _ in range(2):  # Chaikin's corner cutting
            left, right = points[:-1], points[1:]
            cut = np.empty((2 * len(left), 2))
            cut[0::2], cut[1::2] = 0.75 * left + 0.25 * right, 0.25 * left + 0.75 * right
            points = np.concatenate([points[:1], cut, points[-1:]])
        glyph.append(points)
    slant = rng.normal(0, 0.12)
    return tuple(stroke @ np.array([[1, 0], [-slant, 1]]) for stroke in glyph)


def _own_writers(seed: int) -> Writers:
    rng = np.random.default_rng(seed)
    return Writers(
        crosses=tuple(tuple(own_cross(rng) for _ in range(3)) for _ in range(12)),
        rings=tuple(tuple(own_ring(rng) for _ in range(3)) for _ in range(12)),
        loops=tuple(own_ring(rng) for _ in range(48)),
        lines=tuple((own_cross(rng)[0],) for _ in range(48)),
        digits={digit: tuple(own_digit(rng, digit) for _ in range(24)) for digit in OWN_DIGITS},
    )


@cache
def load_writers(held_out: bool) -> Writers:
    """The writers to train on, or the held-out ones, which only measure.

    Every third writer of crosses and rings (in the order of their names) and every third
    sample of the digits, whose writers are not told apart, are held out.
    """
    folder = handwriting_folder()
    if not (folder / "characters.jsonl").is_file() or not (folder / "digits.jsonl").is_file():
        return _own_writers(seed=2 if held_out else 1)
    glyphs: dict[str, dict[str, list[Glyph]]] = defaultdict(lambda: defaultdict(list))
    for char, writer, strokes in _samples(folder / "characters.jsonl"):
        kind = "cross" if char in CROSSES else "ring" if char in RINGS else "other"
        glyphs[writer][kind].append(strokes)
    chosen = [
        glyphs[writer]
        for number, writer in enumerate(sorted(glyphs))
        if (number % HELD_OUT_SHARE == HELD_OUT_SHARE - 1) == held_out
    ]
    digits: dict[str, list[Glyph]] = defaultdict(list)
    for number, (char, _, strokes) in enumerate(_samples(folder / "digits.jsonl")):
        if (number % HELD_OUT_SHARE == HELD_OUT_SHARE - 1) == held_out:
            digits[char].append(strokes)
    letters = [stroke for writer in chosen for strokes in writer["other"] for stroke in strokes]
    noughts = [stroke for strokes in digits["0"] for stroke in strokes]
    return Writers(
        crosses=tuple(tuple(writer["cross"]) for writer in chosen if writer["cross"]),
        rings=tuple(tuple(writer["ring"]) for writer in chosen if writer["ring"]),
        loops=tuple(filter(None, map(loop, (*letters, *noughts)))),
        lines=tuple(filter(None, map(line, letters))),
        digits={digit: tuple(samples) for digit, samples in digits.items()},
    )


def bent(rng: np.random.Generator, stroke: Stroke, bow: float, wave: float) -> Stroke:
    """The stroke drawn again as an arc (``bow``) or like an S (``wave``), in its own lengths.

    No two are bent alike; the middle of the box around it stays about where it is.
    """
    span = stroke[-1] - stroke[0]
    aside = np.array([-span[1], span[0]])
    at = np.linspace(0, 1, len(stroke))[:, None]
    bow, wave = bow + rng.normal(0, 0.03), wave + rng.normal(0, 0.03)
    return stroke + aside * (bow * (np.sin(np.pi * at) - 0.5) + wave * np.sin(2 * np.pi * at))


def vary(rng: np.random.Generator, glyph: Glyph, amount: float) -> Glyph:
    """The same glyph written again: turned, sheared and bent a little. ``amount`` 0 to 1."""
    angle, shear = rng.normal(0, 0.12 * amount), rng.normal(0, 0.10 * amount)
    stretch = np.exp(rng.normal(0, 0.10 * amount, 2))
    matrix = turning(angle) @ np.array([[1, 0], [shear, 1]]) @ np.diag(stretch)
    return tuple(
        stroke @ matrix + _smooth_noise(rng, len(stroke), 0.03 * amount) for stroke in glyph
    )
