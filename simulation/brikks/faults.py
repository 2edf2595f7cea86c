"""Sheets on which one thing was done wrong, such that the sheet proves it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from brikks_vision.rules.brikks.blocks import Energy, SheetState
from brikks_vision.rules.brikks.placement import Rule
from brikks_vision.rules.brikks.referee import referee
from brikks_vision.rules.brikks.sheet import Sheet
from simulation.brikks.games import PlayedSheet, play_sheet

Game = Callable[[Sheet, random.Random], PlayedSheet]


def one_fault(rule: Rule) -> Game:
    """Games in which one thing was done wrong, such that the sheet proves this rule broken."""

    def game(sheet: Sheet, dice: random.Random) -> PlayedSheet:
        while True:
            played = play_sheet(sheet, dice, dice.randint(2, 4), dice.randint(1, 4))
            for state in FAULTS[rule](played.state, sheet, dice):
                if broken_rules(state, sheet) == [rule]:
                    return replace(played, state=state)

    return game


def broken_rules(state: SheetState, sheet: Sheet) -> list[str]:
    """The codes of the rules that the sheet proves broken, whatever game was played."""
    return [str(violation.rule) for violation in referee(state).violations]


Plant = Callable[[SheetState, Sheet, random.Random], Iterator[SheetState]]


def _lift_a_block(state: SheetState, sheet: Sheet, dice: random.Random) -> Iterator[SheetState]:
    for block in reversed(state.blocks):
        others = state.crossed - block
        for rows in (2, 1):
            lifted = frozenset((row - rows, column) for row, column in block)
            if lifted <= set(sheet.cells) - others:
                blocks = tuple(lifted if each == block else each for each in state.blocks)
                yield replace(state, crossed=others | lifted, blocks=blocks)


def _add_a_cell_to_a_block(
    state: SheetState, sheet: Sheet, dice: random.Random
) -> Iterator[SheetState]:
    free = set(sheet.cells) - state.crossed
    for block in reversed(state.blocks):
        for row, column in sorted(block):
            for cell in ((row, column - 1), (row, column + 1)):
                if cell in free:
                    larger = block | {cell}
                    blocks = tuple(larger if each == block else each for each in state.blocks)
                    yield replace(state, crossed=state.crossed | larger, blocks=blocks)


def _cross_a_lone_cell(
    state: SheetState, sheet: Sheet, dice: random.Random
) -> Iterator[SheetState]:
    def is_lonely(row: int, column: int) -> bool:
        around = {(row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1)}
        return not around & state.crossed

    cells = [cell for cell in sheet.cells if is_lonely(*cell)]
    for cell in dice.sample(cells, len(cells)):
        yield replace(state, crossed=state.crossed | {cell})


def _circle_two_more(state: SheetState, sheet: Sheet, dice: random.Random) -> Iterator[SheetState]:
    if state.energy.count(Energy.OPEN) >= 2:
        first = state.energy.index(Energy.OPEN)
        circled = (Energy.CIRCLED, Energy.CIRCLED)
        yield replace(state, energy=(*state.energy[:first], *circled, *state.energy[first + 2 :]))


def _leave_out_a_point(
    state: SheetState, sheet: Sheet, dice: random.Random
) -> Iterator[SheetState]:
    circled = [point for point, mark in enumerate(state.energy) if mark is Energy.CIRCLED]
    for point in circled[:-1]:
        if point not in sheet.preprinted:
            energy = (*state.energy[:point], Energy.OPEN, *state.energy[point + 1 :])
            yield replace(state, energy=energy)


def _cross_three_more_boxes(
    state: SheetState, sheet: Sheet, dice: random.Random
) -> Iterator[SheetState]:
    crosses = sum(state.bonus) + 3
    if crosses < len(state.bonus):
        yield replace(state, bonus=tuple(box < crosses for box in range(len(state.bonus))))


def _leave_out_a_box(state: SheetState, sheet: Sheet, dice: random.Random) -> Iterator[SheetState]:
    crosses = sum(state.bonus)
    if 3 <= crosses < len(state.bonus) - 1:
        left_out = dice.randint(1, crosses - 1)
        marks = (box <= crosses and box != left_out for box in range(len(state.bonus)))
        yield replace(state, bonus=tuple(marks))


def _skip_the_first_bomb(
    state: SheetState, sheet: Sheet, dice: random.Random
) -> Iterator[SheetState]:
    yield replace(state, bombs=(False, True, False))


FAULTS: dict[Rule, Plant] = {
    Rule.FLOATING: _lift_a_block,
    Rule.NOT_A_BLOCK: _add_a_cell_to_a_block,
    Rule.STRAY_MARK: _cross_a_lone_cell,
    Rule.ENERGY_COUNT: _circle_two_more,
    Rule.ENERGY_ORDER: _leave_out_a_point,
    Rule.BONUS_COUNT: _cross_three_more_boxes,
    Rule.BONUS_ORDER: _leave_out_a_box,
    Rule.BOMB_ORDER: _skip_the_first_bomb,
}
