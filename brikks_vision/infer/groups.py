"""The posterior of a grid: groups of cells that depend on each other, and each group's states.

Certain edges and certainly empty cells separate the groups. A group is tiled with blocks, loose
crosses and empty cells by regret: the log-odds given up against reading every mark on its own (see
`brikks_vision.infer.tiling`). If even the best tiling gives up too much, the lines do not follow
the blocks, and each cell is read on its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import exp, inf

import numpy as np

from brikks_vision.infer import costs
from brikks_vision.infer.candidates import candidates_for
from brikks_vision.infer.grid import GridEvidence, GridPart, GridState, is_outlined, ring_states
from brikks_vision.infer.tiling import Cover, Label, Tiling, tile
from brikks_vision.layout import Cell
from brikks_vision.rules.shapes import Shape, shape_of


@lru_cache(maxsize=4)  # a sheet is decoded again when only its bars were seen again or answered
def grid_parts(evidence: GridEvidence) -> tuple[GridPart, ...]:
    """The posterior of the grid, part by part."""
    if not is_outlined(evidence):
        lone = tuple(_lone_cell(cell, float(evidence.crosses[cell])) for cell in evidence.cells)
        return tuple(_with_rings(part, evidence) for part in lone)
    parts = _joined_over_misread_lines(
        [solve(group, evidence) for group in groups(evidence)], evidence
    )
    return tuple(_with_rings(each, evidence) for part in parts for each in _trusted(part, evidence))


# --- one group -----------------------------------------------------------------------------------


def groups(evidence: GridEvidence) -> Iterator[tuple[Cell, ...]]:
    """Cells that no certain edge and no certainly empty cell separates, group by group."""
    left = set(evidence.cells)  # hidden cells are in no group
    while left:
        group = _group(min(left), evidence)
        left -= group
        yield tuple(sorted(group))


def _group(first: Cell, evidence: GridEvidence) -> set[Cell]:
    if evidence.crosses[first] < -costs.CERTAIN_CELL:
        return {first}
    group, queue = {first}, [first]
    while queue:
        cell = queue.pop()
        for other in evidence.neighbours(cell):
            if (
                other in group
                or other in evidence.covered
                or evidence.crosses[other] < -costs.CERTAIN_CELL
            ):
                continue
            if evidence.edge(cell, other) < costs.CERTAIN_EDGE:
                group.add(other)
                queue.append(other)
    return group


def solve(cells: tuple[Cell, ...], evidence: GridEvidence) -> GridPart:
    """The best states of a group of cells, and their share of the probability of all."""
    if len(cells) == 1 and evidence.crosses[cells[0]] < -costs.CERTAIN_CELL:
        return GridPart(cells, ((GridState(frozenset(), ()), 1.0),))
    states = _by_state(tile(candidates_for(cells, evidence)), cells)
    ranked = [(state, sum(each.probability for each in alike)) for state, alike in states.items()]
    ranked.sort(key=lambda entry: -entry[1])
    best = states[ranked[0][0]][0]
    rule_cost = sum(piece.rule_cost for piece in best.pieces)
    is_vague = ranked[0][1] < costs.MIN_BEST_STATE
    regret = best.regret - rule_cost
    return GridPart(cells, tuple(ranked), regret, is_vague)


def _lone_cell(cell: Cell, logit: float) -> GridPart:
    crossed = GridState(frozenset([cell]), ())
    empty = GridState(frozenset(), ())
    probability = 1 / (1 + np.exp(-logit))
    states = [(crossed, float(probability)), (empty, float(1 - probability))]
    states.sort(key=lambda entry: -entry[1])
    return GridPart((cell,), tuple(states))


def _by_state(tilings: Iterable[Tiling], cells: tuple[Cell, ...]) -> dict[GridState, list[Tiling]]:
    """The tilings by state: several tilings can have the same loose crosses."""
    states: dict[GridState, list[Tiling]] = {}
    for tiling in tilings:
        states.setdefault(_grid_state(tiling.pieces, cells), []).append(tiling)
    return states


def _grid_state(pieces: Cover, cells: tuple[Cell, ...]) -> GridState:
    blocks = [
        (piece, frozenset(cells[place] for place in piece.places))
        for piece in pieces
        if piece.label is not Label.EMPTY
    ]
    whole = (block for piece, block in blocks if piece.label is Label.OUTLINED and not piece.is_cut)
    return GridState(
        frozenset().union(*(block for _, block in blocks)),
        tuple(whole),
        cut=frozenset().union(*(block for piece, block in blocks if piece.is_cut)),
    )


def _with_rings(part: GridPart, evidence: GridEvidence) -> GridPart:
    """The part's states divided by the rings that their marked cells can bear."""
    if evidence.rings is None:
        return part
    states = [
        (replace(state, ringed=rings), probability * share)
        for state, probability in part.states
        for loose in [state.crossed.difference(*state.blocks)]
        for rings, share in ring_states(_marked(state), loose, evidence.rings)
    ]
    best = max(probability for _, probability in states)
    likely = [entry for entry in states if entry[1] > best * exp(-costs.MAX_EXTRA_REGRET)]
    return replace(part, states=costs.ranked(likely))


def _marked(state: GridState) -> list[frozenset[Cell]]:
    """The blocks all of whose cells the state itself marks."""
    return [block for block in state.blocks if block <= state.crossed]


# --- parts that break a rule ---------------------------------------------------------------------


def _joined_over_misread_lines(parts: list[GridPart], evidence: GridEvidence) -> list[GridPart]:
    """The parts, with each part that breaks a rule joined to a neighbour if that mends it.

    A line that looks certain may still be print. Misreading it costs more than an uncertain line,
    but less than the rules that are broken by a block which it cuts in two. (The blocks of a part
    that contradicts its evidence prove nothing, alone or joined.)
    """
    unsound = [
        part
        for part in parts
        if not part.is_contradicted and _broken(part.states[0][0], evidence.shapes)
    ]
    is_few = len(unsound) <= costs.FEW_UNSOUND_PARTS
    max_cells = costs.MAX_JOINED_CELLS if is_few else costs.MAX_JOINED_CELLS_OF_MANY
    for part in sorted(unsound, key=lambda part: len(part.cells)):
        others = [each for each in parts if each is not part]
        if len(others) == len(parts):  # already joined to another part
            continue
        alone = _soundness(part, evidence)
        joined = [
            (_soundness(both, evidence) - alone * _soundness(beside, evidence), beside, both)
            for beside in _beside(part, others, max_cells, evidence)
            for both in [solve(tuple(sorted(part.cells + beside.cells)), evidence)]
        ]
        gained, beside, both = max(joined, key=lambda each: each[0], default=(0.0, part, part))
        if gained > 0:
            parts = [each for each in others if each is not beside] + [both]
    return parts


def _beside(
    part: GridPart, others: Sequence[GridPart], max_cells: int, evidence: GridEvidence
) -> list[GridPart]:
    """Neighbours of a part, those behind the least sure lines first.

    max_cells: of both parts together.
    """

    def line(other: GridPart) -> float:
        between = [
            evidence.edge(cell, beyond)
            for cell in part.cells
            for beyond in evidence.neighbours(cell)
            if beyond in other.cells and evidence.crosses[beyond] >= -costs.CERTAIN_CELL
        ]
        return min(between, default=inf)

    small = (each for each in others if len(part.cells) + len(each.cells) <= max_cells)
    near = sorted(((line(each), each) for each in small), key=lambda entry: entry[0])
    return [each for weakest, each in near[: costs.MAX_JOINED_PARTS] if weakest < inf]


def _broken(state: GridState, shapes: Collection[Shape]) -> int:
    """How many rules are broken: outlined groups of no known shape, and crosses in no block."""
    odd = sum(shape_of(block) not in shapes for block in state.blocks)
    return odd + (state.crossed != state.cut.union(*state.blocks))


def less_sure_of_rules(part: GridPart, shapes: Collection[Shape]) -> GridPart:
    """The part as if rules were broken more often: states that break more than the best one count.

    A rule costs half. Of 127 photos of sheets, 54 with a fault (seeds 26001, 26002), two totals
    were wrong and sure at the whole cost, none at half; one sheet less was sure.
    """
    least, half = _broken(part.states[0][0], shapes), costs.BROKEN_RULE / 2
    weights = [p * exp(half * max(0, _broken(state, shapes) - least)) for state, p in part.states]
    states = [(state, w / sum(weights)) for (state, _), w in zip(part.states, weights, strict=True)]
    return replace(part, states=(states[0], *sorted(states[1:], key=lambda entry: -entry[1])))


def _soundness(part: GridPart, evidence: GridEvidence) -> float:
    """Probability 0 to 1 that a part breaks no rule."""
    return sum(
        probability for state, probability in part.states if not _broken(state, evidence.shapes)
    )


# --- parts whose states do not say enough --------------------------------------------------------


def _trusted(part: GridPart, evidence: GridEvidence) -> list[GridPart]:
    """The part; if its blocks contradict the evidence, its cells, each read on its own.

    The states of such a part are a small sample of many near-optimal ones, with crosses moved to
    fit blocks, and would make wrong crosses look certain. Blocks that moved no cross are kept.
    """
    if not part.is_contradicted:
        return [part]
    cells = [_lone_cell(cell, float(evidence.crosses[cell])) for cell in part.cells]
    crossed = frozenset[Cell]().union(*(cell.states[0][0].crossed for cell in cells))
    best, probability = part.states[0]
    blocks = tuple(block for block in best.blocks if block <= crossed)
    lines = GridPart((), ((GridState(frozenset(), blocks), probability),))
    return [replace(each, regret=part.regret) for each in (*cells, lines)]
