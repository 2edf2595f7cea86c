"""Sheets on which one thing was done wrong, each beside the nearest sheet that is legal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from brikks_vision.rules.bloxx.referee import Rule, referee
from brikks_vision.rules.bloxx.sheet import (
    Cell,
    Sheet,
    circle_places,
    circles_by_form,
)
from brikks_vision.rules.bloxx.state import (
    BonusMark,
    Mark,
    Score,
    Shape,
    SheetState,
    Written,
    below,
    score,
)
from brikks_vision.rules.shapes import bottom_up, connected, neighbors
from simulation.bloxx.dice import dice_of
from simulation.bloxx.games import GameOf, PlayedSheet, play_sheet


@dataclass(frozen=True)
class Planted:
    """A sheet that breaks one rule, and the nearest one that breaks none."""

    rule: Rule
    broken: PlayedSheet
    legal: PlayedSheet


MAX_CANDIDATES = 40
"""So many ways to break a rule are tried on one sheet before another game is played."""


def broken_rules(played: PlayedSheet) -> list[str]:
    """The codes of the rules that the sheet proves broken, whatever game was played."""
    return [str(each.rule) for each in referee(played.state, played.written).violations]


def is_proof_of(played: PlayedSheet, rule: Rule) -> bool:
    """Whether the sheet proves just this rule broken, whatever lines may be missing on it."""
    violations = referee(played.state, played.written).violations
    return bool(violations) and all(
        each.rule is rule and each.confidence == 1.0 for each in violations
    )


def plant(rule: Rule, sheet: Sheet, rng: random.Random) -> Planted:
    """A fault of one sheet on a game at random.

    Raises
    ------
    KeyError
        Several sheets break this rule, or the sheet knows no dice and the rule needs them.
    """
    fault = (FAULTS if sheet.dice is not None else FAULTS_WITHOUT_DICE)[rule]
    while True:
        legal = play_sheet(sheet, rng)
        for number, broken in enumerate(fault(legal, rng)):
            if is_proof_of(broken, rule) and not broken_rules(legal):
                return Planted(rule, broken, legal)
            if number == MAX_CANDIDATES:
                break


def one_fault(rule: Rule) -> GameOf:
    """Games in which one thing was done wrong, such that the sheet proves this rule broken."""

    def game(sheet: Sheet, rng: random.Random) -> PlayedSheet:
        return plant(rule, sheet, rng).broken

    return game


Plant = Callable[[PlayedSheet, random.Random], Iterator[PlayedSheet]]


# --- help ----------------------------------------------------------------------------------------


def _shuffled(cells: Iterable[Cell], rng: random.Random) -> list[Cell]:
    listed = sorted(cells)
    return rng.sample(listed, len(listed))


def _with_state(played: PlayedSheet, state: SheetState) -> PlayedSheet:
    """The sheet otherwise marked, its figures as they were where they are right for it."""
    if score(state) != score(played.state):
        return replace(played, state=state, written=Written())
    return replace(played, state=state)


def with_shapes(state: SheetState, shapes: Iterable[Shape], circles: Iterable[Cell]) -> SheetState:
    """The sheet with these shapes, every empty cell under them coloured in.

    Bonuses of rows that are no longer complete are open again.
    """
    shapes = tuple(shapes)
    drawn = frozenset[Cell]().union(*shapes)
    marks = dict.fromkeys(state.sheet.cells, Mark.EMPTY)
    marks |= dict.fromkeys(below(drawn, state.sheet) - drawn, Mark.GAP)
    marks |= dict.fromkeys(drawn, Mark.CROSS)
    marks |= dict.fromkeys(drawn & frozenset(circles), Mark.CIRCLE)
    marked = replace(state.with_marks(marks), shapes=bottom_up(shapes))
    complete = marked.complete_rows()
    for colored, printed in enumerate(state.sheet.colored_rows):
        if printed.row in complete:
            continue
        for figure, mark in enumerate(state.bonuses[colored]):
            if mark is BonusMark.CIRCLED:
                marked = marked.with_bonus(colored, figure, BonusMark.OPEN)
    return marked


def _moved(shape: Shape, rows: int, columns: int) -> Shape:
    return frozenset((row + rows, column + columns) for row, column in shape)


def _covered(shape: Shape, state: SheetState) -> bool:
    """Whether something is drawn above the shape."""
    others = state.drawn - shape
    return bool(shape & below(others, state.sheet))


def _uncovered_shapes(state: SheetState, rng: random.Random) -> list[Shape]:
    free = [shape for shape in state.shapes if not _covered(shape, state)]
    return rng.sample(free, len(free))


# --- shapes --------------------------------------------------------------------------------------


def _add_a_cell_to_a_shape(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    for shape in _uncovered_shapes(state, rng):
        beside = {near for cell in shape for near in neighbors(cell)}
        for cell in _shuffled(filter(state.sheet.holds, beside - state.drawn - state.gaps), rng):
            larger = shape | {cell}
            shapes = [larger if each == shape else each for each in state.shapes]
            yield _with_state(played, with_shapes(state, shapes, state.circles))


def _outline_a_single_cell(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    for cell in _shuffled(_resting_places(state), rng):
        shapes = (*state.shapes, frozenset({cell}))
        yield _with_state(played, with_shapes(state, shapes, state.circles))


def _resting_places(state: SheetState) -> list[Cell]:
    """The lowest open cell of each column, where nothing is drawn in it."""
    closed = state.drawn | state.gaps
    places = []
    for column in range(state.sheet.columns):
        rows = [row for row in range(state.sheet.rows) if (row, column) in closed]
        row = min(rows, default=state.sheet.rows) - 1
        if row >= 0:
            places.append((row, column))
    return places


def _circle_a_second_cell(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    for shape in rng.sample(state.shapes, len(state.shapes)):
        if shape & state.circles:
            for cell in _shuffled(shape - state.circles, rng):
                yield _with_state(played, state.with_marks({cell: Mark.CIRCLE}))


def _circle_another_cell(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    for shape in rng.sample(state.shapes, len(state.shapes)):
        right = circle_places(state.sheet.dice or (), shape)
        for cell in _shuffled(shape - right, rng):
            marks = dict.fromkeys(shape, Mark.CROSS) | {cell: Mark.CIRCLE}
            yield _with_state(played, state.with_marks(marks))


# --- where shapes lie ----------------------------------------------------------------------------


def _without(state: SheetState, shape: Shape) -> list[Shape]:
    return [each for each in state.shapes if each != shape]


def _move_the_last_shape(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    """Into the air, or on the floor apart from the others."""
    state, sheet = played.state, played.state.sheet
    for shape in _uncovered_shapes(state, rng):
        steps = [
            (rows, columns)
            for rows in range(-sheet.rows, sheet.rows)
            for columns in range(-sheet.columns, sheet.columns)
        ]
        # the nearer the likelier, as players slip by a row rather than by six
        for rows, columns in sorted(
            steps, key=lambda step: abs(step[0]) + abs(step[1]) + rng.random()
        ):
            moved = _moved(shape, rows, columns)
            others = _without(state, shape)
            free = frozenset(sheet.cells) - frozenset().union(*others)
            beside = {near for cell in moved for near in neighbors(cell)}
            if moved <= free and beside <= free | moved | _outside(beside, sheet):
                circles = _circles_with(state, shape, rows, columns)
                yield _with_state(played, with_shapes(state, [*others, moved], circles))


def _outside(cells: Iterable[Cell], sheet: Sheet) -> set[Cell]:
    return {cell for cell in cells if not sheet.holds(cell)}


def _circles_with(state: SheetState, shape: Shape, rows: int, columns: int) -> frozenset[Cell]:
    return (state.circles - shape) | _moved(shape & state.circles, rows, columns)


def _lift_all_shapes(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    if not state.drawn:
        return
    top = min(row for row, _ in state.drawn)
    for rows in range(1, min(top, 3) + 1):
        shapes = [_moved(shape, -rows, 0) for shape in state.shapes]
        yield _with_state(played, with_shapes(state, shapes, _moved(state.circles, -rows, 0)))


def _enter_below_others(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    """A shape in gaps, where others already lie above; or two that touch only each other."""
    state, sheet = played.state, played.state.sheet
    dice = dice_of(sheet, rng)
    forms = sorted(circles_by_form(dice))
    open_cells = frozenset(sheet.cells) - state.drawn
    for form in rng.sample(forms, len(forms)):
        for top, left in _shuffled(open_cells, rng):
            shape = frozenset((top + row, left + column) for row, column in form)
            if shape <= open_cells and shape & state.gaps:
                circle = {min(circle_places(dice, shape))}
                shapes = (*state.shapes, shape)
                yield _with_state(played, with_shapes(state, shapes, state.circles | circle))


# --- marks ---------------------------------------------------------------------------------------


def _leave_a_gap_open(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    groups = [*connected(state.gaps)]
    for group in rng.sample(groups, len(groups)):
        cells = [group] if rng.random() < 0.5 else [frozenset({cell}) for cell in group]
        for left_open in cells:
            yield _with_state(played, state.with_marks(dict.fromkeys(left_open, Mark.EMPTY)))


def _color_an_open_cell(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    covered = below(state.drawn, state.sheet) | state.drawn
    for cell in _shuffled(frozenset(state.sheet.cells) - covered, rng):
        yield _with_state(played, state.with_marks({cell: Mark.GAP}))


def _mark_a_lone_cell(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    for cell in _shuffled(_resting_places(state), rng):
        mark = rng.choice((Mark.CROSS, Mark.CROSS, Mark.CIRCLE))
        yield _with_state(played, state.with_marks({cell: mark}))


# --- bonuses and figures -------------------------------------------------------------------------


def _circle_a_bonus_too_many(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
    state = played.state
    rows = range(len(state.sheet.colored_rows))
    for colored in rng.sample(rows, len(rows)):
        figures = range(len(state.bonuses[colored]))
        for figure in rng.sample(figures, len(figures)):
            if state.bonuses[colored][figure] is BonusMark.OPEN:
                broken = state.with_bonus(colored, figure, BonusMark.CIRCLED)
                yield _with_state(played, broken)


Figures = Callable[[Score, int], Written]


def _misreckon(figures: Figures) -> Plant:
    """The player is off by a little in one figure; what follows from it is written as it should."""

    def fault(played: PlayedSheet, rng: random.Random) -> Iterator[PlayedSheet]:
        points = score(played.state)
        for _ in range(MAX_CANDIDATES):
            off = rng.choice((-10, -4, -3, -2, -1, 1, 2, 3, 4, 10))
            yield replace(played, written=figures(points, off))

    return fault


def _right_figures(points: Score) -> Written:
    return Written(points.rows, points.numbers, abs(points.penalty), points.total)


def _wrong_rows(points: Score, off: int) -> Written:
    return replace(_right_figures(points), rows=max(0, points.rows + off), total=None)


def _wrong_numbers(points: Score, off: int) -> Written:
    return replace(_right_figures(points), numbers=max(0, points.numbers + off), total=None)


def _wrong_penalty(points: Score, off: int) -> Written:
    return replace(_right_figures(points), penalty=max(0, off - points.penalty), total=None)


def _wrong_total(points: Score, off: int) -> Written:
    return replace(_right_figures(points), total=points.total + off)


FAULTS: dict[Rule, Plant] = {
    Rule.NOT_A_SHAPE: _add_a_cell_to_a_shape,
    Rule.TWO_CIRCLES: _circle_a_second_cell,
    Rule.WRONG_CIRCLE: _circle_another_cell,
    Rule.FLOATING: _move_the_last_shape,
    Rule.FIRST_SHAPE: _lift_all_shapes,
    Rule.ORDER: _enter_below_others,
    Rule.OPEN_GAP: _leave_a_gap_open,
    Rule.FALSE_GAP: _color_an_open_cell,
    Rule.STRAY_MARK: _mark_a_lone_cell,
    Rule.ROW_BONUS: _circle_a_bonus_too_many,
    Rule.WRITTEN_ROWS: _misreckon(_wrong_rows),
    Rule.WRITTEN_NUMBERS: _misreckon(_wrong_numbers),
    Rule.WRITTEN_PENALTY: _misreckon(_wrong_penalty),
    Rule.WRITTEN_TOTAL: _misreckon(_wrong_total),
}
"""Faults that one sheet proves, where it knows its dice."""

FAULTS_WITHOUT_DICE: dict[Rule, Plant] = {
    rule: fault for rule, fault in FAULTS.items() if rule is not Rule.WRONG_CIRCLE
} | {Rule.NOT_A_SHAPE: _outline_a_single_cell}
"""The same where it does not."""
