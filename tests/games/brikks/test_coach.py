"""What the coach says of a turn and of a total, from drawn sheets."""

import pytest

from brikks_vision.errors import RollMissing, RulesForbid
from brikks_vision.games.brikks.coach import advise, expected
from brikks_vision.games.brikks.player import policy
from brikks_vision.infer.advice import Advice, Choice, Choices
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.layout import load_layout
from brikks_vision.show.coach import choice_lines, expected_text
from brikks_vision.text.phrases import phrase
from tests.drawn_sheets import drawn_posterior
from tests.drawn_sheets import drawn_reading as reading_of

LAYOUT = load_layout("brikks")
WELL = """
    aaaabbb.cc
    deaabbb.cc
    deeefff.gg
    ddeefff.gg
    hhiijjk.ll
    hhiijjk.ll
    energy xxoo
"""
WITH_POLE = """
    aaaabbb.cc
    deaabbb.cc
    deeefffPgg
    ddeefffPgg
    hhiijjkPll
    hhiijjkPll
    energy xxoo
    extra xxxx
"""
WITH_ROOF = """
    ......QQQQ
    aaaabbb.cc
    deaabbb.cc
    deeefff.gg
    ddeefff.gg
    hhiijjk.ll
    hhiijjk.ll
    energy xoox
"""
POLE = TurnSaid(("black", 3))


def drawn_reading(drawing: str, **known):
    return reading_of("a.jpg", drawn_posterior(drawing), **known)


def test_the_pole_that_finishes_four_rows_is_best():
    found = advise(drawn_reading(WELL), LAYOUT, POLE, drawn_reading(WITH_POLE))
    best = found.best[0]
    assert best.cells == ((7, 7), (8, 7), (9, 7), (10, 7))
    assert (best.energy, best.bomb, best.is_clear) == (0, False, True)
    assert found.yours == best
    assert best.told.text("de") == "der schwarze Block (Spalte 8, Reihen 1-4 von unten)"


def test_another_placement_is_told_what_it_cost():
    yours = advise(drawn_reading(WELL), LAYOUT, POLE, drawn_reading(WITH_ROOF)).yours
    assert yours and yours.cells == ((4, 6), (4, 7), (4, 8), (4, 9))
    assert yours.energy == 1 and yours.is_clear and yours.difference < -10
    assert yours.ahead["rows"] < -5


def test_a_bomb_is_one_of_the_choices():
    bombed = WELL + "    bombs x\n"
    yours = advise(drawn_reading(WELL), LAYOUT, POLE, drawn_reading(bombed)).yours
    assert yours and yours.bomb and not yours.cells
    assert yours.told.text("fr") == "pas de bloc, une bombe"


def test_the_same_sheet_gets_the_same_advice():
    one, other = (advise(drawn_reading(WELL), LAYOUT, POLE) for _ in range(2))
    assert one == other and one.yours is None


def test_what_was_rolled_must_be_said():
    with pytest.raises(RollMissing, match="Say what was rolled"):
        advise(drawn_reading(WELL), LAYOUT, TurnSaid())


def test_a_duel_has_no_advice():
    with pytest.raises(RulesForbid, match="A duel counts rounds"):
        advise(drawn_reading(WELL, variant="duel"), LAYOUT, POLE)
    assert expected(drawn_reading(WELL, variant="duel"), LAYOUT) is None


def test_a_total_is_compared_with_games_of_the_same_settings():
    alone = expected(drawn_reading(WELL, players=1, level=1), LAYOUT)
    four = expected(drawn_reading(WELL, players=4, level=4), LAYOUT)
    open_settings = expected(drawn_reading(WELL), LAYOUT)
    assert alone and four and open_settings
    assert (alone.players, alone.level, four.players, four.level) == (1, 1, 4, 4)
    assert (open_settings.players, open_settings.level) == (2, 2)
    assert alone.mean > four.mean + 5 and alone.games == 10_000
    assert 0 <= alone.percentile <= 5 <= four.sd


def test_what_energy_that_was_left_brings_during_a_game():
    rich = policy.expected(2, 2, total=80, energy=13)
    assert rich.unspent and rich.unspent.energy == 10  # as far as it was measured
    assert 0 < rich.unspent.margin < rich.unspent.points < 10
    assert policy.expected(2, 2, total=80, energy=1).unspent is None
    two_left = expected(drawn_reading(WELL), LAYOUT)
    assert two_left and two_left.unspent and two_left.unspent.energy == 2
    assert "With 10 of the energy points that were left" in expected_text(rich, "en")


def test_rolling_again_is_judged_where_somebody_may():
    found = advise(drawn_reading(WELL), LAYOUT, POLE)
    assert found.again and found.again.is_clear and found.again.difference < 0
    assert not found.again.cells and not found.again.bomb
    advice = Advice("a.jpg", "brikks", 20, (), None, found)
    assert advice.to_dict()["coach"]["again"] == found.again.to_dict()
    assert "may roll again: that brings about" in choice_lines(advice, True, "en")[-1]
    assert advise(drawn_reading(WELL, players=1), LAYOUT, POLE).again is None


def test_json_has_ten_choices_at_most():
    choice = Choice(phrase("bomb"), (), 0, True, 70.04, {"rows": 1.23, "bonus": -0.5}, 0.456)
    advice = Advice("a.jpg", "brikks", 20, (), None, Choices((choice,) * 12, choice)).to_dict()
    told = advice["coach"]["advice"]
    assert len(told) == 10
    assert told[0] == advice["coach"]["yours"]
    assert told[0] == {
        "cells": [],
        "energy": 0,
        "bomb": True,
        "value": 70.0,
        "error": 0.46,
        "by_cause": {"rows": 1.2, "bonus": -0.5},
    }
