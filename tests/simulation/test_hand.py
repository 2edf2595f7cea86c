"""Players' habits: what most do, and what is rare."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.hand import (
    MAX_BEND,
    MAX_PLAIN_BEND,
    PLAIN_PEN_WIDTHS,
    PLAIN_RING_SIZES,
    PLAIN_STRIKE_SIZES,
    PLAIN_STRIKES,
    Slash,
    any_hand,
    plain_hand,
    random_hand,
    slash_stroke,
)
from simulation.handwriting import load_writers, own_cross


def test_a_plain_player_keeps_to_what_is_plain() -> None:
    writers = load_writers(held_out=False)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        hand = plain_hand(rng, any_hand(rng, writers))
        strikes = (hand.circle_strike, hand.box_strike, hand.figure_strike)
        assert {strike.kind for strike in strikes} <= {*PLAIN_STRIKES}
        assert hand.pen.width <= max(PLAIN_PEN_WIDTHS)
        assert hand.apart == hand.skips == hand.doubled_rings == hand.doubled_strokes == 0
        assert min(PLAIN_RING_SIZES) <= hand.ring_size <= max(PLAIN_RING_SIZES)
        least, most = hand.circle_strike.sizes  # no stroke that ends within its ring
        assert least >= min(PLAIN_STRIKE_SIZES) * max(1, hand.ring_size) and most < 1.3 * least
        assert min(hand.figure_strike.sizes) >= min(PLAIN_STRIKE_SIZES)
        assert hand.slashes is hand.crosses
        assert max(abs(hand.slash.bow), abs(hand.slash.wave)) <= MAX_PLAIN_BEND
        assert abs(hand.slash.turn) < 0.6 and hand.looseness < 0.1 and hand.strays <= 1


def test_most_players_mark_plainly() -> None:
    writers = load_writers(held_out=False)
    hands = [random_hand(np.random.default_rng(seed), writers) for seed in range(200)]
    plain = [
        hand
        for hand in hands
        if hand.apart == hand.skips == hand.doubled_strokes == 0
        and hand.slashes is hand.crosses
        and max(abs(hand.slash.bow), abs(hand.slash.wave)) <= MAX_PLAIN_BEND
    ]
    assert len(plain) >= 160


@pytest.mark.parametrize("seed", range(8))
def test_what_crosses_a_ring_out_runs_through_its_middle_however_it_is_bent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    slash = Slash(number=0, turn=0.3, bow=MAX_BEND, wave=0.2)
    drawn = slash_stroke(rng, slash, own_cross(rng)[0])
    assert np.linalg.norm(drawn, axis=1).min() < 0.02
    assert drawn[0] @ (drawn[0] - drawn[-1]) > 0 > drawn[-1] @ (drawn[0] - drawn[-1])  # both sides
