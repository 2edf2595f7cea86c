"""How long the search for orders of drops takes: ``python -m benchmarks.orders``.

Simulated sheets, then hard ones: grids packed with up to 27 blocks without regard to falling, and
sheets on which blocks slide under others wherever they can.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import kinds
from brikks_vision.rules.brikks.board import Board
from brikks_vision.rules.brikks.order import legal_orders
from brikks_vision.rules.brikks.sheet import Sheet, load_sheet
from brikks_vision.rules.brikks.state import Block
from brikks_vision.rules.shapes import placed
from simulation.brikks.engine import landings
from simulation.brikks.games import play_sheet


def simulated(sheet: Sheet, rng: random.Random) -> tuple[Block, ...]:
    """The blocks of a played game."""
    return play_sheet(sheet, rng, rng.randint(2, 4), rng.randint(1, 4)).state.blocks


def packed(sheet: Sheet, rng: random.Random) -> tuple[Block, ...]:
    """A grid filled from the floor with blocks that share no cell."""
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


def measure(
    name: str,
    make: Callable[[Sheet, random.Random], tuple[Block, ...]],
    starts: Sequence[None] | None,
    count: int,
) -> None:
    """Print the times for so many sheets of one make."""
    sheet, rng = load_sheet(), random.Random(1)
    times, most, legal = [], 0, 0
    for _ in range(count):
        blocks = make(sheet, rng)
        begun = time.perf_counter()
        orders = legal_orders(blocks, sheet, starts=starts)
        times.append(1000 * (time.perf_counter() - begun))
        most = max(most, len(blocks))
        legal += orders.exist
    slow = statistics.quantiles(times, n=100)[-1]
    print(
        f"{name:24} {count:5} sheets, up to {most} blocks, {legal:5} legal: median "
        f"{statistics.median(times):5.2f} ms, 99 % {slow:5.2f} ms, worst {max(times):5.2f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=1000, help="sheets of each make")
    count = parser.parse_args().sheets
    measure("simulated", simulated, None, count)
    measure("packed", packed, None, count)
    measure("packed, any start", packed, [None], count)
    measure("overhung, any start", overhung, [None], count)


if __name__ == "__main__":
    main()
