"""States of the bars of a Brikks sheet: energy, extra points and bombs.

Costs and thresholds of what only Brikks has, its energy above all; see `infer.costs`.

Units and sources are the same as there: natural log-odds, and chosen by hand unless a line says
otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks.reading import BOMBS, BOXES, RINGS, STRIKES
from brikks_vision.infer.costs import (
    ANSWERED,
    BROKEN_COUNT,
    CERTAIN_CELL,
    IMPOSSIBLE,
    MAX_BAR_STATES,
    MAX_EXTRA_REGRET,
    filled_states,
    loss,
    probable,
    ways_to_fill,
)
from brikks_vision.infer.grid import NOTHING_HIDDEN, Hidden
from brikks_vision.rules.brikks.blocks import Energy, SheetState, blank_sheet
from brikks_vision.rules.brikks.counts import allowed_bars, mark_readings
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import Setting, Sheet, Variant

BROKEN_ENERGY_ORDER = 2.5
"""Cost of an energy bar that is not circled in its order. It bears more marks than the other bars,
so that a slip is more probable. At 3.5, 7 of 18 planted gaps were named, at 2.5 11 of them, and of
180 legal sheets none was accused of one."""

UNUSUAL_ORDER = 3.5
"""Cost of an energy point crossed out before one to its left: legal, but players rarely do so."""

MIN_SURE_BLOCKS = 0.7
"""Probability of a part's crosses from which on rows are counted by them."""

MIN_SURE_COLORS = 0.9
"""The same where energy is counted, which also depends on the blocks' colours."""


Mark = TypeVar("Mark")

OPEN, CIRCLED, USED = range(3)
"""Columns of the losses of energy points."""

POINT_STATES = (Energy.OPEN, Energy.CIRCLED, Energy.USED)
"""What the columns mean."""


@dataclass(frozen=True)
class BarState:
    """One state of everything beside the grid."""

    energy: tuple[Energy, ...]
    bonus: tuple[bool, ...]
    bombs: tuple[bool, ...]


def with_bar_state(grid: SheetState, bar: BarState) -> SheetState:
    """The sheet with other bars."""
    return replace(grid, energy=bar.energy, bonus=bar.bonus, bombs=bar.bombs)


@dataclass(frozen=True)
class CountCosts:
    """The cost of numbers of activated points and extra crosses that the grid does not allow.

    allowed: by the number of activated points, the numbers of extra crosses.
    """

    allowed: Mapping[int, frozenset[int]]
    cost: float

    def of(self, activated: Iterable[int], crosses: int) -> float:
        """``activated``: every number of points that the bar can mean."""
        fits = any(crosses in self.allowed.get(count, frozenset()) for count in activated)
        return 0.0 if fits else self.cost


def count_costs(grid: SheetState, sure: float, games: Sequence[Setting]) -> CountCosts:
    """Costs given the most probable grid and its probability ``sure``, 0 to 1."""
    boxes = len(grid.sheet.bonus_values)
    plain = [game for game in games if game.variant is not Variant.DUEL]
    allowed = allowed_bars(grid, plain)
    if len(plain) < len(games) and (not plain or _has_mini_block(grid)):
        duels = [game for game in games if game.variant is Variant.DUEL]
        for activated in allowed_bars(grid, duels):
            allowed[activated] = frozenset(range(boxes + 1))
    return CountCosts(allowed, -float(np.log(1 - sure + sure * np.exp(-BROKEN_COUNT))))


def _has_mini_block(grid: SheetState) -> bool:
    return any(len(block) == 1 for block in grid.blocks)


def bar_states(
    marks: Marks, sheet: Sheet, costs: CountCosts, hidden: Hidden = NOTHING_HIDDEN
) -> tuple[tuple[BarState, float], ...]:
    """States of energy, extra points and bombs together, most probable first.

    Of the places that show; hidden ones are as these make them, see `as_seen`.
    """
    energy = energy_states(marks, sheet, hidden.of("energy"))
    boxes = _filled(marks[BOXES], len(sheet.bonus_values) - 1, hidden.of("box"))
    bombs = _struck_alike(marks[BOMBS], hidden.of("bomb"))
    activated = {
        points: mark_readings(tuple(mark is not Energy.OPEN for mark in points))
        for points, _ in energy
    }
    counted = [
        (
            points_loss + crosses_loss + costs.of(activated[points], sum(crosses)),
            points,
            crosses,
        )
        for (points, points_loss), (crosses, crosses_loss) in product(energy, boxes)
    ]
    counted.sort(key=lambda entry: entry[0])
    joined = [
        (BarState(points, crosses, used), so_far + used_loss)
        for (so_far, points, crosses), (used, used_loss) in product(counted[:MAX_BAR_STATES], bombs)
    ]
    joined.sort(key=lambda entry: entry[1])
    likely = probable(joined[:MAX_BAR_STATES])
    return tuple((as_seen(state, hidden), probability) for state, probability in likely)


def _filled(
    logits: NDArray[np.float64], max_marks: int, hidden: frozenset[int]
) -> list[tuple[tuple[bool, ...], float]]:
    """As `filled_states`, of the places that show; hidden ones are not marked."""
    seen = _seen(len(logits), hidden)
    return [
        (_among(marked, seen, len(logits), False), loss)
        for marked, loss in filled_states(logits[seen], sum(at < max_marks for at in seen))
    ]


def _struck_alike(
    logits: NDArray[np.float64], hidden: frozenset[int]
) -> list[tuple[tuple[bool, ...], float]]:
    """As `_filled`, of bombs: one pen on one dark print either shows on all of them or on none.

    So further crosses, which must begin where the others end, are as probable as the likeliest of
    them is by itself, however many bombs show no stroke; unless somebody said that one is open.
    """
    states = _filled(logits, len(logits), hidden)
    best, least = states[0]
    known = dict(states)
    further = [at for at in _seen(len(logits), hidden) if not best[at]]
    for count in range(1, len(further) + 1):
        added = further[:count]
        marked = tuple(mark or at in added for at, mark in enumerate(best))
        against = [-float(logits[at]) for at in added]
        if max(against) < ANSWERED:
            known[marked] = min(known.get(marked, np.inf), least + max(0.0, min(against)))
    return sorted(known.items(), key=lambda entry: entry[1])


def _seen(places: int, hidden: frozenset[int]) -> list[int]:
    return [at for at in range(places) if at not in hidden]


def _among(
    marks: Sequence[Mark], seen: Sequence[int], places: int, empty: Mark
) -> tuple[Mark, ...]:
    """The marks of the places that show among all of a bar."""
    by_place = dict(zip(seen, marks, strict=True))
    return tuple(by_place.get(at, empty) for at in range(places))


def energy_states(
    marks: Marks, sheet: Sheet, hidden: frozenset[int] = frozenset()
) -> list[tuple[tuple[Energy, ...], float]]:
    """States of the energy bar and their losses (negative log-odds), best first.

    Considered are: energy circled from the left and crossed out from the left; crossed out
    anywhere; and the evidence as it stands. One hand's strokes are misread together: where no
    stroke is clear, the states in which all circled points are crossed out, or no crossed out one
    is, cost the mean of the single misreadings, not their sum. (On 480 simulated photos this
    occurred 9 times; the mean predicts 4 times, the sum 0.4.) Hidden points are left out, and open.
    """
    seen = _seen(sheet.energy_points, hidden)
    losses = _point_losses(marks, sheet)[seen]
    printed = sum(at in sheet.preprinted for at in seen)
    found: dict[tuple[int, ...], float] = {}

    each_loss: list[list[float]] = losses.tolist()
    points = len(each_loss)

    def add(marks: Sequence[int], cost: float) -> None:
        key = tuple(marks)
        whole = cost + sum([of[mark] for of, mark in zip(each_loss, key, strict=True)])
        found[key] = min(whole, found.get(key, np.inf))

    until = np.concatenate([np.zeros((1, 3)), losses.cumsum(axis=0)])  # the first points' losses
    used = until[:, None, USED]
    both = used + until[None, :, CIRCLED] - until[:, None, CIRCLED]
    in_order = both + until[-1, OPEN] - until[None, :, OPEN]  # by the points used and activated
    in_order[np.tri(len(in_order), k=-1, dtype=bool)] = IMPOSSIBLE  # more used than activated
    in_order[:, :printed] = IMPOSSIBLE
    lowest = in_order.min()
    for spent, activated in np.argwhere(in_order < lowest + MAX_EXTRA_REGRET).tolist():
        left = [CIRCLED] * (activated - spent)
        add([USED] * spent + left + [OPEN] * (points - max(spent, activated)), 0.0)
    either = [USED if of[USED] < of[CIRCLED] else CIRCLED for of in each_loss]
    for activated in range(printed, points + 1):
        add(
            either[:activated] + [OPEN] * (points - activated),
            _unusual_cost(either[:activated]),
        )
    best = list(min(found.items(), key=lambda entry: entry[1])[0])
    for point, mark in enumerate(best):  # single points with their other state
        if mark != OPEN:
            other = best.copy()
            other[point] = USED if mark == CIRCLED else CIRCLED
            add(other, _unusual_cost([mark for at, mark in enumerate(other) if best[at] != OPEN]))
    as_it_stands: list[int] = losses.argmin(axis=1).tolist()
    if tuple(as_it_stands) not in found:
        activated_marks = [mark for mark in as_it_stands if mark != OPEN]
        add(as_it_stands, BROKEN_ENERGY_ORDER + _unusual_cost(activated_marks))
    chosen = np.array(best, np.int64)
    for turned, into in (
        (chosen == CIRCLED, USED),
        ((chosen == USED) & (np.arange(points) >= printed), CIRCLED),
    ):
        dearer = losses[turned, into] - losses[turned, chosen[turned]]
        # all strokes of a hand misread alike, where none of them is clear
        if turned.any() and dearer.max() < CERTAIN_CELL:
            key = tuple(np.where(turned, into, chosen).tolist())
            whole = found[tuple(best)] + max(0.0, float(dearer.mean()))
            found[key] = min(whole, found.get(key, np.inf))
    ranked = sorted(found.items(), key=lambda entry: entry[1])[:MAX_BAR_STATES]
    return [
        (
            _among([POINT_STATES[mark] for mark in points], seen, sheet.energy_points, Energy.OPEN),
            whole,
        )
        for points, whole in ranked
        if whole < ranked[0][1] + MAX_EXTRA_REGRET
    ]


def _point_losses(marks: Marks, sheet: Sheet) -> NDArray[np.float64]:
    """Negative log probability of each point's states: (points, 3)."""
    rows = []
    for point, (ring, strike) in enumerate(
        zip(marks[RINGS].tolist(), marks[STRIKES].tolist(), strict=True)
    ):
        # players who cross out do not always circle first: a ring under a strike is no evidence
        struck, not_struck = loss(strike, True), loss(strike, False)
        if point in sheet.preprinted:
            rows.append([IMPOSSIBLE, not_struck, struck])
        else:
            ringed, blank = loss(ring, True), loss(ring, False)
            rows.append([not_struck + blank, not_struck + ringed, struck])
    return np.array(rows)


def _unusual_cost(activated: Sequence[int]) -> float:
    """The cost of crossing out a point while one to its left remains."""
    return UNUSUAL_ORDER if (CIRCLED, USED) in pairwise(activated) else 0.0


# --- what hidden places leave open ---------------------------------------------------------------


def as_seen(bar: BarState, hidden: Hidden) -> BarState:
    """The bars with the hidden places as the others make them; where these do not, unmarked."""
    return next(iter(_ways(bar, hidden)))


@lru_cache(256)
def range_of_bars(bar: BarState, hidden: Hidden, sheet: Sheet) -> tuple[int, int]:
    """The least and the most points of bars that are partly hidden."""
    blank = blank_sheet(sheet)
    totals = [score(replace(blank, **vars(way))).total for way in _ways(bar, hidden)]
    return min(totals), max(totals)


def _ways(bar: BarState, hidden: Hidden) -> Iterable[BarState]:
    """Bars with as many marks of each kind as are possible, those with the fewest first."""
    for energy, bonus, bombs in product(
        _ways_of_energy(bar.energy, hidden.of("energy")),
        ways_to_fill(bar.bonus, hidden.of("box")),
        ways_to_fill(bar.bombs, hidden.of("bomb")),
    ):
        yield BarState(energy, bonus, bombs)


def _ways_of_energy(
    points: tuple[Energy, ...], covered: frozenset[int]
) -> list[tuple[Energy, ...]]:
    """Those with the least points, what shows activated, and with the most.

    A hidden point that is activated may have been used.
    """
    if not covered:
        return [points]
    activated = ways_to_fill([point is not Energy.OPEN for point in points], covered)

    def filled(way: tuple[bool, ...], mark: Energy) -> tuple[Energy, ...]:
        return tuple(
            (mark if way[at] else Energy.OPEN) if at in covered else point
            for at, point in enumerate(points)
        )

    ways = (
        filled(activated[0], Energy.CIRCLED),
        filled(activated[0], Energy.USED),
        filled(activated[-1], Energy.CIRCLED),
    )
    return list(dict.fromkeys(ways))
