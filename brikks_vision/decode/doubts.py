"""Doubts that are worth asking about, the weightiest first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from brikks_vision.decode.prices import MAX_DOUBTS, MIN_DOUBT_OF_MARK, MIN_DOUBT_OF_TOTAL
from brikks_vision.reading import Doubt


class OtherMark(NamedTuple):
    """A mark that may be another. read: as it is read. probability: 0 to 1, that it is another.

    total: of the sheet if it is.
    """

    where: str
    read: str
    probability: float
    total: int


def ranked_doubts(others: Iterable[OtherMark], total: int) -> tuple[Doubt, ...]:
    """The doubts about marks: those that change the total first, each the most probable first.

    others: very improbable ones are left out; of several for one place, the most probable counts.
    total: of the sheet as it is read.
    """
    found: dict[str, OtherMark] = {}
    for other in others:
        limit = MIN_DOUBT_OF_MARK if other.total == total else MIN_DOUBT_OF_TOTAL
        known = found.get(other.where)
        if other.probability >= limit and (known is None or other.probability > known.probability):
            found[other.where] = other
    ranked = sorted(found.values(), key=lambda other: (other.total == total, -other.probability))
    return tuple(
        Doubt(other.where, other.read, 1 - other.probability, other.total)
        for other in ranked[:MAX_DOUBTS]
    )
