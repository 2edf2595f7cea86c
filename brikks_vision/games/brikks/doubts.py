"""What a reading asks about: marks that may be misread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.answers import cell_name
from brikks_vision.decode.judging import OtherMark
from brikks_vision.decode.misread import Change, blocks_otherwise
from brikks_vision.decode.prices import MIN_OPEN_STATE
from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks.keys import BOMBS, BOXES, CELLS, RINGS, STRIKES
from brikks_vision.games.brikks.places import marks as marks_of
from brikks_vision.games.brikks.posterior import Posterior
from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.referee import Verdict
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.state import SheetState, Written, with_point_flipped
from brikks_vision.rules.brikks.violations import BAR_RULES, Rule, Violation
from brikks_vision.rules.shapes import bottom_up


def margins(marks: Marks) -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.generic]]]:
    """By field, how clear each mark is by its own evidence, in log-odds, and whether it is there.

    Of energy points, whether they are activated: rings and strikes are rarely taken for each other.
    """
    logits = {key[0]: marks[key] for key in (CELLS, BOXES, BOMBS)}
    logits["energy"] = np.maximum(marks[RINGS], marks[STRIKES])
    return (
        {field: np.abs(of) for field, of in logits.items()},
        {field: of > 0 for field, of in logits.items()},
    )


def summed(violation: Violation, state: SheetState, written: Written) -> tuple[Iterable[str], int]:
    """The places that a wrong figure sums, and the total if it is right."""
    points = score(state)
    if violation.rule is Rule.WRITTEN_TOTAL:
        return marks_of(state), written.total or 0
    (row,) = (at for at in violation.where if isinstance(at, int))
    places = (cell_name((row, column)) for column in range(state.sheet.columns))
    return places, points.total + (written.rows[row] or 0) - points.rows[row]


def broken_bars(verdict: Verdict) -> tuple[Violation, ...]:
    """The violations of rules of the bars."""
    return tuple(violation for violation in verdict.violations if violation.rule in BAR_RULES)


def changes(state: SheetState, cells: Iterable[Cell]) -> Iterator[Change[SheetState]]:
    """The sheet with one of these cells, or one place of the bars, marked otherwise."""
    yield from _cells_changed(state, cells)
    yield from _bars_changed(state)


def _cells_changed(state: SheetState, cells: Iterable[Cell]) -> Iterator[Change[SheetState]]:
    grid = {*state.sheet.cells}
    for cell in (each for each in cells if each in grid):
        for blocks in blocks_otherwise(cell, state.crossed, state.blocks):
            otherwise = replace(state, crossed=state.crossed ^ {cell}, blocks=bottom_up(blocks))
            yield Change(cell_name(cell), otherwise)


def _bars_changed(state: SheetState) -> Iterator[Change[SheetState]]:
    for point in range(len(state.energy)):
        if point not in state.sheet.preprinted:
            yield Change(f"energy {point}", with_point_flipped(state, point))
    for field, name, marks in (("box", "bonus", state.bonus), ("bomb", "bombs", state.bombs)):
        for at, is_marked in enumerate(marks):
            otherwise: Any = {name: (*marks[:at], not is_marked, *marks[at + 1 :])}
            yield Change(f"{field} {at}", replace(state, **otherwise))


def other_marks(posterior: Posterior) -> Iterator[OtherMark]:
    """One mark for each other state of each part of the sheet that is probable enough to doubt.

    Of states that differ in one place each names another of theirs.
    """
    now, named = _fewest_first(posterior.state), dict[str, int]()
    states = sorted(chain.from_iterable(posterior.other_states()), key=lambda entry: -entry[0])
    for probability, other in states:
        if probability < MIN_OPEN_STATE:
            break
        then, total = _fewest_first(other), score(other).total
        places = [where for where in now if now[where] != then[where]]
        free = [where for where in places if where not in named]
        if free and total not in {named.get(where) for where in places}:
            named[free[0]] = total
            yield OtherMark(free[0], now[free[0]], probability, total, other)


def _fewest_first(state: SheetState) -> dict[str, str]:
    """The marks by place, those of points of energy last: many of them are misread together."""
    return dict(sorted(marks_of(state).items(), key=lambda entry: entry[0].startswith("energy")))
