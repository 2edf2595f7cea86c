"""Planted faults: the referee names the planted one alone, and the sheet beside is legal."""

import random

import pytest

from brikks_vision.rules.bloxx.referee import Rule
from simulation.bloxx import faults
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN


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
