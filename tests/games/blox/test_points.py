"""A player's points: from what may lie on the table to the sum and what is sure of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.games.blox.points import CLASSES, LaidThing, counted, in_reading_order, worth


def thing(x: float = 0, y: float = 0, reach: float = 10, **chances: float) -> LaidThing:
    """A thing that is one of these with these probabilities, "chip_4" for "chip 4"."""
    row = np.zeros(len(CLASSES))
    for name, chance in chances.items():
        row[CLASSES.index(name.replace("_", " "))] = chance
    return LaidThing(x, y, reach, row)


def test_chips_count_their_value_and_blocks_are_counted() -> None:
    things = (thing(chip_4=1), thing(chip_10=1), thing(block_grey=1), thing(nothing=1))
    found = counted(things, {})
    assert (found.total, found.blocks, found.sum_range, found.chance) == (14, 1, (14, 14), 1.0)


def test_the_color_of_a_block_counts_for_nothing() -> None:
    doubtful = thing(block_grey=0.5, block_white=0.49, nothing=0.01)
    assert doubtful.confidence == pytest.approx(0.99)
    assert doubtful.otherwise == "nothing"


def test_a_doubtful_chip_widens_the_range() -> None:
    found = counted((thing(chip_2=0.9, chip_3=0.1), thing(chip_1=1)), {})
    assert (found.total, found.sum_range) == (3, (3, 4))
    assert found.chance == pytest.approx(0.9)


def test_what_is_answered_is_sure() -> None:
    found = counted((thing(chip_2=0.9, chip_3=0.1),), {1: "chip 3"})
    assert (found.total, found.sum_range, found.chance) == (3, (3, 3), 1.0)
    assert counted((thing(chip_2=1),), {1: "nothing"}).total == 0


def test_as_much_is_asked_as_makes_it_sure() -> None:
    hardly = [thing(chip_1=0.98, chip_2=0.02) for _ in range(4)]
    found = counted((*hardly, thing(chip_3=0.6, chip_4=0.4)), {})
    assert found.doubted[0] == 5
    left = [each for number, each in enumerate(found.things, 1) if number not in found.doubted]
    assert np.prod([each.confidence for each in left]) >= 0.95
    assert len(found.doubted) == 3


def test_things_are_numbered_as_one_reads() -> None:
    first, second, third = thing(50, 3), thing(90, 0), thing(10, 40)
    assert in_reading_order([third, second, first]) == (first, second, third)
    assert in_reading_order([]) == ()


@given(st.lists(st.sampled_from(CLASSES), max_size=30))
def test_sure_things_have_one_sum(names: list[str]) -> None:
    things = tuple(thing(**{name.replace(" ", "_"): 1.0}) for name in names)
    found = counted(things, {})
    assert found.total == sum(worth(name)[0] for name in names)
    assert found.sum_range == (found.total, found.total)
