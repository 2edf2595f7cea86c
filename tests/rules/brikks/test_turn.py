"""One sheet before and after a turn, as drawings."""

import random
from dataclasses import replace

import pytest

from brikks_vision.rules.brikks.blocks import blank_sheet, board_of
from brikks_vision.rules.brikks.scoring import Roll, legal_turns
from brikks_vision.rules.brikks.sheet import Variant, load_sheet
from brikks_vision.rules.brikks.turn import judge_out, judge_turn
from simulation.brikks.engine import block_at, cross_out, enter_block, landings, setup_energy
from simulation.brikks.games import drop_minis
from simulation.brikks.notation import read_sheet

BRIKKS = load_sheet()

BEFORE = """
    AA........
    AABBBB....
    energy xxoo
"""


def turn(before: str, after: str, **known):
    return judge_turn(read_sheet(before, BRIKKS), read_sheet(after, BRIKKS), **known)


def messages(before: str, after: str, **known) -> list[str]:
    found = turn(before, after, **known).violations
    assert all(violation.rule == "illegal-move" for violation in found)
    return [violation.message for violation in found]


def test_a_block_that_fell():
    verdict = turn(
        BEFORE,
        """
        ..CC......
        AACC......
        AABBBB....
        energy xxoo
        """,
        roll=Roll("black", 2),
    )
    assert verdict.violations == ()
    assert verdict.added == frozenset({(8, 2), (8, 3), (9, 2), (9, 3)})
    assert (verdict.costs, verdict.circled, verdict.crossed_out, verdict.crosses) == ((0,), 0, 0, 0)
    assert verdict.way[0] == (-2, 2) and verdict.way[-1] == (8, 2)


def test_a_block_on_circles_earns_points_and_a_cross():
    white = """
        ....C.....
        AA.CCC....
        AABBBB....
        energy xxoooo
    """
    verdict = turn(BEFORE, white, roll=Roll("white", 1))  # it lies on the white circle
    assert (verdict.violations, verdict.circled, verdict.circles) == ((), 2, ((8, 4),))
    # A green block on the green circle brings the seventh point, which bears a pink X.
    green = """
        .......G..
        .......G..
        ....C..GG.
        AA.CCC..E.
        AABBBBEEE.
        energy xxoooooo
        extra x
    """
    base = """
        ....C.....
        AA.CCC..E.
        AABBBBEEE.
        energy xxoooo
    """
    verdict = turn(base, green, roll=Roll("green", 1))
    assert verdict.violations == ()
    assert (verdict.circled, verdict.crosses) == (2, 1)
    (message,) = messages(base, green.replace("extra x", "extra ."), roll=Roll("green", 1))
    assert "1 extra cross is missing: 0 came on the bar" in message
    assert "finished together earn 1 extra cross" in message
    (message,) = messages(base, green.replace("xxoooooo", "xxooooo"), roll=Roll("green", 1))
    assert "1 energy point too few is activated: 1, but" in message
    assert "give 2 energy points" in message


def test_a_block_that_hangs_in_the_air():
    (message,) = messages(
        BEFORE,
        """
        ....CC....
        ....CC....
        AA........
        AABBBB....
        energy xxoo
        """,
    )
    assert "black block" in message and "rests on nothing" in message


def test_a_block_without_a_way():
    before = """
        .......A..
        ......AA..
        ......A...
        energy xxoo
    """
    after = """
        .......A..
        ......AA.B
        ......ABBB
        energy xxoo
    """
    (message,) = messages(before, after)
    assert "green block" in message and "no way down" in message


def test_turns_and_swaps_are_paid():
    after = """
        ..CC......
        AACC......
        AABBBB....
        energy {}
    """
    assert messages(BEFORE, after.format("xxoo"), roll=Roll("black", 1)) == []
    assert messages(BEFORE, after.format("xxxo"), roll=Roll("black", 3)) == []
    (message,) = messages(BEFORE, after.format("xxoo"), roll=Roll("black", 3))
    assert "1 energy point too few is crossed out: 0, but" in message
    assert "costs 1 energy point" in message
    (message,) = messages(BEFORE, after.format("xxoo"), roll=Roll("red", 1))
    assert "costs 5 energy points for this roll, but only 2 were left" in message
    # Without the roll, any cost that a roll could ask for is possible.
    assert messages(BEFORE, after.format("xxoo")) == []
    assert messages(BEFORE, after.format("xxxx")) == []
    rich = BEFORE.replace("xxoo", "xxoooooooo")
    (message,) = messages(rich, after.format("xxxxxxoooo"))
    assert "The number of energy points crossed out is wrong: 4, but" in message
    assert "costs 0, 1, 2 or 5 energy points" in message


def test_other_circles_cost_points_at_levels_3_and_4():
    after = """
        ....CC....
        AA..CC....
        AABBBB....
        energy {}
    """
    roll = Roll("black", 1)
    for level, energy in ((1, "xxooo"), (2, "xxoo"), (3, "xxxo"), (4, "xxxx")):
        assert messages(BEFORE, after.format(energy), roll=roll, level=level) == []
        assert messages(BEFORE, after.format(energy), roll=roll) == []
    assert messages(BEFORE, after.format("xxoo"), roll=roll, level=3) != []
    assert messages(BEFORE, after.format("xxxo"), roll=roll, level=2) != []


def test_rows_finished_together_earn_crosses():
    before = """
        AABBCCDD..
        AABBCCDD..
        energy xxoo
    """
    after = """
        AABBCCDDEE
        AABBCCDDEE
        energy xxoo
        extra {}
    """
    assert messages(before, after.format("x")) == []
    assert turn(before, after.format("x")).rows == (9, 10)
    (message,) = messages(before, after.format("xx"))
    assert "There is 1 extra cross too many: 2 came on the bar" in message
    assert "0 pink X's and 2 rows finished together earn 1 extra cross" in message


def test_a_bomb_instead_of_a_block():
    assert messages(BEFORE, BEFORE + "bombs x") == []
    assert turn(BEFORE, BEFORE + "bombs x").bombs == 1
    assert "not the topmost" in messages(BEFORE, BEFORE + "bombs .x")[0]
    assert "2 bombs" in messages(BEFORE, BEFORE + "bombs xx")[0]
    paid = BEFORE.replace("xxoo", "xxxo") + "bombs x"
    assert "though no block was entered" in messages(BEFORE, paid)[0]
    both = "AA....CC..\nAABBBBCC..\nenergy xxoo\nbombs x"
    assert "in the same turn" in messages(BEFORE, both)[0]


def test_of_several_blocks_it_is_not_said_that_there_was_none():
    told = messages("energy xxoo", "AA..CC....\nAA..CC....\nenergy xxxooooo")
    assert any("2 blocks were added in one turn" in message for message in told)
    assert not any("no block" in message for message in told)


def test_many_blocks_in_one_turn_are_counted_and_not_all_named():
    sheet = "AA.CCEE.DD\nAA.CCEE.DD\nenergy xxoo\nbombs x"
    assert messages("energy xxoo", sheet) == ["4 blocks were added in one turn."]


def test_marks_do_not_vanish():
    assert "are gone" in messages(BEFORE, "AA........\nAA........\nenergy xxoo")[0]
    assert "energy point" in messages(BEFORE, BEFORE.replace("xxoo", "xooo"))[0]
    assert "bombs is gone" in messages(BEFORE + "bombs x", BEFORE)[0]


def test_what_was_added_is_no_block():
    assert "is no block" in messages(BEFORE, "AA....C...\nAABBBBCC..\nenergy xxoo")[0]
    assert "outside" in messages(BEFORE, "AA....x...\nAABBBB....\nenergy xxoo")[0]


def test_no_new_mark_is_no_turn():
    verdict = turn(BEFORE, BEFORE)
    assert (verdict.added, verdict.violations) == (None, ())


def test_the_start_block():
    assert messages("energy xxoo", "AA........\nAA........\nenergy xxoo") == []
    assert "start block" in messages("energy xxoo", "AAAA......\nenergy xxoo")[0]


def test_mini_blocks_of_one_round_touch_at_corners_only():
    after = """
        ..m.......
        AA.n......
        AABBBB....
        energy xxoo
    """
    assert "cannot have fallen" in messages(BEFORE, after)[0]
    assert messages(BEFORE, "AAm.n.....\nAABBBB....\nenergy xxoo\nbombs x") == []
    touching = "AAmn......\nAABBBB....\nenergy xxoo\nbombs x"
    assert "corners only" in messages(BEFORE, touching)[0]


def test_without_outlines_the_new_crosses_are_the_block():
    def bare(text):
        return "\n".join(
            "".join("x" if sign.isupper() else sign for sign in line) for line in text.split("\n")
        )

    after = "..CC......\nAACC......\nAABBBB....\nenergy xxoo"
    assert messages(bare(BEFORE), bare(after), roll=Roll("black", 1)) == []


def test_who_says_out_had_no_place_left():
    state = read_sheet(BEFORE, BRIKKS)
    (violation,) = judge_out(state, Roll("red", 1))
    assert "red block" in violation.message and "is a legal place" in violation.message
    (violation,) = judge_out(state)
    assert "every roll" in violation.message
    full = read_sheet("\n".join(["xxxxxxxxxx"] * 10) + "\nenergy xxxx", BRIKKS)
    assert judge_out(full, Roll("red", 1)) == ()
    assert judge_out(full) == ()
    (violation,) = judge_out(full, Roll("black", 4))
    assert len(violation.where) == 4
    rich = read_sheet("\n".join(["xxxxxxxxxx"] * 10) + "\nenergy ooooo", BRIKKS)
    assert "for 5 energy points" in judge_out(rich, Roll("red", 1))[0].message


@pytest.mark.parametrize("variant", ["standard", "duel"])
def test_every_turn_of_a_game_is_legal(variant):
    rng = random.Random(21)
    judged = 0
    for _ in range(4):
        levels = (rng.randint(1, 4), rng.randint(1, 4))
        blank = replace(blank_sheet(BRIKKS), energy=setup_energy(BRIKKS, 2))
        states = []
        for left, color, level in ((0, "black", levels[0]), (4, "green", levels[1])):
            cells = landings(board_of(blank), block_at(BRIKKS, color, 1))[left]
            states.append(enter_block(blank, cells, None, level).state)
        playing = {0, 1}
        while playing:
            roll = Roll(rng.choice(list(BRIKKS.blocks)), rng.randint(1, 4))
            sheets, earned = list(states), [0, 0]
            for player in sorted(playing):
                turns = legal_turns(states[player], roll)
                if turns:
                    chosen = max(turns, key=lambda t: sum(r for r, _ in t.cells) + rng.random())
                    paid, kind = cross_out(states[player], chosen.option.cost), chosen.option.kind
                    entered = enter_block(
                        paid, chosen.cells, kind.color, levels[player], Variant(variant)
                    )
                    states[player], earned[player] = entered.state, entered.crosses
                else:
                    assert judge_out(states[player], roll) == ()
                    playing.remove(player)
            for player in playing if variant == "duel" else ():
                states[player], _ = drop_minis(
                    states[player], earned[1 - player], levels[player], rng
                )
            for sheet, after, level in zip(sheets, states, levels, strict=True):
                verdict = judge_turn(sheet, after, roll, level, variant)
                assert verdict.violations == ()
                assert judge_turn(sheet, after, variant=variant).violations == ()
                judged += 1
    assert judged > 80
