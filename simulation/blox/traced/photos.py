"""A set, and photos of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from brikks_vision.rules.blox.board import SIDE, Board
from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.position import Position
from simulation.blox.cameras import Camera, View, camera_on
from simulation.blox.looks import random_board
from simulation.blox.meshes import block
from simulation.blox.photos import Photo
from simulation.blox.scene import placed
from simulation.blox.traced import prints, tracing
from simulation.blox.traced.light import random_lights
from simulation.blox.traced.phone import photographed
from simulation.blox.traced.pieces import MIDDLE, Clutter, add_hand, add_position, pawn_size
from simulation.blox.traced.shapes import Pile, capsule
from simulation.blox.traced.style import Home, Style, random_style
from simulation.blox.traced.textures import table_top
from simulation.blox.traced.tracing import Part, glossy, matte, picture, rgb
from simulation.paper.chances import chance, pick

_SLANT = View((35, 50), (0.74, 0.93), 5, False)
TEACHING_VIEWS = (View((4, 18), (0.8, 0.93), 5, False), View((18, 40), (0.74, 0.93), 5, False))
SET_VIEWS = (
    View((6, 22), (0.72, 0.92), 5, False), _SLANT, _SLANT, _SLANT,
    View((50, 60), (0.62, 0.9), 8, True),
)  # fmt: skip
_CLOTHS = {"cloth": 0.6, "check": 0.6, "stripes": 0.6, "flowers": 0.6, "felt": 0.7}
_DARK = np.array([0.16, 0.15, 0.17])  # a phone, and who holds it


@dataclass(frozen=True)
class Set:
    """A board, how it and its pieces look, what they are made of.

    surfaces: by the names of meshes. flat: the board's print, the table, the floor. room: the seed
    of its light.
    """

    board: Board
    style: Style
    surfaces: Mapping[str, Part]
    flat: Mapping[str, Part]
    room: int


def random_set(rng: np.random.Generator) -> Set:
    tracing.set_up()
    style, board = random_style(rng), random_board(rng)
    if style.oddity == "no grey":
        others = (Color.WHITE, Color.PURPLE)
        colors = [pick(rng, *others) if each == Color.GREY else each for each in board.colors]
        board = replace(board, colors=tuple(colors))
    printed = picture(prints.board_print(rng, board, style.print, style.oddity == "folds"))
    half = style.print.half
    on_top = glossy(printed, style.print.gloss, 1.4)
    flat = {"board": tracing.rectangle((MIDDLE, -MIDDLE, 0), (half, half), 0, on_top)}
    flat |= _table(rng, style.home, style.print.thick)
    return Set(board, style, _surfaces(rng, style), flat, int(rng.integers(1 << 30)))


def _surfaces(rng: np.random.Generator, style: Style) -> dict[str, Part]:
    """What each kind of mesh is made of, by the names that `pieces` gives them."""
    look, home = style.pieces, style.home
    density = 1.3 if look.is_wood else 1.45
    found = {
        "chips": glossy(picture(prints.chip_faces(rng)), 0.3, 1.35),
        "clear": tracing.clear(),
        "mug": glossy(rgb(home.things["mug"]), 0.06, 1.5),
        "drink": glossy(rgb(np.array([0.16, 0.08, 0.04])), 0.05, 1.33),
        "lid": glossy(rgb(home.things["lid"]), 0.2),
        "pencil": glossy(rgb(home.things["pencil"]), 0.1),
        "skin": glossy(rgb(home.skin), 0.42, 1.38),
        "nail": glossy(rgb(0.6 * home.skin + np.array([0.38, 0.32, 0.31])), 0.2),
        "sleeve": matte(rgb(home.things["sleeve"])),
        "edge": matte(rgb(style.print.margin_color * 0.8 + 0.04)),
        "person": matte(rgb(_DARK)),
        "card back": glossy(picture(prints.card(home.things["lid"], True)), 0.25, 1.4),
    }
    for name, color in look.pawns.items():
        found[f"pawn {name}"] = glossy(rgb(color), look.pawn_gloss, 1.48)
    for name, color in look.blocks.items():
        face = picture(prints.block_face(rng, color, look.is_wood))
        found[f"block {name}"] = glossy(face, look.block_gloss, density)
        found[f"card {name}"] = glossy(picture(prints.card(color, False)), 0.25, 1.4)
    return found


def _table(rng: np.random.Generator, home: Home, thick: float) -> dict[str, Part]:
    """The table and the floor below it."""
    half, turn = rng.uniform(14, 20), pick(rng, 0, 90) + rng.normal(0, 4)
    top = picture(table_top(rng, home.table))
    top |= {"wrap_mode": "mirror", "to_uv": tracing.scaled(1.6)}
    gloss = {"granite": 0.08, "marble": 0.1, "laminate": 0.3}.get(
        home.table, rng.uniform(0.18, 0.4)
    )
    surface = matte(top) if home.table in _CLOTHS else glossy(top, gloss, 1.4)
    x, y = rng.uniform(-6, 6, 2)
    middle, size = (MIDDLE + x, y - MIDDLE, -thick), (half * 1.9, half * 1.25)
    return {
        "table": tracing.rectangle(middle, size, turn, surface),
        "floor": tracing.rectangle((0, 0, -25), (160, 160), 0, matte(rgb(home.floor))),
    }


def shoot(
    box: Set, position: Position, view: View, rng: np.random.Generator, long_side: int
) -> Photo:
    """The position photographed by somebody at one of the table's sides."""
    style, look = box.style, box.style.pieces
    tall = max((tower.height for tower in position.towers.values()), default=1)
    camera = _camera(style, view, tall * look.height + 0.2, rng, long_side)
    seen_from = camera.position[:2] - MIDDLE
    is_empty = not any(position.things)
    pile, busy = Pile(), 0.15 if is_empty else 1.1 if view.is_hard else 0.8
    add_position(pile, look, position, rng)
    clutter = Clutter(pile, style, seen_from, rng)
    clutter.add_things(busy)
    if not is_empty:
        clutter.add_pieces(busy)
        if style.oddity == "hand":
            add_hand(pile, seen_from, style.print.half, rng)
    half, thick = style.print.half, style.print.thick
    pile.add("edge", block(2 * half, thick - 0.006, 0.004), placed(MIDDLE, MIDDLE, 0.001 - thick))
    _add_person(pile, camera)
    is_same_room = not view.is_hard and chance(rng, 0.5)
    of_light = np.random.default_rng(box.room if is_same_room else int(rng.integers(1 << 30)))
    lights = random_lights(of_light, view.is_hard, camera)
    seen, fallen = tracing.traced(pile.joined(), box.surfaces, box.flat, lights, camera, rng)
    data = photographed(seen, fallen, view.is_hard, rng)
    return Photo(data, camera, position, (look.width, look.height), pawn_size(look))


def _camera(
    style: Style, view: View, tall: float, rng: np.random.Generator, long_side: int
) -> Camera:
    size = (long_side * 3 // 4, long_side)
    if chance(rng, 0.65 if view.is_hard else 0.5):
        size = size[::-1]
    side, wide = int(rng.integers(4)) * np.pi / 2, 0.5 if view.is_hard else 0.28
    low, high = -style.print.margin, SIDE + style.print.margin
    view = replace(view, turn=(side - wide, side + wide))
    return camera_on((low, low, high, high), tall, view, size, rng)


def _add_person(pile: Pile, camera: Camera) -> None:
    """Who takes the photo, dark: they take away light and things mirror them."""
    away = camera.position - np.array([MIDDLE, MIDDLE, 0])
    back = np.array([*away[:2], 0.0]) / max(0.1, float(np.linalg.norm(away[:2])))
    head = (camera.position + back * 9 + np.array([0, 0, 1.0])) * (1, -1, 1)
    chest, hips = head - np.array([0, 0, 6.5]), head - np.array([0, 0, 18.0])
    parts = [capsule(head, head + np.array([0, 0, 0.5]), 3.2, 3.2), capsule(hips, chest, 5.5, 5.5)]
    if not any(camera.sees(mesh[0][:, :3] * (1, -1, 1), 1.1).any() for mesh in parts):
        for mesh in parts:
            pile.add("person", mesh)
