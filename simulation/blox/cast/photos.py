"""A set, and photos of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from brikks_vision.rules.blox.board import SIDE, Board
from brikks_vision.rules.blox.material import CHIP_VALUES
from brikks_vision.rules.blox.position import Position
from simulation.blox.cameras import Camera, View, camera_on
from simulation.blox.cast import prints
from simulation.blox.cast.caster import Surface, Thing, cast
from simulation.blox.cast.phone import photographed, random_shot
from simulation.blox.cast.pieces import MIDDLE, SHADES, Clutter, Shapes, Table, shapes_of
from simulation.blox.cast.rooms import random_room
from simulation.blox.cast.style import Style, hsv, random_style
from simulation.blox.cast.textures import Top, block_face, linear, picture, table_top
from simulation.blox.looks import random_board
from simulation.blox.meshes import block, square
from simulation.blox.photos import Photo
from simulation.blox.scene import placed
from simulation.blox.traced.shapes import Pile, moved
from simulation.paper.chances import chance, pick

_FILL, _FAR_FILL = (0.88, 0.98), (0.76, 0.88)
_ANY = View((4, 52), _FILL, 6, False)
TEACHING_VIEWS = (View((5, 30), _FILL, 6, False), View((6, 45), _FILL, 6, False))
SET_VIEWS = (_ANY, _ANY, View((46, 61), _FILL, 8, True))
_STEEP = 27  # degrees from the vertical; seen so from above, no thing hides the board


@dataclass(frozen=True, eq=False)
class Set:
    """A board, how it and its pieces look, what they are made of.

    surfaces: by the names that `pieces` gives; "board" is its print.
    """

    board: Board
    style: Style
    shapes: Shapes
    surfaces: Mapping[str, Surface]
    table: Top


def random_set(rng: np.random.Generator) -> Set:
    style, board = random_style(rng), random_board(rng)
    surfaces = _surfaces(rng, style) | {"board": _printed(rng, style, board)}
    return Set(board, style, shapes_of(style.pieces), surfaces, table_top(rng, style.table))


def _printed(rng: np.random.Generator, style: Style, board: Board) -> Surface:
    look = style.print
    image, heights = prints.board_print(rng, board, look)
    shown = picture(image, heights if look.has_relief else None)
    bump = 2.4 if look.has_relief else 0.0
    return Surface((1, 1, 1), look.roughness, look.reflectance, shown, bump)


def _surfaces(rng: np.random.Generator, style: Style) -> dict[str, Surface]:
    """What pieces and other things are made of."""
    look, printed, u = style.pieces, style.print, rng.uniform
    chips, font = look.chips, prints.random_font(rng)
    edge = printed.ground * 0.6 if chance(rng, 0.5) else np.array((0.62, 0.58, 0.5))
    drink = hsv(*pick(rng, (25, 0.7, 0.16), (28, 0.55, 0.45), (40, 0.1, 0.85)))
    found = {
        "edge": Surface(linear(edge), 0.7, 0.02),
        "clear": Surface((look.clearness,) * 3, 0.05, is_clear=True),
        "mug": Surface(linear(hsv(u(0, 360), u(0, 0.7), u(0.25, 0.92))), 0.2, 0.05),
        "drink": Surface(linear(drink), 0.05, 0.03),
        "pencil": Surface(linear(hsv(u(0, 360), u(0.2, 0.9), u(0.15, 0.8))), 0.25, 0.045),
        "box": Surface(linear(printed.colors["purple"] * u(0.5, 0.9)), 0.3, 0.04),
        "floor": Surface(linear(hsv(u(15, 40), u(0.1, 0.4), u(0.25, 0.5))), 0.8, 0.0),
    }
    for name, color in look.pawns.items():
        found[f"pawn {name}"] = Surface(linear(color), look.pawn_roughness, 0.045)
    for shade in range(SHADES):
        face, factor = block_face(rng, look.is_wood), 0.97 + 0.03 * shade
        for name, color in look.blocks.items():
            own = linear(np.clip(color * factor, 0, 1))
            surface = Surface(own, look.roughness, look.reflectance, face)
            found[f"block {name} {shade}"] = surface
    for value in CHIP_VALUES:
        face = picture(prints.chip_face(rng, value, chips, font))
        rim = linear(chips.grounds[value]) * 0.8 if chips.rim is None else linear(chips.rim)
        found[f"chip {value}"] = Surface((1, 1, 1), 0.45, 0.03, face)
        found[f"rim {value}"] = Surface(rim, 0.6, 0.02)
    for kind in prints.CARDS:
        face = picture(prints.card(kind, printed.colors, font))
        found[f"card {kind}"] = Surface((1, 1, 1), 0.4, 0.03, face)
    return found


def shoot(
    box: Set, position: Position, view: View, rng: np.random.Generator, long_side: int
) -> Photo:
    """The position photographed by somebody at one of the table's sides."""
    look, half, thick = box.style.pieces, box.style.print.half, box.style.print.thick
    highest = max((tower.height for tower in position.towers.values()), default=0)
    tall = max(highest * look.height + 0.1, look.pawn_height if position.pawns else 0)
    camera = _camera(box.style, view, tall, rng, long_side)
    away = camera.position - camera.target
    distance = float(np.linalg.norm(away))
    pile = Pile()
    table = Table(pile, look, box.shapes, rng)
    table.add_position(position)
    is_steep = float(away[2]) > distance * np.cos(np.radians(_STEEP))
    seen_from = away[:2] / max(1e-6, float(np.linalg.norm(away[:2])))
    Clutter(table, box.style, seen_from, is_steep).add(position)
    pile.add("edge", block(2 * half, thick - 0.006, 0.004), placed(MIDDLE, MIDDLE, 0.001 - thick))
    things = [Thing(mesh, box.surfaces[name]) for name, mesh in pile.parts()]
    room = random_room(rng, view.is_hard)
    light, depths = cast([*things, *_flat(box, rng)], room, camera, rng)
    shot = random_shot(rng, room.fallen, view.is_hard)
    data = photographed(light, depths, distance, shot, rng)
    return Photo(data, camera, position, (look.width, look.height), box.shapes.pawn_size)


def _flat(box: Set, rng: np.random.Generator) -> list[Thing]:
    """The print of the board, the table, and the floor below; they throw no shadows."""
    half, thick, top = box.style.print.half, box.style.print.thick, box.table
    turn = rng.uniform(0, 360) if chance(rng, 0.3) else rng.normal(0, 4) + pick(rng, 0, 90)
    reach = rng.uniform(19, 30)
    wide, deep = reach, reach * 0.9
    vertices, faces = square()
    vertices[:, 3:] = vertices[:, :2] * (wide, deep) / top.wide + rng.uniform(0, 1, 2)
    wood = Surface((1, 1, 1), top.roughness, top.reflectance, top.picture, top.bump)
    on_table = placed(MIDDLE, MIDDLE, -thick, turn, (wide, deep, 1))
    below = placed(MIDDLE, MIDDLE, -22, 0, (200, 200, 1))
    of_board = placed(MIDDLE, MIDDLE, 0, 0, (half, half, 1))
    return [
        Thing(moved(square(), of_board), box.surfaces["board"], False),
        Thing(moved((vertices, faces), on_table), wood, False),
        Thing(moved(square(), below), box.surfaces["floor"], False),
    ]


def _camera(
    style: Style, view: View, tall: float, rng: np.random.Generator, long_side: int
) -> Camera:
    size = (long_side, long_side * 3 // 4)
    if chance(rng, 0.5 if view.tilt[1] <= 30 else 0.3):
        size = size[::-1]
    side, wide = int(rng.integers(4)) * np.pi / 2, pick(rng, 0.25, 0.8)
    low, high = -style.print.border, SIDE + style.print.border
    view = replace(view, turn=(side - wide, side + wide))
    if chance(rng, 0.25):
        view = replace(view, fill=_FAR_FILL)
    return camera_on((low, low, high, high), tall, view, size, rng)
