"""Games of BLOX followed over photos of their boards, of which some turns are illegal.

Measured on photos, and on evidence that is drawn: what a reader would say that takes a known share
of the fields for something else, some of them in all photos of a game.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.cases import BOARD_SIDE, learnt_board
from benchmarks.harness import Row, Table, in_processes, share
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.blox.decode import FIRST_TOWER, PAWNS, THINGS, decode
from brikks_vision.games.blox.field_evidence import BLOCK_COLORS, HEIGHTS, KINDS, FieldEvidence
from brikks_vision.games.blox.follow import FollowedBoard, follow_boards
from brikks_vision.games.blox.reading import BoardReading, compose
from brikks_vision.pipeline import scan_photo
from brikks_vision.pipeline.follow import MIN_PHOTOS
from brikks_vision.rules.blox.board import FIELDS
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.phases import phase_after
from brikks_vision.rules.blox.position import Position, Tower, tower_of
from brikks_vision.rules.blox.turn import TurnVerdict, judge_turn
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import random_set, shoot
from simulation.blox.random_player import legal_actions, random_action
from simulation.blox.samples import renderer
from simulation.blox.setup import start
from simulation.blox.state import State

TURNS = 8
MAX_BEFORE = 60
"""Turns before the first photo."""
LASTING = 0.5
"""Share of the misread fields that are misread in all photos that show the same there."""
MISREAD = (0.45, 0.97)
"""Probability that drawn evidence gives to what it takes a field for."""
TRUTH = (0.9, 0.999)
"""Probability that it gives to what is there elsewhere."""


@dataclass(frozen=True)
class Played:
    """Positions of a game, and the number of the turn that no rule allows; None: all are legal."""

    positions: tuple[Position, ...]
    illegal: int | None
    players: tuple[PawnColor, ...]


def play(board: Any, seed: int, count: int = TURNS) -> Played:
    """A part of a random game; two of three have an illegal turn."""
    rng = random.Random(seed)
    players = tuple(rng.sample(list(PawnColor), 3))
    state = start(board, players, seed)
    for _ in range(rng.randrange(MAX_BEFORE)):
        state = state.play(random_action(state, rng))
    planted = rng.randrange(count) if rng.random() < 2 / 3 else None
    positions = [state.position]
    for number in range(count):
        if state.is_over:
            return play(board, seed + 1_000_003, count)
        state = _illegal(state, rng) if number == planted else state.play(_some_action(state, rng))
        positions.append(state.position)
    return Played(tuple(positions), planted, players)


def _some_action(state: State, rng: random.Random) -> Any:
    """Each kind of action as often as any other: most legal ones are entries."""
    kinds: dict[str, list[Any]] = {}
    for action in legal_actions(state, state.to_move.color):
        kinds.setdefault(action.name, []).append(action)
    return rng.choice(kinds[rng.choice(list(kinds))])


def _illegal(state: State, rng: random.Random) -> State:
    """After something that no turn does: a pawn jumps, or a tower comes, goes or changes."""
    position, pawn = state.position, state.to_move.color
    while True:
        empty = [field for field in FIELDS if position.at(field) is None]
        own, towers = position.pawns_of(pawn), list(position.towers)
        kind = rng.randrange(4)
        things: dict[Any, Any] = {}
        if kind == 0 and own:
            things = {rng.choice(own): None, rng.choice(empty): pawn}
        elif kind == 1 and own:
            things = {rng.choice(own): None, rng.choice(towers): pawn}
        elif kind == 2:
            blocks = rng.choices(list(Color), k=rng.randint(1, 4))
            things = {rng.choice(empty): tower_of(tuple(blocks))}
        elif kind == 3:
            things = {rng.choice(towers): None}
        after = position.with_things(things)
        if things and not judge_turn(position, after).is_legal:
            phase = phase_after(after, state.phase)
            turn = (state.turn + 1) % len(state.players)
            return replace(state, position=after, phase=phase, turn=turn)


def photographed(played: Played, box: Any, view: str, rng: np.random.Generator) -> list[Any]:
    """The boards as they are read off photos; None for one that is not found."""
    found: list[BoardReading | None] = []
    render = renderer("rasterizer")
    board = learnt_board(box, rng, render)
    for position in played.positions:
        data = shoot(box, position, VIEWS[view], rng, render, BOARD_SIDE).data
        try:
            found.append(scan_photo(data, printings=[board]).posterior)
        except PhotoUnreadable:
            found.append(None)
    return found


def drawn(played: Played, wrong: float, rng: np.random.Generator) -> list[BoardReading]:
    """The boards as a reader sees them that takes this share of the fields for something else."""
    others = rng.integers(1, THINGS, len(FIELDS))
    lasting = rng.random(len(FIELDS)) < wrong * LASTING
    found = []
    for position in played.positions:
        at_once = rng.random(len(FIELDS)) < wrong * (1 - LASTING)
        now = np.where(at_once, rng.integers(1, THINGS, len(FIELDS)), others)
        evidence = _evidence(position, lasting | at_once, now, rng)
        found.append(compose(decode(evidence, position.board, {}), np.eye(3)))
    return found


def _evidence(
    position: Position, is_wrong: Any, others: Any, rng: np.random.Generator
) -> FieldEvidence:
    """others: by field, how many places further among `THINGS` it is read."""
    kinds = np.empty((len(FIELDS), len(KINDS)))
    heights = np.full((len(FIELDS), HEIGHTS), 1 / HEIGHTS)
    colors = np.full((len(FIELDS), HEIGHTS, BLOCK_COLORS), 1 / BLOCK_COLORS)
    shown = np.full((len(FIELDS), HEIGHTS), -5.0)
    for place, thing in enumerate(position.things):
        true = _place(thing)
        read = (true + int(others[place])) % THINGS if is_wrong[place] else true
        sure = float(rng.uniform(*(MISREAD if is_wrong[place] else TRUTH)))
        chances = rng.dirichlet(np.full(THINGS, 0.3)) * (1 - sure) * 0.3
        chances[read] += sure
        chances[true] += 1 - chances.sum()
        kinds[place, :FIRST_TOWER] = chances[:FIRST_TOWER]
        kinds[place, FIRST_TOWER] = chances[FIRST_TOWER:].sum()
        heights[place] = chances[FIRST_TOWER:] / chances[FIRST_TOWER:].sum()
        if isinstance(thing, Tower):
            # the lower a block, the less of it shows
            shows = rng.random(thing.height) < np.linspace(0.6, 1.0, thing.height)
            for level, color in enumerate(thing.blocks):
                kind = list(Color).index(color) if color else 0
                if rng.random() < 0.05:
                    kind = int(rng.integers(BLOCK_COLORS))
                colors[place, level] = 0.05 / (BLOCK_COLORS - 1)
                colors[place, level, kind] = 0.95
                shown[place, level] = 5.0 if shows[level] else -5.0
    tops = np.zeros((len(FIELDS), 40))
    return FieldEvidence(np.log(kinds + 1e-9), np.log(heights + 1e-9), tops, np.log(colors), shown)


def _place(thing: Any) -> int:
    if thing is None:
        return 0
    if isinstance(thing, Tower):
        return FIRST_TOWER + thing.height - 1
    return 1 + PAWNS.index(thing)


def judged(
    played: Played, photos: Sequence[int], boards: Sequence[BoardReading], followed: FollowedBoard
) -> Counter[str]:
    """How much of a game was told as it was.

    photos: the numbers of those that were read, by board. A turn is right if it is told between the
    photos around it.
    """
    told = Counter[str](games=1)
    for number, (first, then) in enumerate(pairwise(photos), 1):
        true = [judge_turn(*each) for each in pairwise(played.positions[first : then + 1])]
        turns = [turn for turn in followed.turns if turn.photo == number]
        is_illegal = played.illegal is not None and first <= played.illegal < then
        accuses = any(turn.verdict.violations for turn in turns)
        found = Counter(map(_what, (turn.verdict for turn in turns)))
        were = Counter(map(_what, true))
        told["illegal"] += is_illegal
        told["named"] += is_illegal and accuses
        legal = Counter(_what(each) for each in true if each.is_legal)
        told["legal"] += legal.total()
        told["right"] += (legal & found).total() if accuses == is_illegal else 0
        told["accused"] += accuses and not is_illegal
        is_sure = all(turn.is_sure for turn in turns)
        told["spans"] += 1
        told["sure"] += is_sure
        told["sure wrong"] += is_sure and (found > were or accuses != is_illegal)
    last, read = played.positions[photos[-1]], followed.readings[-1].position
    places = [list(map(_place, position.things)) for position in (last, read, boards[-1].position)]
    told["last"] += places[0] == places[1]
    told["last alone"] += places[0] == places[2]
    told["last, blocks too"] += places[0] == places[1] and not _wrong_blocks(last, read)
    told["ok"] += followed.readings[-1].status == "ok"
    told["ok wrong"] += followed.readings[-1].status == "ok" and places[0] != places[1]
    told["fields wrong alone"] += sum(
        _place(one) != _place(other)
        for board, position in zip(
            boards, (played.positions[photo] for photo in photos), strict=True
        )
        for one, other in zip(board.position.things, position.things, strict=True)
    )
    told["fields"] += len(FIELDS) * len(boards)
    told["blocks"] += sum(tower.height for tower in last.towers.values())
    told["blocks named"] += sum(len(tower.seen) for tower in read.towers.values())
    told["blocks wrong"] += _wrong_blocks(last, read)
    return told


def _what(turn: TurnVerdict) -> tuple[object, ...]:
    return turn.action, turn.pawn, turn.start, turn.target


def _wrong_blocks(true: Position, read: Position) -> int:
    """How many blocks of the towers that are as high as they were have another colour."""
    return sum(
        block not in (None, color)
        for field, tower in true.towers.items()
        if (seen := read.towers.get(field)) is not None and seen.height == tower.height
        for color, block in zip(tower.blocks, seen.blocks, strict=True)
    )


def follow_game(task: tuple[str, int, int, float, bool]) -> Counter[str]:
    """A game: by its view, or by drawn evidence with a share of wrong fields."""
    view, seed, number, wrong, knows_players = task
    rng = np.random.default_rng([seed, number])
    box = random_set(rng)
    played = play(box.board, int(rng.integers(1 << 31)))
    boards = photographed(played, box, view, rng) if view in VIEWS else drawn(played, wrong, rng)
    photos = [photo for photo, board in enumerate(boards) if board is not None]
    told = Counter[str](lost=len(boards) - len(photos))
    if len(photos) < MIN_PHOTOS:
        return told + Counter(games=1)
    read = [boards[photo] for photo in photos]
    followed = follow_boards(read, played.players if knows_players else ())
    return told + judged(played, photos, read, followed)


def follow_row(name: str, found: Sequence[Counter[str]]) -> Row:
    told = sum(found, Counter[str]())
    return (
        name,
        str(told["games"]),
        str(told["lost"]),
        share(told["fields wrong alone"], told["fields"]),
        share(told["right"], told["legal"]),
        share(told["accused"], told["legal"]),
        share(told["named"], told["illegal"]),
        share(told["sure"], told["spans"]),
        str(told["sure wrong"]),
        f"{told['last alone']} -> {told['last']}, {told['last, blocks too']}",
        f"{told['ok']} / {told['ok wrong']}",
        f"{share(told['blocks named'], told['blocks'])} / {told['blocks wrong']}",
    )


HEADINGS: Row = (
    "evidence", "games", "photos not read", "fields wrong", "actions right", "legal called illegal",
    "illegal named", "sure", "sure wrong", "last position, blocks too", "ok / wrong",
    "blocks named / wrong",
)  # fmt: skip


DRAWN = "drawn"
WRONG = (0.01, 0.03, 0.06)


def follow_table(count: int, seed: int, processes: int) -> Table:
    """So many games of each view, and with each share of wrong fields."""
    kinds = [(view, 0.0) for view in VIEWS] + [(DRAWN, wrong) for wrong in WRONG]
    rows: Table = [HEADINGS]
    for view, wrong in kinds:
        tasks = [(view, seed, number, wrong, True) for number in range(count)]
        found = in_processes(follow_game, tasks, processes)
        rows.append(follow_row(f"{view} {wrong}" if wrong else view, found))
    return rows
