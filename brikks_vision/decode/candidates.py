"""Candidate pieces for tiling a group of cells: empty cells, loose crosses and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import inf

from brikks_vision.decode.grid import GridEvidence
from brikks_vision.decode.prices import BROKEN_RULE, CERTAIN_CELL, MAX_BLOCK_REGRET
from brikks_vision.decode.rings import ring_regret
from brikks_vision.decode.tiling import Candidates, Label, Piece
from brikks_vision.layout import Cell
from brikks_vision.rules.shapes import Shape, shape_of

OUTSIDE = -1
"""Index of a cell that is not in the group."""


def candidates_for(cells: tuple[Cell, ...], evidence: GridEvidence) -> Candidates:
    """For each cell the pieces that start there (in reading order), the empty cell first.

    An outlined block of a known shape breaks no rule, nor does the visible part of one. At the
    price of a broken rule: a block without its outline, a single cross, and a group of any other
    shape that the evidence outlines.
    """
    at = {cell: place for place, cell in enumerate(cells)}
    crossing = [max(0.0, -float(evidence.crosses[cell])) for cell in cells]
    edges = [
        [
            (at.get(other, OUTSIDE), max(0.0, -logit), max(0.0, logit))
            for other in evidence.neighbours(cell)
            # edges to crossed cells of other groups are certain, and the rim's evidence says
            # nothing
            if other in at or evidence.crosses[other] <= -CERTAIN_CELL
            for logit in [evidence.edge(cell, other)]
        ]
        for cell in cells
    ]
    pieces: tuple[list[Piece], ...] = tuple([] for _ in cells)

    def add(
        places: tuple[int, ...],
        own: float,
        rule_prices: Iterable[tuple[Label, float]],
        is_cut: bool = False,
    ) -> None:
        """Add the cells under each label, for the price of the rule and of the evidence.

        A block is left out whose outline contradicts the evidence too much. A line that it may
        share counts half.
        """
        borders = []
        between = missing_outside = extra_outside = shared = 0.0
        for place in places:
            for other, missing, extra in edges[place]:
                if other == OUTSIDE:
                    missing_outside += missing
                    extra_outside += extra
                elif other not in places:
                    borders.append((1 << other, missing, extra))
                    shared += missing / 2
                elif other > place:
                    between += extra
        bits = sum(1 << place for place in places)
        for label, rule_price in rule_prices:
            if between + (missing_outside + shared) * (label is Label.OUTLINED) > MAX_BLOCK_REGRET:
                continue
            price = own + between + rule_price
            price += missing_outside if label is Label.OUTLINED else extra_outside
            piece = Piece(places, bits, label, price, rule_price, tuple(borders), is_cut)
            pieces[places[0]].append(piece)

    def add_crossed(places: tuple[int, ...], outlined: float, loose: float) -> None:
        """Add the cells as a block and as crosses without an outline, for a rule price each."""
        crossed = sum([crossing[place] for place in places])
        if evidence.rings is not None and crossed + outlined < MAX_BLOCK_REGRET:
            rings = ring_regret([cells[place] for place in places], evidence.rings)
            outlined += rings
            if len(places) > 1:
                loose += rings
        rule_prices = ((Label.OUTLINED, outlined), (Label.LOOSE, loose))
        if likely := [each for each in rule_prices if crossed + each[1] < MAX_BLOCK_REGRET]:
            add(places, crossed, likely)

    cut = {
        tuple(sorted(at[cell] for cell in block))
        for first in cells
        for block in evidence.cut_blocks.get(first, ())
        if block <= at.keys()
    }
    columns = evidence.crosses.shape[1]
    in_grid = {_place_in_grid(cell, columns): place for place, cell in enumerate(cells)}
    there = sum(1 << number for number in in_grid)
    for number, place in in_grid.items():
        add((place,), max(0.0, float(evidence.crosses[cells[place]])), [(Label.EMPTY, 0.0)])
        for bits, offsets in _offsets(evidence.shapes, columns):
            if there >> number & bits == bits:
                places = tuple(in_grid[number + each] for each in offsets)
                if places not in cut:
                    add_crossed(places, 0.0, BROKEN_RULE)
        add_crossed((place,), BROKEN_RULE, BROKEN_RULE)
    for places in sorted(cut):
        crossed = sum([crossing[place] for place in places])
        if crossed < MAX_BLOCK_REGRET:
            add(places, crossed, [(Label.OUTLINED, 0.0)], is_cut=True)
    for group in _inked_groups(cells, evidence):
        if shape_of(group) not in evidence.shapes and len(group) > 1:
            add_crossed(tuple(at[cell] for cell in group), BROKEN_RULE, inf)
    return pieces


@lru_cache(maxsize=16)
def _offsets(shapes: tuple[Shape, ...], columns: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Each shape as offsets of `_place_in_grid` from its first cell: bit mask and numbers.

    Shapes that are wider than the grid are left out.
    """
    found = []
    for shape in shapes:
        if any(column >= columns for _, column in shape):
            continue
        first, *_ = places = [_place_in_grid(cell, columns) for cell in shape]
        offsets = tuple(place - first for place in places)
        found.append((sum(1 << offset for offset in offsets), offsets))
    return tuple(found)


def _place_in_grid(cell: Cell, columns: int) -> int:
    """Number of a cell in reading order, on a grid padded so that no shape wraps around."""
    return cell[0] * 2 * columns + cell[1]


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
