"""Simulated games: legal, varied, repeatable."""

import random
import statistics
from dataclasses import replace

import pytest

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.referee import referee
from brikks_vision.rules.bloxx.sheet import circle_places
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Written, blank_sheet, score
from simulation.bloxx.dice import dice_pairs
from simulation.bloxx.entering import enter_shape, legal_entries
from simulation.bloxx.games import PlayedSheet, long_game, play_sheet
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN


def some_games(count: int, seed: int, sheet=OWN) -> list[PlayedSheet]:
    rng = random.Random(seed)
    return [play_sheet(sheet, rng) for _ in range(count)]


def test_every_shape_was_entered_by_the_rules():
    for played in some_games(40, seed=1):
        state = blank_sheet(OWN)
        for shape in played.order:
            faces = [face for die in OWN.dice for face in die]
            assert any(shape == entry.cells for face in faces
                       for entry in legal_entries(state, face, Resting.ENGLISH))  # fmt: skip
            circle = played.state.circle_of(shape)
            assert circle is None or circle in circle_places(OWN.dice, shape)
            state = enter_shape(state, Entry(shape, circle))
        assert (state.grid, state.shapes) == (played.state.grid, played.state.shapes)


@pytest.mark.parametrize("sheet", [OWN, DICELESS, replace(DICELESS, rows=12, columns=6)])
def test_the_referee_accuses_nobody(sheet):
    sheet = replace(sheet, numbers=tuple(n for n in sheet.numbers if n.column < sheet.columns))
    for played in some_games(60, seed=2, sheet=sheet):
        assert referee(played.state, played.written).is_legal


def test_sheets_are_of_all_kinds():
    sheets = some_games(200, seed=3)
    fill = [len(played.state.drawn) / 70 for played in sheets]
    assert 0.5 < statistics.mean(fill) < 0.85
    assert min(fill) < 0.15
    assert max(fill) > 0.95
    totals = [score(played.state).total for played in sheets]
    assert min(totals) < -40 and max(totals) > 30
    assert {len(played.state.complete_rows()) for played in sheets} == {0, 1, 2, 3, 4}
    marks = {mark for played in sheets for row in played.state.grid for mark in row}
    assert marks == set(Mark)
    bonuses = {figures for played in sheets for figures in played.state.bonuses}
    opened, circled, struck = BonusMark
    assert {(opened, opened), (circled, opened), (struck, circled), (circled, struck)} <= bonuses
    figures = {
        tuple(figure is not None for figure in (w.rows, w.numbers, w.penalty, w.total))
        for w in (played.written for played in sheets)
    }
    assert {(True,) * 4, (False,) * 4, (False, False, False, True)} <= figures


def test_some_complete_rows_have_no_circled_bonus():
    sheets = some_games(150, seed=4)
    assert any(bonus.is_assumed for played in sheets for bonus in score(played.state).bonuses)
    assert any(bonus.points == 2 for played in sheets for bonus in score(played.state).bonuses)


def test_a_seed_gives_the_same_sheet_again():
    one, other = (play_sheet(OWN, random.Random(7)) for _ in range(2))
    assert one == other


def test_a_long_game_is_worth_something_and_says_what():
    played = long_game(OWN, random.Random(1))
    points = score(played.state)
    assert points.rows and points.total >= 0
    assert played.written == Written(
        played.written.rows,
        points.numbers,
        abs(points.penalty),
        played.written.rows + points.numbers + points.penalty,
    )


def test_dice_show_twelve_shapes_of_three_to_five_squares():
    for pair in dice_pairs():
        assert [len(die) for die in pair] == [6, 6]
        faces = [face for die in pair for face in die]
        assert {len(face.cells) for face in faces} <= {3, 4, 5}
        assert len({face for face in faces}) == 12
