"""Several sheets of one game: ranking, ties, start blocks, rolls; and the duel."""

import random
from dataclasses import replace

import pytest

from brikks_vision.rules.brikks.counts import mini_blocks, rounds_survived
from brikks_vision.rules.brikks.referee import referee
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.table import judge_table
from brikks_vision.rules.shapes import NoSuchTableError
from simulation.brikks.games import play_table
from simulation.brikks.notation import read_sheet

BRIKKS = load_sheet()

SQUARE_START = """
    AA........
    AABBBB....
    energy {}
    bombs {}
"""
RED_START = """
    .A........
    AA........
    ABBBB.....
    energy {}
    bombs {}
"""
TWO_LINES = """
    .A........
    AACCCC....
    ABBBB.....
    energy {}
    bombs {}
"""


def sheet(picture: str, energy: str = "xxoo", bombs: str = "."):
    return read_sheet(picture.format(energy, bombs), BRIKKS)


def table(*sheets, variant=None):
    return judge_table(sheets, BRIKKS, variant)


def codes(verdict) -> list[tuple[str, tuple]]:
    return [(str(violation.rule), violation.where) for violation in verdict.violations]


def places(verdict) -> list[int | None]:
    return [result.place for result in verdict.results]


def test_the_higher_total_wins():
    verdict = table(sheet(SQUARE_START), sheet(RED_START, bombs="x"))
    assert codes(verdict) == []
    assert [result.score.total for result in verdict.results] == [8, 7]
    assert places(verdict) == [1, 2]


def test_those_who_tie_share_a_place():
    verdict = table(
        sheet(SQUARE_START, "xooo"),
        sheet(RED_START, "xooo"),
        sheet(RED_START.replace("A", "K"), "xooo", "x"),
    )
    assert places(verdict) == [1, 1, 3]


def test_two_players_with_one_start_block():
    verdict = table(sheet(RED_START), sheet(RED_START))
    assert codes(verdict) == [("same-start", (0, 1))]
    assert "red" in verdict.violations[0].message
    assert codes(table(sheet(RED_START), sheet(SQUARE_START))) == []


def test_which_block_was_the_start_can_stay_open():
    either = """
        .A........
        AABB......
        A.BB......
        energy xxoo
    """
    also_black = "AABB......\nAABB......\nenergy xxoo"
    # The first sheet began with red or black, the second with black: so the first with red.
    assert codes(table(read_sheet(either, BRIKKS), read_sheet(also_black, BRIKKS))) == []
    assert codes(
        table(
            read_sheet(either.replace("xxoo", "xooo"), BRIKKS),
            read_sheet(also_black.replace("xxoo", "xooo"), BRIKKS),
            read_sheet(also_black.replace("xxoo", "xooo"), BRIKKS),
        )
    )[0] == ("same-start", (1, 2))


def test_a_bomb_fits_to_any_roll():
    alone = "AA........\nAA........\nenergy xxoo\nbombs x"
    assert codes(table(read_sheet(alone, BRIKKS), sheet(RED_START))) == []


def test_rounds_beyond_the_other_players_last_prove_nothing():
    assert codes(table(sheet(SQUARE_START), sheet(TWO_LINES))) == []


OTHER_COLOUR = """
    AAC.......
    AACCC.....
    energy {}
"""


def test_a_block_of_another_colour_is_a_swap_that_someone_paid():
    unpaid = table(sheet(OTHER_COLOUR), sheet(RED_START))
    assert codes(unpaid) == [("rolls-differ", (0, 1))]
    assert "at least 5 energy points" in unpaid.violations[0].message
    assert codes(table(sheet(OTHER_COLOUR, "xxxxxxx"), sheet(RED_START))) == []
    # Three points of one and two of the other are no swap.
    assert codes(table(sheet(OTHER_COLOUR, "xxxxx"), sheet(RED_START, "xxxx"))) == [
        ("rolls-differ", (0, 1))
    ]


def test_a_turned_block_costs_a_point_a_column_which_both_may_have_shared():
    upright = """
        ..C.......
        ..C.......
        AAC.......
        AAC.......
        energy {}
    """
    assert codes(table(sheet(upright), sheet(RED_START))) == [("rolls-differ", (0, 1))]
    assert codes(table(sheet(upright, "xxxo"), sheet(RED_START))) == []


def test_without_outlines_the_rolls_stay_open():
    bare = replace(sheet(OTHER_COLOUR), blocks=())
    assert codes(table(bare, sheet(RED_START))) == []


@pytest.mark.parametrize("count", [0, 1, 5])
def test_so_many_sheets_are_no_table(count):
    with pytest.raises(NoSuchTableError, match="each once"):
        table(*[sheet(RED_START)] * count)


def test_whole_games_belong_together():
    rng = random.Random(12)
    for trial in range(16):
        count = 2 + trial % 3
        variant = "duel" if trial % 6 == 0 else "standard"
        game = play_table(BRIKKS, rng, tuple(rng.randint(1, 4) for _ in range(count)), variant)
        states = [player.state for player in game.sheets]
        verdict = table(*states, variant=variant)
        assert verdict.violations == ()
        assert table(*states).violations == ()
        for player in game.sheets:
            known = {"players": count, "level": player.level, "variant": player.variant}
            assert referee(player.state, **known).is_legal
        longest = max(rounds_survived(state) for state in states)
        assert longest in (len(game.rolls), len(game.rolls) - 1)


def test_sheets_of_two_games_are_often_told_apart():
    rng = random.Random(13)
    told = 0
    for _ in range(12):
        one, other = (play_table(BRIKKS, rng, (1, 3)).sheets for _ in range(2))
        found = table(one[0].state, other[1].state, variant="standard").violations
        told += any(violation.rule == "rolls-differ" for violation in found)
    assert told >= 1


def test_a_duel_is_won_by_who_stays_longer():
    verdict = table(sheet(SQUARE_START), sheet(TWO_LINES), variant="duel")
    assert [result.rounds for result in verdict.results] == [1, 2]
    assert places(verdict) == [2, 1]


def test_a_duel_that_ends_in_one_round_goes_by_the_rows():
    more = "AA........\nAAEEEEFFFF\nenergy xxoo"
    fewer = "AAEEEE....\nAAFFFF....\nenergy xxoo"
    verdict = table(read_sheet(more, BRIKKS), read_sheet(fewer, BRIKKS), variant="duel")
    assert [result.rounds for result in verdict.results] == [2, 2]
    assert [result.score.lines for result in verdict.results] == [5, 0]
    assert places(verdict) == [1, 2]
    assert places(table(read_sheet(more, BRIKKS), read_sheet(more, BRIKKS), variant="duel")) == [
        1,
        1,
    ]


def test_a_duel_without_outlines_has_no_winner():
    bare = replace(sheet(RED_START), blocks=())
    assert places(table(bare, sheet(SQUARE_START), variant="duel")) == [None, None]


def test_more_mini_blocks_than_the_opponent_earned():
    hit = sheet("AAm.......\nAABBBB....\nenergy {}")
    assert len(mini_blocks(hit)) == 1
    assert codes(table(hit, sheet(RED_START))) == [("bonus-count", (0, 1))]
    # Seven activated points are one pink X and one mini-block.
    assert codes(table(hit, sheet(RED_START, "xxooooo"))) == []
