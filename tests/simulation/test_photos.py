"""The simulator tells the truth about its own photos."""

from __future__ import annotations

import random

import numpy as np
import pytest

from brikks_vision.layout import load_layout
from brikks_vision.rules.brikks.referee import referee
from simulation.camera import TIERS, random_pose, sheet_map
from simulation.handwriting import (
    LEAST_SLENDER,
    line,
    load_writers,
    loop,
    own_cross,
    own_ring,
    slender,
)
from simulation.ink import (
    MOST_BENT,
    PLAIN_BEND,
    PLAIN_REACH,
    PLAIN_RINGS,
    PLAIN_STRIKES,
    PLAIN_WIDTHS,
    Slash,
    _any_hand,
    _plain,
    block_edges,
    random_hand,
    slash_stroke,
)
from simulation.photos import random_shot

DEFINITION = load_layout("brikks-light")


@pytest.mark.parametrize("tier", sorted(TIERS))
def test_every_pixel_knows_its_sheet_point(tier: str) -> None:
    rng = np.random.default_rng(3)
    pose = random_pose(rng, DEFINITION.page, DEFINITION.marked_area, TIERS[tier], 600)
    points = sheet_map(pose)
    spots = np.array([[0.0, 0.0], [10.0, 11.0], [5.0, 5.0], [-1.5, 17.5], [12.0, 18.0]])
    for spot, (x, y) in zip(spots, pose.project(spots), strict=True):
        assert np.allclose(points[round(y), round(x)], spot, atol=0.15)


def test_all_that_is_read_is_in_the_frame() -> None:
    box = DEFINITION.marked_area
    for seed in range(20):
        rng = np.random.default_rng(seed)
        pose = random_pose(rng, DEFINITION.page, box, TIERS["hard"], 900)
        corners = pose.project(np.asarray(box.corners))
        assert (corners >= 0).all() and (corners < pose.size).all()


@pytest.mark.parametrize("seed", range(3))
def test_a_shot_bears_what_its_game_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shot = random_shot(DEFINITION, rng, random.Random(seed), "good", 700, held_out=True)
    state, drawn = shot.played.state, shot.drawn
    certain = drawn.cells != 0.5
    crossed = np.zeros(drawn.cells.shape, bool)
    for cell in state.crossed:
        crossed[cell] = True
    assert ((drawn.cells == 1) == crossed)[certain].all()
    assert referee(state).is_legal
    assert max(shot.image.shape) == 700


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
    assert np.ptp(upright, axis=0) == pytest.approx([max(squeeze, LEAST_SLENDER), 1], abs=0.01)
    (leaning,) = slender(circle, squeeze, 0.35)
    top, bottom = leaning[np.argmin(leaning[:, 1])], leaning[np.argmax(leaning[:, 1])]
    assert top[0] > bottom[0] + 0.1
    assert np.ptp(leaning, axis=0).max() == pytest.approx(1)
    assert np.linalg.norm(leaning, axis=1).min() > 0.2  # no strike through its middle


def test_a_plain_player_keeps_to_what_is_plain() -> None:
    writers = load_writers(held_out=False)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        hand = _plain(rng, _any_hand(rng, writers))
        assert {hand.energy_strike, hand.box_strike, hand.bomb_strike} <= {*PLAIN_STRIKES}
        assert hand.pen.width <= max(PLAIN_WIDTHS)
        assert hand.apart == hand.skips == hand.doubled_rings == hand.doubled_strokes == 0
        assert min(PLAIN_RINGS) <= hand.ring_size <= max(PLAIN_RINGS)
        least, most = hand.energy_strike_sizes  # no stroke that ends within its ring
        assert least >= min(PLAIN_REACH) * max(1, hand.ring_size) and most < 1.3 * least
        assert min(hand.bomb_strike_sizes) >= min(PLAIN_REACH)
        assert hand.slashes is hand.crosses
        assert max(abs(hand.slash.bow), abs(hand.slash.wave)) <= PLAIN_BEND
        assert abs(hand.slash.turn) < 0.6 and hand.looseness < 0.1 and hand.strays <= 1


def test_most_players_mark_plainly() -> None:
    writers = load_writers(held_out=False)
    hands = [random_hand(np.random.default_rng(seed), writers) for seed in range(200)]
    plain = [
        hand
        for hand in hands
        if hand.apart == hand.skips == hand.doubled_strokes == 0
        and hand.slashes is hand.crosses
        and max(abs(hand.slash.bow), abs(hand.slash.wave)) <= PLAIN_BEND
    ]
    assert len(plain) >= 160


@pytest.mark.parametrize("seed", range(8))
def test_what_crosses_a_ring_out_runs_through_its_middle_however_it_is_bent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    slash = Slash(number=0, turn=0.3, bow=MOST_BENT, wave=0.2)
    drawn = slash_stroke(rng, slash, own_cross(rng)[0])
    assert np.linalg.norm(drawn, axis=1).min() < 0.02
    assert drawn[0] @ (drawn[0] - drawn[-1]) > 0 > drawn[-1] @ (drawn[0] - drawn[-1])  # both sides


def test_a_blocks_rim_encloses_it() -> None:
    square = [(4, 4), (4, 5), (5, 4), (5, 5)]
    edges = block_edges(square)
    assert len(edges) == 8
    assert ("v", 4, 4) in edges and ("v", 4, 5) not in edges
