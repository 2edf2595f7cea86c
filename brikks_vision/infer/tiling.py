"""Exact cover of a group of cells with candidate pieces: the best tilings and the mass of all.

The cells are decided in reading order, the cells of a piece together, by dynamic programming over
the set of cells that are still open (the forward pass of a hidden Markov model, Rabiner 1989). This
gives the least regret of all tilings and the sum of their probabilities. The best tilings are then
found by backtracking, best first, and others are sampled from the posterior (Chib 1996).

Where very many tilings are near-optimal, a beam keeps the search small: then the mass is that of
the tilings that pass through the beam.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import accumulate, count
from math import exp, inf, log1p
from operator import itemgetter
from typing import NamedTuple

from brikks_vision.infer.costs import (
    MAX_BEAM,
    MAX_EXPANSIONS,
    MAX_EXTRA_REGRET,
    MAX_TILINGS,
    MIN_BEAM,
    MIN_COVERAGE,
    MIN_EXTRA_REGRET,
    SHARING_ROUNDS,
    USUAL_GAP,
    uniform_draws,
)


class Label(Enum):
    """State of the cells of a piece: empty, crossed without an outline, an outlined block."""

    EMPTY = auto()
    LOOSE = auto()
    OUTLINED = auto()


class Piece(NamedTuple):
    """Cells that get one label together.

    places: indices of the cells, the lowest first. rule_cost: the part of its cost that is for a
    rule that it breaks. is_cut: whether something hides other cells of the block.
    """

    places: tuple[int, ...]
    label: Label
    rule_cost: float
    is_cut: bool = False


Border = tuple[int, float]
"""An edge to another cell: the bit of that cell, and what the edge adds to the regret."""


class Step(NamedTuple):
    """The step of placing a piece.

    cost: the regret that it adds, beyond the least regrets of its cells. Half of the cost of
    lines that are missing around an outlined block is paid when the block is placed, and the other
    half with what lies beyond, which may be another block. cells: of the piece, as bits. inked: the
    same if it is an outlined block, or 0. on_bare, on_inked: edges that add to the regret if the
    cell beyond is decided and lies in no outlined block, and if it lies in one.
    """

    cost: float
    cells: int
    inked: int
    on_bare: Sequence[Border]
    on_inked: Sequence[Border]
    piece: Piece


@dataclass(frozen=True, eq=False)
class Candidates:
    """The pieces that may cover the cells of a group.

    steps: by their first cell, with their whole costs; the first one covers no other cell.
    """

    steps: Sequence[Sequence[Step]]

    @cached_property
    def least(self) -> list[float]:
        """By cell, see `least_regrets`."""
        costs = [(step.piece.places, step.cost) for each in self.steps for step in each]
        return least_regrets(costs, len(self.steps))

    def within(self, excess: float) -> list[list[Step]]:
        """By their first cell, the steps whose cost is no higher than ``excess``, cheapest first.

        Before them is one that covers no other cell, whatever its cost, so that no search ends
        before all cells are covered. Costs are those beyond the least of the cells.
        """
        return [
            [alone, *sorted([step for step in others if step.cost <= excess], key=_first)]
            for alone, *others in (map(self._beyond_least, each) for each in self.steps)
        ]

    def _beyond_least(self, step: Step) -> Step:
        return step._replace(cost=step.cost - sum(self.least[at] for at in step.piece.places))


Cover = tuple[Piece, ...]
"""Candidates that cover each cell exactly once."""


class Tiling(NamedTuple):
    """A cover, its probability 0 to 1, and its regret in log-odds."""

    pieces: Cover
    probability: float
    regret: float


def tile(candidates: Candidates) -> list[Tiling]:
    """The most probable tilings, best first.

    A first search has a narrow beam, and is bounded by the least regret of the cells. If it left
    anything out that counts, the regret that it found bounds a second search with a wider beam,
    which prunes what exceeds it by more than `MAX_EXTRA_REGRET`. If the best tilings have too
    little of the mass, others are sampled to stand for the rest.
    """
    least = sum(candidates.least)
    narrow = least + MAX_EXTRA_REGRET + USUAL_GAP
    steps = candidates.within(narrow - least)
    end, is_all = _end(steps, least, narrow, MIN_BEAM)
    if not (is_all and end.regret + MIN_EXTRA_REGRET <= narrow):
        bound = end.regret + MAX_EXTRA_REGRET
        if bound > narrow:
            steps = candidates.within(bound - least)
        beam = min(MAX_BEAM, MAX_EXPANSIONS // sum(map(len, steps)))
        end, _ = _end(steps, least, bound, max(MIN_BEAM, beam))
    best = _best_tilings(end)
    shares = [exp(-regret - end.log_mass) for regret, _ in best]
    coverage = sum(shares)
    if coverage < MIN_COVERAGE:
        known = {_key(cover) for _, cover in best}
        sampled = {_key(cover): (regret, cover) for regret, cover in _sampled_tilings(end)}
        others = [entry for key, entry in sampled.items() if key not in known]
        rest = max(0.0, 1 - coverage) / max(1, len(others))
        # a sample that stands for others must not be more probable than the best tiling
        shares += [min(shares[0], rest)] * len(others)
        best += others
    whole = sum(shares)
    found = [
        Tiling(cover, share / whole, regret)
        for (regret, cover), share in zip(best, shares, strict=True)
    ]
    # equally probable ones stay in the order in which they were found
    return sorted(found, key=lambda tiling: -tiling.probability)


def _key(cover: Cover) -> tuple[int, ...]:
    """What tells covers of the same pieces apart, and is compared faster than these."""
    return tuple(map(id, cover))


Arrival = tuple[float, int, int, "Node", float, Piece]
"""A step to a node: the regret of the best partial tiling with it, plus the least regret of the
open cells; the decided cells and those of them that lie in outlined blocks and may have an open
neighbour, as bits; the node before; the regret that the step added; and the piece."""


@dataclass(slots=True, eq=False)
class Node:
    """A state of the dynamic program: all partial tilings that leave the same cells open.

    regret: of the best partial tiling, plus the least regret of the open cells. log_mass: logarithm
    of the sum of exp(-regret) over all partial tilings. arrivals: the last steps to this node.
    """

    regret: float
    log_mass: float
    arrivals: list[Arrival]


def _end(
    steps: Sequence[Sequence[Step]], least: float, max_regret: float, beam: int
) -> tuple[Node, bool]:
    """The final node of a beam search, and whether it followed all tilings up to ``max_regret``.

    steps: see `Candidates`; those that exceed ``max_regret`` are pruned. least: regret of all
    cells. beam: number of nodes that are expanded at each cell.
    """
    beside = _beside_open_cells(steps)
    waiting: list[list[Arrival]] = [[] for _ in range(len(steps) + 1)]
    limits = [max_regret] * len(waiting)  # by next cell, of arrivals that may be among the best
    nodes = {(0, 0): Node(least, -least, [])}
    is_all = True
    for place, from_here in enumerate(steps):
        if place:
            nodes = _best_nodes(waiting[place], beam)
        is_all = is_all and len(nodes) < beam
        lone = from_here[0].cells
        for (done, inked_before), before in nodes.items():
            so_far, bare = before.regret, done & ~inked_before
            most = max_regret - so_far
            for cost, cells, inked, on_bare, on_inked, piece in from_here:
                if cells & done:
                    continue
                if cost > most and cells != lone:
                    break
                decided = done | cells
                next_cell = (~decided & decided + 1).bit_length() - 1
                room = limits[next_cell] - so_far if cells != lone else inf
                if cost > room:
                    continue
                for other, half in on_bare:
                    if other & bare:
                        cost += half
                for other, half in on_inked:
                    if other & inked_before:
                        cost += half
                if cost > room:
                    continue
                kept = (inked_before | inked) & beside[next_cell]
                arrivals = waiting[next_cell]
                arrivals.append((so_far + cost, decided, kept, before, cost, piece))
                if len(arrivals) > 4 * beam:
                    arrivals.sort(key=_first)
                    del arrivals[2 * beam :]  # some arrive at the same node
                    limits[next_cell] = arrivals[-1][0]
        waiting[place].clear()  # those that led on are kept by the nodes they led to
    (end,) = _best_nodes(waiting[-1], beam).values()
    return end, is_all


def _best_nodes(arrivals: list[Arrival], beam: int) -> dict[tuple[int, int], Node]:
    """The nodes with the least regret, best first, by their decided and inked cells."""
    arrivals.sort(key=_first)
    nodes: dict[tuple[int, int], Node] = {}
    for arrival in arrivals:
        regret, decided, inked, before, cost, _ = arrival
        node = nodes.get((decided, inked))
        log_mass = before.log_mass - cost
        if node is not None:
            node.log_mass = _log_of_sum(node.log_mass, log_mass)
            node.arrivals.append(arrival)
        elif len(nodes) < beam:
            nodes[decided, inked] = Node(regret, log_mass, [arrival])
    return nodes


_first = itemgetter(0)


def _log_of_sum(a: float, b: float) -> float:
    """log(exp(a) + exp(b))."""
    return a + log1p(exp(b - a)) if a > b else b + log1p(exp(a - b))


def least_regrets(costs: Sequence[tuple[Sequence[int], float]], cells: int) -> list[float]:
    """A lower bound of what each cell adds to the regret of a tiling.

    In every round each cell gets the least of the equal shares of what is left of the costs of
    the pieces that cover it. So no piece is ever cheaper than what its cells got together, and no
    tiling than all cells: what is given out is a solution of the dual of the linear program of
    exact covers.

    costs: by piece, its cells and its cost.
    """
    least = [0.0] * cells
    for _ in range(SHARING_ROUNDS):
        more = [inf] * cells
        for places, cost in costs:
            share = (cost - sum([least[place] for place in places])) / len(places)
            for place in places:
                more[place] = min(more[place], share)
        least = [sum(both) for both in zip(least, more, strict=True)]
    return least


def _beside_open_cells(steps: Sequence[Sequence[Step]]) -> list[int]:
    """By the first open cell: bit mask of the cells that may have an open neighbour."""
    alone = [from_here[0] for from_here in steps]
    neighbours = [sum([other for other, _ in (*one.on_bare, *one.on_inked)]) for one in alone]
    everything = (1 << len(steps)) - 1
    return [
        (everything >> first << first)
        | sum([1 << place for place in range(first) if neighbours[place] >> first])
        for first in range(len(steps) + 1)
    ]


def _best_tilings(end: Node) -> list[tuple[float, Cover]]:
    """The best tilings and their regrets, by best-first backtracking from the final node.

    The regret of every node is exact, which makes it a perfect heuristic.
    """
    found: list[tuple[float, Cover]] = []
    tie = count(0, -1)  # among equal entries the newest, which is nearest to the start
    # regret of the whole tiling, tie, node, regret after the node, pieces after the node
    heap: list[tuple[float, int, Node, float, Cover]] = [(end.regret, next(tie), end, 0.0, ())]
    while heap and len(found) < MAX_TILINGS:
        regret, _, node, after, cover = heapq.heappop(heap)
        if not node.arrivals:
            found.append((regret, cover))
            continue
        for _, _, _, before, cost, piece in node.arrivals:
            whole = before.regret + cost + after
            if whole <= end.regret + MAX_EXTRA_REGRET:
                heapq.heappush(heap, (whole, next(tie), before, cost + after, (piece, *cover)))
    return found


def _sampled_tilings(end: Node) -> list[tuple[float, Cover]]:
    """Tilings and their regrets, sampled backwards from the final node by their probability.

    Every call gives the same sample. The last steps are drawn one from each of equal strata.
    """
    draws = uniform_draws()
    sampled = []
    for stratum in range(MAX_TILINGS):
        draw = (stratum + next(draws)) / MAX_TILINGS
        node = end
        cover: Cover = ()
        after = 0.0
        while node.arrivals:
            shares = [exp(each[3].log_mass - each[4] - node.log_mass) for each in node.arrivals]
            until = [*accumulate(shares)]
            at = bisect_left(until, until[-1] * draw, hi=len(until) - 1)
            draw = next(draws)
            _, _, _, node, cost, piece = node.arrivals[at]
            cover, after = (piece, *cover), after + cost
        sampled.append((node.regret + after, cover))
    return sampled
