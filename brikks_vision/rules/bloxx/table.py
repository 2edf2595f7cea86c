"""Several sheets of one game: who won, and whether the sheets can belong together.

Sheets count from 0 in the order given; sentences count them from 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from brikks_vision.rules.bloxx.referee import MAX_SHAPE_CELLS, Part, Rule, judge_placement
from brikks_vision.rules.bloxx.sheet import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    VOID_ROLLS_AT_END,
    Sheet,
    all_of,
    low_height,
    phrase,
    row_from_bottom,
)
from brikks_vision.rules.bloxx.state import SheetState, circled_bonuses, score
from brikks_vision.rules.shapes import NoSuchTableError, TableVerdict, Violation, ranked

FORGOTTEN_MARK = 0.5
"""Confidence that nobody circled a bonus, if some complete row has no circled bonus at all."""


def judge_table(sheets: Sequence[SheetState | None]) -> TableVerdict:
    """Rank the sheets of one game and say what cannot be of one game.

    sheets: one a player; None where it is not known: the others are ranked and held against each
    other. What one sheet alone proves is the referee's to say.

    Raises
    ------
    NoSuchTableError
        There are not 2 to 4 sheets.
    """
    if not MIN_PLAYERS <= len(sheets) <= MAX_PLAYERS:
        raise NoSuchTableError(len(sheets), "BLOXX!", (MIN_PLAYERS, MAX_PLAYERS))
    scores = {at: score(state) for at, state in enumerate(sheets) if state is not None}
    return TableVerdict(ranked(scores), (*_judge_bonuses(sheets), *_judge_shape_counts(sheets)))


def _judge_bonuses(sheets: Sequence[SheetState | None]) -> list[Violation]:
    """Rows of which someone circled a lower bonus and nobody the highest one."""
    known = [state for state in sheets if state is not None]
    if len(known) < len(sheets) or len({state.sheet.colored_rows for state in known}) > 1:
        return []
    found = []
    for colored, printed in enumerate(known[0].sheet.colored_rows):
        highest, *lower = printed.bonuses
        circled = [circled_bonuses(state, colored) for state in known]
        later = tuple(at for at, bonuses in enumerate(circled) if set(bonuses) & set(lower))
        if not later or any(highest in bonuses for bonuses in circled):
            continue
        told = phrase(
            "bonus-shared",
            count=len(later),
            sheets=all_of(at + 1 for at in later),
            row=row_from_bottom(printed.row, known[0].sheet),
            low=max(lower),
            high=highest,
        )
        is_unsure = any(
            printed.row in state.complete_rows() and not bonuses
            for state, bonuses in zip(known, circled, strict=True)
        )
        confidence = FORGOTTEN_MARK if is_unsure else 1.0
        found.append(Violation(Rule.BONUS_SHARED, Part.SHEETS, later, told, confidence))
    return found


def _judge_shape_counts(sheets: Sequence[SheetState | None]) -> list[Violation]:
    """Whether one series of rolls can have given every player as many shapes as the sheets show.

    Whoever can enter a shape must. So players whose sheets have room for every shape have entered
    one in each roll, and before the last roll no two players failed in the same one.
    """
    counts: dict[int, int] = {}
    may_fail: set[int] = set()
    for at, state in enumerate(sheets):
        entered = None if state is None else judge_placement(state).shapes_entered
        if state is None or entered is None:
            continue
        counts[at] = entered
        if not has_room_for_all(state):
            may_fail.add(at)
    unknown = len(sheets) - len(counts)
    if not counts or _can_be_one_game(counts, may_fail, unknown):
        return []
    told = phrase(
        "shapes-differ",
        sheets=all_of(at + 1 for at in counts),
        counts=all_of(counts.values()),
    )
    return [Violation(Rule.SHAPES_DIFFER, Part.SHEETS, tuple(counts), told)]


def has_room_for_all(state: SheetState) -> bool:
    """Whether every roll certainly gives a shape that can be entered, now and at any earlier time.

    It does if so many rows are free at the top that each shape of one die fits above the highest
    drawn cell. Sheets that are nearly full are not said to have room, even if they have.
    """
    top = min((row for row, _ in state.drawn), default=state.sheet.rows)
    needed = _height_needed(state.sheet)
    return needed is not None and top >= needed


def _height_needed(sheet: Sheet) -> int | None:
    """Rows in which each shape of one die can lie; None where the sheet is too narrow for that."""
    if sheet.dice is None:
        # so many squares that hang together lie at most this high
        return (MAX_SHAPE_CELLS + 1) // 2 if sheet.columns >= MAX_SHAPE_CELLS else None
    needed = []
    for die in sheet.dice:
        heights = [low_height(face, sheet.columns) for face in die]
        known = [height for height in heights if height is not None]
        if len(known) == len(heights):
            needed.append(max(known))
    return min(needed, default=None)


def _can_be_one_game(counts: dict[int, int], may_fail: set[int], unknown: int) -> bool:
    """Whether some number of rolls explains the counts.

    Only the highest count and one more need trying: a further roll adds a failure for each player,
    which makes it harder for two or more and changes nothing for one.
    """
    most = max(counts.values())
    for rolls in (most, most + 1):
        failed = {at: rolls - count for at, count in counts.items()}
        failing = {at for at, rolls_failed in failed.items() if rolls_failed}
        if not failing <= may_fail:
            continue
        total = sum(failed.values())
        if total <= rolls:  # the game still goes on: each roll is void for one player at most
            return True
        if len(failing) + unknown >= VOID_ROLLS_AT_END and total - len(failing) <= rolls - 1:
            return True
    return False
