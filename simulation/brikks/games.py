"""Whole legal games: sheets of every kind, from a game just begun to a full grid."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from brikks_vision.rules.brikks import blocks
from brikks_vision.rules.brikks.scoring import Option, Roll, options, share_an_edge
from brikks_vision.rules.brikks.sheet import Sheet, Variant
from simulation.brikks import engine


@dataclass(frozen=True)
class PlayedSheet:
    """A sheet and the game behind it. order: the blocks in the order entered, start block first."""

    state: blocks.SheetState
    order: tuple[blocks.Block, ...]
    players: int
    level: int
    variant: str


@dataclass(frozen=True)
class PlayedTable:
    """The sheets of one game, and the rolls that all of its players had."""

    sheets: tuple[PlayedSheet, ...]
    rolls: tuple[Roll, ...]


@dataclass(frozen=True)
class _Taste:
    """How a player weighs a place. Higher values of a landing are better."""

    depth: float
    hole: float
    contact: float
    circle: float
    row: float
    cost: float
    sloppiness: float
    bomb_below: float
    swaps: float
    luck: int


def _taste(rng: random.Random) -> _Taste:
    """A player between careful and careless, now and then with lucky dice."""
    care = rng.betavariate(1.6, 1.0)
    return _Taste(
        depth=rng.uniform(0.6, 1.2) * (0.3 + 0.7 * care),
        hole=rng.uniform(2.0, 5.0) * (0.15 + 0.85 * care),
        contact=rng.uniform(0.3, 0.8),
        circle=rng.uniform(0.5, 1.6),
        row=rng.uniform(0.3, 2.5),
        cost=rng.uniform(0.4, 1.4),
        sloppiness=0.2 + 14.0 * (1.0 - care) ** 2,
        bomb_below=rng.uniform(-30.0, -12.0),
        swaps=rng.uniform(0.0, 0.3),
        luck=rng.choices((1, 2, 6), (70, 20, 10))[0],
    )


def _worth(
    board: blocks.Board, cells: blocks.Block, color: str, level: int, sheet: Sheet, taste: _Taste
) -> float:
    """How much a player likes a landing."""
    columns, rows, bits = board.columns, board.rows, board.bits
    holes = contact = depth = 0
    for row, column in cells:
        depth += row
        below = row + 1
        if (below, column) not in cells:
            if below == rows or bits >> (below * columns + column) & 1:
                contact += 1
            while below < rows and not bits >> (below * columns + column) & 1:
                holes += 1
                below += 1
        for side in (column - 1, column + 1):
            if (row, side) not in cells and (
                side < 0 or side == columns or bits >> (row * columns + side) & 1
            ):
                contact += 1
    effects = sum(
        blocks.circle_effect(level, circle.color == color)
        for circle in sheet.circles
        if circle.cell in cells
    )
    finished = len(board.with_cells(cells).full_rows()) - len(board.full_rows())
    return (
        taste.depth * depth
        - taste.hole * holes
        + taste.contact * contact
        + taste.circle * effects
        + taste.row * finished**2
    )


@dataclass(frozen=True)
class _Choice:
    worth: float
    option: Option
    cells: blocks.Block


def _best(
    state: blocks.SheetState,
    sheet: Sheet,
    allowed: tuple[Option, ...],
    level: int,
    taste: _Taste,
    rng: random.Random,
) -> _Choice | None:
    board = blocks.board_of(state)
    best: _Choice | None = None
    for option in allowed:
        for cells in engine.landings(board, option.kind.shape):
            worth = (
                _worth(board, cells, option.kind.color, level, sheet, taste)
                - taste.cost * option.cost
                + rng.gauss(0.0, taste.sloppiness)
            )
            if best is None or worth > best.worth:
                best = _Choice(worth, option, cells)
    return best


def drop_minis(
    state: blocks.SheetState, count: int, level: int, rng: random.Random
) -> tuple[blocks.SheetState, list[blocks.Block]]:
    """The sheet with the mini-blocks of an opponent of a duel, as many as have a place."""
    added: list[blocks.Block] = []
    for _ in range(count):
        places = [
            cells
            for cells in engine.landings(blocks.board_of(state), blocks.MINI_SHAPE)
            if not any(share_an_edge(cells, other) for other in added)
        ]
        if not places:
            break
        cells = rng.choice(places)
        state = engine.enter_block(state, cells, None, level, Variant.DUEL).state
        added.append(cells)
    return state, added


def _rounds_before_stop(rng: random.Random) -> int:
    """Most games are played to their end; some sheets are photographed in between."""
    if rng.random() < 0.06:
        return rng.randint(0, 5)
    if rng.random() < 0.08:
        return rng.randint(6, 20)
    return 1000


def _start(
    sheet: Sheet, players: int, level: int, variant: Variant, rng: random.Random
) -> tuple[blocks.SheetState, blocks.Block]:
    blank = replace(blocks.blank_sheet(sheet), energy=engine.setup_energy(sheet, players))
    kind: blocks.Kind = rng.choice(
        [k for k in blocks.kinds(sheet) if blocks.START_COLUMN in k.columns]
    )
    board = blocks.board_of(blank)
    cells = rng.choice(engine.landings(board, kind.shape))
    color = rng.choice((kind.color, None))  # the rules leave open whether its circles count
    return engine.enter_block(blank, cells, color, level, variant).state, cells


def play_sheet(
    sheet: Sheet,
    rng: random.Random,
    players: int,
    level: int,
    variant: str = "standard",
) -> PlayedSheet:
    """One player's sheet of a legal game, played with a random taste and some sloppiness.

    players: 1-4 (1 only in the solo variant, which has no re-roll). level: 1-4. Points struck at
    setup are ``Energy.OFF``.
    """
    game = Variant(variant)
    taste = _taste(rng)
    state, start = _start(sheet, players, level, game, rng)
    order = [start]
    for _ in range(_rounds_before_stop(rng)):
        choice = _luckiest(state, sheet, level, taste, rng)
        bombs_left = not all(state.bombs)
        if choice is None or (bombs_left and choice.worth < taste.bomb_below):
            if not bombs_left or (choice is None and rng.random() < 0.15):
                break
            state = engine.with_next_bomb(state)
        else:
            state = engine.enter_block(
                engine.cross_out(state, choice.option.cost),
                choice.cells,
                choice.option.kind.color,
                level,
                game,
            ).state
            order.append(choice.cells)
        if game is Variant.DUEL:
            count = rng.choices((0, 1, 2), (14, 3, 1))[0]
            state, minis = drop_minis(state, count, level, rng)
            order += minis
    return PlayedSheet(state, tuple(order), players, level, variant)


def _luckiest(
    state: blocks.SheetState, sheet: Sheet, level: int, taste: _Taste, rng: random.Random
) -> _Choice | None:
    """The best choice among as many rolls as the player has luck; dice leave no trace."""
    colors = list(sheet.blocks)
    rolls = [_roll(sheet, colors, rng) for _ in range(taste.luck)]
    choices = [_choose(state, sheet, roll, level, taste, rng) for roll in rolls]
    return max((c for c in choices if c is not None), key=lambda c: c.worth, default=None)


def _roll(sheet: Sheet, colors: list[str], rng: random.Random) -> Roll:
    color = rng.choice(colors)
    return Roll(color, rng.randint(blocks.START_COLUMN, len(sheet.blocks[color])))


def _choose(
    state: blocks.SheetState,
    sheet: Sheet,
    roll: Roll,
    level: int,
    taste: _Taste,
    rng: random.Random,
) -> _Choice | None:
    """The preferred landing of the blocks that the roll allows; None where none is left."""
    allowed = options(roll, sheet, blocks.available(state))
    cheap = tuple(option for option in allowed if option.kind.color == roll.color)
    if rng.random() < taste.swaps:
        return _best(state, sheet, allowed, level, taste, rng)
    return _best(state, sheet, cheap, level, taste, rng) or _best(
        state, sheet, allowed, level, taste, rng
    )


def play_table(
    sheet: Sheet,
    rng: random.Random,
    levels: tuple[int, ...],
    variant: str = "standard",
) -> PlayedTable:
    """One game with a player for each of the levels, to its end.

    A player alone plays solo. Players choose as in ``play_sheet``, without lucky dice.
    """
    game = Variant(variant) if len(levels) > 1 else Variant.SOLO
    blank = replace(blocks.blank_sheet(sheet), energy=engine.setup_energy(sheet, len(levels)))
    tastes, colors, rolls = [_taste(rng) for _ in levels], list(sheet.blocks), list[Roll]()
    states, orders = [], list[list[blocks.Block]]()
    for level, color in zip(levels, rng.sample(colors, len(levels)), strict=True):
        cells = rng.choice(
            engine.landings(
                blocks.board_of(blank), engine.block_at(sheet, color, blocks.START_COLUMN)
            )
        )
        states.append(engine.enter_block(blank, cells, None, level, game).state)
        orders.append([cells])
    playing = set(range(len(levels)))
    while playing:
        rolls.append(_roll(sheet, colors, rng))
        earned = [0] * len(levels)
        for at in sorted(playing):
            state, level, taste = states[at], levels[at], tastes[at]
            choice = _choose(state, sheet, rolls[-1], level, taste, rng)
            bombs_left = not all(state.bombs)
            if choice is None and not (bombs_left and rng.random() < 0.85):
                playing.remove(at)
            elif choice is None or (bombs_left and choice.worth < taste.bomb_below):
                states[at] = engine.with_next_bomb(state)
            else:
                color, paid = choice.option.kind.color, engine.cross_out(state, choice.option.cost)
                entered = engine.enter_block(paid, choice.cells, color, level, game)
                states[at], earned[at] = entered.state, entered.crosses
                orders[at].append(choice.cells)
        for at in playing if game is Variant.DUEL else ():
            states[at], minis = drop_minis(states[at], earned[1 - at], levels[at], rng)
            orders[at] += minis
    sheets = tuple(
        PlayedSheet(state, tuple(order), len(levels), level, str(game))
        for state, order, level in zip(states, orders, levels, strict=True)
    )
    return PlayedTable(sheets, tuple(rolls))
