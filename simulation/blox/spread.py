"""Photos of the chips and blocks that a player has laid out on a table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import CHIP_VALUES, Color, PawnColor
from simulation.blox.cameras import View, camera_on
from simulation.blox.looks import Look, random_look
from simulation.blox.meshes import cube
from simulation.blox.photos import Renderer, photographed
from simulation.blox.samples import RENDERERS, renderer
from simulation.blox.scene import Builder, Surface, placed
from simulation.paper.canvas import Image
from simulation.paper.chances import chance, pick
from simulation.paper.colors import any_color

Array = NDArray[np.float64]

VIEWS = {
    "above": View((0, 15), (0.7, 1.0), 180, False),
    "slant": View((15, 40), (0.7, 1.0), 180, False),
    "hard": View((10, 45), (0.5, 0.95), 180, True),
}
MIDDLE = SIDE / 2  # of the table, around which the lamps shine and shadows fall
OTHERS = ("pawn", "card")
"""What may lie about and counts nothing."""


@dataclass(frozen=True)
class Laid:
    """A thing on the table. kind: "chip 4", "block white", "pawn" or "card". reach: half its width,
    in fields, as is all else; height: of its upper face."""

    kind: str
    x: float
    y: float
    reach: float
    height: float
    turn: float


@dataclass(frozen=True)
class Spread:
    """A simulated photo; things: kind, middle of the upper face and half its width, px."""

    image: Image
    data: bytes
    things: tuple[tuple[str, float, float, float], ...]


def kinds_laid(rng: np.random.Generator) -> list[str]:
    """What a player may have, and some things that lie about."""
    chips = int(rng.integers(0, 16)) if chance(rng, 0.7) else int(rng.integers(0, 31))
    blocks = int(rng.integers(0, 8)) if chance(rng, 0.7) else int(rng.integers(0, 21))
    shares = rng.dirichlet([1.2] * len(CHIP_VALUES))
    kinds = [f"chip {value}" for value in rng.choice(CHIP_VALUES, chips, p=shares)]
    kinds += [f"block {pick(rng, *Color)}" for _ in range(blocks)]
    if chance(rng, 0.4):
        kinds += [pick(rng, *OTHERS) for _ in range(int(rng.integers(1, 6)))]
    return [kinds[place] for place in rng.permutation(len(kinds))]


def laid_out(kinds: list[str], look: Look, rng: np.random.Generator) -> list[Laid]:
    """The things side by side: scattered, or in rows, close together or not."""
    in_rows = chance(rng, 0.4)
    gap = float(rng.uniform(0.0, 0.1)) if chance(rng, 0.5) else float(rng.uniform(0.1, 0.7))
    columns = max(1, round(np.sqrt(len(kinds)) * float(rng.uniform(0.7, 1.6))))
    turn, laid = float(rng.uniform(0, 360)), list[Laid]()
    spread = np.sqrt(len(kinds)) * (0.6 + gap) * 0.8
    for number, kind in enumerate(kinds):
        reach, height = _size(kind, look)
        own = turn + float(rng.normal(0, 8)) if in_rows else float(rng.uniform(0, 360))
        for _ in range(200):
            if in_rows:
                step = 1.0 + gap
                x = (number % columns - columns / 2) * step + float(rng.normal(0, 0.03))
                y = (number // columns - columns / 2) * step + float(rng.normal(0, 0.03))
            else:
                x, y = (float(value) for value in rng.normal(0, spread / 2, 2))
                spread *= 1.005
            is_free = all(
                np.hypot(x - other.x, y - other.y)
                > _room(kind, reach) + _room(other.kind, other.reach) + gap / 2
                for other in laid
            )
            if is_free or in_rows:
                break
        laid.append(Laid(kind, x, y, reach, height, own))
    return laid


def _size(kind: str, look: Look) -> tuple[float, float]:
    """Half the width of a thing, and how high it is."""
    if kind.startswith("chip"):
        return look.chips.size / 2, look.chips.thickness
    if kind.startswith("block"):
        return look.block_width / 2, look.block_height
    return (look.pawn_width / 2, look.pawn_height) if kind == "pawn" else (0.7, 0.01)


def _room(kind: str, reach: float) -> float:
    """The radius of the circle that a thing fills."""
    return reach * (1.35 if kind.startswith("block") or kind == "card" else 1.0)


def spread_shot(
    view: str, rng: np.random.Generator, render: Renderer, long_side: int = 800
) -> Spread:
    """A random player's things."""
    look = random_look(rng)
    laid = laid_out(kinds_laid(rng), look, rng)
    builder = Builder(look, rng)
    builder.table(thick=0.0)
    floor = -0.01
    for thing in laid:
        x, y = MIDDLE + thing.x, MIDDLE + thing.y
        kind, _, which = thing.kind.partition(" ")
        if kind == "chip":
            builder.chip(int(which), x, y, floor, thing.turn)
        elif kind == "block":
            builder.block(which, x, y, floor, thing.turn)
        elif kind == "pawn":
            builder.pawn(str(pick(rng, *PawnColor)), x, y, floor)
        else:
            size = (thing.reach, thing.reach * 1.5, 0.005)
            paper = Surface(any_color(rng))
            builder.add(cube(), placed(x, y, floor, thing.turn, size), paper)
    around = max([np.hypot(thing.x, thing.y) for thing in laid], default=0.0) + 0.8
    area = (MIDDLE - around, MIDDLE - around, MIDDLE + around, MIDDLE + around)
    if laid:
        x, y = np.array([(thing.x, thing.y) for thing in laid]).T + MIDDLE
        area = (x.min() - 0.7, y.min() - 0.7, x.max() + 0.7, y.max() + 0.7)
    size = (long_side, long_side * 3 // 4)
    if chance(rng, 0.5):
        size = size[::-1]
    camera = camera_on(area, look.block_height, VIEWS[view], size, rng)
    builder.lights(VIEWS[view].is_hard, float(np.linalg.norm(camera.position - camera.target)))
    data = photographed(render(builder.scene, camera, rng), VIEWS[view].is_hard, rng)
    image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    things = []
    for thing in laid:
        middle = np.array([MIDDLE + thing.x, MIDDLE + thing.y, floor + thing.height])
        around_it = [[0, 0, 0], [thing.reach, 0, 0], [0, thing.reach, 0]]
        seen = camera.project(middle + np.array(around_it))
        reach = float(np.linalg.norm(seen[1:] - seen[0], axis=1).mean())
        things.append((thing.kind, float(seen[0, 0]), float(seen[0, 1]), reach))
    return Spread(image, data, tuple(things))


def write_photo(folder: Path, number: int, seed: int, long_side: int) -> None:
    """One photo by the rasterizer, ``SEED-NUMBER.jpg``, and beside it what is true of it."""
    rng = np.random.default_rng([seed, number])
    view = list(VIEWS)[number % len(VIEWS)]
    shot = spread_shot(view, rng, renderer(RENDERERS[0]), long_side)
    path = folder / f"{seed}-{number:05}.jpg"
    path.write_bytes(shot.data)
    path.with_suffix(".json").write_text(json.dumps({"view": view, "things": shot.things}), "utf-8")
