"""Writes photos of boards and the truth about them into a folder.

``python -m simulation.blox.samples FOLDER --seed 1 --minutes 20`` writes ``SEED-NUMBER.jpg`` and
``SEED-NUMBER.json`` until the time is over or there are ``--count`` of them; a photo depends on the
options, the seed and its number alone. The rasterizer is fast; the path tracer is slow, but its
light is realistic: train with one, measure with the other. Views take turns. ``--positions`` says
what stands on the boards: moments of games, nothing (empty), or mostly crowds, for training. With
``--with-empty`` each photo comes with one of its empty board, in other light and from another
place, as users learn a board from: ``SEED-NUMBER.empty.jpg``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from brikks_vision.rules.blox.board import Board
from brikks_vision.rules.blox.position import Position
from simulation.blox.cameras import VIEWS
from simulation.blox.notation import print_position
from simulation.blox.photos import Renderer, Shot, random_shot, shoot
from simulation.blox.positions import crowded_position, played_position


def facts(shot: Shot, view: str) -> dict[str, Any]:
    """What is true of a photo, as JSON."""
    look, board = shot.set.look, shot.set.board
    return {
        "view": view,
        "camera": shot.camera.matrix.tolist(),
        "corners": shot.corners.tolist(),
        "field_colors": board.field_colors,
        "squares": board.square_rows,
        "position": print_position(shot.position),
        "block": [look.block_width, look.block_height],
        "pawn": [look.pawn_width, look.pawn_height],
    }


def any_position(board: Board, rng: np.random.Generator) -> Position:
    """Mostly crowds, as they show most; some moments of games, some empty boards."""
    kind = rng.random()
    if kind < 0.1:
        return Position(board)
    return played_position(board, rng) if kind < 0.25 else crowded_position(board, rng)


def empty_position(board: Board, rng: np.random.Generator) -> Position:
    return Position(board)


Positions = Callable[[Board, np.random.Generator], Position]
POSITIONS: dict[str, Positions] = {
    "any": any_position,
    "games": played_position,
    "empty": empty_position,
}

RENDERERS = ("rasterizer", "path tracer")

EMPTY_VIEWS = ("above", "slant")  # of the photos that boards are learnt from


def renderer(name: str) -> Renderer:
    """One of `RENDERERS`; each needs a package of its own."""
    if name == "path tracer":
        from simulation.blox.path_tracer import rendered

        return rendered
    from simulation.blox.rasterizer import rendered as rasterized

    return rasterized


def write_photo(
    folder: Path,
    number: int,
    seed: int,
    long_side: int,
    positions: Positions = any_position,
    render_with: str = RENDERERS[0],
    with_empty: bool = False,
) -> None:
    """One photo and what is true of it."""
    rng = np.random.default_rng([seed, number])
    view = list(VIEWS)[number % len(VIEWS)]
    render = renderer(render_with)
    shot = random_shot(view, rng, positions, render=render, long_side=long_side)
    path = folder / f"{seed}-{number:05}.jpg"
    told = facts(shot, view)
    if with_empty:
        board = shot.set.board
        learnt_from = str(rng.choice(EMPTY_VIEWS))
        empty = shoot(shot.set, Position(board), VIEWS[learnt_from], rng, render, long_side)
        path.with_suffix(".empty.jpg").write_bytes(empty.data)
        told["empty_corners"] = empty.corners.tolist()
    path.write_bytes(shot.data)
    path.with_suffix(".json").write_text(json.dumps(told), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--long-side", type=int, default=640)
    parser.add_argument("--renderer", choices=RENDERERS, default="rasterizer")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--positions", choices=list(POSITIONS), default="any")
    parser.add_argument("--with-empty", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    end, number, positions = time.time() + 60 * args.minutes, 0, POSITIONS[args.positions]
    while time.time() < end and number < args.count:
        write_photo(
            args.folder,
            number,
            args.seed,
            args.long_side,
            positions,
            args.renderer,
            with_empty=args.with_empty,
        )
        number += 1


if __name__ == "__main__":
    main()
