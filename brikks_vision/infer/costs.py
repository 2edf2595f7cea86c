"""Every cost, prior, threshold and limit of the decoder that no game has for itself.

A cost is added to the negative log probability of a state, in natural log-odds: 5.0 makes a state
about 150 times less probable. Unless a line says otherwise, a value was chosen by hand so that the
readings of simulated photos and of the fixtures kept their promise (a reading called "ok" has the
right total, and nobody is accused on doubtful evidence); no fit is recorded for it.

Beside them what every game's decoder shares: what a decoded sheet offers, random numbers that are
the same in every run (``numpy.random`` takes 9 ms and 7 MB), and bars that are filled in order.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from math import exp, log1p
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

# --- the evidence: log-odds of single marks -------------------------------------------------------

MAX_LOG_ODDS = 10.0
"""Log-odds of marks are clipped to +-this: no network is right more often than 22,000 to 1."""

ANSWERED = 100.0
"""Log-odds of a mark that a person answered: no cost outweighs it."""

EDGE_WEIGHT = 0.6
"""Factor on the log-odds of edges: lines drawn in one go are misread together, not independently.
"""

CERTAIN_CELL = 7.0
"""Log-odds beyond which a cell is certain; certainly empty cells separate groups of the grid."""

CERTAIN_EDGE = 4.2
"""Log-odds, after `EDGE_WEIGHT`, beyond which an edge is certain: `CERTAIN_CELL` x `EDGE_WEIGHT`.
"""

MIN_OUTLINED_SHARE = 0.15
"""Share of inked edges between crossed cells, or around them, above which the player drew
outlines. Without outlines every cell is read on its own."""

# --- the rules: what it costs to break one -------------------------------------------------------

BROKEN_RULE = 5.0
"""Cost of a broken rule at one place of the grid: a group that is no block, a missing outline."""

BROKEN_ORDER = 3.5
"""Cost of a row of places that is not marked in its order."""

BROKEN_COUNT = 4.0
"""Cost of a bar with another number of marks than the grid allows, if the grid is sure."""

IMPOSSIBLE = 1000.0
"""Cost of what the printed sheet excludes, such as a printed ring that is not there."""

CONTRADICTED_EXPONENT = 0.4
"""Exponent of the bars' probabilities where the bars contradict the rest of the sheet."""

RULED_OUT = 0.002
"""Probability up to which a state stays improbable, as its evidence excludes it: neither
contradicted bars nor a written figure make it more probable."""

# --- the search: tilings of a group of cells -----------------------------------------------------

MAX_EXTRA_REGRET = 9.0
"""States are pruned whose regret exceeds the best by more (log-odds): 1 in 8,000."""

MIN_EXTRA_REGRET = 7.0
"""The same where a search was bounded before the best state was known: 1 in 1,100. (Where the best
state exceeds the bound by less than the difference, no second search follows.)"""

USUAL_GAP = 1.0
"""By how much the best state usually exceeds the least regret of its cells, at most (log-odds)."""

SHARING_ROUNDS = 2
"""Rounds in which costs are shared by cells for that least regret; a third raises it by hardly
anything."""

MIN_BEAM, MAX_BEAM = 8, 128
"""Beam width: nodes that are expanded at each cell, in the first and in the second search."""

MAX_EXPANSIONS = 80_000
"""Nodes times candidates of one search. Where many lines are unclear, the beam is narrower."""

MAX_TILINGS = 24
"""Tilings that are found as the best, and again as many that are sampled."""

MIN_COVERAGE = 0.9
"""Share of the probability mass that the best tilings must have, or others are sampled as well."""

MAX_BLOCK_REGRET = 18.0
"""Log-odds given up for the crosses of one block, or for its lines, from which on it is no
candidate."""

MAX_PART_REGRET = 18.0
"""Log-odds given up by the best tiling of a group beyond which its blocks contradict the
evidence."""

MIN_BEST_STATE = 0.1
"""Probability of a part's best state below which its states are only a sample of many."""

MAX_RING_STATES = 64
"""Ways to put rings into the blocks of a part that are kept, the most probable first."""

MAX_JOINED_CELLS = 40
"""Cells of two parts that are solved together because one of them breaks a rule."""

MAX_JOINED_CELLS_OF_MANY = 16
"""The same where more than `FEW_UNSOUND_PARTS` parts break a rule, to bound the time."""

FEW_UNSOUND_PARTS = 2
"""See `MAX_JOINED_CELLS_OF_MANY`."""

MAX_JOINED_PARTS = 4
"""Parts that are tried with a part that breaks a rule, those behind the least sure lines first."""

# --- the search: bars and totals -----------------------------------------------------------------

MAX_BAR_STATES = 64
"""States of the bars that are kept, the most probable first."""

MAX_ROW_COUNTS = 1000
"""Combinations of the numbers of crosses in dependent rows that are kept."""

MIN_ROW_COUNT = 1e-7
"""Probability below which such a combination is dropped."""

# --- the player's own figures --------------------------------------------------------------------

CLEAR_FIGURE = 0.9
"""Probability of a figure above which it tells how well this player counts."""

MIN_SLIP_RATE, MAX_SLIP_RATE = 0.03, 0.7
"""Bounds of a player's rate of wrong figures beside the rows."""

PRIOR_SLIPS, PRIOR_FIGURES = 0.5, 1
"""The prior of that rate, as pseudo-counts of wrong figures and of figures."""

SETTLED_PART = 0.9999
"""Probability of a part's best state from which on figures do not weigh it again."""

TOTAL_SLIP_RATE = 0.1
"""Rate of wrong totals among players."""

OTHER_TOTALS = 40
"""Number of totals, about equally probable, that a wrong total may have."""

FIGURE_SLIP_PRIOR = 0.003
"""Prior of one particular wrong figure, relative to that of the right one."""

MIN_RIGHT_SHARE = 0.25
"""Minimum share of a figure's remaining probability that goes to the right value: a figure that
looks like no digit may be any."""

MIN_BOXED_SHARE = 0.01
"""The same of figures in boxes of any sheet: of 25 that are read wrongly with 0.9 and more, the
right value has a smaller share of the rest in two."""

MIN_RIGHT_FIGURE = 0.94
"""Probability from which on such a figure is held against the player, where its marks are sure."""

OTHER_FIGURES = 6
"""Values that such a figure may have if it is wrong, about equally probable: a slip in counting
gives one of the next ones."""

FIRST_DIGIT_OUTSIDE = 0.05
"""Probability that a figure has its first digit outside its field."""

MIN_TOLD_FIGURE = 0.5
"""Probability from which on a written figure is reported: one that differs from its marks is asked
about where a mark is not plain. Five kept evidences became open by it; all had a wrong total."""

# --- the reading: what is sure, asked and reported -----------------------------------------------

MAX_OTHER_TOTAL = 0.02
"""Probability of all other totals together up to which a reading is called "ok"."""

MIN_DOUBT_OF_TOTAL = 0.002
"""Probability from which on another state is named as a doubt, if it changes the total."""

MIN_OPEN_STATE = MIN_DOUBT_OF_TOTAL / 10
"""Probability from which on a state is asked about where the range would else be wider than what
the questions leave open: several improbable states together can make a total probable."""

MIN_DOUBT_OF_MARK = 0.05
"""Probability from which on another state is named as a doubt, if it leaves the total as it is."""

MAX_DOUBTS = 5
"""Doubts of one reading."""

MIN_UNREADABLE_CELL = 0.2
"""Probability of a cell's other state above which the cell is shown as "?"."""

MIN_TOLD_VIOLATION = 0.9
"""Probability from which on a violation is reported."""

MIN_TOLD_SLIP = 0.98
"""The same for a wrong figure: a sheet has a dozen of them, so that errors add up."""

MIN_SURE_ORDER = 1 - MAX_OTHER_TOTAL
"""Probability, by its own evidence, of each mark that proves an order broken: that of an "ok"
total."""

MIN_CERTAIN_MARK = 0.99
"""Probability from which on a mark is not supposed to be misread when marks are counted."""

MIN_MARK_PROBABILITY = 1e-6
"""Lower bound of a mark's probability, so that its log-odds stay finite."""

PLAIN_SHARE = 0.7
"""Share of the usual log-odds of places with the same print and mark from which on one is read
plainly; set by hand. A share, as log-odds of one size are plain in a small photo and no more than
a smudge in a large one."""

MIN_ALIKE = 3
"""Such places below which all with the same print are taken, whatever they bear."""

MIN_USUAL = 0.01
"""Lower bound of those usual log-odds, so that nothing is divided by none."""

MIN_STAIN_GAP = 3
"""Empty places before a single mark from which on the mark is more likely a stain than a slip."""

MAX_JUDGED = 60
"""Other states that are judged, the most probable first; the rest counts against every claim."""

JUDGED_PER_STEP = 6
"""States of these that are judged before it is checked whether a claim can still stand."""

# --- evidence of a reading whose own was not kept -------------------------------------------------

READ_LOG_ODDS = 9.0
"""Log-odds of a mark of which only the reading is known."""


State_co = TypeVar("State_co", bound=Hashable, covariant=True)
Thing = TypeVar("Thing")


class Decoded(Protocol[State_co]):
    """A decoded sheet: the most probable state, and the other states of each independent part."""

    @property
    def state(self) -> State_co:
        """The most probable state."""

    @property
    def totals(self) -> Mapping[int, float]:
        """Probability 0 to 1 of each total."""

    def other_states(self) -> Sequence[Sequence[tuple[float, State_co]]]:
        """For each part its other states and their probabilities, the rest at its best."""


# PCG XSL RR 128/64 (O'Neill 2014), as ``numpy.random.default_rng(0)`` begins
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
INCREMENT = 87136372517582989555478159403783844777
FIRST_STATE = 35399562948360463058890781895381311971


def uniform_draws() -> Iterator[float]:
    """Numbers from 0 to 1, those of ``numpy.random.default_rng(0)``; they do not end."""
    state, low = FIRST_STATE, (1 << 64) - 1
    while True:
        state = (state * MULTIPLIER + INCREMENT) & ((1 << 128) - 1)
        mixed, turn = (state >> 64 ^ state) & low, state >> 122
        turned = (mixed >> turn | mixed << 64 - turn) & low
        yield (turned >> 11) * 2.0**-53


def summed(entries: Iterable[tuple[Thing, float]]) -> dict[Thing, float]:
    """By thing its probability, those of the same one added."""
    found: dict[Thing, float] = {}
    for each, probability in entries:
        found[each] = found.get(each, 0.0) + probability
    return found


def ranked(weights: Iterable[tuple[Thing, float]]) -> tuple[tuple[Thing, float], ...]:
    """Probabilities in the proportions of weights, the most probable first."""
    entries = sorted(weights, key=lambda entry: -entry[1])
    whole = sum(weight for _, weight in entries)
    return tuple((each, weight / whole) for each, weight in entries)


def probable(losses: Iterable[tuple[Thing, float]]) -> tuple[tuple[Thing, float], ...]:
    """Probabilities instead of losses, as of `ranked`; what is very improbable is left out."""
    entries = [*losses]
    least = min(loss for _, loss in entries)
    return ranked(
        (each, exp(least - loss)) for each, loss in entries if loss < least + MAX_EXTRA_REGRET
    )


def loss(logit: float, marked: bool) -> float:
    """Negative log probability of a mark's state under its log-odds."""
    against = -logit if marked else logit
    return max(0.0, against) + log1p(exp(-abs(against)))


def ways_to_fill(marks: Sequence[bool], covered: Collection[int]) -> list[tuple[bool, ...]]:
    """The possible states of a bar with hidden places, fewest marks first.

    marks: of the others. A hidden place before a mark is marked, one behind an empty place is not;
    where the others leave a gap, any may be marked. Of several states with as many marks one is
    enough.
    """
    seen = [at for at in range(len(marks)) if at not in covered]
    marked = [at for at in seen if marks[at]]
    end = max(marked, default=-1)
    first_empty = next((at for at in seen if not marks[at]), len(marks))
    is_in_order = end < first_empty
    sure = {*marked, *(at for at in covered if at < end and is_in_order)}
    last = first_empty if is_in_order else len(marks)
    room = [at for at in sorted(covered) if at not in sure and at < last]
    filled = [sure | {*room[:count]} for count in range(len(room) + 1)]
    return [tuple(at in each for at in range(len(marks))) for each in filled]


def filled_states(
    logits: NDArray[np.float64], max_marks: int
) -> list[tuple[tuple[bool, ...], float]]:
    """States of a bar and their losses (negative log-odds), best first.

    Every length up to ``max_marks``; and where the evidence has gaps, the evidence as it stands,
    at the cost of a broken order.
    """
    states = []
    for length in range(max_marks + 1):
        marked = tuple(at < length for at in range(len(logits)))
        states.append((marked, sum(map(loss, logits.tolist(), marked))))
    as_it_stands = tuple(bool(logit > 0) for logit in logits)
    if all(as_it_stands != marked for marked, _ in states):
        states.append((as_it_stands, sum(map(loss, logits.tolist(), as_it_stands)) + BROKEN_ORDER))
    states.sort(key=lambda entry: entry[1])
    return [entry for entry in states if entry[1] < states[0][1] + MAX_EXTRA_REGRET]
