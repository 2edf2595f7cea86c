"""How sure a reading is: its status, the totals that are open, and what to ask about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from brikks_vision.decode.answers import covered_places, seen_with
from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.prices import (
    MAX_DOUBTS,
    MAX_OTHER_TOTAL,
    MIN_DOUBT_OF_MARK,
    MIN_DOUBT_OF_TOTAL,
    MIN_OPEN_STATE,
)
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
    unread: tuple[int, int] = (0, 0),
) -> Certainty:
    """How sure the total is, and what to ask about.

    total: of the sheet as it is read. totals: of what is not hidden. others: marks that may be
    misread. misread: those whose misreading explains a broken rule; they are asked first. ends: the
    totals if as little as possible, and as much as possible, is marked where the sheet is hidden.
    hidden: places that need not be asked about. unread: by how much all marks that cannot be told
    change the total at least and at most: a pen that hardly shows is misread everywhere alike.
    """
    ends = ends or (totals,)
    first = tuple(
        Doubt(each.where, each.read, 1 - each.probability, each.total) for each in misread
    )
    is_seen_surely = not first and 1 - totals.get(total, 0.0) <= MAX_OTHER_TOTAL
    is_sure = is_seen_surely and sum(1 - end.get(total, 0.0) for end in ends) <= MAX_OTHER_TOTAL
    asked = {*hidden, *(doubt.where for doubt in first)}
    more = [each for each in ranked_doubts(others, total) if each.where not in asked]
    probable = [each for each in more if 1 - each.confidence >= MIN_DOUBT_OF_TOTAL]
    doubts = (*first, *probable)[: max(MAX_DOUBTS, len(first))]
    if is_seen_surely:
        doubts = tuple(doubt for doubt in doubts if doubt.total_otherwise == total)
    if is_sure:
        return Certainty(Status.OK, (total, total), doubts)
    least = MAX_OTHER_TOTAL if is_seen_surely else MIN_DOUBT_OF_TOTAL
    open_totals = {total, *(each for end in ends for each, p in end.items() if p >= least)}
    open_totals |= {each.total_otherwise for each in doubts if each.total_otherwise is not None}
    low, high = min(open_totals), max(open_totals)
    if not is_seen_surely:
        low, high = min(low, total + unread[0]), max(high, total + unread[1])
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
        limit = MIN_DOUBT_OF_MARK if other.total == total else MIN_OPEN_STATE
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
    reading = replace(
        reading,
        game=layout.game,
        sheet=layout.name,
        printing=layout.printing,
        said_on_sheet=dict(evidence.on_sheet or {}),
        covered=covered_places(seen_with(evidence.marks.covered, answers), fields, layout),
        cancelled=covered_places(seen_with(evidence.marks.cancelled, answers), fields, layout),
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
