"""All actions that the rules allow to a player with given cards.

A photo may hide the colours of blocks inside a tower. An action that such a block could forbid is
still listed, with the colours that it would have to have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product

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
from brikks_vision.rules.blox.checks import colors_on
from brikks_vision.rules.blox.errors import (
    TooManyBlocksError,
    TooManyCardsError,
    TooManyJokersError,
)
from brikks_vision.rules.blox.material import (
    BLOCKS_OF_A_COLOR,
    HAND,
    JOKER,
    MIN_CAPTURE,
    RULE_OF_SEVEN,
    Card,
    Color,
    PawnColor,
    in_order,
)
from brikks_vision.rules.blox.phases import PHASES, height_to_build, known_phase, phases_of
from brikks_vision.rules.blox.position import Position, Tower
from brikks_vision.rules.blox.typed import parse_blocks, parse_cards, parse_pawn
from brikks_vision.rules.blox.ways import Way, entries, moves, reached, walled_in
from brikks_vision.rules.blox.words import Phrase, cards_words, one_of, phrase


@dataclass(frozen=True)
class PossibleAction:
    """An action that the rules allow, as far as is known.

    way: the fields that the pawn goes over, the last one its target; for an entry one of the
    shortest ways from an edge; empty where no pawn goes. phases: those in which it is legal.
    needs: the colours, one of these choices, that the hidden blocks of the tower must have; empty
    where it is legal whatever they are. chance: the share of all choices that these are.
    """

    action: Action
    way: Way
    phases: tuple[int, ...]
    needs: tuple[tuple[Color, ...], ...] = ()
    chance: float = 1.0

    @property
    def told(self) -> Phrase | None:
        """What hidden blocks it requires, in words; None if none."""
        if not self.needs:
            return None
        count = len(self.needs[0])
        choices = [_choice(choice) for choice in self.needs]
        return phrase("hidden-must-be", count=count, colors=one_of(choices))


def _choice(colors: tuple[Color, ...]) -> Phrase:
    return phrase("color-choice", count=len(colors), colors=cards_words(colors))


@dataclass(frozen=True)
class _Hand:
    """Cards to pay with."""

    cards: Counter[Color]
    has_joker: bool

    def payments(self, needed: Sequence[Color]) -> Iterator[tuple[Card, ...]]:
        """Each choice of cards that pays for cards of these colours, one for one."""
        missing = Counter(needed) - self.cards
        if not missing:
            yield tuple(needed)
        if self.has_joker and missing.total() <= 1:
            for color in missing or dict.fromkeys(needed):
                rest = list(needed)
                rest.remove(color)
                yield (*rest, JOKER)


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
    pawn, hand, in_front = parse_pawn(player), _hand(parse_cards(cards)), parse_blocks(blocks)
    _check_in_front(in_front)
    phases = phases_of(position) or PHASES if phase is None else (known_phase(phase),)
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
    return max(sure, key=lambda each: gain_of(each.action), default=None)


def scoring_actions(
    position: Position, pawn: PawnColor, blocks: Sequence[Color], phases: tuple[int, ...]
) -> Iterator[PossibleAction]:
    """All that brings points to who holds whatever cards it takes, but no joker."""
    hand = _Hand(Counter(dict.fromkeys(Color, HAND)), False)
    yield from _clearings(position, pawn, hand, blocks, phases)
    yield from _buildings(position, pawn, hand, blocks, phases)
    yield from _captures(position, pawn, hand, phases)


def _entries(
    position: Position, pawn: PawnColor, hand: _Hand, phases: tuple[int, ...]
) -> Iterator[PossibleAction]:
    if not position.pawns_left(pawn):
        return
    for target, way in entries(position).items():
        for cards in hand.payments([position.board.color(target)]):
            yield PossibleAction(Enter(target, cards), way, phases)


def _moves(
    position: Position, pawn: PawnColor, hand: _Hand, phases: tuple[int, ...]
) -> Iterator[PossibleAction]:
    for start in position.pawns_of(pawn):
        for target, way in moves(position, start).items():
            for cards in hand.payments([position.board.color(target)]):
                yield PossibleAction(Move(start, target, cards), way, phases)


def _clearings(
    position: Position,
    pawn: PawnColor,
    hand: _Hand,
    blocks: Sequence[Color],
    phases: tuple[int, ...],
) -> Iterator[PossibleAction]:
    if len(blocks) >= RULE_OF_SEVEN:
        return
    for start in position.pawns_of(pawn):
        for way in reached(position, start):
            tower = position.at(way[-1])
            if not isinstance(tower, Tower):
                continue
            allowing = tuple(phase for phase in phases if tower.height <= phase)
            barred = colors_on(position, way)
            if not allowing or barred.intersection(tower.seen):
                continue
            fillings = _fillings(position, tower, blocks)
            paid: dict[tuple[Card, ...], list[tuple[Color, ...]]] = {}
            for filling in fillings:
                if not barred.intersection(filling):
                    for cards in hand.payments(in_order([*tower.seen, *filling])):
                        paid.setdefault(cards, []).append(filling)
            for cards, choices in paid.items():
                needs = () if choices == fillings else tuple(choices)
                chance = len(choices) / len(fillings)
                yield PossibleAction(Clear(start, way[-1], cards), way, allowing, needs, chance)


def _fillings(position: Position, tower: Tower, blocks: Sequence[Color]) -> list[tuple[Color, ...]]:
    """The colours that the hidden blocks of a tower can have, given all blocks in sight."""
    if not tower.hidden:
        return [()]
    seen = Counter(blocks)
    for other in position.towers.values():
        seen.update(other.seen)
    fillings = list(combinations_with_replacement(Color, tower.hidden))
    fitting = [
        filling
        for filling in fillings
        if all(
            seen[color] + count <= BLOCKS_OF_A_COLOR for color, count in Counter(filling).items()
        )
    ]
    return fitting or fillings


def _buildings(
    position: Position,
    pawn: PawnColor,
    hand: _Hand,
    blocks: Sequence[Color],
    phases: tuple[int, ...],
) -> Iterator[PossibleAction]:
    fields = [field for field in position.pawns_of(pawn) if walled_in(position, field) is None]
    for phase in phases:
        piles = [
            (pile, cards)
            for pile in _choices(blocks, height_to_build(phase))
            for cards in hand.payments(pile)
        ]
        for field, (pile, cards) in product(fields, piles):
            yield PossibleAction(Build(field, pile, cards), (), (phase,))


def _captures(
    position: Position, pawn: PawnColor, hand: _Hand, phases: tuple[int, ...]
) -> Iterator[PossibleAction]:
    for start in position.pawns_of(pawn):
        for way in reached(position, start):
            captured, color = position.at(way[-1]), position.board.color(way[-1])
            if (
                not isinstance(captured, PawnColor)
                or captured == pawn
                or color in colors_on(position, way)
            ):
                continue
            for count in range(MIN_CAPTURE, hand.cards[color] + hand.has_joker + 1):
                for cards in hand.payments([color] * count):
                    yield PossibleAction(Capture(start, way[-1], cards), way, phases)


def _swaps(hand: _Hand, phases: tuple[int, ...]) -> Iterator[PossibleAction]:
    for count in range(1, hand.cards.total() + 1):
        for cards in _choices(hand.cards.elements(), count):
            yield PossibleAction(Swap(cards), (), phases)


def _choices(colors: Iterable[Color], count: int) -> Iterable[tuple[Color, ...]]:
    """Each way to take so many of them, whatever their order."""
    return dict.fromkeys(combinations(in_order(colors), count))


def _hand(cards: Sequence[Card]) -> _Hand:
    colors = [card for card in cards if card != JOKER]
    if len(colors) > HAND:
        raise TooManyCardsError(len(colors))
    if len(cards) - len(colors) > 1:
        raise TooManyJokersError
    return _Hand(Counter(colors), len(colors) < len(cards))


def _check_in_front(blocks: Sequence[Color]) -> None:
    for color, count in Counter(blocks).items():
        if count > BLOCKS_OF_A_COLOR:
            raise TooManyBlocksError(color, count)
