"""Scores and ranks, by the publisher's figures."""

import random
from dataclasses import replace

import pytest

from brikks_vision.rules.brikks.blocks import Energy, SheetState, as_photographed, blank_sheet
from brikks_vision.rules.brikks.order import last_blocks
from brikks_vision.rules.brikks.scoring import lost, rank, score
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.games import play_sheet
from simulation.brikks.notation import read_sheet

BRIKKS = load_sheet()

WORKED_EXAMPLE = """
.X......X.
XX.XXXXXXX
X.XXXXX..X
XXXXXXXXXX
XX.XXXXXXX
XXX.XXXXXX
XXXXXXXXXX
XXXXXXXXXX
XXXXXXXXXX
XXXXXXXXXX
XXXXXXXXXX
"""
"""The publisher's own example of a finished game."""


def drawn(picture: str, used: int, circled: int, crosses: int, bombs: int) -> SheetState:
    rows = picture.split()
    blank = blank_sheet(BRIKKS)
    return SheetState(
        crossed=frozenset(
            (r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "X"
        ),
        blocks=(),
        energy=(Energy.USED,) * used
        + (Energy.CIRCLED,) * circled
        + (Energy.OPEN,) * (len(blank.energy) - used - circled),
        bonus=(True,) * crosses + (False,) * (len(blank.bonus) - crosses),
        bombs=(True,) * bombs + (False,) * (len(blank.bombs) - bombs),
        sheet=BRIKKS,
    )


def test_the_publishers_worked_example():
    result = score(drawn(WORKED_EXAMPLE, used=24, circled=2, crosses=6, bombs=2))
    assert result.rows == (0, 4, 0, 10, 4, 4, 5, 5, 5, 5, 5)
    assert (result.lines, result.bonus, result.bombs, result.energy) == (47, 21, 4, 1)
    assert result.total == 73


def test_a_blank_sheet_is_worth_its_bombs_and_its_energy():
    result = score(blank_sheet(BRIKKS))
    assert (result.lines, result.bonus, result.bombs, result.energy) == (0, 0, 7, 2)


def test_a_full_sheet_counts_every_row_with_its_factor():
    full = "\n".join(["X" * BRIKKS.columns] * BRIKKS.rows)
    result = score(drawn(full, used=0, circled=28, crosses=14, bombs=0))
    assert result.lines == 5 * 1 * 5 + 5 * 2 * 5 + 4 * 5
    assert (result.bonus, result.energy) == (75, 14)


@pytest.mark.parametrize(
    ("total", "level", "language", "text"),
    [
        (151, 1, "en", "Brikks-Master 2000!!!"),
        (150, 1, "de", "Du Angeber!"),
        (130, 1, "en", "You Bragger!"),
        (129, 1, "fr", "Tu devrais en faire ton métier."),
        (125, 2, "en", "You Bragger!"),
        (73, 1, "de", "Läuft!"),
        (60, 1, "es", "¡Puedes hacer más!"),
        (59, 1, "en", "Your first time?"),
        (45, 4, "en", "You can do more!"),
        (0, 1, "fr", "Ta première fois\u202f?"),
    ],
)
def test_ranks(total, level, language, text):
    assert rank(total, level).text(language) == text


def test_a_photo_cannot_tell_a_struck_point_from_a_used_one():
    struck = drawn(WORKED_EXAMPLE, 0, 4, 0, 0)
    struck = replace(struck, energy=(Energy.OFF, *struck.energy[1:]))
    assert as_photographed(struck).energy[0] is Energy.USED


# --- where the points of a finished sheet went ----------------------------------------------------


LAST_ON_TOP = """
    ....EEEE..
    AADDDDC...
    AABBBBCCC.
    energy {}
"""
"""A bar lies on all other blocks. Turned, it would have filled the right column."""


def told(state: SheetState) -> list[tuple[str, str, int, bool]]:
    return [(each.cause, each.where, each.points, each.last_turn) for each in lost(state)]


def with_all_in_reach(state: SheetState) -> SheetState:
    """Rows of eight and nine crosses whole, one more extra cross, even energy, no bomb used."""
    sheet = state.sheet
    counts = [sum((row, at) in state.crossed for at in range(10)) for row in range(sheet.rows)]
    rows = [row for row, count in enumerate(counts) if count in (8, 9)]
    energy = list(state.energy)
    if energy.count(Energy.CIRCLED) % 2:
        energy[next(at for at, each in enumerate(energy) if each != Energy.CIRCLED)] = (
            Energy.CIRCLED
        )
    crosses = min(14, 1 + sum(state.bonus))
    return replace(
        state,
        crossed=state.crossed | {(row, column) for row in rows for column in range(10)},
        energy=tuple(energy),
        bonus=tuple(at < crosses for at in range(15)),
        bombs=(False,) * 3,
    )


def test_what_was_lost_by_cause_and_most_points_first():
    state = read_sheet(
        """
        xxxxxxxx..
        xxxxxxxxxx
        xxxx.xxxxx
        xxxxxxx...
        energy xxooo
        extra xxx
        bombs xx
        """,
        BRIKKS,
    )
    assert [(each.cause, each.where, each.points, each.message) for each in lost(state)] == [
        ("row", "row 7", 4, "Row 4 from the bottom lacks 2 crosses, in columns 9 and 10."),
        ("bonus", "box 3", 4, "One more extra cross would have given 10 points instead of 6."),
        ("row", "row 9", 3, "Row 2 from the bottom lacks one cross, in column 5."),
        ("bombs", "bomb 1", 2, "Bomb 2 was used."),
        ("energy", "energy", 1,
         "3 energy points were left: two make a point, so one did not count."),
        ("bombs", "bomb 0", 1, "Bomb 1 was used."),
    ]  # fmt: skip


def test_rows_higher_up_cost_their_factor():
    full = "\n".join(["x" * 9 + "."] * BRIKKS.rows)
    points = [each.points for each in lost(read_sheet(full, BRIKKS)) if each.cause == "row"]
    assert points == [12] + [6] * 5 + [3] * 5


def test_a_full_bar_and_a_full_sheet_lose_nothing():
    full = "\n".join(["x" * 10] * BRIKKS.rows) + "\nenergy oo\nextra " + "x" * 14
    assert lost(read_sheet(full, BRIKKS)) == ()


def test_a_blank_sheet_lacks_its_first_extra_cross_alone():
    assert told(blank_sheet(BRIKKS)) == [("bonus", "box 0", 1, False)]


@pytest.mark.parametrize("seed", range(4))
def test_it_adds_up_to_what_was_within_reach(seed):
    dice = random.Random(seed)
    for players, level in [(1, 1), (2, 2), (3, 3), (4, 4)] * 3:
        variant = "solo" if players == 1 else "standard"
        state = play_sheet(BRIKKS, dice, players, level, variant).state
        reach = score(with_all_in_reach(state)).total
        assert sum(each.points for each in lost(state)) == reach - score(state).total


def test_a_row_that_the_last_block_could_have_filled():
    in_time = {e: told(read_sheet(LAST_ON_TOP.format(e), BRIKKS))[0] for e in ("oooo", "xxxo")}
    assert in_time["oooo"] == ("row", "row 10", 3, True)
    assert in_time["xxxo"] == ("row", "row 10", 3, False)  # a turn costs a point that may be new


def test_no_turn_is_told_where_outlines_are_missing():
    state = replace(read_sheet(LAST_ON_TOP.format("oooo"), BRIKKS), blocks=())
    assert not any(each.last_turn for each in lost(state))


def test_last_blocks_of_a_game_hold_the_one_that_came_last():
    dice = random.Random(5)
    for _ in range(20):
        game = play_sheet(BRIKKS, dice, 3, 2)
        if len(game.order) > 1:
            assert game.order[-1] in last_blocks(game.state.blocks, BRIKKS)


def test_the_only_block_on_top_came_last():
    state = read_sheet(LAST_ON_TOP.format("oooo"), BRIKKS)
    assert last_blocks(state.blocks, BRIKKS) == (frozenset((8, column) for column in range(4, 8)),)


def test_cells_of_no_known_shape_on_top_could_not_have_stood_elsewhere():
    whole = read_sheet(LAST_ON_TOP.format("oooo"), BRIKKS)
    state = replace(
        whole,
        crossed=whole.crossed - {(8, 4)},
        blocks=tuple(block - {(8, 4)} for block in whole.blocks),
    )
    assert not any(last for _, _, _, last in told(state))
