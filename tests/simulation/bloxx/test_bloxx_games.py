"""Simulated games: legal, varied, repeatable."""

import random
import statistics
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.referee import Rule, referee
from brikks_vision.rules.bloxx.sheet import circle_places
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Written, below, blank_sheet, score
from simulation.bloxx import faults
from simulation.bloxx.dice import dice_pairs
from simulation.bloxx.entering import enter_shape, legal_entries
from simulation.bloxx.games import PlayedSheet, long_game, play_sheet
from simulation.bloxx.notation import print_face
from simulation.bloxx.play import Game, play_game
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN, drawn


def some_games(count: int, seed: int, sheet=OWN) -> list[PlayedSheet]:
    rng = random.Random(seed)
    return [play_sheet(sheet, rng) for _ in range(count)]


def check_entered(sheet, order, resting):
    """Each shape was entered by the rules, and what lies under it was coloured in at once."""
    state, faces = blank_sheet(OWN), [face for die in OWN.dice for face in die]
    for shape in order:
        circle = sheet.circle_of(shape)
        assert circle is None or circle in circle_places(OWN.dice, shape)
        entries = (entry for face in faces for entry in legal_entries(state, face, resting))
        assert any(shape == entry.cells for entry in entries)
        state = enter_shape(state, Entry(shape, circle))
        assert state.gaps == below(state.drawn, OWN) - state.drawn
    assert (state.grid, state.shapes) == (sheet.grid, sheet.shapes)


def test_every_shape_was_entered_by_the_rules():
    for played in some_games(40, seed=1):
        check_entered(played.state, played.order, Resting.ENGLISH)


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
    counted = [bonus for played in sheets for bonus in score(played.state).bonuses]
    assert any(bonus.is_assumed for bonus in counted)  # of a complete row none is circled
    assert any(bonus.points == 2 for bonus in counted)
    figures = {
        tuple(figure is not None for figure in (w.rows, w.numbers, w.penalty, w.total))
        for w in (played.written for played in sheets)
    }
    assert {(True,) * 4, (False,) * 4, (False, False, False, True)} <= figures


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


# --- whole games at random ------------------------------------------------------------------------


def marks(game: Game) -> list:
    return [(side.sheet, side.order) for side in game.players]


def test_the_same_seed_gives_the_same_game():
    once, again, other = (play_game(OWN, random.Random(seed), (1, 3)) for seed in (5, 5, 6))
    assert marks(once) == marks(again)
    assert marks(once) != marks(other)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(Resting),
    st.lists(st.floats(0, 6), min_size=2, max_size=4),
)
def test_a_game_is_legal_from_its_first_to_its_last_shape(seed, resting, cares):
    game = play_game(OWN, random.Random(seed), cares, resting)
    assert game.is_over
    for side in game.players:
        check_entered(side.sheet, side.order, resting)


def test_a_game_can_stop_early():
    game = play_game(OWN, random.Random(1), (2, 2, 2), max_rolls=3)
    assert not game.is_over
    assert [len(side.order) for side in game.players] == [3, 3, 3]


@pytest.mark.parametrize("resting", Resting)
def test_careful_players_leave_fewer_gaps(resting):
    def gaps(care: float) -> int:
        games = [play_game(OWN, random.Random(seed), (care, care), resting) for seed in range(20)]
        return sum(len(side.sheet.gaps) for game in games for side in game.players)

    assert gaps(4) < gaps(1) < gaps(0)


def test_games_show_all_that_a_sheet_can_show():
    games = [play_game(OWN, random.Random(seed), (1, 3, 5)) for seed in range(12)]
    states = [side.sheet for game in games for side in game.players]
    assert {mark for state in states for row in state.grid for mark in row} == set(Mark)
    bonuses = {
        "".join(mark.name[0] for mark in figures) for state in states for figures in state.bonuses
    }
    assert bonuses == {"OO", "CO", "SO", "SC"}
    assert any(state.circle_of(shape) is None for state in states for shape in state.shapes)


def test_one_player_writes_a_cross_where_the_active_player_took_the_circle():
    for seed in range(20):
        game = play_game(OWN, random.Random(seed), (0, 0), max_rolls=1)
        first, second = (side.sheet for side in game.players)
        assert len(first.circles) == 1
        assert first.shapes != second.shapes or not second.circles or len(second.circles) == 1


def test_a_game_ends_when_two_players_fail_in_the_same_roll():
    for seed in range(8):
        game = play_game(OWN, random.Random(seed), (1, 2, 3))
        shorter = sum(len(side.order) < game.rolls for side in game.players)
        assert game.is_over and shorter >= 2


# --- where shapes can be entered ------------------------------------------------------------------


FACES = [side for die in OWN.dice for side in die]


def at(*cells) -> frozenset:
    return frozenset(cells)


TOWER = drawn("""
    X...... A......
    O...... A......
    X...... A......
""")


def test_what_lies_under_a_shape_is_coloured_in_at_once():
    entered = enter_shape(TOWER, Entry(at((6, 0), (6, 1), (6, 2)), (6, 2)))
    expected = drawn("""
        XXO.... BBB....
        X##.... A......
        O##.... A......
        X##.... A......
        """)
    assert (entered.grid, {*entered.shapes}) == (expected.grid, {*expected.shapes})


def test_a_gap_stays_a_gap():
    entered = enter_shape(TOWER, Entry(at((6, 0), (6, 1), (6, 2)), None))
    again = enter_shape(entered, Entry(at((5, 1), (5, 2), (5, 3)), None))
    assert entered.gaps < again.gaps
    assert again.gaps - entered.gaps == {(6, 3), (7, 3), (8, 3), (9, 3)}


def every_way(face) -> set:
    """All turnings and mirrorings, by reading the drawing in eight ways."""
    found = set()
    lines = list(print_face(face))
    for _ in range(4):
        lines = ["".join(column) for column in zip(*lines[::-1], strict=True)]
        found |= {tuple(lines), tuple(line[::-1] for line in lines)}
    return found


def is_legal(state, cells, resting) -> bool:
    """The rules, as they are written."""
    for row, column in cells:
        if not (0 <= row < 10 and 0 <= column < 7):
            return False
        if any(state.grid[above][column] in "XO" for above in range(row + 1)):
            return False
    if not state.drawn:
        return any(row == 9 for row, _ in cells)
    near = [(row + 1, column) for row, column in cells]
    if resting is Resting.ENGLISH:
        near += [(row - 1, column) for row, column in cells]
        near += [(row, column + side) for row, column in cells for side in (-1, 1)]
    return any(cell in state.drawn for cell in near)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 18), st.sampled_from(FACES), st.sampled_from(Resting))
def test_the_legal_entries_are_those_of_the_rules(seed, rolls, face, resting):
    game = play_game(OWN, random.Random(seed), (2, 2), resting, max_rolls=rolls)
    state = game.players[0].sheet
    by_hand = set()
    for lines in every_way(face):
        for top in range(-2, 10):
            for left in range(-2, 7):
                signs = {
                    (top + row, left + column): sign
                    for row, line in enumerate(lines)
                    for column, sign in enumerate(line)
                    if sign != "."
                }
                if is_legal(state, signs, resting):
                    circle = next(cell for cell, sign in signs.items() if sign == "O")
                    by_hand.add(Entry(frozenset(signs), circle))
    entries = legal_entries(state, face, resting)
    assert len(entries) == len(set(entries))
    assert set(entries) == by_hand
    without = legal_entries(state, face, resting, has_circle=False)
    assert set(without) == {Entry(entry.cells, None) for entry in by_hand}


# --- planted faults -------------------------------------------------------------------------------


def test_every_code_has_a_fault():
    of_several = {Rule.BONUS_SHARED, Rule.SHAPES_DIFFER}
    assert faults.FAULTS.keys() == set(Rule) - of_several
    assert set(faults.FAULTS) - set(faults.FAULTS_WITHOUT_DICE) == {Rule.WRONG_CIRCLE}


@pytest.mark.parametrize(
    ("rule", "sheet"),
    [
        *((rule, OWN) for rule in faults.FAULTS),
        *((rule, DICELESS) for rule in faults.FAULTS_WITHOUT_DICE),
    ],
)
def test_one_rule_is_broken_and_none_on_the_nearest_sheet(rule, sheet):
    rng = random.Random(3)
    for _ in range(5):
        planted = faults.plant(rule, sheet, rng)
        assert set(faults.broken_rules(planted.broken)) == {rule}
        assert faults.broken_rules(planted.legal) == []


def test_a_fault_is_repeatable():
    one, other = (faults.one_fault(Rule.FLOATING)(OWN, random.Random(8)) for _ in range(2))
    assert one == other


def test_a_rule_of_the_dice_cannot_be_broken_where_they_are_not_known():
    with pytest.raises(KeyError):
        faults.plant(Rule.WRONG_CIRCLE, DICELESS, random.Random(1))
