"""Writes photos of boards and the truth about them into a folder.

``python -m simulation.blox.samples FOLDER --seed 1 --minutes 20`` writes ``SEED-NUMBER.jpg`` and
``SEED-NUMBER.json`` until the time is over or there are ``--count`` of them; a photo depends on the
options, the seed and its number alone. The rasterizer is fast; the path tracer is slow, but its
light is realistic: train with one, measure with the other. ``--hand`` says whose prints and
pieces they show. Views take turns. ``--positions`` says what stands on the boards: moments of
games, nothing (empty), or mostly crowds, for training. With ``--of-a-set N`` N photos each show the
same board and pieces, which two photos in other light and from other places teach, as users give
them: ``SEED-NUMBER.empty.jpg`` of the empty board and ``SEED-NUMBER.setup.jpg`` of the set-up, with
the number of the first of the N.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from brikks_vision.rules.blox.material import PAWNS_OF_A_COLOR, PawnColor
from brikks_vision.rules.blox.position import FIELDS, Board, Position
from simulation.blox import photos
from simulation.blox.cameras import VIEWS, View
from simulation.blox.notation import print_position
from simulation.blox.positions import crowded_position, played_position
from simulation.blox.scene import Lights
from simulation.blox.setup import start


def facts(photo: photos.Shot, view: str) -> dict[str, Any]:
    """What is true of a photo, as JSON."""
    board, look = photo.position.board, photo.set.look
    return {
        "view": view,
        "camera": photo.camera.matrix.tolist(),
        "corners": photo.corners.tolist(),
        "field_colors": board.field_colors,
        "squares": board.square_rows,
        "position": print_position(photo.position),
        "block": [look.block_width, look.block_height],
        "pawn": [look.pawn_width, look.pawn_height],
    }


def any_position(board: Board, rng: np.random.Generator) -> Position:
    """Mostly crowds, as they show most; some moments of games, some empty boards."""
    kind = rng.random()
    if kind < 0.1:
        return Position(board)
    return played_position(board, rng) if kind < 0.25 else crowded_position(board, rng)


def set_up_position(board: Board, rng: np.random.Generator) -> Position:
    """The start of a game, with some pawns of each player on free fields, so that they show."""
    colors = [list(PawnColor)[place] for place in rng.permutation(4)[: int(rng.choice([3, 4]))]]
    position = start(board, colors, int(rng.integers(1 << 31))).position
    free = [field for field in FIELDS if not position.at(field)]
    pawns = [color for color in colors for _ in range(int(rng.integers(1, PAWNS_OF_A_COLOR + 1)))]
    places = rng.permutation(len(free))[: len(pawns)]
    return position.with_things(
        {free[place]: pawn for place, pawn in zip(places, pawns, strict=True)}
    )


POSITIONS: dict[str, photos.Positions] = {
    "any": any_position,
    "games": played_position,
    "empty": lambda board, rng: Position(board),
}

RENDERERS = ("rasterizer", "path tracer", "few lights")
HANDS = {"first": photos.random_set, "second": photos.second_set}
FEW_LIGHTS = Lights(of_lamp=6, of_sky=8, shadow_pixels=480)  # twice as fast, for training

TEACHING_VIEWS = (
    VIEWS["above"],
    VIEWS["slant"],
)  # of the photos that boards and pieces are learnt from
SET_VIEWS = (*VIEWS.values(), View((45, 62), (0.45, 0.9), 20, True))  # of the photos of a set


def renderer(name: str) -> photos.Renderer:
    """One of `RENDERERS`; each needs a package of its own."""
    if name == "path tracer":
        from simulation.blox.path_tracer import rendered

        return rendered
    from simulation.blox.rasterizer import rendered as rasterized

    if name == "few lights":
        return partial(rasterized, lights=FEW_LIGHTS)
    return rasterized


def write_photo(
    folder: Path,
    number: int,
    seed: int,
    long_side: int,
    positions: photos.Positions = any_position,
    render_with: str = RENDERERS[0],
    hand: str = "first",
) -> None:
    """One photo and what is true of it."""
    rng = np.random.default_rng([seed, number])
    view = list(VIEWS)[number % len(VIEWS)]
    shot = photos.random_shot(
        view, rng, positions, render=renderer(render_with), long_side=long_side, hand=HANDS[hand]
    )
    path = folder / f"{seed}-{number:05}.jpg"
    path.write_bytes(shot.data)
    path.with_suffix(".json").write_text(json.dumps(facts(shot, view)), "utf-8")


def write_set(
    folder: Path,
    numbers: range,
    seed: int,
    long_side: int,
    positions: photos.Positions = any_position,
    render_with: str = RENDERERS[0],
    hand: str = "first",
) -> None:
    """Photos of one set, and the two that teach it, whose corners each photo's facts tell."""
    rng = np.random.default_rng([seed, numbers[0]])
    box, render = HANDS[hand](rng), renderer(render_with)
    board = box.board
    taught: dict[str, Any] = {}
    for name, position in (
        ("empty", Position(board)),
        ("setup", set_up_position(board, rng)),
    ):
        view = TEACHING_VIEWS[int(rng.choice(len(TEACHING_VIEWS)))]
        shot = photos.shoot(box, position, view, rng, render, long_side)
        file = folder / f"{seed}-{numbers[0]:05}.{name}.jpg"
        file.write_bytes(shot.data)
        taught[name] = {
            "file": file.name,
            "corners": shot.corners.tolist(),
            "position": print_position(position),
        }
    for number in numbers:
        view = SET_VIEWS[int(rng.integers(len(SET_VIEWS)))]
        shot = photos.shoot(box, positions(board, rng), view, rng, render, long_side)
        path = folder / f"{seed}-{number:05}.jpg"
        path.write_bytes(shot.data)
        told = facts(shot, f"tilt {view.tilt}") | taught
        path.with_suffix(".json").write_text(json.dumps(told), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--long-side", type=int, default=640)
    parser.add_argument("--renderer", choices=RENDERERS, default="rasterizer")
    parser.add_argument("--hand", choices=list(HANDS), default="first")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--positions", choices=list(POSITIONS), default="any")
    parser.add_argument("--of-a-set", type=int, default=0)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    end, number = time.time() + 60 * args.minutes, 0
    how = args.long_side, POSITIONS[args.positions], args.renderer, args.hand
    while time.time() < end and number < args.count:
        if args.of_a_set:
            numbers = range(number, number + args.of_a_set)
            write_set(args.folder, numbers, args.seed, *how)
        else:
            write_photo(args.folder, number, args.seed, *how)
        number += args.of_a_set or 1


if __name__ == "__main__":
    main()
