"""Simulated games: legal, varied, repeatable."""

import random
import statistics

from brikks_vision.rules.brikks import blocks
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.shapes import bottom_up, shape_of
from simulation.brikks.engine import landings
from simulation.brikks.games import PlayedSheet, play_sheet

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
            assert block in landings(board, shape_of(block))
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
