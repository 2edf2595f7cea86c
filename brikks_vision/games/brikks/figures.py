"""The player's own figures on a Brikks sheet: beside the rows, and the total."""

from __future__ import annotations

from collections.abc import Collection

from brikks_vision.decode.figures import expected_figure
from brikks_vision.decode.prices import (
    MIN_TOLD_FIGURE,
)
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

    A wrong figure is reported, and held against the player, only if its evidence is clear.
    open_rows: rows whose points something hides.
    """
    rows, total = figures
    return (
        tuple(
            figure if row in open_rows else expected_figure(figure, points.rows[row])
            for row, figure in enumerate(rows)
        ),
        total if open_rows else expected_figure(total, points.total),
    )


def told_figures(figures: WrittenFigures) -> Written:
    """What the player wrote; None where a figure is not read surely."""

    def told(figure: Figure) -> int | None:
        return figure.value if figure.probability >= MIN_TOLD_FIGURE else None

    rows, total = figures
    return Written(tuple(told(figure) for figure in rows), told(total))
