"""What one position proves by itself: its broken rules, and its phase."""

import pytest
from hypothesis import given, settings

from brikks_vision.rules.blox.material import EmptyTowerError
from brikks_vision.rules.blox.position import Position, Tower
from brikks_vision.rules.blox.referee import Rule, phases_of, referee
from brikks_vision.text.languages import LANGUAGES
from simulation.blox.notation import read_position
from tests.rules.blox.games import BOARD, min_chips, misread_positions, states


def judged(drawing):
    position = read_position(drawing, BOARD)
    return [(violation.rule, violation.where) for violation in referee(position)]


def test_an_empty_board_is_legal():
    assert referee(Position(BOARD)) == ()
    assert phases_of(Position(BOARD)) == (4,)


@settings(max_examples=40, deadline=None)
@given(states())
def test_no_position_of_a_game_is_accused(state):
    assert referee(state.position) == ()
    assert phases_of(state.position) == (state.phase,)


def test_a_tower_higher_than_five():
    assert judged(". ?????? . ????? . . . . .") == [(Rule.TOO_HIGH, ((0, 1),))]


def test_more_blocks_of_a_colour_than_ten():
    assert judged("wwwww wwww gw . . . . . .") == []
    assert judged("wwwww wwww gw . gg w . . .") == [
        (Rule.TOO_HIGH, ((0, 0), (0, 1), (0, 2), (0, 5)))
    ]


def test_more_than_forty_blocks():
    assert judged("????? ????? ????? ????? ????? ????? ????? ????? .") == []
    assert judged("????? ????? ????? ????? ????? ????? ????? ????? ?") == [
        (Rule.TOO_HIGH, tuple((0, column) for column in range(9)))
    ]


def test_more_than_four_pawns_of_a_colour():
    assert judged("Bl Bl Bl Bl Re Re Re Re .") == []
    assert judged("Bl Bl Bl Bl Re Bl . . .") == [
        (Rule.TOO_MANY_PAWNS, ((0, 0), (0, 1), (0, 2), (0, 3), (0, 5)))
    ]


def test_a_chip_that_is_not_the_height_of_its_tower():
    assert judged("w g:- wgp:- wwgp wwwgg . . . .") == []
    assert judged("w:2 g:10 wgp:4 wwgp wwwgg:4 . . . .") == [
        (Rule.WRONG_CHIP, ((0, 0),)),
        (Rule.WRONG_CHIP, ((0, 1),)),
        (Rule.WRONG_CHIP, ((0, 2),)),
        (Rule.WRONG_CHIP, ((0, 4),)),
    ]


@pytest.mark.parametrize(
    ("drawing", "sentence"),
    [
        (". ?????? . . . . . . .",
         "The tower (row 1 from the top, column 2) has a height of 6, but no tower is higher "
         "than 5."),
        ("wwwww wwww gww . . . . . .",
         "The towers have 11 blocks of one colour (white), but the game has only 10."),
        ("Bl Bl Bl Bl Re Bl . . .", "5 blue pawns stand on the board, but there are only 4."),
        ("wg:3 . . . . . . . .",
         "The tower (row 1 from the top, column 1) bears the chip 3, but has a height of 2."),
        ("wwwgg:4 . . . . . . . .",
         "The tower (row 1 from the top, column 1) bears the chip 4, but towers with a height of 5 "
         "bear none."),
    ],
)  # fmt: skip
def test_the_sentences(drawing, sentence):
    (violation,) = referee(read_position(drawing, BOARD))
    assert violation.message == sentence
    assert len({violation.text(language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("drawing", "phases"),
    [
        ("w w wg wg wgp wgp wwgg wwgg .", (1,)),
        ("w . wg wg wgp wgp wwgg wwgg .", (2,)),
        ("w . wg . wgp wgp wwgg wwgg .", (3,)),
        (". . wg . wgp . wwgg wwgg .", (4,)),
        (". . wg . wgp . wwgg . .", (4,)),
        ("w w . . . . wwgg wwgg .", (1,)),
        ("w . wg . wgp . wwgg wwgg wwggp", (4,)),
        ("w w wg . wgp . wwgg wwgg wwggp", ()),
    ],
)
def test_the_towers_tell_the_phase(drawing, phases):
    assert phases_of(read_position(drawing, BOARD)) == phases


def test_a_tower_has_blocks():
    with pytest.raises(EmptyTowerError):
        Tower(())


@given(misread_positions())
def test_any_position_gets_an_answer(position):
    for violation in referee(position):
        assert violation.message.endswith(".")
        assert set(violation.where) <= {*position.towers, *position.pawns}
    assert len(phases_of(position)) <= 1


def test_the_fewest_chips_for_points():
    assert [min_chips(total) for total in (0, 1, 4, 5, 10, 19, 117)] == [0, 1, 1, 2, 1, 4, 13]
