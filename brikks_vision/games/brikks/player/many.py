"""Many games of Brikks at once, as arrays with one column a game.

A row of a grid is a number whose bit ``column`` is set where a cell is taken. The tables here are
made by the functions of `brikks_vision.rules.brikks`; tests compare what follows with the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from brikks_vision.rules.brikks.blocks import (
    START_COLUMN,
    SheetState,
    activated,
    available,
    circle_effect,
    crosses_for_rows,
    kinds,
    max_crosses,
)
from brikks_vision.rules.brikks.scoring import Roll, options
from brikks_vision.rules.brikks.sheet import LEVELS, Sheet

Ints = npt.NDArray[np.integer]
Bits = npt.NDArray[np.uint16]
Bools = npt.NDArray[np.bool_]

NEVER = 100
"""What a block costs that a roll does not give at any cost."""


@dataclass(frozen=True)
class Games:
    """N games of one player each.

    grid: (rows, N), bits of the cells that are taken, top row first. energy: (N,), points activated
    and not used. activated: (N,), points activated in all. crosses: (N,), on the extra-points bar.
    bombs: (N,), bombs used.
    """

    grid: Bits
    energy: Ints
    activated: Ints
    crosses: Ints
    bombs: Ints

    def __len__(self) -> int:
        return int(self.grid.shape[1])

    def at(self, index: Ints | Bools) -> Games:
        """Some of the games, or some of them several times."""
        return Games(
            self.grid[:, index],
            self.energy[index],
            self.activated[index],
            self.crosses[index],
            self.bombs[index],
        )


@dataclass(frozen=True, eq=False)
class Tables:
    """What the print of a sheet means for many games at once. K kinds of blocks, P places.

    full: the bits of a whole row. spread: ``spread[free << columns | seed]``, the bits of ``free``
    that are joined to ``seed`` within a row. rolls: all rolls. costs: (rolls, K), what a kind costs
    for a roll, or `NEVER`. place: (K, rows, columns), the place of a kind with its top left there,
    or -1. cells: (rows, P). effects: by level, (S, P), what the circles below a place give or take,
    in the order in which they count. counts: (2 ** columns,), bits that are set. points: (rows,
    2 ** columns), points of a row. pinks: (points + 1,), pink X's among so many activated points.
    together: (5,), crosses for rows finished with one block. bonus: value by crosses. bombs: points
    by bombs used. starts: kinds that can be start blocks.
    """

    sheet: Sheet
    full: int
    spread: Bits
    rolls: tuple[Roll, ...]
    costs: Ints
    place: Ints
    cells: Bits
    effects: dict[int, Ints]
    counts: Ints
    points: Ints
    pinks: Ints
    together: Ints
    bonus: Ints
    bombs: Ints
    starts: Ints


@cache
def tables_of(sheet: Sheet) -> Tables:
    """The tables of a sheet."""
    rows, columns = sheet.rows, sheet.columns
    every = np.arange(1 << columns)
    counts = sum((every >> column & 1 for column in range(columns)), np.zeros_like(every))
    rolls = tuple(
        Roll(color, column)
        for color, shapes in sheet.blocks.items()
        for column in range(START_COLUMN, START_COLUMN + len(shapes))
    )
    known = kinds(sheet)
    costs = np.full((len(rolls), len(known)), NEVER, np.int16)
    for index, roll in enumerate(rolls):
        for option in options(roll, sheet, NEVER):
            costs[index, known.index(option.kind)] = option.cost
    place = np.full((len(known), rows, columns), -1, np.int16)
    cells: list[list[int]] = []
    covered: list[list[bool]] = []
    for number, kind in enumerate(known):
        for top in range(rows - max(row for row, _ in kind.shape)):
            for left in range(columns - max(column for _, column in kind.shape)):
                place[number, top, left] = len(cells)
                lines = [0] * rows
                for row, column in kind.shape:
                    lines[top + row] |= 1 << (left + column)
                cells.append(lines)
                covered.append(
                    [
                        circle.color == kind.color
                        for circle in sheet.circles
                        if lines[circle.cell[0]] >> circle.cell[1] & 1
                    ]
                )
    slots = max(map(len, covered))
    factors = np.array(sheet.row_factors)[:, None]
    worth = np.array([sheet.row_points.get(count, 0) for count in range(columns + 1)])
    return Tables(
        sheet=sheet,
        full=(1 << columns) - 1,
        spread=_spread(columns),
        rolls=rolls,
        costs=costs,
        place=place,
        cells=np.array(cells, np.uint16).T.copy(),
        effects={
            level: np.array(
                [
                    [circle_effect(level, same) for same in each] + [0] * (slots - len(each))
                    for each in covered
                ],
                np.int16,
            ).T.copy()
            for level in LEVELS
        },
        counts=counts.astype(np.uint8),
        points=(factors * worth[counts]).astype(np.int16),
        pinks=np.array(
            [
                sum(point < count for point in sheet.pink_points)
                for count in range(sheet.energy_points + 1)
            ],
            np.int16,
        ),
        together=np.array([crosses_for_rows(count) for count in range(5)], np.int16),
        bonus=np.array(sheet.bonus_values, np.int16),
        bombs=np.array(
            [sum(sheet.bomb_points[used:]) for used in range(len(sheet.bomb_points) + 1)], np.int16
        ),
        starts=np.array([k for k, kind in enumerate(known) if START_COLUMN in kind.columns]),
    )


def _spread(columns: int) -> Bits:
    free, seed = np.indices((1 << columns, 1 << columns), np.uint16)
    reached = free & seed
    for _ in range(columns - 1):
        reached |= (reached << 1 | reached >> 1) & free
    return reached.ravel()


def games_of(states: Sequence[SheetState]) -> Games:
    """Sheets as games; all of the same print."""
    sheet = states[0].sheet
    grid = np.zeros((sheet.rows, len(states)), np.uint16)
    for number, state in enumerate(states):
        for row, column in state.crossed:
            grid[row, number] |= 1 << column
    most = max_crosses(sheet)
    return Games(
        grid,
        np.array([available(state) for state in states], np.int16),
        np.array([activated(state) for state in states], np.int16),
        np.array([min(sum(state.bonus), most) for state in states], np.int16),
        np.array([sum(state.bombs) for state in states], np.int16),
    )


def joined(parts: Sequence[Games]) -> Games:
    """The games of all parts, one after the other."""
    return Games(
        np.concatenate([each.grid for each in parts], axis=1),
        *(
            np.concatenate([getattr(each, bar) for each in parts])
            for bar in ("energy", "activated", "crosses", "bombs")
        ),
    )


@dataclass(frozen=True)
class Landings:
    """Where blocks can come to rest, C in all, ordered by game.

    game, place, cost: (C,). cost: energy points.
    """

    game: Ints
    place: Ints
    cost: Ints

    def __len__(self) -> int:
        return len(self.game)


def landings(tables: Tables, grid: Bits, costs: Ints, energy: Ints) -> Landings:
    """Every place for every kind that a player can pay for, as `landing_corners` finds them.

    grid: (rows, N). costs: (N, K), of the kinds. energy: (N,).
    """
    rows, columns = tables.sheet.rows, tables.sheet.columns
    known = kinds(tables.sheet)
    air = max(row for kind in known for row, _ in kind.shape) + 1  # rows above the grid
    above = np.zeros((air + rows, grid.shape[1]), np.uint16)
    above[air:] = grid
    chosen = [np.flatnonzero(payable) for payable in (costs <= energy[:, None]).T]
    game = np.concatenate(chosen)
    of_kind = np.repeat(np.arange(len(known)), [len(each) for each in chosen])
    free = np.zeros((air + rows + 1, len(game)), np.uint16)
    done = 0
    for kind, players in zip(known, chosen, strict=True):
        height, width = (max(sides) + 1 for sides in zip(*kind.shape, strict=True))
        tops = air + rows - height + 1
        lines = above[:, players]
        hit = np.zeros((tops, len(players)), np.uint16)
        for row, column in kind.shape:
            hit |= lines[row : row + tops] >> np.uint16(column)
        inside = np.uint16((1 << (columns - width + 1)) - 1)
        free[:tops, done : done + len(players)] = ~hit & inside
        done += len(players)
    reached = free[0]
    resting = np.empty((rows, len(game)), np.uint16)
    for step in range(1, air + rows):
        line = free[step]
        reached = tables.spread[line.astype(np.int32) << columns | (reached & line)]
        if step >= air:
            resting[step - air] = reached & ~free[step + 1]
    top, pair = np.nonzero(resting)
    at, left = np.nonzero(resting[top, pair][:, None] >> np.arange(columns, dtype=np.uint16) & 1)
    top, pair = top[at], pair[at]
    order = np.argsort(game[pair], kind="stable")
    top, pair, left = top[order], pair[order], left[order]
    owner, which = game[pair], of_kind[pair]
    return Landings(owner, tables.place[which, top, left], costs[owner, which])


def entered(
    tables: Tables, games: Games, place: Ints, cost: Ints, level: int, circles: bool = True
) -> Games:
    """The games after each entered a block; without checking that it may lie there.

    place, cost: (N,). circles: whether those below the block count.
    """
    cells = tables.cells[:, place]
    grid = games.grid | cells
    energy, ringed = games.energy - cost, games.activated
    if circles:
        most = tables.sheet.energy_points
        for effect in tables.effects[level][:, place]:
            gain = np.minimum(np.maximum(effect, 0), most - ringed)
            energy = np.maximum(energy + np.minimum(effect, 0), 0) + gain
            ringed = ringed + gain
    finished = np.sum((grid == tables.full) & (cells != 0), axis=0)
    crosses = games.crosses + tables.pinks[ringed] - tables.pinks[games.activated]
    crosses = np.minimum(crosses + tables.together[finished], len(tables.bonus) - 1)
    return Games(grid, energy, ringed, crosses, games.bombs)


def bombed(games: Games) -> Games:
    """The games after each used the next bomb."""
    return replace(games, bombs=games.bombs + 1)


@dataclass(frozen=True)
class Points:
    """Points of N games by part, each (N,)."""

    rows: Ints
    bonus: Ints
    energy: Ints
    bombs: Ints

    @property
    def total(self) -> Ints:
        return self.rows + self.bonus + self.energy + self.bombs


def score(tables: Tables, games: Games) -> Points:
    """The points of every game as it stands."""
    lines = np.arange(len(games.grid))[:, None]
    return Points(
        tables.points[lines, games.grid].sum(axis=0),
        tables.bonus[games.crosses],
        games.energy // tables.sheet.points_per_score,
        tables.bombs[games.bombs],
    )
