"""Games round by round: legal turns do what the rules say, illegal ones raise named errors."""

import doctest
import random

import pytest

import simulation.brikks.engine as game_module
from brikks_vision.rules.brikks.blocks import available
from brikks_vision.rules.brikks.referee import referee
from brikks_vision.rules.brikks.scoring import Roll
from brikks_vision.rules.brikks.sheet import ImpossibleGameError, load_sheet
from simulation.brikks.engine import (
    AlreadyPlayedError,
    Game,
    MiniBlocksTouchError,
    MustPlaceError,
    NoBombLeftError,
    NoRerollError,
    NoSuchPlaceError,
    NotEnoughEnergyError,
    NotTheTimeError,
    Phase,
    PlayerIsOutError,
    StartBlockTakenError,
)
from simulation.brikks.games import play_table
from simulation.brikks.notation import print_sheet

BRIKKS = load_sheet()


def begun(levels=(2, 2), variant=None) -> Game:
    game = Game(BRIKKS, levels, variant)
    for player, color in enumerate(("black", "red", "blue", "white")[: len(levels)]):
        game.start(player, color, 0)
    return game


def bottom(game: Game, player: int, rows: int = 3) -> list[str]:
    grid = print_sheet(game.players[player].sheet).split("\n")[: BRIKKS.rows]
    return grid[-rows:]


def free_turn(game: Game, player: int):
    """The highest place for the rolled block."""
    return next(turn for turn in game.legal_turns(player) if turn.option.cost == 0)


def line(game: Game, player: int, name: str) -> str:
    text = print_sheet(game.players[player].sheet)
    return next(part for part in text.split("\n") if part.startswith(name))


def test_the_first_example_runs():
    names = {"load_sheet": load_sheet, "Roll": Roll, "Game": Game}
    tests = doctest.DocTestFinder().find(game_module, globs=names)
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize(
    ("levels", "energy"),
    [((2,), "ooooo"), ((2, 2), "--oo"), ((2, 2, 2), "-ooo"), ((2, 2, 2, 2), "oooo")],
)
def test_the_bar_at_setup(levels, energy):
    assert line(begun(levels), 0, "energy") == f"energy {energy}"


def test_a_round():
    game = begun()
    game.roll(Roll("black", 4))
    game.place(0, "black", 4, (10, 2))
    game.use_bomb(1)
    assert bottom(game, 0) == ["..........", "AA........", "AABBBB...."]
    assert bottom(game, 1) == [".A........", "AA........", "A........."]
    assert (line(game, 0, "bombs"), line(game, 1, "bombs")) == ("bombs .", "bombs x")
    assert game.phase is Phase.ROLL
    assert game.active == 1


def test_turning_and_swapping_cost_energy():
    game = begun((2,))
    game.roll(Roll("white", 1))
    game.place(0, "white", 3, (9, 2))
    assert line(game, 0, "energy") == "energy xxooo"
    game.roll(Roll("black", 1))
    game.place(0, "black", 2, (9, 6))
    assert available(game.players[0].sheet) == 3  # columns 1 and 2 show the same square
    game.roll(Roll("white", 1))
    with pytest.raises(NotEnoughEnergyError, match="costs 5 energy for this roll, but only 3"):
        game.place(0, "green", 1, (8, 8))


def test_a_block_covers_circles_and_earns_a_pink_x():
    game = begun((2,))
    game.roll(Roll("black", 4))
    game.place(0, "black", 4, (10, 3))
    game.roll(Roll("white", 1))
    game.place(0, "white", 1, (8, 3))  # over the white circle in row 8
    assert line(game, 0, "energy") == "energy ooooooo"
    assert line(game, 0, "extra") == "extra x"
    assert bottom(game, 0) == ["....C.....", "AA.CCC....", "AA.BBBB..."]


def test_at_level_4_other_circles_cost_two_points():
    game = begun((4,))
    game.roll(Roll("black", 1))
    game.place(0, "black", 1, (9, 4))
    game.roll(Roll("black", 1))
    game.place(0, "black", 1, (7, 4))
    assert line(game, 0, "energy") == "energy xxooo"


def test_illegal_turns_are_named():
    game = Game(BRIKKS, (1, 1))
    with pytest.raises(NotTheTimeError, match="time for setup, not for roll"):
        game.roll(Roll("red", 1))
    with pytest.raises(NoSuchPlaceError):
        game.start(0, "red", 9)
    game.start(0, "red", 0)
    with pytest.raises(AlreadyPlayedError):
        game.start(0, "blue", 4)
    with pytest.raises(StartBlockTakenError, match="red"):
        game.start(1, "red", 5)
    game.start(1, "blue", 5)
    game.roll(Roll("black", 1))
    with pytest.raises(NoSuchPlaceError, match="row 4, column 4"):
        game.place(0, "black", 1, (4, 4))
    with pytest.raises(MustPlaceError):
        game.drop_out(0)
    game.place(0, "black", 1, (9, 4))
    with pytest.raises(AlreadyPlayedError):
        game.use_bomb(0)
    with pytest.raises(NoRerollError):
        game.reroll(Roll("red", 1))
    with pytest.raises(KeyError):
        game.place(1, "purple", 1, (9, 0))


def test_the_active_player_rerolls_once_but_never_alone():
    game = begun()
    game.roll(Roll("red", 1))
    game.reroll(Roll("black", 4))
    with pytest.raises(NoRerollError):
        game.reroll(Roll("red", 2))
    alone = begun((2,))
    alone.roll(Roll("red", 1))
    with pytest.raises(NoRerollError, match="never"):
        alone.reroll(Roll("black", 4))


def test_who_cannot_place_drops_out_and_the_game_ends():
    game = begun((2,))
    for _ in range(3):
        game.roll(Roll("red", 1))
        game.use_bomb(0)
    game.roll(Roll("black", 3))
    with pytest.raises(NoBombLeftError):
        game.use_bomb(0)
    while game.phase is Phase.TURNS:
        turns = [turn for turn in game.legal_turns(0) if turn.option.cost == 0]
        if turns:
            game.place(0, "black", 3, turns[0].corner)
            game.roll(Roll("black", 3))
        elif game.legal_turns(0):
            paid = game.legal_turns(0)[0]
            game.place(0, paid.option.kind.color, paid.option.kind.columns[0], paid.corner)
            game.roll(Roll("black", 3))
        else:
            game.drop_out(0)
    assert game.is_over
    assert game.legal_turns(0) == ()


def test_those_who_are_out_take_no_more_turns():
    rng = random.Random(5)
    for _ in range(30):
        game = begun((1, 1))
        while not game.is_over:
            game.roll(Roll(rng.choice(list(BRIKKS.blocks)), rng.randint(1, 4)))
            for player, side in enumerate(game.players):
                if side.is_out:
                    with pytest.raises(PlayerIsOutError):
                        game.use_bomb(player)
                    return
            for player in (0, 1):
                turns = game.legal_turns(player)
                if turns:
                    kind = turns[0].option.kind
                    game.place(player, kind.color, kind.columns[0], turns[0].corner)
                else:
                    game.drop_out(player)
    raise AssertionError("no player outlasted the other")


def test_four_rows_at_once_give_four_mini_blocks_that_touch_at_corners_only():
    game = Game(BRIKKS, (2, 2), "duel")
    game.start(0, "black", 0)
    game.start(1, "green", 0)
    corners = [(9, 2), (9, 4), (9, 6), (7, 0), (7, 2), (7, 4), (7, 6)]
    for corner in corners:
        game.roll(Roll("black", 1))
        game.place(0, "black", 1, corner)
        game.place(1, "black", 1, free_turn(game, 1).corner)
    for corner in [(7, 8), (7, 9)]:
        game.roll(Roll("black", 3))
        game.place(0, "black", 3, corner)
        game.place(1, "black", 3, free_turn(game, 1).corner)
    assert line(game, 0, "extra") == "extra ."
    assert game.phase is Phase.MINI_BLOCKS
    assert game.players[0].minis_owed == 4
    places = game.mini_places(0)
    first, beside = next(
        (one, other) for one in places for other in places if other == (one[0], one[1] + 1)
    )
    game.drop_mini(0, first)
    with pytest.raises(MiniBlocksTouchError):
        game.drop_mini(0, beside)
    with pytest.raises(NoSuchPlaceError, match="mini-block"):
        game.drop_mini(0, (0, 0))
    for _ in range(3):
        game.drop_mini(0, game.mini_places(0)[0])
    while game.players[1].minis_owed:  # for a pink X
        game.drop_mini(1, game.mini_places(1)[0])
    assert game.phase is Phase.ROLL
    with pytest.raises(NotTheTimeError):
        game.drop_mini(0, first)


@pytest.mark.parametrize(
    ("levels", "variant"), [((), None), ((1,) * 5, None), ((5, 1), None), ((1, 1, 1), "duel")]
)
def test_games_that_do_not_exist(levels, variant):
    with pytest.raises(ImpossibleGameError):
        Game(BRIKKS, levels, variant)


def test_whole_games_please_the_referee():
    rng = random.Random(31)
    for trial in range(12):
        count = 1 + trial % 4
        variant = "duel" if trial % 8 == 1 else "standard"
        levels = tuple(rng.randint(1, 4) for _ in range(count))
        table = play_table(BRIKKS, rng, levels, variant)
        assert len(table.sheets) == count
        for sheet in table.sheets:
            known = {"players": count, "level": sheet.level, "variant": sheet.variant}
            assert referee(sheet.state, **known).is_legal
            assert referee(sheet.state).is_legal
