"""The most probable ways of laying pieces on cells, and the probability of all ways.

The cells are decided in reading order, those of a piece together, by dynamic programming over what
is left to be decided (the forward pass of a hidden Markov model, Rabiner 1989): that gives the
least regret of all ways, and the sum of their probabilities. The best ways are then found by
following the steps backwards, and others are drawn by their probability (Chib 1996).

Where very many ways have little more regret than the best, only the likeliest of them are followed:
then the probability of all is that of those.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import count
from math import exp, inf, log1p
from operator import attrgetter
from typing import NamedTuple

import numpy as np

LEAST = 9.0  # regret (log-odds) beyond the best up to which other ways are looked at
FEW_JUNCTIONS, MOST_JUNCTIONS = 8, 128  # that are followed from each cell
MOST_TRIED = 80_000  # junctions times pieces: where lines are hardly seen, fewer are followed
MOST_WAYS = 24  # that are found, and as many that are drawn
WELL_TOLD = 0.9  # share of the probability of all that the best ways tell without others


class Label(Enum):
    """What becomes of cells together: nothing, crosses without an outline, an outlined block."""

    EMPTY = auto()
    LOOSE = auto()
    OUTLINED = auto()


class Piece(NamedTuple):
    """Cells that get a label together.

    places: of the cells, the first one lowest; ``cells``: the same as bits. price: regret of this
    label for them; of that ``rule_price`` for a rule that it breaks. borders: edges to other cells:
    the other's bit, the regret if the edge must be inked, as beside an outlined block, and if it
    must not.
    """

    places: tuple[int, ...]
    cells: int
    label: Label
    price: float
    rule_price: float
    borders: tuple[tuple[int, float, float], ...]


Pieces = Sequence[Sequence[Piece]]
"""By their first cell; the first of each has no other cell, so that it always can be laid."""

Way = tuple[Piece, ...]


class Laying(NamedTuple):
    """A way of laying pieces so that each cell is in one, its probability 0 to 1 and its regret."""

    way: Way
    probability: float
    regret: float


class Laid(NamedTuple):
    """The likeliest ways of laying pieces, most probable first.

    log_mass: logarithm of the sum of exp(-regret) over all ways that were followed.
    """

    ways: tuple[Laying, ...]
    log_mass: float


def lay(pieces: Pieces) -> Laid:
    """The likeliest ways of laying pieces.

    A first search follows few ways. Where there are more, it tells how much regret is enough: a
    second one leaves out what is worse than that by more than `LEAST`. Where the best ways are much
    alike, others are drawn by their probability, to stand for the rest.
    """
    least = _least_regrets(pieces)
    steps = [[_step(piece, least) for piece in from_here] for from_here in pieces]
    beside = _beside_the_rest(pieces)
    start = Junction(0, 0, sum(least), -sum(least), [])
    end, is_all = _end(start, steps, beside, inf, FEW_JUNCTIONS)
    if not is_all:
        most = end.regret + LEAST
        likely = [
            [alone, *(step for step in others if start.regret + step.price <= most)]
            for alone, *others in steps
        ]
        followed = min(MOST_JUNCTIONS, MOST_TRIED // sum(map(len, likely)))
        end, _ = _end(start, likely, beside, most, max(FEW_JUNCTIONS, followed))
    best = _best_ways(end)
    shares = [exp(-regret - end.log_mass) for regret, _ in best]
    told = sum(shares)
    if told < WELL_TOLD:
        known = {way for _, way in best}
        drawn = {way: regret for regret, way in _drawn_ways(end) if way not in known}
        others = [(regret, way) for way, regret in drawn.items()]
        rest = max(0.0, 1 - told) / max(1, len(others))
        # one that stands for others like it is not likelier than the best itself
        shares += [min(shares[0], rest)] * len(others)
        best += others
    whole = sum(shares)
    found = [
        Laying(way, share / whole, regret)
        for (regret, way), share in zip(best, shares, strict=True)
    ]
    # equally probable ones stay in the order in which they were found
    ways = tuple(sorted(found, key=lambda laying: -laying.probability))
    return Laid(ways, end.log_mass)


class Step(NamedTuple):
    """A piece laid: for how much more than the least of its cells, but for its borders.

    inked: its cells, where it is an outlined block; the rest as in `Piece`.
    """

    price: float
    cells: int
    inked: int
    borders: tuple[tuple[int, float, float], ...]
    piece: Piece


def _step(piece: Piece, least: Sequence[float]) -> Step:
    price = piece.price - sum([least[at] for at in piece.places])
    inked = piece.cells if piece.label is Label.OUTLINED else 0
    return Step(price, piece.cells, inked, piece.borders, piece)


@dataclass(slots=True, eq=False)
class Junction:
    """All ways of deciding some cells that leave the same to be decided.

    decided: cells, and inked: those of them in outlined blocks that may have a neighbour to be
    decided, as bits. regret: of the best way, and the least of what is left. log_mass: logarithm of
    the sum of exp(-regret) over all ways. ways: the last steps to here: from where, with which
    piece, for how much more regret.
    """

    decided: int
    inked: int
    regret: float
    log_mass: float
    ways: list[tuple[Junction, Piece, float]]


def _end(
    start: Junction,
    steps: Sequence[Sequence[Step]],
    beside: Sequence[int],
    most: float,
    followed: int,
) -> tuple[Junction, bool]:
    """Where all ways end, but for those with more regret than ``most``.

    Then whether none can have been left out, for its regret or because others were better.

    steps: by their first cell; the first of each is always taken, so that some way leads on. From
    each cell only the best ``followed`` junctions are followed. beside: see `_beside_the_rest`.
    """
    waiting: list[dict[tuple[int, int], Junction]] = [{} for _ in range(len(steps) + 1)]
    waiting[0][0, 0] = start
    # by next cell: negated regrets of the best junctions so far, the worst of them first
    known = [[-most] * followed for _ in waiting]
    for junctions, from_here in zip(waiting, steps, strict=False):
        alone = from_here[0]
        for before in heapq.nsmallest(followed, junctions.values(), key=_regret):
            done, so_far = before.decided, before.regret
            for step in from_here:
                price, cells, outlined, borders, piece = step
                if cells & done:
                    continue
                decided = done | cells
                next_cell = (~decided & decided + 1).bit_length() - 1
                room = -known[next_cell][0] - so_far if step is not alone else inf
                if price > room:
                    continue
                # beside an outlined block, and beside a block that is there, edges must be inked
                must_be_inked = done if outlined else before.inked
                for other, missing, extra in borders:
                    if other & must_be_inked:
                        price += missing
                    elif other & done:
                        price += extra
                if price > room:
                    continue
                regret, log_mass = so_far + price, before.log_mass - price
                inked = (before.inked | outlined) & beside[next_cell]
                junction = waiting[next_cell].get((decided, inked))
                if junction is None:
                    ways = [(before, piece, price)]
                    new = Junction(decided, inked, regret, log_mass, ways)
                    waiting[next_cell][decided, inked] = new
                    heapq.heappushpop(known[next_cell], -regret)
                else:
                    junction.regret = min(junction.regret, regret)
                    junction.log_mass = _log_of_sum(junction.log_mass, log_mass)
                    junction.ways.append((before, piece, price))
    (end,) = waiting[-1].values()
    return end, most == inf and all(len(junctions) < followed for junctions in waiting)


_regret = attrgetter("regret")


def _log_of_sum(a: float, b: float) -> float:
    """log(exp(a) + exp(b))."""
    return a + log1p(exp(b - a)) if a > b else b + log1p(exp(a - b))


def _least_regrets(pieces: Pieces) -> list[float]:
    """What each cell adds to the regret at least, whatever becomes of it.

    A piece's own regret is shared by its cells: its price, and half of that of ink missing around
    it, as another block may be on the other side.
    """
    least = [inf] * len(pieces)
    for piece in (piece for each in pieces for piece in each):
        regret = piece.price
        if piece.label is Label.OUTLINED:
            regret += 0.5 * sum([missing for _, missing, _ in piece.borders])
        share = regret / len(piece.places)
        for place in piece.places:
            if share < least[place]:
                least[place] = share
    return least


def _beside_the_rest(pieces: Pieces) -> list[int]:
    """By the first cell that is left: cells, as bits, that may have a neighbour to be decided."""
    neighbours = [sum(other for other, _, _ in from_here[0].borders) for from_here in pieces]
    everything = (1 << len(pieces)) - 1
    return [
        (everything >> first << first)
        | sum(1 << place for place in range(first) if neighbours[place] >> first)
        for first in range(len(pieces) + 1)
    ]


def _best_ways(end: Junction) -> list[tuple[float, Way]]:
    """The best ways to a junction with their regret: best-first, as what is least is known."""
    found: list[tuple[float, Way]] = []
    tie = count(0, -1)  # of equal ones the last, which is nearest to an end
    # regret of the whole way, tie, where it comes from, regret from there on, pieces from there on
    heap: list[tuple[float, int, Junction, float, Way]] = [(end.regret, next(tie), end, 0.0, ())]
    while heap and len(found) < MOST_WAYS:
        regret, _, junction, after, way = heapq.heappop(heap)
        if not junction.ways:
            found.append((regret, way))
            continue
        for before, piece, price in junction.ways:
            whole = before.regret + price + after
            if whole <= end.regret + LEAST:
                heapq.heappush(heap, (whole, next(tie), before, price + after, (piece, *way)))
    return found


def _drawn_ways(end: Junction) -> list[tuple[float, Way]]:
    """Ways to a junction with their regret, each step drawn by its share of those there.

    The same at every call.
    """
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(MOST_WAYS):
        junction = end
        way: Way = ()
        after = 0.0
        while junction.ways:
            logs = np.array([before.log_mass - price for before, _, price in junction.ways])
            weights = np.exp(logs - logs.max()).cumsum()
            at = int(np.searchsorted(weights, rng.uniform(0, weights[-1])))
            junction, piece, price = junction.ways[min(at, len(weights) - 1)]
            way, after = (piece, *way), after + price
        drawn.append((junction.regret + after, way))
    return drawn
