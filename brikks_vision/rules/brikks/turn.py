"""One turn, from two states of one sheet: before and after.

Which marks are new, whether the block could fall there, what it cost and what it earned, and
whether the energy bar, the extra-points bar and the bombs followed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks import placement
from brikks_vision.rules.brikks.blocks import (
    MINI_SHAPE,
    SWAP_COST,
    Block,
    Board,
    SheetState,
    available,
    board_of,
    circle_effect,
    crosses_for_rows,
    kinds,
    kinds_of,
    max_crosses,
    path_to,
    reaches,
    rests,
)
from brikks_vision.rules.brikks.counts import crossed_out_points, mini_blocks, ringed_points
from brikks_vision.rules.brikks.order import can_start
from brikks_vision.rules.brikks.scoring import Roll, legal_turns, share_an_edge
from brikks_vision.rules.brikks.sheet import LEVELS, Sheet, Variant, phrase
from brikks_vision.rules.shapes import Violation, shape_of
from brikks_vision.text.phrases import Phrase, all_of, one_of

MAX_NAMED = 3
"""Maximum number of new blocks that a sentence lists; of more it says only how many they are."""


@dataclass(frozen=True)
class TurnVerdict:
    """What one turn was.

    added: the one block entered, None for a bomb, no turn or several. blocks: all that were
    entered. way: its corner on a way from above the grid (negative rows) to its place; empty where
    there is none. minis: mini-blocks that the opponent added. bombs: bombs crossed out. costs:
    energy points that the block can have cost. circles: circles covered. rows: rows finished, top
    first. circled, crossed_out: energy points newly marked. crosses: crosses earned for pink X's
    and rows together. new_crosses: crosses that the extra-points bar gained.
    """

    added: Block | None
    blocks: tuple[Block, ...]
    way: tuple[Cell, ...]
    minis: tuple[Block, ...]
    bombs: int
    costs: tuple[int, ...]
    circles: tuple[Cell, ...]
    rows: tuple[int, ...]
    circled: int
    crossed_out: int
    crosses: int
    new_crosses: int
    violations: tuple[Violation, ...]


def judge_turn(
    before: SheetState,
    after: SheetState,
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
    new = _new_marks(before, after, Variant(variant))
    block = new.blocks[0] if len(new.blocks) == 1 else None
    board = board_of(before)
    rows = _finished(board, block)
    pinks = [point for point in before.sheet.pink_points if point in new.bars.rings]
    crosses = len(pinks) + crosses_for_rows(len(rows))
    costs = _costs(block, before, roll)
    violations = [
        *_judge_vanished(before, after),
        *_judge_kind_of_turn(new, before.sheet),
        *_judge_bombs(before, after, new),
        *_judge_way(block, board, before),
        *_judge_minis(new, board, before.sheet),
        *_judge_energy(block, new, before, costs, level),
        *(
            _judge_crosses(before, after, Variant(variant), len(pinks), rows)
            if len(new.blocks) < 2
            else ()
        ),
    ]
    return TurnVerdict(
        added=block,
        blocks=new.blocks,
        way=path_to(board, block) if block else (),
        minis=new.minis,
        bombs=len(new.bars.bombs),
        costs=tuple(sorted(costs)),
        circles=tuple(
            circle.cell for circle in before.sheet.circles if circle.cell in (block or ())
        ),
        rows=rows,
        circled=len(new.bars.rings),
        crossed_out=len(new.bars.strikes),
        crosses=crosses,
        new_crosses=sum(after.bonus) - sum(before.bonus),
        violations=tuple(violations),
    )


def is_of_gone(told: Phrase) -> bool:
    """Whether a sentence says that marks are gone, which no turn allows."""
    return told.key.endswith("-gone")


def costs_paid(turn: TurnVerdict, before: SheetState, level: int) -> tuple[int, ...]:
    """The energy points that the marks of a turn of one block say it cost; empty where none fit."""
    if turn.added is None:
        return ()
    marks = turn.circled, turn.crossed_out
    return tuple(
        cost
        for cost in turn.costs
        if cost <= available(before) and marks in _outcomes(turn.added, before, cost, level)
    )


def orders_between(
    before: SheetState, blocks: Collection[Block], board: Board | None = None
) -> Iterator[tuple[Block, ...]]:
    """Every order in which these few blocks can have been entered by the rules."""
    if not blocks:
        yield ()
        return
    board = board or board_of(before)
    is_start = board == Board(board.rows, board.columns)
    for block in blocks:
        can = rests(board, block) and reaches(board, block)
        if can_start(block, before.sheet) if is_start else can:
            others = [each for each in blocks if each != block]
            for rest in orders_between(before, others, board.with_cells(block)):
                yield (block, *rest)


def judge_out(state: SheetState, roll: Roll | None = None) -> tuple[Violation, ...]:
    """Whether a player who says they are out had no legal place left.

    roll: what was rolled; None if not known: then it is wrong only if every roll had a place. Bombs
    need not be used.
    """
    rolls = (
        [roll]
        if roll is not None
        else [Roll(kind.color, column) for kind in kinds(state.sheet) for column in kind.columns]
    )
    first = [next(iter(legal_turns(state, each)), None) for each in rolls]
    if roll is None and all(first):
        return (_illegal((), phrase("not-out-whatever-was-rolled")),)
    turn = first[0]
    if roll is None or turn is None:
        return ()
    block = placement.block_words(turn.cells, state.sheet)
    told = (
        phrase("not-out-for-energy", block=block, cost=placement.energy_points(turn.option.cost))
        if turn.option.cost
        else phrase("not-out", block=block)
    )
    return (_illegal(turn.cells, told),)


@dataclass(frozen=True)
class _New:
    """Marks of the second state that the first lacks. loose: crosses in none of the groups."""

    blocks: tuple[Block, ...]
    minis: tuple[Block, ...]
    others: tuple[Block, ...]
    loose: frozenset[Cell]
    bars: _Bars


def _new_marks(before: SheetState, after: SheetState, variant: Variant) -> _New:
    crossed = after.crossed - before.crossed
    if placement.is_outlined(after):
        known = set(before.blocks)
        # Blocks may have been outlined later than crossed: what bears no new cross is not new.
        groups = [block for block in after.blocks if block not in known and block & crossed]
    else:
        groups = [crossed] if crossed else []
    blocks = tuple(group for group in groups if kinds_of(group, before.sheet))
    minis = tuple(
        group for group in groups if variant is Variant.DUEL and shape_of(group) == MINI_SHAPE
    )
    return _New(
        blocks=blocks,
        minis=minis,
        others=tuple(group for group in groups if group not in blocks and group not in minis),
        loose=crossed - frozenset().union(*groups),
        bars=_added(before, after),
    )


class _Bars(NamedTuple):
    """The marks beside the grid: points with a ring, points crossed out, boxes, bombs."""

    rings: frozenset[int]
    strikes: frozenset[int]
    boxes: frozenset[int]
    bombs: frozenset[int]


def _bars(state: SheetState) -> _Bars:
    rings, boxes, bombs = (
        frozenset(at for at, mark in enumerate(marks) if mark)
        for marks in (ringed_points(state), state.bonus, state.bombs)
    )
    return _Bars(rings, crossed_out_points(state), boxes, bombs)


def _added(before: SheetState, after: SheetState) -> _Bars:
    """The marks that the second state has beside those of the first."""
    return _Bars(*(now - then for then, now in zip(_bars(before), _bars(after), strict=True)))


def _finished(board: Board, block: Block | None) -> tuple[int, ...]:
    if block is None:
        return ()
    full = board.full_rows()
    return tuple(row for row in board.with_cells(block).full_rows() if row not in full)


def _costs(block: Block | None, before: SheetState, roll: Roll | None) -> frozenset[int]:
    """What entering the block can have cost."""
    if block is None or not before.crossed:
        return frozenset({0})
    (kind, *_) = kinds_of(block, before.sheet)
    columns = range(1, 1 + len(before.sheet.blocks[kind.color]))
    if roll is None:
        turns = {min(abs(own - column) for own in kind.columns) for column in columns}
        return frozenset(turns | {SWAP_COST})
    if roll.color != kind.color:
        return frozenset({SWAP_COST})
    return frozenset({min(abs(own - roll.column) for own in kind.columns)})


def _illegal(cells: Iterable[Cell], told: Phrase) -> Violation:
    return Violation(placement.Rule.ILLEGAL_MOVE, placement.Part.GRID, tuple(sorted(cells)), told)


def _illegal_mark(part: placement.Part, indices: Iterable[int], told: Phrase) -> Violation:
    """On energy points, boxes or bombs."""
    return Violation(placement.Rule.ILLEGAL_MOVE, part, tuple(sorted(indices)), told)


def _judge_vanished(before: SheetState, after: SheetState) -> Iterator[Violation]:
    cells = before.crossed - after.crossed
    if cells:
        place = placement.place_words(cells, before.sheet)
        yield _illegal(cells, phrase("crosses-gone", count=len(cells), place=place))
    gone = _added(after, before)
    points = gone.rings | gone.strikes
    if points:
        told = phrase("energy-marks-gone", points=placement.energy_points(len(points)))
        yield _illegal_mark(placement.Part.ENERGY, points, told)
    for part, marks in ((placement.Part.BONUS, gone.boxes), (placement.Part.BOMBS, gone.bombs)):
        if marks:
            yield _illegal_mark(part, marks, phrase(f"{part}-crosses-gone", count=len(marks)))


def _judge_kind_of_turn(new: _New, sheet: Sheet) -> Iterator[Violation]:
    for group in new.others:
        yield _illegal(group, phrase("added-no-block", block=placement.block_words(group, sheet)))
    if new.loose:
        place = placement.place_words(new.loose, sheet)
        yield _illegal(new.loose, phrase("added-outside", count=len(new.loose), place=place))
    if len(new.blocks) > 1:
        cells = [cell for block in new.blocks for cell in block]
        count = len(new.blocks)
        named = all_of(placement.block_words(block, sheet) for block in new.blocks)
        several = phrase("several-blocks", count=count, blocks=named)
        yield _illegal(cells, several if count <= MAX_NAMED else phrase("many-blocks", count=count))


def _judge_bombs(before: SheetState, after: SheetState, new: _New) -> Iterator[Violation]:
    bombs, part = new.bars.bombs, placement.Part.BOMBS
    if len(bombs) > 1:
        yield _illegal_mark(part, bombs, phrase("several-bombs", count=len(bombs)))
    if bombs and len(new.blocks) == 1:  # several are a fault of their own
        yield _illegal_mark(part, bombs, phrase("bomb-and-block"))
    next_bomb = before.bombs.index(False) if False in before.bombs else len(before.bombs)
    if bombs and min(bombs) != next_bomb:
        yield _illegal_mark(part, bombs, phrase("not-the-next-bomb"))


def _judge_way(block: Block | None, board: Board, before: SheetState) -> Iterator[Violation]:
    if block is None:
        return
    named = placement.block_words(block, before.sheet)
    if not before.crossed and not can_start(block, before.sheet):
        yield _illegal(block, phrase("cannot-start", block=named))
    elif not rests(board, block):
        yield _illegal(block, phrase("floating", count=1, blocks=named))
    elif not reaches(board, block):
        yield _illegal(block, phrase("no-way-down", block=named))


def _judge_minis(new: _New, board: Board, sheet: Sheet) -> Iterator[Violation]:
    for block in new.blocks:
        board = board.with_cells(block)
    for index, one in enumerate(new.minis):
        for other in new.minis[index + 1 :]:
            if share_an_edge(one, other):
                yield _illegal(one | other, phrase("minis-touch"))
    left = list(new.minis)
    while left:
        fallen = [mini for mini in left if reaches(board, mini) and rests(board, mini)]
        if not fallen:
            for mini in left:
                named = placement.block_words(mini, sheet)
                yield _illegal(mini, phrase("mini-cannot-fall", block=named))
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


def _outcomes(block: Block, before: SheetState, cost: int, level: int) -> set[tuple[int, int]]:
    """Points newly circled and crossed out, for every order of the covered circles."""
    color = placement.color_of(block, before.sheet)
    effects = [
        circle_effect(level, circle.color == color)
        for circle in before.sheet.circles
        if circle.cell in block
    ]
    still_open = len(before.energy) - sum(ringed_points(before))
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
    block: Block | None, new: _New, before: SheetState, costs: frozenset[int], level: int | None
) -> Iterator[Violation]:
    rings, strikes = new.bars.rings, new.bars.strikes
    seen = len(rings), len(strikes)
    if block is None:
        # What several blocks cost and earn hangs on their order: they are a fault of their own.
        if seen != (0, 0) and not new.blocks and not new.others:
            told = phrase("energy-without-a-block")
            yield _illegal_mark(placement.Part.ENERGY, rings | strikes, told)
        return
    named = placement.block_words(block, before.sheet)
    affordable = [cost for cost in sorted(costs) if cost <= available(before)]
    if not affordable:
        cost, left = placement.energy_points(min(costs)), available(before)
        yield _illegal(block, phrase("too-dear", block=named, cost=cost, count=left))
        return
    levels = LEVELS if level is None else (level,)
    outcomes = set().union(
        *(_outcomes(block, before, cost, each) for cost, each in product(affordable, levels))
    )
    if seen in outcomes:
        return
    gains = sorted({gained for gained, _ in outcomes})
    if seen[0] not in gains:
        wrong = placement.off_by("activated", seen[0], gains)
        told = phrase("circled-wrong", wrong=wrong, found=seen[0], block=named, due=_points(gains))
        yield _illegal_mark(placement.Part.ENERGY, rings, told)
        return
    due_out = sorted({out for gained, out in outcomes if gained == seen[0]})
    wrong = placement.off_by("struck", seen[1], due_out)
    due = _points(due_out)
    told = phrase("crossed-out-wrong", wrong=wrong, found=seen[1], block=named, due=due)
    yield _illegal_mark(placement.Part.ENERGY, strikes, told)


def _points(counts: list[int]) -> Phrase:
    return phrase("energy-points-of", count=counts[-1], counts=one_of(counts))


def _judge_crosses(
    before: SheetState, after: SheetState, variant: Variant, pinks: int, rows: tuple[int, ...]
) -> Iterator[Violation]:
    had, has = sum(before.bonus), sum(after.bonus)
    earned = 0 if variant is Variant.DUEL else pinks + crosses_for_rows(len(rows))
    due = min(max_crosses(before.sheet), had + earned) - had
    if has - had == due or has < had:
        return
    told = phrase(
        "crosses-wrong",
        wrong=placement.off_by("extra", has - had, [due]),
        pinks=phrase("pink-xs", count=pinks),
        rows=phrase("rows-finished", count=len(rows)),
        due=phrase("extra-crosses", count=due),
        found=has - had,
    )
    yield _illegal_mark(placement.Part.BONUS, _added(before, after).boxes, told)
