"""Games roll by roll: whose turn it is, which die, bonuses, the end, and illegal turns."""

import pytest

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.sheet import ColoredRow, Sheet
from simulation.bloxx.engine import Game, Phase, Turn
from simulation.bloxx.errors import (
    ActivePlayerFirstError,
    AlreadyPlayedError,
    CircleTakenError,
    IllegalPlaceError,
    IllegalTurnError,
    ImpossibleGameError,
    MustEnterError,
    NoSuchDieError,
    NoSuchPlayerError,
    NoSuchRollError,
    NotTheTimeError,
    UnknownDiceError,
    WrongShapeError,
)
from simulation.bloxx.notation import print_sheet
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN

LINES = (0, 0)
"""A roll of two lines of three: with the circle at the end, and in the middle."""
SQUARES = (3, 2)
"""A roll of a square and an S."""

SMALL = Sheet(3, 3, (ColoredRow(1, "blue"), ColoredRow(2, "red")), (), OWN.dice)
"""Three lines fill it."""


def line(die: int, row: int, has_circle: bool = True, left: int = 0) -> Turn:
    """A line that lies, with its circle where the die has it."""
    cells = frozenset((row, column) for column in range(left, left + 3))
    return Turn(die, Entry(cells, (row, left + die) if has_circle else None))


def upright(die: int, column: int, has_circle: bool = True) -> Turn:
    """A line that stands on the floor of the small sheet."""
    cells = frozenset((row, column) for row in range(3))
    return Turn(die, Entry(cells, (die, column) if has_circle else None))


def rolled(*faces: int, players: int = 2, sheet: Sheet = SMALL) -> Game:
    game = Game(sheet, players)
    game.roll(*faces)
    return game


def test_who_picks_the_die_of_the_active_player_writes_a_cross():
    game = rolled(*LINES)
    assert {turn.entry.circle is None for turn in game.legal_turns(0)} == {False}
    game.enter(0, line(1, 2))
    assert {turn.die: turn.entry.circle is None for turn in game.legal_turns(1)} == {
        0: False,
        1: True,
    }
    with pytest.raises(CircleTakenError, match="cross instead"):
        game.enter(1, line(1, 2))
    game.enter(1, line(1, 2, has_circle=False))
    assert print_sheet(game.players[0].sheet).splitlines()[2] == "XOX AAA"
    assert print_sheet(game.players[1].sheet).splitlines()[2] == "XXX AAA"


def test_the_other_die_keeps_its_circle():
    game = rolled(*LINES)
    game.enter(0, line(1, 2))
    with pytest.raises(WrongShapeError):
        game.enter(1, line(0, 2, has_circle=False))
    game.enter(1, line(0, 2))
    assert game.players[1].sheet.circles == {(2, 0)}


def test_where_the_active_player_fails_both_dice_keep_their_circles():
    game = Game(SMALL, 2)
    for row in (2, 1):
        game.roll(*LINES)
        for player in game.waiting:
            die = 0 if player == game.active else 1
            game.enter(player, line(die, row))
    game.roll(*LINES)
    game.enter(0, line(0, 0))
    game.enter(1, line(1, 0))
    assert game.phase is Phase.ROLL
    game.roll(*LINES)  # player 2 is active, and both sheets are full
    assert game.active == 1
    game.fail(1)
    assert game.legal_turns(0) == ()
    game.fail(0)
    assert game.is_over


def test_the_active_player_picks_first_and_changes_with_every_roll():
    game = rolled(*LINES, players=3)
    assert game.waiting == (0, 1, 2)
    assert game.legal_turns(2) == ()
    with pytest.raises(ActivePlayerFirstError, match="Player 1 rolled"):
        game.enter(2, line(0, 2))
    game.enter(0, line(0, 2))
    game.enter(2, line(1, 2))
    assert game.waiting == (1,)
    game.enter(1, line(1, 2))
    assert (game.active, game.phase) == (1, Phase.ROLL)
    game.roll(*LINES)
    assert game.waiting == (1, 2, 0)


def test_all_who_complete_a_row_in_the_same_roll_get_the_four():
    game = rolled(*LINES, players=3)
    game.enter(0, line(0, 2))
    game.enter(1, line(1, 2))
    game.enter(2, upright(1, 0))
    assert [print_sheet(side.sheet).splitlines()[3] for side in game.players] == [
        "bonus .. o.",
        "bonus .. o.",
        "bonus .. x.",
    ]


def test_later_players_get_the_two():
    game = rolled(*LINES)
    game.enter(0, line(0, 2))
    game.enter(1, upright(1, 0))
    for column in (1, 2):
        game.roll(*LINES)
        turns = {0: line(0, 2 - column), 1: upright(1, column)}
        for player in game.waiting:
            game.enter(player, turns[player])
    assert [print_sheet(side.sheet).splitlines()[3] for side in game.players] == [
        "bonus o. o.",
        "bonus xo xo",
    ]
    assert [points.rows for points in game.scores()] == [8, 4]
    assert [(result.sheet, result.place) for result in game.ranking()] == [(0, 1), (1, 2)]
    assert game.winners() == (0,)


def test_players_who_tie_share_a_place():
    game = rolled(*LINES, players=3)
    game.enter(0, line(0, 2))
    game.enter(1, line(1, 2))
    game.enter(2, upright(1, 0))
    assert [result.place for result in game.ranking()] == [1, 1, 3]
    assert game.winners() == (0, 1)


def test_who_can_enter_a_shape_must():
    game = rolled(*SQUARES, sheet=OWN)
    with pytest.raises(MustEnterError, match="must"):
        game.fail(0)


def test_the_game_ends_when_two_players_fail_in_the_same_roll():
    game = rolled(*LINES, players=3)
    game.enter(0, line(0, 2))
    game.enter(1, line(1, 2))
    game.enter(2, line(1, 2))
    game.roll(*LINES)
    game.enter(1, line(0, 1))
    game.enter(2, line(1, 1))
    game.enter(0, line(1, 1))
    game.roll(2, 3)  # a line of four and a P: neither fits in the last row
    for player in game.waiting:
        game.fail(player)
    assert game.is_over
    with pytest.raises(NotTheTimeError):
        game.roll(*LINES)


def test_one_player_who_fails_goes_on():
    game = rolled(*LINES, players=2)
    game.enter(0, line(0, 2))
    game.enter(1, upright(1, 1))
    game.roll(2, 3)
    game.fail(1)
    game.enter(
        0,
        Turn(1, Entry(frozenset({(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)}), (1, 1))),
    )
    assert game.phase is Phase.ROLL
    assert [len(side.order) for side in game.players] == [2, 1]


def test_illegal_turns_have_names():
    game = Game(OWN, 2, Resting.GERMAN)
    with pytest.raises(NotTheTimeError, match="roll"):
        game.enter(0, line(0, 9))
    for faces in ((0,), (0, 6), (-1, 0), (0, 0, 0)):
        with pytest.raises(NoSuchRollError, match="cannot show"):
            game.roll(*faces)
    game.roll(*LINES)
    with pytest.raises(NotTheTimeError, match="turns"):
        game.roll(*LINES)
    with pytest.raises(NoSuchPlayerError):
        game.enter(2, line(0, 9))
    with pytest.raises(NoSuchDieError):
        game.enter(0, Turn(2, line(0, 9).entry))
    with pytest.raises(WrongShapeError):
        game.enter(0, Turn(0, line(1, 9).entry))  # the circle is not in the middle
    with pytest.raises(WrongShapeError):
        game.enter(0, Turn(0, Entry(frozenset(), None)))
    with pytest.raises(IllegalPlaceError, match="bottom edge"):
        game.enter(0, line(0, 8))
    game.enter(0, line(0, 9))
    with pytest.raises(AlreadyPlayedError, match="Player 1"):
        game.enter(0, line(0, 8))
    game.enter(1, line(1, 9))
    game.roll(*LINES)
    with pytest.raises(IllegalPlaceError, match="come to rest"):
        game.enter(1, line(0, 9, left=3))
    with pytest.raises(IllegalPlaceError, match="straight above"):
        game.enter(1, line(0, 9))
    assert issubclass(IllegalPlaceError, IllegalTurnError)


def test_an_illegal_turn_changes_nothing():
    game = rolled(*LINES)
    before = game.players, game.waiting
    with pytest.raises(IllegalTurnError):
        game.enter(0, line(0, 0))
    assert (game.players, game.waiting) == before


@pytest.mark.parametrize("players", [0, 1, 5])
def test_two_to_four_play(players):
    with pytest.raises(ImpossibleGameError, match="2 to 4 players"):
        Game(OWN, players)


def test_a_game_needs_dice():
    with pytest.raises(UnknownDiceError, match="dice"):
        Game(DICELESS, 2)
