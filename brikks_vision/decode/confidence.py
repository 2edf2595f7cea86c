"""How sure a verdict on several photos is: what would be said if doubtful marks were otherwise.

A verdict is made of the most probable sheets. Each doubtful part of a sheet is then put into each
of its other states, one part at a time, and judged again: the claim that stands in all of them is
as sure as can be, and one that falls with a mark is no surer than that mark. Parts are independent
given the photo, as in their posteriors; that several doubts together change what none of them
changes alone is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Generic, TypeVar

from brikks_vision.decode.posterior import Posterior, with_bar_state
from brikks_vision.rules.brikks.state import SheetState, bottom_up
from brikks_vision.rules.brikks.violations import Violation

Verdict = TypeVar("Verdict")
States = Sequence[SheetState | None]

MOST_JUDGED = 60
"""Other states that are judged, the most probable first; the rest speaks against every claim."""
JUDGED_AT_ONCE = 6
"""Of them, before `judging` tells how it stands."""


@dataclass(frozen=True)
class Judged(Generic[Verdict]):
    """The verdict on the most probable sheets, and on what else they could be.

    otherwise: for each part of a sheet the probabilities of its other states and the verdict that
    each would give; None where it was too improbable to be asked for.
    """

    verdict: Verdict
    otherwise: tuple[tuple[tuple[float, Verdict | None], ...], ...]

    def probability(self, claim: Callable[[Verdict], float]) -> float:
        """Probability 0 to 1 that a claim, true of ``verdict``, is true of the sheets.

        claim: how surely it stands in a verdict, 0 to 1; True and False where that is all or
        nothing.
        """
        return self._probability(claim, not_asked=0.0)

    def at_most(self, claim: Callable[[Verdict], float]) -> float:
        """`probability`, if the claim stood in every state that was not asked for."""
        return self._probability(claim, not_asked=1.0)

    def _probability(self, claim: Callable[[Verdict], float], not_asked: float) -> float:
        return prod(
            1 - sum(p * (1 - (not_asked if each is None else claim(each))) for p, each in part)
            for part in self.otherwise
        )


def how_surely(violation: Violation, same: Iterable[Violation]) -> float:
    """How surely a violation stands where the same is found elsewhere: 1 where it is as sure."""
    return max((min(1.0, other.confidence / violation.confidence) for other in same), default=0.0)


def judge_with_doubts(
    sheets: Sequence[Posterior | None], judge: Callable[[States], Verdict]
) -> Judged[Verdict]:
    """Judge sheets (None: not read) as they most probably are, and as they could be otherwise."""
    *_, judged = judging(sheets, judge)
    return judged


def judging(
    sheets: Sequence[Posterior | None], judge: Callable[[States], Verdict]
) -> Iterator[Judged[Verdict]]:
    """`judge_with_doubts` step by step: one may stop as soon as a claim cannot stand.

    For each that is yielded some more states were judged; the last one is the whole.
    """
    best = [None if sheet is None else sheet.state for sheet in sheets]
    parts = [
        [(sheet, probability, state) for probability, state in part]
        for sheet, posterior in enumerate(sheets)
        if posterior is not None
        for part in other_states(posterior)
    ]
    ranked = sorted((each for part in parts for each in part), key=lambda each: -each[1])
    others = ranked[:MOST_JUDGED]
    verdict = judge(best)
    asked: dict[tuple[int, SheetState], Verdict] = {}
    for first in range(0, max(1, len(others)), JUDGED_AT_ONCE):
        for sheet, _, state in others[first : first + JUDGED_AT_ONCE]:
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


def other_states(posterior: Posterior) -> list[list[tuple[float, SheetState]]]:
    """For each part (the bars last) its other probable states, each in the rest of the sheet."""
    state = posterior.state
    found = []
    for part in posterior.parts:
        (best, _), *others = part.states
        blocks = [block for block in state.blocks if block not in best.blocks]
        rest = state.crossed - best.crossed
        found.append(
            [
                (
                    probability,
                    replace(
                        state,
                        crossed=rest | other.crossed,
                        blocks=bottom_up([*blocks, *other.blocks]),
                    ),
                )
                for other, probability in others
            ]
        )
    bars = [(probability, with_bar_state(state, bar)) for bar, probability in posterior.bars[1:]]
    return [*found, bars]
