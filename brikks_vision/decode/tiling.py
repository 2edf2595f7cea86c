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
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import count
from math import exp, inf, log1p
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from brikks_vision.decode.draws import uniform_draws
from brikks_vision.decode.prices import (
    MAX_BEAM,
    MAX_BOUNDED_EXPANSIONS,
    MAX_EXPANSIONS,
    MAX_EXTRA_REGRET,
    MAX_TILINGS,
    MIN_BEAM,
    MIN_COVERAGE,
)


class Label(Enum):
    """State of the cells of a piece: empty, crossed without an outline, an outlined block."""

    EMPTY = auto()
    LOOSE = auto()
    OUTLINED = auto()


class Piece(NamedTuple):
    """A candidate: cells that get one label together.

    places: indices of the cells, the lowest first. cells: the same as a bit mask. price: regret of
    the label, including ``rule_price`` for a rule that it breaks. borders: edges to other cells:
    the bit of the other cell, the regret if the edge must be inked (beside an outlined block), and
    the regret if it must not. is_cut: whether something hides other cells of the block.
    """

    places: tuple[int, ...]
    cells: int
    label: Label
    price: float
    rule_price: float
    borders: tuple[tuple[int, float, float], ...]
    is_cut: bool = False


Candidates = Sequence[Sequence[Piece]]
"""Candidates by their first cell. The first of each has no other cell, so that it always fits."""

Cover = tuple[Piece, ...]
"""Candidates that cover each cell exactly once."""


class Tiling(NamedTuple):
    """A cover, its probability 0 to 1, and its regret in log-odds."""

    pieces: Cover
    probability: float
    regret: float


class Tilings(NamedTuple):
    """The most probable tilings, best first.

    log_mass: logarithm of the sum of exp(-regret) over all tilings that were followed.
    """

    best: tuple[Tiling, ...]
    log_mass: float


def tile(candidates: Candidates, max_regret: float = inf) -> Tilings:
    """The most probable tilings; none where all of them exceed ``max_regret``.

    Where no bound is known, a first search has a narrow beam. If the beam left anything out, the
    regret that it found bounds a second search with a wider beam, which prunes what exceeds it by
    more than `MAX_EXTRA_REGRET`. If the best tilings have too little of the mass, others are
    sampled to stand for the rest.
    """
    least = _least_regrets(candidates)
    steps = [[_step(piece, least) for piece in from_here] for from_here in candidates]
    beside = _beside_open_cells(candidates)
    start = Node(0, 0, sum(least), -sum(least), [])
    is_all, bound = False, max_regret
    if bound == inf:
        end, is_all = _end(start, steps, beside, inf, MIN_BEAM)
        bound = end.regret + MAX_EXTRA_REGRET
    if not is_all:
        likely = [
            [alone, *(step for step in others if start.regret + step.price <= bound)]
            for alone, *others in steps
        ]
        expansions = MAX_EXPANSIONS if max_regret == inf else MAX_BOUNDED_EXPANSIONS
        beam = min(MAX_BEAM, expansions // sum(map(len, likely)))
        end, _ = _end(start, likely, beside, bound, max(MIN_BEAM, beam))
    if end.regret > max_regret:
        return Tilings((), -inf)
    best = _best_tilings(end)
    shares = [exp(-regret - end.log_mass) for regret, _ in best]
    coverage = sum(shares)
    if coverage < MIN_COVERAGE:
        known = {cover for _, cover in best}
        sampled = {cover: regret for regret, cover in _sampled_tilings(end) if cover not in known}
        others = [(regret, cover) for cover, regret in sampled.items()]
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
    tilings = tuple(sorted(found, key=lambda tiling: -tiling.probability))
    return Tilings(tilings, end.log_mass)


class Step(NamedTuple):
    """The step of placing a piece.

    price: how much its own price exceeds the least regrets of its cells. Half of the price of
    evidence that is missing around an outlined block is paid when the block is placed, and the
    other half with what lies beyond, which may be another block. inked: its cells, if it is an
    outlined block. The rest is as in `Piece`.
    """

    price: float
    cells: int
    inked: int
    borders: tuple[tuple[int, float, float], ...]
    piece: Piece


def _step(piece: Piece, least: Sequence[float]) -> Step:
    price = piece.price - sum([least[at] for at in piece.places])
    inked = 0
    if piece.label is Label.OUTLINED:
        inked = piece.cells
        price += 0.5 * sum([missing for _, missing, _ in piece.borders])
    return Step(price, piece.cells, inked, piece.borders, piece)


@dataclass(slots=True, eq=False)
class Node:
    """A state of the dynamic program: all partial tilings that leave the same cells open.

    decided: bit mask of the decided cells. inked: those of them that lie in outlined blocks and may
    have an open neighbour. regret: of the best partial tiling, plus the least regret of the open
    cells. log_mass: logarithm of the sum of exp(-regret) over all partial tilings. arrivals: the
    last steps to this node: the node before, the piece, and the regret that it added.
    """

    decided: int
    inked: int
    regret: float
    log_mass: float
    arrivals: list[tuple[Node, Piece, float]]


def _end(
    start: Node,
    steps: Sequence[Sequence[Step]],
    beside: Sequence[int],
    max_regret: float,
    beam: int,
) -> tuple[Node, bool]:
    """The final node of a beam search, and whether the search left nothing out.

    steps: by their first cell. The first of each is always taken, so that no node is a dead end.
    beside: see `_beside_open_cells`. max_regret: steps that exceed it are pruned. beam: number of
    nodes that are expanded at each cell.
    """
    waiting: list[dict[tuple[int, int], Node]] = [{} for _ in range(len(steps) + 1)]
    waiting[0][0, 0] = start
    # by next cell: a heap of the negated regrets of the best nodes so far, the worst on top
    known = [[-max_regret] * beam for _ in waiting]
    is_all = max_regret == inf
    for nodes, from_here in zip(waiting, steps, strict=False):
        is_all = is_all and len(nodes) < beam
        lone = from_here[0].piece
        prices = sorted([step.price for step in from_here[1:]])
        cheap = from_here  # enough for the nodes that are left, the worst of which come last
        for before in heapq.nsmallest(beam, nodes.values(), key=_regret):
            done, so_far, outlined_before = before.decided, before.regret, before.inked
            bare, mass = done & ~outlined_before, before.log_mass
            if 2 * bisect_right(prices, max_regret - so_far) < len(cheap) - 1:
                dearest = max_regret - so_far
                cheap = [cheap[0], *[step for step in cheap[1:] if step.price <= dearest]]
            for price, cells, outlined, borders, piece in cheap:
                if cells & done:
                    continue
                decided = done | cells
                next_cell = (~decided & decided + 1).bit_length() - 1
                room = -known[next_cell][0] - so_far if piece is not lone else inf
                if price > room:
                    continue
                # an edge must be inked if an outlined block lies on either side of it
                if outlined:
                    for other, missing, _ in borders:
                        if other & bare:
                            price += 0.5 * missing
                else:
                    for other, missing, extra in borders:
                        if other & done:
                            price += 0.5 * missing if other & outlined_before else extra
                if price > room:
                    continue
                regret, log_mass = so_far + price, mass - price
                inked = (outlined_before | outlined) & beside[next_cell]
                node = waiting[next_cell].get((decided, inked))
                if node is None:
                    arrivals = [(before, piece, price)]
                    new = Node(decided, inked, regret, log_mass, arrivals)
                    waiting[next_cell][decided, inked] = new
                    heapq.heappushpop(known[next_cell], -regret)
                else:
                    node.regret = min(node.regret, regret)
                    node.log_mass = _log_of_sum(node.log_mass, log_mass)
                    node.arrivals.append((before, piece, price))
        nodes.clear()  # those that led on are kept by the nodes they led to
    (end,) = waiting[-1].values()
    return end, is_all


_regret = attrgetter("regret")


def _log_of_sum(a: float, b: float) -> float:
    """log(exp(a) + exp(b))."""
    return a + log1p(exp(b - a)) if a > b else b + log1p(exp(a - b))


def _least_regrets(candidates: Candidates) -> list[float]:
    """A lower bound of what each cell adds to the regret, whatever its state.

    The regret of a piece is shared equally by its cells: its price, and half of the price of
    evidence that is missing around it, as another block may lie on the other side.
    """
    least = [inf] * len(candidates)
    for piece in (piece for each in candidates for piece in each):
        regret = piece.price
        if piece.label is Label.OUTLINED:
            regret += 0.5 * sum([missing for _, missing, _ in piece.borders])
        share = regret / len(piece.places)
        for place in piece.places:
            if share < least[place]:
                least[place] = share
    return least


def _beside_open_cells(candidates: Candidates) -> list[int]:
    """By the first open cell: bit mask of the cells that may have an open neighbour."""
    neighbours = [sum(other for other, _, _ in from_here[0].borders) for from_here in candidates]
    everything = (1 << len(candidates)) - 1
    return [
        (everything >> first << first)
        | sum(1 << place for place in range(first) if neighbours[place] >> first)
        for first in range(len(candidates) + 1)
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
        for before, piece, price in node.arrivals:
            whole = before.regret + price + after
            if whole <= end.regret + MAX_EXTRA_REGRET:
                heapq.heappush(heap, (whole, next(tie), before, price + after, (piece, *cover)))
    return found


def _sampled_tilings(end: Node) -> list[tuple[float, Cover]]:
    """Tilings and their regrets, sampled backwards from the final node by their probability.

    Every call gives the same sample.
    """
    draws = uniform_draws()
    sampled = []
    for _ in range(MAX_TILINGS):
        node = end
        cover: Cover = ()
        after = 0.0
        while node.arrivals:
            logs = np.array([before.log_mass - price for before, _, price in node.arrivals])
            weights = np.exp(logs - logs.max()).cumsum()
            at = int(np.searchsorted(weights, weights[-1] * next(draws)))
            node, piece, price = node.arrivals[min(at, len(weights) - 1)]
            cover, after = (piece, *cover), after + price
        sampled.append((node.regret + after, cover))
    return sampled
