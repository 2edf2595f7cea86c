"""A whole game at one moment: the board, the players, the piles of cards.

A state is never changed: ``state.play(action)`` gives the next one. Cards are shuffled by the
state's seed, so that the same actions always lead to the same state.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

from brikks_vision.rules.blox.actions import Action, Build, Capture, Clear, Enter, Move, Swap
from brikks_vision.rules.blox.material import (
    HAND,
    JOKER,
    Card,
    Color,
    PawnColor,
    TooManyJokersError,
    in_order,
)
from brikks_vision.rules.blox.position import Position, tower_of
from brikks_vision.rules.blox.referee import (
    LAST_PHASE,
    check_build,
    check_capture,
    check_clear,
    check_enter,
    check_move,
    is_phase_over,
    phase_after,
)
from simulation.blox.checks import (
    check_blocks,
    check_capture_cards,
    check_cards,
    check_rule_of_seven,
)
from simulation.blox.errors import (
    CardNotInHandError,
    GameOverError,
    HiddenBlockError,
    JokerSpentError,
    JokerSwappedError,
    NothingSwappedError,
)


@dataclass(frozen=True)
class Player:
    """What one player has, the pawns aside: those that are not on the board are in front of them.

    color: of the pawns. hand, blocks: white first, then grey, purple, black. has_joker: whether
    the joker is on its active side. points: the sum of the chips.
    """

    color: PawnColor
    hand: tuple[Color, ...] = ()
    has_joker: bool = True
    blocks: tuple[Color, ...] = ()
    points: int = 0

    @property
    def cards(self) -> tuple[Card, ...]:
        """The hand, and the joker while it is active."""
        return (*self.hand, JOKER) if self.has_joker else self.hand


@dataclass(frozen=True)
class State:
    """A game at one moment.

    players: in the order of their turns, the starting player first. turn: whose turn it is, an
    index of ``players``. draw_pile: the next card first. discard_pile: white first, then grey,
    purple, black. seed: of the next shuffle, when the draw pile is used up.
    """

    position: Position
    players: tuple[Player, ...]
    turn: int = 0
    phase: int = 1
    draw_pile: tuple[Color, ...] = ()
    discard_pile: tuple[Color, ...] = ()
    seed: int = 0

    @property
    def to_move(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def is_near_end(self) -> bool:
        """Whether the round that is under way is the last one."""
        return self.phase == LAST_PHASE and is_phase_over(self.position, LAST_PHASE)

    @property
    def is_over(self) -> bool:
        """Whether the last round is finished, so that all have had as many turns."""
        return self.is_near_end and self.turn == 0

    @property
    def winners(self) -> tuple[PawnColor, ...]:
        """Who leads, or has won: most points, then most blocks; several where they tie in both."""
        marks = [(player.points, len(player.blocks)) for player in self.players]
        return tuple(
            player.color
            for player, mark in zip(self.players, marks, strict=True)
            if mark == max(marks)
        )

    def play(self, action: Action) -> State:
        """The state after the action of the player whose turn it is.

        The cards are played and drawn up to five, the next phase begins if it is due, and it is the
        next player's turn.

        Raises
        ------
        IllegalActionError
            A rule forbids the action: there is a class for each rule.
        """
        if self.is_over:
            raise GameOverError
        _check_in_hand(action.cards, self.to_move)
        position, player = _acted(self.position, self.to_move, self.phase, action)
        return self._paid(action.cards, player)._passed_on(position)

    def _paid(self, cards: tuple[Card, ...], player: Player) -> State:
        """The player's cards on the discard pile, and the hand drawn up to five."""
        played = [card for card in cards if card != JOKER]
        hand = Counter(player.hand) - Counter(played)
        draw, discard, seed = self.draw_pile, (*self.discard_pile, *played), self.seed
        short = max(0, HAND - hand.total())
        if len(draw) < short:
            draw, discard, seed = (*draw, *shuffled(discard, seed)), (), seed + 1
        player = replace(
            player,
            hand=in_order([*hand.elements(), *draw[:short]]),
            has_joker=player.has_joker and JOKER not in cards,
        )
        return replace(
            self,
            players=(*self.players[: self.turn], player, *self.players[self.turn + 1 :]),
            draw_pile=draw[short:],
            discard_pile=in_order(discard),
            seed=seed,
        )

    def _passed_on(self, position: Position) -> State:
        return replace(
            self,
            position=position,
            phase=phase_after(position, self.phase),
            turn=(self.turn + 1) % len(self.players),
        )


def shuffled(cards: tuple[Color, ...], seed: int) -> tuple[Color, ...]:
    """The cards in an order that the seed tells, whatever their order before."""
    order = list(in_order(cards))
    random.Random(seed).shuffle(order)
    return tuple(order)


def _check_in_hand(cards: tuple[Card, ...], player: Player) -> None:
    jokers = cards.count(JOKER)
    if jokers > 1:
        raise TooManyJokersError
    if jokers and not player.has_joker:
        raise JokerSpentError
    missing = Counter(card for card in cards if card != JOKER) - Counter(player.hand)
    if missing:
        raise CardNotInHandError(", ".join(missing.elements()))


def _acted(
    position: Position, player: Player, phase: int, action: Action
) -> tuple[Position, Player]:
    """The board and the player after an action, its cards aside."""
    pawn, board = player.color, position.board
    match action:
        case Enter(target, cards):
            check_enter(position, pawn, target)
            check_cards(cards, [board.color(target)])
            return position.with_things({target: pawn}), player
        case Move(start, target, cards):
            check_move(position, pawn, start, target)
            check_cards(cards, [board.color(target)])
            return position.with_things({start: None, target: pawn}), player
        case Clear(start, target, cards):
            tower = check_clear(position, pawn, start, target, phase)
            if tower.hidden:
                raise HiddenBlockError(target)
            check_rule_of_seven(len(player.blocks))
            check_cards(cards, tower.seen)
            return position.with_things({start: None, target: pawn}), replace(
                player,
                blocks=in_order([*player.blocks, *tower.seen]),
                points=player.points + (tower.chip or 0),
            )
        case Build(field, blocks, cards):
            check_build(position, pawn, field, len(blocks), phase)
            check_blocks(blocks, player.blocks)
            check_cards(cards, blocks)
            left = Counter(player.blocks) - Counter(blocks)
            return position.with_things({field: tower_of(tuple(blocks))}), replace(
                player,
                blocks=in_order(left.elements()),
                points=player.points + len(blocks),
            )
        case Capture(start, target, cards):
            check_capture(position, pawn, start, target)
            check_capture_cards(cards, board.color(target))
            return position.with_things({start: None, target: pawn}), replace(
                player, points=player.points + len(cards)
            )
        case Swap(cards):
            if JOKER in cards:
                raise JokerSwappedError
            if not cards:
                raise NothingSwappedError
            return position, replace(player, has_joker=True)
