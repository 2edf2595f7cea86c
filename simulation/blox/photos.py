"""A photo of a board, and all that is true of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.position import SIDE, Board, Position
from simulation.blox.cameras import VIEWS, Camera, View, random_camera
from simulation.blox.looks import BoardArt, Look, draw_board, random_board, random_look
from simulation.blox.positions import played_position
from simulation.blox.scene import Builder, Scene, exposed
from simulation.blox.second import prints, style
from simulation.blox.second.rooms import light_up
from simulation.camera import GOOD, HARD, compress, develop
from simulation.paper.canvas import Image
from simulation.paper.chances import chance, pick
from simulation.tables import render_table

TABLE_PIXELS = 1400  # of a side

Renderer = Callable[[Scene, Camera, np.random.Generator], NDArray[np.float32]]
"""Gives linear BGR light, (height, width, 3)."""

Positions = Callable[[Board, np.random.Generator], Position]


@dataclass(frozen=True)
class Set:
    """One box of the game: a board, its art, and the look of all pieces.

    table: a picture of that on which it is played; None: any table. cards: pictures of both sides.
    """

    board: Board
    art: BoardArt
    look: Look
    table: Image | None = None
    cards: tuple[Image, ...] = ()


@dataclass(frozen=True)
class Shot:
    """A simulated photo, a JPEG file, and what is true of it. image: decoded from ``data``."""

    data: bytes
    camera: Camera
    position: Position
    image: Image
    set: Set

    @property
    def corners(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """The lattice's corners in the photo, px, clockwise from the board's own top left."""
        return self.camera.project(
            np.array([[0, 0, 0], [SIDE, 0, 0], [SIDE, SIDE, 0], [0, SIDE, 0]], np.float64)
        )


def random_set(rng: np.random.Generator) -> Set:
    board = random_board(rng)
    return Set(board, draw_board(board, rng), random_look(rng))


def second_set(rng: np.random.Generator) -> Set:
    """A set by the second hand."""
    board, odd = random_board(rng), style.random_oddities(rng)
    if "no grey" in odd:
        others = (Color.WHITE, Color.PURPLE)
        colors = [pick(rng, *others) if each == Color.GREY else each for each in board.colors]
        board = replace(board, colors=tuple(colors))
    look, font = style.random_print(rng, odd), prints.random_font(rng)
    printed = style.random_chip_print(rng)
    chips = style.random_chips(rng, printed, prints.chip_faces(rng, printed, font), odd)
    return Set(
        board,
        prints.board_print(rng, board, look),
        style.random_look(rng, odd, look.colors, chips),
        render_table(rng, TABLE_PIXELS, TABLE_PIXELS),
        prints.cards(look.colors, font),
    )


def shoot(
    box: Set,
    position: Position,
    view: View,
    rng: np.random.Generator,
    render: Renderer,
    long_side: int = 1200,
) -> Shot:
    """The position photographed."""
    size = (long_side, long_side * 3 // 4)
    if chance(rng, 0.35):
        size = size[::-1]
    tall = max((tower.height for tower in position.towers.values()), default=0)
    camera = random_camera(view, size, tall * box.look.block_height, rng)
    builder = Builder(box.look, rng)
    builder.board(box.art)
    if box.table is None:
        builder.table()
    else:
        builder.home(box.table)
    builder.position(position)
    area = box.art.area
    reach = max(-area.left, -area.top, area.right - SIDE, area.bottom - SIDE) + SIDE / 2 * 1.42
    builder.scatter(reach, int(rng.integers(0, 12)))
    if box.table is None:
        builder.lights(view.is_hard, float(np.linalg.norm(camera.position - camera.target)))
    else:
        builder.things(reach, box.cards)
        light_up(builder.scene, view.is_hard, rng)
    data = photographed(render(builder.scene, camera, rng), view.is_hard, rng)
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return Shot(data, camera, position, np.asarray(decoded, np.uint8), box)


def photographed(light: NDArray[np.float32], is_hard: bool, rng: np.random.Generator) -> bytes:
    """The JPEG file that a phone makes of the light."""
    image = exposed(light, float(rng.uniform(93, 99)), float(rng.uniform(0.75, 1)))
    conditions = HARD if is_hard else GOOD
    # Light and shadows are the renderer's.
    conditions = replace(
        conditions, light=(0.0, 0.1), shadow=0.1 * is_hard, glare=0.05, moire=0.0,
        exposure=(0.7, 1.1) if is_hard else (0.85, 1.1), tint=conditions.tint / 2,
        noise=(1, 8) if is_hard else (1, 4),
    )  # fmt: skip
    return compress(develop(image, rng, conditions), int(rng.integers(*conditions.quality)))


def random_shot(
    view: str,
    rng: np.random.Generator,
    positions: Positions = played_position,
    *,
    render: Renderer,
    long_side: int = 1200,
    hand: Callable[[np.random.Generator], Set] = random_set,
) -> Shot:
    """A random position of a random set."""
    box = hand(rng)
    return shoot(box, positions(box.board, rng), VIEWS[view], rng, render, long_side)
