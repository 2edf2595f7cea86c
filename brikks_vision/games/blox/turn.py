"""Which turn two photos of a board show.

What the coach says of the turns of a followed game of BLOX.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from brikks_vision.games.blox.follow import FollowedBoard
from brikks_vision.games.blox.reading import BoardReading
from brikks_vision.games.blox.sequence import FoundTurn, find_sequence
from brikks_vision.infer.following import JudgedTurn
from brikks_vision.rules.blox.actions import action_dict, action_words, gain_of
from brikks_vision.rules.blox.material import Color, PawnColor, parse_pawn, pawns_words
from brikks_vision.rules.blox.possible import PossibleAction, most_for
from brikks_vision.rules.blox.referee import known_phase
from brikks_vision.rules.blox.turn import TurnVerdict


def moves_dicts(found: Sequence[PossibleAction], color: str) -> list[dict[str, Any]]:
    """The actions as in the reading's JSON; raises UnknownPawnError."""
    pawn = parse_pawn(color)
    return [
        {**action_dict(each.action, pawn), "phases": list(each.phases),
         "way": [list(field) for field in each.way]}
        for each in found
    ]  # fmt: skip


def read_turn(before: BoardReading, after: BoardReading, phase: int | None = None) -> FoundTurn:
    """Which action leads from one reading to the other: the most probable game of one turn.

    Raises
    ------
    ImpossiblePhaseError
        There is no such phase.
    """
    known = None if phase is None else known_phase(phase)
    (turn,) = find_sequence((before, after), phase=known, is_one_turn=True).turns
    return turn


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
