"""Photos of one sheet in the course of its game: marks are only added, so all photos tell of each.

Which marks a photo shows is decided over all photos at once: of all points in a game at which a
mark can have been made, the one that they show best (maximum likelihood of one change point).

What is told of turns, and of a game that photos follow, whatever the game.

The sheets of one game: their ranking, and what they prove together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import OF_A_GAME, Key, Marks
from brikks_vision.errors import PhotoOfAnother, PhotosOutOfOrder
from brikks_vision.infer.certainty import Judged, States, judge_with_doubts
from brikks_vision.infer.costs import MAX_OTHER_TOTAL, MIN_TOLD_VIOLATION
from brikks_vision.infer.evidence import SURE, Evidence, surely_gone
from brikks_vision.infer.misread import Claim, how_surely
from brikks_vision.infer.protocol import Table
from brikks_vision.infer.sameness import MAX_SURE_DIFFERENCES
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Cell, Layout, Mark
from brikks_vision.reading import (
    NO_SETTINGS,
    PLAYERS,
    BrokenRule,
    GameSettings,
    Status,
    ViolationReading,
)
from brikks_vision.rules.shapes import Result, TableVerdict
from brikks_vision.text.phrases import Phrase


@dataclass(frozen=True)
class JudgedTurn:
    """What a coach says of a turn of a followed game.

    player: whose turn it was, as the contract names it, and told. earned: its points. better: what
    would have brought more; None: nothing that is known. points, blocks: how much more. content:
    of what is better, as `BoardMove.to_dict` or `Choice.to_dict` has it. expected: of a sheet, its
    final total after this turn; then ``points`` are those of final totals. margin: how far off they
    may be.
    """

    player: str
    told_player: Phrase
    earned: int
    better: Phrase | None = None
    points: float = 0
    blocks: int = 0
    content: Mapping[str, Any] | None = None
    expected: float | None = None
    margin: float = 0

    def to_dict(self) -> dict[str, Any]:
        """As ``--coach`` prints it of each turn, in plain Python types."""
        return {
            "player": self.player,
            "earned": self.earned,
            "better": self.content,
            "points": round(self.points, 1),
            "blocks": self.blocks,
            "expected": None if self.expected is None else round(self.expected, 1),
            "margin": round(self.margin, 1),
        }


@dataclass(frozen=True)
class ToldTurn:
    """A turn from two photos.

    status: whether both photos were read surely. told: what was done; None where nothing explains
    the change. violations: what makes it illegal. content: as the contract has it. notes: what else
    is to be said of it.
    """

    status: Status
    told: Phrase | None
    violations: tuple[ViolationReading, ...]
    content: Mapping[str, Any]
    notes: tuple[Phrase, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that follows those of the readings, in plain Python types."""
        return {"turn": dict(self.content)}


class Shown(Protocol):
    """What was read of a photo."""

    @property
    def reading(self) -> Any:
        """The reading; its ``photo`` is the name of the photo."""

    @property
    def layout(self) -> Any:
        """The printing."""

    @property
    def posterior(self) -> Any:
        """As of `Game.read`."""

    @property
    def evidence(self) -> Any:
        """As of `Game.read`."""


@dataclass(frozen=True)
class FollowedGame:
    """A game from photos that were taken one after the other.

    readings: one a photo, as all of them together explain it; without corners and times. turns: in
    their order. content: what the contract has besides, of which ``notation`` is the game as text.
    judge: what a coach says of the turn of a number, from 0; None where that cannot be told. facts:
    what is told besides. order: of a sheet, its blocks in the order in which they were entered.
    """

    readings: tuple[Any, ...]
    turns: tuple[ToldTurn, ...]
    content: Mapping[str, Any]
    judge: Callable[[int], JudgedTurn | None]
    facts: tuple[Phrase, ...] = ()
    order: tuple[frozenset[Cell], ...] = ()


Follow = Callable[[Sequence[Shown], Sequence[str]], FollowedGame]
"""The game that two or more photos of one printing show; the second argument is who plays, in the
order of their turns, empty where it is not known. Raises PhotosOutOfOrder, PhotoOfAnother, and
RulesForbid where there are no such players."""


MAX_GONE = 0.25
"""Share of the marks that a player may have taken back; of another sheet more are missing."""

Array = NDArray[np.float64]
Read = Callable[[str, Evidence, Any, Mapping[str, str]], tuple[Any, Any]]
"""As of `Game.read`."""


def read_in_order(shown: Sequence[Shown], read: Read) -> list[tuple[Any, Any]]:
    """The reading and the posterior of each photo, as all of them together show it.

    shown: two or more photos of one sheet, in the order in which they were taken.

    Raises
    ------
    PhotosOutOfOrder, PhotoOfAnother
    """
    names = [each.reading.photo for each in shown]
    photos = [each.evidence for each in shown]
    check_order(names, photos)
    return [
        read(name, evidence, each.layout, {})
        for name, evidence, each in zip(names, smoothed(photos), shown, strict=True)
    ]


def check_order(names: Sequence[str], photos: Sequence[Evidence]) -> None:
    """Raises PhotosOutOfOrder and PhotoOfAnother, where marks are surely gone in later photos."""
    gone = np.array(
        [[_count([*surely_gone(one, other).values()]) for other in photos] for one in photos]
    )
    if np.triu(gone).max() <= MAX_SURE_DIFFERENCES:
        return
    marks = np.array([_count([array > 0 for array in _made(each)]) for each in photos])
    order = np.argsort(marks, kind="stable")
    if np.triu(gone[np.ix_(order, order)]).max() <= MAX_SURE_DIFFERENCES:
        raise PhotosOutOfOrder(", ".join(names[number] for number in order))
    both = np.minimum(gone, gone.T)
    differs = both > np.maximum(MAX_SURE_DIFFERENCES, MAX_GONE * np.minimum.outer(marks, marks))
    if differs.any():
        number = len(names) - 1 - int(differs.sum(axis=1)[::-1].argmax())
        first = int(differs[number].argmax())
        raise PhotoOfAnother(names[number], names[first])


def are_two_sheets(one: Evidence, other: Evidence) -> bool:
    """Whether both have outlines that the other has not, around cells that are crossed in both.

    A cell is outlined with its group, and then no other way. Sheets without a grid have none.
    """
    if (CELL, Mark.CROSS) not in one.marks.logits:
        return False
    crossed = np.logical_and(*(photo.marks[CELL, Mark.CROSS] > SURE for photo in (one, other)))
    inner: Sequence[tuple[str, Any, Any]] = (
        (VERTICAL, np.s_[:, 1:-1], crossed[:, 1:] & crossed[:, :-1]),
        (HORIZONTAL, np.s_[1:-1], crossed[1:] & crossed[:-1]),
    )
    gone = [
        sum(
            int(np.sum(between & (was[edges] > SURE) & (now[edges] < -SURE)))
            for name, edges, between in inner
            for was, now in [[photo.marks[name, Mark.LINE] for photo in photos]]
        )
        for photos in ((one, other), (other, one))
    ]
    return bool(min(gone) > MAX_SURE_DIFFERENCES)


def smoothed(photos: Sequence[Evidence]) -> list[Evidence]:
    """What each photo shows, as all of them tell it together.

    Marks that a player seems to have taken back are left as each photo shows them: more than may be
    misread are surely in a photo and surely not in a later one, nor again after it. Of a photo that
    leaves open where the sheet lies nothing counts where others are clear. What something hides is
    known where the photos around it agree.
    """
    are_any_clear = any(photo.is_clear for photo in photos)
    shown = {
        key: np.stack([_shown(photo, key, are_any_clear) for photo in photos])
        for key in photos[0].marks.logits
    }
    gone = {key: _gone(seen) for key, seen in shown.items() if key[1] != Mark.LINE}
    counts = sum(each.reshape(len(photos), -1).sum(axis=1) for each in gone.values())
    are_back = np.asarray(counts > MAX_SURE_DIFFERENCES)
    logs: list[dict[Key, Array]] = [{} for _ in photos]
    for key, seen in shown.items():
        together = _together(seen)
        if key in gone and are_back.any():
            together = np.where(gone[key][are_back].any(axis=0), seen, together)
        for of_photo, log in zip(logs, together, strict=True):
            of_photo[key] = log
    return [
        replace(photo, marks=_uncovered(photo.marks, log))
        for photo, log in zip(photos, logs, strict=True)
    ]


def _shown(photo: Evidence, key: Key, are_any_clear: bool) -> Array:
    """The log-odds of a photo; 0 where it does not tell."""
    logits = photo.marks[key]
    if are_any_clear and not photo.is_clear:
        return np.zeros_like(logits)
    crossed = photo.marks.logits.get((key[0], Mark.CROSS))
    if key[1] == Mark.RING and crossed is not None:
        return np.where(crossed > 0, 0.0, logits)
    return logits


def _gone(seen: Array) -> NDArray[np.bool_]:
    """Where a mark is surely gone, (photos, ...): surely not there, but before, and not again."""
    was_there = np.maximum.accumulate(seen, axis=0) > SURE
    comes = np.maximum.accumulate(seen[::-1], axis=0)[::-1] > SURE
    return np.asarray(was_there & ~comes & (seen < -SURE))


def _together(seen: Array) -> Array:
    """Log-odds that a mark was made by each photo, (photos, ...), from those of each by itself.

    The best point at which it was made by then against the best later one; the photos between both
    tell which it was.
    """
    made = np.concatenate([seen[::-1].cumsum(axis=0)[::-1], np.zeros_like(seen[:1])])
    found = np.empty_like(seen)
    for photo in range(len(seen)):
        by_then = made[: photo + 1].argmax(axis=0)
        later = photo + 1 + made[photo + 1 :].argmax(axis=0)
        both = np.stack([by_then, later])
        best, other = np.take_along_axis(made, both, axis=0)
        found[photo] = (best - other) / (later - by_then) ** OF_A_GAME
    return found


def _uncovered(marks: Marks, logs: Mapping[Key, Array]) -> Marks:
    """The marks with these log-odds; a place stays covered where one of them is not sure."""
    covered = {
        name: places
        & np.logical_or.reduce(
            [np.abs(log) <= SURE for (field, mark), log in logs.items() if field == name]
            or [places]
        )
        for name, places in marks.covered.items()
    }
    return Marks(logs).with_covered(covered)


def _made(photo: Evidence) -> list[Array]:
    return [logits for (_, mark), logits in photo.marks.logits.items() if mark != Mark.LINE]


def _count(of_keys: Sequence[NDArray[np.bool_]]) -> int:
    return int(sum(each.sum() for each in of_keys))


Verdict = TypeVar("Verdict")


@dataclass(frozen=True)
class TableReading:
    """The sheets of one game, numbered from 0 in the order of their photos.

    status: OK if ranking and verdict are sure and all sheets were read. photos: names. results: of
    the sheets that were read. unread: the other sheets. is_ranking_sure: of the sheets that were
    read. is_verdict_sure: whether no violation was withheld because of a doubt. players: the name
    of each sheet's player, None if unknown; empty if none is known. variant: of the game.
    parts: by sheet, what the contract has of its result besides. notes: what is to be said of the
    game that is no fault.
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
    parts: Mapping[int, Mapping[str, object]] = field(default_factory=dict)
    notes: tuple[Phrase, ...] = ()

    @property
    def ranking(self) -> tuple[Result, ...]:
        """The results, the best first; those without a place last."""
        return tuple(
            sorted(self.results, key=lambda result: (result.place is None, result.place or 0))
        )

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
                        **self.parts[result.sheet],
                    }
                    for result in self.ranking
                ],
                "unread": list(self.unread),
                "violations": [violation.to_dict() for violation in self.violations],
                **({"notes": [each.sentence() for each in self.notes]} if self.notes else {}),
            }
        }


def table_of(
    players: Callable[[GameSettings], Collection[int]],
    judge: Callable[[States[Any], Layout, GameSettings], TableVerdict],
    parts: Callable[[Result], Mapping[str, object]],
    of_all: Collection[str] = (),
    notes: Collection[str] = (),
) -> Table:
    """How several sheets of a game are compared.

    players: how many can play. judge: by the rules, None standing for a sheet that is not known.
    parts: what the contract has of a result besides place and total.
    of_all: codes of rules that nothing proves where a part of any sheet is hidden. notes: codes of
    rules that are noted and break nothing, as that a game goes on.
    """

    def is_table(known: GameSettings, sheets: int) -> bool:
        count = known.get(PLAYERS, sheets)
        return 2 <= sheets <= count and count in players(known)

    def read_game(
        photos: Sequence[str],
        sheets: Sequence[Any],
        layout: Layout,
        known: GameSettings = NO_SETTINGS,
        names: Sequence[str | None] = (),
    ) -> TableReading:
        """The ranking of the sheets of one game (None: not read), and what they prove together.

        They are as many as the photos where the number of players is not known. names: the player
        of each sheet, or empty. Nothing is proven against a sheet of which something is hidden.
        """
        missing = [None] * (max(known.get(PLAYERS) or 0, len(sheets)) - len(sheets))
        judged = judge_with_doubts(sheets, lambda states: judge([*states, *missing], layout, known))
        verdict, places = judged.verdict, _places(judged.verdict)
        hidden = {at for at, sheet in enumerate(sheets) if sheet is not None and sheet.hidden}
        proven = [
            each
            for each in proven_together(judged, lambda verdict: verdict.violations)
            if hidden.isdisjoint(each.where) and not (hidden and each.rule in of_all)
        ]
        violations = tuple(each for each in proven if each.rule not in notes)
        # The ranking of sheets that are each called sure is sure as well.
        minimum = (1 - MAX_OTHER_TOTAL) ** len(verdict.results)
        same_places = judged.probability(lambda other: _places(other) == places)
        ends = [sheets[at].ends for at in hidden]
        is_open = any(least != most for least, most in ends)
        is_ranking_sure = same_places >= minimum and not is_open
        broken = [each for each in verdict.violations if each.rule not in notes]
        is_verdict_sure = len(violations) == len(broken)
        is_sure = None not in sheets and is_ranking_sure and is_verdict_sure
        return TableReading(
            status=Status.OK if is_sure else Status.UNCERTAIN,
            photos=tuple(photos),
            results=verdict.results,
            unread=tuple(number for number, sheet in enumerate(sheets) if sheet is None),
            violations=violations,
            is_ranking_sure=is_ranking_sure,
            is_verdict_sure=is_verdict_sure,
            players=tuple(names),
            variant=str(verdict.variant),
            parts={each.sheet: parts(each) for each in verdict.results},
            notes=tuple(each.told for each in proven if each.rule in notes and each.told),
        )

    return Table(is_table, read_game)


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
