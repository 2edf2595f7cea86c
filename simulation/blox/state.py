"""A whole game at one moment: the board, the players, the piles of cards.

A state is never changed: ``state.play(action)`` gives the next one. Cards are shuffled by the
state's seed, so that the same actions always lead to the same state.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

from brikks_vision.rules.blox import material, referee
from brikks_vision.rules.blox.actions import Action, Build, Clear, Swap, gain_of
from brikks_vision.rules.blox.position import Position
from brikks_vision.rules.blox.possible import position_after


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
        """The state after a legal action of the player whose turn it is.

        The cards are played and drawn up to five, the next phase begins if it is due, and it is the
        next player's turn. action: one of `random_player.legal_actions`, the blocks of a build in
        any order; whether it is legal is not looked at.
        """
        mover, blocks = self.to_move, Counter(self.to_move.blocks)
        match action:
            case Clear(target=target):
                blocks.update(self.position.towers[target].seen)
            case Build(blocks=built):
                blocks -= Counter(built)
        player = replace(
            mover,
            has_joker=mover.has_joker or isinstance(action, Swap),
            blocks=material.in_order(blocks.elements()),
            points=mover.points + gain_of(action)[0],
        )
        position = position_after(self.position, action, mover.color)
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
