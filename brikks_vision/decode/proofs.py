"""Which violations stand whatever the doubtful marks are: nobody is accused on marks that may be
misread.

A violation is reported if it stands in nearly all probable states of the sheet, and if the single
marks and figures that prove it are clear by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

from brikks_vision.decode.confidence import judging
from brikks_vision.decode.grid import GridPart
from brikks_vision.decode.posterior import Decoded
from brikks_vision.layout import Cell


class Claim(Protocol):
    """A broken rule. confidence: how surely the rules alone prove it, 0 to 1."""

    @property
    def confidence(self) -> float: ...


State = TypeVar("State", bound=Hashable)
Verdict = TypeVar("Verdict")
Violation = TypeVar("Violation", bound=Claim)


def proven(
    readable: Sequence[tuple[Violation, float, float]],
    posterior: Decoded[State],
    judge: Callable[[State], Verdict],
    claim_of: Callable[[Violation], Callable[[Verdict], float]],
    min_probability: Callable[[Violation], float],
) -> list[tuple[Violation, float]]:
    """The violations that stand in nearly all probable states, and how surely, 0 to 1.

    readable: violations of the most probable state, with the probability that their single marks
    are clear, and the probability that the figures are right which they name. judge: the verdict
    on a state. claim_of: the claim that a verdict contains the violation, with its sureness 0 to 1.
    min_probability: from which on a violation is reported.
    """
    readable = [each for each in readable if min(each[1:]) >= min_probability(each[0])]
    if not readable:  # spares judging the other states
        return []
    for judged in judging([posterior], lambda states: judge(states[0] or posterior.state)):
        if all(
            violation.confidence * judged.at_most(claim_of(violation)) * figures_right
            < min_probability(violation)
            for violation, _, figures_right in readable
        ):
            return []
    found = []
    for violation, clear, figures_right in readable:
        stands = violation.confidence * judged.probability(claim_of(violation)) * figures_right
        confidence = min(stands, clear)
        if confidence >= min_probability(violation):
            found.append((violation, confidence))
    return found


def how_surely(violation: Claim, same: Iterable[Claim]) -> float:
    """How surely a violation holds where others are the same, 0 to 1: 1 if one is as sure."""
    return max((min(1.0, other.confidence / violation.confidence) for other in same), default=0.0)


def touches_unclear(where: Iterable[Cell | int], parts: Iterable[GridPart]) -> bool:
    """Whether some of the cells lie in a part that contradicts its evidence or hardly shows.

    The kept states of an unclear part are a small sample of many near-optimal ones: that they agree
    proves nothing.
    """
    cells = {*where}
    return any(
        not cells.isdisjoint(part.cells)
        for part in parts
        if part.is_contradicted or part.is_unclear
    )
