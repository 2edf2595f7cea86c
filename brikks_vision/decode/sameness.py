"""Whether two readings are of one sheet: burst shots, a second try, or a sheet played further.

Taking two sheets for one hides a result. So two readings are of one sheet only if nothing that is
certain in the earlier one is certainly missing in the later one. A person decides doubtful cases;
until then the readings are kept apart. What counts as a difference is the game's to say
(``games/<game>/same.py``); here is what all of them ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from brikks_vision.layout import Cell
from brikks_vision.reading import Reading, Status

MAX_BREAK = timedelta(hours=1)
"""Time between two photos of one sheet in the same state."""

MAX_GAME = timedelta(hours=3)
"""Time between two photos of one game."""

MAX_SURE_DIFFERENCES = 2
"""Certain differences that may still be misreadings; with more it is another sheet."""

MIN_GROUP_CONFIDENCE = 0.9
"""Confidence of an outlined group from which on another outline in its place is no misreading."""

MIN_KEPT_SHARE = 0.95
"""Share of the earlier marks that must still be there on a sheet that was played further."""

MIN_COMMON_GROUPS = 3
"""Two players often begin with the same group, but rarely place the next two alike."""

MAX_CHANCE = 0.001
"""Probability that another sheet happens to have all marks of the earlier one."""


class Sameness(StrEnum):
    """Whether two readings are of one sheet; DOUBTFUL: a person must decide."""

    SAME = "same"
    DOUBTFUL = "doubtful"
    DIFFERENT = "different"


class Outlined(NamedTuple):
    """An outlined group of cells, and how sure it is, 0 to 1."""

    cells: frozenset[Cell]
    confidence: float


def are_comparable(one: Reading, other: Reading) -> bool:
    """Whether both were read, with the same layout."""
    printed, other_printed = (one.sheet, one.printing), (other.sheet, other.printing)
    return printed == other_printed and Status.UNREADABLE not in (one.status, other.status)


def is_unclear(reading: Reading) -> bool:
    """Whether a reading is uncertain only because the sheet's place in the photo is."""
    return reading.status is Status.UNCERTAIN and not (reading.doubts or reading.covered)


def is_unsure(reading: Reading, field: str) -> bool:
    """Whether some mark of a field is doubtful or covered."""
    open_places = (*(doubt.where for doubt in reading.doubts), *reading.covered)
    return is_unclear(reading) or any(where.partition(" ")[0] == field for where in open_places)


def cells_with(reading: Reading, letters: str) -> frozenset[Cell]:
    """The cells that were read as one of the letters of the grid."""
    return _cells_in(reading.grid, letters)


@lru_cache(4096)  # a record compares each sheet with all others of some hours
def _cells_in(grid: tuple[str, ...], letters: str) -> frozenset[Cell]:
    return frozenset(
        (row, column)
        for row, line in enumerate(grid)
        for column, letter in enumerate(line)
        if letter in letters
    )


def number_of(reading: Reading, letters: str) -> int:
    """How many cells were read as one of the letters; cheaper than `cells_with`."""
    return sum(line.count(letter) for line in reading.grid for letter in letters)


def unsure_cells(reading: Reading, groups: Sequence[Outlined]) -> frozenset[Cell]:
    """The cells that may be misread.

    A doubt names one cell of a part of the grid; its group and the cells around it are unsure as
    well, and so are those around a covered cell. Where the place of the sheet in the photo is
    unsure, every cell is.
    """
    if is_unclear(reading):
        rows = range(len(reading.grid))
        return frozenset((row, column) for row in rows for column in range(len(reading.grid[row])))
    unsure = set(cells_with(reading, "?"))
    for where in (*(doubt.where for doubt in reading.doubts), *reading.covered):
        kind, _, numbers = where.partition(" ")
        if kind == "cell":
            row, column = map(int, numbers.split(","))
            unsure |= {*product(range(row - 1, row + 2), range(column - 1, column + 2))}
            unsure.update(*(group.cells for group in groups if (row, column) in group.cells))
    return frozenset(unsure)


def sure_groups(groups: Sequence[Outlined]) -> list[frozenset[Cell]]:
    """The groups that are no misreading."""
    return [group.cells for group in groups if group.confidence >= MIN_GROUP_CONFIDENCE]


def contradict(one: Sequence[Outlined], other: Sequence[Outlined]) -> bool:
    """Whether two different groups overlap, each certain in its reading."""
    pairs = product(sure_groups(one), sure_groups(other))
    return any(mine != theirs and bool(mine & theirs) for mine, theirs in pairs)


def missing_groups(
    groups: Sequence[Outlined], other: Reading, other_groups: Sequence[Outlined]
) -> list[frozenset[Cell]]:
    """Groups that are certain in one reading and without any outline in the other."""
    if is_unclear(other):
        return []
    outlined = unsure_cells(other, other_groups).union(*(group.cells for group in other_groups))
    return [group for group in sure_groups(groups) if group.isdisjoint(outlined)]


def is_unlikely_coincidence(
    before: Reading,
    after: Reading,
    letters: str,
    groups: Sequence[Outlined],
    later_groups: Sequence[Outlined],
) -> bool:
    """Whether another sheet would hardly have all marks of an earlier one.

    letters: of marked cells. Common groups make that improbable, or enough marked cells.
    """
    common = len({*sure_groups(groups)} & {*sure_groups(later_groups)})
    return common >= MIN_COMMON_GROUPS or _chance(before, after, letters) <= MAX_CHANCE


def _chance(before: Reading, after: Reading, letters: str) -> float:
    """Probability that another sheet as full as ``after`` has all marked cells of ``before``.

    For cells that are independent and uniform over the rows that ``before`` has reached.
    """
    marked = cells_with(before, letters)
    first = min(row for row, _ in marked)
    cells = sum(len(row) for row in before.grid[first:])
    filled = len(marked) / cells
    later = sum(line.count(letter) for line in after.grid[first:] for letter in letters)
    return float((1 - filled * (1 - later / cells)) ** cells)


def certainty(reading: Reading, groups: Sequence[Outlined]) -> tuple[int, int, int, int, float]:
    """How certain a reading is; the higher, the more. One that shows more of the sheet is better
    than one of which something hides a part.
    """
    low, high = reading.total_range or (0, 0)
    lowest = min((group.confidence for group in groups), default=0.0)
    confidence = round(lowest, 2)  # smaller differences mean nothing
    is_ok = int(reading.status is Status.OK)
    return (is_ok, -len(reading.covered), low - high, -len(reading.doubts), confidence)
