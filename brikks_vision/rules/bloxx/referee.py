"""Everything that one finished sheet can prove about the game played on it."""

from __future__ import annotations

from dataclasses import dataclass

from brikks_vision.rules.bloxx.placement import judge_gaps, judge_placement
from brikks_vision.rules.bloxx.scoring import Score, circled_bonuses, score
from brikks_vision.rules.bloxx.state import SheetState, Written
from brikks_vision.rules.bloxx.violations import Part, Rule, Violation
from brikks_vision.rules.bloxx.words import Phrase, all_of, one_of, phrase, row_from_bottom


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
    order = list(Rule)
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
