"""What would mend a broken rule is asked and accuses nobody; the other violations are proven.

A place is *plain* if its log-odds are like those of its sheet with the same print and mark, else
*pale*: that tells a chip, a stain or a pale stroke better than log-odds, which differ between pens.
*Faint* is a mark whose own log-odds are small; *weak*, a violation that falls with such a mark. A
place *explains* the violations that are *mended* where it is otherwise: a pale or doubted one needs
to mend one fault, a plain one two. *Unheld*: a figure of the player's that is no proof by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import chain, combinations
from math import inf, log
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Covered
from brikks_vision.detect.pen import median
from brikks_vision.infer import costs
from brikks_vision.infer.answers import cell_at, places_of
from brikks_vision.infer.certainty import OtherMark
from brikks_vision.infer.grid import Block, GridPart, GridPosterior, Hidden
from brikks_vision.layout import Cell, Layout
from brikks_vision.reading import BrokenRule
from brikks_vision.rules.shapes import connected, neighbors


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


class Scope(Enum):
    """What a rule is about: which marks prove it, and which could mend it.

    PLACE: the cells that it names. COLUMN: these, and those above them. ROW: the rows of the grid
    that it names. GROUP: outlined groups of cells. REST: a group, and what holds it. GRID: all
    groups. BAR: the order of a bar. COUNT: a bar and the grid that it follows from. FIGURE: what
    the player wrote, and all that it sums.
    """

    PLACE, COLUMN, ROW, GROUP, REST, GRID, BAR, COUNT, FIGURE = range(9)


OF_CELLS = (Scope.PLACE, Scope.COLUMN, Scope.GROUP, Scope.REST)
OF_ALL = (Scope.REST, Scope.GRID, Scope.COUNT)


@dataclass(frozen=True)
class Faults:
    """Which violations are the same fault, and which evidence disproves one.

    scopes: by rule. told_apart: rules that are several faults, each told with another key. sums:
    rules about figures that add up others. min_figure: the least probability
    that a figure is read rightly and its rule broken; the marks alone must tell it as surely as any
    other rule of this kind.
    """

    scopes: Mapping[str, Scope]
    told_apart: Collection[str] = ()
    sums: Collection[str] = ()
    min_figure: float = costs.MIN_TOLD_SLIP

    def scope(self, rule: str) -> Scope:
        """What a rule is about; the very places that it names where nothing is said of it."""
        return self.scopes.get(rule, Scope.ROW)

    def is_written(self, rule: str) -> bool:
        """Whether a rule is about the player's own figures."""
        return self.scope(rule) is Scope.FIGURE

    def are_same(self, one: Claim, other: Claim) -> bool:
        """Whether two violations are the same fault.

        The states of a faint part may agree on a fault and differ in where it is, or how it is
        called: cells that are no block, and a block with a stray cross beside it, differ by a line.
        """
        scope = self.scope(one.rule)
        if one.rule != other.rule:
            is_alike = scope is self.scope(other.rule) is Scope.GROUP
            return is_alike and bool({*one.where} & {*other.where})
        if scope in OF_CELLS:
            return bool({*one.where} & {*other.where})
        if one.rule in self.told_apart and one.told.key != other.told.key:
            return False
        return scope not in (Scope.ROW, Scope.FIGURE) or one.where == other.where

    def claim(self, violation: Claim) -> Callable[[Judged[Claim]], float]:
        """The claim that a verdict contains the same fault, with its sureness 0 to 1."""
        return lambda verdict: how_surely(
            violation, [each for each in verdict.violations if self.are_same(violation, each)]
        )

    def is_contradicted(self, violation: Claim, parts: Iterable[GridPart]) -> bool:
        """Whether a violation depends on groups that contradict the evidence or hardly show."""
        scope = self.scope(violation.rule)
        if scope in OF_ALL and any(part.is_contradicted for part in parts):
            return True
        return scope in OF_CELLS and touches_unclear(violation.where, parts)

    def may_mend(self, violation: BrokenRule, hidden: Hidden) -> bool:
        """Whether hidden places could be marked so that the rule is kept.

        Orders of bars are judged by the places that show.
        """
        where = {place for place in violation.where if isinstance(place, tuple)}
        match self.scope(violation.rule):
            case Scope.GROUP | Scope.REST:
                return not where.isdisjoint(hidden.beside)
            case Scope.COLUMN:
                tops = {column: row for row, column in sorted(hidden.cells, reverse=True)}
                return any(tops.get(column, row) < row for row, column in where)
            case Scope.GRID:
                return bool(hidden.cells or hidden.beside)
            case Scope.COUNT:
                return bool(hidden)
            case Scope.ROW:
                return not hidden.rows.isdisjoint(violation.where)
            case Scope.FIGURE:
                rows = hidden.rows.intersection(violation.where)
                return bool(rows if violation.where else hidden.places)
            case _:
                return False

    def standing(self, violations: Iterable[Violation], hidden: Hidden) -> tuple[Violation, ...]:
        """Those that no hidden place could mend."""
        return tuple(each for each in violations if not self.may_mend(each, hidden))

    def min_probability(self, violation: Claim) -> float:
        """The least probability with which a violation is reported."""
        return costs.MIN_TOLD_SLIP if self.is_written(violation.rule) else costs.MIN_TOLD_VIOLATION

    def min_margin(self, violation: Claim) -> float:
        """The least margin, in log-odds, of a mark with which a violation may fall.

        Of bars none: many of their marks are misread together, so that they are proven otherwise.
        """
        if self.scope(violation.rule) in (Scope.BAR, Scope.COUNT):
            return -inf
        least = self.min_probability(violation)
        return log(least / (1 - least))


def proven(
    violations: Iterable[Violation],
    posterior: costs.Decoded[State],
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
    from brikks_vision.infer.certainty import judging

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


@dataclass(frozen=True)
class Change(Generic[State]):
    """A sheet with one place marked otherwise."""

    where: str
    state: State


class Contrast(NamedTuple):
    """How clear a mark is.

    margin: log-odds against the next likely mark. share: of the usual margin of its kind.
    """

    margin: float = inf
    share: float = 1.0


PLAIN = Contrast()


def contrast(
    margins: Mapping[str, NDArray[np.float64]],
    reads: Mapping[str, NDArray[np.generic]],
    covered: Covered,
    layout: Layout,
) -> dict[str, Contrast]:
    """By place, as the contract names it, how clear its mark is, by itself and among its kind.

    margins: by field, in its shape, log-odds of the mark as read against the next likely one.
    reads: that mark. Hidden places are left out.
    """
    found: dict[str, Contrast] = {}
    for field, margin in margins.items():
        kinds = np.array(layout.fields[field].prints)
        clear, read = margin.ravel(), reads[field].ravel()
        seen = ~np.ravel(covered.get(field, np.zeros(clear.shape, np.bool_)))
        share = np.ones(clear.shape)
        for kind, mark in {*zip(kinds[seen].tolist(), read[seen].tolist(), strict=True)}:
            printed = seen & (kinds == kind)
            alike = printed & (read == mark)
            usual = median(clear[alike if alike.sum() >= costs.MIN_ALIKE else printed])
            share[alike] = clear[alike] / max(float(usual), costs.MIN_USUAL)
        found |= {
            where: Contrast(*own)
            for where, is_seen, *own in zip(
                places_of(field, layout), seen, clear.tolist(), share.tolist(), strict=True
            )
            if is_seen
        }
    return found


@dataclass(frozen=True)
class Sheet(Generic[State]):
    """A sheet as it is read, and what its marks could be.

    marks: by place. plain: see `contrast`; a place that is left out is plain. settled: places that
    are not asked about: hidden, or answered. others: marks that may be another by the posterior.
    changes: the sheet with one place otherwise, of the cells only these; several where the lines
    around a cell may run otherwise, too. total: of a state.
    """

    state: State
    marks: Mapping[str, str]
    plain: Mapping[str, Contrast]
    settled: Collection[str]
    others: Sequence[OtherMark]
    changes: Callable[[Iterable[Cell]], Iterable[Change[State]]]
    total: Callable[[State], int]

    @cached_property
    def pale(self) -> frozenset[str]:
        """The places that are not read plainly."""
        return frozenset(where for where, of in self.plain.items() if of.share < costs.PLAIN_SHARE)

    @cached_property
    def doubted(self) -> Sequence[OtherMark]:
        """The marks that may well be others, with another total."""
        total = self.total(self.state)
        return [
            each
            for each in self.others
            if each.probability >= costs.MIN_DOUBT_OF_MARK
            if each.state is not None and each.total != total
        ]

    def palest(self, places: Iterable[str]) -> str | None:
        """The place that is most likely misread, of those that may be asked about."""
        doubted = [each.where for each in self.doubted]
        return min(
            (where for where in places if where not in self.settled),
            key=lambda where: (where not in doubted, self.plain.get(where, PLAIN).share),
            default=None,
        )

    def asked(self, where: str, total: int) -> OtherMark:
        """The question about a place that may well be misread: `Doubt.is_of_a_rule`."""
        return OtherMark(where, self.marks[where], 0.5, total)


def explained(
    proven: Sequence[tuple[Violation, float]],
    verdict: Judged[Violation],
    sheet: Sheet[State],
    judge: Callable[[State], Judged[Claim]],
    faults: Faults,
    summed: Callable[[Violation], tuple[Iterable[str], int]],
) -> tuple[list[OtherMark], list[tuple[Violation, float]]]:
    """What is asked first, and the proven violations that no misread place explains.

    A figure of the player's that differs is held against them where the marks that it sums are
    plain, and it is read surely; else it speaks against those that are not plain.
    proven: as of `proven`. judge: with all figures that are read at all. summed: of a violation
    about a figure the places that it sums, and the total if it is right.
    """
    doubted = {each.where for each in sheet.doubted}
    named = [each for each, _ in proven]
    written = [each for each in verdict.violations if faults.is_written(each.rule)]
    unheld = [
        each for each in written if each not in named or not doubted.isdisjoint(summed(each)[0])
    ]
    found, standing, weak = _misread([*named, *unheld], sheet, judge, faults)
    # of the marks of one row, several may be misread
    weak += [
        each
        for each in written
        if each.where
        and any(
            sheet.plain.get(where, PLAIN).margin < faults.min_margin(each)
            for where in summed(each)[0]
        )
    ]
    unheld += [each for each in written if each in weak and each not in unheld]
    questions = {each.where: sheet.asked(each.where, sheet.total(each.state)) for each in found}
    for each in unheld:
        places, total = summed(each)
        where = sheet.palest(places) if each in standing else None
        if where and (each in named or where in sheet.pale or where in doubted):
            questions.setdefault(where, sheet.asked(where, total))
    held = [entry for entry in proven if entry[0] in standing and entry[0] not in (*unheld, *weak)]
    return [*questions.values()], held


def other_marks(
    posterior: GridPosterior[State],
    marks: Callable[[State], Mapping[str, str]],
    total: Callable[[State], int],
    order: Callable[[str, State], tuple[bool, float]],
) -> Iterator[OtherMark]:
    """One mark for each other state of each part of a sheet that is probable enough to doubt.

    Of states that differ in one place each names another of theirs, and none names a hidden one.
    order: of the places in which a state differs; the first is named.
    """
    now, named = marks(posterior.state), dict[str, int]()
    seen = now.keys() - posterior.hidden.places
    states = sorted(chain.from_iterable(posterior.other_states()), key=lambda entry: -entry[0])
    for probability, other in states:
        then, points = marks(other), total(other)
        places = [where for where in now if now[where] != then[where] and where in seen]
        free = [where for where in places if where not in named]
        if free and points not in {named.get(where) for where in places}:
            where = min(free, key=lambda each: order(each, other))
            named[where] = points
            yield OtherMark(where, now[where], probability, points, other)


def _misread(
    violations: Sequence[Violation],
    sheet: Sheet[State],
    judge: Callable[[State], Judged[Claim]],
    faults: Faults,
) -> tuple[list[Change[State]], list[Violation], list[Violation]]:
    """The places whose misreading explains violations, and the violations that none explains.

    Of several changes of a place the one that breaks the fewest rules counts. A place that is read
    plainly explains only what it mends together with another fault. Last are the violations that
    fall with a mark which is not as clear by itself as they must be to be told.
    """
    if not violations:
        return [], [], []
    named = {place for each in violations for place in each.where if isinstance(place, tuple)}
    pale = {at for at in map(cell_at, sheet.pale) if at}
    before = _faults(judge(sheet.state), faults)
    limits = [(each, faults.min_margin(each)) for each in violations]
    most = max(limit for _, limit in limits)
    faint = sorted((of.margin, where) for where, of in sheet.plain.items() if of.margin < most)
    unclear = {at for _, where in faint[: costs.MAX_JUDGED] if (at := cell_at(where))}
    weak: list[Violation] = []
    cells = sorted(named.union(pale, unclear, *map(neighbors, named)))
    changes = [(change, change.where in sheet.pale) for change in sheet.changes(cells)]
    changes += [(Change(each.where, each.state), True) for each in sheet.doubted]
    best: dict[str, tuple[bool, int, Change[State], Judged[Claim]]] = {}
    for change, is_likely in changes:
        if change.where not in sheet.settled:
            verdict = judge(change.state)
            margin = sheet.plain.get(change.where, PLAIN).margin
            weak += [
                each for each, limit in limits if margin < limit and not faults.claim(each)(verdict)
            ]
            mended = before - _faults(verdict, faults)
            entry = mended >= (1 if is_likely else 2), mended, change, verdict
            best[change.where] = max(
                entry, best.get(change.where, entry), key=lambda each: each[:2]
            )
    found, standing = [], list(violations)
    for explains, _, change, verdict in sorted(best.values(), key=lambda entry: -entry[1]):
        stands = [each for each in violations if faults.claim(each)(verdict) > 0]
        if explains and len(stands) < len(violations):
            found.append(change)
            standing = [each for each in standing if each in stands]
    return found, standing, weak


def _faults(verdict: Judged[Claim], faults: Faults) -> int:
    """The number of faults that do not follow from each other."""
    broken = [each.rule for each in verdict.violations]
    own = [rule for rule in broken if rule not in faults.sums]
    return len(own) + (own != broken and not any(map(faults.is_written, own)))


def blocks_otherwise(
    cell: Cell, marked: Collection[Cell], blocks: Sequence[Block]
) -> Iterator[tuple[Block, ...]]:
    """The outlined groups that there may be where one cell is otherwise than among ``marked``.

    A cell less, its group lacks it. A cell more stands alone, or in one group with any of those
    beside it, outlined or not.
    """
    if cell in marked:
        yield tuple(rest for block in blocks if (rest := block - {cell}))
        return
    yield tuple(blocks)
    groups = (*blocks, *connected({*marked}.difference(*blocks)))
    beside = [group for group in groups if not group.isdisjoint(neighbors(cell))]
    for count in range(1, len(beside) + 1 if blocks else 1):
        for some in combinations(beside, count):
            others = (block for block in blocks if block not in some)
            yield (*others, frozenset({cell}).union(*some))
