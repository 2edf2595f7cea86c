"""The colours of a board's cells, under light that changes smoothly across the board."""

from __future__ import annotations

from dataclasses import dataclass

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
    """How each kind of cell looks at each place.

    shades: (kinds, 3), logarithm of the colour (BGR, with `HAZE`) of each kind in the middle of the
    board. slopes: (terms, 3), how it changes with the terms of `_terms`.
    """

    shades: Array
    slopes: Array

    def colors(self, side: int) -> Array:
        """Expected colours (side, side, kinds, 3), BGR."""
        lit = _terms(side) @ self.slopes
        return np.asarray(np.exp(lit[:, None] + self.shades).reshape(side, side, -1, 3) - HAZE)

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


def _terms(side: int) -> Array:
    """Smooth changes across the board at each cell, (side * side, 5)."""
    y, x = np.mgrid[:side, :side] / (side - 1) * 2 - 1
    terms = np.stack([x, y, x * y, x * x, y * y], axis=-1)
    return np.asarray(terms.reshape(side * side, -1), np.float64)


def fit_light(colors: Array, weights: Array) -> Light:
    """How the kinds look, given how probably each cell is of each.

    colors: (side, side, 3). weights: (side, side, kinds), 0 to 1. Cells that look like none of
    their kind, as something stands on them, count little.
    """
    side, kinds = colors.shape[0], weights.shape[-1]
    logs = np.log(np.maximum(colors, 0) + HAZE).reshape(-1, 3)
    belongs, terms = weights.reshape(-1, kinds), _terms(side)
    shades = np.stack([_weighted_median(logs, belongs[:, kind]) for kind in range(kinds)])
    slopes = np.zeros((terms.shape[1], 3))
    for _ in range(ROUNDS):
        expected = (terms @ slopes)[:, None] + shades
        misfit = np.linalg.norm(logs[:, None] - expected, axis=2) / np.sqrt(3)
        trust = belongs / (1 + (misfit / ROBUST) ** 2) ** 2
        # Light first, of all channels alike but for a slow change of colour, then the shades.
        weight = trust.sum(axis=1)
        target = ((logs[:, None] - shades) * trust[..., None]).sum(axis=1)
        left = terms.T @ (terms * weight[:, None]) + 0.6 * np.eye(terms.shape[1])
        slopes = np.linalg.solve(left, terms.T @ target)
        slopes = 0.7 * slopes.mean(axis=1, keepdims=True) + 0.3 * slopes
        without = logs - terms @ slopes
        total = trust.sum(axis=0)
        means = (trust.T @ without) / np.maximum(total, 1e-6)[:, None]
        shades = np.where((total > 0.3)[:, None], means, shades)
    return Light(shades, slopes)


def _weighted_median(values: Array, weights: Array) -> Array:
    """The median (3,) of rows of values that have at least half of the greatest weight."""
    used = weights >= max(0.5 * weights.max(), 1e-9)
    return np.asarray(np.median(values[used], axis=0) if used.any() else np.median(values, axis=0))


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
