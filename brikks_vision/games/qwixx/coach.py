"""What to cross for a throw: every choice is played on many times, by players who pass over little.

The others' sheets are not known: they are taken to be as far as this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.errors import RollMissing, RulesForbid
from brikks_vision.games.qwixx import DICE
from brikks_vision.infer.advice import Choice, Choices, Floats, played, ranked
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.rules.qwixx.sheet import (
    BEFORE_LAST,
    CROSSED,
    FAILED_POINTS,
    LAST,
    MAX_FAILED,
    ROWS,
    SheetState,
    number_at,
    phrase,
    row_words,
)
from brikks_vision.rules.qwixx.table import CLOSED_AT_END
from brikks_vision.rules.qwixx.turn import Cross, Throw, after, choices
from brikks_vision.text.phrases import Phrase, all_of

GAMES, SEED = 3000, 7
PLAYERS = 3
PASSED_WHITE, PASSED_COLOR, PASSED_ELSE = 0, 1, 4
"""Numbers that a player passes over at most, of the white dice, of a coloured one, and rather than
fail. Of 36 choices, each tried on 600 games (seed 3), these reach most points."""
MAX_TURNS = 120

Array = NDArray[np.int64]


def thrown(said: TurnSaid) -> Throw:
    """The dice that are said: "dice", then a figure each, the white ones first; 0: none.

    Raises RollMissing, and RulesForbid where they are not six dice.
    """
    if said.roll is None:
        raise RollMissing
    figures = [int(each) for each in str(said.roll[1])]
    if len(figures) != len(DICE) or max(figures) > 6 or min(figures[:2]) < 1:
        raise RulesForbid(phrase("throw-unclear"))
    one, other, red, yellow, green, blue = figures
    return Throw((one, other), (red, yellow, green, blue))


def advise(before: SheetState, said: TurnSaid, now: SheetState | None = None) -> Choices:
    """What may be crossed, best first; who throws says all dice, whoever else the white ones.

    Raises RulesForbid where the game of that sheet is over, and as `thrown`.
    """
    throw = thrown(said)
    if before.failed >= MAX_FAILED or before.locks.count(CROSSED) >= CLOSED_AT_END:
        raise RulesForbid(phrase("throw-over"))
    is_active = any(throw.colored)
    if not is_active:
        throw = Throw(throw.white, (1, 1, 1, 1))
    options = list({after(before, each, is_active): each
                    for each in choices(before, throw, is_active)}.items())  # fmt: skip
    closed = [not throw.colored[row] or before.locks[row] == CROSSED for row in range(ROWS)]
    dice = iter(range(MAX_TURNS))

    def outcomes(left: list[int], count: int) -> list[Floats]:
        rng = np.random.default_rng([SEED, next(dice)])
        return played_on([options[at][0] for at in left], before, closed, count, rng)

    found, mine = [], []
    for each in ranked(played(len(options), GAMES, outcomes)):
        crosses = options[each.number][1]
        ahead = dict(zip(("row", "failed"), each.ahead, strict=True))
        where = " + ".join(f"row {row},{column}" for row, column in crosses)
        told = _told(crosses, is_active)
        found.append(Choice(told, (), 0, False, each.value, ahead, each.error, where=where))
        mine += found[-1:] if options[each.number][0] == now else []
    return Choices(tuple(found), *mine[:1])


def _told(crosses: Sequence[Cross], is_active: bool) -> Phrase:
    if not crosses:
        return phrase("advice-failed" if is_active else "advice-nothing")
    places = [phrase("number", row=row_words(row), number=number_at(row, column))
              for row, column in crosses]  # fmt: skip
    return phrase("advice-cross", places=all_of(places))


def played_on(
    states: Sequence[SheetState], others: SheetState, closed: Sequence[bool], count: int,
    rng: np.random.Generator,
) -> list[Floats]:  # fmt: skip
    """Final points of each state, (2, count): of rows and of failed throws; all by the same dice.

    others: what the others' sheets are taken for. closed: rows whose die is gone.
    """
    table = Table(states, others, closed, count)
    for turn in range(MAX_TURNS):
        if table.over.all():
            break
        dice = np.tile(rng.integers(1, 7, (count, 6)), (len(states), 1))
        table.take(dice, (turn + 1) % PLAYERS)
    points = table.points().reshape(2, len(states), count)
    return [np.asarray(points[:, at], np.float32) for at in range(len(states))]


class Table:
    """Many games at once. last, crosses: (games, players, rows), the last crossed column, or -1,
    and how many crosses; failed: (games, players); closed: (games, rows); over: (games,)."""

    def __init__(
        self, states: Sequence[SheetState], others: SheetState, closed: Sequence[bool], count: int
    ) -> None:
        sheets = [[each, *[others] * (PLAYERS - 1)] for each in states]

        def of_all(value: Any) -> Array:
            return np.repeat(np.array([[value(each) for each in row] for row in sheets]), count, 0)

        self.last = of_all(lambda sheet: [row.rfind(CROSSED) for row in sheet.rows])
        self.crosses = of_all(lambda sheet: [
            (row + lock).count(CROSSED) for row, lock in zip(sheet.rows, sheet.locks, strict=True)
        ])  # fmt: skip
        self.failed = of_all(lambda sheet: sheet.failed)
        self.closed = (self.last == LAST).any(axis=1) | np.array(closed)
        self.over = self._ended()

    def _ended(self) -> NDArray[np.bool_]:
        is_closed = self.closed.sum(axis=1) >= CLOSED_AT_END
        return np.asarray(is_closed | (self.failed.max(axis=1) >= MAX_FAILED), np.bool_)

    def take(self, dice: Array, active: int) -> None:
        """One throw, (games, 6): the white dice, then those of the rows."""
        white = dice[:, :1] + dice[:, 1:2]
        columns = np.hstack([white - 2, white - 2, 12 - white, 12 - white])
        all_players = np.arange(PLAYERS)
        most = np.where(all_players == active, PASSED_COLOR, PASSED_WHITE)
        none = ~self._cross(columns[:, None], all_players, most)[:, active]
        self.closed |= (self.last == LAST).any(axis=1)
        both = dice[:, :2, None] + dice[:, None, 2:]  # games, white die, row
        columns = np.concatenate([both[..., :2] - 2, 12 - both[..., 2:]], axis=-1)
        most = np.where(none, PASSED_ELSE, PASSED_COLOR)[:, None]
        done = self._cross(columns, np.array([active]), most)[:, 0]
        self.failed[:, active] += none & ~done & ~self.over
        self.closed |= (self.last == LAST).any(axis=1)
        self.over |= self._ended()

    def _cross(self, columns: Array, players: Array, most: Array) -> NDArray[np.bool_]:
        """Cross what passes over least, for each player; (games, players): whether any was."""
        last, crosses = (each[:, players, None] for each in (self.last, self.crosses))
        over = columns[:, None] - last - 1  # games, players, ways, rows
        ready = (columns[:, None] < LAST) | (crosses >= BEFORE_LAST)
        may = (over >= 0) & ready & ~self.closed[:, None, None]
        cost = np.where(may, over, LAST + 1).reshape(*over.shape[:2], -1)
        best = cost.argmin(axis=-1)
        chosen = np.take_along_axis(cost, best[..., None], -1)[..., 0] <= most
        chosen &= ~self.over[:, None]
        game, at = np.nonzero(chosen)
        way, row = np.divmod(best[game, at], ROWS)
        column = columns[game, way, row]
        self.last[game, players[at], row] = column
        self.crosses[game, players[at], row] += 1 + (column == LAST)
        return np.asarray(chosen, np.bool_)

    def points(self) -> NDArray[np.float64]:
        """Of the first player: (2, games), of rows and of failed throws."""
        crosses = self.crosses[:, 0]
        rows = (crosses * (crosses + 1) // 2).sum(axis=-1)
        return np.stack([rows, FAILED_POINTS * self.failed[:, 0]]).astype(np.float64)
