"""Candidate pieces for tiling a group of cells: empty cells, loose crosses and blocks.

Cells are numbered in reading order on a grid that is padded so that no shape wraps around. So a
shape is a row of offsets from its first cell, and all blocks of a group are costed at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brikks_vision.infer.costs import BROKEN_RULE, CERTAIN_CELL, MAX_BLOCK_REGRET
from brikks_vision.infer.grid import GridEvidence, ring_regret
from brikks_vision.infer.tiling import Border, Label, Piece, Step, least_regrets
from brikks_vision.layout import Cell
from brikks_vision.rules.shapes import Shape, shape_of

Numbers = NDArray[np.intp]
Regrets = NDArray[np.float64]

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Rows and columns from a cell to the cells at its sides. The number of a side is four times that
of the cell, and its place here."""

EMPTY, LOOSE, OUTLINED = range(3)
LABELS = (Label.EMPTY, Label.LOOSE, Label.OUTLINED)
"""Rows of arrays that have one for each label."""

SINGLE: Shape = ((0, 0),)

VOID = -(1 << 20)
"""Offset of a cell or edge that a shape lacks: it makes every number negative, which counts as 0,
the number of a cell outside the grid and of its edge."""


class Shapes(NamedTuple):
    """Shapes as offsets from the number of their first cell, padded with `VOID`.

    cells: (shapes, most cells). between: (shapes, most edges) sides between the cells, one of each
    edge. around: (shapes, most edges) sides around them.
    """

    cells: Numbers
    between: Numbers
    around: Numbers


class NumberedGrid(NamedTuple):
    """Evidence by the number of a cell, and of a side of a cell: see `SIDES`.

    crossed, empty: regret if the cell is crossed, or not. is_empty: whether it certainly is. inked,
    bare: regret if the side is inked, or not. beyond: number of the cell on its other side.
    """

    crossed: Regrets
    empty: Regrets
    is_empty: NDArray[np.bool_]
    inked: Regrets
    bare: Regrets
    beyond: Numbers


class Group(NamedTuple):
    """Cells that are tiled together: their numbers, and by number the place in the group.

    The place of all other numbers is the number of cells.
    """

    numbers: Numbers
    place: Numbers
    grid: NumberedGrid


class Blocks(NamedTuple):
    """Cells that may be a block, or crosses without an outline.

    places: (blocks, most cells) indices of the cells, the lowest first, padded with the number of
    cells of the group. sides: (blocks, most edges) numbers of the sides around the block, padded
    with 0. crossed: (blocks,) regret of crosses in all cells; empty: of none in the first one;
    between: of bare edges between the cells; shared: of inked edges to other cells of the group;
    inked_outside, bare_outside: of the other edges around.
    """

    places: Numbers
    sides: Numbers
    crossed: Regrets
    empty: Regrets
    between: Regrets
    shared: Regrets
    inked_outside: Regrets
    bare_outside: Regrets


class Priced(NamedTuple):
    """Blocks with their costs.

    costs: (labels, blocks) of the cells with each label, infinite for what is no candidate.
    rules: (labels, blocks) what of the cost is for broken rules. are_cut: whether something hides
    other cells of the blocks.
    """

    blocks: Blocks
    costs: Regrets
    rules: Regrets
    are_cut: bool


@dataclass(frozen=True, eq=False)
class GroupCandidates:
    """The candidates of a group, of which only those are made that are asked for.

    least: see `brikks_vision.infer.tiling.Candidates`.
    """

    least: Sequence[float]
    group: Group
    costed: Sequence[Priced]

    def within(self, excess: float) -> list[list[Step]]:
        """See `brikks_vision.infer.tiling.Candidates`."""
        cells = len(self.least)
        least = np.array([*self.least, 0.0])
        bit_of = [*(1 << place for place in range(cells)), 0].__getitem__
        line_at, blank_at = (borders.__getitem__ for borders in self._borders)
        alone: list[list[Step]] = [[] for _ in range(cells)]
        others: list[list[Step]] = [[] for _ in range(cells)]
        for blocks, costs, rules, are_cut in self.costed:
            exceeds = costs - least[blocks.places].sum(axis=1)
            is_asked = exceeds <= excess
            is_asked[EMPTY] = costs[EMPTY] < inf
            labels, at = is_asked.nonzero()
            for label, cost, rule_cost, places, sides in zip(
                labels.tolist(),
                exceeds[is_asked].tolist(),
                rules[is_asked].tolist(),
                blocks.places[at].tolist(),
                blocks.sides[at].tolist(),
                strict=True,
            ):
                if places[-1] == cells:
                    places = [place for place in places if place < cells]
                mask = sum(map(bit_of, places))
                piece = Piece(tuple(places), LABELS[label], rule_cost, are_cut)
                missing = [*filter(None, map(line_at, sides))]
                if label == OUTLINED:
                    step = Step(cost, mask, mask, missing, (), piece)
                else:
                    extra = [*filter(None, map(blank_at, sides))]
                    step = Step(cost, mask, 0, extra, missing, piece)
                (alone if label == EMPTY else others)[places[0]].append(step)
        return [
            [*first, *sorted(rest, key=_cost)] for first, rest in zip(alone, others, strict=True)
        ]

    @cached_property
    def _borders(self) -> tuple[list[Border | None], list[Border | None]]:
        """By side, what a block's and other cells' edges to other cells of the group add.

        None for sides without such a cell, and where nothing is ever added.
        """
        grid = self.group.grid
        of_blocks: list[Border | None] = [None] * len(grid.beyond)
        of_others = of_blocks.copy()
        sides = (len(SIDES) * self.group.numbers[:, None] + np.arange(len(SIDES))).ravel()
        beyond = self.group.place[grid.beyond[sides]]
        is_border = beyond < len(self.least)
        sides = sides[is_border]
        for side, place, inked, bare in zip(
            sides.tolist(),
            beyond[is_border].tolist(),
            (0.5 * grid.inked[sides]).tolist(),
            grid.bare[sides].tolist(),
            strict=True,
        ):
            if inked:
                of_blocks[side] = (1 << place, inked)
            else:
                of_others[side] = (1 << place, bare)
        return of_blocks, of_others


_cost = itemgetter(0)


def candidates_for(cells: tuple[Cell, ...], evidence: GridEvidence) -> GroupCandidates:
    """The candidates of a group of cells, which are in reading order.

    An outlined block of a known shape breaks no rule, nor does the visible part of one. At the
    cost of a broken rule: a block without its outline, a single cross, and a group of any other
    shape that the evidence outlines. A block is left out whose outline contradicts the evidence too
    much; a line that it may share counts half.
    """
    group = _group(cells, evidence)
    shapes = _shapes((*evidence.shapes, SINGLE), *evidence.crosses.shape)
    at, shape = _fitting(shapes, group)
    blocks = _blocks(shapes, group.numbers[at], shape, group)
    is_single = shape == len(shapes.cells) - 1
    rules = np.zeros((len(LABELS), len(at)))
    rules[EMPTY, ~is_single] = inf
    rules[LOOSE] = BROKEN_RULE
    rules[OUTLINED, is_single] = BROKEN_RULE
    cut = _cut_blocks(cells, evidence)
    if cut:
        whole = {tuple(map(cells.index, block)) for block in cut}
        is_whole = [
            tuple(place for place in places if place < len(cells)) in whole
            for places in blocks.places.tolist()
        ]
        rules[LOOSE:, is_whole & ~is_single] = inf
    costed = [_costed(blocks, rules, False, cells, evidence)]
    others = [
        each
        for each in _inked_groups(cells, evidence)
        if len(each) > 1 and shape_of(each) not in evidence.shapes
    ]
    for irregular, are_cut in ((cut, True), (others, False)):
        if irregular:
            blocks = _blocks_at(irregular, group, evidence)
            rules = np.full((len(LABELS), len(irregular)), inf)
            rules[OUTLINED] = 0.0 if are_cut else BROKEN_RULE
            costed.append(_costed(blocks, rules, are_cut, cells, evidence))
    width = max(each.blocks.places.shape[1] for each in costed)
    least = least_regrets(
        np.concatenate([_widened(each.blocks.places, width, len(cells)) for each in costed]),
        np.concatenate([each.costs.min(axis=0) for each in costed]),
        len(cells),
    )
    return GroupCandidates(least.tolist(), group, costed)


def _costed(
    blocks: Blocks, rules: Regrets, are_cut: bool, cells: Sequence[Cell], evidence: GridEvidence
) -> Priced:
    """The blocks with their costs. ``rules``: see `Priced`, without those of rings."""
    if evidence.rings is not None and not are_cut:
        for block in np.flatnonzero(blocks.crossed + rules[OUTLINED] < MAX_BLOCK_REGRET):
            places = blocks.places[block].tolist()
            crossed = [cells[place] for place in places if place < len(cells)]
            rings = ring_regret(crossed, evidence.rings)
            rules[OUTLINED, block] += rings
            if len(crossed) > 1:
                rules[LOOSE, block] += rings
    return Priced(blocks, _costs(blocks, rules), rules, are_cut)


def _widened(places: Numbers, width: int, fill: int) -> Numbers:
    missing = width - places.shape[1]
    return np.pad(places, ((0, 0), (0, missing)), constant_values=fill) if missing else places


def _costs(blocks: Blocks, rules: Regrets) -> Regrets:
    """(labels, blocks) costs, infinite for what is no candidate."""
    crossed = blocks.crossed + rules
    outline = blocks.between + blocks.inked_outside + 0.5 * blocks.shared
    costs = np.stack(
        [
            rules[EMPTY] + blocks.empty + blocks.bare_outside,
            crossed[LOOSE] + blocks.between + blocks.bare_outside,
            crossed[OUTLINED] + outline,
        ]
    )
    costs[LOOSE:][crossed[LOOSE:] >= MAX_BLOCK_REGRET] = inf
    costs[LOOSE, blocks.between > MAX_BLOCK_REGRET] = inf
    costs[OUTLINED, outline > MAX_BLOCK_REGRET] = inf
    return costs


# --- the blocks of a group -----------------------------------------------------------------------


def _group(cells: Sequence[Cell], evidence: GridEvidence) -> Group:
    grid = _numbered(evidence)
    columns = evidence.crosses.shape[1]
    numbers = np.array([_number(cell, columns) for cell in cells])
    place = np.full(len(grid.crossed), len(cells))
    place[numbers] = np.arange(len(cells))
    return Group(numbers, place, grid)


def _fitting(shapes: Shapes, group: Group) -> tuple[Numbers, Numbers]:
    """The cells of a group at which shapes can begin, and which shapes: (blocks,) indices."""
    numbers = np.maximum(group.numbers[:, None, None] + shapes.cells, 0)
    is_inside = group.place < len(group.numbers)
    is_inside[0] = True  # what a shape lacks is in no one's way
    at, shape = is_inside[numbers].all(axis=2).nonzero()
    return at, shape


def _blocks_at(blocks: Sequence[Sequence[Cell]], group: Group, evidence: GridEvidence) -> Blocks:
    """The blocks with these cells."""
    rows, columns = evidence.crosses.shape
    shapes = _shapes(tuple(shape_of(block) for block in blocks), rows, columns)
    first = np.array([_number(min(block), columns) for block in blocks])
    return _blocks(shapes, first, np.arange(len(blocks)), group)


def _blocks(shapes: Shapes, first: Numbers, shape: Numbers, group: Group) -> Blocks:
    """The blocks of shapes at the numbers of their first cells, (blocks,) each."""
    grid, place = group.grid, group.place
    cells = np.maximum(first[:, None] + shapes.cells[shape], 0)
    of_sides = len(SIDES) * first[:, None]
    between = np.maximum(of_sides + shapes.between[shape], 0)
    sides = np.maximum(of_sides + shapes.around[shape], 0)
    inked, beyond = grid.inked[sides], grid.beyond[sides]
    is_shared = place[beyond] < len(group.numbers)
    # edges to crossed cells of other groups are certain, and the rim's evidence says nothing
    is_outside = grid.is_empty[beyond] & ~is_shared
    return Blocks(
        place[cells],
        sides,
        grid.crossed[cells].sum(axis=1),
        grid.empty[first],
        grid.bare[between].sum(axis=1),
        (inked * is_shared).sum(axis=1),
        (inked * is_outside).sum(axis=1),
        (grid.bare[sides] * is_outside).sum(axis=1),
    )


def _cut_blocks(cells: Sequence[Cell], evidence: GridEvidence) -> list[tuple[Cell, ...]]:
    """What shows of blocks that can lie partly under a cover, where it is in the group."""
    inside = {*cells}
    blocks = {
        tuple(sorted(block))
        for first in cells
        for block in evidence.cut_blocks.get(first, ())
        if block <= inside
    }
    return sorted(blocks)


def _inked_groups(cells: tuple[Cell, ...], evidence: GridEvidence) -> Iterator[tuple[Cell, ...]]:
    """Connected crossed cells without an inked edge between them, each mark on its own."""
    left = {cell for cell in cells if evidence.crosses[cell] > 0}
    while left:
        first = min(left)
        group, queue = {first}, [first]
        while queue:
            cell = queue.pop()
            for other in evidence.neighbours(cell):
                if other in left and other not in group and evidence.edge(cell, other) < 0:
                    group.add(other)
                    queue.append(other)
        left -= group
        yield tuple(sorted(group))


# --- numbers of cells and edges ------------------------------------------------------------------


def _number(cell: Cell, columns: int) -> int:
    """Number of a cell in reading order, on a grid padded above and beside."""
    return (cell[0] + 1) * (2 * columns + 1) + cell[1] + 1


@lru_cache(maxsize=4)  # a grid has some ten groups
def _numbered(evidence: GridEvidence) -> NumberedGrid:
    rows, columns = evidence.crosses.shape
    height, width = 2 * rows + 1, 2 * columns + 1
    crosses = np.zeros((height, width))
    crosses[1 : rows + 1, 1 : columns + 1] = evidence.crosses
    sides = np.zeros((height, width, len(SIDES)))
    inside = sides[1 : rows + 1, 1 : columns + 1]
    inside[..., 0], inside[..., 1] = evidence.horizontals[:-1], evidence.horizontals[1:]
    inside[..., 2], inside[..., 3] = evidence.verticals[:, :-1], evidence.verticals[:, 1:]
    steps = [row * width + column for row, column in SIDES]
    beyond = np.arange(height * width)[:, None] + steps
    crosses, sides = crosses.ravel(), sides.ravel()
    return NumberedGrid(
        np.maximum(-crosses, 0.0),
        np.maximum(crosses, 0.0),
        crosses <= -CERTAIN_CELL,
        np.maximum(-sides, 0.0),
        np.maximum(sides, 0.0),
        np.clip(beyond.ravel(), 0, len(crosses) - 1),
    )


@lru_cache(maxsize=64)
def _shapes(shapes: tuple[Shape, ...], rows: int, columns: int) -> Shapes:
    """The shapes that are no larger than the grid, as offsets."""
    tables: tuple[list[list[int]], ...] = ([], [], [])
    for shape in shapes:
        if any(row >= rows or column >= columns for row, column in shape):
            continue
        first = _number(shape[0], columns)
        cells = [_number(cell, columns) - first for cell in shape]
        sides = [
            (len(SIDES) * cell + side, near in shape, near < (row, column))
            for cell, (row, column) in zip(cells, shape, strict=True)
            for side, (down, right) in enumerate(SIDES)
            for near in [(row + down, column + right)]
        ]
        between = [side for side, is_inner, is_before in sides if is_inner and is_before]
        around = [side for side, is_inner, _ in sides if not is_inner]
        for table, offsets in zip(tables, (cells, between, around), strict=True):
            table.append(offsets)
    return Shapes(*map(_padded, tables))


def _padded(rows: Sequence[Sequence[int]]) -> Numbers:
    width = max(map(len, rows))
    return np.array([[*row, *[VOID] * (width - len(row))] for row in rows], np.intp)
