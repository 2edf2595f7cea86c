"""Writes photos of boards and what is true of them into a folder.

``python -m simulation.blox.samples FOLDER --seed 1 --minutes 20`` writes ``NUMBER.jpg`` and
``NUMBER.json`` until the time is over; a photo depends on the seed and its number alone.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from brikks_vision.rules.blox import Board, Position, print_position
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import Shot, random_shot
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--long-side", type=int, default=640)
    parser.add_argument("--samples", type=int, default=8)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    end, number = time.time() + 60 * args.minutes, 0
    while time.time() < end:
        rng = np.random.default_rng([args.seed, number])
        view = list(VIEWS)[number % len(VIEWS)]
        shot = random_shot(view, rng, any_position, args.long_side, args.samples)
        (args.folder / f"{args.seed}-{number:05}.jpg").write_bytes(shot.data)
        text = json.dumps(facts(shot, view))
        (args.folder / f"{args.seed}-{number:05}.json").write_text(text, "utf-8")
        number += 1


if __name__ == "__main__":
    main()
