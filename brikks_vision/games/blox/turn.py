"""Which turn two photos of a board show.

What the coach says of the turns of a followed game of BLOX.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.blox.decode import THINGS
from brikks_vision.games.blox.follow import FollowedBoard
from brikks_vision.games.blox.reading import BoardReading, thing_at
from brikks_vision.infer.following import JudgedTurn
from brikks_vision.rules.blox.actions import action_dict, action_words, gain_of
from brikks_vision.rules.blox.material import Color, Field, PawnColor, parse_pawn, pawns_words
from brikks_vision.rules.blox.position import FIELDS, Position, Thing, Tower
from brikks_vision.rules.blox.possible import PossibleAction, most_for
from brikks_vision.rules.blox.turn import TurnVerdict, judge_turn

ILLEGAL_COST = 5.0
"""Log-odds: most turns are legal. Fitted, with the margin, on 54 simulated turns (seed 4410)."""
MAX_CHANGED, CHANGE_COST = 2, 5.0
"""Fields that a turn changes; log-odds against each further one."""
MARGIN = 3.5
"""Log-odds before any other turn from which one is sure: 97 %."""
MAX_CHANGES, MAX_JUDGED = 60, 400
"""The likeliest changes of a field that are looked at, and pairs of positions that are judged."""


@dataclass(frozen=True)
class ReadTurn:
    """A turn from two photos.

    before, after: as the verdict takes them. status: "uncertain" where another turn is nearly as
    probable.
    """

    verdict: TurnVerdict
    before: Position
    after: Position
    status: Literal["ok", "uncertain"]

    def to_dict(self, photos: Sequence[str] = ()) -> dict[str, Any]:
        """The turn as in the reading's JSON."""
        return {"status": self.status, "photos": list(photos), **self.verdict.to_dict()}


def moves_dicts(found: Sequence[PossibleAction], color: str) -> list[dict[str, Any]]:
    """The actions as in the reading's JSON; raises UnknownPawnError."""
    pawn = parse_pawn(color)
    return [
        {**action_dict(each.action, pawn), "phases": list(each.phases),
         "way": [list(field) for field in each.way]}
        for each in found
    ]  # fmt: skip


def read_turn(before: BoardReading, after: BoardReading, phase: int | None = None) -> ReadTurn:
    """Which action leads from one reading to the other.

    Both photos tell together what stands on the fields that did not change. A turn changes two
    fields at the most: of the pairs of positions that do, and of the one in which all is as it was
    read, the most probable counts. One that is no legal turn counts as less probable than the
    photos alone make it: accusing a player wrongly is worse than overlooking something.

    Raises
    ------
    ImpossiblePhaseError
        There is no such phase.
    """
    guesses = sorted(_guesses(before, after), key=lambda guess: -guess.score)
    judged: list[tuple[float, TurnVerdict, Position, Position]] = []
    best = -np.inf
    near = guesses[:MAX_JUDGED]
    for guess in near:
        if guess.score < best - MARGIN:
            break
        was, now = _positions(before, after, guess)
        verdict = judge_turn(was, now, phase)
        score = guess.score - (0.0 if verdict.is_legal else ILLEGAL_COST)
        judged.append((score, verdict, was, now))
        best = max(best, score)
    score, verdict, was, now = max(judged, key=lambda each: each[0])
    others = [other for other, each, *_ in judged if not _is_same_turn(each, verdict)]
    # Where so many are near that not all were judged, one of the others may be as probable.
    is_whole = len(judged) < len(near) or len(near) == len(guesses)
    is_sure = is_whole and score - max(others, default=-np.inf) >= MARGIN
    return ReadTurn(verdict, was, now, "ok" if is_sure else "uncertain")


@dataclass(frozen=True)
class _Guess:
    """What the fields may have been and become. score: log-odds against that nothing changed.

    changes: by the place among ``FIELDS``, the places among `THINGS` before and after. kept: of
    each field that did not change, (81,).
    """

    score: float
    changes: Mapping[int, tuple[int, int]]
    kept: NDArray[np.intp]


def _guesses(before: BoardReading, after: BoardReading) -> Iterator[_Guess]:
    """That nothing changed, likely changes of one and of two fields, and all as it was read."""
    was, now = before.log_chances, after.log_chances
    same = was + now
    kept = same.argmax(axis=1)
    changed = was[:, :, None] + now[:, None, :] - same.max(axis=1)[:, None, None]
    changed[:, np.arange(THINGS), np.arange(THINGS)] = -np.inf
    yield _Guess(0.0, {}, kept)
    order = changed.ravel().argsort()[::-1][:MAX_CHANGES]
    singles = [
        (float(changed[field, old, new]), int(field), (int(old), int(new)))
        for field, old, new in zip(*np.unravel_index(order, changed.shape), strict=True)
    ]
    for score, field, change in singles:
        yield _Guess(score, {field: change}, kept)
    for one, other in combinations(singles, 2):
        if one[1] != other[1]:
            yield _Guess(one[0] + other[0], {one[1]: one[2], other[1]: other[2]}, kept)
    best = {field: (score, change) for score, field, change in reversed(singles) if score > 0}
    if len(best) > MAX_CHANGED:
        total = sum(score for score, _ in best.values())
        cost = (len(best) - MAX_CHANGED) * CHANGE_COST
        yield _Guess(total - cost, {field: change for field, (_, change) in best.items()}, kept)


def _positions(
    before: BoardReading, after: BoardReading, guess: _Guess
) -> tuple[Position, Position]:
    """Both positions, with only those colours of blocks that are sure."""
    first, second = before.position, after.position
    was: dict[Field, Thing | None] = {}
    now: dict[Field, Thing | None] = {}
    for place, field in enumerate(FIELDS):
        if place in guess.changes:
            old, new = guess.changes[place]
            was[field], now[field] = _thing(first, field, old), _thing(second, field, new)
        else:
            kept = int(guess.kept[place])
            was[field] = now[field] = _common(
                _thing(first, field, kept), _thing(second, field, kept)
            )
    return first.with_things(was), second.with_things(now)


def _thing(read: Position, field: Field, place: int) -> Thing | None:
    """The thing of that place among `THINGS`, with the colours that were read where it was read."""
    thing, seen = thing_at(place), read.at(field)
    if isinstance(thing, Tower) and isinstance(seen, Tower) and thing.height == seen.height:
        return seen
    return thing


def _common(was: Thing | None, now: Thing | None) -> Thing | None:
    """A thing that both photos show.

    Where they show a block in two colours, its colour is not known: light changes how it looks. A
    tower is hardly ever replaced by another one of the same height.
    """
    if not (isinstance(was, Tower) and isinstance(now, Tower)):
        return now
    blocks = tuple(
        (new or old) if None in (old, new) or old == new else None
        for old, new in zip(was.blocks, now.blocks, strict=True)
    )
    return Tower(blocks, now.chip)


def _is_same_turn(one: TurnVerdict, other: TurnVerdict) -> bool:
    facts = [(each.action, each.pawn, each.start, each.target, each.is_legal)
             for each in (one, other)]  # fmt: skip
    return facts[0] == facts[1]


TAKEN = {"clear": 1, "build": -1}
"""By action, how many blocks more a player has in front of them for each card."""


def judged_turn(found: FollowedBoard, number: int) -> JudgedTurn | None:
    """What the cards that a turn took could have brought more; None where they are not known.

    A hand does not show in photos: other cards of it are left out. The blocks in front of a player
    are those that were taken since the first photo.
    """
    turn, before = found.turns[number], found.positions[number]
    verdict = turn.verdict
    cards = [card for card in verdict.cards if card is not None]
    if not (turn.is_sure and verdict.is_legal and verdict.pawn and cards):
        return None
    if len(cards) < len(verdict.cards):
        return None
    blocks = _blocks_in_front([each.verdict for each in found.turns[:number]], verdict.pawn)
    best = most_for(before, verdict.pawn, cards, blocks)
    points, more_blocks = verdict.points, TAKEN.get(verdict.action or "", 0) * len(cards)
    judged = JudgedTurn(str(verdict.pawn), pawns_words(verdict.pawn), points)
    if best is None or gain_of(best.action) <= (points, more_blocks):
        return judged
    most, most_blocks = gain_of(best.action)
    (content,) = moves_dicts([best], verdict.pawn)
    told = action_words(best.action, verdict.pawn)
    return replace(
        judged,
        better=told,
        points=most - points,
        blocks=most_blocks - more_blocks,
        content=content,
    )


def _blocks_in_front(verdicts: Sequence[TurnVerdict], pawn: PawnColor) -> list[Color]:
    """The blocks that a player took and did not build with, as far as their colours show."""
    blocks: Counter[Color] = Counter()
    for verdict in verdicts:
        if verdict.pawn == pawn:
            for card in filter(None, verdict.cards):
                blocks[card] += TAKEN.get(verdict.action or "", 0)
    return list((+blocks).elements())
