"""The colours of an empty board's fields, under light that is not the same everywhere."""

import numpy as np
import pytest

from brikks_vision.games.blox.board_print import tell_colors

KINDS = (
    np.random.default_rng(3).permutation(np.repeat([0, 1, 2, 3], [20, 20, 20, 21])).reshape(9, 9)
)
SETS = {
    "usual": [[240, 245, 250], [140, 140, 140], [130, 60, 110], [25, 25, 25]],
    "pale": [[200, 205, 210], [150, 150, 150], [150, 120, 140], [80, 80, 80]],
    "dark": [[120, 125, 130], [60, 62, 64], [50, 25, 45], [14, 14, 14]],
    "warm lamp": [[170, 220, 250], [90, 120, 140], [80, 55, 110], [18, 24, 28]],
}


def fields(name: str) -> np.ndarray:
    noise = np.random.default_rng(0).normal(0, 2, (9, 9, 3))
    return np.array(SETS[name], np.float64)[KINDS] + noise


@pytest.mark.parametrize("name", SETS)
def test_four_colors_are_told(name: str) -> None:
    chances = tell_colors(fields(name))
    assert (chances.argmax(axis=2) == KINDS).all()
    assert chances.sum(axis=2) == pytest.approx(np.ones((9, 9)))


def test_a_shadow_over_a_corner_changes_no_color() -> None:
    colors = fields("usual")
    colors[5:, 5:] *= 0.6
    assert (tell_colors(colors).argmax(axis=2) == KINDS).all()


def test_a_lamp_that_is_mirrored_changes_no_color() -> None:
    y, x = np.mgrid[:9, :9]
    glare = 0.25 * np.exp(-((x - 5) ** 2 + (y - 4) ** 2) / 6)[..., None]
    light = (fields("usual") / 255) ** 2.2 + glare
    colors = np.clip(light, 0, 1) ** (1 / 2.2) * 255
    assert (tell_colors(colors).argmax(axis=2) == KINDS).all()
