"""Advice: values against exact ones, legal, and the same for the same seed."""

import random

import numpy as np
import pytest

from brikks_vision.games.brikks.player.many import games_of, joined, score, tables_of
from brikks_vision.games.brikks.player.monte_carlo import judged, rolled_again
from brikks_vision.games.brikks.player.policy import after_roll, play, policy_of, throw
from brikks_vision.rules.brikks.scoring import Roll, legal_turns
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.notation import read_sheet
from simulation.brikks.self_play import new_games, started
from tests.games.brikks.slow_player import SMALL, exact_expectation, small_states

BRIKKS = load_sheet()
POLICY = policy_of(BRIKKS, 2)


@pytest.mark.parametrize(("players", "level"), [(1, 1), (2, 2), (3, 4)])
def test_means_of_games_are_the_exact_expectations(players, level):
    """The standard errors are true: the dice are even, so that few means are 2 or more off."""
    policy = policy_of(SMALL, level)
    rng = np.random.default_rng(level)
    off = []
    for state in small_states(level, 20, random.Random(players)):
        exact = exact_expectation(state, level, players, policy.weights)
        dice = throw(policy.tables, players, 480, rng)
        ended = play(policy, joined([games_of([state])] * 480), dice, players)
        totals = score(policy.tables, ended).total
        off.append((totals.mean() - exact) / max(totals.std() / 480**0.5, 1e-9))
        assert abs(off[-1]) < 4.5 or abs(totals.mean() - exact) < 1e-6
    assert sum(abs(each) > 2 for each in off) <= 2


def advice(picture: str, roll: Roll, seed: int = 1, **more):
    state = read_sheet(picture, BRIKKS)
    return judged(POLICY, games_of([state]), roll, 2, np.random.default_rng(seed), **more)


HIGH = """
    ..........
    xxxxx.xxxx
    xxxxx.xxxx
    xxxxx.xxxx
    xxxxx.xxxx
    xxxxx.xxxx
    xxxxx.xxxx
    xxxxx.xxxx
    xxxxx.xxxx
    xxxxx.xxxx
    xxxxx.xxxx
    energy xxoo
"""


def test_the_pole_goes_into_the_gap_that_finishes_four_rows():
    best, *others = advice(HIGH, Roll("black", 3))
    assert best.turn and best.turn.cells == frozenset((row, 5) for row in range(7, 11))
    assert best.ahead[0] > 0 and best.error < sum(best.ahead)
    for other in others:
        assert other.value <= best.value
        assert sum(other.ahead) == pytest.approx(other.value - best.value, abs=1e-3)


def test_all_that_is_advised_is_legal():
    state = read_sheet(HIGH, BRIKKS)
    for roll in (Roll("white", 1), Roll("red", 4)):
        legal = {(turn.cells, turn.option.cost) for turn in legal_turns(state, roll)}
        found = judged(POLICY, games_of([state]), roll, 2, np.random.default_rng(3))
        placed = {(each.turn.cells, each.turn.option.cost) for each in found if each.turn}
        assert placed <= legal
        assert sum(each.bomb for each in found) <= 1


def test_a_block_that_was_placed_is_judged_however_bad():
    roof = frozenset((0, column) for column in range(3, 7))
    assert roof not in {each.turn.cells for each in advice(HIGH, Roll("black", 4))[:2] if each.turn}
    (mine,) = [
        each
        for each in advice(HIGH, Roll("black", 4), done=roof)
        if each.turn and each.turn.cells == roof
    ]
    assert mine.value < 80 and mine.games > 50


def test_without_a_place_a_bomb_is_used_or_nothing_is_done():
    full = "\n".join(["xxxxxxxxxx"] * 11)
    found = advice(full + "\nenergy xxoo", Roll("red", 1))
    assert {(each.turn, each.bomb) for each in found} == {(None, True), (None, False)}
    assert not found[0].bomb  # a bomb that is left counts, and none helps any more
    assert advice(full + "\nenergy xxoo\nbombs xxx", Roll("red", 1)) == ()


@pytest.mark.parametrize(("roll", "sign"), [(Roll("black", 3), -1), (Roll("white", 1), 1)])
def test_a_roll_without_a_pole_for_the_gap_is_better_rolled_again(roll, sign):
    best, *_ = advice(HIGH, roll)
    game, rng = games_of([read_sheet(HIGH, BRIKKS)]), np.random.default_rng(5)
    again = rolled_again(POLICY, game, best, 2, rng)
    assert sign * sum(again.ahead) > 3 * again.error
    assert (again.turn, again.bomb) == (None, False)
    assert again.value == pytest.approx(best.value + sum(again.ahead), abs=1e-3)


def test_rolling_is_worth_the_exact_expectation_before_a_roll():
    policy, rng = policy_of(SMALL, 2), np.random.default_rng(2)
    off = []
    for state in small_states(2, 20, random.Random(8)):
        exact = exact_expectation(state, 2, 1, policy.weights)
        games = joined([games_of([state])] * 480)
        rolls, dice = (throw(policy.tables, 1, 480, rng) for _ in range(2))
        after, goes_on = after_roll(policy, games, rolls.first[0])
        totals = score(policy.tables, play(policy, after, dice, 1, goes_on)).total
        off.append((totals.mean() - exact) / max(totals.std() / 480**0.5, 1e-9))
        assert abs(off[-1]) < 4.5 or abs(totals.mean() - exact) < 1e-6
    assert sum(abs(each) > 2 for each in off) <= 2


def test_the_same_seed_gives_the_same_advice():
    assert advice(HIGH, Roll("red", 1), seed=4) == advice(HIGH, Roll("red", 1), seed=4)


# --- the computer player --------------------------------------------------------------------------


TABLES = tables_of(BRIKKS)


def totals(players: int, count: int, seed: int) -> np.ndarray:
    dice = throw(TABLES, players, count, np.random.default_rng(seed))
    games = started(POLICY, new_games(BRIKKS, players, count))
    return score(TABLES, play(POLICY, games, dice, players)).total


def test_the_same_dice_give_the_same_games():
    assert totals(2, 30, 5).tolist() == totals(2, 30, 5).tolist()


def test_it_scores_what_practised_players_score():
    """The publisher calls 60 to 69 points 'You can do more!'; chance moves the mean by one."""
    assert totals(2, 200, 1).mean() > 62


def test_a_full_sheet_is_over():
    full = read_sheet("\n".join(["xxxxxxxxxx"] * 11), BRIKKS)
    dice = throw(TABLES, 1, 1, np.random.default_rng(1))
    ended = play(POLICY, games_of([full]), dice, 1)
    assert score(TABLES, ended).total[0] >= score(TABLES, games_of([full])).total[0] - 7
    assert (ended.grid == TABLES.full).all()


def test_a_start_block_lies_on_the_floor_and_earns_nothing():
    games = started(POLICY, new_games(BRIKKS, 3, 4))
    assert TABLES.counts[games.grid].sum(axis=0).tolist() == [4] * 4
    assert (games.grid[-1] != 0).all()
    assert (games.energy == 3).all() and (games.activated == 4).all()
