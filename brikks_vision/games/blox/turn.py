"""What may be done on a photographed board, and which turn two photos show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from brikks_vision.games.blox.reading import BoardReading, Doubt
from brikks_vision.rules.blox import (
    Field,
    PawnColor,
    Position,
    PossibleAction,
    Tower,
    TurnVerdict,
    judge_turn,
    possible_actions,
)
from brikks_vision.rules.blox.actions import action_dict
from brikks_vision.rules.blox.board import FIELDS
from brikks_vision.rules.blox.position import Thing
from brikks_vision.rules.blox.typed import parse_pawn

SURE_COLOR = 0.9
"""A block's colour below it counts as one that does not show."""
SURE_CHANGE = 0.97
"""Both readings of a field must be so sure for a change that no turn makes."""
MAX_OTHERWISE = 2
"""So many doubted fields may be otherwise for a turn to be legal."""
MAX_PRICE = 3.0
"""Log-odds that a legal turn may be less probable than what was read: most turns are legal."""
MAX_DOUBTED = 6
"""Doubts of a photo that are looked at."""


@dataclass(frozen=True)
class ReadTurn:
    """A turn from two photos.

    before, after: as the verdict takes them. status: "uncertain" where a photo is, and where it was
    taken otherwise than it was read.
    """

    verdict: TurnVerdict
    before: Position
    after: Position
    status: Literal["ok", "uncertain"]

    def to_dict(self, photos: Sequence[str] = ()) -> dict[str, Any]:
        """The turn as in the reading's JSON."""
        return {"status": self.status, "photos": list(photos), **self.verdict.to_dict()}


def moves(
    reading: BoardReading,
    color: str,
    cards: Sequence[str],
    blocks: Sequence[str] = (),
    phase: int | None = None,
) -> tuple[PossibleAction, ...]:
    """Every legal action of a player on the board that was read; raises as `possible_actions`."""
    return possible_actions(known_position(reading), color, cards, blocks, phase)


def moves_dicts(found: Sequence[PossibleAction], color: str) -> list[dict[str, Any]]:
    """The actions as in the reading's JSON; raises UnknownPawnError."""
    pawn = parse_pawn(color)
    return [
        {**action_dict(each.action, pawn), "phases": list(each.phases),
         "way": [list(field) for field in each.way]}
        for each in found
    ]  # fmt: skip


def known_position(reading: BoardReading) -> Position:
    """The position with only those colours of blocks that are sure."""
    things = {}
    for field, tower in reading.position.towers.items():
        sure = reading.block_confidences.get(field, (1.0,) * tower.height)
        blocks = tuple(
            color if chance >= SURE_COLOR else None
            for color, chance in zip(tower.blocks, sure, strict=True)
        )
        things[field] = Tower(blocks, tower.chip)
    return reading.position.with_things(things)


def read_turn(before: BoardReading, after: BoardReading, phase: int | None = None) -> ReadTurn:
    """Which action leads from one reading to the other.

    Where it would be illegal, but a doubted field that is otherwise makes a legal turn of it, that
    is taken: accusing a player wrongly is worse than overlooking something.

    Raises
    ------
    ImpossiblePhaseError
        There is no such phase.
    """
    first, second = _agreed(before, after)
    verdict = judge_turn(first, second, phase)
    both_sure = before.status == after.status == "ok"
    if verdict.is_legal:
        return ReadTurn(verdict, first, second, "ok" if both_sure else "uncertain")
    for was, now in _otherwise(before, after, first, second):
        other = judge_turn(was, now, phase)
        if other.is_legal:
            return ReadTurn(other, was, now, "uncertain")
    return ReadTurn(verdict, first, second, "ok" if both_sure else "uncertain")


def _agreed(before: BoardReading, after: BoardReading) -> tuple[Position, Position]:
    """Both positions, with changes that no turn can make corrected as misreadings.

    No turn makes a tower higher or lower, or lets one come to or go from a field without a pawn:
    there, the surer reading counts for both photos, unless both are sure. Light can make a block
    look otherwise; that a tower was changed for one as high is hardly so.
    """
    first, second = known_position(before), known_position(after)
    was_now: dict[Field, Thing | None] = {}
    now_was: dict[Field, Thing | None] = {}
    for field in FIELDS:
        was, now = first.at(field), second.at(field)
        if isinstance(was, PawnColor) or isinstance(now, PawnColor):
            continue
        if isinstance(was, Tower) and isinstance(now, Tower) and was.height == now.height:
            blocks = tuple(
                None if None not in (old, new) and old != new else new
                for old, new in zip(was.blocks, now.blocks, strict=True)
            )
            now_was[field] = Tower(blocks, now.chip)
        elif was != now:
            sure = before.confidences[field], after.confidences[field]
            if min(sure) < SURE_CHANGE:
                was_now[field] = now_was[field] = was if sure[0] >= sure[1] else now
    return first.with_things(was_now), second.with_things(now_was)


def _otherwise(
    before: BoardReading, after: BoardReading, first: Position, second: Position
) -> Iterator[tuple[Position, Position]]:
    """Pairs of positions with some doubted fields otherwise, the most probable ones first."""
    doubts: list[tuple[bool, Doubt]] = [(True, doubt) for doubt in before.doubts[:MAX_DOUBTED]]
    doubts += [(False, doubt) for doubt in after.doubts[:MAX_DOUBTED]]
    found: list[tuple[float, tuple[tuple[bool, Doubt], ...]]] = []
    for count in range(1, MAX_OTHERWISE + 1):
        for chosen in combinations(doubts, count):
            price = sum(_price(doubt) for _, doubt in chosen)
            if price <= MAX_PRICE:
                found.append((price, chosen))
    for _, chosen in sorted(found, key=lambda each: each[0]):
        was: dict[Field, Any] = {doubt.field: doubt.otherwise for early, doubt in chosen if early}
        now: dict[Field, Any] = {
            doubt.field: doubt.otherwise for early, doubt in chosen if not early
        }
        yield first.with_things(was), second.with_things(now)


def _price(doubt: Doubt) -> float:
    """Log-odds of what was read before the other; the other has most of what is left."""
    left = max(1.0 - doubt.confidence, 1e-9)
    return float(np.log(max(doubt.confidence, 1e-9) / left))
