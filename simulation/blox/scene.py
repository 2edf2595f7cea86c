"""A scene for a renderer: board, table, lamps and all that stands about.

Frame: fields, x to the right, y up the board (so minus its rows), z towards the camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from brikks_vision.rules.blox.position import SIDE, Position
from simulation.blox.looks import ROUND, BoardArt, Look, wood_grain
from simulation.blox.meshes import (
    DISC_PROFILES,
    Mesh,
    block,
    cube,
    cut,
    disc,
    figure,
    lying,
    square,
    tube,
    turned,
)
from simulation.paper.canvas import Image
from simulation.paper.chances import chance
from simulation.paper.colors import Color, any_color
from simulation.tables import render_table

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

MIDDLE = (SIDE / 2, SIDE / 2)
TABLE_REACH = 34.0
"""Half the table's side, in fields."""


@dataclass(frozen=True, eq=False)
class Surface:
    """What a thing is made of.

    paint: a BGR colour or a picture, uint8. roughness: of a glossy coat, None for a matt thing.
    opacity: 1 for what nothing shines through.
    """

    paint: Color | Image
    roughness: float | None = None
    opacity: float = 1.0


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh in its place; placement: (4, 4), from the mesh's frame to that of the scene."""

    mesh: Mesh
    placement: Array
    surface: Surface


@dataclass(frozen=True, eq=False)
class Lamp:
    """A square that shines towards ``target``; half: half its side. radiance: (3,), linear BGR."""

    position: Array
    target: Array
    half: float
    radiance: Array


@dataclass(frozen=True)
class Lights:
    """Of how many points a renderer makes lamps and the sky, and how fine the shadows are, px."""

    of_lamp: int
    of_sky: int
    shadow_pixels: int


@dataclass
class Scene:
    """All that a photo may show. ambient: (3,), linear BGR, the light of all around."""

    parts: list[Part] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)
    ambient: Array = field(default_factory=lambda: np.zeros(3))


def placed(
    x: float, y: float, z: float, turn: float = 0.0, size: tuple[float, float, float] = (1, 1, 1)
) -> Array:
    """Stands at x, y of the board; turn: degrees around the vertical. size: in each direction."""
    angle = np.radians(turn)
    matrix = np.eye(4)
    matrix[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    matrix[:3, :3] = matrix[:3, :3] * size
    matrix[:3, 3] = x, -y, z
    return matrix


_square, _cube, _disc, _tube = cache(square), cache(cube), cache(disc), cache(tube)


class Builder:
    """Gathers the parts of one scene."""

    def __init__(self, look: Look, rng: np.random.Generator) -> None:
        self.look, self.rng, self.scene = look, rng, Scene()
        self.block_mesh = block(look.block_width, look.block_height, look.bevel)
        if look.block_sides != 4:
            size = look.block_width, look.block_height
            self.block_mesh = turned(DISC_PROFILES[0], *size, look.block_sides)
        body, head = None, look.pawn_profile
        if look.pawn_body:
            body, head = cut(look.pawn_profile, look.pawn_body)
        self.pawn_mesh = turned(head, look.pawn_width, look.pawn_height, look.pawn_sides)
        self.lying_mesh = None
        if look.pawn_thick:
            size = look.pawn_width, look.pawn_height, look.pawn_thick
            self.pawn_mesh = figure(look.pawn_profile, *size, look.pawn_legs)
            self.lying_mesh = lying(self.pawn_mesh, look.pawn_thick)
        self.body_mesh = body and turned(body, look.pawn_width, look.pawn_height, look.pawn_sides)
        rough = None if look.wood and chance(rng, 0.6) else look.roughness
        grain = float(rng.uniform(0.0, 0.09)) if look.wood else 0.0
        self.surfaces = {
            name: Surface(wood_grain(rng, color, grain) if grain else color, rough)
            for name, color in {**look.block_colors, **look.pawn_colors}.items()
        }
        for name in look.pawn_colors:
            self.surfaces[name] = replace(self.surfaces[name], opacity=look.pawn_opacity)
        self.faces = {
            value: Surface(face, None if chance(rng, 0.5) else 0.2)
            for value, face in look.chips.faces.items()
        }
        self.rim = Surface(look.chips.rim)
        self.base = Surface(look.base_color, 0.1, look.base_opacity)
        self.body = Surface(look.body_color, 0.1, look.body_opacity)

    def add(self, mesh: Mesh, placement: Array, surface: Surface) -> None:
        self.scene.parts.append(Part(mesh, placement, surface))

    def block(self, color: str, x: float, y: float, z: float, turn: float) -> None:
        self.add(self.block_mesh, placed(x, y, z, turn), self.surfaces[color])

    def chip(self, value: int, x: float, y: float, z: float, turn: float) -> None:
        chips = self.look.chips
        half, thick = chips.size / 2, chips.thickness
        face = placed(x, y, z + thick, turn, (half, half, 1))
        if chips.is_round:
            self.add(_tube(), placed(x, y, z, 0.0, (half, half, thick)), self.rim)
            self.add(_disc(), face, self.faces[value])
        else:
            middle = (half, half, thick / 2 - 0.002)
            self.add(_cube(), placed(x, y, z + thick / 2, turn, middle), self.rim)
            self.add(_square(), face, self.faces[value])

    def pawn(self, color: str, x: float, y: float, z: float = 0.0) -> None:
        look = self.look
        foot = z
        if look.pawn_base:
            thick, half = 0.1, look.pawn_base / 2
            self.add(_tube(), placed(x, y, z, 0.0, (half, half, thick)), self.base)
            self.add(_disc(), placed(x, y, z + thick, 0.0, (half, half, 1)), self.base)
            foot = z + thick
        mesh, turn = self.pawn_mesh, 0.0
        if self.lying_mesh and chance(self.rng, look.pawn_lying):
            mesh = self.lying_mesh
        if self.lying_mesh or look.pawn_sides < ROUND:
            turn = float(self.rng.uniform(0, 360))
        self.add(mesh, placed(x, y, foot, turn), self.surfaces[color])
        if self.body_mesh:
            self.add(self.body_mesh, placed(x, y, foot, turn), self.body)

    def position(self, position: Position) -> None:
        look, rng = self.look, self.rng

        def off() -> float:
            return float(rng.normal(0, look.jitter))

        for (row, column), tower in position.towers.items():
            x, y = column + 0.5 + off(), row + 0.5 + off()
            turn = float(rng.normal(0, look.turn))
            for level, color in enumerate(tower.blocks):
                own = turn + float(rng.normal(0, look.turn / 3))
                self.block(str(color), x + off() / 2, y + off() / 2, level * look.block_height, own)
            if tower.chip:
                side = float(rng.uniform(0, 360)) if look.chips.is_round else turn
                side += 90.0 * int(rng.integers(4))
                self.chip(tower.chip, x + off(), y + off(), tower.height * look.block_height, side)
        for (row, column), pawn in position.pawns.items():
            self.pawn(str(pawn), column + 0.5 + 2 * off(), row + 0.5 + 2 * off())

    def board(self, art: BoardArt) -> None:
        area, thick = art.area, float(self.rng.uniform(0.05, 0.25))
        x, y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
        half = (area.width / 2, area.height / 2)
        gloss = None if chance(self.rng, 0.4) else float(self.rng.uniform(0.15, 0.5))
        self.add(_square(), placed(x, y, 0, 0.0, (*half, 1)), Surface(art.image, gloss))
        edge = Surface(any_color(self.rng, (0, 0.5)))
        self.add(_cube(), placed(x, y, -thick / 2 - 0.004, 0.0, (*half, thick / 2)), edge)
        self.thick = thick

    def table(self) -> None:
        reach = (TABLE_REACH, TABLE_REACH, 1)
        image = render_table(self.rng, 1400, 1400)
        self.add(_square(), placed(*MIDDLE, -self.thick - 0.01, 0.0, reach), Surface(image))

    def home(self, table: Image) -> None:
        """A table so large that its picture is sharp, and the floor below it."""
        rng, low = self.rng, -self.thick - 0.01
        gloss = float(rng.uniform(0.1, 0.5)) if chance(rng, 0.6) else None
        turn = float(rng.uniform(0, 360) if chance(rng, 0.3) else rng.normal(0, 4))
        half = float(rng.uniform(18, 26))
        self.add(
            _square(), placed(*MIDDLE, low, turn, (half, 0.85 * half, 1)), Surface(table, gloss)
        )
        floor = Surface(any_color(rng, (0.05, 0.4), (0.2, 0.6)))
        self.add(_square(), placed(*MIDDLE, -22, 0, (200, 200, 1)), floor)

    def things(self, area_reach: float, cards: Sequence[Image]) -> None:
        """Cards, a mug, a pencil and the lid of a box beside the board."""
        rng, low = self.rng, -self.thick

        def beside(room: float) -> Array:
            angle, reach = rng.uniform(0, 2 * np.pi), area_reach + room + rng.uniform(0.2, 4)
            x, y = (SIDE / 2 + reach * np.array([np.cos(angle), np.sin(angle)])).tolist()
            return placed(x, y, low, float(rng.uniform(0, 360)))

        def shape(*sizes: float) -> Array:
            return np.diag([*sizes, 1.0])

        for number in range(int(rng.integers(0, 9))):  # each a little above those below it
            card = Surface(cards[int(rng.integers(len(cards)))], 0.3)
            lifted = placed(0, 0, 0.02 * (1 + number))
            self.add(_square(), beside(1.0) @ lifted @ shape(0.95, 1.42, 1), card)
        if chance(rng, 0.4):
            radius, tall = float(rng.uniform(1.2, 1.5)), float(rng.uniform(2.4, 3.2))
            place = beside(3.0)
            self.add(_tube(), place @ shape(radius, radius, tall), Surface(any_color(rng), 0.15))
            drink = place @ placed(0, 0, 0.85 * tall) @ shape(radius, radius, 1)
            self.add(_disc(), drink, Surface(any_color(rng, (0.3, 0.8), (0.1, 0.5)), 0.1))
        if chance(rng, 0.3):
            pencil = Surface(any_color(rng), 0.2)
            self.add(_cube(), beside(1.0) @ placed(0, 0, 0.12) @ shape(2.1, 0.12, 0.12), pencil)
        if chance(rng, 0.3):
            half, tall = float(rng.uniform(2.0, 3.5)), float(rng.uniform(0.4, 1.4)) / 2
            lid = Surface(any_color(rng), 0.25)
            self.add(_cube(), beside(4.0) @ placed(0, 0, tall) @ shape(half, 2.2, tall), lid)

    def scatter(self, area_reach: float, count: int) -> None:
        """Blocks, chips and pawns that lie beside the board."""
        look, rng = self.look, self.rng
        for _ in range(count):
            angle = rng.uniform(0, 2 * np.pi)
            reach = area_reach + rng.uniform(1, 4)
            x, y = SIDE / 2 + reach * np.cos(angle), SIDE / 2 + reach * np.sin(angle)
            kind = int(rng.integers(3))
            z, turn = -self.thick, float(rng.uniform(0, 360))
            if kind == 0:
                self.block(str(rng.choice(list(look.block_colors))), x, y, z, turn)
            elif kind == 1:
                self.chip(int(rng.choice([1, 2, 3, 4, 10])), x, y, z, turn)
            else:
                self.pawn(str(rng.choice(list(look.pawn_colors))), x, y, z)

    def lights(self, is_hard: bool, away: float) -> None:
        """Lamps that are further off than the camera, which is ``away`` from the board."""
        rng = self.rng
        ambient = float(rng.uniform(0.12, 0.5) if is_hard else rng.uniform(0.3, 0.8))
        self.scene.ambient = _warm(rng, ambient)
        for _ in range(int(rng.integers(1, 3))):
            lift = np.radians(rng.uniform(28 if is_hard else 40, 88))
            turn = rng.uniform(0, 2 * np.pi)
            reach = away + float(rng.uniform(5, 20))
            way = np.array([np.cos(lift) * np.cos(turn), np.cos(lift) * np.sin(turn), np.sin(lift)])
            size = float(rng.uniform(0.03, 0.3)) * reach
            power = float(rng.uniform(0.5, 1.3)) * reach**2 / (4 * size**2) * np.pi / 1.5
            middle = np.array([SIDE / 2, -SIDE / 2, 0])
            self.scene.lamps.append(Lamp(middle + way * reach, middle, size, _warm(rng, power)))


def _warm(rng: np.random.Generator, power: float) -> Array:
    tint = rng.normal(0, 0.08)
    return np.array([power * np.exp(-tint), power, power * np.exp(tint)])


def reflectance(paint: Color) -> Array:
    """An sRGB colour as a linear reflectance, (3,), BGR."""
    return np.asarray(np.clip((np.array(paint) / 255) ** 2.2, 0.002, 0.93))


def exposed(light: Floats, percentile: float, level: float) -> Image:
    """The light as an sRGB picture, uint8.

    That percentile of the middle, on which cameras set their exposure, is at that level (0 to 1).
    """
    height, width = light.shape[:2]
    middle = light[height // 5 : height - height // 5, width // 5 : width - width // 5]
    luminance = middle.mean(axis=2)
    white = float(np.percentile(luminance, percentile)) / level**2.2
    scaled = np.clip(light / max(white, 1e-6), 0, 1)
    return np.asarray(np.rint(255 * scaled ** (1 / 2.2)), np.uint8)
