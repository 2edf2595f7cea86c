"""Where the points of a finished sheet went.

Within reach is what one step more of its kind would have given: a row that gives points already,
whole; one more cross on the extra-points bar; one more energy point, where an odd one is left over;
each bomb, unused. What was lost adds up to the score of the sheet with all of that, less its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from brikks_vision.rules.brikks.blocks import kinds_of
from brikks_vision.rules.brikks.board import Board, board_of, landing_corners
from brikks_vision.rules.brikks.bonus import crosses_for_rows, max_crosses
from brikks_vision.rules.brikks.energy import SAME_COLOR_GAIN, activated, available, pink_points
from brikks_vision.rules.brikks.order import last_blocks
from brikks_vision.rules.brikks.placement import is_outlined
from brikks_vision.rules.brikks.play import Option, Roll, options
from brikks_vision.rules.brikks.scoring import bonus_points, row_points, score
from brikks_vision.rules.brikks.state import Block, SheetState
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.rules.lost import Lost, most_first
from brikks_vision.rules.shapes import placed
from brikks_vision.text.phrases import all_of


def lost(state: SheetState) -> tuple[Lost, ...]:
    """Every point that was lost and within reach, most points first."""
    return most_first(
        [*_rows(state, _rows_of_last_turn(state)), *_bonus(state), *_energy(state), *_bombs(state)]
    )


def _rows(state: SheetState, of_last_turn: frozenset[int]) -> Iterator[Lost]:
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


def _bonus(state: SheetState) -> Iterator[Lost]:
    crosses, values = sum(state.bonus), state.sheet.bonus_values
    if crosses < max_crosses(state.sheet):
        now, then = bonus_points(state), values[crosses + 1]
        told = phrase("lost-bonus", now=now, then=phrase("points", count=then))
        yield Lost("bonus", f"box {crosses}", then - now, told)


def _energy(state: SheetState) -> Iterator[Lost]:
    left, for_a_point = available(state), state.sheet.points_per_score
    if left % for_a_point == for_a_point - 1 and left < len(state.energy):
        yield Lost("energy", "energy", 1, phrase("lost-energy", count=left))


def _bombs(state: SheetState) -> Iterator[Lost]:
    for bomb, (points, used) in enumerate(zip(state.sheet.bomb_points, state.bombs, strict=True)):
        if used:
            yield Lost("bombs", f"bomb {bomb}", points, phrase("lost-bomb", figure=points))


# --- the last turn -------------------------------------------------------------------------------


def _rows_of_last_turn(state: SheetState) -> frozenset[int]:
    """The rows that another last placement would surely have made whole, for more points in all.

    It must be so whichever block came last. The dice allowed the block that was placed; with what
    energy was left, they also allowed the same block elsewhere, one turned, or any other.
    """
    if not is_outlined(state) or state.crossed != frozenset().union(*state.blocks):
        return frozenset()
    rows = [_rows_without(state, last) for last in last_blocks(state.blocks, state.sheet)]
    return frozenset.intersection(*rows) if rows else frozenset()


def _rows_without(state: SheetState, last: Block) -> frozenset[int]:
    """The rows that another block in the place of the last one would have made whole."""
    before, total = replace(state, crossed=state.crossed - last), score(state).total
    board, whole = board_of(before), board_of(state).full_rows()
    circles = sum(circle.cell in last for circle in state.sheet.circles)
    gained, points = SAME_COLOR_GAIN * circles, activated(state)  # at most
    crosses = sum(state.bonus) - crosses_for_rows(len(whole) - len(board.full_rows()))
    crosses -= pink_points(state.sheet, points) - pink_points(state.sheet, points - gained)
    energy = available(state) - gained
    found: set[int] = set()
    for option in _surely_allowed(last, before, energy):
        for corner in landing_corners(board, option.kind.shape):
            cells = placed(option.kind.shape, corner)
            full = board.with_cells(cells).full_rows()
            new = set(full) - set(whole)
            if new - found and total < _least_total(
                before, board, cells, option, energy, max(0, crosses)
            ):
                found |= new
    return frozenset(found)


def _surely_allowed(last: Block, state: SheetState, energy: int) -> Iterator[Option]:
    """The blocks that the dice allowed besides, with what they cost beyond the last block.

    Whatever was rolled, a block so many columns from the last one costs so much more at most. None
    for cells of no known shape.
    """
    kind = next(iter(kinds_of(last, state.sheet)), None)
    if kind is None:
        return
    of_columns = [
        {each.kind: each for each in options(Roll(kind.color, column), state.sheet, energy)}
        for column in kind.columns
    ]
    for other in set.intersection(*(set(each) for each in of_columns)):
        yield max((each[other] for each in of_columns), key=lambda option: option.cost)


def _least_total(
    before: SheetState, board: Board, cells: Block, option: Option, energy: int, crosses: int
) -> int:
    """The least that a sheet is worth after a placement, whatever its circles do."""
    sheet = before.sheet
    rows = board.with_cells(cells).full_rows()
    crosses += crosses_for_rows(len(rows) - len(board.full_rows()))
    taken = SAME_COLOR_GAIN * sum(
        circle.cell in cells and circle.color != option.kind.color for circle in sheet.circles
    )
    after = score(replace(before, crossed=before.crossed | cells))
    bonus = sheet.bonus_values[min(crosses, max_crosses(sheet))]
    left = max(0, energy - option.cost - taken)
    return after.lines + bonus + after.bombs + left // sheet.points_per_score
