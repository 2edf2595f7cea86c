"""Which violations stand whatever the doubtful marks are: nobody is accused on marks that may be
misread.

A violation is reported if it stands in nearly all probable states of the sheet, and if the single
marks and figures that prove it are clear by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from brikks_vision.decode.grid import GridPart
from brikks_vision.decode.posterior import Decoded
from brikks_vision.decode.prices import MIN_TOLD_SLIP, MIN_TOLD_VIOLATION
from brikks_vision.layout import Cell
from brikks_vision.reading import BrokenRule


class Claim(BrokenRule, Protocol):
    """A broken rule. confidence: how surely the rules alone prove it, 0 to 1."""

    @property
    def confidence(self) -> float: ...


Violation = TypeVar("Violation", bound=Claim)
Violation_co = TypeVar("Violation_co", bound=Claim, covariant=True)
State = TypeVar("State", bound=Hashable)


class Judged(Protocol[Violation_co]):
    """What the rules say of a sheet."""

    @property
    def violations(self) -> Sequence[Violation_co]: ...


@dataclass(frozen=True)
class Faults:
    """Which violations are the same fault, and which evidence disproves one; all by rule.

    Two violations are the same fault if their rules are equal, or both in ``alike``. The place
    counts only for some rules: for the others the states of a faint group may agree on the fault
    and differ in where it is.

    alike: several names of one fault. told_apart: rules that are several faults, each told with
    another key. overlapping: the same fault where they name some of the same cells. in_place: the
    same fault only in the very same place. of_group: about single groups, proven by the lines
    around them. of_all: about all groups, so that one part that contradicts its evidence disproves
    them. written: about the player's own figures; sums: those of them that add up others.
    min_figure: the least probability that such a figure is read rightly and the rule broken; the
    marks alone must tell it as surely as any other rule of this kind.
    """

    alike: Collection[str] = ()
    told_apart: Collection[str] = ()
    overlapping: Collection[str] = ()
    in_place: Collection[str] = ()
    of_group: Collection[str] = ()
    of_all: Collection[str] = ()
    written: Collection[str] = ()
    sums: Collection[str] = ()
    min_figure: float = MIN_TOLD_SLIP

    def are_same(self, one: Claim, other: Claim) -> bool:
        """Whether two violations are the same fault."""
        if one.rule != other.rule and not {one.rule, other.rule} <= {*self.alike}:
            return False
        if one.rule in self.told_apart and one.told.key != other.told.key:
            return False
        if one.rule in self.overlapping:
            return bool({*one.where} & {*other.where})
        return one.rule not in self.in_place or one.where == other.where

    def claim(self, violation: Claim) -> Callable[[Judged[Claim]], float]:
        """The claim that a verdict contains the same fault, with its sureness 0 to 1."""
        return lambda verdict: how_surely(
            violation, [each for each in verdict.violations if self.are_same(violation, each)]
        )

    def is_contradicted(self, violation: Claim, parts: Iterable[GridPart]) -> bool:
        """Whether a violation depends on groups that contradict the evidence or hardly show."""
        if violation.rule in self.of_group:
            return touches_unclear(violation.where, parts)
        return violation.rule in self.of_all and any(part.is_contradicted for part in parts)

    def min_probability(self, violation: Claim) -> float:
        """The least probability with which a violation is reported."""
        return MIN_TOLD_SLIP if violation.rule in self.written else MIN_TOLD_VIOLATION


def proven(
    violations: Iterable[Violation],
    posterior: Decoded[State],
    judge: Callable[[State], Judged[Claim]],
    faults: Faults,
    parts: Sequence[GridPart] = (),
    marks: Callable[[Violation], float] = lambda violation: 1.0,
    figures: Callable[[Violation], float] = lambda violation: 1.0,
) -> list[tuple[Violation, float]]:
    """The violations that stand in nearly all probable states, and how surely, 0 to 1.

    violations: of the most probable state. judge: the verdict on a state. parts: of the grid.
    marks: the probability that the single marks which prove a violation are clear. figures: the
    probability that the figures which it names are right.
    """
    readable = [
        (violation, least, clear, right)
        for violation in violations
        if not faults.is_contradicted(violation, parts)
        for least, clear, right in [
            (faults.min_probability(violation), marks(violation), figures(violation))
        ]
        if clear >= least and right >= min(least, faults.min_figure)
    ]
    if not readable:  # spares judging the other states
        return []
    from brikks_vision.decode.confidence import judging

    for judged in judging([posterior], lambda states: judge(states[0] or posterior.state)):
        if all(
            violation.confidence * judged.at_most(faults.claim(violation)) < least
            for violation, least, _, _ in readable
        ):
            return []
    found = []
    for violation, least, clear, right in readable:
        stands = violation.confidence * judged.probability(faults.claim(violation))
        if stands >= least and stands * right >= min(least, faults.min_figure):
            found.append((violation, min(stands * right, clear)))
    return found


def how_surely(violation: Claim, same: Iterable[Claim]) -> float:
    """How surely a violation holds where others are the same, 0 to 1: 1 if one is as sure."""
    return max((min(1.0, other.confidence / violation.confidence) for other in same), default=0.0)


def touches_unclear(where: Iterable[Cell | int], parts: Iterable[GridPart]) -> bool:
    """Whether any of the cells lies in a part that contradicts its evidence or hardly shows.

    The kept states of an unclear part are a small sample of many near-optimal ones: that they agree
    proves nothing.
    """
    cells = {*where}
    return any(
        not cells.isdisjoint(part.cells)
        for part in parts
        if part.is_contradicted or part.is_unclear
    )
