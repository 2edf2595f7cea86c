"""The computer player of BLOXX! against the plain rules, and its advice."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.errors import RollMissing, RollUnknown, RulesForbid, TurnsNotAdvised
from brikks_vision.games.bloxx import player
from brikks_vision.games.bloxx.coach import advise, coach
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.layout import load_layout
from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.state import blank_sheet, score
from brikks_vision.text.phrases import translator
from simulation.bloxx.entering import enter_shape, legal_entries
from simulation.bloxx.play import play_game
from tests.games.bloxx.marked import DICELESS_LAYOUT, clear_marks, reading_of
from tests.rules.bloxx.bloxx_sheets import OWN, drawn

LAYOUT = load_layout("bloxx")
DICE = OWN.dice or ()
ALL = [face for die in DICE for face in die]

HOLE = "XXXXX.X\n" * 3 + "XXXXXXX\n" * 7
"""What a bar fills, with a 4 at the top and a 3 at the bottom; the row between is coloured."""


def begun(rolls: int = 5):
    """The reading of a game that is not at its end."""
    state = play_game(OWN, random.Random(3), [2.0, 2.0], max_rolls=rolls).players[0].sheet
    return reading_of(clear_marks(state))


@given(st.integers(0, 10_000), st.integers(0, 12), st.sampled_from(ALL), st.booleans())
def test_places_and_points_are_those_of_the_plain_rules(seed, rolls, face, has_circle):
    game = play_game(OWN, random.Random(seed), [1.0, 2.0], max_rolls=rolls)
    state = game.players[0].sheet
    before, places = player.games_of([state]), player.places_of((face,), OWN, has_circle)
    (found,) = np.nonzero(player.worth(places, before, OWN)[0] > -np.inf)
    assert {places.entries[place] for place in found} == set(
        legal_entries(state, face, Resting.ENGLISH, has_circle)
    )
    for place in found[:5]:
        after = enter_shape(state, places.entries[place])
        games = player.entered(before, places, np.array([place]))
        for mine, plain in zip(
            vars(games).values(), vars(player.games_of([after])).values(), strict=True
        ):
            assert np.array_equal(mine, plain)
        told = score(after)
        if not any(each.is_assumed or each.points for each in told.bonuses):
            assert player.points(games, after)[:, 0].tolist() == [
                told.rows,
                told.numbers,
                told.penalty,
            ]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 12), st.sampled_from(ALL))
def test_a_place_is_worth_its_points_less_what_it_spoils(seed, rolls, face):
    game = play_game(OWN, random.Random(seed), [1.0, 2.0], max_rolls=rolls)
    state = game.players[0].sheet
    places = player.places_of((face,), OWN, True)
    values = {each.cell: each.value for each in OWN.numbers}
    for entry, found in zip(
        places.entries, player.worth(places, player.games_of([state]), OWN)[0], strict=True
    ):
        if found == -np.inf:
            continue
        spoilt = enter_shape(state, entry).gaps - state.gaps
        top = OWN.rows - min(row for row, _ in entry.cells)
        crossed = [*spoilt, *(entry.cells - {entry.circle})]
        plain = len(entry.cells) + values.get(entry.circle, 0) - player.GAP * len(spoilt)
        plain -= player.NUMBER * sum(values.get(cell, 0) for cell in crossed)
        assert found == pytest.approx(plain - player.HEIGHT * top * len(entry.cells))


def test_it_plays_until_nothing_can_be_entered_and_better_than_a_careful_person():
    blank = blank_sheet(OWN)
    games = player.games_of([blank]).at(np.zeros(40, int))
    ended = player.play(games, OWN, DICE, player.throw(DICE, OWN, 40, np.random.default_rng(1)))
    totals = player.points(ended, blank).sum(axis=0)
    people = [
        score(play_game(OWN, random.Random(seed), [3.0, 3.0]).players[0].sheet).total
        for seed in range(20)
    ]
    assert totals.mean() > sum(people) / 20 + 5


def test_the_circle_of_the_bar_goes_on_the_higher_number():
    state = drawn(HOLE)
    entries, (best,) = player.judged(state, DICE[0][0], DICE, seed=1)
    assert entries == (Entry(frozenset({(0, 5), (1, 5), (2, 5)}), (0, 5)),)
    assert best.value == 4 * len(OWN.colored_rows) + 4


def test_of_ways_in_the_same_cells_the_best_is_told():
    state = drawn("XX.X..." + "\nXXXXXXX" * 6)
    entries, ranked = player.judged(state, DICE[0][1], DICE, seed=1)
    assert len({entry.cells for entry in entries}) == len(entries) == len(ranked)


def test_a_rolled_shape_has_advice_in_words():
    found = advise(begun(), LAYOUT, TurnSaid(("light", 1)))
    best = found.best[0]
    assert best.circle in best.cells and len(best.cells) == 3
    assert best.told.text("en").startswith("the shape in column")
    assert ", its circle in column " in best.told.text("en")
    assert set(best.ahead) == {"rows", "numbers", "penalty"}
    assert found == advise(begun(), LAYOUT, TurnSaid(("hell", 1), words=translator("de")))
    assert found.again is None and found.yours is None
    assert best.to_dict()["circle"] == list(best.circle or ())
    assert found != advise(begun(), LAYOUT, TurnSaid(("dark", 1)))


def test_what_cannot_be_advised():
    with pytest.raises(RollUnknown, match="no roll light 7"):
        advise(begun(), LAYOUT, TurnSaid(("light", 7)))
    with pytest.raises(RollUnknown, match="Colours: light, dark; numbers: 1 to 6"):
        advise(begun(), LAYOUT, TurnSaid(("red", 3)))
    with pytest.raises(RollMissing):
        advise(begun(), LAYOUT, TurnSaid())
    full = reading_of(clear_marks(drawn("\n".join(["XXXXXXX"] * 10))))
    with pytest.raises(RulesForbid, match="can be entered nowhere"):
        advise(full, LAYOUT, TurnSaid(("dark", 2)))
    with pytest.raises(TurnsNotAdvised):
        advise(begun(), DICELESS_LAYOUT, TurnSaid(("light", 1)))


def test_what_the_computer_player_reaches_on_our_sheet_alone():
    found = coach.expected(begun(), LAYOUT)
    assert found is not None and found.level is None and 35 < found.mean < 50
    assert found.percentile in range(101)
    assert coach.expected(begun(), DICELESS_LAYOUT) is None
