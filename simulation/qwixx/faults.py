"""Sheets on which one thing was done wrong, made of games that break no rule."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from brikks_vision.rules.qwixx import sheet
from simulation.qwixx.games import PlayedSheet, play

ONE_SHEET = (
    sheet.Rule.EARLY_LAST,
    sheet.Rule.LOCK,
    sheet.Rule.WRITTEN_ROW,
    sheet.Rule.WRITTEN_FAILED,
    sheet.Rule.WRITTEN_TOTAL,
)
"""The rules that one sheet alone can break."""


def _with_row(state: sheet.SheetState, row: int, marks: str, lock: str) -> sheet.SheetState:
    rows = (*state.rows[:row], marks, *state.rows[row + 1 :])
    return replace(state, rows=rows, locks=state.locks[:row] + lock + state.locks[row + 1 :])


def _early(state: sheet.SheetState, dice: random.Random) -> sheet.SheetState:
    row = dice.randrange(sheet.ROWS)
    marks, before = list(state.rows[row]), dice.randrange(1, sheet.BEFORE_LAST)
    crossed = [at for at in range(sheet.LAST) if marks[at] == sheet.CROSSED]
    for at in dice.sample(crossed, max(0, len(crossed) - before)):
        marks[at] = sheet.OPEN
    return _with_row(state, row, "".join(marks[: sheet.LAST]) + sheet.CROSSED, sheet.CROSSED)


def _lock(state: sheet.SheetState, dice: random.Random) -> sheet.SheetState:
    row = max(
        range(sheet.ROWS), key=lambda each: state.rows[each].count(sheet.CROSSED) + dice.random()
    )
    marks = state.rows[row][: sheet.LAST]
    closed = dice.random() < 0.5 and marks.count(sheet.CROSSED) >= sheet.BEFORE_LAST
    return _with_row(
        state,
        row,
        marks + (sheet.CROSSED if closed else sheet.OPEN),
        sheet.OPEN if closed else sheet.CROSSED,
    )


def _written(rule: sheet.Rule, state: sheet.SheetState, dice: random.Random) -> sheet.Written:
    """The right figures but for one; the total adds up what is written."""
    points = sheet.score(state)
    rows, failed, total = list(points.rows), -points.failed, points.total
    slip = dice.choice((-3, -1, 1, 2, 5, 10))
    if rule is sheet.Rule.WRITTEN_ROW:
        row = max(range(sheet.ROWS), key=lambda each: rows[each] * dice.random())
        rows[row], slip = max(0, rows[row] + slip), max(-rows[row], slip)
        total += slip
    elif rule is sheet.Rule.WRITTEN_FAILED:
        slip = 5 if failed == 0 else dice.choice((-5, 5))
        failed, total = failed + slip, total - slip
    elif rule is sheet.Rule.WRITTEN_TOTAL:
        total += slip
    return sheet.Written(tuple(rows), failed, total)


STATES: dict[sheet.Rule, Callable[[sheet.SheetState, random.Random], sheet.SheetState]] = {
    sheet.Rule.EARLY_LAST: _early,
    sheet.Rule.LOCK: _lock,
}


def one_fault(rule: sheet.Rule, dice: random.Random) -> PlayedSheet:
    """A game's last sheet that breaks this rule; a wrong row or fail makes a wrong total, too."""
    while True:
        state = dice.choice(play(dice, dice.randint(2, 5)))
        if rule in STATES:
            state = STATES[rule](state, dice)
        is_summed = rule not in STATES or dice.random() < 0.6
        played = PlayedSheet(state, _written(rule, state, dice) if is_summed else sheet.Written())
        if rule in broken_rules(played):
            return played


def broken_rules(played: PlayedSheet) -> frozenset[str]:
    """The codes of the rules that the sheet breaks."""
    return frozenset(
        str(each.rule) for each in sheet.referee(played.state, played.written).violations
    )
