"""Whole games: the rules at every moment, turns told from photos, and orders of falling.

    python -m benchmarks.games rules --sheets 1000
    python -m benchmarks.games turns --sheets 10 --seed 4410
    python -m benchmarks.games follow --sheets 12 --seed 61003
    python -m benchmarks.games together --sheets 8 --seed 4646
    python -m benchmarks.games orders --sheets 1000

``rules`` plays random games of BLOX to their end and checks after each action what must hold at
every moment of a game. ``turns`` photographs moments of games of BLOX, each before a turn, after a
legal one and after an illegal one, with two cameras, and judges them on their true boards.
``follow`` follows games of BLOX over photos and over drawn evidence (`benchmarks.followed`).
``together`` photographs each moment from opposite sides, and reads one photo, and both as one.
``orders`` searches for the orders in which the blocks of Brikks sheets can have fallen, on
simulated sheets and on hard ones: grids packed without regard to falling, and blocks that slide
under others.
"""

from __future__ import annotations

import random
import statistics
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.cases import BOARD_SIDE, learnt_board
from benchmarks.followed import follow_table
from benchmarks.harness import Table, in_processes, main, parser_of
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.blox.learn import NamedBoard
from brikks_vision.games.blox.reading import BoardReading
from brikks_vision.games.blox.turn import read_turn
from brikks_vision.layout import Cell
from brikks_vision.pipeline import ScanResult, scan_photo
from brikks_vision.pipeline.together import scan_together
from brikks_vision.rules.blox.actions import Action, Build, Capture, Clear, Swap
from brikks_vision.rules.blox.board import FIELDS, load_board
from brikks_vision.rules.blox.material import (
    BLOCKS_OF_A_COLOR,
    CARDS_OF_A_COLOR,
    CHIP_VALUES,
    CHIPS,
    HAND,
    MAX_CHIP,
    RULE_OF_SEVEN,
    Color,
    PawnColor,
    chip_for,
)
from brikks_vision.rules.blox.phases import phases_of
from brikks_vision.rules.blox.position import Position, Tower, tower_of
from brikks_vision.rules.blox.referee import referee
from brikks_vision.rules.blox.turn import judge_turn
from brikks_vision.rules.brikks.blocks import kinds
from brikks_vision.rules.brikks.board import Board
from brikks_vision.rules.brikks.order import legal_orders
from brikks_vision.rules.brikks.sheet import Sheet, load_sheet
from brikks_vision.rules.brikks.state import Block
from brikks_vision.rules.shapes import placed
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import random_set, shoot
from simulation.blox.random_player import legal_actions, random_action
from simulation.blox.samples import RENDERERS, renderer
from simulation.blox.setup import start
from simulation.blox.state import State
from simulation.brikks.engine import landings
from simulation.brikks.games import play_sheet

# --- whole games ---------------------------------------------------------------------------------


def min_chips(total: int) -> int:
    """The minimum number of chips of a player who has so many points."""
    count = 0
    for value in sorted(CHIP_VALUES, reverse=True):
        chips, total = divmod(total, value)
        count += chips
    return count


def broken_invariants(state: State) -> Iterator[str]:
    """The invariants that a moment of a game breaks; none if the rules are right."""
    position, players = state.position, state.players
    blocks = Counter(color for player in players for color in player.blocks)
    for tower in position.towers.values():
        blocks.update(tower.seen)
    in_game = BLOCKS_OF_A_COLOR - (len(players) == 2)
    if blocks != dict.fromkeys(Color, in_game):
        yield f"{in_game} blocks of each colour: {blocks}"
    cards = Counter((*state.draw_pile, *state.discard_pile))
    for player in players:
        cards.update(player.hand)
    if cards != dict.fromkeys(Color, CARDS_OF_A_COLOR):
        yield f"{CARDS_OF_A_COLOR} cards of each colour: {cards}"
    if any(len(player.hand) != HAND for player in players):
        yield f"{HAND} cards in each hand"
    if any(tower.chip != chip_for(tower.height) for tower in position.towers.values()):
        yield "the chip of its height on each tower"
    if chips_needed(state) > CHIPS:
        yield f"{CHIPS} chips: {chips_needed(state)}"
    if any(len(player.blocks) > RULE_OF_SEVEN - 1 + state.phase for player in players):
        yield "the rule of seven"
    if state.phase not in phases_of(position):
        yield f"phase {state.phase} as the towers tell"
    for violation in referee(position):
        yield violation.message


def chips_needed(state: State) -> int:
    """The least number of chips that the towers bear and the players hold together."""
    on_towers = sum(tower.chip is not None for tower in state.position.towers.values())
    return on_towers + sum(min_chips(player.points) for player in state.players)


def points_of(state: State, action: Action) -> int:
    """What an action earns, by the table of the rules."""
    match action:
        case Clear(target=target):
            return min(state.position.towers[target].height, MAX_CHIP)
        case Build(blocks=blocks):
            return len(blocks)
        case Capture(cards=cards):
            return len(cards)
    return 0


def play_one(seed: int) -> tuple[int, int, Counter[str]]:
    """A game: how many actions, the most chips needed at once, and what was broken how often."""
    rng = random.Random(seed)
    state = start(load_board(), [*PawnColor][: 2 + seed % 3], seed)
    worth, broken, needed, length = Counter[str](), Counter[str](), [chips_needed(state)], 0
    while not state.is_over:
        action = random_action(state, rng)
        worth[state.to_move.color] += points_of(state, action)
        state = state.play(action)
        length += 1
        needed.append(chips_needed(state))
        broken.update(broken_invariants(state))
    broken["points add up"] += any(p.points != worth[p.color] for p in state.players)
    broken["as many turns for all"] += bool(length % len(state.players))
    return length, max(needed), +broken


def rules_table(games: Sequence[tuple[int, int, Counter[str]]]) -> Table:
    lengths, chips, broken = zip(*games, strict=True)
    told = ", ".join(f"{what} {count}" for what, count in sum(broken, Counter()).items())
    return [
        ("games", "actions a game", "median", "most chips needed", "median", "broken"),
        (str(len(games)), f"{min(lengths)} to {max(lengths)}", f"{statistics.median(lengths):.0f}",
         str(max(chips)), f"{statistics.median(chips):.0f}", told or "nothing"),
    ]  # fmt: skip


# --- turns between two photos --------------------------------------------------------------------

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
    # Each kind of action as often as any other: most legal actions are entries.
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


def read(data: bytes, board: NamedBoard) -> BoardReading | None:
    try:
        found: BoardReading = scan_photo(data, printings=[board]).posterior
        return found
    except PhotoUnreadable:
        return None


def judge_turns(task: tuple[str, int, int, str]) -> Counter[str]:
    """What is told of a legal turn and of an illegal one."""
    view, seed, number, render_with = task
    rng = np.random.default_rng([seed, number])
    box = random_set(rng)
    positions = turns_of(int(rng.integers(1 << 31)), box, rng)
    render = renderer(render_with)
    board = learnt_board(box, rng, render)
    before, *after = (
        read(shoot(box, position, VIEWS[view], rng, render, BOARD_SIDE).data, board)
        for position in positions
    )
    told = Counter[str]()
    for kind, position, seen in zip(("legal", "illegal"), positions[1:], after, strict=True):
        told[kind] += 1
        if before is None or seen is None:
            told["not found"] += 1
            continue
        found = read_turn(before, seen)
        true = judge_turn(positions[0], position)
        is_same = (found.verdict.action, found.verdict.start, found.verdict.target) == (
            true.action, true.start, true.target,
        )  # fmt: skip
        is_right = found.verdict.is_legal == true.is_legal
        told[f"{kind} right"] += is_right
        told["same action"] += kind == "legal" and is_same
        told["sure"] += found.status == "ok"
        told["silent wrong"] += found.status == "ok" and not (is_right and is_same)
    return told


def turns_table(views: Sequence[str], found: Sequence[Counter[str]]) -> Table:
    columns = {
        "legal": "legal turns", "legal right": "accepted", "same action": "as they are",
        "illegal": "illegal turns", "illegal right": "named", "sure": "sure",
        "silent wrong": "silent wrong", "not found": "not found",
    }  # fmt: skip
    rows: Table = [("view", *columns.values())]
    for view in VIEWS:
        told = sum((each for of, each in zip(views, found, strict=True) if of == view), Counter())
        rows.append((view, *(str(told[name]) for name in columns)))
    return rows


# --- one position in two photos ------------------------------------------------------------------

ASIDE = 0.4  # radians: so far the second camera may stand from the side opposite to the first


def read_pair(task: tuple[str, int, int, str]) -> tuple[Counter[str], Counter[str]]:
    """What is told of a moment of a game from one photo, and from two of opposite sides."""
    view, seed, number, render_with = task
    rng = np.random.default_rng([seed, list(VIEWS).index(view), number])
    box, render = random_set(rng), renderer(render_with)
    before, after, _ = turns_of(int(rng.integers(1 << 31)), box, rng)
    first = shoot(box, before, VIEWS[view], rng, render, BOARD_SIDE)
    away = first.camera.position - first.camera.target
    turn = float(np.arctan2(away[1], away[0]) + np.pi)
    opposite = replace(VIEWS[view], turn=(turn - ASIDE, turn + ASIDE))
    same, changed = (
        shoot(box, position, opposite, rng, render, BOARD_SIDE) for position in (before, after)
    )
    boards = [learnt_board(box, rng, render)]
    one = _compared(lambda: scan_photo(first.data, printings=boards), before)
    two = _compared(lambda: scan_together([first.data, same.data], printings=boards), before)
    later = _compared(lambda: scan_together([first.data, changed.data], printings=boards), before)
    two["turns told"] = later["refused"]
    two["turns between, sure"] = later["sure"]
    return one, two


def _compared(read: Callable[[], ScanResult], true: Position) -> Counter[str]:
    """What a reading tells of a position, counted."""
    told = Counter({"positions": 1})
    try:
        found = read()
    except PhotoUnreadable:
        return told + Counter({"refused": 1})
    position = found.posterior.position
    doubted = {doubt.where for doubt in found.reading.doubts}
    wrong = [field for field in FIELDS if _thing(position, field) != _thing(true, field)]
    told["right"] = not wrong
    told["sure"] = found.reading.status == "ok"
    told["silent wrong"] = bool(wrong) and found.reading.status == "ok"
    told["wrong fields"] = len(wrong)
    told["no doubt"] = sum(f"field {row},{column}" not in doubted for row, column in wrong)
    return told


def _thing(position: Position, field: Any) -> object:
    """A pawn, or how high a tower is."""
    thing = position.at(field)
    return thing.height if isinstance(thing, Tower) else thing


def together_table(
    views: Sequence[str], found: Sequence[tuple[Counter[str], Counter[str]]]
) -> Table:
    columns = ("positions", "refused", "right", "sure", "silent wrong", "wrong fields", "no doubt",
               "turns told", "turns between, sure")  # fmt: skip
    rows: Table = [("view", "photos", *columns)]
    for view in dict.fromkeys(views):
        for photos in (0, 1):
            told = sum(
                (each[photos] for of, each in zip(views, found, strict=True) if of == view),
                Counter[str](),
            )
            rows.append((view, str(photos + 1), *(str(int(told[name])) for name in columns)))
    return rows


# --- the order in which blocks fell --------------------------------------------------------------


def simulated(sheet: Sheet, rng: random.Random) -> tuple[Block, ...]:
    """The blocks of a played game."""
    return play_sheet(sheet, rng, rng.randint(2, 4), rng.randint(1, 4)).state.blocks


def packed(sheet: Sheet, rng: random.Random) -> tuple[Block, ...]:
    """A grid filled from the floor with blocks that do not overlap."""
    cells = sorted(sheet.cells, reverse=True)
    inside, taken = set(cells), set[Cell]()
    blocks: list[Block] = []
    gaps = rng.choice((0.0, 0.1, 0.3))
    for row, column in cells:
        if (row, column) in taken or rng.random() < gaps:
            continue
        fitting = [
            block
            for kind in kinds(sheet)
            for r, c in kind.shape
            if (block := placed(kind.shape, (row - r, column - c))) <= inside and not block & taken
        ]
        if fitting:
            blocks.append(rng.choice(fitting))
            taken |= blocks[-1]
    return tuple(blocks)


def overhung(sheet: Sheet, rng: random.Random) -> tuple[Block, ...]:
    """Drops that go under what is there wherever they can."""
    board = Board(sheet.rows, sheet.columns)
    blocks: list[Block] = []
    while True:
        places = [
            block for kind in rng.sample(kinds(sheet), 4) for block in landings(board, kind.shape)
        ]
        if not places:
            return tuple(blocks)
        blocks.append(max(places, key=lambda block: _cover(board, block) + rng.random()))
        board = board.with_cells(blocks[-1])


def _cover(board: Board, block: Block) -> int:
    """Cells of the block that lie under others."""
    return sum(any(board.holds((above, column)) for above in range(row)) for row, column in block)


def orders_row(
    name: str,
    make: Callable[[Sheet, random.Random], tuple[Block, ...]],
    starts: Sequence[None] | None,
    count: int,
) -> tuple[str, ...]:
    """The times for this many sheets of one kind."""
    sheet, rng = load_sheet(), random.Random(1)
    times, most, legal = [], 0, 0
    for _ in range(count):
        blocks = make(sheet, rng)
        begun = time.perf_counter()
        orders = legal_orders(blocks, sheet, starts=starts)
        times.append(1000 * (time.perf_counter() - begun))
        most = max(most, len(blocks))
        legal += orders.exist
    slow = statistics.quantiles(times, n=100)[-1]
    median = statistics.median(times)
    spent = (f"{milliseconds:.2f}" for milliseconds in (median, slow, max(times)))
    return name, str(count), str(most), str(legal), *spent


# --- the program ---------------------------------------------------------------------------------


def parser() -> ArgumentParser:
    found = parser_of(__doc__, 10, 0)
    found.add_argument("what", choices=("rules", "turns", "follow", "together", "orders"))
    found.add_argument("--renderer", choices=RENDERERS, default=RENDERERS[0])
    return found


def measure(options: Namespace) -> list[Table]:
    count, seed = options.sheets, options.seed
    if options.what == "rules":
        games = range(seed, seed + count)
        return [rules_table(in_processes(play_one, games, options.processes))]
    if options.what == "turns":
        views = [list(VIEWS)[number % len(VIEWS)] for number in range(count * len(VIEWS))]
        tasks = [(view, seed, number, options.renderer) for number, view in enumerate(views)]
        return [turns_table(views, in_processes(judge_turns, tasks, options.processes))]
    if options.what == "follow":
        return [follow_table(count, seed, options.processes)]
    if options.what == "together":
        views = [view for view in VIEWS for _ in range(count)]
        tasks = [(view, seed, at % count, options.renderer) for at, view in enumerate(views)]
        return [together_table(views, in_processes(read_pair, tasks, options.processes))]
    rows = [
        orders_row("simulated", simulated, None, count),
        orders_row("packed", packed, None, count),
        orders_row("packed, any start", packed, [None], count),
        orders_row("overhung, any start", overhung, [None], count),
    ]
    return [[("sheets", "count", "most blocks", "legal", "ms", "99 %", "worst"), *rows]]


if __name__ == "__main__":
    main(parser(), measure)
