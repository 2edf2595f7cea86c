"""What a posterior proves, how sure it is, and what to ask: the same for every game.

A broken rule that a place would mend which is not read plainly is asked about, and accuses nobody;
so does none that a hidden place could mend. A figure of the player's that differs is held against
them where the marks that it sums are plain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.figures import Figures
from brikks_vision.infer import misread
from brikks_vision.infer.certainty import OtherMark, certainty_of
from brikks_vision.infer.costs import MIN_TOLD_FIGURE, MIN_UNREADABLE_CELL
from brikks_vision.infer.evidence import Evidence
from brikks_vision.layout import Layout
from brikks_vision.reading import GameSettings, ViolationReading

if TYPE_CHECKING:
    from brikks_vision.infer.game import OfGame, SheetGame

FigureName = tuple[str, int]
"""A field of figures and a place in it, from 0."""

Values = Mapping[FigureName, int | None]
"""What the player wrote, by field of figures and place; None where nothing is read surely."""

Margins = tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.generic]]]
"""By field, how clear each mark is by its own evidence, in log-odds, and which it is."""


@dataclass(frozen=True)
class Judgement:
    """What a reading tells.

    posterior: that it follows from. layout: of the sheet. known: of its game. verdict: of the
    rules. total: of the most probable sheet. written, as_read: the player's figures, given what
    they should be, and by themselves. standing: what is proven, and how surely. told: what
    `brikks_vision.reading.ReadSheet` says of how sure it is, and of broken rules. others: marks
    that may be others.
    """

    posterior: OfGame
    layout: Layout
    known: GameSettings
    verdict: OfGame
    total: int
    written: Values
    as_read: Values
    standing: Sequence[tuple[Any, float]]
    told: Mapping[str, Any]
    others: Sequence[OtherMark]

    @property
    def state(self) -> dict[str, str]:
        """By place its mark, by the best guess."""
        return dict(self.posterior.state)

    @property
    def stands(self) -> dict[str, str]:
        """By place its mark, "?" where something hides it or it may well be another."""
        unsure = {each.where for each in self.others if each.probability > MIN_UNREADABLE_CELL}
        unsure |= self.posterior.hidden.places
        return {where: "?" if where in unsure else mark for where, mark in self.state.items()}


def judged(
    game: SheetGame,
    posterior: OfGame,
    evidence: Evidence,
    layout: Layout,
    answers: Mapping[str, str],
) -> Judgement:
    """What the most probable sheet tells, proves and leaves open."""
    state, faults = posterior.state, game.FAULTS
    total = posterior.total(state)
    figures = game.figures_given(evidence.figures, posterior, layout)
    written, as_read, known = (
        told_figures(figures),
        told_figures(evidence.figures),
        game.known(evidence),
    )

    @cache  # one reading judges the same sheet several times
    def verdict(state: OfGame) -> OfGame:
        return game.verdict(posterior, state, written, known)

    def right(violation: misread.Claim) -> float:
        if not faults.is_written(violation.rule):
            return 1.0
        name, at = figure_of(violation, game)
        return figures[name][at].probability

    found = misread.proven(
        verdict(state).violations,
        posterior,
        verdict,
        faults,
        posterior.grid_parts,
        lambda violation: game.proof(violation, posterior, verdict),
        right,
    )
    posterior = game.doubted(posterior, verdict(state))
    others = list(posterior.other_marks())
    sheet = misread.Sheet(
        state,
        game.marks(state),
        misread.contrast(
            *game.margins(evidence, posterior, layout), evidence.marks.covered, layout
        ),
        {*answers, *posterior.hidden.places},
        others,
        posterior.changes,
        posterior.total,
    )
    questions, standing = misread.explained(
        found,
        verdict(state),
        sheet,
        cache(lambda state: game.verdict(posterior, state, as_read, known)),
        faults,
        lambda violation: _summed(violation, game, posterior, written),
    )
    sure = certainty_of(
        total,
        posterior.totals,
        others,
        questions,
        posterior.ends,
        posterior.hidden.places,
    )
    violations = tuple(ViolationReading.of(*each) for each in standing)
    return Judgement(
        posterior,
        layout,
        known,
        verdict(state),
        total,
        written,
        as_read,
        standing,
        {**sure._asdict(), "violations": violations},
        others,
    )


def told_figures(figures: Figures) -> Values:
    """What the player wrote; None where a figure is not read surely."""
    return {
        (name, at): figure.value if figure.probability >= MIN_TOLD_FIGURE else None
        for name, of_field in figures.items()
        for at, figure in enumerate(of_field)
    }


def figure_of(violation: misread.Claim, game: SheetGame) -> FigureName:
    """The figure that a violation names."""
    at = next((at for at in violation.where if isinstance(at, int)), 0)
    return game.WRITTEN[violation.rule], at


def _summed(
    violation: misread.Claim, game: SheetGame, posterior: OfGame, written: Values
) -> tuple[Sequence[str], int]:
    """The places that a wrong figure sums, and the total if it is right."""
    name = figure_of(violation, game)
    figure, places = written[name] or 0, posterior.summed(name)
    if name[0] == game.TOTAL:
        return places, figure
    right = posterior.right_figures()[name][0]
    more = right - abs(figure) if name[0] in game.TAKEN_OFF else figure - right
    return places, posterior.total(posterior.state) + more
