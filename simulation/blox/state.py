"""A whole game at one moment: the board, the players, the piles of cards.

A state is never changed: ``state.play(action)`` gives the next one. Cards are shuffled by the
state's seed, so that the same actions always lead to the same state.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

from brikks_vision.rules.blox import material, referee
from brikks_vision.rules.blox.actions import Action, Build, Capture, Clear, Enter, Move, Swap
from brikks_vision.rules.blox.position import Position, tower_of
from simulation.blox import checks, errors


@dataclass(frozen=True)
class Player:
    """What one player has, the pawns aside: those that are not on the board are in front of them.

    color: of the pawns. hand, blocks: white first, then grey, purple, black. has_joker: whether
    the joker is on its active side. points: the sum of the chips.
    """

    color: material.PawnColor
    hand: tuple[material.Color, ...] = ()
    has_joker: bool = True
    blocks: tuple[material.Color, ...] = ()
    points: int = 0

    @property
    def cards(self) -> tuple[material.Card, ...]:
        """The hand, and the joker while it is active."""
        return (*self.hand, material.JOKER) if self.has_joker else self.hand


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
    draw_pile: tuple[material.Color, ...] = ()
    discard_pile: tuple[material.Color, ...] = ()
    seed: int = 0

    @property
    def to_move(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def is_near_end(self) -> bool:
        """Whether the round that is under way is the last one."""
        return self.phase == referee.LAST_PHASE and referee.is_phase_over(
            self.position, referee.LAST_PHASE
        )

    @property
    def is_over(self) -> bool:
        """Whether the last round is finished, so that all have had as many turns."""
        return self.is_near_end and self.turn == 0

    @property
    def winners(self) -> tuple[material.PawnColor, ...]:
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
            raise errors.GameOverError
        _check_in_hand(action.cards, self.to_move)
        position, player = _acted(self.position, self.to_move, self.phase, action)
        return self._paid(action.cards, player)._passed_on(position)

    def _paid(self, cards: tuple[material.Card, ...], player: Player) -> State:
        """The player's cards on the discard pile, and the hand drawn up to five."""
        played = [card for card in cards if card != material.JOKER]
        hand = Counter(player.hand) - Counter(played)
        draw, discard, seed = self.draw_pile, (*self.discard_pile, *played), self.seed
        short = max(0, material.HAND - hand.total())
        if len(draw) < short:
            draw, discard, seed = (*draw, *shuffled(discard, seed)), (), seed + 1
        player = replace(
            player,
            hand=material.in_order([*hand.elements(), *draw[:short]]),
            has_joker=player.has_joker and material.JOKER not in cards,
        )
        return replace(
            self,
            players=(*self.players[: self.turn], player, *self.players[self.turn + 1 :]),
            draw_pile=draw[short:],
            discard_pile=material.in_order(discard),
            seed=seed,
        )

    def _passed_on(self, position: Position) -> State:
        return replace(
            self,
            position=position,
            phase=referee.phase_after(position, self.phase),
            turn=(self.turn + 1) % len(self.players),
        )


def shuffled(cards: tuple[material.Color, ...], seed: int) -> tuple[material.Color, ...]:
    """The cards in an order that the seed tells, whatever their order before."""
    order = list(material.in_order(cards))
    random.Random(seed).shuffle(order)
    return tuple(order)


def _check_in_hand(cards: tuple[material.Card, ...], player: Player) -> None:
    jokers = cards.count(material.JOKER)
    if jokers > 1:
        raise material.TooManyJokersError
    if jokers and not player.has_joker:
        raise errors.JokerSpentError
    missing = Counter(card for card in cards if card != material.JOKER) - Counter(player.hand)
    if missing:
        raise errors.CardNotInHandError(", ".join(missing.elements()))


def _acted(
    position: Position, player: Player, phase: int, action: Action
) -> tuple[Position, Player]:
    """The board and the player after an action, its cards aside."""
    pawn, board = player.color, position.board
    match action:
        case Enter(target, cards):
            referee.check_enter(position, pawn, target)
            checks.check_cards(cards, [board.color(target)])
            return position.with_things({target: pawn}), player
        case Move(start, target, cards):
            referee.check_move(position, pawn, start, target)
            checks.check_cards(cards, [board.color(target)])
            return position.with_things({start: None, target: pawn}), player
        case Clear(start, target, cards):
            tower = referee.check_clear(position, pawn, start, target, phase)
            if tower.hidden:
                raise errors.HiddenBlockError(target)
            checks.check_rule_of_seven(len(player.blocks))
            checks.check_cards(cards, tower.seen)
            return position.with_things({start: None, target: pawn}), replace(
                player,
                blocks=material.in_order([*player.blocks, *tower.seen]),
                points=player.points + (tower.chip or 0),
            )
        case Build(field, blocks, cards):
            referee.check_build(position, pawn, field, len(blocks), phase)
            checks.check_blocks(blocks, player.blocks)
            checks.check_cards(cards, blocks)
            left = Counter(player.blocks) - Counter(blocks)
            return position.with_things({field: tower_of(tuple(blocks))}), replace(
                player,
                blocks=material.in_order(left.elements()),
                points=player.points + len(blocks),
            )
        case Capture(start, target, cards):
            referee.check_capture(position, pawn, start, target)
            checks.check_capture_cards(cards, board.color(target))
            return position.with_things({start: None, target: pawn}), replace(
                player, points=player.points + len(cards)
            )
        case Swap(cards):
            if material.JOKER in cards:
                raise errors.JokerSwappedError
            if not cards:
                raise errors.NothingSwappedError
            return position, replace(player, has_joker=True)
