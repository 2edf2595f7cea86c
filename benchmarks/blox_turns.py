"""How right are turns of BLOX judged from two photos? Legal ones and illegal ones, simulated.

``python -m benchmarks.blox_turns make FOLDER --seed 1 --sets 20`` photographs random moments of
games, each before a turn, after a legal one and after an illegal one, with two cameras.
``python -m benchmarks.blox_turns measure FOLDER`` judges them on their true boards and prints, for
each view, how many legal turns are accepted as the action that they are, how many are accused, and
how many illegal turns are named.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from brikks_vision.boards import LONG_SIDE
from brikks_vision.games.blox.reading import BoardReading, read_position
from brikks_vision.games.blox.turn import read_turn
from brikks_vision.rules.blox.actions import Swap
from brikks_vision.rules.blox.board import FIELDS, parse_board
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import Position, tower_of
from brikks_vision.rules.blox.turn import judge_turn
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import random_set, shoot
from simulation.blox.random_player import legal_actions, random_action
from simulation.blox.samples import RENDERERS, facts, renderer
from simulation.blox.setup import start

MAX_ACTIONS = 120


def turns_of(seed: int, box: Any, rng: np.random.Generator) -> tuple[Position, Position, Position]:
    """A moment of a random game, the position after a legal turn, and one after an illegal one."""
    colors = [list(PawnColor)[place] for place in rng.permutation(4)[:3]]
    player = random.Random(seed)
    state = start(box.board, colors, seed)
    for _ in range(int(rng.integers(12, MAX_ACTIONS))):
        state = state.play(random_action(state, player))
        if state.is_over:
            return turns_of(seed + 1_000_000, box, rng)
    actions = [
        each for each in legal_actions(state, state.to_move.color) if not isinstance(each, Swap)
    ]
    if not actions:
        return turns_of(seed + 1_000_000, box, rng)
    # All kinds of actions alike: most legal ones are entries.
    kinds = sorted({type(each).__name__ for each in actions})
    kind = player.choice(kinds)
    action = player.choice([each for each in actions if type(each).__name__ == kind])
    return state.position, state.play(action).position, illegal(state.position, player)


def illegal(position: Position, player: random.Random) -> Position:
    """After something that no turn does: a pawn jumps, a tower comes or goes, or two pawns move."""
    while True:
        empty = [field for field in FIELDS if position.at(field) is None]
        pawns, towers = list(position.pawns), list(position.towers)
        kind = player.randrange(4)
        things: dict[Any, Any] = {}
        if kind == 0 and pawns:
            field = player.choice(pawns)
            things = {field: None, player.choice(empty): position.at(field)}
        elif kind == 1:
            blocks = player.choices(list(Color), k=player.randint(1, 4))
            things = {player.choice(empty): tower_of(tuple(blocks))}
        elif kind == 2 and towers:
            things = {player.choice(towers): None}
        elif len(pawns) > 1:
            one, other = player.sample(pawns, 2)
            to = player.sample(empty, 2)
            things = {one: None, other: None, to[0]: position.at(one), to[1]: position.at(other)}
        after = position.with_things(things)
        if things and not judge_turn(position, after).is_legal:
            return after


def make(folder: Path, seed: int, sets: int, long_side: int, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    render = renderer(name)
    for number in range(sets):
        view = list(VIEWS)[number % len(VIEWS)]
        rng = np.random.default_rng([seed, number])
        box = random_set(rng)
        positions = turns_of(int(rng.integers(1 << 31)), box, rng)
        for which, position in zip(("before", "legal", "illegal"), positions, strict=True):
            shot = shoot(box, position, VIEWS[view], rng, render, long_side)
            path = folder / f"{seed}-{number:04}-{which}.jpg"
            path.write_bytes(shot.data)
            path.with_suffix(".json").write_text(json.dumps(facts(shot, view)), "utf-8")


def read(path: Path, board: Any) -> BoardReading | None:
    image = cv2.imread(str(path))
    assert image is not None
    factor = min(1.0, LONG_SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    try:
        return read_position(np.asarray(small, np.uint8), board)
    except Exception as error:
        print(path.name, type(error).__name__)
        return None


def measure(folder: Path) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for path in sorted(folder.glob("*-before.jpg")):
        truth = {
            which: json.loads(Path(str(path).replace("before.jpg", f"{which}.json")).read_text())
            for which in ("before", "legal", "illegal")
        }
        board = parse_board(truth["before"])
        of_view = counts[truth["before"]["view"]]
        before = read(path, board)
        positions = {which: _position(each, board) for which, each in truth.items()}
        for which in ("legal", "illegal"):
            after = read(folder / path.name.replace("before", which), board)
            of_view[which] += 1
            if before is None or after is None:
                of_view[f"{which} unread"] += 1
                continue
            found = read_turn(before, after)
            true = judge_turn(positions["before"], positions[which])
            is_same = (found.verdict.action, found.verdict.start, found.verdict.target) == (
                true.action, true.start, true.target,
            )  # fmt: skip
            of_view[f"{which} taken for legal"] += found.verdict.is_legal
            of_view[f"{which}, the same action"] += is_same
            is_wrong = found.verdict.is_legal != true.is_legal or not is_same
            of_view[f"{which} ok"] += found.status == "ok"
            of_view["wrong under ok"] += found.status == "ok" and is_wrong
    for view, each in counts.items():
        print(f"{view}: {dict(each)}")


def _position(truth: dict[str, Any], board: Any) -> Position:
    from simulation.blox.notation import read_position as drawn

    return drawn(truth["position"], board)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("make", "measure"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--long-side", type=int, default=1000)
    parser.add_argument("--renderer", choices=RENDERERS, default="rasterizer")
    args = parser.parse_args()
    if args.what == "make":
        make(args.folder, args.seed, args.sets, args.long_side, args.renderer)
    else:
        measure(args.folder)


if __name__ == "__main__":
    main()
