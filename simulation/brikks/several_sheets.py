"""Photos of the sheets of several players of Brikks, side by side on one table."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from brikks_vision.layout import Layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.games import PlayedSheet, play_sheet
from simulation.brikks.marking import draw_state, visible_hand
from simulation.brikks.photos import any_blank
from simulation.hand import Hand
from simulation.marks import MarkedSheet
from simulation.paper.blank import BlankSheet
from simulation.several_sheets import SeveralShot, lay_side_by_side, shoot_several


@dataclass(frozen=True)
class PlayersSheet(MarkedSheet):
    """The marked sheet of one player."""

    played: PlayedSheet
    hand: Hand


def players_sheets(
    players: Iterable[tuple[BlankSheet, PlayedSheet, Hand]],
    layout: Layout,
    rng: np.random.Generator,
) -> Iterator[PlayersSheet]:
    """The sheets of players, each marked when it is asked for."""
    for blank, played, hand in players:
        picture, drawn = draw_state(blank, layout, played.state, hand, rng)
        yield PlayersSheet(blank, picture, drawn, played, hand)


def random_several_shot(
    layout: Layout,
    rng: np.random.Generator,
    dice: random.Random,
    tier: str,
    count: int,
    long_side: int,
) -> SeveralShot:
    """The sheets of ``count`` players, on prints of one kind, by writers never trained on."""
    blank = any_blank(layout, rng)
    players = []
    for _ in range(count):
        played = play_sheet(load_sheet(layout.name), dice, max(2, count), dice.randint(1, 4))
        hand = visible_hand(layout, blank, rng, held_out=True)
        players.append((blank, played, hand))
    sheets = players_sheets(players, layout, rng)
    return shoot_several(lay_side_by_side(sheets, layout.page, rng), rng, tier, long_side)
