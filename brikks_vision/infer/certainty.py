"""How sure a reading is: its status, the totals that are open, and what to ask about.

A claim, such as a broken rule, is made for the most probable states. Each part of each sheet is put
into each of its other states, one at a time, and judged again: one that falls with a state is at
most as probable as that state is improbable. The parts are independent given the photo; joint
effects of several doubts are neglected.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Generic, NamedTuple, TypeVar

from brikks_vision.infer import costs
from brikks_vision.infer.answers import covered_places, seen_with
from brikks_vision.infer.evidence import Evidence
from brikks_vision.layout import GRID, Cell, Layout, PrintDoubt
from brikks_vision.reading import Doubt, ReadSheet, Status

OfReading = TypeVar("OfReading", bound=ReadSheet)
Totals = Mapping[int, float]
"""Probability of each total."""


class OtherMark(NamedTuple):
    """A mark that may be misread.

    read: the mark as it is read. probability: 0 to 1, that it is another. total: of the sheet if it
    is another. state: of the sheet, if it is;
    None: it counts otherwise.
    """

    where: str
    read: str
    probability: float
    total: int
    state: Any = None


class OpenPrint(NamedTuple):
    """A doubt about the print that is not settled, and what changes if the print is otherwise.

    total: of the sheet, None where it does not change. lower, higher: by how much, 0 or negative
    and 0 or positive, the lowest and the highest possible total change.
    """

    doubt: PrintDoubt
    total: int | None = None
    lower: int = 0
    higher: int = 0


class Certainty(NamedTuple):
    """How sure a reading is: what a `brikks_vision.reading.ReadSheet` says of it."""

    status: Status
    total_range: tuple[int, int]
    doubts: tuple[Doubt, ...]


def certainty_of(
    total: int,
    totals: Totals,
    others: Iterable[OtherMark],
    misread: Iterable[OtherMark] = (),
    ends: Sequence[Totals] = (),
    hidden: Collection[str] = (),
) -> Certainty:
    """How sure the total is, and what to ask about.

    total: of the sheet as it is read. totals: of what is not hidden. others: marks that may be
    misread. misread: those whose misreading explains a broken rule; they are asked first. ends: the
    totals if as little as possible, and as much as possible, is marked where the sheet is hidden.
    hidden: places that need not be asked about.
    """
    ends = ends or (totals,)
    first = tuple(
        Doubt(each.where, each.read, 1 - each.probability, each.total) for each in misread
    )
    is_seen_surely = not first and 1 - totals.get(total, 0.0) <= costs.MAX_OTHER_TOTAL
    is_sure = (
        is_seen_surely and sum(1 - end.get(total, 0.0) for end in ends) <= costs.MAX_OTHER_TOTAL
    )
    asked = {*hidden, *(doubt.where for doubt in first)}
    more = [each for each in ranked_doubts(others, total) if each.where not in asked]
    probable = [each for each in more if 1 - each.confidence >= costs.MIN_DOUBT_OF_TOTAL]
    doubts = (*first, *probable)[: max(costs.MAX_DOUBTS, len(first))]
    if is_seen_surely:
        doubts = tuple(doubt for doubt in doubts if doubt.total_otherwise == total)
    if is_sure:
        return Certainty(Status.OK, (total, total), doubts)
    least = costs.MAX_OTHER_TOTAL if is_seen_surely else costs.MIN_DOUBT_OF_TOTAL
    open_totals = {total, *(each for end in ends for each, p in end.items() if p >= least)}
    open_totals |= {each.total_otherwise for each in doubts if each.total_otherwise is not None}
    low, high = min(open_totals), max(open_totals)
    for each in more if not is_seen_surely else ():
        short = _reach(doubts, total)
        off = (each.total_otherwise or total) - total
        if each not in doubts and ((off < 0 and low < short[0]) or (off > 0 and high > short[1])):
            doubts = (*doubts, each)
    return Certainty(Status.UNCERTAIN, (low, high), doubts)


def _reach(doubts: Iterable[Doubt], total: int) -> tuple[int, int]:
    """The least and the most total that doubts leave open, if each is settled for itself."""
    offs = [each.total_otherwise - total for each in doubts if each.total_otherwise is not None]
    return total + sum(off for off in offs if off < 0), total + sum(off for off in offs if off > 0)


def ranked_doubts(others: Iterable[OtherMark], total: int) -> tuple[Doubt, ...]:
    """The doubts about marks: first those that change the total; within each, most probable first.

    others: very improbable ones are left out; of several for one place, the most probable counts.
    total: of the sheet as it is read.
    """
    found: dict[str, OtherMark] = {}
    for other in others:
        limit = costs.MIN_DOUBT_OF_MARK if other.total == total else costs.MIN_OPEN_STATE
        known = found.get(other.where)
        if other.probability >= limit and (known is None or other.probability > known.probability):
            found[other.where] = other
    ranked = sorted(found.values(), key=lambda other: (other.total == total, -other.probability))
    return tuple(
        Doubt(other.where, other.read, 1 - other.probability, other.total) for other in ranked
    )


def of_evidence(
    reading: OfReading,
    evidence: Evidence,
    layout: Layout,
    answers: Mapping[str, str],
    fields: Iterable[str],
) -> OfReading:
    """The reading with what its evidence and layout say, whatever the game.

    Where the marks may be lost, or read in the wrong places, as under a grid of unsure size,
    nothing is sure and nobody is accused. fields: those of which covered places are told.
    """
    of_grid = [OpenPrint(doubt) for doubt in layout.doubts if doubt.where == GRID]
    hidden = covered_places(seen_with(evidence.marks.covered, answers), fields, layout)
    struck = covered_places(seen_with(evidence.marks.cancelled, answers), fields, layout)
    reading = replace(
        reading,
        game=layout.game,
        sheet=layout.name,
        printing=layout.printing,
        said_on_sheet=dict(evidence.on_sheet or {}),
        covered=hidden,
        cancelled=tuple(where for where in struck if where not in hidden),
    )
    if of_grid or not evidence.is_clear:
        reading = replace(reading, status=Status.UNCERTAIN, violations=())
    return with_open_prints(reading, of_grid)


def with_open_prints(reading: OfReading, found: Sequence[OpenPrint]) -> OfReading:
    """The reading of a sheet whose print was not learnt surely, where it rests on that print."""
    if not found:
        return reading
    low, high = reading.total_range
    doubts = (Doubt(each.where, each.read, each.confidence, total) for each, total, _, _ in found)
    return replace(
        reading,
        status=Status.UNCERTAIN,
        total_range=(
            low + sum(each.lower for each in found),
            high + sum(each.higher for each in found),
        ),
        print_doubts=(*reading.print_doubts, *doubts),
    )


def drawn_rows(rows: int, columns: int, letter: Callable[[Cell], str]) -> tuple[str, ...]:
    """One string a row, top first: a letter for each cell."""
    return tuple("".join(letter((row, at)) for at in range(columns)) for row in range(rows))


Verdict = TypeVar("Verdict")
State = TypeVar("State", bound=Hashable)
States = Sequence[State | None]
"""One state a sheet; None: the sheet was not read."""


@dataclass(frozen=True)
class Judged(Generic[Verdict]):
    """The verdict on the most probable states, and on other states.

    otherwise: for each part of a sheet the probabilities of its other states and the verdict on
    each; None if the state was too improbable to be judged.
    """

    verdict: Verdict
    otherwise: tuple[tuple[tuple[float, Verdict | None], ...], ...]

    def probability(self, claim: Callable[[Verdict], float]) -> float:
        """Probability 0 to 1 that a claim which holds for ``verdict`` is true of the sheets.

        claim: the degree to which it holds for a verdict, 0 to 1 (or False and True).
        """
        return self._probability(claim, not_judged=0.0)

    def at_most(self, claim: Callable[[Verdict], float]) -> float:
        """Upper bound: the probability if the claim held in every state that was not judged."""
        return self._probability(claim, not_judged=1.0)

    def _probability(self, claim: Callable[[Verdict], float], not_judged: float) -> float:
        return prod(
            1 - sum(p * (1 - (not_judged if each is None else claim(each))) for p, each in part)
            for part in self.otherwise
        )


def judge_with_doubts(
    sheets: Sequence[costs.Decoded[State] | None], judge: Callable[[States[State]], Verdict]
) -> Judged[Verdict]:
    """Judge the most probable states of sheets (None: not read), and their other states."""
    *_, judged = judging(sheets, judge)
    return judged


def judging(
    sheets: Sequence[costs.Decoded[State] | None], judge: Callable[[States[State]], Verdict]
) -> Iterator[Judged[Verdict]]:
    """`judge_with_doubts` in steps, so that the caller can stop early.

    Each step has judged some more states; the last one has judged all.
    """
    best = [None if sheet is None else sheet.state for sheet in sheets]
    parts = [
        [(sheet, probability, state) for probability, state in part]
        for sheet, posterior in enumerate(sheets)
        if posterior is not None
        for part in posterior.other_states()
    ]
    ranked = sorted((each for part in parts for each in part), key=lambda each: -each[1])
    others = ranked[: costs.MAX_JUDGED]
    verdict = judge(best)
    asked: dict[tuple[int, State], Verdict] = {}
    for first in range(0, max(1, len(others)), costs.JUDGED_PER_STEP):
        for sheet, _, state in others[first : first + costs.JUDGED_PER_STEP]:
            asked[sheet, state] = judge([*best[:sheet], state, *best[sheet + 1 :]])
        yield Judged(
            verdict,
            tuple(
                tuple(
                    (probability, asked.get((sheet, state))) for sheet, probability, state in part
                )
                for part in parts
            ),
        )
