"""The actions that are possible in a position of BLOX, and what each may bring.

A photo may hide the colours of blocks inside a tower. An action that such a block could forbid is
still listed, with the colours that it would have to have.

What an action brings: its points at once, and what the same player's next turn may bring then.

A short look ahead: nobody else moves in between, and the cards that are drawn are any that the hand
leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

from brikks_vision.rules.blox import actions, material, referee
from brikks_vision.rules.blox.position import (
    Position,
    Thing,
    Tower,
    Way,
    entries,
    moves,
    reached,
    tower_of,
    walled_in,
)


@dataclass(frozen=True)
class PossibleAction:
    """An action that the rules allow, as far as is known.

    way: the fields that the pawn goes over, the last one its target; for an entry one of the
    shortest ways from an edge; empty where no pawn goes. phases: those in which it is legal.
    needs: the colours, one of these choices, that the hidden blocks of the tower must have; empty
    where it is legal whatever they are. chance: the share of all choices that these are.
    """

    action: actions.Action
    way: Way
    phases: tuple[int, ...]
    needs: tuple[tuple[material.Color, ...], ...] = ()
    chance: float = 1.0

    @property
    def told(self) -> material.Phrase | None:
        """What hidden blocks it requires, in words; None if none."""
        if not self.needs:
            return None
        count = len(self.needs[0])
        choices = [_choice(choice) for choice in self.needs]
        return material.phrase("hidden-must-be", count=count, colors=material.one_of(choices))


def _choice(colors: tuple[material.Color, ...]) -> material.Phrase:
    return material.phrase("color-choice", count=len(colors), colors=material.cards_words(colors))


@dataclass(frozen=True)
class _Hand:
    """Cards to pay with."""

    cards: Counter[material.Color]
    has_joker: bool

    def payments(self, needed: Sequence[material.Color]) -> Iterator[tuple[material.Card, ...]]:
        """Each choice of cards that pays for cards of these colours, one for one."""
        missing = Counter(needed) - self.cards
        if not missing:
            yield tuple(needed)
        if self.has_joker and missing.total() <= 1:
            for color in missing or dict.fromkeys(needed):
                rest = list(needed)
                rest.remove(color)
                yield (*rest, material.JOKER)


def possible_actions(
    position: Position,
    player: str,
    cards: Sequence[str],
    blocks: Sequence[str] = (),
    phase: int | None = None,
) -> tuple[PossibleAction, ...]:
    """All that a player may do who has these pawns, cards and blocks in front of them.

    player: the colour of the pawns. cards: up to five and the joker, if it is active. blocks: those
    in front of the player. phase: left out, it is what the towers tell; where they can stand so in
    no phase, every phase is taken as possible.

    Raises
    ------
    UnknownPawnError, UnknownCardError, UnknownColorError
        A name is none of a player, a card or a block.
    TooManyCardsError, TooManyJokersError, TooManyBlocksError
        No player can have these.
    ImpossiblePhaseError
        There is no such phase.
    """
    pawn, hand, in_front = (
        material.parse_pawn(player),
        _hand(material.parse_cards(cards)),
        material.parse_blocks(blocks),
    )
    _check_in_front(in_front)
    phases = (
        referee.phases_of(position) or referee.PHASES
        if phase is None
        else (referee.known_phase(phase),)
    )
    return tuple(
        [
            *_entries(position, pawn, hand, phases),
            *_moves(position, pawn, hand, phases),
            *_clearings(position, pawn, hand, in_front, phases),
            *_buildings(position, pawn, hand, in_front, phases),
            *_captures(position, pawn, hand, phases),
            *_swaps(hand, phases),
        ]
    )


def most_for(
    position: Position, player: str, cards: Sequence[str], blocks: Sequence[str] = ()
) -> PossibleAction | None:
    """The action that brings most points at once, then most blocks, for no more than these cards.

    Only what is legal whatever hidden blocks are counts; None where nothing is. Parameters and
    errors as of `possible_actions`.
    """
    possible = possible_actions(position, player, cards, blocks)
    sure = [each for each in possible if not each.needs]
    return max(sure, key=lambda each: actions.gain_of(each.action), default=None)


def scoring_actions(
    position: Position,
    pawn: material.PawnColor,
    blocks: Sequence[material.Color],
    phases: tuple[int, ...],
) -> Iterator[PossibleAction]:
    """All that brings points to who holds whatever cards it takes, but no joker."""
    hand = _Hand(Counter(dict.fromkeys(material.Color, material.HAND)), False)
    yield from _clearings(position, pawn, hand, blocks, phases)
    yield from _buildings(position, pawn, hand, blocks, phases)
    yield from _captures(position, pawn, hand, phases)


def _entries(
    position: Position, pawn: material.PawnColor, hand: _Hand, phases: tuple[int, ...]
) -> Iterator[PossibleAction]:
    if not position.pawns_left(pawn):
        return
    for target, way in entries(position).items():
        for cards in hand.payments([position.board.color(target)]):
            yield PossibleAction(actions.Enter(target, cards), way, phases)


def _moves(
    position: Position, pawn: material.PawnColor, hand: _Hand, phases: tuple[int, ...]
) -> Iterator[PossibleAction]:
    for start in position.pawns_of(pawn):
        for target, way in moves(position, start).items():
            for cards in hand.payments([position.board.color(target)]):
                yield PossibleAction(actions.Move(start, target, cards), way, phases)


def _clearings(
    position: Position,
    pawn: material.PawnColor,
    hand: _Hand,
    blocks: Sequence[material.Color],
    phases: tuple[int, ...],
) -> Iterator[PossibleAction]:
    if len(blocks) >= material.RULE_OF_SEVEN:
        return
    for start in position.pawns_of(pawn):
        for way in reached(position, start):
            tower = position.at(way[-1])
            if not isinstance(tower, Tower):
                continue
            allowing = tuple(phase for phase in phases if tower.height <= phase)
            barred = referee.colors_on(position, way)
            if not allowing or barred.intersection(tower.seen):
                continue
            fillings = _fillings(position, tower, blocks)
            paid: dict[tuple[material.Card, ...], list[tuple[material.Color, ...]]] = {}
            for filling in fillings:
                if not barred.intersection(filling):
                    for cards in hand.payments(material.in_order([*tower.seen, *filling])):
                        paid.setdefault(cards, []).append(filling)
            for cards, choices in paid.items():
                needs = () if choices == fillings else tuple(choices)
                chance = len(choices) / len(fillings)
                yield PossibleAction(
                    actions.Clear(start, way[-1], cards), way, allowing, needs, chance
                )


def _fillings(
    position: Position, tower: Tower, blocks: Sequence[material.Color]
) -> list[tuple[material.Color, ...]]:
    """The colours that the hidden blocks of a tower can have, given all blocks in sight."""
    if not tower.hidden:
        return [()]
    seen = Counter(blocks)
    for other in position.towers.values():
        seen.update(other.seen)
    fillings = list(combinations_with_replacement(material.Color, tower.hidden))
    fitting = [
        filling
        for filling in fillings
        if all(
            seen[color] + count <= material.BLOCKS_OF_A_COLOR
            for color, count in Counter(filling).items()
        )
    ]
    return fitting or fillings


def _buildings(
    position: Position,
    pawn: material.PawnColor,
    hand: _Hand,
    blocks: Sequence[material.Color],
    phases: tuple[int, ...],
) -> Iterator[PossibleAction]:
    fields = [field for field in position.pawns_of(pawn) if walled_in(position, field) is None]
    for phase in phases:
        piles = [
            (pile, cards)
            for pile in _choices(blocks, referee.height_to_build(phase))
            for cards in hand.payments(pile)
        ]
        for field, (pile, cards) in product(fields, piles):
            yield PossibleAction(actions.Build(field, pile, cards), (), (phase,))


def _captures(
    position: Position, pawn: material.PawnColor, hand: _Hand, phases: tuple[int, ...]
) -> Iterator[PossibleAction]:
    for start in position.pawns_of(pawn):
        for way in reached(position, start):
            captured, color = position.at(way[-1]), position.board.color(way[-1])
            if (
                not isinstance(captured, material.PawnColor)
                or captured == pawn
                or color in referee.colors_on(position, way)
            ):
                continue
            for count in range(material.MIN_CAPTURE, hand.cards[color] + hand.has_joker + 1):
                for cards in hand.payments([color] * count):
                    yield PossibleAction(actions.Capture(start, way[-1], cards), way, phases)


def _swaps(hand: _Hand, phases: tuple[int, ...]) -> Iterator[PossibleAction]:
    for count in range(1, hand.cards.total() + 1):
        for cards in _choices(hand.cards.elements(), count):
            yield PossibleAction(actions.Swap(cards), (), phases)


def _choices(colors: Iterable[material.Color], count: int) -> Iterable[tuple[material.Color, ...]]:
    """Each way to take so many of them, whatever their order."""
    return dict.fromkeys(combinations(material.in_order(colors), count))


def _hand(cards: Sequence[material.Card]) -> _Hand:
    colors = [card for card in cards if card != material.JOKER]
    if len(colors) > material.HAND:
        raise material.TooManyCardsError(len(colors))
    if len(cards) - len(colors) > 1:
        raise material.TooManyJokersError
    return _Hand(Counter(colors), len(colors) < len(cards))


def _check_in_front(blocks: Sequence[material.Color]) -> None:
    for color, count in Counter(blocks).items():
        if count > material.BLOCKS_OF_A_COLOR:
            raise material.TooManyBlocksError(color, count)


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
        blocks = self.possible.chance * actions.gain_of(self.possible.action)[1]
        return self.points + NEXT * self.later + BLOCK * blocks


def looked_ahead(
    position: Position,
    found: Sequence[PossibleAction],
    player: str,
    cards: Sequence[str],
    blocks: Sequence[str] = (),
) -> tuple[Prospect, ...]:
    """The actions, the best ones first. found, ...: as of `possible_actions`."""
    pawn, hand, in_front = (
        material.parse_pawn(player),
        material.parse_cards(cards),
        material.parse_blocks(blocks),
    )
    options = cache(_options)

    def later(possible: PossibleAction) -> float:
        action = possible.action
        after = position_after(position, action, pawn)
        phases = tuple(
            dict.fromkeys(referee.phase_after(after, phase) for phase in possible.phases)
        )
        next_ones = options(after, pawn, _blocks_after(in_front, action), phases)
        held, has_joker = _hand_after(hand, action)
        return _expected(next_ones, held, has_joker, _counts(hand))

    told = [
        Prospect(each, each.chance * actions.gain_of(each.action)[0], later(each)) for each in found
    ]
    return tuple(sorted(told, key=lambda each: -each.worth))


def position_after(
    position: Position, action: actions.Action, pawn: material.PawnColor
) -> Position:
    """What stands on the board after an action."""
    changed: dict[tuple[int, int], Thing | None]
    match action:
        case actions.Enter(target):
            changed = {target: pawn}
        case (
            actions.Move(start, target)
            | actions.Clear(start, target)
            | actions.Capture(start, target)
        ):
            changed = {start: None, target: pawn}
        case actions.Build(field, blocks):
            changed = {field: tower_of(blocks)}
        case actions.Swap():
            return position
    return position.with_things(changed)


def _blocks_after(
    blocks: Sequence[material.Color], action: actions.Action
) -> tuple[material.Color, ...]:
    """The blocks in front of the player; of one paid with a joker the colour is not known."""
    left = Counter(blocks)
    if isinstance(action, actions.Clear):
        left += Counter(card for card in action.cards if card != material.JOKER)
    if isinstance(action, actions.Build):
        left -= Counter(action.blocks)
    return tuple(sorted(left.elements()))


def _hand_after(hand: Sequence[material.Card], action: actions.Action) -> tuple[_Counts, bool]:
    """The cards that are kept, and whether the joker is active."""
    left = Counter(hand) - Counter(action.cards)
    return _counts(left.elements()), material.JOKER in left or isinstance(action, actions.Swap)


def _counts(cards: Iterable[material.Card]) -> _Counts:
    """How many cards of each colour there are, jokers aside."""
    counted = Counter(cards)
    return tuple(counted[color] for color in material.Color)


def _options(
    position: Position,
    pawn: material.PawnColor,
    blocks: tuple[material.Color, ...],
    phases: tuple[int, ...],
) -> list[tuple[float, _Counts]]:
    """What brings points, with the cards that it takes; most points first."""
    best: dict[_Counts, float] = {}
    for each in scoring_actions(position, pawn, blocks, phases):
        needed, value = _counts(each.action.cards), each.chance * actions.gain_of(each.action)[0]
        best[needed] = max(value, best.get(needed, 0.0))
    return sorted(((value, needed) for needed, value in best.items()), reverse=True)


def _expected(
    options: Sequence[tuple[float, _Counts]], held: _Counts, has_joker: bool, known: _Counts
) -> float:
    """The expected points of the best option after the hand is drawn up to five cards."""
    total = 0.0
    for drawn, chance in _draws(max(0, material.HAND - sum(held)), known):
        hand = [mine + new for mine, new in zip(held, drawn, strict=True)]
        for value, needed in options:
            if sum(n - h for n, h in zip(needed, hand, strict=True) if n > h) <= has_joker:
                total += chance * value
                break
    return total


@cache
def _draws(count: int, known: _Counts) -> tuple[tuple[_Counts, float], ...]:
    """All hands that can be drawn of the cards that are not known, with their probabilities."""
    left = [material.CARDS_OF_A_COLOR - each for each in known]
    ways = comb(sum(left), count)
    found = []
    for colors in combinations_with_replacement(material.Color, count):
        drawn = _counts(colors)
        found.append((drawn, prod(map(comb, left, drawn)) / ways))
    return tuple(found)
