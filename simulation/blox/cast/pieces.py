"""Puts blocks, pawns and chips on the board and beside it, and other things that lie about.

Frame as in `simulation.blox`: fields, x to the right and y down from the board's outer corner;
what is placed is in the frame of the scene, whose y goes up.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import BLOCKS_OF_A_COLOR, CHIP_VALUES, PAWNS_OF_A_COLOR
from brikks_vision.rules.blox.position import Position
from simulation.blox.cast.prints import CARDS
from simulation.blox.cast.style import Pieces, Style
from simulation.blox.meshes import Mesh, block, cube, disc, figure, square, tube
from simulation.blox.scene import placed
from simulation.blox.traced.pieces import add_mug
from simulation.blox.traced.shapes import LYING, Array, Pile, Profile, lathe, pictured
from simulation.paper.chances import chance, pick

MIDDLE = SIDE / 2
SHADES = 3  # of the blocks of a colour
_MEEPLE: Profile = ((0, 0), (0.78, 0), (0.85, 0.03), (0.81, 0.1), (0.56, 0.38), (0.63, 0.42),
                    (0.93, 0.46), (1, 0.54), (0.93, 0.6), (0.67, 0.64), (0.3, 0.69), (0.33, 0.78),
                    (0.33, 0.86), (0.28, 0.93), (0.17, 0.98), (0, 1))  # fmt: skip
_MEEPLE_WIDTH, _MEEPLE_THICK = 1.08, 0.34  # of its height


def _ball(radius: float, middle: float, first: float) -> Profile:
    turns = np.radians(np.linspace(first, 90, 13))
    return tuple((max(0.0, radius * np.cos(t)), middle + radius * np.sin(t)) for t in turns)


def _disc(radius: float, low: float, high: float, top: float, edge: float) -> Profile:
    """A foot or a flat pawn with a rounded upper edge, so wide at its foot and at its top."""
    rim = (top, high - edge), (top - edge * 0.3, high - edge * 0.3), (top - edge, high)
    return ((0, low), (radius, low), *rim, (0, high))


def pawn_profiles(kind: str, h: float, r: float) -> tuple[Profile, Profile]:
    """The clear foot, if any, and the coloured body of a pawn; h: its height, r: of its foot."""
    ball = h * 0.19
    halma: Profile = ((0, 0), (r * 0.93, 0), (r, 0.08), (r * 0.9, h * 0.18), (r * 0.58, h * 0.4),
             (r * 0.36, h * 0.58), (r * 0.32, h * 0.66), *_ball(ball, h - ball, -50))  # fmt: skip
    bell: Profile = ((0, 0), (r, 0), (r * 0.97, h * 0.1), (r * 0.8, h * 0.35), (r * 0.66, h * 0.6),
            (r * 0.5, h * 0.76), (r * 0.25, h * 0.84), (r * 0.1, h * 0.85),
            *_ball(h * 0.09, h * 0.91, -60))  # fmt: skip
    small = h * 0.15
    body = ((0, 0), (r, 0), (r, 0.06), (r * 0.9, h * 0.1), (r * 0.55, h * 0.3), (r * 0.5, h * 0.45),
            (r * 0.66, h * 0.6), (r * 0.6, h * 0.68), (r * 0.25, h * 0.72))  # fmt: skip
    hat = ((small * 1.35, h - small), (small * 1.3, h - small * 0.9),
           (small * 0.8, h - small * 0.7), (small * 0.5, h), (0, h))  # fmt: skip
    head = tuple(each for each in _ball(small, h - small * 1.6, -50) if each[1] < h - small)
    opaque: dict[str, Profile] = {
        "cone": (*_disc(r, 0, 0.08, r, 0.03)[:-1], (r * 0.75, 0.08), (r * 0.5, h * 0.35),
                 (r * 0.3, h * 0.66), *_ball(h * 0.2, h * 0.8, -60)),
        "halma": halma,
        "cylinder": (*_disc(r * 0.8, 0, h * 0.55, r * 0.8, 0.03)[:-1],
                     *_ball(r * 0.72, h - r * 0.72, -60)),
        "disc": _disc(r * 1.1, 0, h, r * 1.1, 0.05),
        "peg": ((0, 0), (r * 0.72, 0), (r * 0.75, 0.03), (r * 0.68, h * 0.5), (r * 0.62, h - 0.05),
                (r * 0.55, h), (0, h)),
        "bell": bell,
        "figure": (*body, *head, *hat),
    }  # fmt: skip
    if kind in opaque:
        return (), opaque[kind]
    if kind == "clear cone":
        f = h * 0.25
        cone: Profile = (
            (0, f),
            (r * 0.62, f),
            (r * 0.4, f + h * 0.35),
            (r * 0.24, h - 0.06),
            (r * 0.12, h),
        )
        return _disc(r, 0, f, r * 0.8, 0.03), _lifted((*cone, (0, h)))
    if kind == "clear ball":
        ball, foot = h * 0.21, h * 0.58 + 0.02
        lower: Profile = (
            (0, 0),
            (r, 0),
            (r, 0.05),
            (r * 0.6, h * 0.3),
            (r * 0.34, foot),
            (0, foot),
        )
        return lower, _ball(ball, h - ball, -90)
    if kind == "clear peg":
        ball = h * 0.18
        stick = ((0, 0.1), (r * 0.5, 0.1), (r * 0.42, h * 0.3), (r * 0.26, h - 2 * ball))
        return _disc(r * 1.1, 0, 0.1, r * 1.1, 0.02), \
            _lifted((*stick, *_ball(ball, h - ball, -55)))  # fmt: skip
    cut = h * 0.42  # clear half: one shape whose lower half is clear
    lower = ((0, 0), (r * 0.95, 0), (r, 0.06), (r * 0.85, h * 0.2), (r * 0.58, cut), (0, cut))
    upper = ((0, cut), (r * 0.57, cut), (r * 0.42, h * 0.55), (r * 0.36, h * 0.66))
    return lower, _lifted((*upper, *_ball(ball, h - ball, -50)))


def _lifted(profile: Profile) -> Profile:
    """A little, so that it does not touch what is below."""
    return tuple((radius, height + 0.004) for radius, height in profile)


@dataclass(frozen=True, eq=False)
class Shapes:
    """The meshes of one set's pieces; clear: the foot of a pawn, if it has one."""

    block: Mesh
    pawn: Mesh
    clear: Mesh | None

    @property
    def pawn_size(self) -> tuple[float, float]:
        """Width and height of a pawn, in fields."""
        meshes = [self.pawn] if self.clear is None else [self.pawn, self.clear]
        places = np.concatenate([mesh[0][:, :3] for mesh in meshes])
        return float(np.ptp(places[:, 0])), float(places[:, 2].max())


def shapes_of(look: Pieces) -> Shapes:
    own = block(look.width, look.height, look.bevel)
    high = look.pawn_height
    if look.pawn == "meeple":
        pawn = figure(_MEEPLE, _MEEPLE_WIDTH * high, high, _MEEPLE_THICK * high, 0.14)
        return Shapes(own, pawn, None)
    clear, body = pawn_profiles(look.pawn, high, look.foot)
    return Shapes(own, lathe(body), lathe(clear) if clear else None)


@dataclass(frozen=True, eq=False)
class Table:
    """Where pieces are put; each is made of what `photos` knows by its name."""

    pile: Pile
    look: Pieces
    shapes: Shapes
    rng: np.random.Generator

    def add_block(self, color: str, placement: Array) -> None:
        shade = int(self.rng.integers(SHADES))
        self.pile.add(f"block {color} {shade}", self.shapes.block, placement)

    def add_chip(self, value: int, placement: Array) -> None:
        look = self.look.chips
        rim, face, half, thick = f"rim {value}", f"chip {value}", look.half, look.thick
        top = placement @ placed(0, 0, thick)
        if look.is_round:
            self.pile.add(rim, tube(), placement @ np.diag([half, half, thick, 1]))
            self.pile.add(face, disc(), top @ np.diag([half, half, 1, 1]))
            return
        middle = placement @ placed(0, 0, thick / 2 - 0.001)
        self.pile.add(rim, cube(), middle @ np.diag([half, half, thick / 2, 1]))
        self.pile.add(face, square(), top @ np.diag([half - 0.01, half - 0.01, 1, 1]))

    def add_pawn(self, color: str, placement: Array, is_lying: bool = False) -> None:
        if is_lying and self.look.pawn != "disc":
            is_flat = self.look.pawn == "meeple"
            thick = _MEEPLE_THICK * self.look.pawn_height
            lift = thick / 2 if is_flat else self.look.foot * 0.95
            placement = placement @ placed(0, 0, lift) @ LYING
        self.pile.add(f"pawn {color}", self.shapes.pawn, placement)
        if self.shapes.clear is not None:
            self.pile.add("clear", self.shapes.clear, placement)

    def add_position(self, position: Position) -> None:
        """Towers with their chips, and pawns, as people place them."""
        rng, look = self.rng, self.look
        loose = rng.uniform(0.4, 1.3)

        def middle(row: int, column: int, most: float) -> Array:
            off = np.clip(rng.normal(0, 0.05 * loose, 2), -most, most)
            return np.array([column, row]) + 0.5 + off

        for (row, column), tower in position.towers.items():
            at = middle(row, column, min(0.14, (1 - look.width) / 2 + 0.02))
            turn = float(np.clip(rng.normal(0, 5 * loose), -14, 14))
            for level, color in enumerate(tower.blocks):
                x, y = at + (rng.normal(0, 0.016 * loose, 2) if level else 0)
                own = turn + rng.normal(0, 1.7 * loose) + 90 * int(rng.integers(4))
                self.add_block(str(color), placed(x, y, 0.002 + level * look.height, own))
            if tower.chip is not None:
                room = (look.width / 2 - look.chips.half) * 0.6
                x, y = at + rng.uniform(-room, room, 2)
                own = rng.uniform(0, 360)
                if not look.chips.is_round and chance(rng, 0.5):
                    own = turn + rng.uniform(-11, 11) + 90 * int(rng.integers(4))
                self.add_chip(tower.chip, placed(x, y, 0.004 + tower.height * look.height, own))
        for (row, column), pawn in position.pawns.items():
            room = max(0.0, 0.46 - look.foot) / 2
            x, y = middle(row, column, 0.14) + rng.uniform(-room, room, 2)
            self.add_pawn(str(pawn), placed(x, y, 0.004, rng.uniform(0, 360)))


@dataclass(frozen=True, eq=False)
class Clutter:
    """Finds room beside the board. seen_from: where the camera is, (2,), from the middle.

    taken: places and radii of what lies there.
    """

    table: Table
    style: Style
    seen_from: Array
    is_steep: bool
    taken: list[tuple[Array, float]] = field(default_factory=list)

    def spot(
        self, radius: float, near: Array | None = None, far: float = 10.0, is_tall: bool = False
    ) -> Array | None:
        """A placement on the table where nothing lies; tall things hide nothing of the board."""
        rng, look = self.table.rng, self.style.print
        for _ in range(60):
            at = rng.uniform(-far, far, 2) if near is None else near + rng.normal(0, 1.1, 2)
            reach = float(np.abs(at).max())
            if reach < look.half + radius + 0.15 or reach > 13:
                continue
            if is_tall and not self.is_steep and self.seen_from @ at > -2:
                continue
            if all(np.hypot(*(at - other)) > radius + own for other, own in self.taken):
                self.taken.append((at, radius))
                x, y = at + MIDDLE
                return placed(x, y, -look.thick, rng.uniform(0, 360))
        return None

    def add(self, position: Position) -> None:
        """Pieces and cards in heaps of the players, and other things; beside empty boards few."""
        rng, table = self.table.rng, self.table
        half, is_empty = self.style.print.half, not any(position.things)
        busy = rng.uniform(0, 0.5 if is_empty else 1)
        heaps = []
        for _ in range(int(rng.integers(2, 5))):
            along = rng.permutation([rng.uniform(half + 1.2, half + 2.6), rng.uniform(0, 4)])
            heaps.append(rng.choice([-1, 1], 2) * along)
        if not is_empty:
            self._add_spare(position, heaps, busy)
        for _ in range(int(busy * 14) if chance(rng, 0.8) else 0):
            heap = pick(rng, *heaps) if chance(rng, 0.6) else None
            if (place := self.spot(0.4, heap)) is not None:
                table.add_chip(pick(rng, *CHIP_VALUES), place)
        for _ in range(int(busy * 9)):
            if (place := self.spot(1.1)) is not None:
                card = pictured(block(1.44, 0.02, 0.005), 0, 1)
                name = pick(rng, *CARDS, "back")
                table.pile.add(f"card {name}", card, place @ np.diag([1, 1.5, 1, 1]))
        self._add_things()

    def _add_spare(self, position: Position, heaps: list[Array], busy: float) -> None:
        rng, look, table = self.table.rng, self.style.pieces, self.table
        built = [str(color) for tower in position.towers.values() for color in tower.blocks]
        spare = [
            color for color in look.blocks for _ in range(BLOCKS_OF_A_COLOR - built.count(color))
        ]
        order = rng.permutation(len(spare))
        for number in order[: int(len(spare) * busy * 1.2)]:
            heap = pick(rng, *heaps) if chance(rng, 0.8) else None
            if (place := self.spot(look.width * 0.75, heap)) is not None:
                table.add_block(spare[number], place)
        standing = [str(pawn) for pawn in position.pawns.values()]
        for number, color in enumerate(look.pawns):
            for _ in range(PAWNS_OF_A_COLOR - standing.count(color) if busy > 0.25 else 0):
                heap = heaps[number % len(heaps)]
                if chance(rng, 0.8) and (place := self.spot(0.4, heap)) is not None:
                    table.add_pawn(color, place, chance(rng, 0.2))

    def _add_things(self) -> None:
        """A mug, a pencil, the game's box."""
        rng, pile = self.table.rng, self.table.pile
        if chance(rng, 0.45) and (place := self.spot(2.0, far=11.5, is_tall=True)) is not None:
            add_mug(pile, place, rng)
        if chance(rng, 0.3) and (place := self.spot(1.9, far=12)) is not None:
            pencil = lathe(((0, 0), (0.04, 0.02), (0.11, 0.35), (0.11, 4.0), (0, 4.02)), 16)
            pile.add("pencil", pencil, place @ placed(0, -2, 0.11) @ LYING)
        if chance(rng, 0.2) and (place := self.spot(3.9, far=13, is_tall=True)) is not None:
            pile.add("box", block(rng.uniform(4.4, 5.4), 1.1, 0.04), place)
