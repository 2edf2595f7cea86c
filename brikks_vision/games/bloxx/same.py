"""Whether two readings are of one BLOXX! sheet (see `brikks_vision.decode.sameness`)."""

from __future__ import annotations

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
    unsure_cells,
)
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.layout import Cell

CROSSED, CIRCLED, GAP = "X", "O", "#"
DRAWN = CROSSED + CIRCLED

MIN_DRAWN = 12
"""Drawn cells in common; the sheets of two players differ only after a few shapes."""

MAX_OTHER_DRAWN = 2
"""Cells that are drawn in one only. A turn adds at least three."""

MAX_OTHER_BONUSES = 2
"""Bonuses that are marked otherwise; some are marked only after the game."""


def same_state(
    one: BloxxReading, one_taken: datetime, other: BloxxReading, other_taken: datetime
) -> Sameness:
    """Whether two readings show the same sheet in the same state, taken within an hour.

    A sheet before and after a turn is not in the same state. Nearly empty sheets are never taken
    for the same, because every player starts with one.
    """
    if not are_comparable(one, other) or abs(one_taken - other_taken) > MAX_BREAK:
        return Sameness.DIFFERENT
    # Counts first, as they are cheap: each new sheet is compared with all others of that hour.
    unknown = number_of(one, "?") + number_of(other, "?")
    if abs(number_of(one, DRAWN) - number_of(other, DRAWN)) > MAX_OTHER_DRAWN + unknown:
        return Sameness.DIFFERENT
    if len(cells_with(one, DRAWN) & cells_with(other, DRAWN)) < MIN_DRAWN:
        return Sameness.DIFFERENT
    shapes, other_shapes = _shapes(one), _shapes(other)
    bonuses = len(_bonus_marks(one) ^ _bonus_marks(other))
    if _hides_bonus(one) or _hides_bonus(other):
        bonuses = 0
    if (
        len(_other_cells(one, other, DRAWN)) > MAX_OTHER_DRAWN
        or bonuses > MAX_OTHER_BONUSES
        or contradict(shapes, other_shapes)
    ):
        return Sameness.DIFFERENT
    open_cells = unsure_cells(one, shapes) | unsure_cells(other, other_shapes)
    otherwise = frozenset[Cell]().union(
        *(_other_cells(one, other, letters) for letters in (DRAWN, CROSSED, CIRCLED, GAP))
    )
    sure = len(otherwise - open_cells)
    sure += bonuses * (not (is_unsure(one, "bonus") or is_unsure(other, "bonus")))
    if sure > MAX_SURE_DIFFERENCES:
        return Sameness.DIFFERENT
    missing = [
        *missing_groups(shapes, other, other_shapes),
        *missing_groups(other_shapes, one, shapes),
    ]
    return Sameness.DOUBTFUL if sure or missing else Sameness.SAME


def grown_state(
    before: BloxxReading, before_taken: datetime, after: BloxxReading, after_taken: datetime
) -> Sameness:
    """Whether ``after`` is the sheet of ``before`` later in the same game, within three hours.

    Evidence is only added: every mark and outline of ``before`` is still there, and there is more.
    Another sheet may happen to contain all of it if the earlier one is nearly empty or the later
    one nearly full; so common shapes, or enough cells, must make that improbable.
    """
    if not are_comparable(before, after):
        return Sameness.DIFFERENT
    if not timedelta(0) <= after_taken - before_taken <= MAX_GAME:
        return Sameness.DIFFERENT
    earlier = cells_with(before, DRAWN) - cells_with(after, "?")
    later = cells_with(after, DRAWN) - cells_with(before, "?")
    if len(earlier) < MIN_DRAWN or len(earlier & later) < MIN_KEPT_SHARE * len(earlier):
        return Sameness.DIFFERENT
    bonuses, later_bonuses = _bonus_marks(before), _bonus_marks(after)
    shapes, later_shapes = _shapes(before), _shapes(after)
    has_more = len(later) > len(earlier) or len(later_bonuses) > len(bonuses)
    if contradict(shapes, later_shapes) or not has_more:
        return Sameness.DIFFERENT
    open_cells = unsure_cells(before, shapes) | unsure_cells(after, later_shapes)
    gone = frozenset[Cell]().union(
        *(cells_with(before, letter) - cells_with(after, letter) for letter in (*DRAWN, GAP))
    )
    missing = len(gone - open_cells) + len(missing_groups(shapes, after, later_shapes))
    if not (is_unsure(before, "bonus") or is_unsure(after, "bonus")):
        missing += len(bonuses - later_bonuses)
    if missing > MAX_SURE_DIFFERENCES:
        return Sameness.DIFFERENT
    is_confident = is_unlikely_coincidence(before, after, DRAWN, shapes, later_shapes)
    if missing and not is_confident:  # two sheets that happen to be filled alike
        return Sameness.DIFFERENT
    return Sameness.SAME if is_confident and not missing else Sameness.DOUBTFUL


def is_better(new: BloxxReading, old: BloxxReading) -> bool:
    """Whether ``new`` is a more certain reading than ``old``."""
    return certainty(new, _shapes(new)) > certainty(old, _shapes(old))


def _shapes(reading: BloxxReading) -> list[Outlined]:
    return [Outlined(frozenset(shape.cells), shape.confidence) for shape in reading.shapes]


def _hides_bonus(reading: BloxxReading) -> bool:
    """Whether something hides a bonus, so that its mark is not known."""
    return any(where.startswith("bonus ") for where in reading.covered)


def _bonus_marks(reading: BloxxReading) -> frozenset[tuple[int, int, str]]:
    """Row, figure and mark of each bonus that is marked."""
    circled = {(each.row, each.circled, CIRCLED) for each in reading.row_bonus if each.circled}
    struck = {(each.row, bonus, CROSSED) for each in reading.row_bonus for bonus in each.struck}
    return frozenset(circled | struck)


def _other_cells(one: BloxxReading, other: BloxxReading, letters: str) -> frozenset[Cell]:
    """The cells that were read as one of the letters in one reading only."""
    unknown = cells_with(one, "?") | cells_with(other, "?")
    return (cells_with(one, letters) ^ cells_with(other, letters)) - unknown
