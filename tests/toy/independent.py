"""Sheets whose marks depend on no other mark: their posterior, and the reading that follows.

So simple a game is decoded mark by mark, and judged by what all games are judged by.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, prod
from typing import Any, Generic, TypeVar

import numpy as np

from brikks_vision.decode.answers import places_of
from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.judging import OtherMark, certainty_of, drawn_rows
from brikks_vision.decode.misread import Claim, Faults, Judged, proven
from brikks_vision.decode.prices import ANSWERED, MAX_LOG_ODDS, MIN_DOUBT_OF_TOTAL, READ_LOG_ODDS
from brikks_vision.detect.marks import Marks
from brikks_vision.layout import CELL, Layout, Mark
from brikks_vision.reading import ViolationReading
from brikks_vision.reading.views import PartView, SheetView, Sign

State = TypeVar("State", bound=Hashable)

Marked = tuple[tuple[str, str], ...]
"""Places of the contract and the marks that stand there."""

SIGN_REACH = 0.38  # of a place's shorter side, from the middle of a drawn mark to its end

MAX_STATES = 512
"""Most probable states of a sheet that its total is weighed over."""


Meaning = Mapping[str, Mapping[str, Mark]]
"""By field and mark of the contract, the mark of the layout that is its evidence."""


@dataclass(frozen=True)
class Independent(Generic[State]):
    """The maximum a posteriori state of a sheet, and the probabilities of others.

    others: for each place that may be marked otherwise, its other states and their probabilities.
    totals: probability of each total.
    """

    state: State
    others: tuple[tuple[tuple[float, State], ...], ...]
    totals: Mapping[int, float]

    is_vague: bool = False

    def other_states(self) -> Sequence[Sequence[tuple[float, State]]]:
        """For each place its other states and their probabilities, the rest at its best."""
        return self.others


def decode_independent(
    logits: Mapping[str, Mapping[str, float]],
    answers: Mapping[str, str],
    state_of: Callable[[Marked], State],
    total_of: Callable[[State], int],
) -> Independent[State]:
    """The posterior of a sheet.

    logits: by place, the log-odds of each mark that can stand there; "." where none does. answers:
    by place, the mark that certainly stands there.
    """
    chances = {
        where: _chances({mark: _answered(value, mark, answers.get(where)) for mark, value in
                         marks.items()})
        for where, marks in logits.items()
    }  # fmt: skip
    best = {where: marks[0][1] for where, marks in chances.items()}
    others = tuple(
        tuple((chance, state_of(tuple({**best, where: mark}.items())))
              for chance, mark in marks[1:] if chance >= MIN_DOUBT_OF_TOTAL)
        for where, marks in chances.items()
    )  # fmt: skip
    totals: dict[int, float] = {}
    for probability, marked in _most_probable(chances):
        total = total_of(state_of(marked))
        totals[total] = totals.get(total, 0.0) + probability
    whole = sum(totals.values())
    return Independent(
        state_of(tuple(best.items())),
        tuple(each for each in others if each),
        {total: probability / whole for total, probability in totals.items()},
    )


def place_logits(marks: Marks, layout: Layout, meaning: Meaning) -> dict[str, dict[str, float]]:
    """By place, the log-odds of each mark of the contract that can stand there."""
    return {
        where: {mark: float(marks[field, evidence].flat[at]) for mark, evidence in inks.items()}
        for field, inks in meaning.items()
        for at, where in enumerate(places_of(field, layout))
    }


def evidence_of_marks(stands: Mapping[str, str], layout: Layout, meaning: Meaning) -> Evidence:
    """Evidence that decodes to these marks; "?" is undecided."""
    logits = {}
    for field, inks in meaning.items():
        marks = [stands[where] for where in places_of(field, layout)]
        for mark, evidence in inks.items():
            values = [0.0 if m == "?" else READ_LOG_ODDS if m == mark else -READ_LOG_ODDS
                      for m in marks]  # fmt: skip
            logits[field, str(evidence)] = np.reshape(values, layout.fields[field].shape)
    return Evidence(Marks(logits), {})


def shown(
    stands: Mapping[str, str], layout: Layout, meaning: Meaning, parts: Sequence[PartView] = ()
) -> SheetView:
    """The marks as they are drawn over the sheet, and the parts of the score."""
    kinds = {Mark.CROSS: "cross", Mark.LINE: "struck", Mark.RING: "ring", Mark.FILL: "fill"}
    signs = []
    for field, inks in meaning.items():
        places = layout.fields[field]
        for where, centre in zip(places_of(field, layout), places.centres, strict=True):
            if stands[where] in inks:
                kind = kinds[inks[stands[where]]]
                signs.append(Sign(field, kind, centre, SIGN_REACH * min(places.size)))
    return SheetView(stands, tuple(signs), parts=tuple(parts))


def grid_letters(stands: Mapping[str, str], layout: Layout) -> tuple[str, ...]:
    """One string a row of the grid, as a reading has them."""
    grid = layout.grid
    return drawn_rows(grid.rows, grid.columns, lambda at: stands[f"{CELL} {at[0]},{at[1]}"])


def weigh(
    posterior: Independent[State],
    marks_of: Callable[[State], Mapping[str, str]],
    total_of: Callable[[State], int],
    judge: Callable[[State], Judged[Claim]],
    faults: Faults,
) -> dict[str, Any]:
    """How sure a reading is: what a `brikks_vision.reading.ReadSheet` says of it."""
    marks = marks_of(posterior.state)
    others = []
    for part in posterior.others:
        for probability, other in part:
            (where, *_) = (each for each, mark in marks_of(other).items() if mark != marks[each])
            others.append(OtherMark(where, marks[where], probability, total_of(other)))
    sure = certainty_of(total_of(posterior.state), posterior.totals, others)
    found = proven(judge(posterior.state).violations, posterior, judge, faults)
    violations = tuple(ViolationReading.of(violation, stands) for violation, stands in found)
    return {**sure._asdict(), "violations": violations}


def _answered(logit: float, mark: str, answer: str | None) -> float:
    if answer is None:
        return min(max(logit, -MAX_LOG_ODDS), MAX_LOG_ODDS)
    return ANSWERED if mark == answer else -ANSWERED


def _chances(logits: Mapping[str, float]) -> list[tuple[float, str]]:
    """Probabilities of the marks of a place, and of none, the most probable first."""
    odds = {".": 1.0, **{mark: exp(logit) for mark, logit in logits.items()}}
    whole = sum(odds.values())
    return sorted(((each / whole, mark) for mark, each in odds.items()), reverse=True)


def _most_probable(
    chances: Mapping[str, Sequence[tuple[float, str]]],
) -> list[tuple[float, Marked]]:
    """The most probable states, at most `MAX_STATES`, by taking one more place otherwise."""
    places = [where for where, marks in chances.items() if len(marks) > 1]
    start = prod(marks[0][0] for marks in chances.values())
    losses = sorted(
        (log(chances[where][0][0]) - log(max(chance, 1e-300)), where, mark)
        for where in places
        for chance, mark in chances[where][1:]
    )
    best = {where: marks[0][1] for where, marks in chances.items()}
    # best first over subsets of the single changes, each subset reached by one way only
    queue: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    found: list[tuple[float, Marked]] = []
    while queue and len(found) < MAX_STATES:
        loss, changes = heapq.heappop(queue)
        changed = [losses[at][1] for at in changes]
        if len({*changed}) == len(changed):
            marked = {**best, **{losses[at][1]: losses[at][2] for at in changes}}
            found.append((start * exp(-loss), tuple(marked.items())))
        following = changes[-1] + 1 if changes else 0
        if following < len(losses):
            heapq.heappush(queue, (loss + losses[following][0], (*changes, following)))
            if changes:
                heapq.heappush(
                    queue,
                    (loss - losses[changes[-1]][0] + losses[following][0],
                     (*changes[:-1], following)),
                )  # fmt: skip
    return found
