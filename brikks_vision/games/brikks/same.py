"""Whether two readings are of one sheet: burst shots, or a second try after a blurred photo.

Wrongly taking two sheets for one hides a result, so what is not plainly the same is kept apart.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import product

from brikks_vision.layout import Cell
from brikks_vision.reading import Reading, Status

LONGEST_BREAK = timedelta(hours=1)  # between photos of one sheet
FEWEST_CROSSES = 12  # two players' sheets differ only after a few blocks
MOST_OTHER_CELLS = 2  # a turn adds four, a mini-block of a duel is seen by its outline
MOST_OTHER_ENERGY = 2
MOST_OTHER_BOXES = 1
SURE_BLOCK = 0.9  # confidence from which on another outline is no misreading
LONGEST_GAME = timedelta(hours=3)
SMALLEST_SHARE = 0.95  # of the earlier crosses that must still be there on a sheet that grew


def is_same_sheet(one: Reading, one_taken: datetime, other: Reading, other_taken: datetime) -> bool:
    """Whether two readings show the same sheet in the same state, taken within an hour.

    A sheet before and after a turn is not the same: a block adds four crosses, and the bombs must
    be equal. Nearly empty sheets are never the same, for every player begins with one.
    """
    if one.sheet != other.sheet or Status.UNREADABLE in (one.status, other.status):
        return False
    if abs(one_taken - other_taken) > LONGEST_BREAK or one.bombs_used != other.bombs_used:
        return False
    # Counts first: a record compares each new sheet with all others of that hour.
    unknown = _count(one, "?") + _count(other, "?")
    if abs(_count(one, "X") - _count(other, "X")) > MOST_OTHER_CELLS + unknown:
        return False
    common = crossed_cells(one) & crossed_cells(other)
    energy = zip(one.energy, other.energy, strict=False)
    return (
        len(common) >= FEWEST_CROSSES
        and len(_sure_differences(one, other)) <= MOST_OTHER_CELLS
        and abs((one.bonus_crosses or 0) - (other.bonus_crosses or 0)) <= MOST_OTHER_BOXES
        and sum(before != after for before, after in energy) <= MOST_OTHER_ENERGY
        and not _blocks_contradict(one, other)
        # Of a duel's mini-blocks, one cell each, any that is new is a turn.
        and (not one.blocks or not other.blocks or _mini_blocks(one) == _mini_blocks(other))
    )


def has_grown(
    before: Reading, before_taken: datetime, after: Reading, after_taken: datetime
) -> bool:
    """Whether ``after`` is the sheet of ``before`` later in the same game.

    Nearly every cross and every sure block of before is still there, and more has come.
    """
    if before.sheet != after.sheet or Status.UNREADABLE in (before.status, after.status):
        return False
    if not timedelta(0) <= after_taken - before_taken <= LONGEST_GAME:
        return False
    earlier, later = crossed_cells(before), crossed_cells(after)
    if len(earlier) < FEWEST_CROSSES or len(earlier & later) < SMALLEST_SHARE * len(earlier):
        return False
    if (before.bombs_used or 0) > (after.bombs_used or 0) or _blocks_contradict(before, after):
        return False
    return len(later) > len(earlier) or (before.bombs_used or 0) < (after.bombs_used or 0)


def is_better(new: Reading, old: Reading) -> bool:
    """Whether ``new`` says more surely what stands on the sheet than ``old`` does."""
    return _certainty(new) > _certainty(old)


def crossed_cells(reading: Reading) -> frozenset[Cell]:
    """The cells that were read as crossed."""
    return frozenset(
        (row, column)
        for row, marks in enumerate(reading.grid)
        for column, mark in enumerate(marks)
        if mark == "X"
    )


def _marks(reading: Reading) -> dict[Cell, str]:
    return {
        (row, column): mark
        for row, marks in enumerate(reading.grid)
        for column, mark in enumerate(marks)
    }


def _count(reading: Reading, mark: str) -> int:
    return sum(row.count(mark) for row in reading.grid)


def _sure_differences(one: Reading, other: Reading) -> set[Cell]:
    marks, others = _marks(one), _marks(other)
    return {
        cell
        for cell in marks.keys() | others.keys()
        if "?" not in (pair := (marks.get(cell), others.get(cell))) and pair[0] != pair[1]
    }


def _blocks_contradict(one: Reading, other: Reading) -> bool:
    """Whether some place is surely one block here and surely another one there."""
    pairs = product(_sure_blocks(one), _sure_blocks(other))
    return any(mine != theirs and bool(mine & theirs) for mine, theirs in pairs)


def _sure_blocks(reading: Reading) -> list[frozenset[Cell]]:
    return [frozenset(block.cells) for block in reading.blocks if block.confidence >= SURE_BLOCK]


def _mini_blocks(reading: Reading) -> set[frozenset[Cell]]:
    return {block for block in _sure_blocks(reading) if len(block) == 1}


def _certainty(reading: Reading) -> tuple[int, int, int, float]:
    least, most = reading.total_range or (0, 0)
    lowest = min((block.confidence for block in reading.blocks), default=0.0)
    surety = round(lowest, 2)  # less of a difference says nothing
    return (int(reading.status is Status.OK), least - most, -len(reading.doubts), surety)
