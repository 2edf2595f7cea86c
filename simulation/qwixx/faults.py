"""Sheets on which one thing was done wrong, made of games that break no rule."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from brikks_vision.rules.qwixx.sheet import (
    BEFORE_LAST,
    CROSSED,
    LAST,
    OPEN,
    ROWS,
    Rule,
    SheetState,
    Written,
    referee,
    score,
)
from simulation.qwixx.games import PlayedSheet, play

ONE_SHEET = (
    Rule.EARLY_LAST,
    Rule.LOCK,
    Rule.WRITTEN_ROW,
    Rule.WRITTEN_FAILED,
    Rule.WRITTEN_TOTAL,
)
"""The rules that one sheet alone can break."""


def _with_row(state: SheetState, row: int, marks: str, lock: str) -> SheetState:
    rows = (*state.rows[:row], marks, *state.rows[row + 1 :])
    return replace(state, rows=rows, locks=state.locks[:row] + lock + state.locks[row + 1 :])


def _early(state: SheetState, dice: random.Random) -> SheetState:
    row = dice.randrange(ROWS)
    marks, before = list(state.rows[row]), dice.randrange(1, BEFORE_LAST)
    crossed = [at for at in range(LAST) if marks[at] == CROSSED]
    for at in dice.sample(crossed, max(0, len(crossed) - before)):
        marks[at] = OPEN
    return _with_row(state, row, "".join(marks[:LAST]) + CROSSED, CROSSED)


def _lock(state: SheetState, dice: random.Random) -> SheetState:
    row = max(range(ROWS), key=lambda each: state.rows[each].count(CROSSED) + dice.random())
    marks = state.rows[row][:LAST]
    closed = dice.random() < 0.5 and marks.count(CROSSED) >= BEFORE_LAST
    return _with_row(state, row, marks + (CROSSED if closed else OPEN), OPEN if closed else CROSSED)


def _written(rule: Rule, state: SheetState, dice: random.Random) -> Written:
    """The right figures but for one; the total adds up what is written."""
    points = score(state)
    rows, failed, total = list(points.rows), -points.failed, points.total
    slip = dice.choice((-3, -1, 1, 2, 5, 10))
    if rule is Rule.WRITTEN_ROW:
        row = max(range(ROWS), key=lambda each: rows[each] * dice.random())
        rows[row], slip = max(0, rows[row] + slip), max(-rows[row], slip)
        total += slip
    elif rule is Rule.WRITTEN_FAILED:
        slip = 5 if failed == 0 else dice.choice((-5, 5))
        failed, total = failed + slip, total - slip
    elif rule is Rule.WRITTEN_TOTAL:
        total += slip
    return Written(tuple(rows), failed, total)


STATES: dict[Rule, Callable[[SheetState, random.Random], SheetState]] = {
    Rule.EARLY_LAST: _early,
    Rule.LOCK: _lock,
}


def one_fault(rule: Rule, dice: random.Random) -> PlayedSheet:
    """A game's last sheet that breaks this rule; a wrong row or fail makes a wrong total, too."""
    while True:
        state = dice.choice(play(dice, dice.randint(2, 5)))
        if rule in STATES:
            state = STATES[rule](state, dice)
        is_summed = rule not in STATES or dice.random() < 0.6
        played = PlayedSheet(state, _written(rule, state, dice) if is_summed else Written())
        if rule in broken_rules(played):
            return played


def broken_rules(played: PlayedSheet) -> frozenset[str]:
    """The codes of the rules that the sheet breaks."""
    return frozenset(str(each.rule) for each in referee(played.state, played.written).violations)
