"""Readings and photos for the tests of what is recorded, without any picture."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from brikks_vision.games.brikks.reading import BlockReading, BrikksReading
from brikks_vision.layout import Cell
from brikks_vision.reading import Reading, Status
from brikks_vision.record.database import Record
from brikks_vision.record.entries import PhotoFacts, SheetReading
from brikks_vision.record.photos import add_photo
from brikks_vision.rules.brikks.blocks import Energy, SheetState
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet

SHEET = load_sheet()
EVENING = datetime(2026, 3, 14, 20, 15)


def reading_of(*rows: str, energy: int = 2, bonus: int = 0, bombs: int = 0) -> BrikksReading:
    """A sheet drawn from its lowest rows, top first: a letter a block, "x" no block.

    "." is empty and "?" cannot be told. ``energy``: points circled; ``bonus``: boxes crossed;
    ``bombs``: bombs used.
    """
    grid = SHEET
    empty = grid.rows - len(rows)
    letters = {(empty + r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row)}
    blocks: dict[str, list[Cell]] = {}
    for cell, letter in letters.items():
        if letter not in ".?x":
            blocks.setdefault(letter, []).append(cell)
    crossed = frozenset(cell for cell, letter in letters.items() if letter not in ".?")
    points = range(SHEET.energy_points)
    state = SheetState(
        crossed=crossed,
        blocks=tuple(frozenset(cells) for cells in blocks.values()),
        energy=tuple(Energy.CIRCLED if point < energy else Energy.OPEN for point in points),
        bonus=tuple(box < bonus for box in range(len(SHEET.bonus_values))),
        bombs=tuple(bomb < bombs for bomb in range(len(SHEET.bomb_points))),
        sheet=SHEET,
    )
    marks = {**{cell: "X" for cell in crossed}, **{c: "?" for c, a in letters.items() if a == "?"}}
    points_made = score(state)
    return BrikksReading(
        photo="drawn.jpg",
        status=Status.OK,
        game="brikks",
        sheet="brikks",
        grid=tuple(
            "".join(marks.get((row, column), ".") for column in range(grid.columns))
            for row in range(grid.rows)
        ),
        blocks=tuple(BlockReading("red", (1,), tuple(cells), 0.99) for cells in blocks.values()),
        energy=tuple(str(point) for point in state.energy),
        bonus_crosses=bonus,
        bombs_used=bombs,
        score=points_made,
        total_range=(points_made.total, points_made.total),
        rank="Läuft!",
    )


def unsure(reading: BrikksReading) -> BrikksReading:
    """The same sheet, read with less certainty."""
    total = reading.score.total
    return replace(reading, status=Status.UNCERTAIN, total_range=(total - 2, total))


def photo(name: str, minutes: float = 0, content: bytes | None = None) -> PhotoFacts:
    """A photo taken so many minutes into the evening; its content is its name if nothing else."""
    data = name.encode() if content is None else content
    taken = EVENING + timedelta(minutes=minutes)
    return PhotoFacts(hashlib.sha256(data).hexdigest(), name, taken)


START = reading_of("AB........", "ABCC......", "ABCCDDDD..", "ABEEEFFFGG")
"""A game of some turns: seven blocks."""
GROWN = reading_of("..HHHH....", "AB........", "ABCC......", "ABCCDDDD..", "ABEEEFFFGG")
"""The same one turn later."""
OTHER = reading_of("A...BB....", "A...BB....", "A.CCCC....", "ADDDDEEEE.")
"""Another player's."""


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow beyond a few bytes, as on a disk without any room (POSIX only)."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def add_reading(
    record: Record,
    photo: PhotoFacts,
    reading: Reading,
    thumbnail: bytes | None = None,
    player: str | None = None,
) -> int:
    """Like `add_photo`, of a photo with one sheet; the number of its result."""
    return add_photo(record, photo, [SheetReading(reading, thumbnail)], player).results[0]
