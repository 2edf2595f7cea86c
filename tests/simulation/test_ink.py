"""What players draw: pens, habits, real handwriting and ink, and marks that are cancelled."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.layout import CELL, Mark, load_layout
from brikks_vision.rules.brikks.blocks import blank_sheet
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.marking import draw_state, visible_hand
from simulation.brikks.photos import printed_blank
from simulation.corrections import WAYS
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
from simulation.handwriting import (
    MIN_RING_WIDTH,
    line,
    load_writers,
    loop,
    own_cross,
    own_ring,
    slender,
)
from simulation.marks import Ink, block_edges
from simulation.real_ink import Matte, Mattes, load_mattes, stamp, stamp_line
from simulation.strokes import FINER, Density, Pen, draw_stroke, inked, print_ink, random_pen

BLACK = Pen((20, 20, 20), 0.1, 1.0, 0.0, multiplies=True, kind="gel")
SIDE = 60  # px


def paper() -> Density:
    return np.zeros((SIDE, SIDE), np.float32)


def drawn(ends: list[tuple[float, float]], width: float, seed: int = 1) -> Density:
    density = paper()
    draw_stroke(density, np.array(ends), width, 1.0, BLACK, np.random.default_rng(seed))
    return density


@given(st.floats(0.3, 9.0), st.floats(10.2, 49.8))
def test_strokes_are_as_wide_as_their_pen_and_run_where_it_went(width: float, y: float) -> None:
    across = np.mean([drawn([(5, y), (55, y)], width, seed)[:, 30] for seed in range(12)], axis=0)
    assert across.sum() == pytest.approx(width, abs=0.3)
    # a thin line lies in one pixel, and is drawn at whole pixels of the finer raster
    off = 0.5 + 0.5 / FINER
    assert (across * np.arange(SIDE)).sum() / across.sum() == pytest.approx(y, abs=off)


def test_more_ink_lies_where_strokes_cross() -> None:
    density = drawn([(5, 30), (55, 30)], 4)
    alone = density[30, 20]
    draw_stroke(
        density, np.array([(30.0, 5.0), (30.0, 55.0)]), 4, 1.0, BLACK, np.random.default_rng(2)
    )
    assert density[30, 20] == alone
    assert density[30, 30] > 1.2 * alone


def test_a_stroke_beyond_the_paper_is_cut() -> None:
    density = drawn([(-20, 30), (90, 30)], 4)
    assert density[30].min() > 0.9
    assert not drawn([(-20, -9), (90, -9)], 4).any()


def test_transparent_ink_darkens_print_and_opaque_ink_covers_it() -> None:
    black, white = np.zeros((1, 3), np.float32), np.full((1, 3), 255, np.float32)
    blue = replace(BLACK, color=(200, 60, 20))
    full = np.ones((1, 1), np.float32)
    assert inked(black, full, blue).max() == 0
    cover = inked(black, full, replace(blue, multiplies=False))
    assert cover.tolist() == [[200, 60, 20]]
    seen = inked(white, full, blue)[0]
    assert seen[0] > 150 and seen[2] < 50
    assert (inked(white, full * 0.5, blue)[0] > seen).all()


def test_only_what_bears_ink_changes() -> None:
    blank = np.full((SIDE, SIDE, 3), 230, np.uint8)
    sheet = print_ink(blank, drawn([(10, 30), (50, 30)], 3), BLACK, 30, np.random.default_rng(3))
    assert (sheet[:20] == 230).all() and (sheet[40:] == 230).all()
    assert sheet[30, 15:45].max() < 80
    untouched = print_ink(blank, paper(), BLACK, 30, np.random.default_rng(3))
    assert (untouched == blank).all()


def test_pens_are_of_many_kinds_and_colours_and_some_are_pale() -> None:
    pens = [random_pen(np.random.default_rng(seed)) for seed in range(300)]
    assert {pen.kind for pen in pens} == {"ball", "gel", "felt", "pencil"}
    names = [pen.color_name for pen in pens]
    assert {"black", "blue", "magenta", "green"} <= set(names)
    assert names.count("black") + names.count("blue") > len(pens) / 3
    assert min(pen.opacity for pen in pens) < 0.55 and min(pen.width for pen in pens) < 0.04


# --- a block's rim --------------------------------------------------------------------------------


def test_a_blocks_rim_encloses_it() -> None:
    square = [(4, 4), (4, 5), (5, 4), (5, 5)]
    edges = block_edges(square)
    assert len(edges) == 8
    assert ("v", 4, 4) in edges and ("v", 4, 5) not in edges


# --- players' habits ------------------------------------------------------------------------------


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


# --- glyphs of writers, and those of the simulator's own ------------------------------------------


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


# --- marks of a real pen keep their place, their size and their writer's side of the split --------


MATTE_SIDE, WIDTH = 150, 9.0  # px of a matte, of its line


@pytest.fixture
def mattes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[bool, Mattes]:
    """Mattes of six photographs, each with a cross, a ring and a line; by `held_out`."""
    folder = tmp_path / "real"
    folder.mkdir()
    index, arrays = [], {}
    for photo in range(6):
        cross, ring = np.zeros((2, MATTE_SIDE, MATTE_SIDE, 3), np.uint8)
        line = np.zeros((30, MATTE_SIDE, 3), np.uint8)
        ink = (72 + photo,) * 3
        cv2.line(cross, (8, 8), (141, 141), ink, int(WIDTH), cv2.LINE_AA)
        cv2.line(cross, (141, 8), (8, 141), ink, int(WIDTH), cv2.LINE_AA)
        cv2.circle(ring, (75, 75), 65, ink, int(WIDTH), cv2.LINE_AA)
        cv2.line(line, (0, 15), (MATTE_SIDE, 15), ink, int(WIDTH), cv2.LINE_AA)
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


# --- marks that a player makes by mistake and cancels ---------------------------------------------


LAYOUT = load_layout("brikks-light")
BLANK = printed_blank(LAYOUT.name, "light", 40)


@pytest.mark.parametrize("seed", range(6))
def test_cancelled_marks_are_drawn_and_count_neither_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hand = visible_hand(LAYOUT, BLANK, rng, False)
    empty = blank_sheet(load_sheet(LAYOUT.name))
    _, without = draw_state(BLANK, LAYOUT, empty, hand, rng, mistaken=0.0)
    assert not without.cancelled and not without[CELL, Mark.CROSS].any()
    picture, drawn = draw_state(BLANK, LAYOUT, empty, hand, rng, mistaken=1.0)
    assert drawn.cancelled
    for (field, _), marks in drawn.marks.items():
        cancelled = drawn.cancelled.get(field, np.zeros(marks.shape, bool))
        assert set(np.unique(marks[cancelled])) <= {0.5}
    off = np.abs(picture.astype(int) - BLANK.image).max(axis=2) > 60
    assert off.any()


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
