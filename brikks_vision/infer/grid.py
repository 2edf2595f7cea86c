"""A grid of cells with outlined blocks: its evidence, its parts and their states.

Blocks in which one cell may bear a ring instead of a cross.

Whether a cell is marked at all is decided first; this module divides the marked cells of a block
into crosses and at most one ring.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import exp, log, prod
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Covered, Marks
from brikks_vision.infer import costs
from brikks_vision.infer.answers import cell_name
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Cell, Mark
from brikks_vision.rules.shapes import Shape, connected, corner_of, shape_of

Rings = frozenset[Cell]
State = TypeVar("State")


@dataclass(frozen=True, eq=False)
class RingEvidence:
    """Log-odds of rings in marked cells, and where the game allows them.

    logits: (rows, columns) that a marked cell bears a ring rather than a cross. places: by shape,
    the cells of it, from its own top left, where its ring can be; None: anywhere.
    """

    logits: NDArray[np.float64]
    places: Mapping[Shape, frozenset[Cell]] | None = None

    @cached_property
    def losses(self) -> dict[Cell, tuple[float, float]]:
        """By cell, the negative log probability of a cross and of a ring, if it is marked."""
        crosses, rings = np.logaddexp(0, self.logits), np.logaddexp(0, -self.logits)
        return {
            (int(row), int(column)): (float(crosses[row, column]), float(rings[row, column]))
            for row, column in np.ndindex(self.logits.shape)
        }


def ring_regret(block: Sequence[Cell], evidence: RingEvidence) -> float:
    """Negative log probability that a block has at most one ring, in a place where it can be.

    Rings that break this rule are possible at the cost of a broken rule.
    """
    losses = [loss for _, loss in _block_states(block, evidence)]
    return min(losses) - log(sum([exp(min(losses) - loss) for loss in losses]))


def ring_states(
    blocks: Sequence[Collection[Cell]], loose: Collection[Cell], evidence: RingEvidence
) -> list[tuple[Rings, float]]:
    """The rings in marked cells and their probabilities, the most probable first.

    loose: marked cells in no block, each of which may bear a ring.
    """
    parts = [costs.probable(_block_states(tuple(sorted(block)), evidence)) for block in blocks]
    parts += [
        costs.probable([(frozenset(), crossed), (frozenset([cell]), ringed)])
        for cell in sorted(loose)
        for crossed, ringed in [evidence.losses[cell]]
    ]
    together: list[tuple[Rings, float]] = [(frozenset(), 1.0)]
    for part in parts:
        joined = [(rings | more, p * q) for (rings, p), (more, q) in product(together, part)]
        best = max(p for _, p in joined)
        likely = [entry for entry in joined if entry[1] > best * exp(-costs.MAX_EXTRA_REGRET)]
        together = heapq.nlargest(costs.MAX_RING_STATES, likely, key=lambda entry: entry[1])
    return [*costs.ranked(together)]


def _block_states(block: Sequence[Cell], evidence: RingEvidence) -> list[tuple[Rings, float]]:
    """No ring, or one in each place; and the rings as inked, at the cost of a broken rule."""
    losses = [evidence.losses[cell] for cell in block]
    crossed = sum([cross for cross, _ in losses])
    allowed = _allowed(block, evidence)
    states = [(frozenset[Cell](), crossed)]
    states += [
        (frozenset([cell]), crossed - cross + ring)
        for cell, (cross, ring) in zip(block, losses, strict=True)
        if cell in allowed
    ]
    inked = [cell for cell, (cross, ring) in zip(block, losses, strict=True) if ring < cross]
    if _is_broken(inked, allowed):
        states.append((frozenset(inked), sum(map(min, losses)) + costs.BROKEN_RULE))
    return states


def _is_broken(rings: Sequence[Cell], allowed: Collection[Cell]) -> bool:
    return len(rings) > 1 or any(cell not in allowed for cell in rings)


def _allowed(block: Sequence[Cell], evidence: RingEvidence) -> Collection[Cell]:
    """The cells of a block where its ring can be; all of a block of no known shape."""
    if evidence.places is None or (places := evidence.places.get(shape_of(block))) is None:
        return block
    top, left = corner_of(block)
    return frozenset((top + row, left + column) for row, column in places)


Block = frozenset[Cell]


@dataclass(frozen=True, eq=False)
class GridEvidence:
    """Log-odds of a grid's marks, and the shapes of the blocks that can lie on it.

    crosses: (rows, columns). verticals: (rows, columns + 1) edges left of the cells, and one more.
    horizontals: (rows + 1, columns) edges above the cells, and one more. shapes: distinct. rings:
    of games in which a crossed cell can bear a ring instead of a cross, else None. covered: cells
    that something hides; they bear anything.

    Equal where all of this is.
    """

    crosses: NDArray[np.float64]
    verticals: NDArray[np.float64]
    horizontals: NDArray[np.float64]
    shapes: tuple[Shape, ...]
    rings: RingEvidence | None = None
    covered: frozenset[Cell] = frozenset()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GridEvidence) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @cached_property
    def _content(self) -> tuple[object, ...]:
        rings = self.rings
        of_rings = rings and (rings.logits.tobytes(), tuple((rings.places or {}).items()))
        arrays = (self.crosses, self.verticals, self.horizontals)
        logits = tuple((each.shape, each.tobytes()) for each in arrays)
        return logits, self.shapes, of_rings, self.covered

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All visible cells, row by row."""
        rows, columns = self.crosses.shape
        places = ((row, column) for row in range(rows) for column in range(columns))
        return tuple(cell for cell in places if cell not in self.covered)

    @cached_property
    def cut_blocks(self) -> Mapping[Cell, tuple[Block, ...]]:
        """By their first cell, what shows of all blocks that can lie partly under a cover.

        Of a block that a cover cuts in two, either part. Certainly empty cells belong to no block.
        """
        rows, columns = self.crosses.shape
        found: dict[Cell, dict[Block, None]] = {}
        for covered, shape in product(sorted(self.covered), self.shapes):
            for origin in shape:
                down, right = covered[0] - origin[0], covered[1] - origin[1]
                block = [(row + down, column + right) for row, column in shape]
                if any(not (0 <= row < rows and 0 <= at < columns) for row, at in block):
                    continue
                seen = frozenset(block) - self.covered
                if all(self.crosses[cell] >= -costs.CERTAIN_CELL for cell in seen):
                    for part in connected(seen):
                        found.setdefault(min(part), {})[part] = None
        return {cell: tuple(blocks) for cell, blocks in found.items()}

    def edge(self, a: Cell, b: Cell) -> float:
        """Log-odds that the edge between two neighbouring cells is inked."""
        verticals, horizontals = self._edges
        if a[0] == b[0]:
            return verticals[a[0]][max(a[1], b[1])]
        return horizontals[max(a[0], b[0])][a[1]]

    @cached_property
    def _edges(self) -> tuple[list[list[float]], list[list[float]]]:
        """Verticals and horizontals as lists: single entries of arrays are slow."""
        return self.verticals.tolist(), self.horizontals.tolist()

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells above, left, right and below that exist."""
        return neighbours(cell, *self.crosses.shape)


def neighbours(cell: Cell, rows: int, columns: int) -> Iterator[Cell]:
    """The cells above, left, right and below that exist on a grid of this size."""
    row, column = cell
    if row > 0:
        yield row - 1, column
    if column > 0:
        yield row, column - 1
    if column < columns - 1:
        yield row, column + 1
    if row < rows - 1:
        yield row + 1, column


@dataclass(frozen=True)
class GridState:
    """One state of a group of cells. ringed: crossed cells that bear a ring instead of a cross.

    cut: crossed cells of blocks of which something hides the rest.
    """

    crossed: frozenset[Cell]
    blocks: tuple[Block, ...]
    ringed: frozenset[Cell] = frozenset()
    cut: frozenset[Cell] = frozenset()


@dataclass(frozen=True)
class GridPart:
    """The posterior of a group of cells: its states and their probabilities, best first.

    A part without cells bears the blocks of a group whose cells are read on their own.

    regret: log-odds that the best tiling gives up against reading every mark on its own, without
    the costs of broken rules. It is large where all that the rules allow contradicts the evidence.
    is_vague: by the evidence alone, the states are a small sample of many near-optimal ones.
    """

    cells: tuple[Cell, ...]
    states: tuple[tuple[GridState, float], ...]
    regret: float = 0.0
    is_vague: bool = False

    @property
    def is_contradicted(self) -> bool:
        """Whether lines and blocks contradict each other so much that the blocks prove nothing."""
        return self.regret > costs.MAX_PART_REGRET

    @property
    def is_unclear(self) -> bool:
        """Whether the states are only a sample of many, or none of them is probable."""
        return self.is_vague or self.states[0][1] < costs.MIN_BEST_STATE


class GridPosterior(Generic[State]):
    """What posteriors of sheets with a grid have in common, see `infer.costs.Decoded`."""

    state: State
    parts: tuple[GridPart, ...]
    hidden: Hidden

    def with_part(self, best: GridState, other: GridState) -> State:
        """The most probable sheet with another state of one of its parts."""
        raise NotImplementedError

    def beside_grid(self) -> list[list[tuple[float, State]]]:
        """Other states of what is no part of the grid."""
        raise NotImplementedError

    @property
    def grid_parts(self) -> tuple[GridPart, ...]:
        return self.parts

    def other_states(self) -> list[list[tuple[float, State]]]:
        """For each part its other states that count, each in the rest of the sheet."""
        of_grid = [
            [
                (probability, self.with_part(part.states[0][0], other))
                for other, probability in part.states[1:]
                if probability >= costs.MIN_OPEN_STATE
            ]
            for part in self.parts
        ]
        beside = [[e for e in of if e[0] >= costs.MIN_OPEN_STATE] for of in self.beside_grid()]
        return [*of_grid, *beside]


def tempered(marks: Marks) -> Marks:
    """The marks with their log-odds clipped, and with edges weighted by `EDGE_WEIGHT`."""
    clipped = {
        key: np.clip(array, -costs.MAX_LOG_ODDS, costs.MAX_LOG_ODDS)
        for key, array in marks.logits.items()
    }
    for edges in ((VERTICAL, Mark.LINE), (HORIZONTAL, Mark.LINE)):
        clipped[edges] = costs.EDGE_WEIGHT * clipped[edges]
    return replace(marks, logits=clipped)


def cells_of(covered: Covered, field: str = CELL) -> frozenset[Cell]:
    """The hidden cells, as (row, column)."""
    if field not in covered:
        return frozenset()
    return frozenset((int(row), int(column)) for row, column in np.argwhere(covered[field]))


def beside_covered(covered: Covered, rows: int, columns: int) -> frozenset[Cell]:
    """The cells beside what something hides: another cell, or one of their own edges."""
    cells = cells_of(covered)
    beside = {near for cell in cells for near in neighbours(cell, rows, columns)}
    for row, column in cells_of(covered, VERTICAL):
        beside |= {(row, column - 1), (row, column)}
    for row, column in cells_of(covered, HORIZONTAL):
        beside |= {(row - 1, column), (row, column)}
    grid = {(row, column) for row in range(rows) for column in range(columns)}
    return frozenset(grid & beside - cells)


@dataclass(frozen=True)
class Hidden:
    """The hidden places. beside: cells with a hidden neighbour or a hidden edge.

    others: places outside of the grid, by their names.
    """

    cells: frozenset[Cell] = frozenset()
    beside: frozenset[Cell] = frozenset()
    others: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.cells or self.beside or self.others)

    @property
    def places(self) -> frozenset[str]:
        """Their names, as the contract spells them."""
        return self.others.union(map(cell_name, self.cells))

    @property
    def rows(self) -> frozenset[int]:
        """Rows of the grid of which a cell is hidden."""
        return frozenset(row for row, _ in self.cells)

    def of(self, field: str) -> frozenset[int]:
        """The hidden places of a bar, from 0."""
        named = (where.partition(" ") for where in self.others)
        return frozenset(int(at) for name, _, at in named if name == field)


NOTHING_HIDDEN = Hidden()


def hidden_on(covered: Covered, fields: Iterable[str], rows: int, columns: int) -> Hidden:
    """The places of a grid of that size, and of these fields, that are covered."""
    others = (
        f"{field} {at}"
        for field in fields
        if field != CELL
        for at in np.flatnonzero(covered.get(field, ()))
    )
    return Hidden(cells_of(covered), beside_covered(covered, rows, columns), frozenset(others))


def confidence(parts: Iterable[GridPart]) -> float:
    """Probability 0 to 1 that every part is in its best state."""
    return prod(part.states[0][1] for part in parts)


def row_counts(parts: Iterable[GridPart], rows: int) -> NDArray[np.int64]:
    """Crosses in each row, (rows,), with every part in its best state."""
    crossed = [row for part in parts for row, _ in part.states[0][0].crossed]
    return np.bincount(np.array(crossed, np.int64), minlength=rows)


def cell_probabilities(parts: Sequence[GridPart], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Marginal probability 0 to 1 that each cell is crossed, (rows, columns)."""
    probabilities = np.zeros(shape)
    for part in parts:
        for state, probability in part.states:
            for cell in state.crossed:
                probabilities[cell] += probability
    return np.clip(probabilities, 0.0, 1.0)


def is_outlined(evidence: GridEvidence) -> bool:
    """Whether the player outlined blocks, judged by the edges at crossed cells."""
    crossed = evidence.crosses > 0
    inner_verticals, inner_horizontals = evidence.verticals[:, 1:-1], evidence.horizontals[1:-1]
    edges = np.concatenate(
        [
            inner_verticals[crossed[:, :-1] & crossed[:, 1:]],
            inner_horizontals[crossed[:-1] & crossed[1:]],
            inner_verticals[crossed[:, :-1] ^ crossed[:, 1:]],
            inner_horizontals[crossed[:-1] ^ crossed[1:]],
        ]
    )
    seen = edges[edges != 0]  # hidden edges are no evidence
    return bool(len(seen) and np.mean(seen > 0) > costs.MIN_OUTLINED_SHARE)


def outline_edges(
    blocks: Iterable[Block], rows: int, columns: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The edges around blocks: (rows, columns + 1) verticals, (rows + 1, columns) horizontals."""
    owners = np.full((rows + 2, columns + 2), -1)
    for owner, block in enumerate(blocks):
        for row, column in block:
            owners[row + 1, column + 1] = owner
    return owners[1:-1, :-1] != owners[1:-1, 1:], owners[:-1, 1:-1] != owners[1:, 1:-1]
