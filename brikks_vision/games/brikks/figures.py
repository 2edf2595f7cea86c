"""The player's own figures on a Brikks sheet: beside the rows, and the total."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from brikks_vision.decode.figures import expected_figure, without_digit_outside
from brikks_vision.decode.prices import MIN_TOLD_FIGURE, MIN_TOLD_SLIP
from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.state import Written

WrittenFigures = tuple[tuple[Figure, ...], Figure]
"""The figures beside the rows, top first, and the total."""


def written_figures(figures: Figures) -> WrittenFigures:
    """The figures by their meaning; without a field for the total nothing is written there."""
    total = figures.get("total") or (Figure(None, 1.0),)
    return figures["rows"], total[0]


def figures_given_score(
    figures: WrittenFigures, points: Score, open_rows: Collection[int] = ()
) -> WrittenFigures:
    """The figures' posteriors, given that most players add up rightly.

    A wrong figure is told, and held against the player, only if its evidence is clear.
    open_rows: rows whose points something hides.
    """
    rows, total = figures
    found = [
        figure if row in open_rows else expected_figure(figure, points.rows[row])
        for row, figure in enumerate(rows)
    ]
    return (
        tuple(
            figure
            if row in open_rows
            else _held(figure, points.rows[row], _written_elsewhere(row, found, points))
            for row, figure in enumerate(found)
        ),
        total if open_rows else _held(expected_figure(total, points.total), points.total),
    )


def _held(figure: Figure, right: int, elsewhere: float = 0.0) -> Figure:
    """A figure as surely read as it is held against the player where it is wrong; else nothing.

    elsewhere: see `_written_elsewhere`.
    """
    if figure.value in (right, None):
        return figure
    sure = figure.probability * without_digit_outside(figure, right) * (1 - elsewhere)
    return replace(figure, probability=sure if sure >= MIN_TOLD_SLIP else 0.0)


def _written_elsewhere(at: int, rows: Sequence[Figure], points: Score) -> float:
    """Probability that a row's figure also stands beside another row of the same points.

    Then it is rather this player's way to write it: a 2 with a straight back beside each row of
    nine crosses is no 1.
    """
    value = rows[at].value
    return max(
        (
            figure.probability if figure.value == value else dict(figure.others).get(value, 0.0)
            for row, figure in enumerate(rows)
            if row != at and points.rows[row] == points.rows[at]
        ),
        default=0.0,
    )


def told_figures(figures: WrittenFigures) -> Written:
    """What the player wrote; None where a figure is not read surely."""

    def told(figure: Figure) -> int | None:
        return figure.value if figure.probability >= MIN_TOLD_FIGURE else None

    rows, total = figures
    return Written(tuple(told(figure) for figure in rows), told(total))
