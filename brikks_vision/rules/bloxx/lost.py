"""Where the points of a finished sheet went.

Within reach is what one step more of its kind would have given: a coloured row that lacks one or
two cells, whole; for a whole row its highest bonus; each number that was drawn over or coloured in,
under a circle; each gap, drawn. What was lost adds up to the score of the sheet with all of that,
less its own. Cells that were never reached were not within reach.
"""

from __future__ import annotations

from collections.abc import Iterator

from brikks_vision.rules.bloxx.faces import Cell
from brikks_vision.rules.bloxx.scoring import PENALTY, row_bonus
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState, below
from brikks_vision.rules.bloxx.words import phrase, place_words, row_from_bottom
from brikks_vision.rules.lost import Lost, most_first
from brikks_vision.rules.shapes import connected
from brikks_vision.text.phrases import all_of

MAX_LACKING = 2
"""Cells that a coloured row lacks at most to be within reach."""


def lost(state: SheetState) -> tuple[Lost, ...]:
    """Every point that was lost and within reach, most points first."""
    gaps = below(state.drawn, state.sheet) - state.drawn
    return most_first([*_rows(state, gaps), *_numbers(state, gaps), *_gaps(state, gaps)])


def _rows(state: SheetState, gaps: frozenset[Cell]) -> Iterator[Lost]:
    sheet = state.sheet
    for number, printed in enumerate(sheet.colored_rows):
        given = row_bonus(state, number)
        lacking = tuple(sorted(sheet.row_cells(printed.row) - state.drawn))
        if len(lacking) > MAX_LACKING:
            continue
        row, where = row_from_bottom(printed.row, sheet), f"row {printed.row}"
        if not lacking:
            if points := max(printed.bonuses) - given.points:
                told = phrase("lost-first", row=row, now=given.points, then=max(printed.bonuses))
                yield Lost("row", where, points, told)
            continue
        marks = zip(printed.bonuses, state.bonuses[number], strict=True)
        bonus = max((each for each, mark in marks if mark is not BonusMark.STRUCK), default=0)
        if bonus:
            columns = all_of(column + 1 for _, column in lacking)
            told = phrase("lost-row", row=row, columns=columns, count=len(lacking))
            empty = len(set(lacking) - gaps)  # a gap has its own points
            yield Lost("row", where, bonus - PENALTY * empty, told, lacking)


def _numbers(state: SheetState, gaps: frozenset[Cell]) -> Iterator[Lost]:
    for printed in state.sheet.numbers:
        row, column = printed.cell
        if state.mark(printed.cell) is Mark.CROSS:
            key = "lost-crossed"
        elif printed.cell in gaps:
            key = "lost-buried"
        else:
            continue
        place = place_words([printed.cell], state.sheet)
        told = phrase(key, figure=printed.value, place=place)
        yield Lost("number", f"cell {row},{column}", printed.value, told, (printed.cell,))


def _gaps(state: SheetState, gaps: frozenset[Cell]) -> Iterator[Lost]:
    for cells in connected(gaps):
        group = tuple(sorted(cells))
        row, column = group[0]
        told = phrase("lost-gap", count=len(group), place=place_words(group, state.sheet))
        yield Lost("gap", f"cell {row},{column}", -PENALTY * len(group), told, group)
