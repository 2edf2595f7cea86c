"""Whole games: turns told from photos, and how well computer players play.

    python -m benchmarks.games turns --sheets 10 --seed 4410
    python -m benchmarks.games follow --sheets 12 --seed 61003
    python -m benchmarks.games players --game brikks --sheets 500
    python -m benchmarks.games advice --game bloxx --sheets 60

``turns`` photographs moments of games of BLOX, each before a turn, after a
legal one and after an illegal one, with two cameras, and judges them on their true boards.
``follow`` follows eight turns of a game over photos; in two of three games one turn is illegal.
``players``: the Monte Carlo player of Brikks against the policy that it plays out and
a player at random, with the same dice; of BLOX, who takes the first action of `moves` against who
takes most points at once, at three. ``advice``: of Brikks or BLOXX!, repeated with other dice.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks import players
from benchmarks.cases import BOARD_SIDE, GAMES, learnt_board
from benchmarks.harness import Table, add_sheets, in_processes, main, parser_of, tally
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.blox.follow import follow_boards
from brikks_vision.games.blox.reading import BoardReading, thing_text
from brikks_vision.games.blox.turn import read_turn
from brikks_vision.pipeline import scan_photo
from brikks_vision.pipeline.follow import MIN_PHOTOS
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
from simulation.blox.samples import RENDERERS, renderer
from simulation.blox.setup import start
from simulation.blox.state import State

# --- turns on photos -----------------------------------------------------------------------------

MAX_ACTIONS = 60  # before the first photo
TURNS = 8  # that are followed


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


Read = tuple[list[Position], list[BoardReading | None]]


def photographed(
    task: tuple[str, int, int, str], moments: Callable[[State, random.Random], list[Position]]
) -> Read:
    """Positions after a moment of a game, and as they are read off photos; None: not found."""
    view, seed, number, render_with = task
    rng = np.random.default_rng([seed, number])
    box, dice = random_set(rng), random.Random(int(rng.integers(1 << 31)))
    positions, render = moments(a_moment(box.board, dice), dice), renderer(render_with)
    board, found = learnt_board(box, rng, render), []
    for position in positions:
        data = shoot(box, position, VIEWS[view], rng, render, BOARD_SIDE).data
        try:
            found.append(scan_photo(data, printings=[board]).posterior)
        except PhotoUnreadable:
            found.append(None)
    return positions, found


def judge_turns(task: tuple[str, int, int, str]) -> Counter[str]:
    """What is told of a legal turn and of an illegal one."""

    def moments(state: State, dice: random.Random) -> list[Position]:
        legal = state.play(some_action(state, dice)).position
        if legal == state.position:  # cards were swapped, which no photo shows
            return moments(a_moment(state.position.board, dice), dice)
        return [state.position, legal, illegal(state.position, dice)]

    positions, (before, *after) = photographed(task, moments)
    told = Counter[str]()
    for kind, position, seen in zip(("legal", "illegal"), positions[1:], after, strict=True):
        told[kind] += 1
        if before is None or seen is None:
            told["not found"] += 1
            continue
        found, true = read_turn(before, seen), judge_turn(positions[0], position)
        is_right, is_same = (
            found.verdict.is_legal == true.is_legal,
            _what(found.verdict) == _what(true),
        )
        told[f"{kind} right"] += is_right
        told["same"] += kind == "legal" and is_same
        told["sure"] += found.status == "ok"
        told["silent"] += found.status == "ok" and not (is_right and is_same)
    return told


def follow_game(task: tuple[str, int, int, str]) -> Counter[str]:
    """What is told of the turns of a game; one between photos that were read is in its place."""

    def moments(state: State, dice: random.Random) -> list[Position]:
        wrong, found = dice.randrange(TURNS * 3 // 2), [state.position]
        for number in range(TURNS):
            if number == wrong:
                found.append(illegal(found[-1], dice))
                return found
            state = state.play(some_action(state, dice))
            found.append(state.position)
        return found

    positions, boards = photographed(task, moments)
    photos = [at for at, board in enumerate(boards) if board is not None]
    told = Counter(games=1, lost=len(boards) - len(photos))
    if len(photos) < MIN_PHOTOS:
        return told
    followed = follow_boards([boards[at] for at in photos], ())
    for number, (first, then) in enumerate(pairwise(photos), 1):
        true = [judge_turn(*each) for each in pairwise(positions[first : then + 1])]
        turns = [turn for turn in followed.turns if turn.photo == number]
        accuses, is_illegal = (
            any(not verdict.is_legal for verdict in verdicts)
            for verdicts in ([turn.verdict for turn in turns], true)
        )
        found, were = Counter(_what(t.verdict) for t in turns), Counter(map(_what, true))
        is_sure, is_right = all(turn.is_sure for turn in turns), accuses == is_illegal
        legal = sum(each.is_legal for each in true)
        told.update(
            {
                "illegal": is_illegal,
                "named": is_illegal and accuses,
                "legal": legal,
                "right": min(legal, (found & were).total()) if is_right else 0,
                "accused": accuses and not is_illegal,
                "spans": 1,
                "sure": is_sure,
                "silent": is_sure and (found > were or not is_right),
            }
        )
    last = positions[photos[-1]]
    alone, together = (
        all(thing_text(board.position.at(at)) == thing_text(last.at(at)) for at in FIELDS)
        for board in (boards[photos[-1]], followed.readings[-1])
    )
    return told + Counter(alone=alone, together=together)


def _what(turn: TurnVerdict) -> tuple[object, ...]:
    return turn.action, turn.start, turn.target


COLUMNS = {
    "turns": {"legal turns": "legal", "accepted": "legal right", "as they are": "same",
              "illegal turns": "illegal", "named": "illegal right", "sure": "sure",
              "silent": "silent", "not found": "not found"},
    "follow": {"games": "games", "photos not read": "lost", "turns right": "right / legal",
               "accused": "accused", "illegal named": "named / illegal", "sure": "sure / spans",
               "silent": "silent", "last position right": "together", "by its photo": "alone"},
}  # fmt: skip

# --- the program ---------------------------------------------------------------------------------


def parser() -> ArgumentParser:
    found = add_sheets(parser_of(__doc__, (*COLUMNS, "players", "advice")), 10, 0, GAMES)
    found.add_argument("--renderer", choices=RENDERERS, default=RENDERERS[0])
    return found


def measure(options: Namespace) -> list[Table]:
    what, seed = options.what, options.seed
    if what in ("players", "advice"):
        return [getattr(players, f"{what}_table")(options)]
    work = judge_turns if what == "turns" else follow_game
    tasks = [
        (view, seed, number, options.renderer) for view in VIEWS for number in range(options.sheets)
    ]
    found = in_processes(work, tasks, options.processes)
    views = [view for view, *_ in tasks]
    return [tally("view", zip(views, found, strict=True), COLUMNS[what])]


if __name__ == "__main__":
    main(parser(), measure)
