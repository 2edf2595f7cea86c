"""The colours of a board's cells, under light that changes smoothly across the board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import flatten
from brikks_vision.detect.placement import Image

Array = NDArray[np.float64]

CELL_PIXELS = 16  # of a cell of the flattened photo
INSET = 0.16  # of a cell at each side is not looked at: there are lines
HAZE = 8.0  # grey levels that even the darkest cell sends; keeps logarithms finite
ROBUST = 0.12  # log colour beyond which a cell counts less: something may stand on it
MAX_MISFIT = 0.15  # log colour; more is as bad: something else stands there
ROUNDS = 12


@dataclass(frozen=True)
class Light:
    """How each kind of cell looks at each place, on one board or on several.

    shades: (..., kinds, 3), logarithm of the colour (BGR, with `HAZE`) of each kind in the middle
    of the board. slopes: (..., terms, 3), how it changes with the terms of `_terms`.
    """

    shades: Array
    slopes: Array

    def colors(self, side: int) -> Array:
        """Expected colours (..., side, side, kinds, 3), BGR."""
        lit = _terms(side) @ self.slopes
        logs = lit[..., None, :] + self.shades[..., None, :, :]
        return np.asarray(np.exp(logs).reshape(*lit.shape[:-2], side, side, -1, 3) - HAZE)

    @property
    def contrast(self) -> float:
        """The distance between the two most similar kinds, in log colour."""
        apart = np.linalg.norm(self.shades[:, None] - self.shades, axis=2) / np.sqrt(3)
        return float(apart[~np.eye(len(apart), dtype=bool)].min())


def cell_colors(image: Image, homography: Array, side: int) -> Array:
    """The median colour (side, side, 3) of each cell, BGR."""
    flat = flatten(image, homography, side, CELL_PIXELS, 0.0)
    inset = round(INSET * CELL_PIXELS)
    cells = flat.reshape(side, CELL_PIXELS, side, CELL_PIXELS, 3).transpose(0, 2, 1, 3, 4)
    inner = cells[:, :, inset:-inset, inset:-inset].reshape(side, side, -1, 3)
    return np.asarray(np.median(inner, axis=2), np.float64)


@cache
def _terms(side: int) -> Array:
    """Smooth changes across the board at each cell, (side * side, 5)."""
    y, x = np.mgrid[:side, :side] / (side - 1) * 2 - 1
    terms = np.stack([x, y, x * y, x * x, y * y], axis=-1).reshape(side * side, -1)
    terms.setflags(write=False)
    return np.asarray(terms, np.float64)


def fit_light(colors: Array, weights: Array) -> Light:
    """How the kinds look, given how probably each cell is of each; of several boards at once.

    colors: (..., side, side, 3). weights: (..., side, side, kinds), 0 to 1. Cells that look like
    none of their kind, as something stands on them, count little.
    """
    side, kinds = weights.shape[-2:]
    logs = np.log(np.maximum(colors, 0) + HAZE).reshape(*colors.shape[:-3], -1, 3)
    belongs, terms = weights.reshape(*weights.shape[:-3], -1, kinds), _terms(side)
    shades = _weighted_medians(logs, belongs)
    slopes = np.zeros((*shades.shape[:-2], terms.shape[1], 3))
    ridge = 0.6 * np.eye(terms.shape[1])
    for _ in range(ROUNDS):
        lit = terms @ slopes
        off = (logs - lit)[..., None, :] - shades[..., None, :, :]
        trust = belongs / (1 + (off**2).sum(axis=-1) / (3 * ROBUST**2)) ** 2
        # Light first, of all channels alike but for a slow change of colour, then the shades.
        weight, total = trust.sum(axis=-1, keepdims=True), trust.sum(axis=-2)
        slopes = np.linalg.solve(
            terms.T @ (terms * weight) + ridge, terms.T @ (logs * weight - trust @ shades)
        )
        slopes = 0.7 * slopes.mean(axis=-1, keepdims=True) + 0.3 * slopes
        means = np.swapaxes(trust, -1, -2) @ (logs - terms @ slopes)
        means /= np.maximum(total, 1e-6)[..., None]
        shades = np.where((total > 0.3)[..., None], means, shades)
    return Light(shades, slopes)


def _weighted_medians(values: Array, weights: Array) -> Array:
    """Medians (..., kinds, 3) of values (..., cells, 3), of those cells that have at least half of
    the greatest weight (..., cells, kinds) of a kind; of all where none has any."""
    used = weights >= np.maximum(0.5 * weights.max(axis=-2, keepdims=True), 1e-9)
    used |= ~used.any(axis=-2, keepdims=True)
    ordered = np.sort(np.where(used[..., None], values[..., None, :], np.inf), axis=-3)
    middle = (used.sum(axis=-2)[..., None, :, None] - 1) / 2
    lower, upper = (
        np.take_along_axis(ordered, each(middle).astype(np.intp), axis=-3)[..., 0, :, :]
        for each in (np.floor, np.ceil)
    )
    return np.asarray((lower + upper) / 2)


def misfits(colors: Array, light: Light) -> Array:
    """How far each cell is from each kind, (side, side, kinds), in log colour."""
    expected = np.log(np.maximum(light.colors(colors.shape[0]), 0) + HAZE)
    logs = np.log(np.maximum(colors, 0) + HAZE)[:, :, None]
    return np.asarray(np.linalg.norm(logs - expected, axis=3) / np.sqrt(3))


def turn_misfit(colors: Array, kinds: NDArray[np.uint8], count: int) -> tuple[float, Light]:
    """How badly the cells fit a known board, 0 to `MAX_MISFIT`, and how it looks then."""
    weights = np.eye(count)[kinds]
    light = fit_light(colors, weights)
    side = len(kinds)
    rows, columns = np.mgrid[:side, :side]
    own = misfits(colors, light)[rows, columns, kinds]
    return float(np.minimum(own, MAX_MISFIT).mean()), light


def own_share(colors: Array, kinds: NDArray[np.uint8], light: Light) -> float:
    """The share of the cells, 0 to 1, that look most like their own kind."""
    return float((misfits(colors, light).argmin(axis=2) == kinds).mean())
