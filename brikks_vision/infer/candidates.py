"""Candidate pieces for tiling a group of cells: empty cells, loose crosses and blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from brikks_vision.infer.costs import BROKEN_RULE, CERTAIN_CELL, MAX_BLOCK_REGRET
from brikks_vision.infer.grid import GridEvidence, ring_regret
from brikks_vision.infer.tiling import Candidates, Label, Piece, Step
from brikks_vision.layout import Cell
from brikks_vision.rules.shapes import shape_of

OUTSIDE = -1
"""The place of a cell that is certainly empty, and so in no group."""

OF_SINGLE = {Label.EMPTY: 0.0, Label.LOOSE: BROKEN_RULE, Label.OUTLINED: BROKEN_RULE}
OF_SHAPE = {Label.LOOSE: BROKEN_RULE, Label.OUTLINED: 0.0}
OF_CUT = {Label.OUTLINED: 0.0}
OF_OTHERS = {Label.OUTLINED: BROKEN_RULE}
"""The labels that cells can have together, and what their broken rules cost."""


class Edge(NamedTuple):
    """An edge of a cell. beyond: place of the cell there. inked, bare: regret if it is so."""

    beyond: int
    inked: float
    bare: float


def candidates_for(cells: tuple[Cell, ...], evidence: GridEvidence) -> Candidates:
    """The candidates of a group of cells, which are in reading order.

    An outlined block of a known shape breaks no rule, nor does the visible part of one. At the
    cost of a broken rule: a block without its outline, a single cross, and a group of any other
    shape that the evidence outlines. A block is left out whose outline contradicts the evidence too
    much; a line that it may share counts half.
    """
    places = {cell: at for at, cell in enumerate(cells)}
    logits = [float(evidence.crosses[cell]) for cell in cells]
    group = Group(cells, logits, [_edges(cell, places, evidence) for cell in cells], evidence)
    steps = [[*group.steps((place,), OF_SINGLE)] for place in range(len(cells))]
    cut = {*_cut_blocks(places, evidence)}
    for block in _blocks(places, evidence):
        if block not in cut:
            steps[block[0]] += group.steps(block, OF_SHAPE)
    for block in sorted(cut):
        steps[block[0]] += group.steps(block, OF_CUT, is_cut=True)
    for others in _inked_groups(cells, evidence):
        if len(others) > 1 and shape_of(others) not in evidence.shapes:
            block = tuple(places[cell] for cell in others)
            steps[block[0]] += group.steps(block, OF_OTHERS)
    return Candidates(steps)


@dataclass(frozen=True, eq=False)
class Group:
    """Cells that are tiled together.

    logits: of each, that it is crossed. edges: of each, those that say something of it.
    """

    cells: Sequence[Cell]
    logits: Sequence[float]
    edges: Sequence[Sequence[Edge]]
    evidence: GridEvidence

    def steps(
        self, block: tuple[int, ...], labels: Mapping[Label, float], is_cut: bool = False
    ) -> Iterator[Step]:
        """Placing these cells together, with each of the labels that the evidence leaves open.

        is_cut: whether something hides other cells of their block.
        """
        logits = [self.logits[place] for place in block]
        crossed = sum([max(-logit, 0.0) for logit in logits])
        if Label.EMPTY not in labels and crossed >= MAX_BLOCK_REGRET:
            return
        edges = [edge for place in block for edge in self.edges[place]]
        between = sum([edge.bare for edge in edges if edge.beyond in block]) / 2
        around = [edge for edge in edges if edge.beyond not in block]
        bare_outside = sum([edge.bare for edge in around if edge.beyond == OUTSIDE])
        outline = between + sum(
            [edge.inked * (1.0 if edge.beyond == OUTSIDE else 0.5) for edge in around]
        )
        shared = [edge for edge in around if edge.beyond != OUTSIDE]
        missing = [(1 << edge.beyond, edge.inked / 2) for edge in shared if edge.inked]
        blank = [(1 << edge.beyond, edge.bare) for edge in shared if not edge.inked]
        mask = sum([1 << place for place in block])
        rings = self._rings(block, crossed + labels[Label.OUTLINED], is_cut)
        for label, rule in labels.items():
            if label is Label.OUTLINED or len(block) > 1:
                rule += rings
            piece = Piece(block, label, rule, is_cut)
            if label is Label.EMPTY:
                yield Step(max(*logits, 0.0) + bare_outside, mask, 0, blank, missing, piece)
            elif crossed + rule >= MAX_BLOCK_REGRET:
                continue
            elif label is Label.LOOSE and between <= MAX_BLOCK_REGRET:
                cost = crossed + rule + between + bare_outside
                yield Step(cost, mask, 0, blank, missing, piece)
            elif label is Label.OUTLINED and outline <= MAX_BLOCK_REGRET:
                yield Step(crossed + rule + outline, mask, mask, missing, (), piece)

    def _rings(self, block: Sequence[int], regret: float, is_cut: bool) -> float:
        """The regret of the rings in the marked cells of a block; 0 of no candidate."""
        rings = self.evidence.rings
        if rings is None or is_cut or regret >= MAX_BLOCK_REGRET:
            return 0.0
        return ring_regret([self.cells[place] for place in block], rings)


def _edges(cell: Cell, places: Mapping[Cell, int], evidence: GridEvidence) -> list[Edge]:
    """The edges of a cell to others of its group and to cells that are certainly empty.

    Edges to crossed cells of other groups are certain, and the rim's evidence says nothing.
    """
    return [
        Edge(places.get(other, OUTSIDE), max(-line, 0.0), max(line, 0.0))
        for other in evidence.neighbours(cell)
        if other in places or evidence.crosses[other] <= -CERTAIN_CELL
        for line in [evidence.edge(cell, other)]
    ]


def _blocks(places: Mapping[Cell, int], evidence: GridEvidence) -> Iterator[tuple[int, ...]]:
    """Where the known shapes fit into a group."""
    for row, column in places:
        for shape in evidence.shapes:
            down, right = row - shape[0][0], column - shape[0][1]
            block = [places.get((down + r, right + c), OUTSIDE) for r, c in shape]
            if OUTSIDE not in block:
                yield tuple(block)


def _cut_blocks(places: Mapping[Cell, int], evidence: GridEvidence) -> Iterator[tuple[int, ...]]:
    """What shows of blocks that can lie partly under a cover, where it is in the group."""
    for first in places:
        for block in evidence.cut_blocks.get(first, ()):
            if block <= places.keys():
                yield tuple(sorted(places[cell] for cell in block))


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
