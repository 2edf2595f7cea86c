"""Everything that one finished sheet of BLOXX! proves, and how it is told.

What the outlines on a sheet prove: shapes, circles, and in which order they were entered.

Rules that need the dice are silent if the sheet does not know them. German and English rules of
resting differ; what either allows is legal, and the English ones allow whatever the German ones do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from brikks_vision.rules import shapes as common
from brikks_vision.rules.bloxx.order import Resting, find_order, touches_floor
from brikks_vision.rules.bloxx.sheet import (
    Cell,
    Phrase,
    Sheet,
    all_of,
    circle_places,
    circles_by_form,
    one_of,
    phrase,
    place_words,
    row_from_bottom,
    shape_words,
    shows,
)
from brikks_vision.rules.bloxx.state import (
    Mark,
    Score,
    Shape,
    SheetState,
    Written,
    below,
    circled_bonuses,
    score,
)
from brikks_vision.rules.shapes import Violation, connected, shared_cells


class Rule(StrEnum):
    """The codes of the reading's contract."""

    NOT_A_SHAPE = "not-a-shape"
    TWO_CIRCLES = "two-circles"
    WRONG_CIRCLE = "wrong-circle"
    FLOATING = "floating"
    FIRST_SHAPE = "first-shape"
    ORDER = "order"
    OPEN_GAP = "open-gap"
    FALSE_GAP = "false-gap"
    STRAY_MARK = "stray-mark"
    ROW_BONUS = "row-bonus"
    WRITTEN_ROWS = "written-rows"
    WRITTEN_NUMBERS = "written-numbers"
    WRITTEN_PENALTY = "written-penalty"
    WRITTEN_TOTAL = "written-total"
    BONUS_SHARED = "bonus-shared"
    SHAPES_DIFFER = "shapes-differ"


class Part(StrEnum):
    """The part of the sheets that a violation shows in."""

    GRID = "grid"
    BONUS = "bonus"
    ROWS = "rows"
    NUMBERS = "numbers"
    PENALTY = "penalty"
    TOTAL = "total"
    SHEETS = "sheets"


MIN_SHAPE_CELLS = 3
"""Where the dice are not known: a smaller outlined group is rather misread. Source: rules."""

MAX_SHAPE_CELLS = 5
"""Where the dice are not known: a larger outlined group may be several shapes. Source: rules."""


@dataclass(frozen=True)
class Placed:
    """What the outlines on a sheet prove.

    sound: outlined groups that are single shapes. unclear: drawn cells in none of those.
    """

    violations: tuple[Violation, ...]
    sound: tuple[Shape, ...]
    unclear: frozenset[Cell]

    @property
    def shapes_entered(self) -> int | None:
        """How many shapes were entered; None where the outlines do not tell."""
        return None if self.unclear else len(self.sound)


def is_outlined(state: SheetState) -> bool:
    """Whether the player drew outlines, around at least most of the crosses and circles."""
    return common.outlines_most(state.shapes, state.drawn)


def judge_placement(state: SheetState) -> Placed:
    """Judge the outlined groups of a sheet; silent where the player drew no outlines."""
    if not is_outlined(state):
        return Placed((), (), state.drawn)
    shared = shared_cells(state.shapes)
    shapes = [shape for shape in state.shapes if shape]
    sound = [shape for shape in shapes if not shape & shared and _is_shape(shape, state.sheet)]
    odd = [shape for shape in shapes if shape not in sound]
    single = [shape for shape in sound if not _may_be_several(shape, state.sheet)]
    unclear = state.drawn - frozenset().union(*single)
    violations = [
        *_judge_odd(odd, shared, state),
        *(found for shape in sound if (found := _judge_circles(shape, state)) is not None),
        *_judge_entering(single, unclear, state.sheet),
    ]
    return Placed(tuple(violations), tuple(single), unclear)


def judge_gaps(state: SheetState) -> tuple[Violation, ...]:
    """Gaps that are not coloured in, and coloured cells that are none; needs no outlines."""
    covered = below(state.drawn | state.outlined, state.sheet)
    empty = state.cells_with(Mark.EMPTY) - state.outlined
    return (
        *(
            _told(Rule.OPEN_GAP, "open-gap", cells, state.sheet)
            for cells in connected(empty & covered)
        ),
        *(
            _told(Rule.FALSE_GAP, "false-gap", cells, state.sheet)
            for cells in connected(state.gaps - covered)
        ),
    )


def _told(
    rule: Rule, key: str, cells: Iterable[Cell], sheet: Sheet, confidence: float = 1.0
) -> Violation:
    where = tuple(sorted(cells))
    told = phrase(key, count=len(where), place=place_words(where, sheet))
    return Violation(rule, Part.GRID, where, told, confidence)


def _is_shape(cells: Shape, sheet: Sheet) -> bool:
    if len(cells) < 2 or len(connected(cells)) > 1:
        return False
    return sheet.dice is None or shows(sheet.dice, cells)


def _may_be_several(shape: Shape, sheet: Sheet) -> bool:
    """Whether a shape is so large that it may be several that lack a line between them."""
    return sheet.dice is None and len(shape) > MAX_SHAPE_CELLS


def _judge_odd(odd: list[Shape], shared: frozenset[Cell], state: SheetState) -> list[Violation]:
    """Outlined groups that are no shapes, and marks outside every outline."""
    sheet = state.sheet
    groups, strays = common.oddities(
        odd, state.shapes, state.drawn, lambda cells: _may_be_shapes(cells, sheet)
    )
    return [
        *(
            _told(Rule.NOT_A_SHAPE, _oddity(shape, shared), shape, sheet, sure)
            for shape, sure in groups
        ),
        *(_told(Rule.STRAY_MARK, "stray-mark", cells, sheet, sure) for cells, sure in strays),
    ]


def _oddity(shape: Shape, shared: frozenset[Cell]) -> str:
    if shape & shared:
        return "shared-cells"
    if len(shape) == 1:
        return "single-cell"
    return "not-connected" if len(connected(shape)) > 1 else "no-face"


def _may_be_shapes(cells: frozenset[Cell], sheet: Sheet) -> bool:
    """Whether the cells would be shapes if some lines were added."""
    if sheet.dice is None:
        return all(len(group) > 1 for group in connected(cells))
    return common.falls_into(cells, circles_by_form(sheet.dice))


def _judge_circles(shape: Shape, state: SheetState) -> Violation | None:
    circles = shape & state.circles
    sheet = state.sheet
    if len(circles) > 1:
        told = phrase("two-circles", shape=shape_words(shape, sheet), count=len(circles))
        where = tuple(sorted(circles))
        confidence = common.FORGOTTEN_LINE if _may_be_several(shape, sheet) else 1.0
        return Violation(Rule.TWO_CIRCLES, Part.GRID, where, told, confidence)
    if sheet.dice is not None and not circles <= circle_places(sheet.dice, shape):
        return _told(Rule.WRONG_CIRCLE, "wrong-circle", circles, sheet)
    return None


def _judge_entering(sound: list[Shape], unclear: frozenset[Cell], sheet: Sheet) -> list[Violation]:
    """Rules of the first shape, of resting and of the order."""
    if not sound:
        return []
    # Shapes touch where their cells hang together.
    groups = connected(unclear.union(*sound))
    members = {group: [shape for shape in sound if shape <= group] for group in groups}
    grounded = [group for group in groups if touches_floor(group, sheet)]
    # The game began in the largest group; the others hang on nothing.
    base = max(grounded or groups, key=lambda group: (len(members[group]), len(group)))
    violations = [
        _hanging(members[group], sheet)
        for group in groups
        if group != base and members[group] and not group & unclear
    ]
    firsts: list[Shape | None] = [None] if base & unclear else []
    if grounded:
        firsts += [shape for shape in members[base] if touches_floor(shape, sheet)]
    else:
        firsts += members[base]
        violations.append(_first_shape(base, sheet))
    order = find_order(members[base], sheet, Resting.ENGLISH, unclear, firsts)
    if order.stuck:
        violations.append(_about(Rule.ORDER, "order", order.stuck, sheet))
    return violations


def _first_shape(base: frozenset[Cell], sheet: Sheet) -> Violation:
    lowest = max(row for row, _ in base)
    cells = [cell for cell in base if cell[0] == lowest]
    return _told(Rule.FIRST_SHAPE, "first-shape", cells, sheet)


def _hanging(shapes: Sequence[Shape], sheet: Sheet) -> Violation:
    """A shape that touches no other one; or several that touch only each other."""
    if len(shapes) == 1:
        return _about(Rule.FLOATING, "floating", shapes, sheet)
    return _about(Rule.ORDER, "apart", shapes, sheet)


def _about(rule: Rule, key: str, shapes: Sequence[Shape], sheet: Sheet) -> Violation:
    named = all_of(shape_words(shape, sheet) for shape in shapes)
    cells = sorted(cell for shape in shapes for cell in shape)
    return Violation(rule, Part.GRID, tuple(cells), phrase(key, count=len(shapes), shapes=named))


@dataclass(frozen=True)
class Verdict:
    """violations: in the order of the rule codes. score: with what it assumes."""

    violations: tuple[Violation, ...]
    score: Score

    @property
    def is_legal(self) -> bool:
        return not self.violations


def referee(state: SheetState, written: Written | None = None) -> Verdict:
    """Judge one sheet.

    written: the player's own figures. Rules of the shapes are silent where no outlines are drawn,
    rules of the dice where the sheet does not know them.
    """
    points = score(state)
    found = (
        *judge_placement(state).violations,
        *judge_gaps(state),
        *_judge_bonuses(state),
        *_judge_written(points, written or Written()),
    )
    order = list[str](Rule)
    return Verdict(tuple(sorted(found, key=lambda violation: order.index(violation.rule))), points)


def _judge_bonuses(state: SheetState) -> list[Violation]:
    found = []
    complete = state.complete_rows()
    for colored, printed in enumerate(state.sheet.colored_rows):
        circled = circled_bonuses(state, colored)
        number = row_from_bottom(printed.row, state.sheet)
        if circled and printed.row not in complete:
            told = phrase("incomplete-row", count=len(circled), bonuses=all_of(circled), row=number)
        elif len(circled) > 1:
            told = phrase("several-bonuses", bonuses=all_of(circled), row=number)
        else:
            continue
        found.append(Violation(Rule.ROW_BONUS, Part.BONUS, (printed.row,), told))
    return found


def _judge_written(points: Score, written: Written) -> list[Violation]:
    """Figures that differ from the sheet, whatever its open bonuses are."""
    rows = set(points.possible_rows)
    penalty = None if written.penalty is None else abs(written.penalty)
    judged_rows = {written.rows} & rows if written.rows in rows else rows
    totals = {points.numbers + points.penalty + row for row in judged_rows if row is not None}
    figures: tuple[tuple[Rule, Part, str, int | None, set[int]], ...] = (
        (Rule.WRITTEN_ROWS, Part.ROWS, "written-rows", written.rows, rows),
        (
            Rule.WRITTEN_NUMBERS,
            Part.NUMBERS,
            "written-numbers",
            written.numbers,
            {points.numbers},
        ),
        (Rule.WRITTEN_PENALTY, Part.PENALTY, "written-penalty", penalty, {-points.penalty}),
        (Rule.WRITTEN_TOTAL, Part.TOTAL, "written-total", written.total, totals),
    )
    return [
        Violation(rule, part, (), phrase(key, points=point_words(right), figure=figure))
        for rule, part, key, figure, right in figures
        if figure is not None and figure not in right
    ]


def point_words(values: set[int]) -> Phrase:
    """ "4 or 6 points"."""
    return phrase("points", count=max(values, key=abs), values=one_of(sorted(values)))
