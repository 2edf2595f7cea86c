"""The computer player: what it does is legal, and it plays no worse than a person."""

import numpy as np

from brikks_vision.games.brikks.player.many import games_of, score, tables_of
from brikks_vision.games.brikks.player.policy import play, policy_of, throw
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.notation import read_sheet
from simulation.brikks.self_play import new_games, started

BRIKKS = load_sheet()
TABLES = tables_of(BRIKKS)
POLICY = policy_of(BRIKKS, 2)


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
