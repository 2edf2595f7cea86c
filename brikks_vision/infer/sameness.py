"""Whether two readings are of one sheet: burst shots, a second try, or a sheet played further.

Taking two sheets for one hides a result. So two readings are of one sheet only if nothing that is
certain in the earlier one is certainly missing in the later one. A person decides doubtful cases;
until then the readings are kept apart. What counts as drawn, each game says by its `Traces`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import product
from typing import Generic, NamedTuple, TypeVar

from brikks_vision.layout import Cell
from brikks_vision.reading import Reading, Status

MAX_BREAK = timedelta(hours=1)
"""Time between two photos of one sheet in the same state."""

MAX_GAME = timedelta(hours=3)
"""Time between two photos of one game."""

MAX_SURE_DIFFERENCES = 2
"""Certain differences that may still be misreadings; with more it is another sheet."""

MIN_DRAWN = 12
"""Drawn cells in common; the sheets of two players differ only after a few groups."""

MAX_OTHER_CELLS = 2
"""Cells that are drawn in one reading only. A turn adds at least three."""

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


OfReading = TypeVar("OfReading", bound=Reading)


@dataclass(frozen=True)
class Traces(Generic[OfReading]):
    """What a game's readings are compared by.

    drawn: the letters of drawn cells. letters: of all marked cells. groups: outlined ones of a
    reading. marks: of a reading, outside of the cells; each begins with the name of its field, and
    none is taken back.
    """

    drawn: str
    letters: str
    groups: Callable[[OfReading], Sequence[Outlined]]
    marks: Callable[[OfReading], frozenset[tuple[object, ...]]]


def same_state(
    traces: Traces[OfReading] | None,
    one: OfReading,
    one_taken: datetime,
    other: OfReading,
    other_taken: datetime,
) -> Sameness:
    """Whether two readings show the same sheet in the same state, taken within an hour.

    A sheet before and after a turn is not in the same state. Nearly empty sheets are never taken
    for the same, because every player starts with one.
    """
    if traces is None or not are_comparable(one, other) or abs(one_taken - other_taken) > MAX_BREAK:
        return Sameness.DIFFERENT
    drawn, drawn_other = cells_with(one, traces.drawn), cells_with(other, traces.drawn)
    unknown = cells_with(one, "?") | cells_with(other, "?")
    groups, other_groups = traces.groups(one), traces.groups(other)
    if (
        len(drawn & drawn_other) < MIN_DRAWN
        or len((drawn ^ drawn_other) - unknown) > MAX_OTHER_CELLS
        or contradict(groups, other_groups)
    ):
        return Sameness.DIFFERENT
    sure = max(_surely_gone(traces, one, other), _surely_gone(traces, other, one))
    if sure > MAX_SURE_DIFFERENCES:
        return Sameness.DIFFERENT
    missing = [
        *missing_groups(groups, other, other_groups),
        *missing_groups(other_groups, one, groups),
    ]
    return Sameness.DOUBTFUL if sure or missing else Sameness.SAME


def grown_state(
    traces: Traces[OfReading] | None,
    before: OfReading,
    before_taken: datetime,
    after: OfReading,
    after_taken: datetime,
) -> Sameness:
    """Whether ``after`` is the sheet of ``before`` later in the same game, within three hours.

    Evidence is only added: every mark and outline of ``before`` is still there, and there is more.
    Another sheet may happen to contain all of it if the earlier one is nearly empty or the later
    one nearly full; so common groups, or enough cells, must make that improbable.
    """
    if traces is None or not are_comparable(before, after):
        return Sameness.DIFFERENT
    if not timedelta(0) <= after_taken - before_taken <= MAX_GAME:
        return Sameness.DIFFERENT
    earlier = cells_with(before, traces.drawn) - cells_with(after, "?")
    later = cells_with(after, traces.drawn) - cells_with(before, "?")
    if len(earlier) < MIN_DRAWN or len(earlier & later) < MIN_KEPT_SHARE * len(earlier):
        return Sameness.DIFFERENT
    groups, later_groups = traces.groups(before), traces.groups(after)
    has_more = len(later) > len(earlier) or traces.marks(after) - traces.marks(before)
    if contradict(groups, later_groups) or not has_more:
        return Sameness.DIFFERENT
    missing = len(missing_groups(groups, after, later_groups))
    missing += _surely_gone(traces, before, after)
    if missing > MAX_SURE_DIFFERENCES:
        return Sameness.DIFFERENT
    is_confident = is_unlikely_coincidence(before, after, traces.drawn, groups, later_groups)
    if missing and not is_confident:  # two sheets that happen to be filled alike
        return Sameness.DIFFERENT
    return Sameness.SAME if is_confident and not missing else Sameness.DOUBTFUL


def _surely_gone(traces: Traces[OfReading], one: OfReading, other: OfReading) -> int:
    """How many marks of a reading are certainly missing in the other, outlines aside."""
    unsure = unsure_cells(one, traces.groups(one)) | unsure_cells(other, traces.groups(other))
    cells = frozenset[Cell]().union(
        *(cells_with(one, letter) - cells_with(other, letter) for letter in traces.letters)
    )
    fields = [str(field) for field, *_ in traces.marks(one) - traces.marks(other)]
    sure = [each for each in fields if not (is_unsure(one, each) or is_unsure(other, each))]
    return len(cells - unsure) + len(sure)


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


def certainty(reading: Reading) -> tuple[int, int, int, int]:
    """How certain a reading is; the higher, the more. One that shows more of the sheet is better
    than one of which something hides a part.
    """
    low, high = reading.total_range or (0, 0)
    is_ok = int(reading.status is Status.OK)
    return is_ok, -len(reading.covered), low - high, -len(reading.doubts)
