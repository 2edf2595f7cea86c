"""What a sheet of Brikks is worth, where its points went, and what a turn does to it.

Within reach is what one step more of its kind would have given: a row that gives points already,
whole; one more cross on the extra-points bar; one more energy point, where an odd one is left over;
each bomb, unused. What was lost adds up to the score of the sheet with all of that, less its own.

What a turn does to a sheet: the marks that follow from a block, its place and the level.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks import blocks
from brikks_vision.rules.brikks.order import last_blocks
from brikks_vision.rules.brikks.placement import is_outlined
from brikks_vision.rules.brikks.sheet import Sheet, phrase
from brikks_vision.rules.shapes import Lost, most_first, placed
from brikks_vision.text.phrases import Phrase, all_of

BASIC_LEVEL = 2
"""The level of the publisher's basic game."""


@dataclass(frozen=True)
class Score:
    """Points by part. rows: one figure a row, top first, times the row's factor."""

    rows: tuple[int, ...]
    lines: int
    bonus: int
    bombs: int
    energy: int
    total: int


def row_points(state: blocks.SheetState) -> tuple[int, ...]:
    """The points of each row, top first."""
    return _row_points(state.crossed, state.sheet)


@lru_cache(maxsize=64)  # many states of a sheet differ in their bars alone
def _row_points(crossed: frozenset[Cell], sheet: Sheet) -> tuple[int, ...]:
    counts = [0] * sheet.rows
    for row, _ in crossed:
        counts[row] += 1
    return tuple(
        sheet.row_points.get(count, 0) * factor
        for count, factor in zip(counts, sheet.row_factors, strict=True)
    )


def bonus_points(state: blocks.SheetState) -> int:
    """The value of the box after the last cross, whether or not crosses leave a gap."""
    values = state.sheet.bonus_values
    return values[min(sum(state.bonus), len(values) - 1)]


def bomb_points(state: blocks.SheetState) -> int:
    """The figures on the bombs that are not crossed out."""
    return sum(
        points
        for points, used in zip(state.sheet.bomb_points, state.bombs, strict=True)
        if not used
    )


def score(state: blocks.SheetState) -> Score:
    """The points of a sheet, by part."""
    rows = row_points(state)
    lines = sum(rows)
    bonus = bonus_points(state)
    bombs = bomb_points(state)
    energy = state.energy.count(blocks.Energy.CIRCLED) // state.sheet.points_per_score
    return Score(rows, lines, bonus, bombs, energy, lines + bonus + bombs + energy)


@cache
def _rank_table() -> dict[str, Any]:
    file = Path(__file__).with_name("ranks.json")
    table: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return table


def level_of_rank(levels: Collection[int]) -> int:
    """The level whose rank is reported, of those that are possible: the basic one if it is."""
    return BASIC_LEVEL if BASIC_LEVEL in levels else min(levels, default=BASIC_LEVEL)


def rank(total: int, level: int) -> Phrase:
    """The publisher's word for a total, with its bonus for each level above 1."""
    table = _rank_table()
    points = total + table["points_per_level"] * (level - 1)
    lowest: list[int] = table["from"]
    reached = next((least for least in lowest if points >= least), lowest[-1])
    return phrase(f"rank-{reached}")


@dataclass(frozen=True)
class Roll:
    """Both dice: the colour gives the row of the overview, the number (from 1) the column."""

    color: str
    column: int


@dataclass(frozen=True)
class Option:
    """A block that a roll allows, and the energy points that it costs."""

    kind: blocks.Kind
    cost: int


@dataclass(frozen=True)
class Turn:
    """A block that a player may place now, what it costs, and where its top left comes."""

    option: Option
    corner: Cell

    @property
    def cells(self) -> blocks.Block:
        return placed(self.option.kind.shape, self.corner)


def options(roll: Roll, sheet: Sheet, energy: int) -> tuple[Option, ...]:
    """Every block that a player with so many energy points may enter, cheapest first.

    A point moves the block one column in its row of the overview, without wrapping round; five
    points take any block.
    """
    found = []
    for kind in blocks.kinds(sheet):
        cost = blocks.SWAP_COST
        if kind.color == roll.color:
            cost = min(abs(column - roll.column) for column in kind.columns)
        if cost <= energy:
            found.append(Option(kind, cost))
    return tuple(sorted(found, key=lambda option: option.cost))


def legal_turns(state: blocks.SheetState, roll: Roll) -> tuple[Turn, ...]:
    """All that a player may place for a roll with the energy on the sheet, cheapest first."""
    board = blocks.board_of(state)
    return tuple(
        Turn(option, corner)
        for option in options(roll, state.sheet, blocks.available(state))
        for corner in blocks.landing_corners(board, option.kind.shape)
    )


def share_an_edge(one: blocks.Block, other: blocks.Block) -> bool:
    """Whether a cell of one block is the neighbour of a cell of the other, not only at a corner."""
    return any(abs(r - s) + abs(c - d) == 1 for r, c in one for s, d in other)


def lost(state: blocks.SheetState) -> tuple[Lost, ...]:
    """Every point that was lost and within reach, most points first."""
    return most_first(
        [*_rows(state, _rows_of_last_turn(state)), *_bonus(state), *_energy(state), *_bombs(state)]
    )


def _rows(state: blocks.SheetState, of_last_turn: frozenset[int]) -> Iterator[Lost]:
    sheet = state.sheet
    whole = sheet.row_points[sheet.columns]
    for row, (points, factor) in enumerate(zip(row_points(state), sheet.row_factors, strict=True)):
        if not 0 < points < whole * factor:
            continue
        cells = tuple(
            (row, column) for column in range(sheet.columns) if (row, column) not in state.crossed
        )
        columns = all_of(column + 1 for _, column in cells)
        told = phrase("lost-row", row=sheet.rows - row, columns=columns, count=len(cells))
        yield Lost("row", f"row {row}", whole * factor - points, told, cells, row in of_last_turn)


def _bonus(state: blocks.SheetState) -> Iterator[Lost]:
    crosses, values = sum(state.bonus), state.sheet.bonus_values
    if crosses < blocks.max_crosses(state.sheet):
        now, then = bonus_points(state), values[crosses + 1]
        told = phrase("lost-bonus", now=now, then=phrase("points", count=then))
        yield Lost("bonus", f"box {crosses}", then - now, told)


def _energy(state: blocks.SheetState) -> Iterator[Lost]:
    left, for_a_point = blocks.available(state), state.sheet.points_per_score
    if left % for_a_point == for_a_point - 1 and left < len(state.energy):
        yield Lost("energy", "energy", 1, phrase("lost-energy", count=left))


def _bombs(state: blocks.SheetState) -> Iterator[Lost]:
    for bomb, (points, used) in enumerate(zip(state.sheet.bomb_points, state.bombs, strict=True)):
        if used:
            yield Lost("bombs", f"bomb {bomb}", points, phrase("lost-bomb", figure=points))


# --- the last turn -------------------------------------------------------------------------------


def _rows_of_last_turn(state: blocks.SheetState) -> frozenset[int]:
    """The rows that another last placement would surely have made whole, for more points in all.

    It must be so whichever block came last. The dice allowed the block that was placed; with what
    energy was left, they also allowed the same block elsewhere, one turned, or any other.
    """
    if not is_outlined(state) or state.crossed != frozenset().union(*state.blocks):
        return frozenset()
    rows = [_rows_without(state, last) for last in last_blocks(state.blocks, state.sheet)]
    return frozenset.intersection(*rows) if rows else frozenset()


def _rows_without(state: blocks.SheetState, last: blocks.Block) -> frozenset[int]:
    """The rows that another block in the place of the last one would have made whole."""
    before, total = replace(state, crossed=state.crossed - last), score(state).total
    board, whole = blocks.board_of(before), blocks.board_of(state).full_rows()
    circles = sum(circle.cell in last for circle in state.sheet.circles)
    gained, points = blocks.SAME_COLOR_GAIN * circles, blocks.activated(state)  # at most
    crosses = sum(state.bonus) - blocks.crosses_for_rows(len(whole) - len(board.full_rows()))
    crosses -= blocks.pink_points(state.sheet, points) - blocks.pink_points(
        state.sheet, points - gained
    )
    energy = blocks.available(state) - gained
    found: set[int] = set()
    for option in _surely_allowed(last, before, energy):
        for corner in blocks.landing_corners(board, option.kind.shape):
            cells = placed(option.kind.shape, corner)
            full = board.with_cells(cells).full_rows()
            new = set(full) - set(whole)
            if new - found and total < _least_total(
                before, board, cells, option, energy, max(0, crosses)
            ):
                found |= new
    return frozenset(found)


def _surely_allowed(last: blocks.Block, state: blocks.SheetState, energy: int) -> Iterator[Option]:
    """The blocks that the dice allowed besides, with what they cost beyond the last block.

    Whatever was rolled, a block so many columns from the last one costs so much more at most. None
    for cells of no known shape.
    """
    kind = next(iter(blocks.kinds_of(last, state.sheet)), None)
    if kind is None:
        return
    of_columns = [
        {each.kind: each for each in options(Roll(kind.color, column), state.sheet, energy)}
        for column in kind.columns
    ]
    for other in set.intersection(*(set(each) for each in of_columns)):
        yield max((each[other] for each in of_columns), key=lambda option: option.cost)


def _least_total(
    before: blocks.SheetState,
    board: blocks.Board,
    cells: blocks.Block,
    option: Option,
    energy: int,
    crosses: int,
) -> int:
    """The least that a sheet is worth after a placement, whatever its circles do."""
    sheet = before.sheet
    rows = board.with_cells(cells).full_rows()
    crosses += blocks.crosses_for_rows(len(rows) - len(board.full_rows()))
    taken = blocks.SAME_COLOR_GAIN * sum(
        circle.cell in cells and circle.color != option.kind.color for circle in sheet.circles
    )
    after = score(replace(before, crossed=before.crossed | cells))
    bonus = sheet.bonus_values[min(crosses, blocks.max_crosses(sheet))]
    left = max(0, energy - option.cost - taken)
    return after.lines + bonus + after.bombs + left // sheet.points_per_score
