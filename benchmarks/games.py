"""Turns of BLOX, told from photos of moments of games.

    python -m benchmarks.games --sheets 10 --seed 4410

Each game is photographed before a turn, after a legal one and after an illegal one, and the turns
are judged on their true boards.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import Any

import numpy as np

from benchmarks.cases import BOARD_SIDE, learnt_board
from benchmarks.harness import Table, add_sheets, in_processes, main, parser_of, tally
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.blox.turn import read_turn
from brikks_vision.pipeline import scan_photo
from brikks_vision.rules.blox.actions import Action
from brikks_vision.rules.blox.material import (
    Color,
    PawnColor,
)
from brikks_vision.rules.blox.position import FIELDS, Position, tower_of
from brikks_vision.rules.blox.turn import TurnVerdict, judge_turn
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import random_set, shoot
from simulation.blox.random_player import legal_actions, random_action
from simulation.blox.samples import renderer
from simulation.blox.setup import start
from simulation.blox.state import State

# --- turns on photos -----------------------------------------------------------------------------

MAX_ACTIONS = 60  # before the first photo


def a_moment(board: Any, rng: random.Random) -> State:
    """A moment of a random game of three."""
    state = start(board, rng.sample(list(PawnColor), 3), rng.randrange(2**31))
    for _ in range(rng.randrange(12, MAX_ACTIONS)):
        state = state.play(random_action(state, rng))
    return a_moment(board, rng) if state.is_over else state


def some_action(state: State, rng: random.Random) -> Action:
    """Each kind of action as often as any other: most legal ones are entries."""
    kinds: dict[str, list[Action]] = {}
    for action in legal_actions(state, state.to_move.color):
        kinds.setdefault(action.name, []).append(action)
    return rng.choice(kinds[rng.choice(list(kinds))])


def illegal(position: Position, rng: random.Random) -> Position:
    """After something that no turn does: a pawn jumps, a tower comes or goes, or two pawns move."""
    while True:
        empty = [field for field in FIELDS if position.at(field) is None]
        pawns, towers = list(position.pawns), list(position.towers)
        kind, things = rng.randrange(3), {}
        if kind == 0 and pawns:
            for field in rng.sample(pawns, min(len(pawns), rng.randint(1, 2))):
                things |= {field: None, rng.choice(empty): position.at(field)}
        elif kind == 1:
            things[rng.choice(empty)] = tower_of(
                tuple(rng.choices(list(Color), k=rng.randint(1, 4)))
            )
        elif kind == 2 and towers:
            things[rng.choice(towers)] = None
        after = position.with_things(things)
        if things and not judge_turn(position, after).is_legal:
            return after


def judge_turns(task: tuple[str, int, int]) -> Counter[str]:
    """What is told of a legal turn and of an illegal one."""
    view, seed, number = task
    rng = np.random.default_rng([seed, number])
    box, dice = random_set(rng), random.Random(int(rng.integers(1 << 31)))
    positions = moments(box.board, dice)
    render = renderer("rasterizer")
    board, seen = learnt_board(box, rng, render), []
    for position in positions:
        data = shoot(box, position, VIEWS[view], rng, render, BOARD_SIDE).data
        try:
            seen.append(scan_photo(data, printings=[board]).posterior)
        except PhotoUnreadable:
            seen.append(None)
    told = Counter[str]()
    for kind, position, after in zip(("legal", "illegal"), positions[1:], seen[1:], strict=True):
        told[kind] += 1
        if seen[0] is None or after is None:
            told["not found"] += 1
            continue
        found, true = read_turn(seen[0], after), judge_turn(positions[0], position)
        is_right = found.verdict.is_legal == true.is_legal
        is_same = _what(found.verdict) == _what(true)
        told[f"{kind} right"] += is_right
        told["same"] += kind == "legal" and is_same
        told["sure"] += found.is_sure
        told["silent"] += found.is_sure and not (is_right and is_same)
    return told


def moments(board: Any, dice: random.Random) -> list[Position]:
    """Before a turn, after a legal one and after an illegal one."""
    state = a_moment(board, dice)
    legal = state.play(some_action(state, dice)).position
    if legal == state.position:  # cards were swapped, which no photo shows
        return moments(board, dice)
    return [state.position, legal, illegal(state.position, dice)]


def _what(turn: TurnVerdict) -> tuple[object, ...]:
    return turn.action, turn.start, turn.target


COLUMNS = {
    "legal turns": "legal", "accepted": "legal right", "as they are": "same",
    "illegal turns": "illegal", "named": "illegal right", "sure": "sure", "silent": "silent",
    "not found": "not found",
}  # fmt: skip


def parser() -> ArgumentParser:
    return add_sheets(parser_of(__doc__), 10, 0)


def measure(options: Namespace) -> list[Table]:
    tasks = [(view, options.seed, number) for view in VIEWS for number in range(options.sheets)]
    found = in_processes(judge_turns, tasks, options.processes)
    views = [view for view, *_ in tasks]
    return [tally("view", zip(views, found, strict=True), COLUMNS)]


if __name__ == "__main__":
    main(parser(), measure)
