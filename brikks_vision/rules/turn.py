"""One turn, from two states of one sheet: before and after.

Which marks are new, whether the block could fall there, what it cost and what it earned, and
whether the energy bar, the extra-points bar and the bombs followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations, product

from brikks_vision.rules.blocks import MINI_SHAPE, kinds, kinds_of, shape_of
from brikks_vision.rules.board import Board, path_to, reaches, rests
from brikks_vision.rules.counts import crossed_out_points, ringed_points
from brikks_vision.rules.duel import mini_blocks
from brikks_vision.rules.energy import SWAP_COST, available, circle_effect
from brikks_vision.rules.order import can_start
from brikks_vision.rules.placement import is_outlined
from brikks_vision.rules.play import (
    Roll,
    board_of,
    crosses_for_rows,
    legal_turns,
    most_crosses,
    share_an_edge,
)
from brikks_vision.rules.settings import LEVELS, Variant
from brikks_vision.rules.state import Block, SheetState
from brikks_vision.rules.violations import (
    Rule,
    Violation,
    block_words,
    color_of,
    counted,
    listed,
    place_words,
    sentence,
)
from brikks_vision.sheet import Cell, SheetDefinition

PINK_XS = "pink X's"


@dataclass(frozen=True)
class TurnVerdict:
    """What one turn was.

    added: the block entered, None for a bomb or no turn. way: its corner on a way from above the
    grid (negative rows) to its place; empty where there is none. minis: mini-blocks that the
    opponent added. bombs: bombs crossed out. costs: energy points that the block can have cost.
    circles: circles covered. rows: rows finished, top first. circled, crossed_out: energy points
    newly marked. crosses: crosses earned for pink X's and rows together.
    """

    added: Block | None
    way: tuple[Cell, ...]
    minis: tuple[Block, ...]
    bombs: int
    costs: tuple[int, ...]
    circles: tuple[Cell, ...]
    rows: tuple[int, ...]
    circled: int
    crossed_out: int
    crosses: int
    violations: tuple[Violation, ...]


def judge_turn(
    before: SheetState,
    after: SheetState,
    definition: SheetDefinition,
    roll: Roll | None = None,
    level: int | None = None,
    variant: str | None = None,
) -> TurnVerdict:
    """Judge what was added to one sheet between two states.

    roll: what was rolled, which says what the block cost; None where it is not known. level: the
    player's level, None where it is not known. variant: left out, it is a duel where there are
    mini-blocks. Two states without any new mark are no turn and break no rule.
    """
    if variant is None:
        variant = Variant.DUEL if mini_blocks(after) else Variant.STANDARD
    new = _new_marks(before, after, definition, Variant(variant))
    block = new.blocks[0] if len(new.blocks) == 1 else None
    board = board_of(before, definition)
    rows = _finished(board, block)
    pinks = [point for point in definition.energy.bonus_points if point in new.rings]
    crosses = len(pinks) + crosses_for_rows(len(rows))
    costs = _costs(block, before, definition, roll)
    violations = [
        *_judge_vanished(before, after, definition),
        *_judge_kind_of_turn(new, definition),
        *_judge_bombs(before, after, new),
        *_judge_way(block, board, before, definition),
        *_judge_minis(new, board, definition),
        *_judge_energy(block, new, before, definition, costs, level),
        *_judge_crosses(before, after, definition, Variant(variant), len(pinks), rows),
    ]
    return TurnVerdict(
        added=block,
        way=path_to(board, block) if block else (),
        minis=new.minis,
        bombs=len(new.bombs),
        costs=tuple(sorted(costs)),
        circles=tuple(circle.cell for circle in definition.circles if circle.cell in (block or ())),
        rows=rows,
        circled=len(new.rings),
        crossed_out=len(new.strikes),
        crosses=crosses,
        violations=tuple(violations),
    )


def judge_out(
    state: SheetState, definition: SheetDefinition, roll: Roll | None = None
) -> tuple[Violation, ...]:
    """Whether a player who says they are out had no legal place left.

    roll: what was rolled; None where it is not known: then it is wrong only if every roll had a
    place. Bombs need not be used.
    """
    rolls = (
        [roll]
        if roll is not None
        else [Roll(kind.color, column) for kind in kinds(definition) for column in kind.columns]
    )
    first = [next(iter(legal_turns(state, definition, each)), None) for each in rolls]
    if roll is None and all(first):
        return (
            Violation(
                Rule.ILLEGAL_MOVE, (), "The player is not out: every roll still has a legal place."
            ),
        )
    turn = first[0]
    if roll is None or turn is None:
        return ()
    name = block_words(turn.cells, definition)
    price = f" for {counted(turn.option.cost, 'energy point')}" if turn.option.cost else ""
    return (
        Violation(
            Rule.ILLEGAL_MOVE,
            tuple(sorted(turn.cells)),
            f"The player is not out: {name} is a legal place{price}.",
        ),
    )


@dataclass(frozen=True)
class _New:
    """Marks of the second state that the first lacks. loose: crosses in none of the groups."""

    blocks: tuple[Block, ...]
    minis: tuple[Block, ...]
    others: tuple[Block, ...]
    loose: frozenset[Cell]
    rings: frozenset[int]
    strikes: frozenset[int]
    bombs: tuple[int, ...]


def _new_marks(
    before: SheetState, after: SheetState, definition: SheetDefinition, variant: Variant
) -> _New:
    crossed = after.crossed - before.crossed
    if is_outlined(after):
        known = set(before.blocks)
        # Blocks may have been outlined later than crossed: what bears no new cross is not new.
        groups = [block for block in after.blocks if block not in known and block & crossed]
    else:
        groups = [crossed] if crossed else []
    blocks = tuple(group for group in groups if kinds_of(group, definition))
    minis = tuple(
        group for group in groups if variant is Variant.DUEL and shape_of(group) == MINI_SHAPE
    )
    return _New(
        blocks=blocks,
        minis=minis,
        others=tuple(group for group in groups if group not in blocks and group not in minis),
        loose=crossed - frozenset().union(*groups),
        rings=_ringed(after, definition) - _ringed(before, definition),
        strikes=crossed_out_points(after) - crossed_out_points(before),
        bombs=tuple(
            bomb
            for bomb, (then, now) in enumerate(zip(before.bombs, after.bombs, strict=True))
            if now and not then
        ),
    )


def _ringed(state: SheetState, definition: SheetDefinition) -> frozenset[int]:
    return frozenset(p for p, ringed in enumerate(ringed_points(state, definition)) if ringed)


def _finished(board: Board, block: Block | None) -> tuple[int, ...]:
    if block is None:
        return ()
    full = board.full_rows()
    return tuple(row for row in board.with_cells(block).full_rows() if row not in full)


def _costs(
    block: Block | None, before: SheetState, definition: SheetDefinition, roll: Roll | None
) -> frozenset[int]:
    """What entering the block can have cost."""
    if block is None or not before.crossed:
        return frozenset({0})
    (kind, *_) = kinds_of(block, definition)
    columns = range(1, 1 + len(definition.blocks[kind.color]))
    if roll is None:
        turns = {min(abs(own - column) for own in kind.columns) for column in columns}
        return frozenset(turns | {SWAP_COST})
    if roll.color != kind.color:
        return frozenset({SWAP_COST})
    return frozenset({min(abs(own - roll.column) for own in kind.columns)})


def _illegal(cells: Iterable[Cell], message: str) -> Violation:
    return Violation(Rule.ILLEGAL_MOVE, tuple(sorted(cells)), sentence(message))


def _illegal_mark(indices: Iterable[int], message: str) -> Violation:
    """On energy points, boxes or bombs."""
    return Violation(Rule.ILLEGAL_MOVE, tuple(sorted(indices)), sentence(message))


def _judge_vanished(
    before: SheetState, after: SheetState, definition: SheetDefinition
) -> Iterator[Violation]:
    cells = before.crossed - after.crossed
    if cells:
        marks = counted(len(cells), "cross", "crosses")
        yield _illegal(cells, f"{marks} {place_words(cells, definition)} of before are gone")
    points = (_ringed(before, definition) - _ringed(after, definition)) | (
        crossed_out_points(before) - crossed_out_points(after)
    )
    if points:
        yield _illegal_mark(points, f"marks on {counted(len(points), 'energy point')} are gone")
    for name, then, now in (
        ("the extra-points bar", before.bonus, after.bonus),
        ("the bombs", before.bombs, after.bombs),
    ):
        gone = [
            index
            for index, (was, is_now) in enumerate(zip(then, now, strict=True))
            if was and not is_now
        ]
        if gone:
            yield _illegal_mark(
                gone, f"{counted(len(gone), 'cross', 'crosses')} on {name} are gone"
            )


def _judge_kind_of_turn(new: _New, definition: SheetDefinition) -> Iterator[Violation]:
    for group in new.others:
        yield _illegal(group, f"{block_words(group, definition)} was added, but it is no block")
    if new.loose:
        marks = counted(len(new.loose), "cross", "crosses")
        where = place_words(new.loose, definition)
        yield _illegal(new.loose, f"{marks} {where} were added outside of the block")
    if len(new.blocks) > 1:
        cells = [cell for block in new.blocks for cell in block]
        named = listed((block_words(block, definition) for block in new.blocks), "and")
        yield _illegal(cells, f"{len(new.blocks)} blocks were added in one turn: {named}")


def _judge_bombs(before: SheetState, after: SheetState, new: _New) -> Iterator[Violation]:
    if len(new.bombs) > 1:
        yield _illegal_mark(new.bombs, f"{len(new.bombs)} bombs were crossed out in one turn")
    if new.bombs and new.blocks:
        yield _illegal_mark(new.bombs, "a bomb was used, and a block was entered in the same turn")
    next_bomb = before.bombs.index(False) if False in before.bombs else len(before.bombs)
    if new.bombs and new.bombs[0] != next_bomb:
        yield _illegal_mark(new.bombs, "the bomb that was crossed out is not the topmost one left")


def _judge_way(
    block: Block | None, board: Board, before: SheetState, definition: SheetDefinition
) -> Iterator[Violation]:
    if block is None:
        return
    name = block_words(block, definition)
    if not before.crossed and not can_start(block, definition):
        yield _illegal(
            block,
            f"{name} cannot be the start block: that is one of the first column of the overview, "
            "not turned, on the bottom row",
        )
    elif not rests(board, block):
        yield _illegal(block, f"{name} rests on nothing")
    elif not reaches(board, block):
        yield _illegal(block, f"{name} has no way down to its place")


def _judge_minis(new: _New, board: Board, definition: SheetDefinition) -> Iterator[Violation]:
    for block in new.blocks:
        board = board.with_cells(block)
    for index, one in enumerate(new.minis):
        for other in new.minis[index + 1 :]:
            if share_an_edge(one, other):
                yield _illegal(one | other, "mini-blocks of one round may touch at corners only")
    left = list(new.minis)
    while left:
        fallen = [mini for mini in left if reaches(board, mini) and rests(board, mini)]
        if not fallen:
            for mini in left:
                yield _illegal(mini, f"{block_words(mini, definition)} cannot have fallen there")
            return
        # Corner contact keeps them from holding up or blocking each other: all at once will do.
        board = board.with_cells(cell for mini in fallen for cell in mini)
        left = [mini for mini in left if mini not in fallen]


def _lost(energy: int, effects: Iterable[int]) -> tuple[int, int]:
    """Points gained and lost when circles take effect in this order."""
    gained = lost = 0
    for effect in effects:
        if effect > 0:
            gained += effect
        else:
            lost += min(-effect, energy + gained - lost)
    return gained, lost


def _outcomes(
    block: Block, before: SheetState, definition: SheetDefinition, cost: int, level: int
) -> set[tuple[int, int]]:
    """Points newly circled and crossed out, for every order of the covered circles."""
    color = color_of(block, definition)
    effects = [
        circle_effect(level, circle.color == color)
        for circle in definition.circles
        if circle.cell in block
    ]
    still_open = len(before.energy) - sum(ringed_points(before, definition))
    energy = available(before) - cost
    # The rules leave open whether the circles under the start block count.
    counting = [effects] if before.crossed else [effects, []]
    found = set()
    for choice in counting:
        for order in permutations(choice):
            gained, lost = _lost(energy, order)
            found.add((min(still_open, gained), cost + lost))
    return found


def _judge_energy(
    block: Block | None,
    new: _New,
    before: SheetState,
    definition: SheetDefinition,
    costs: frozenset[int],
    level: int | None,
) -> Iterator[Violation]:
    seen = len(new.rings), len(new.strikes)
    if block is None:
        if seen != (0, 0):
            marked = new.rings | new.strikes
            yield _illegal_mark(marked, "energy points were marked, though no block was entered")
        return
    affordable = [cost for cost in sorted(costs) if cost <= available(before)]
    if not affordable:
        yield _illegal(
            block,
            f"{block_words(block, definition)} costs {counted(min(costs), 'energy point')} for "
            f"this roll, but only {available(before)} were left",
        )
        return
    levels = LEVELS if level is None else (level,)
    outcomes = set().union(
        *(
            _outcomes(block, before, definition, cost, each)
            for cost, each in product(affordable, levels)
        )
    )
    if seen in outcomes:
        return
    gains = sorted({gained for gained, _ in outcomes})
    if seen[0] not in gains:
        yield _illegal_mark(
            new.rings,
            f"the circles under {block_words(block, definition)} give "
            f"{_points(gains)}, but {seen[0]} {_is(seen[0])} circled",
        )
        return
    strikes = sorted({out for gained, out in outcomes if gained == seen[0]})
    yield _illegal_mark(
        new.strikes,
        f"{block_words(block, definition)} costs {_points(strikes)}, but {seen[1]} {_is(seen[1])} "
        "crossed out",
    )


def _points(counts: list[int]) -> str:
    return f"{listed(counts)} energy point{'' if counts == [1] else 's'}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _judge_crosses(
    before: SheetState,
    after: SheetState,
    definition: SheetDefinition,
    variant: Variant,
    pinks: int,
    rows: tuple[int, ...],
) -> Iterator[Violation]:
    had, has = sum(before.bonus), sum(after.bonus)
    earned = 0 if variant is Variant.DUEL else pinks + crosses_for_rows(len(rows))
    due = min(most_crosses(definition), had + earned) - had
    if has - had == due or has < had:
        return
    boxes = [
        box
        for box, (then, now) in enumerate(zip(before.bonus, after.bonus, strict=True))
        if now and not then
    ]
    yield _illegal_mark(
        boxes,
        f"{counted(pinks, 'pink X', PINK_XS)} and {counted(len(rows), 'row')} finished "
        f"together earn {counted(due, 'extra cross', 'extra crosses')}, but {has - had} were added",
    )
