"""Simulated games: legal, varied, repeatable."""

import random
import statistics
from dataclasses import replace

import pytest

from brikks_vision.rules.brikks import blocks
from brikks_vision.rules.brikks.blocks import Energy, SheetState, available, blank_sheet
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import Variant, load_sheet
from brikks_vision.rules.shapes import bottom_up, placed, shape_of
from simulation.brikks import engine
from simulation.brikks.games import PlayedSheet, drop_minis, play_sheet

BRIKKS = load_sheet()


def some_games(count: int, seed: int) -> list[PlayedSheet]:
    rng = random.Random(seed)
    sheets = []
    for _ in range(count):
        players = rng.randint(1, 4)
        variant = {1: "solo", 2: rng.choice(("standard", "duel"))}.get(players, "standard")
        sheets.append(play_sheet(BRIKKS, rng, players, rng.randint(1, 4), variant))
    return sheets


def test_every_block_fell_from_above():
    for sheet in some_games(60, seed=1):
        board = blocks.Board(BRIKKS.rows, BRIKKS.columns)
        for block in sheet.order:
            assert block in engine.landings(board, shape_of(block))
            assert len(block) == 1 or blocks.kinds_of(block, BRIKKS)
            board = board.with_cells(block)
        assert bottom_up(sheet.order) == sheet.state.blocks
        assert frozenset().union(*sheet.order) == sheet.state.crossed
        assert blocks.is_start_shape(sheet.order[0], BRIKKS)
        assert max(row for row, _ in sheet.order[0]) == BRIKKS.rows - 1


def test_sheets_are_of_all_kinds():
    sheets = some_games(300, seed=3)
    size = BRIKKS.rows * BRIKKS.columns
    fill = [len(sheet.state.crossed) / size for sheet in sheets]
    assert 0.6 < statistics.mean(fill) < 0.85
    assert min(fill) < 0.15
    assert max(fill) > 0.9
    assert max(score(sheet.state).total for sheet in sheets) > 90
    assert {sum(sheet.state.bombs) for sheet in sheets} == {0, 1, 2, 3}


def test_a_seed_gives_the_same_sheet_again():
    one, other = (play_sheet(BRIKKS, random.Random(7), 3, 2) for _ in range(2))
    assert one == other


# --- what the rules do to a sheet when a block is entered, and whole games of several players -----


def begun(players: int, color: str = "black") -> SheetState:
    """A sheet with the start block of a colour in the corner; its circles do not count."""
    blank = replace(blank_sheet(BRIKKS), energy=engine.setup_energy(BRIKKS, players))
    shape = engine.block_at(BRIKKS, color, 1)
    corner = BRIKKS.rows - 1 - max(row for row, _ in shape), 0
    return engine.enter_block(blank, placed(shape, corner), None, 2).state


def entered(state: SheetState, color: str, column: int, corner: tuple[int, int], level: int = 2,
            variant: Variant = Variant.STANDARD) -> SheetState:  # fmt: skip
    cells = placed(engine.block_at(BRIKKS, color, column), corner)
    return engine.enter_block(state, cells, color, level, variant).state


def bottom(state: SheetState, rows: int = 3) -> list[str]:
    blocks = zip("ABCDEFGH", bottom_up(state.blocks), strict=False)
    letters = {cell: letter for letter, block in blocks for cell in block}
    return [
        "".join(letters.get((row, column), ".") for column in range(BRIKKS.columns))
        for row in range(BRIKKS.rows - rows, BRIKKS.rows)
    ]


def line(state: SheetState, name: str) -> str:
    marks = {"energy": state.energy, "extra": state.bonus, "bombs": state.bombs}[name]
    signs = {Energy.OPEN: ".", Energy.CIRCLED: "o", Energy.USED: "x", Energy.OFF: "-"}
    text = "".join(signs[mark] if name == "energy" else ".x"[mark] for mark in marks)
    return f"{name} {text.rstrip('.') or '.'}"


@pytest.mark.parametrize(
    ("players", "energy"), [(1, "ooooo"), (2, "--oo"), (3, "-ooo"), (4, "oooo")]
)
def test_the_bar_at_setup(players, energy):
    assert line(begun(players), "energy") == f"energy {energy}"


def test_blocks_lie_where_they_are_entered_and_bombs_go_from_the_top():
    state = engine.with_next_bomb(entered(begun(2), "black", 4, (10, 2)))
    assert bottom(state) == ["..........", "AA........", "AABBBB...."]
    assert bottom(begun(2, "red")) == [".A........", "AA........", "A........."]
    assert line(state, "bombs") == "bombs x"
    with pytest.raises(ValueError, match="not in tuple"):
        engine.with_next_bomb(engine.with_next_bomb(engine.with_next_bomb(state)))


def test_energy_is_crossed_out_from_the_left_as_far_as_it_goes():
    paid = engine.cross_out(begun(1), 2)
    assert line(paid, "energy") == "energy xxooo"
    assert available(engine.cross_out(paid, 9)) == 0


def test_a_block_covers_circles_and_earns_a_pink_x():
    state = entered(begun(1), "black", 4, (10, 3))
    state = entered(state, "white", 1, (8, 3))  # over the white circle in row 8
    assert line(state, "energy") == "energy ooooooo"
    assert line(state, "extra") == "extra x"
    assert bottom(state) == ["....C.....", "AA.CCC....", "AA.BBBB..."]


def test_at_level_4_other_circles_cost_two_points():
    state = entered(begun(1), "black", 1, (9, 4), level=4)
    assert line(entered(state, "black", 1, (7, 4), level=4), "energy") == "energy xxooo"


def test_four_rows_at_once_give_four_mini_blocks_that_touch_at_corners_only():
    state = begun(2)
    for corner in ((9, 2), (9, 4), (9, 6), (7, 0), (7, 2), (7, 4), (7, 6)):
        state = entered(state, "black", 1, corner, variant=Variant.DUEL)
    upright = engine.block_at(BRIKKS, "black", 3)
    state = entered(state, "black", 3, (7, 8), variant=Variant.DUEL)
    last = engine.enter_block(state, placed(upright, (7, 9)), "black", 2, Variant.DUEL)
    assert (len(last.rows), last.crosses) == (4, 4)
    assert line(last.state, "extra") == "extra ."
    hit, minis = drop_minis(begun(2, "green"), last.crosses, 2, random.Random(1))
    assert len(minis) == 4 and frozenset().union(*minis) <= hit.crossed
    cells = [cell for mini in minis for cell in mini]
    assert all(abs(row - r) + abs(column - c) != 1 for row, column in cells for r, c in cells)
