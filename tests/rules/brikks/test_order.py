"""Orders of legal drops, against drawings and against trying every order."""

import random
import time
from dataclasses import replace

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import Block, Board, crosses_for_rows, kinds, reaches, rests
from brikks_vision.rules.brikks.order import can_start, legal_orders
from brikks_vision.rules.brikks.sheet import Sheet, load_sheet
from brikks_vision.rules.shapes import placed
from simulation.brikks.engine import landings
from simulation.brikks.games import play_sheet
from simulation.brikks.notation import read_sheet

BRIKKS = load_sheet()


def orders(picture: str):
    return legal_orders(read_sheet(picture, BRIKKS).blocks, BRIKKS)


def is_legal(order, definition: Sheet) -> bool:
    board = Board(definition.rows, definition.columns)
    for block in order:
        if not (reaches(board, block) and rests(board, block)):
            return False
        board = board.with_cells(block)
    return can_start(order[0], definition)


def every_order(blocks, definition: Sheet) -> dict:
    """Crosses by start block, by trying every order of drops without any shortcut."""
    found: dict = {}
    seen = set()

    def drop(board, left, start, crosses):
        if (left, start, crosses) in seen:
            return
        seen.add((left, start, crosses))
        if not left:
            found.setdefault(start, set()).add(crosses)
        for block in left:
            if start is None and not can_start(block, definition):
                continue
            if reaches(board, block) and rests(board, block):
                after = board.with_cells(block)
                rows = len(after.full_rows()) - len(board.full_rows())
                drop(after, left - {block}, start or block, crosses + crosses_for_rows(rows))

    drop(Board(definition.rows, definition.columns), frozenset(blocks), None, 0)
    return {start: frozenset(crosses) for start, crosses in found.items()}


def narrow(rows: int, columns: int) -> Sheet:
    return replace(BRIKKS, rows=rows, columns=columns)


def dropped_blocks(definition, rng, count) -> list:
    board = Board(definition.rows, definition.columns)
    blocks = []
    for _ in range(count):
        places = landings(board, rng.choice(kinds(definition)).shape)
        if places:
            blocks.append(rng.choice(places))
            board = board.with_cells(blocks[-1])
    return blocks


def stacked_blocks(definition, rng, count) -> list:
    """Blocks that mostly go where they lie lowest, so that rows get full."""
    board = Board(definition.rows, definition.columns)
    blocks = []
    for _ in range(count):
        places = [
            cells
            for kind in rng.sample(kinds(definition), 6)
            for cells in landings(board, kind.shape)
        ]
        if places:
            blocks.append(max(places, key=lambda cells: sum(r for r, _ in cells) + rng.random()))
            board = board.with_cells(blocks[-1])
    return blocks


def packed_blocks(definition, rng, count) -> list:
    """Blocks anywhere that share no cell, whether or not they can get there."""
    blocks, taken = [], set()
    for _ in range(60):
        corner = rng.choice(definition.cells)
        cells = placed(rng.choice(kinds(definition)).shape, corner)
        inside = cells <= set(definition.cells)
        if inside and not cells & taken and len(blocks) < count:
            blocks.append(cells)
            taken |= cells
    return blocks


def test_the_search_finds_what_trying_every_order_finds():
    rng = random.Random(8)
    legal = several = 0
    for trial in range(600):
        definition = narrow(rng.randint(5, 8), rng.randint(4, 5))
        make = (dropped_blocks, packed_blocks, stacked_blocks)[trial % 3]
        blocks = make(definition, rng, rng.randint(2, 9))
        result = legal_orders(blocks, definition)
        assert result.crosses == every_order(blocks, definition)
        if result.exist:
            legal += 1
            several += len(result.possible_crosses) > 1
            assert sorted(map(sorted, result.example)) == sorted(map(sorted, blocks))
            assert is_legal(result.example, definition)
    assert legal > 100
    assert several > 10


def test_a_block_that_cannot_get_under_the_start_block():
    # A is the only possible start, and between it and the wall B has no way down.
    assert not orders("""
        .......A..
        ......AA.B
        ......ABBB
    """).exist
    # One column further from the wall it has.
    assert orders("""
        ......A...
        .....AA.B.
        .....ABBB.
    """).exist


def test_a_line_slides_under_the_start_block():
    result = orders("""
        .A........
        AA........
        ABBBB.....
    """)
    assert [len({row for row, _ in block}) for block in result.example] == [3, 1]


def test_what_holds_another_up_comes_first():
    result = orders("""
        AAAA......
        B.........
        BB........
        .B........
    """)
    assert [min(block) for block in result.example] == [(8, 0), (7, 0)]


def test_a_line_is_no_start_block():
    assert not orders("AAAA......").exist
    assert legal_orders(read_sheet("AAAA......", BRIKKS).blocks, BRIKKS, starts=[None]).exist


def test_squares_finish_both_rows_whatever_comes_last():
    assert orders("""
        AABBCCDDEE
        AABBCCDDEE
    """).possible_crosses == {1}


def test_a_line_that_comes_last_finishes_its_row_alone():
    assert orders("""
        AAAABBCCDD
        EEEEBBCCDD
    """).possible_crosses == {0, 1}


def test_four_rows_at_once_or_two_and_two():
    assert orders("""
        AABBCCDDEF
        AABBCCDDEF
        GGHHIIJJEF
        GGHHIIJJEF
    """).possible_crosses == {2, 4}


def test_three_rows_at_once_or_two_or_none():
    assert orders("""
        ......DD..
        AABBCCD..F
        AABBCCDMEF
        GGGGKMMMEF
        IIIIKKKEEF
    """).possible_crosses == {0, 1, 2}


def test_crossed_cells_of_no_block_hold_others_up():
    picture = """
        AAAA......
        .x........
        BB........
        BB........
    """
    state = read_sheet(picture, BRIKKS)
    assert not legal_orders(state.blocks, BRIKKS).exist
    assert legal_orders(state.blocks, BRIKKS, props=[(8, 1)]).exist


def test_a_simulated_sheet_takes_a_moment():
    rng = random.Random(6)
    slowest = 0.0
    for _ in range(60):
        sheet = play_sheet(BRIKKS, rng, 4, rng.randint(1, 4))
        begun = time.thread_time()
        result = legal_orders(sheet.state.blocks, BRIKKS)
        slowest = max(slowest, time.thread_time() - begun)
        assert sheet.order[0] in result.crosses
        assert is_legal(result.example, BRIKKS)
        board, crosses = Board(BRIKKS.rows, BRIKKS.columns), 0
        for block in sheet.order:
            after = board.with_cells(block)
            crosses += crosses_for_rows(len(after.full_rows()) - len(board.full_rows()))
            board = after
        assert crosses in result.crosses[sheet.order[0]]
    assert slowest < 0.5


def packed(sheet: Sheet, rng: random.Random) -> tuple[Block, ...]:
    """A grid filled from the floor with blocks that do not overlap."""
    cells = sorted(sheet.cells, reverse=True)
    inside, taken = set(cells), set[Cell]()
    blocks: list[Block] = []
    gaps = rng.choice((0.0, 0.1, 0.3))
    for row, column in cells:
        if (row, column) in taken or rng.random() < gaps:
            continue
        fitting = [
            block
            for kind in kinds(sheet)
            for r, c in kind.shape
            if (block := placed(kind.shape, (row - r, column - c))) <= inside and not block & taken
        ]
        if fitting:
            blocks.append(rng.choice(fitting))
            taken |= blocks[-1]
    return tuple(blocks)


def overhung(sheet: Sheet, rng: random.Random) -> tuple[Block, ...]:
    """Drops that go under what is there wherever they can."""
    board = Board(sheet.rows, sheet.columns)
    blocks: list[Block] = []
    while True:
        places = [
            block for kind in rng.sample(kinds(sheet), 4) for block in landings(board, kind.shape)
        ]
        if not places:
            return tuple(blocks)
        blocks.append(max(places, key=lambda block: _cover(board, block) + rng.random()))
        board = board.with_cells(blocks[-1])


def _cover(board: Board, block: Block) -> int:
    """Cells of the block that lie under others."""
    return sum(any(board.holds((above, column)) for above in range(row)) for row, column in block)


def test_hard_sheets_take_no_longer():
    rng = random.Random(9)
    for make in (packed, overhung):
        for _ in range(25):
            blocks = make(BRIKKS, rng)
            begun = time.thread_time()
            result = legal_orders(blocks, BRIKKS, starts=[None])
            assert time.thread_time() - begun < 0.5
            assert result.exist or make is packed
