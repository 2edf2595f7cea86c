"""Several sheets of one game."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.bloxx.order import Resting
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import blank_sheet
from brikks_vision.rules.bloxx.table import has_room_for_all, judge_table
from brikks_vision.rules.shapes import NoSuchTableError
from brikks_vision.text.languages import LANGUAGES
from simulation.bloxx.play import play_game
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN, drawn
from tests.rules.bloxx.test_scoring import PUBLISHERS_EXAMPLE

ROW = """
    OXXXOXO AAABBBC
    ......X ......C
    bonus .. .. .. {}
"""
"""A complete violet row."""


def sheets(*marks: str) -> list:
    return [drawn(ROW.format(bonus)) for bonus in marks]


def rules(states) -> list[str]:
    return [str(violation.rule) for violation in judge_table(states).violations]


def tower(count: int) -> str:
    """Upright lines on each other."""
    lines = [f"{'O' if row % 3 == 0 else 'X'}...... {'ABC'[row // 3]}......" for row in range(9)]
    return "\n".join(lines[9 - 3 * count :])


def test_places_are_shared_in_a_tie():
    results = judge_table(sheets("o.", ".o", "o.")).results
    assert [result.place for result in results] == [1, 3, 1]
    assert [result.score.rows for result in results] == [4, 2, 4]


def test_an_unknown_sheet_has_no_place():
    known = sheets("o.", "o.")
    results = judge_table([known[0], None, known[1]]).results
    assert [(result.sheet, result.place) for result in results] == [(0, 1), (2, 1)]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_two_to_four_sheets_are_a_game(count):
    with pytest.raises(NoSuchTableError, match="2 to 4"):
        judge_table(sheets("o.") * count)


def test_a_two_without_a_four():
    assert rules(sheets("xo", ".o")) == ["bonus-shared"]
    assert rules(sheets("o.", "xo")) == []
    assert rules(sheets("o.", "o.")) == []
    (violation,) = judge_table(sheets("xo", ".o")).violations
    assert (violation.where, violation.confidence) == ((0, 1), 1.0)
    assert "sheets 1 and 2 have the 2 circled" in violation.message


def test_who_circled_nothing_may_have_forgotten_the_four():
    (violation,) = judge_table(sheets("xo", "..")).violations
    assert (violation.where, violation.confidence) == ((0,), 0.5)


def test_an_unknown_sheet_may_have_the_four():
    assert rules([*sheets("xo"), None]) == []


def test_sheets_of_other_printings_share_no_bonus():
    assert rules([drawn(ROW.format("xo")), drawn(ROW.format("xo"), DICELESS)]) == ["bonus-shared"]
    other = drawn("XXXXXXX", Sheet(10, 7))
    assert "bonus-shared" not in rules([drawn(ROW.format("xo")), other])


def test_who_has_room_has_as_many_shapes_as_the_others():
    assert rules([drawn(tower(1)), drawn(tower(2))]) == ["shapes-differ"]
    assert rules([drawn(tower(2)), drawn(tower(2))]) == []
    (violation,) = judge_table([drawn(tower(1)), drawn(tower(2))]).violations
    assert violation.where == (0, 1)
    assert "their numbers of shapes are 1 and 2" in violation.message


def test_who_has_no_room_may_have_fewer_shapes():
    full, fuller = drawn(tower(3)), drawn(PUBLISHERS_EXAMPLE.replace("xo", "o."))
    assert not has_room_for_all(full)
    assert has_room_for_all(drawn(tower(2)))
    assert rules([full, fuller]) == []  # 3 and 15 shapes: the last 12 rolls were void for one
    assert rules([full, full, fuller]) == ["shapes-differ"]  # two void in one roll end the game


def test_the_last_roll_may_be_void_for_several():
    full = drawn(tower(3))
    assert rules([full] * 4) == []


def test_sheets_whose_shapes_cannot_be_counted_are_left_out():
    bare = drawn("\n".join(line.split()[0] for line in tower(1).splitlines()))
    assert rules([bare, drawn(tower(2))]) == []
    forgotten = drawn(tower(2).replace("C", "B"))
    assert rules([forgotten, drawn(tower(1))]) == []


def test_a_sheet_too_narrow_for_a_shape_has_no_sure_room():
    for sheet in (Sheet(10, 1), Sheet(10, 1, dice=OWN.dice)):
        assert not has_room_for_all(blank_sheet(sheet))
    assert has_room_for_all(blank_sheet(OWN))


def test_without_known_dice_room_is_three_rows():
    assert has_room_for_all(drawn(tower(2), DICELESS))
    assert not has_room_for_all(drawn(tower(3), DICELESS))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_violation_is_told_in_every_language(language):
    for states in (sheets("xo", ".o"), sheets(".o", "x."), [drawn(tower(1)), drawn(tower(2))]):
        for violation in judge_table(states).violations:
            text = violation.text(language)
            assert not text[0].islower() and text.endswith(".") and "{" not in text


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(Resting),
    st.lists(st.floats(0, 6), min_size=2, max_size=4),
    st.integers(0, 24),
    st.booleans(),
)
def test_games_are_never_accused(seed, resting, cares, rolls, is_known):
    game = play_game(OWN, random.Random(seed), cares, resting, rolls)
    states = [side.sheet for side in game.players]
    if not is_known:
        states[-1] = None
    assert judge_table(states).violations == ()
