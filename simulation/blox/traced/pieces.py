"""Puts blocks, pawns and chips on the board and beside it, and other things that lie about.

Frame as in `simulation.blox`: fields, x to the right and y down from the board's outer corner;
what is placed is in the frame of the scene, whose y goes up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.position import Position
from simulation.blox.meshes import block, figure
from simulation.blox.scene import placed
from simulation.blox.traced.prints import CHIPS
from simulation.blox.traced.shapes import (
    FIGURE,
    LYING,
    PAWNS,
    Array,
    Pile,
    capsule,
    lathe,
    pictured,
    rounded,
)
from simulation.blox.traced.style import Pieces, Style
from simulation.paper.chances import chance, pick

Place = tuple[float, float, float]
MIDDLE = SIDE / 2
_FIGURE_WIDTH, _FIGURE_HEIGHT = 2.6, 2.75  # of a foot's radius


def pawn_size(look: Pieces) -> tuple[float, float]:
    """Width and height of a pawn, in fields."""
    if look.pawn == "figure":
        return _FIGURE_WIDTH * look.pawn_half, _FIGURE_HEIGHT * look.pawn_half
    _, upper = PAWNS[look.pawn]
    return 2 * look.pawn_half, max(height for _, height in upper) * look.pawn_half


def add_block(
    pile: Pile, look: Pieces, color: str, placement: Array, rng: np.random.Generator
) -> None:
    if look.is_round:
        mesh = rounded(look.width / 2, look.height, look.bevel)
    else:
        mesh = block(look.width, look.height, look.bevel)
    mesh[0][:, 3:] = mesh[0][:, 3:] * 0.4 + rng.uniform(0, 1, 2)
    pile.add(f"block {color}", mesh, placement)


def add_chip(pile: Pile, look: Pieces, value: int, placement: Array) -> None:
    bevel = min(0.02, look.chip_thick / 3)
    if look.chip == "square":
        mesh = block(2 * look.chip_half, look.chip_thick, bevel)
    else:
        sides = 6 if look.chip == "hexagon" else 48
        mesh = rounded(look.chip_half, look.chip_thick, bevel, sides)
    pile.add("chips", pictured(mesh, CHIPS.index(value), len(CHIPS) + 1), placement)


def add_pawn(
    pile: Pile, look: Pieces, color: str, placement: Array, is_lying: bool = False
) -> None:
    name, half = f"pawn {color}", look.pawn_half
    if look.pawn == "figure":
        thick = 0.9 * half
        mesh = figure(FIGURE, _FIGURE_WIDTH * half, _FIGURE_HEIGHT * half, thick, 0.16)
        laid = placed(0, 0, thick / 2) @ LYING if is_lying else np.eye(4)
        pile.add(name, mesh, placement @ laid)
        return
    placement = placement @ np.diag([half, half, half, 1.0])
    if is_lying and look.pawn != "disc":
        placement = placement @ placed(0, 0, 1) @ LYING
    lower, upper = PAWNS[look.pawn]
    if look.is_clear:
        pile.add("clear", lathe(lower), placement)
        pile.add(name, lathe(((0, upper[0][1]), upper[0], *upper)), placement)
    else:
        pile.add(name, lathe((*lower, *upper)), placement)


def add_position(pile: Pile, look: Pieces, position: Position, rng: np.random.Generator) -> None:
    """Towers with their chips, and pawns, as people place them."""
    for (row, column), tower in position.towers.items():
        x, y = np.array([column, row]) + 0.5 + np.clip(rng.normal(0, 0.05, 2), -0.1, 0.1)
        turn = rng.normal(0, 3.5) + (rng.uniform(-17, 17) if chance(rng, 0.08) else 0)
        for level, color in enumerate(tower.blocks):
            off = np.clip(rng.normal(0, look.loose, 2), -0.06, 0.06)
            own, z = turn + rng.normal(0, look.loose * 115), level * look.height + 0.001
            add_block(pile, look, str(color), placed(x + off[0], y + off[1], z, own), rng)
        if tower.chip is not None:
            room = max(0, look.width / 2 - look.chip_half) * 0.8
            off, z = rng.uniform(-room, room, 2), tower.height * look.height + 0.002
            place = placed(x + off[0], y + off[1], z, rng.uniform(0, 360))
            add_chip(pile, look, tower.chip, place)
    for (row, column), pawn in position.pawns.items():
        x, y = np.array([column, row]) + 0.5 + np.clip(rng.normal(0, 0.08, 2), -0.17, 0.17)
        add_pawn(pile, look, str(pawn), placed(x, y, 0.001, rng.uniform(0, 360)))


@dataclass
class Clutter:
    """Finds room beside the board. seen_from: where the camera is, (2,), from the middle."""

    pile: Pile
    style: Style
    seen_from: Array
    rng: np.random.Generator
    taken: list[tuple[float, float, float]] = field(default_factory=list)

    def spot(self, radius: float, is_tall: bool = False) -> Array | None:
        """A placement on the table where nothing lies; tall things hide nothing of the board."""
        rng, half, look = self.rng, self.style.print.half, self.style.print
        for _ in range(60):
            turn = rng.uniform(0, 2 * np.pi)
            edge = half / max(abs(np.cos(turn)), abs(np.sin(turn)))
            away = edge + radius + rng.uniform(0.25, 5.0) + 0.8 * is_tall
            x, y = away * np.cos(turn), away * np.sin(turn)
            if is_tall and self.seen_from @ (x, y) > half * 0.3 * np.linalg.norm(self.seen_from):
                continue
            if all(np.hypot(x - u, y - v) > radius + r + 0.1 for u, v, r in self.taken):
                self.taken.append((x, y, radius))
                return placed(MIDDLE + x, MIDDLE + y, -look.thick, rng.uniform(0, 360))
        return None

    def add_things(self, busy: float) -> None:
        """A mug, the lid of a box, a pencil; more of them the busier the table is."""
        rng, pile = self.rng, self.pile
        if chance(rng, 0.25 + 0.25 * busy) and (place := self.spot(2.0, True)) is not None:
            add_mug(pile, place, rng)
        if chance(rng, 0.4) and (place := self.spot(3.4, True)) is not None:
            size = np.diag([rng.uniform(1.2, 2), 1, 1, 1.0])
            pile.add("lid", block(4.0, rng.uniform(0.4, 1.5), 0.06), place @ size)
        if chance(rng, 0.3) and (place := self.spot(2.4)) is not None:
            pile.add("pencil", capsule((-2.2, 0, 0.16), (2.0, 0, 0.16), 0.14, 0.14), place)

    def add_pieces(self, busy: float) -> None:
        """Blocks, chips, pawns and cards beside the board."""
        rng, pile, look = self.rng, self.pile, self.style.pieces
        for _ in range(int(rng.integers(0, 14) * busy)):
            if (place := self.spot(look.width * 0.75)) is not None:
                add_block(pile, look, pick(rng, *look.blocks), place, rng)
        for _ in range(int(rng.integers(0, 14) * busy)):
            if (place := self.spot(look.chip_half * 1.2)) is not None:
                add_chip(pile, look, pick(rng, *CHIPS), place)
        for _ in range(int(rng.integers(0, 9) * busy)):
            if (place := self.spot(look.pawn_half * 2.2)) is not None:
                add_pawn(pile, look, pick(rng, *look.pawns), place, chance(rng, 0.4))
        for _ in range(int(rng.integers(0, 9) * busy)):
            if (place := self.spot(1.5)) is not None:
                card = pictured(block(1.9, 0.02, 0.005), 0, 1)
                name = pick(rng, *look.blocks, "back")
                pile.add(f"card {name}", card, place @ np.diag([1, 1.5, 1, 1.0]))


def add_mug(pile: Pile, place: Array, rng: np.random.Generator) -> None:
    """Made of "mug", with "drink" in it."""
    radius, tall = rng.uniform(1.2, 1.5), rng.uniform(2.4, 3.2)
    wall = ((radius * 0.9, 0), (radius, 0.15), (radius, tall - 0.05), (radius - 0.06, tall))
    inside = ((radius - 0.13, tall - 0.05), (radius - 0.16, 0.3), (0, 0.3))
    pile.add("mug", lathe(((0, 0), *wall, *inside), 56), place)
    pile.add("drink", lathe(((0, tall * 0.8), (radius - 0.14, tall * 0.8)), 40), place)
    turns = np.linspace(-1.25, 1.25, 12)
    handle = np.stack(
        [radius + 0.62 * np.cos(turns) - 0.05, 0 * turns, tall / 2 + 0.75 * np.sin(turns)], 1
    )
    for first, last in pairwise(handle):
        pile.add("mug", capsule(first, last, 0.15, 0.15), place)


def add_hand(pile: Pile, seen_from: Array, half: float, rng: np.random.Generator) -> None:
    """A hand beside the board, its fingers towards it, on one side of who takes the photo."""
    turn = np.arctan2(seen_from[1], seen_from[0]) + pick(rng, -1, 1) * rng.uniform(1.2, 1.7)
    x, y = MIDDLE + (half + 4) * np.array([np.cos(turn), np.sin(turn)])
    place = placed(x, y, 0, 90 - np.degrees(turn) + rng.normal(0, 11))

    def put(material: str, first: Place, last: Place, radius: float, last_radius: float) -> None:
        pile.add(material, capsule(first, last, radius, last_radius), place)

    for x, long in ((-1.05, 2.0), (-0.38, 2.45), (0.32, 2.3), (0.98, 1.8)):
        joint, tip = (x * 1.12, long * 0.55, 0.66), (x * 1.2, long, 0.3)
        put("skin", (x * 0.9, -2.3, 0.6), (x * 0.95, 0.2, 0.62), 0.55, 0.4)
        put("skin", (x * 0.95, 0.2, 0.62), joint, 0.34, 0.3)
        put("skin", joint, tip, 0.3, 0.25)
        put("nail", (x * 1.2, long - 0.02, 0.44), (x * 1.21, long + 0.12, 0.36), 0.15, 0.13)
    put("skin", (-1.3, -1.6, 0.55), (-2.0, -0.3, 0.45), 0.42, 0.34)
    put("skin", (-2.0, -0.3, 0.45), (-1.75, 0.8, 0.32), 0.33, 0.27)
    put("skin", (0, -6.5, 0.9), (0, -2.2, 0.7), 1.0, 0.82)
    put("sleeve", (0, -14, 1.6), (0, -5.2, 0.95), 1.9, 1.35)
