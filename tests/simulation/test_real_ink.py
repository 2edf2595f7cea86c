"""Marks of a real pen keep their place, their size and their writer's side of the split."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from simulation.real_ink import Matte, Mattes, load_mattes, stamp, stamp_line

SIDE, WIDTH = 150, 9.0  # px of a matte, of its line


@pytest.fixture
def mattes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[bool, Mattes]:
    """Mattes of six photographs, each with a cross, a ring and a line; by `held_out`."""
    folder = tmp_path / "real"
    folder.mkdir()
    index, arrays = [], {}
    for photo in range(6):
        cross, ring = np.zeros((2, SIDE, SIDE, 3), np.uint8)
        line = np.zeros((30, SIDE, 3), np.uint8)
        ink = (72 + photo,) * 3
        cv2.line(cross, (8, 8), (141, 141), ink, int(WIDTH), cv2.LINE_AA)
        cv2.line(cross, (141, 8), (8, 141), ink, int(WIDTH), cv2.LINE_AA)
        cv2.circle(ring, (75, 75), 65, ink, int(WIDTH), cv2.LINE_AA)
        cv2.line(line, (0, 15), (SIDE, 15), ink, int(WIDTH), cv2.LINE_AA)
        for kind, array in (("cross", cross), ("ring", ring), ("stroke", line)):
            key = f"{photo}-{kind}"
            arrays[key] = array
            index.append({"key": key, "kind": kind, "photo": f"{photo}.jpg", "width": WIDTH})
    np.savez(folder / "mattes.npz", **arrays)
    (folder / "index.json").write_text(json.dumps(index), "utf-8")
    monkeypatch.setenv("BRIKKS_HANDWRITING", str(tmp_path))
    loaded = {held_out: load_mattes.__wrapped__(held_out) for held_out in (False, True)}
    assert all(loaded.values())
    return loaded


def test_every_third_photograph_is_held_out(mattes: dict[bool, Mattes]) -> None:
    assert len(mattes[False].crosses) == 4 and len(mattes[True].crosses) == 2

    def inks(part: Mattes) -> set[float]:
        return {round(float(np.median(m.density[m.density > 0.5])), 3) for m in part.rings}

    assert not inks(mattes[False]) & inks(mattes[True])


def test_without_a_folder_there_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIKKS_HANDWRITING", str(tmp_path))
    assert load_mattes.__wrapped__(held_out=False) is None


@pytest.mark.parametrize("width", [1.5, 3.0, 6.0])
@pytest.mark.parametrize("side", [25.0, 45.0])
def test_a_mark_is_laid_around_its_place(
    mattes: dict[bool, Mattes], side: float, width: float
) -> None:
    density = np.zeros((120, 100), np.float32)
    ring = mattes[False].rings[0]
    stamp(density, ring, np.array([50.0, 70.0]), np.array([side, side]), 0.4, width)
    rows, columns = np.nonzero(density > 0.5)
    assert (rows.min() + rows.max()) / 2 == pytest.approx(70, abs=1)
    assert (columns.min() + columns.max()) / 2 == pytest.approx(50, abs=1)
    assert np.ptp(columns) == pytest.approx(side * 0.87, abs=0.5 * width + 3)
    assert density[70, 50] == 0  # a ring stays open


def test_a_thicker_pen_leaves_more_ink(mattes: dict[bool, Mattes]) -> None:
    amounts = []
    for width in (1.5, 3.0, 5.0):
        density = np.zeros((80, 80), np.float32)
        cross: Matte = mattes[False].crosses[0]
        stamp(density, cross, np.array([40.0, 40.0]), np.array([40.0, 40.0]), 0.0, width)
        amounts.append(density.sum())
    assert amounts[0] < 0.7 * amounts[1] < 0.7 * amounts[2]


def test_a_line_goes_from_end_to_end(mattes: dict[bool, Mattes]) -> None:
    density = np.zeros((100, 400), np.float32)
    start, end = np.array([20.0, 80.0]), np.array([380.0, 20.0])
    rng = np.random.default_rng(1)
    stamp_line(density, mattes[False].strokes, start, end, 4.0, rng)
    for share in np.linspace(0.02, 0.98, 40):
        x, y = start + share * (end - start)
        assert density[round(y), round(x)] > 0.5
        assert not density[round(y) - 8, round(x)] and not density[round(y) + 8, round(x)]
    assert not density[:, :14].any() and not density[:, 387:].any()
