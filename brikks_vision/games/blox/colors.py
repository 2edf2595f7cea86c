"""Which of the four colours each field of an empty board has."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.ground import HAZE, Light, fit_light
from brikks_vision.games.blox.uneven_light import tell_kinds
from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import Color

Array = NDArray[np.float64]

COLORS = tuple(Color)
STARTS = 24  # first guesses
FEW_STARTS = 3  # where only the misfit is asked for
CHROMA_WEIGHT = 2.5  # colourfulness tells more than brightness, which light changes
ROUNDS = 12
REFINEMENTS = 3
PLAIN_QUANTILE = 0.4  # mirrored lamps are more frequent on a board than shadows
BRIGHTNESS_WEIGHT = 0.4
GLARE_SPREAD = 1.0  # fields
GLARE_SHARE = 0.8
SPREAD = 0.06  # log colour: how much fields of one colour differ
FIRST_SPREAD = 0.2
MIN_FIELDS = 6  # fields of a colour; a board has about twenty of each
MAX_MISFIT = 0.4  # log colour
# Between the two most similar colours of a board in play; 17 simulated boards had at least 0.15.
MIN_CONTRAST = 0.12  # log colour
MAX_COLORFUL = 0.4  # log colour: black or grey beside white; of 17 such boards 0.26 at most


def tell_colors(colors: Array) -> Array:
    """The probability (9, 9, 4) of each colour, in the order of `Color`.

    Fields are put into four groups by their look, from many first guesses, then the groups are
    named: the lightest is white, the most colourful of the others purple.

    colors: (9, 9, 3), the fields of an empty board, BGR.
    """
    logs = np.log(np.maximum(colors, 0) + HAZE)
    rng = np.random.default_rng(0)
    groups = np.stack([_first_groups(logs, rng) for _ in range(STARTS)])
    chances, shades, misfits = _settled(np.broadcast_to(colors, (STARTS, *colors.shape)), groups)
    best = int(misfits.argmin())
    chances = chances[best][:, :, _names(shades[best])]
    for _ in range(REFINEMENTS):
        light = _plain_light(colors, chances)
        chances = tell_kinds(colors, light.colors(len(colors)), white=0)
    return chances


def color_misfits(boards: Array) -> Array:
    """How badly the fields of each board (boards, 9, 9, 3) fit any four colours, in log colour.

    0 is a perfect fit.
    """
    groups = []
    for logs in np.log(np.maximum(boards, 0) + HAZE):
        rng = np.random.default_rng(0)
        groups += [_first_groups(logs, rng) for _ in range(FEW_STARTS)]
    _, _, found = _settled(np.repeat(boards, FEW_STARTS, axis=0), np.stack(groups))
    return np.asarray(found.reshape(-1, FEW_STARTS).min(axis=1))


def has_four_colors(colors: Array) -> bool:
    """Whether fields (9, 9, 3), some with things on them, have four colours, each on several."""
    chances = tell_colors(colors)
    counts = np.bincount(chances.argmax(axis=2).ravel(), minlength=len(COLORS))
    light = fit_light(colors, chances)
    white, *others = light.shades
    least_colorful = min(float(np.ptp(shade - white)) for shade in others)
    return (
        counts.min() >= MIN_FIELDS
        and light.contrast >= MIN_CONTRAST
        and least_colorful <= MAX_COLORFUL
    )


def _plain_light(colors: Array, chances: Array) -> Light:
    """How the colours look where neither a lamp is mirrored, which makes fields lighter, nor a
    shadow falls: such fields are neither the lightest nor the darkest of their colour."""
    light = fit_light(colors, chances)
    bright = (
        colors.mean(axis=2)
        / light.colors(SIDE).mean(axis=3)[
            np.arange(SIDE)[:, None], np.arange(SIDE), chances.argmax(axis=2)
        ]
    )
    shades = light.shades.copy()
    for kind in range(len(COLORS)):
        own = chances.argmax(axis=2) == kind
        if own.any():
            shades[kind] += np.log(np.quantile(bright[own], PLAIN_QUANTILE))
    return Light(shades, light.slopes)


def _first_groups(logs: Array, rng: np.random.Generator) -> Array:
    """Four groups of fields, (9, 9, 4): each field is of the nearest of four spread-out ones."""
    mean = logs.mean(axis=2, keepdims=True)
    looks = np.concatenate([mean, CHROMA_WEIGHT * (logs - mean)], axis=2).reshape(-1, 4)
    centres = [looks[int(rng.integers(len(looks)))]]
    for _ in range(len(COLORS) - 1):
        nearest = np.min([((looks - centre) ** 2).sum(axis=1) for centre in centres], axis=0)
        if not nearest.any():  # fewer looks than groups
            nearest = np.ones_like(nearest)
        centres.append(looks[int(rng.choice(len(looks), p=nearest / nearest.sum()))])
    middles = np.stack(centres)
    for _ in range(6):
        own = ((looks[:, None] - middles) ** 2).sum(axis=2).argmin(axis=1)
        middles = np.stack(
            [
                looks[own == kind].mean(axis=0) if (own == kind).any() else middles[kind]
                for kind in range(4)
            ]
        )
    return np.asarray(np.eye(4)[own].reshape(*logs.shape[:2], 4))


def _settled(colors: Array, groups: Array) -> tuple[Array, Array, Array]:
    """Colours and light that fit each other, fitted in turn from first groups (n, 9, 9, 4).

    Returns the probabilities (n, 9, 9, 4), the colours' shades (n, 4, 3) and the misfits (n,).
    """
    chances, spread = groups, FIRST_SPREAD
    glare = np.zeros_like(colors)
    for _ in range(ROUNDS):
        light = fit_light(colors - glare, chances)
        distance = _distances(colors - glare, light)
        chances = _chances(distance, spread)
        glare = _glare(colors, light, chances, distance)
        spread = max(SPREAD, spread * 0.8)
    cost = np.minimum(distance.min(axis=3), MAX_MISFIT).mean(axis=(1, 2))
    few = np.maximum(0, MIN_FIELDS - chances.sum(axis=(1, 2))).sum(axis=1) / MIN_FIELDS
    return chances, light.shades, cost + 0.05 * few


def _distances(colors: Array, light: Light) -> Array:
    """How far each field is from each colour, (n, 9, 9, 4), in log colour; brightness counts
    less."""
    expected = np.log(np.maximum(light.colors(SIDE), 0) + HAZE)
    off = np.log(np.maximum(colors, 0) + HAZE)[..., None, :] - expected
    mean = off.mean(axis=-1, keepdims=True)
    chroma = ((off - mean) ** 2).sum(axis=-1)
    return np.asarray(np.sqrt(BRIGHTNESS_WEIGHT * mean[..., 0] ** 2 + chroma))


def _glare(colors: Array, light: Light, chances: Array, distance: Array) -> Array:
    """Light (n, 9, 9, 3) that the varnish sends back here and there, on top of the fields' own."""
    expected = (chances[..., None] * light.colors(SIDE)).sum(axis=3)
    trust = 1 / (0.02 + (chances * distance).sum(axis=3)) / (20 + expected.mean(axis=3))
    both = np.concatenate([(colors - expected) * trust[..., None], trust[..., None]], axis=3)
    blurred = [
        cv2.GaussianBlur(each, (0, 0), GLARE_SPREAD, borderType=cv2.BORDER_REPLICATE)
        for each in both
    ]
    smooth = np.stack(blurred)
    return np.asarray(GLARE_SHARE * np.maximum(smooth[..., :3] / smooth[..., 3:], 0.0))


def _names(shades: Array) -> list[int]:
    """Which group is white, grey, purple and black."""
    white = int(shades.mean(axis=1).argmax())
    others = [kind for kind in range(len(shades)) if kind != white]
    off = shades - shades[white]
    colorful = {kind: float(np.ptp(off[kind])) for kind in others}
    purple = max(others, key=colorful.__getitem__)
    black, grey = sorted(
        (kind for kind in others if kind != purple), key=lambda kind: float(shades[kind].mean())
    )
    return [white, grey, purple, black]


def _chances(distance: Array, spread: float) -> Array:
    logits = -0.5 * (distance / spread) ** 2 * 3
    logits -= logits.max(axis=-1, keepdims=True)
    weights = np.exp(logits)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
