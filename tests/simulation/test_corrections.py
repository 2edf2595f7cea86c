"""Marks that a player makes by mistake and cancels."""

from __future__ import annotations

import numpy as np
import pytest

from brikks_vision.layout import CELL, Mark, load_layout
from brikks_vision.rules.brikks.blocks import blank_sheet
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.marking import draw_state, visible_hand
from simulation.brikks.photos import printed_blank
from simulation.corrections import WAYS
from simulation.marks import Ink

LAYOUT = load_layout("brikks-light")
BLANK = printed_blank(LAYOUT.name, "light", 40)


@pytest.mark.parametrize("seed", range(6))
def test_cancelled_marks_are_drawn_and_count_neither_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hand = visible_hand(LAYOUT, BLANK, rng, False)
    empty = blank_sheet(load_sheet(LAYOUT.name))
    picture, drawn = draw_state(BLANK, LAYOUT, empty, hand, rng, mistaken=1.0)
    assert drawn.cancelled
    for (field, _), marks in drawn.marks.items():
        cancelled = drawn.cancelled.get(field, np.zeros(marks.shape, bool))
        assert set(np.unique(marks[cancelled])) <= {0.5}
    off = np.abs(picture.astype(int) - BLANK.image).max(axis=2) > 60
    assert off.any()


def test_who_makes_no_mistake_cancels_nothing() -> None:
    rng = np.random.default_rng(3)
    hand = visible_hand(LAYOUT, BLANK, rng, False)
    empty = blank_sheet(load_sheet(LAYOUT.name))
    _, drawn = draw_state(BLANK, LAYOUT, empty, hand, rng, mistaken=0.0)
    assert not drawn.cancelled
    assert not drawn[CELL, Mark.CROSS].any()


@pytest.mark.parametrize("way", [way for way, _ in WAYS])
def test_every_way_to_cancel_changes_what_the_place_shows(way: object) -> None:
    assert callable(way)
    rng = np.random.default_rng(5)
    hand = visible_hand(LAYOUT, BLANK, rng, False)
    ink = Ink(BLANK, hand.pen, rng)
    way(ink, hand, np.array([[2.5, 3.5], [3.5, 3.5]]), (1.0, 1.0))
    left, top = np.round(ink.pixels(np.array([2.0, 3.0]))).astype(int)
    side = round(BLANK.pixels_per_cell)
    change = np.abs(ink.on(BLANK).astype(int) - BLANK.image)[top : top + side, left : left + side]
    assert (change.max(axis=2) > 20).sum() > side / 2
