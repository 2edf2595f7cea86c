"""The simulator tells the truth about its own BLOXX! photos."""

import random
from dataclasses import replace

import numpy as np
import pytest

from brikks_vision.detect.marks import mark_keys
from brikks_vision.layout import CELL, load_layout
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Written, blank_sheet
from simulation.bloxx.art import sheet_of
from simulation.bloxx.games import PlayedSheet, long_game, play_sheet
from simulation.bloxx.hands import bloxx_hand, faint_pencil, thick_felt
from simulation.bloxx.keys import CIRCLED, CIRCLES, CROSSES, GAPS, HORIZONTALS, STRUCK, VERTICALS
from simulation.bloxx.marking import mark_sheet
from simulation.bloxx.photos import any_sheet, printed_blank, random_shot, scrambled
from simulation.strokes import Pen

LAYOUT = load_layout("bloxx")
SHEET = sheet_of(LAYOUT)
PEN = Pen((20, 20, 20), 0.07, 1.0, 0.0, False)


def plain_hand(seed: int):
    """A hand whose ink stays where it is meant."""
    hand = bloxx_hand(np.random.default_rng(seed), held_out=True)
    return replace(hand, pen=PEN, outlines="all", strays=0.0, skips=0.0, mattes=None)


def inked(picture: np.ndarray, x: float, y: float, half: float) -> float:
    """The share of pixels around a point of our printed sheet that the ink darkened."""
    blank = printed_blank()
    scale, (left, top) = blank.pixels_per_cell, blank.origin
    rows = slice(round(top + (y - half) * scale), round(top + (y + half) * scale))
    columns = slice(round(left + (x - half) * scale), round(left + (x + half) * scale))
    darker = blank.image[rows, columns].astype(int) - picture[rows, columns].astype(int)
    return float((darker.max(axis=2) > 60).mean())


@pytest.mark.parametrize("seed", range(3))
def test_truth_is_what_the_game_says(seed):
    played = play_sheet(SHEET, random.Random(seed))
    marked = mark_sheet(
        printed_blank(), LAYOUT, played, plain_hand(seed), np.random.default_rng(seed)
    )
    assert set(marked.drawn.marks) == set(mark_keys(LAYOUT))
    assert marked.seen == played.state
    for key, mark in ((CIRCLES, Mark.CIRCLE), (GAPS, Mark.GAP)):
        drawn = {tuple(map(int, cell)) for cell in np.argwhere(marked.drawn[key] == 1)}
        assert drawn == played.state.cells_with(mark)
    crossed = {tuple(map(int, cell)) for cell in np.argwhere(marked.drawn[CROSSES] == 1)}
    assert crossed == played.state.cells_with(Mark.CROSS)
    bonuses = [mark for figures in played.state.bonuses for mark in figures]
    for key, bonus in ((CIRCLED, BonusMark.CIRCLED), (STRUCK, BonusMark.STRUCK)):
        assert list(marked.drawn[key]) == [float(mark is bonus) for mark in bonuses]


def test_outlines_are_the_rims_of_the_shapes():
    played = play_sheet(SHEET, random.Random(2))
    marked = mark_sheet(printed_blank(), LAYOUT, played, plain_hand(2), np.random.default_rng(2))
    owner = {cell: number for number, shape in enumerate(played.state.shapes) for cell in shape}
    for row in range(SHEET.rows):
        for column in range(1, SHEET.columns):
            differs = owner.get((row, column)) != owner.get((row, column - 1))
            assert marked.drawn[VERTICALS][row, column] == differs
    for row in range(1, SHEET.rows):
        for column in range(SHEET.columns):
            differs = owner.get((row, column)) != owner.get((row - 1, column))
            assert marked.drawn[HORIZONTALS][row, column] == differs


def test_ink_lies_in_marked_cells_and_in_no_others():
    played = long_game(SHEET, random.Random(4))
    marked = mark_sheet(printed_blank(), LAYOUT, played, plain_hand(4), np.random.default_rng(4))
    shares = {
        cell: inked(marked.picture, *centre, 0.36)
        for cell, centre in zip(SHEET.cells, LAYOUT.fields[CELL].centres, strict=True)
    }
    empty = played.state.cells_with(Mark.EMPTY)
    faintest = min(shares[cell] for cell in set(SHEET.cells) - empty)
    assert faintest > 0.02 > max(shares[cell] for cell in empty)


def test_marks_of_a_bonus_stay_away_from_the_others():
    """The places are near each other, so marks are no larger than there is room for."""
    state = blank_sheet(SHEET)
    for seed in range(12):
        broken = state.with_bonus(1, 0, BonusMark.CIRCLED).with_bonus(2, 1, BonusMark.STRUCK)
        played = PlayedSheet(broken, Written(), (), 2)
        marked = mark_sheet(
            printed_blank(), LAYOUT, played, plain_hand(seed), np.random.default_rng(seed)
        )
        field = LAYOUT.fields["bonus"]
        for place, centre in enumerate(field.centres):
            share = inked(marked.picture, *centre, 0.15)
            if place not in (2, 5):
                assert share < 0.05


def test_figures_are_written_as_the_player_has_them():
    played = replace(
        play_sheet(SHEET, random.Random(1)),
        written=Written(rows=6, numbers=26, penalty=14, total=-2),
    )
    texts = [
        mark_sheet(
            printed_blank(), LAYOUT, played, plain_hand(seed), np.random.default_rng(seed)
        ).drawn.figures
        for seed in range(12)
    ]
    assert {each["rows"] for each in texts} == {("6",)}
    assert {each["numbers"] for each in texts} == {("26",)}
    assert {each["penalty"] for each in texts} == {("14",), ("-14",)}
    assert {each["total"] for each in texts} == {("-2",)}


def test_a_photo_of_a_part_shows_not_all_of_the_sheet():
    outside = 0
    for seed in range(8):
        rng, dice = np.random.default_rng(seed), random.Random(seed)
        shot = random_shot(rng, dice, "good", 500, True, cut_off=True, scramble=True)
        corners = shot.placement.to_photo(np.asarray(shot.layout.page.corners))
        outside += bool((corners < 0).any() or (corners >= shot.image.shape[1::-1]).any())
    assert outside >= 6


def test_scrambled_sheets_bear_what_no_game_gives():
    state = play_sheet(SHEET, random.Random(3)).state
    others = [scrambled(state, np.random.default_rng(seed)) for seed in range(8)]
    assert all(other.sheet == state.sheet for other in others)
    assert sum(other.grid != state.grid for other in others) >= 6
    assert {mark for other in others for row in other.grid for mark in row} == set(Mark)


def test_pens_are_faint_pencils_and_thick_felt_tips_above_all():
    pens = [bloxx_hand(np.random.default_rng(seed), held_out=False).pen for seed in range(150)]
    thick = [pen for pen in pens if pen.width > 0.15]
    assert sum(pen.kind == "pencil" for pen in pens) > 45
    assert len(thick) > 20
    assert faint_pencil(np.random.default_rng(1)).kind == "pencil"
    assert thick_felt(np.random.default_rng(1)).kind == "felt"


def test_sheets_are_ours_and_others():
    layouts = [any_sheet(np.random.default_rng(seed))[0].name for seed in range(40)]
    assert 2 <= layouts.count("bloxx") <= 15
    assert layouts.count("random") > 20
