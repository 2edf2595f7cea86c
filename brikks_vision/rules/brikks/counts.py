"""How many points and crosses a game of Brikks allows, and the rules of the duel.

Rules of the bars: how many energy points and extra crosses a game allows.

The sheet does not record the dice, so each count is the set of values that some legal game gives.

The duel: mini-blocks fall on the opponent's sheet, and whoever survives longer wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, reduce
from itertools import combinations
from operator import or_

from brikks_vision.rules.brikks.blocks import (
    MINI_SHAPE,
    START_COLUMN,
    Block,
    Energy,
    SheetState,
    activated_at_setup,
    board_of,
    circle_effect,
    crosses_for_rows,
    kinds_of,
    max_crosses,
    pink_points,
    struck_at_setup,
)
from brikks_vision.rules.brikks.placement import Placed, color_of, judge_placement
from brikks_vision.rules.brikks.sheet import Circle, Setting, Sheet, Variant
from brikks_vision.rules.shapes import shape_of

COUNTS_KEPT = 64  # that need not be made again
CROSSED_OUT = (Energy.USED, Energy.OFF)


@dataclass(frozen=True)
class EnergyCounts:
    """What a setting allows.

    activated: every number of points that can bear a ring. struck: points that must be crossed out
    at setup. min_lost: the minimum number of points crossed out beside these, as circles of other
    colours cost points at this level.
    """

    activated: frozenset[int]
    struck: frozenset[int]
    min_lost: int


def _sums(choices: Iterable[frozenset[int]]) -> frozenset[int]:
    """Every sum of one number from each choice, none below 0. The sums are bits of an integer."""
    totals = 1
    for choice in choices:
        totals = reduce(or_, [totals << value for value in choice])
    return frozenset(total for total in range(totals.bit_length()) if totals >> total & 1)


@cache
def _highest_start_row(sheet: Sheet) -> int:
    """The top row that a start block can cover."""
    heights = [
        1 + max(row for row, _ in shape_of(shapes[START_COLUMN - 1]))
        for shapes in sheet.blocks.values()
    ]
    return sheet.rows - max(heights)


Covered = tuple[Circle, Block | None, str | None, bool]
"""A circle under ink; the sound block that covers it, and its colour, None if not known; whether
the cell is crossed, too."""


def _covered_circles(state: SheetState, placed: Placed) -> list[Covered]:
    owners = {cell: block for block in placed.sound for cell in block}
    inked = state.crossed.union(*state.blocks)
    return [
        (
            circle,
            owner,
            color_of(owner, state.sheet) if owner else None,
            circle.cell in state.crossed,
        )
        for circle in state.sheet.circles
        for owner in [owners.get(circle.cell)]
        if circle.cell in inked
    ]


def _effects(
    covered: Covered, sheet: Sheet, placed: Placed, start: Block | None, setting: Setting
) -> frozenset[int]:
    """Every effect that covering a circle can have had."""
    circle, owner, color, is_crossed = covered
    if owner is None:
        # a cross outside of the blocks covers nothing, by the rules
        is_outside = bool(placed.sound) or setting.variant is Variant.DUEL
        may_give_nothing = is_outside or circle.cell[0] >= _highest_start_row(sheet)
        both = frozenset(circle_effect(setting.level, same) for same in (True, False))
        return both | {0} if may_give_nothing else both
    if color is None:  # a mini-block: the circle is lost
        return frozenset({0})
    effect = circle_effect(setting.level, circle.color == color)
    # The rules leave open whether the circles under the start block count.
    return frozenset({effect}) if is_crossed and owner != start else frozenset({0, effect})


def energy_counts(
    state: SheetState, placed: Placed, games: Iterable[Setting]
) -> dict[Setting, EnergyCounts]:
    """What the covered circles allow at each setting, over all possible start blocks.

    Source: the energy section of the rules. Losing stops at zero points, which bounds the loss by
    the points that are there at setup.
    """
    counts: dict[Setting, EnergyCounts] = {}
    covered = _covered_circles(state, placed)
    of_circles: dict[tuple[int, bool], tuple[frozenset[int], int]] = {}
    for setting in games:
        alike = (setting.level, setting.variant is Variant.DUEL)
        if alike not in of_circles:
            of_circles[alike] = _gains_and_due(covered, state.sheet, placed, setting)
        gains, due = of_circles[alike]
        struck = struck_at_setup(state.sheet, setting.players)
        ringed = activated_at_setup(state.sheet, setting.players)
        activated = frozenset(min(state.sheet.energy_points, ringed + gain) for gain in gains)
        counts[setting] = EnergyCounts(activated, struck, min(due, ringed - len(struck)))
    return counts


def _gains_and_due(
    covered: Sequence[Covered], sheet: Sheet, placed: Placed, setting: Setting
) -> tuple[frozenset[int], int]:
    """Every number of points that covered circles can give, and the fewest that they can take."""
    ways = {
        tuple(_effects(circle, sheet, placed, start, setting) for circle in covered)
        for start in placed.starts
    }
    gains = frozenset[int]().union(
        *(_sums(frozenset(max(0, each) for each in choice) for choice in way) for way in ways)
    )
    return gains, min(sum(max(0, -max(choice)) for choice in way) for way in ways)


def crossed_out_points(state: SheetState) -> frozenset[int]:
    """Points that were used, lost or struck at setup: all are the same ink."""
    return frozenset(p for p, point in enumerate(state.energy) if point in CROSSED_OUT)


def ringed_points(state: SheetState) -> tuple[bool, ...]:
    """Which points were activated; those with a printed ring need no drawn one."""
    printed = set(state.sheet.preprinted)
    return tuple(
        p in printed or point in (Energy.CIRCLED, Energy.USED)
        for p, point in enumerate(state.energy)
    )


def mark_readings(marks: tuple[bool, ...]) -> frozenset[int]:
    """The numbers of marks that a bar can mean.

    Their number; or, if there are gaps, any number up to the position of the last mark.
    """
    first_gap = marks.index(False) if False in marks else len(marks)
    end = len(marks) - marks[::-1].index(True) if True in marks else 0
    return frozenset(range(first_gap, end + 1)) | {sum(marks)}


def activated_readings(state: SheetState) -> frozenset[int]:
    """Every number of activated points that the bar can mean."""
    return mark_readings(ringed_points(state))


def bonus_readings(state: SheetState) -> frozenset[int]:
    """Every number of extra crosses that the bar can mean."""
    return mark_readings(state.bonus)


def row_crosses(state: SheetState, placed: Placed) -> frozenset[int]:
    """Every number of crosses that rows finished together can have given.

    Exact if every cross lies in a sound block; otherwise all that the full rows allow.
    """
    if placed.orders.exist and not placed.unclear and not _uncrossed(state):
        return placed.orders.possible_crosses
    covered = state.crossed.union(*state.blocks)
    board = board_of(replace(state, crossed=covered, blocks=()))
    tallest = max(
        1 + row for shapes in state.sheet.blocks.values() for shape in shapes for row, _ in shape
    )
    return _groupings(board.full_rows(), tallest)


def _uncrossed(state: SheetState) -> bool:
    return any(not block <= state.crossed for block in state.blocks)


@cache
def _groupings(rows: tuple[int, ...], tallest: int) -> frozenset[int]:
    """All sums of crosses when rows are finished in groups that one block can span."""
    if not rows:
        return frozenset({0})
    near = [row for row in rows[1:] if row < rows[0] + tallest]
    sums: set[int] = set()
    for size in range(len(near) + 1):
        for group in combinations(near, size):
            rest = tuple(row for row in rows[1:] if row not in group)
            sums |= {crosses_for_rows(size + 1) + more for more in _groupings(rest, tallest)}
    return frozenset(sums)


def pink_readings(state: SheetState) -> frozenset[int]:
    """Every number of circled pink X's that the energy bar can mean."""
    rings = ringed_points(state)
    return frozenset(
        pink_points(state.sheet, activated) for activated in activated_readings(state)
    ) | {sum(rings[point] for point in state.sheet.pink_points)}


@lru_cache(COUNTS_KEPT)
def allowed_crosses(
    sheet: Sheet, pinks: frozenset[int], rows: frozenset[int], is_duel: bool
) -> frozenset[int]:
    """Every number of extra crosses that pink X's and rows together allow; a duel has none."""
    if is_duel:
        return frozenset({0})
    most = max_crosses(sheet)
    return frozenset(min(most, pink + crosses) for pink in pinks for crosses in rows)


def allowed_bars(state: SheetState, games: Iterable[Setting]) -> dict[int, frozenset[int]]:
    """The bars that the grid of a sheet allows.

    For each number of points that can be activated at one of the settings ``games``, every number
    of extra crosses that goes with it. The marks on the energy bar are not considered.
    """
    placed = judge_placement(state, minis=False)
    rows = row_crosses(state, placed)
    possible = {
        (count, setting.variant is Variant.DUEL)
        for setting, counts in energy_counts(state, placed, games).items()
        for count in counts.activated
    }
    allowed: dict[int, frozenset[int]] = {}
    for count, is_duel in sorted(possible):
        pinks = frozenset({pink_points(state.sheet, count)})
        crosses = allowed_crosses(state.sheet, pinks, rows, is_duel)
        allowed[count] = allowed.get(count, frozenset()) | crosses
    return allowed


def mini_blocks(state: SheetState) -> tuple[Block, ...]:
    """The outlined single cells."""
    return tuple(block for block in state.blocks if block and shape_of(block) == MINI_SHAPE)


def rounds_survived(state: SheetState) -> int | None:
    """The number of rounds: blocks without the start block and mini-blocks, and bombs used.

    None if there are crosses outside of outlined blocks, so that the sheet does not tell.
    """
    blocks = [block for block in state.blocks if kinds_of(block, state.sheet)]
    minis = mini_blocks(state)
    if len(blocks) + len(minis) < len(state.blocks):
        return None
    if not blocks or state.crossed != frozenset().union(*state.blocks):
        return None if state.crossed or minis else sum(state.bombs)
    return len(blocks) - 1 + sum(state.bombs)


def max_minis_earned(state: SheetState) -> int:
    """The maximum number of mini-blocks that this player can have put on the opponent's sheet."""
    placed = judge_placement(state, minis=True)
    return max(pink_readings(state)) + max(row_crosses(state, placed))
