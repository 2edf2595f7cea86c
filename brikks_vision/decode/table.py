"""The sheets of one game: their ranking, and what they prove together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from brikks_vision.decode.confidence import Judged, States, judge_with_doubts
from brikks_vision.decode.posterior import Decoded
from brikks_vision.decode.prices import MAX_OTHER_TOTAL, MIN_TOLD_VIOLATION
from brikks_vision.decode.proofs import Claim, how_surely
from brikks_vision.reading import BrokenRule, Points, Status, ViolationReading

State = TypeVar("State", bound=Hashable)
Verdict = TypeVar("Verdict")


class PlayerResult(Protocol):
    """One player's result. sheet: from 0. place: from 1, None without one."""

    @property
    def sheet(self) -> int: ...

    @property
    def place(self) -> int | None: ...

    @property
    def score(self) -> Points: ...


Result = TypeVar("Result", bound=PlayerResult)


class TableVerdict(Protocol):
    """What the rules say of the sheets of one game."""

    @property
    def variant(self) -> str: ...

    @property
    def results(self) -> Sequence[PlayerResult]: ...

    @property
    def violations(self) -> Sequence[Claim]: ...


Table = TypeVar("Table", bound=TableVerdict)


@dataclass(frozen=True)
class TableReading(Generic[Result]):
    """The sheets of one game, numbered from 0 in the order of their photos.

    status: OK if ranking and verdict are sure and all sheets were read. photos: names. results: of
    the sheets that were read. unread: the other sheets. is_ranking_sure: of the sheets that were
    read. is_verdict_sure: whether no violation was withheld because of a doubt. players: the name
    of each sheet's player, None if unknown; empty if none is known. variant: of the game.
    """

    status: Status
    photos: tuple[str, ...]
    results: tuple[Result, ...]
    unread: tuple[int, ...]
    violations: tuple[ViolationReading, ...]
    is_ranking_sure: bool
    is_verdict_sure: bool
    players: tuple[str | None, ...] = ()
    variant: str = "standard"

    @property
    def ranking(self) -> tuple[Result, ...]:
        """The results, the best first; those without a place last."""
        return tuple(
            sorted(self.results, key=lambda result: (result.place is None, result.place or 0))
        )

    def points_json(self, result: Result) -> dict[str, Any]:
        """What a result has beside its place and total, in plain Python types."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that follows those of the readings, in plain Python types."""
        return {
            "game": {
                "status": str(self.status),
                "variant": self.variant,
                "ranking": [
                    {
                        "place": result.place,
                        "sheet": result.sheet,
                        "photo": self.photos[result.sheet],
                        "player": self.players[result.sheet] if self.players else None,
                        "total": result.score.total,
                        **self.points_json(result),
                    }
                    for result in self.ranking
                ],
                "unread": list(self.unread),
                "violations": [violation.to_dict() for violation in self.violations],
            }
        }


OfTable = TypeVar("OfTable", bound=TableReading[Any])


def read_table(
    kind: type[OfTable],
    photos: Sequence[str],
    sheets: Sequence[Decoded[State] | None],
    judge: Callable[[States[State]], Table],
    players: int | None = None,
    names: Sequence[str | None] = (),
    hidden: Collection[int] = (),
    is_open: bool = False,
) -> OfTable:
    """The ranking of the sheets of one game (None: not read), and what they prove together.

    players: how many played; as many as the photos where that is not known. names: the player of
    each sheet, or empty. hidden: sheets, from 0, of which something hides a part: nothing is proven
    against them. is_open: whether what is hidden leaves some total open.
    """
    missing = [None] * (max(players or 0, len(sheets)) - len(sheets))
    judged = judge_with_doubts(sheets, lambda states: judge([*states, *missing]))
    verdict = judged.verdict
    places = _places(verdict)
    violations = tuple(
        violation
        for violation in proven_together(judged, lambda verdict: verdict.violations)
        if not set(hidden).intersection(violation.where)
    )
    # The ranking of sheets that are each called sure is sure as well.
    minimum = (1 - MAX_OTHER_TOTAL) ** len(verdict.results)
    same_places = judged.probability(lambda other: _places(other) == places)
    is_ranking_sure = same_places >= minimum and not is_open
    is_verdict_sure = len(violations) == len(verdict.violations)
    is_sure = None not in sheets and is_ranking_sure and is_verdict_sure
    return kind(
        status=Status.OK if is_sure else Status.UNCERTAIN,
        photos=tuple(photos),
        results=tuple(verdict.results),
        unread=tuple(number for number, sheet in enumerate(sheets) if sheet is None),
        violations=violations,
        is_ranking_sure=is_ranking_sure,
        is_verdict_sure=is_verdict_sure,
        players=tuple(names),
        variant=str(verdict.variant),
    )


def proven_together(
    judged: Judged[Verdict], told: Callable[[Verdict], Sequence[Claim]]
) -> tuple[ViolationReading, ...]:
    """The violations of several sheets that stand whatever the doubtful marks are.

    told: those of a verdict.
    """
    found = []
    for violation in told(judged.verdict):
        confidence = violation.confidence * judged.probability(_how_surely_told(violation, told))
        if confidence >= MIN_TOLD_VIOLATION:
            found.append(ViolationReading.of(violation, confidence))
    return tuple(found)


def _claim(violation: BrokenRule) -> tuple[str, str, tuple[int, ...]]:
    """What a violation claims, and of which sheets, without its figures."""
    sheets = tuple(n for n in violation.where if isinstance(n, int))
    return violation.rule, violation.told.key, sheets if violation.part == "sheets" else ()


def _how_surely_told(
    violation: Claim, told: Callable[[Verdict], Sequence[Claim]]
) -> Callable[[Verdict], float]:
    claim = _claim(violation)
    return lambda verdict: how_surely(
        violation, [other for other in told(verdict) if _claim(other) == claim]
    )


def _places(verdict: TableVerdict) -> tuple[int | None, ...]:
    return tuple(result.place for result in verdict.results)
