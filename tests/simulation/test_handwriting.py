"""Glyphs of writers, and those of the simulator's own."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.handwriting import MIN_RING_WIDTH, line, load_writers, loop, own_ring, slender


def test_nobody_is_trained_on_and_measured_on() -> None:
    trained, held = load_writers(held_out=False), load_writers(held_out=True)
    ours = {stroke.tobytes() for writer in trained.crosses for glyph in writer for stroke in glyph}
    theirs = {stroke.tobytes() for writer in held.crosses for glyph in writer for stroke in glyph}
    assert ours and theirs and not ours & theirs


def test_strokes_of_our_own_where_there_are_no_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("BRIKKS_HANDWRITING", str(tmp_path))
    load_writers.cache_clear()
    try:
        writers = load_writers(held_out=False)
        assert all(len(glyph) == 2 for writer in writers.crosses for glyph in writer)
        assert set(writers.digits) == set("0123456789")
    finally:
        monkeypatch.undo()
        load_writers.cache_clear()


@pytest.mark.parametrize(
    ("turns", "height", "is_loop"),
    [
        (1.0, 1.0, True),  # O
        (1.1, 0.6, True),  # an egg that runs on
        (0.7, 1.0, False),  # C
        (1.0, 0.3, False),  # nearly a dash
        (2.0, 1.0, True),  # gone over twice
    ],
)
def test_a_loop_comes_back(turns: float, height: float, is_loop: bool) -> None:
    angle = np.linspace(0, 2 * np.pi * turns, 60)
    ring = loop(np.stack([3 + 7 * np.cos(angle), 7 * height * np.sin(angle) - 2], axis=1))
    assert (ring is not None) == is_loop
    if ring:
        low, high = ring[0].min(axis=0), ring[0].max(axis=0)
        assert np.allclose((high - low).max(), 1) and np.allclose(low + high, 0)


@pytest.mark.parametrize(
    ("corners", "is_line"),
    [
        ([(0, 0), (3, 0), (1, 5), (4, 5)], True),  # Z
        ([(0, 0), (1, 3), (4, 4)], False),  # bent away from the middle
        ([(0, 0), (5, 5)], False),  # straight: as the strokes of crosses are
        ([(0, 0), (3, 0), (3, 4), (0, 4), (0, 1)], False),  # comes back
        ([(2, 2), (2, 2)], False),  # a dot
    ],
)
def test_a_line_winds_through_the_middle(corners: list[tuple[float, float]], is_line: bool) -> None:
    assert (line(np.asarray(corners, float)) is not None) == is_line


def test_an_own_ring_goes_round_its_middle() -> None:
    rng = np.random.default_rng(4)
    for _ in range(2000):
        (ring,) = own_ring(rng)
        angle = np.unwrap(np.arctan2(ring[:, 1], ring[:, 0]))
        assert abs(angle[-1] - angle[0]) > 0.8 * 2 * np.pi
        assert np.linalg.norm(ring, axis=1).min() > 0.1


@pytest.mark.parametrize("squeeze", [0.1, 0.7, 1.0])
def test_a_slender_ring_still_is_one(squeeze: float) -> None:
    angle = np.linspace(0, 2 * np.pi, 60)
    circle = (0.5 * np.stack([np.cos(angle), np.sin(angle)], axis=1),)
    (upright,) = slender(circle, squeeze, 0.0)
    assert np.ptp(upright, axis=0) == pytest.approx([max(squeeze, MIN_RING_WIDTH), 1], abs=0.01)
    (leaning,) = slender(circle, squeeze, 0.35)
    top, bottom = leaning[np.argmin(leaning[:, 1])], leaning[np.argmax(leaning[:, 1])]
    assert top[0] > bottom[0] + 0.1
    assert np.ptp(leaning, axis=0).max() == pytest.approx(1)
    assert np.linalg.norm(leaning, axis=1).min() > 0.2  # no strike through its middle
