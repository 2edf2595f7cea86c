"""Whether two readings are of one sheet: burst shots, a second try, or a sheet played further.

Taking two sheets for one hides a result. So two readings are of one sheet only if nothing that is
certain in the earlier one is certainly missing in the later one. A person decides doubtful cases;
until then the readings are kept apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import product

from brikks_vision.decode.sameness import MAX_BREAK, MAX_GAME, Sameness
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.layout import Cell
from brikks_vision.reading import Status

MIN_CROSSES = 12
"""Crosses in common; the sheets of two players differ only after a few blocks."""

MAX_OTHER_CELLS = 2
"""Cells that differ. A turn adds four; a mini-block of a duel is recognised by its outline."""

MAX_OTHER_ENERGY = 2
"""Energy points that differ."""

MAX_OTHER_BOXES = 1
"""Difference of the numbers of extra crosses."""

MAX_OTHER_BOMBS = 1
"""Difference of the numbers of used bombs."""

MAX_SURE_DIFFERENCES = 2
"""Certain differences that may still be misreadings; with more it is another sheet."""

MIN_BLOCK_CONFIDENCE = 0.9
"""Confidence of a block from which on another outline in its place is no misreading."""

MIN_KEPT_SHARE = 0.95
"""Share of the earlier crosses that must still be there on a sheet that was played further."""

MIN_COMMON_BLOCKS = 3
"""Two players often begin with the same block, but rarely place the next two alike."""

MAX_CHANCE = 0.001
"""Probability that another sheet happens to have all crosses of the earlier one."""

_ORDER = {"open": 0, "circled": 1, "used": 2, "off": 2}
"""Amount of ink on an energy point: it never decreases."""


def same_state(
    one: BrikksReading, one_taken: datetime, other: BrikksReading, other_taken: datetime
) -> Sameness:
    """Whether two readings show the same sheet in the same state, taken within an hour.

    A sheet before and after a turn is not in the same state: a block adds four crosses. Nearly
    empty sheets are never taken for the same, because every player starts with one.
    """
    if not _are_comparable(one, other) or abs(one_taken - other_taken) > MAX_BREAK:
        return Sameness.DIFFERENT
    # Counts first, as they are cheap: each new sheet is compared with all others of that hour.
    unknown = _count(one, "?") + _count(other, "?")
    if abs(_count(one, "X") - _count(other, "X")) > MAX_OTHER_CELLS + unknown:
        return Sameness.DIFFERENT
    if len(crossed_cells(one) & crossed_cells(other)) < MIN_CROSSES:
        return Sameness.DIFFERENT
    cells = _other_cells(one, other)
    energy = [
        at
        for at, (mark, mark_there) in enumerate(zip(one.energy, other.energy, strict=False))
        if _ORDER.get(mark) != _ORDER.get(mark_there)
    ]
    boxes = abs((one.bonus_crosses or 0) - (other.bonus_crosses or 0))
    bombs = abs((one.bombs_used or 0) - (other.bombs_used or 0))
    if (
        len(cells) > MAX_OTHER_CELLS
        or len(energy) > MAX_OTHER_ENERGY
        or boxes > MAX_OTHER_BOXES
        or bombs > MAX_OTHER_BOMBS
        or _blocks_contradict(one, other)
        # Each new mini-block of a duel, one cell, is a turn.
        or (one.blocks and other.blocks and _mini_blocks(one) != _mini_blocks(other))
    ):
        return Sameness.DIFFERENT
    open_cells = unsure_cells(one) | unsure_cells(other)
    sure = len([cell for cell in cells if cell not in open_cells])
    for kind, count in (("energy", len(energy)), ("box", boxes), ("bomb", bombs)):
        sure += count * (not (_is_unsure(one, kind) or _is_unsure(other, kind)))
    if sure > MAX_SURE_DIFFERENCES:
        return Sameness.DIFFERENT
    is_plain = not sure and not _missing_blocks(one, other) and not _missing_blocks(other, one)
    return Sameness.SAME if is_plain else Sameness.DOUBTFUL


def grown_state(
    before: BrikksReading, before_taken: datetime, after: BrikksReading, after_taken: datetime
) -> Sameness:
    """Whether ``after`` is the sheet of ``before`` later in the same game, within three hours.

    Ink is only added: every cross, ring, used bomb and outline of ``before`` is still there, and
    there is more. Another sheet may happen to contain all of it if the earlier one is nearly empty
    or the later one nearly full; so common blocks, or enough cells, must make that improbable.
    """
    if not _are_comparable(before, after):
        return Sameness.DIFFERENT
    if not timedelta(0) <= after_taken - before_taken <= MAX_GAME:
        return Sameness.DIFFERENT
    earlier, later = crossed_cells(before), crossed_cells(after)
    if len(earlier) < MIN_CROSSES or len(earlier & later) < MIN_KEPT_SHARE * len(earlier):
        return Sameness.DIFFERENT
    bombs = (after.bombs_used or 0) - (before.bombs_used or 0)
    if _blocks_contradict(before, after) or not (len(later) > len(earlier) or bombs > 0):
        return Sameness.DIFFERENT
    open_cells = unsure_cells(before) | unsure_cells(after)
    missing = len(earlier - later - open_cells) + len(_missing_blocks(before, after))
    less = {
        "energy": sum(
            _ORDER.get(mark, 0) > _ORDER.get(mark_then, 0)
            for mark, mark_then in zip(before.energy, after.energy, strict=False)
        ),
        "box": max(0, (before.bonus_crosses or 0) - (after.bonus_crosses or 0)),
        "bomb": max(0, -bombs),
    }
    for kind, count in less.items():
        missing += count * (not (_is_unsure(before, kind) or _is_unsure(after, kind)))
    if missing > MAX_SURE_DIFFERENCES:
        return Sameness.DIFFERENT
    common = len({*_sure_blocks(before)} & {*_sure_blocks(after)})
    is_plain = common >= MIN_COMMON_BLOCKS or _chance(before, after) <= MAX_CHANCE
    return Sameness.SAME if is_plain and not missing else Sameness.DOUBTFUL


def is_better(new: BrikksReading, old: BrikksReading) -> bool:
    """Whether ``new`` is a more certain reading than ``old``."""
    return _certainty(new) > _certainty(old)


def crossed_cells(reading: BrikksReading) -> frozenset[Cell]:
    """The cells that were read as crossed."""
    return _cells_with(reading, "X")


def unsure_cells(reading: BrikksReading) -> frozenset[Cell]:
    """The cells that may be misread.

    A doubt names one cell of a part of the grid; its block and the cells around it are unsure as
    well. If a reading is uncertain without a doubt, the place of the sheet in the photo is unsure,
    and with it every cell.
    """
    if _is_unclear(reading):
        rows = range(len(reading.grid))
        return frozenset((row, column) for row in rows for column in range(len(reading.grid[row])))
    unsure = set(_cells_with(reading, "?"))
    for doubt in reading.doubts:
        kind, _, numbers = doubt.where.partition(" ")
        if kind == "cell":
            row, column = map(int, numbers.split(","))
            unsure |= {*product(range(row - 1, row + 2), range(column - 1, column + 2))}
            blocks = (block.cells for block in reading.blocks if (row, column) in block.cells)
            unsure.update(cell for cells in blocks for cell in cells)
    return frozenset(unsure)


def _are_comparable(one: BrikksReading, other: BrikksReading) -> bool:
    return one.sheet == other.sheet and Status.UNREADABLE not in (one.status, other.status)


def _is_unclear(reading: BrikksReading) -> bool:
    return reading.status is Status.UNCERTAIN and not reading.doubts


def _is_unsure(reading: BrikksReading, kind: str) -> bool:
    """Whether a bar ("energy", "box" or "bomb") may be misread; a doubt names one of its marks."""
    return _is_unclear(reading) or any(doubt.where.startswith(kind) for doubt in reading.doubts)


def _cells_with(reading: BrikksReading, mark: str) -> frozenset[Cell]:
    return _cells_in(reading.grid, mark)


@lru_cache(4096)  # a record compares each sheet with all others of some hours
def _cells_in(grid: tuple[str, ...], mark: str) -> frozenset[Cell]:
    return frozenset(
        (row, column)
        for row, marks in enumerate(grid)
        for column, each in enumerate(marks)
        if each == mark
    )


def _count(reading: BrikksReading, mark: str) -> int:
    return sum(row.count(mark) for row in reading.grid)


def _other_cells(one: BrikksReading, other: BrikksReading) -> frozenset[Cell]:
    """The cells that were read as crossed in one and as empty in the other."""
    unknown = _cells_with(one, "?") | _cells_with(other, "?")
    return (crossed_cells(one) ^ crossed_cells(other)) - unknown


def _chance(before: BrikksReading, after: BrikksReading) -> float:
    """Probability that another sheet as full as ``after`` has all crosses of ``before``.

    For crosses that are independent and uniform over the rows that ``before`` has reached.
    """
    first = min(row for row, _ in crossed_cells(before))
    cells = sum(len(row) for row in before.grid[first:])
    filled = len(crossed_cells(before)) / cells
    filled_then = sum(row.count("X") for row in after.grid[first:]) / cells
    return float((1 - filled * (1 - filled_then)) ** cells)


def _blocks_contradict(one: BrikksReading, other: BrikksReading) -> bool:
    """Whether two different blocks overlap, each certain in its reading."""
    pairs = product(_sure_blocks(one), _sure_blocks(other))
    return any(mine != theirs and bool(mine & theirs) for mine, theirs in pairs)


def _missing_blocks(one: BrikksReading, other: BrikksReading) -> list[frozenset[Cell]]:
    """Blocks that are certain in one reading and without any outline in the other."""
    if _is_unclear(other):
        return []
    outlined = {cell for block in other.blocks for cell in block.cells} | unsure_cells(other)
    return [block for block in _sure_blocks(one) if block.isdisjoint(outlined)]


def _sure_blocks(reading: BrikksReading) -> Sequence[frozenset[Cell]]:
    return [
        frozenset(block.cells)
        for block in reading.blocks
        if block.confidence >= MIN_BLOCK_CONFIDENCE
    ]


def _mini_blocks(reading: BrikksReading) -> set[frozenset[Cell]]:
    return {block for block in _sure_blocks(reading) if len(block) == 1}


def _certainty(reading: BrikksReading) -> tuple[int, int, int, float]:
    low, high = reading.total_range or (0, 0)
    lowest = min((block.confidence for block in reading.blocks), default=0.0)
    confidence = round(lowest, 2)  # smaller differences mean nothing
    return (int(reading.status is Status.OK), low - high, -len(reading.doubts), confidence)
