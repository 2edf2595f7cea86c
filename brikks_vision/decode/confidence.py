"""How probable a claim about several sheets is, given the posteriors of their marks.

The claim is made for the most probable states. Each part of each sheet is then put into each of its
other states, one at a time, and judged again. A claim that stands in all of them is certain; one
that falls with a state is at most as probable as that state is improbable. The parts are
independent given the photo; joint effects of several doubts are neglected.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Generic, TypeVar

from brikks_vision.decode.posterior import Decoded
from brikks_vision.decode.prices import JUDGED_PER_STEP, MAX_JUDGED

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
    sheets: Sequence[Decoded[State] | None], judge: Callable[[States[State]], Verdict]
) -> Judged[Verdict]:
    """Judge the most probable states of sheets (None: not read), and their other states."""
    *_, judged = judging(sheets, judge)
    return judged


def judging(
    sheets: Sequence[Decoded[State] | None], judge: Callable[[States[State]], Verdict]
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
    others = ranked[:MAX_JUDGED]
    verdict = judge(best)
    asked: dict[tuple[int, State], Verdict] = {}
    for first in range(0, max(1, len(others)), JUDGED_PER_STEP):
        for sheet, _, state in others[first : first + JUDGED_PER_STEP]:
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
