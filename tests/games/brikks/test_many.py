"""Many games at once, against the plain rules one by one."""

import random
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.games.brikks.player import many
from brikks_vision.rules.brikks.blocks import SheetState, activated, available, kinds
from brikks_vision.rules.brikks.scoring import legal_turns
from brikks_vision.rules.brikks.scoring import score as plain_score
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.engine import cross_out, enter_block
from simulation.brikks.games import play_sheet
from simulation.brikks.self_play import new_games

BRIKKS = load_sheet()
TABLES = many.tables_of(BRIKKS)
KINDS = kinds(BRIKKS)


@st.composite
def played_sheets(draw) -> list[SheetState]:
    """A game of any level and players at many times, its bars as at its end, some cells strayed."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    played = play_sheet(BRIKKS, rng, rng.randint(2, 4), rng.randint(1, 4))
    states = []
    for _ in range(24):
        kept = played.order[: rng.randint(0, len(played.order))]
        stray = rng.sample(BRIKKS.cells, rng.choice((0, 0, 1, 5)))
        crossed = frozenset(stray).union(*kept)
        states.append(replace(played.state, crossed=crossed, blocks=()))
    return states


def bars(state: SheetState) -> tuple[int, ...]:
    return available(state), activated(state), sum(state.bonus), sum(state.bombs)


def bars_of(games: many.Games, number: int) -> tuple[int, ...]:
    columns = games.energy, games.activated, games.crosses, games.bombs
    return tuple(int(column[number]) for column in columns)


def crossed(games: many.Games, number: int) -> frozenset:
    return frozenset(cell for cell in BRIKKS.cells if games.grid[cell[0], number] >> cell[1] & 1)


@given(played_sheets(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_places_points_and_bars_are_those_of_the_rules(states, level, rng):
    games = many.games_of(states)
    rolled = [rng.randrange(len(TABLES.rolls)) for _ in states]
    found = many.landings(TABLES, games.grid, TABLES.costs[rolled], games.energy)
    legal = [
        (number, turn)
        for number, (state, roll) in enumerate(zip(states, rolled, strict=True))
        for turn in legal_turns(state, TABLES.rolls[roll])
    ]
    places = {
        (number, int(TABLES.place[KINDS.index(turn.option.kind), *turn.corner]), turn.option.cost)
        for number, turn in legal
    }
    assert len(places) == len(legal) == len(found)
    assert places == set(
        zip(found.game.tolist(), found.place.tolist(), found.cost.tolist(), strict=True)
    )
    assert many.score(TABLES, games).total.tolist() == [
        plain_score(state).total for state in states
    ]

    some = rng.sample(legal, min(len(legal), 40))
    if not some:
        return
    numbers = np.array([number for number, _ in some])
    place = np.array(
        [TABLES.place[KINDS.index(turn.option.kind), *turn.corner] for _, turn in some]
    )
    cost = np.array([turn.option.cost for _, turn in some])
    after = many.entered(TABLES, games.at(numbers), place, cost, level)
    points = many.score(TABLES, after)
    for index, (number, turn) in enumerate(some):
        paid = cross_out(states[number], turn.option.cost)
        plain = enter_block(paid, turn.cells, turn.option.kind.color, level).state
        assert crossed(after, index) == plain.crossed
        assert bars_of(after, index) == bars(plain)
        told = plain_score(plain)
        assert points.rows[index] == told.lines
        assert points.bonus[index] == told.bonus
        assert points.energy[index] == told.energy
        assert points.bombs[index] == told.bombs


def test_a_new_game_has_the_energy_of_its_players():
    assert [new_games(BRIKKS, players, 1).energy[0] for players in (1, 2, 3, 4)] == [5, 2, 3, 4]
    assert [new_games(BRIKKS, players, 1).activated[0] for players in (1, 2, 3, 4)] == [5, 4, 4, 4]


def test_bombs_are_used_from_the_top():
    games = new_games(BRIKKS, 4, 1)
    points = []
    for _ in range(3):
        games = many.bombed(games)
        points.append(int(many.score(TABLES, games).bombs[0]))
    assert points == [6, 4, 0]
