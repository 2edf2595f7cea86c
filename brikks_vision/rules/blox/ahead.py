"""What an action brings: its points at once, and what the same player's next turn may bring then.

A short look ahead: nobody else moves in between, and the cards that are drawn are any that the hand
leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

from brikks_vision.rules.blox.actions import (
    Action,
    Build,
    Capture,
    Clear,
    Enter,
    Move,
    Swap,
    gain_of,
)
from brikks_vision.rules.blox.material import CARDS_OF_A_COLOR, HAND, JOKER, Card, Color, PawnColor
from brikks_vision.rules.blox.phases import phase_after
from brikks_vision.rules.blox.position import Position, Thing, tower_of
from brikks_vision.rules.blox.possible import PossibleAction, scoring_actions
from brikks_vision.rules.blox.typed import parse_blocks, parse_cards, parse_pawn

NEXT = 0.5
"""What a point of the next turn counts: the others may spoil it."""
BLOCK = 0.3
"""What a block in front of a player is worth: they may build with it."""

_Counts = tuple[int, ...]
"""Cards by colour, in the order of `Color`."""


@dataclass(frozen=True)
class Prospect:
    """An action, and what it brings.

    points: at once, on average over the colours that hidden blocks can have. later: expected points
    of the best action of the player's next turn.
    """

    possible: PossibleAction
    points: float
    later: float

    @property
    def worth(self) -> float:
        """By which actions are compared."""
        blocks = self.possible.chance * gain_of(self.possible.action)[1]
        return self.points + NEXT * self.later + BLOCK * blocks


def looked_ahead(
    position: Position,
    found: Sequence[PossibleAction],
    player: str,
    cards: Sequence[str],
    blocks: Sequence[str] = (),
) -> tuple[Prospect, ...]:
    """The actions, the best ones first. found, ...: as of `possible_actions`."""
    pawn, hand, in_front = parse_pawn(player), parse_cards(cards), parse_blocks(blocks)
    options = cache(_options)

    def later(possible: PossibleAction) -> float:
        action = possible.action
        after = _after(position, action, pawn)
        phases = tuple(dict.fromkeys(phase_after(after, phase) for phase in possible.phases))
        next_ones = options(after, pawn, _blocks_after(in_front, action), phases)
        held, has_joker = _hand_after(hand, action)
        return _expected(next_ones, held, has_joker, _counts(hand))

    told = [Prospect(each, each.chance * gain_of(each.action)[0], later(each)) for each in found]
    return tuple(sorted(told, key=lambda each: -each.worth))


def _after(position: Position, action: Action, pawn: PawnColor) -> Position:
    """What stands on the board after an action."""
    changed: dict[tuple[int, int], Thing | None]
    match action:
        case Enter(target):
            changed = {target: pawn}
        case Move(start, target) | Clear(start, target) | Capture(start, target):
            changed = {start: None, target: pawn}
        case Build(field, blocks):
            changed = {field: tower_of(blocks)}
        case Swap():
            return position
    return position.with_things(changed)


def _blocks_after(blocks: Sequence[Color], action: Action) -> tuple[Color, ...]:
    """The blocks in front of the player; of one paid with a joker the colour is not known."""
    left = Counter(blocks)
    if isinstance(action, Clear):
        left += Counter(card for card in action.cards if card != JOKER)
    if isinstance(action, Build):
        left -= Counter(action.blocks)
    return tuple(sorted(left.elements()))


def _hand_after(hand: Sequence[Card], action: Action) -> tuple[_Counts, bool]:
    """The cards that are kept, and whether the joker is active."""
    left = Counter(hand) - Counter(action.cards)
    return _counts(left.elements()), JOKER in left or isinstance(action, Swap)


def _counts(cards: Iterable[Card]) -> _Counts:
    """How many cards of each colour there are, jokers aside."""
    counted = Counter(cards)
    return tuple(counted[color] for color in Color)


def _options(
    position: Position, pawn: PawnColor, blocks: tuple[Color, ...], phases: tuple[int, ...]
) -> list[tuple[float, _Counts]]:
    """What brings points, with the cards that it takes; most points first."""
    best: dict[_Counts, float] = {}
    for each in scoring_actions(position, pawn, blocks, phases):
        needed, value = _counts(each.action.cards), each.chance * gain_of(each.action)[0]
        best[needed] = max(value, best.get(needed, 0.0))
    return sorted(((value, needed) for needed, value in best.items()), reverse=True)


def _expected(
    options: Sequence[tuple[float, _Counts]], held: _Counts, has_joker: bool, known: _Counts
) -> float:
    """The expected points of the best option after the hand is drawn up to five cards."""
    total = 0.0
    for drawn, chance in _draws(max(0, HAND - sum(held)), known):
        hand = [mine + new for mine, new in zip(held, drawn, strict=True)]
        for value, needed in options:
            if sum(n - h for n, h in zip(needed, hand, strict=True) if n > h) <= has_joker:
                total += chance * value
                break
    return total


@cache
def _draws(count: int, known: _Counts) -> tuple[tuple[_Counts, float], ...]:
    """All hands that can be drawn of the cards that are not known, with their probabilities."""
    left = [CARDS_OF_A_COLOR - each for each in known]
    ways = comb(sum(left), count)
    found = []
    for colors in combinations_with_replacement(Color, count):
        drawn = _counts(colors)
        found.append((drawn, prod(map(comb, left, drawn)) / ways))
    return tuple(found)
