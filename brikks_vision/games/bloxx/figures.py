"""The player's own figures on a BLOXX! sheet: rows, numbers, penalty and total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from brikks_vision.decode.figures import expected_figure, without_digit_outside
from brikks_vision.decode.prices import FIGURE_SLIP_PRIOR, MIN_TOLD_FIGURE
from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.games.bloxx.prices import MIN_RIGHT_FIGURE, MIN_RIGHT_SHARE, OTHER_FIGURES
from brikks_vision.rules.bloxx.scoring import Score
from brikks_vision.rules.bloxx.state import Written
from brikks_vision.rules.bloxx.violations import Rule

ROWS, NUMBERS, PENALTIES, TOTAL = "rows", "numbers", "penalty", "total"
"""Names of the player's figures in layouts."""

FIGURES = {
    Rule.WRITTEN_ROWS: ROWS,
    Rule.WRITTEN_NUMBERS: NUMBERS,
    Rule.WRITTEN_PENALTY: PENALTIES,
    Rule.WRITTEN_TOTAL: TOTAL,
}
"""The figure that each of these rules is about."""

WrittenFigures = Mapping[str, Figure]
"""What the player wrote, by those names."""

NOTHING = Figure(None, 1.0)


def written_figures(figures: Figures) -> WrittenFigures:
    """The figures by their meaning; in a place that a layout lacks, nothing is written."""
    return {
        name: next(iter(figures.get(name, ())), NOTHING)
        for name in (ROWS, NUMBERS, PENALTIES, TOTAL)
    }


def right_figures(points: Score) -> dict[str, tuple[int, ...]]:
    """By name, the values that are right, the assumed one first: open bonuses leave several."""
    rest = points.numbers + points.penalty
    rows = (points.rows, *(each for each in points.possible_rows if each != points.rows))
    return {
        ROWS: rows,
        NUMBERS: (points.numbers,),
        PENALTIES: (-points.penalty,),
        TOTAL: tuple(each + rest for each in rows),
    }


def figures_given_score(figures: WrittenFigures, points: Score, sure: float) -> WrittenFigures:
    """The figures' posteriors, given that most players add up rightly.

    A wrong figure is reported, and held against the player, only if its evidence is clear. No
    figure is told as the right value that does not look like it, and the less so the less sure the
    score itself is (``sure`` : its probability, 0 to 1).
    """
    right, other = right_figures(points), sure * FIGURE_SLIP_PRIOR + (1 - sure) / OTHER_FIGURES
    return {name: _given_right(figure, right[name], other) for name, figure in figures.items()}


def _given_right(figure: Figure, values: tuple[int, ...], other: float) -> Figure:
    """A figure's posterior, where these values are right; the likeliest of them counts.

    ``other`` : as of `expected_figure`.
    """
    chances = {figure.value: figure.probability, **dict(figure.others)}
    # a minus sign that touches a digit is not read
    own = {value: max(chances.get(value, 0.0), chances.get(abs(value), 0.0)) for value in values}
    right = max(values, key=own.__getitem__)
    if right < 0 and figure.value == -right:
        figure = replace(figure, value=right)
    expected = expected_figure(figure, right, other, MIN_RIGHT_SHARE)
    if expected.value in values or expected.value is None:
        return (
            expected if own[right] or expected.value is None else replace(expected, probability=0.0)
        )
    sure = expected.probability * min(without_digit_outside(expected, each) for each in values)
    return replace(expected, probability=sure if sure >= MIN_RIGHT_FIGURE else 0.0)


def told_figures(figures: WrittenFigures) -> Written:
    """What the player wrote; None where a figure is not read surely."""
    return Written(
        **{
            name: figure.value if figure.probability >= MIN_TOLD_FIGURE else None
            for name, figure in figures.items()
        }
    )


def wrong_figures(points: Score, written: Written) -> frozenset[str]:
    """Names of the figures that differ from the sheet, whatever its open bonuses are."""
    right = right_figures(points)
    told = {name: getattr(written, name) for name in right}
    return frozenset(
        name for name, value in told.items() if value is not None and value not in right[name]
    )
