"""Whether two readings are of one Brikks sheet (see `brikks_vision.decode.sameness`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from brikks_vision.decode.sameness import (
    MAX_BREAK,
    MAX_GAME,
    MAX_SURE_DIFFERENCES,
    MIN_KEPT_SHARE,
    Outlined,
    Sameness,
    are_comparable,
    cells_with,
    certainty,
    contradict,
    is_unlikely_coincidence,
    is_unsure,
    missing_groups,
    number_of,
    sure_groups,
    unsure_cells,
)
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.layout import Cell

CROSSED = "X"

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

_ORDER = {"open": 0, "circled": 1, "used": 2, "off": 2}
"""Amount of evidence on an energy point: it never decreases."""


def same_state(
    one: BrikksReading, one_taken: datetime, other: BrikksReading, other_taken: datetime
) -> Sameness:
    """Whether two readings show the same sheet in the same state, taken within an hour.

    A sheet before and after a turn is not in the same state: a block adds four crosses. Nearly
    empty sheets are never taken for the same, because every player starts with one.
    """
    if not are_comparable(one, other) or abs(one_taken - other_taken) > MAX_BREAK:
        return Sameness.DIFFERENT
    # Counts first, as they are cheap: each new sheet is compared with all others of that hour.
    unknown = number_of(one, "?") + number_of(other, "?")
    if abs(number_of(one, CROSSED) - number_of(other, CROSSED)) > MAX_OTHER_CELLS + unknown:
        return Sameness.DIFFERENT
    if len(cells_with(one, CROSSED) & cells_with(other, CROSSED)) < MIN_CROSSES:
        return Sameness.DIFFERENT
    blocks, other_blocks = _blocks(one), _blocks(other)
    cells = _other_cells(one, other)
    energy = [
        at
        for at, (mark, mark_there) in enumerate(zip(one.energy, other.energy, strict=False))
        if _ORDER.get(mark) != _ORDER.get(mark_there) and "?" not in (mark, mark_there)
    ]
    boxes = abs(_more(one.bonus_crosses, other.bonus_crosses))
    bombs = abs(_more(one.bombs_used, other.bombs_used))
    if (
        len(cells) > MAX_OTHER_CELLS
        or len(energy) > MAX_OTHER_ENERGY
        or boxes > MAX_OTHER_BOXES
        or bombs > MAX_OTHER_BOMBS
        or contradict(blocks, other_blocks)
        # Each new mini-block of a duel, one cell, is a turn.
        or (blocks and other_blocks and _mini_blocks(blocks) != _mini_blocks(other_blocks))
    ):
        return Sameness.DIFFERENT
    open_cells = unsure_cells(one, blocks) | unsure_cells(other, other_blocks)
    sure = len([cell for cell in cells if cell not in open_cells])
    for kind, count in (("energy", len(energy)), ("box", boxes), ("bomb", bombs)):
        sure += count * (not (is_unsure(one, kind) or is_unsure(other, kind)))
    if sure > MAX_SURE_DIFFERENCES:
        return Sameness.DIFFERENT
    missing = [
        *missing_groups(blocks, other, other_blocks),
        *missing_groups(other_blocks, one, blocks),
    ]
    is_confident = not sure and not missing
    return Sameness.SAME if is_confident else Sameness.DOUBTFUL


def grown_state(
    before: BrikksReading, before_taken: datetime, after: BrikksReading, after_taken: datetime
) -> Sameness:
    """Whether ``after`` is the sheet of ``before`` later in the same game, within three hours.

    Ink is only added: every cross, ring, used bomb and outline of ``before`` is still there,
    and there is more. Another sheet may happen to contain all of it if the earlier one is nearly
    empty or the later one nearly full; so common blocks, or enough cells, must make that
    improbable.
    """
    if not are_comparable(before, after):
        return Sameness.DIFFERENT
    if not timedelta(0) <= after_taken - before_taken <= MAX_GAME:
        return Sameness.DIFFERENT
    earlier = cells_with(before, CROSSED) - cells_with(after, "?")
    later = cells_with(after, CROSSED) - cells_with(before, "?")
    if len(earlier) < MIN_CROSSES or len(earlier & later) < MIN_KEPT_SHARE * len(earlier):
        return Sameness.DIFFERENT
    bombs = _more(before.bombs_used, after.bombs_used)
    blocks, later_blocks = _blocks(before), _blocks(after)
    if contradict(blocks, later_blocks) or not (len(later) > len(earlier) or bombs > 0):
        return Sameness.DIFFERENT
    open_cells = unsure_cells(before, blocks) | unsure_cells(after, later_blocks)
    missing = len(earlier - later - open_cells)
    missing += len(missing_groups(blocks, after, later_blocks))
    less = {
        "energy": sum(
            _ORDER.get(mark, 0) > _ORDER.get(mark_then, 0) and mark_then != "?"
            for mark, mark_then in zip(before.energy, after.energy, strict=False)
        ),
        "box": max(0, -_more(before.bonus_crosses, after.bonus_crosses)),
        "bomb": max(0, -bombs),
    }
    for kind, count in less.items():
        missing += count * (not (is_unsure(before, kind) or is_unsure(after, kind)))
    if missing > MAX_SURE_DIFFERENCES:
        return Sameness.DIFFERENT
    is_confident = is_unlikely_coincidence(before, after, CROSSED, blocks, later_blocks)
    if missing and not is_confident:  # two sheets that happen to be filled alike
        return Sameness.DIFFERENT
    return Sameness.SAME if is_confident and not missing else Sameness.DOUBTFUL


def is_better(new: BrikksReading, old: BrikksReading) -> bool:
    """Whether ``new`` is a more certain reading than ``old``."""
    return certainty(new, _blocks(new)) > certainty(old, _blocks(old))


def _more(before: int | None, after: int | None) -> int:
    """How many more marks; 0 where the number of either is not known."""
    return 0 if before is None or after is None else after - before


def _blocks(reading: BrikksReading) -> list[Outlined]:
    return [Outlined(frozenset(block.cells), block.confidence) for block in reading.blocks]


def _other_cells(one: BrikksReading, other: BrikksReading) -> frozenset[Cell]:
    """The cells that were read as crossed in one and as empty in the other."""
    unknown = cells_with(one, "?") | cells_with(other, "?")
    return (cells_with(one, CROSSED) ^ cells_with(other, CROSSED)) - unknown


def _mini_blocks(blocks: Sequence[Outlined]) -> set[frozenset[Cell]]:
    return {block for block in sure_groups(blocks) if len(block) == 1}
