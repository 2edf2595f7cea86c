"""Where evidence and rules meet: the maximum a posteriori BLOXX! sheet, and the odds of others.

The evidence gives the log-odds of every single mark. The rules say how marks depend on each other:
drawn cells come in outlined shapes of the dice (or of 3 to 5 cells, where no dice are known), with
one circle at most; a cell that is not drawn is coloured in exactly if something is drawn above it;
and a bonus is circled exactly if its row is complete. The probability of a sheet is the product of
the evidence's and of a fixed cost for each broken rule (`games.bloxx.places`, `infer.costs`).
So the rules settle faint evidence, while clear evidence against the rules stands, as a violation
for the referee.

The parts of the grid (`infer.groups`) depend on each other where they share a column or a coloured
row, by which they are weighed in turn, and by the figures that the player wrote. A figure tells of
the whole sheet: of one doubtful mark it tells as much as the others leave open. So the sums of all
parts are weighed together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, product
from math import exp, prod
from operator import add

from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx import places
from brikks_vision.games.bloxx.bonuses import (
    NUMBERS,
    PENALTIES,
    ROWS,
    TOTAL,
    Bonuses,
    RowEvidence,
    WrittenFigures,
    evidence_of_rows,
)
from brikks_vision.games.bloxx.cells import evidence_of_cells
from brikks_vision.games.bloxx.posterior import Posterior, SheetEvidence, mark_probabilities
from brikks_vision.infer import grid
from brikks_vision.infer.answers import seen_with
from brikks_vision.infer.costs import OTHER_FIGURES, RULED_OUT, ranked, summed
from brikks_vision.infer.figures import (
    Counts,
    added_counts,
    figure_likelihood,
    in_proportion,
    reweighed,
    weighed_in_turn,
)
from brikks_vision.infer.groups import grid_parts
from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import PENALTY

Sums = Counts
"""Circled numbers, drawn cells, and the drawn cells of each coloured row."""

Choices = Mapping[tuple[int, ...], float]
"""The points that a complete row may give, with the probability that it is one of these."""


@dataclass(frozen=True)
class Points:
    """Points of all complete rows together, if each gives what one of its choices says.

    probability: of these choices. values: each with its share.
    """

    probability: float
    values: Mapping[int, float]


@dataclass(frozen=True, eq=False)
class Figures:
    """What the player wrote, to weigh the states of a sheet by.

    parts: of the grid, weighed by marks and rules only, the least sure first.
    """

    evidence: SheetEvidence
    written: WrittenFigures
    parts: tuple[grid.GridPart, ...]
    _points_of: dict[tuple[bool, ...], list[Points]] = field(default_factory=dict)
    _likelihoods: dict[Sums, float] = field(default_factory=dict)

    @cached_property
    def _together(self) -> list[dict[Sums, float]]:
        """How probable all sums are by the marks, of no part, of the first one, of two, and so on.

        Improbable ones are dropped, to bound the time.
        """
        start = {self.sums((), ()): 1.0}
        return [*accumulate(map(self._of_part, self.parts), added_counts, initial=start)]

    def sums(self, drawn: Collection[Cell], circles: Collection[Cell]) -> Sums:
        """Of some cells."""
        lines = [row for row, _ in drawn]
        return (
            sum(each.value for each in self.evidence.sheet.numbers if each.cell in circles),
            len(drawn),
            *(lines.count(row.printed.row) for row in self.evidence.rows),
        )

    def weighed(self) -> tuple[grid.GridPart, ...]:
        """The parts' posteriors given the figures, the least sure first.

        The surest part is weighed first, and the next ones beside its best state: of two marks that
        a figure speaks against alike only one is taken for another. No figure makes a state more
        probable that the marks all but rule out.
        """
        if not self.written:
            return self.parts
        found, settled = list[grid.GridPart](), self.sums((), ())
        for part, rest in zip(self.parts[::-1], self._together[-2::-1], strict=True):
            found.append(self._weighed(part, settled, rest))
            best = found[-1].states[0][0]
            settled = _sum(settled, self.sums(best.crossed, best.ringed))
        return tuple(found[::-1])

    def _weighed(
        self, part: grid.GridPart, settled: Sums, rest: Mapping[Sums, float]
    ) -> grid.GridPart:
        """One of them, the others in states of which these are the sums."""
        if len(self._of_part(part)) == 1:
            return part
        known: dict[Sums, float] = {}

        def likelihood(state: grid.GridState) -> float:
            own = _sum(settled, self.sums(state.crossed, state.ringed))
            if own not in known:
                known[own] = sum(p * self._likelihood(_sum(own, o)) for o, p in rest.items())
            return known[own]

        (best, most), *_ = part.states
        at_best = likelihood(best)
        likelihoods = [
            likelihood(state) if p > RULED_OUT * most else min(likelihood(state), at_best)
            for state, p in part.states
        ]
        return reweighed(part, [p * w for (_, p), w in zip(part.states, likelihoods, strict=True)])

    def bonuses(
        self, complete: Sequence[bool], sums: Sums
    ) -> tuple[tuple[tuple[Bonuses, float], ...], ...]:
        """The posterior of each coloured row's bonuses, in turn as of `weighed`.

        ``complete`` : rows of which all visible cells are drawn.
        """
        rows = self.evidence.rows
        found = [row.states[is_complete] for row, is_complete in zip(rows, complete, strict=True)]
        if not self.written:
            return tuple(found)
        open_rows = {at: rows[at].by_choices(found[at]) for at in range(len(rows)) if complete[at]}
        for at in open_rows:
            weights = []
            for marks, p in found[at]:
                every = open_rows | {at: {rows[at].choices(marks): 1.0}}
                weights.append((marks, p * self._beside(sums, _points([*every.values()]))))
            found[at] = ranked(weights)
            open_rows[at] = {rows[at].choices(found[at][0][0]): 1.0}
        return tuple(found)

    def totals(
        self, is_assumed: bool, filled: grid.Hidden = grid.NOTHING_HIDDEN
    ) -> dict[int, float]:
        """The posterior of the total, over all states.

        ``is_assumed`` : whether the points of a row are: then no figure tells which is meant of
        what is open. ``filled`` : hidden cells, which are drawn, with a circle on each of their
        numbers.
        """
        more = self.sums(filled.cells, filled.cells)
        totals: dict[int, float] = {}
        for of_parts, p in self._together[-1].items():
            sums = _sum(of_parts, more)
            rest = self._rest(sums)
            by_own = p * self._of_rest(sums)
            for points in self._points(sums):
                weights = {
                    value: by_own * points.probability * share * self._of_rows(value, rest)
                    for value, share in points.values.items()
                }
                whole = sum(weights.values())
                for value, weight in weights.items():
                    weight = whole * points.values[value] if is_assumed else weight
                    totals[rest + value] = totals.get(rest + value, 0.0) + weight
        return in_proportion(totals)

    def _of_part(self, part: grid.GridPart) -> dict[Sums, float]:
        return summed((self.sums(state.crossed, state.ringed), p) for state, p in part.states)

    def _points(self, sums: Sums) -> list[Points]:
        """What the rows give that are complete by these sums."""
        columns = self.evidence.sheet.columns
        complete = tuple(count == columns for count in sums[2:])
        if complete not in self._points_of:
            rows = [row for row, of in zip(self.evidence.rows, complete, strict=True) if of]
            self._points_of[complete] = _points([row.by_choices(row.states[True]) for row in rows])
        return self._points_of[complete]

    def _rest(self, sums: Sums) -> int:
        """The total without the points of rows."""
        return sums[0] + PENALTY * self._undrawn(sums)

    def _undrawn(self, sums: Sums) -> int:
        sheet = self.evidence.sheet
        return sheet.rows * sheet.columns - sums[1]

    def _likelihood(self, sums: Sums) -> float:
        """How probable the figures are (up to a factor) beside these sums."""
        if sums not in self._likelihoods:
            self._likelihoods[sums] = self._beside(sums, self._points(sums))
        return self._likelihoods[sums]

    def _beside(self, sums: Sums, points: Sequence[Points]) -> float:
        """The same, the complete rows giving some of these points."""
        rest = self._rest(sums)
        return self._of_rest(sums) * sum(
            each.probability * share * self._of_rows(value, rest)
            for each in points
            for value, share in each.values.items()
        )

    def _of_rest(self, sums: Sums) -> float:
        """The same of the figures that rows don't count for."""
        return self._of(NUMBERS, sums[0]) * self._of(PENALTIES, self._undrawn(sums))

    def _of_rows(self, points: int, rest: int) -> float:
        """The same of the others.

        The total adds them up, so that it tells something only where one of them is missing.
        """
        by_rows = self._of(ROWS, points)
        if {ROWS, NUMBERS, PENALTIES} <= self.written.keys():
            return by_rows
        return by_rows * self._of(TOTAL, rest + points)

    def _of(self, name: str, right: int) -> float:
        if name not in self.written:
            return 1.0
        return figure_likelihood(self.written[name], {right}, 1.0, OTHER_FIGURES)


def _sum(some: Sums, more: Sums) -> Sums:
    return tuple(map(add, some, more))


def _points(rows: Sequence[Choices]) -> list[Points]:
    """The points of complete rows together; what is open is equally probable."""
    found = []
    for each in product(*(row.items() for row in rows)):
        chosen = product(*(choices for choices, _ in each))
        values = in_proportion(summed((sum(points), 1.0) for points in chosen))
        found.append(Points(prod(p for _, p in each), values))
    return found


def decode(
    marks: Marks, sheet: Sheet, answers: places.Answers, figures: WrittenFigures | None = None
) -> Posterior:
    """The posterior of a sheet under its evidence and the rules.

    answers: fix single marks, see `games.bloxx.places`. figures: what the player wrote. Where
    something hides a place, the rest of the sheet is decoded without it, and no figure tells of it.
    """
    marks = grid.tempered(marks)
    of_cells, of_bonuses = places.split_answers(answers)
    hidden = grid.hidden_on(
        seen_with(marks.covered, answers), places.MARKS, sheet.rows, sheet.columns
    )
    evidence = SheetEvidence(
        sheet, evidence_of_cells(marks, of_cells), evidence_of_rows(marks, sheet, of_bonuses)
    )
    figures = {
        name: each
        for name, each in (figures or {}).items()
        if each.value is not None and not hidden
    }
    parts = grid_parts(evidence_of_grid(marks, evidence))
    by_marks = weighed_in_turn(parts, lambda part, others: _weights(part, others, evidence))
    least_sure_first = sorted(by_marks, key=lambda part: part.states[0][1])
    written = Figures(evidence, figures, tuple(least_sure_first))
    parts = written.weighed()
    best = [part.states[0][0] for part in parts]
    state = evidence.state(
        frozenset[Cell]().union(*(each.crossed for each in best)),
        frozenset[Cell]().union(*(each.ringed for each in best)),
        [block for each in best for block in each.blocks],
    )
    complete = [_may_be_complete(row, state.drawn, evidence, sheet) for row in evidence.rows]
    bonuses = written.bonuses(complete, written.sums(state.drawn, state.circles))
    state = replace(state, bonuses=tuple(states[0][0] for states in bonuses))
    is_assumed = any(
        is_complete and len(row.choices(marks)) > 1
        for row, marks, is_complete in zip(evidence.rows, state.bonuses, complete, strict=True)
    )
    return Posterior(
        state,
        parts,
        bonuses,
        written.totals(is_assumed),
        mark_probabilities(parts, state, evidence.cells),
        evidence,
        hidden,
        written.totals(is_assumed, hidden) if hidden else {},
    )


def evidence_of_grid(marks: Marks, evidence: SheetEvidence) -> grid.GridEvidence:
    """The evidence of the grid: which cells are drawn, the lines between them, and their
    circles."""
    return grid.GridEvidence(
        evidence.cells.drawn_logits,
        marks[places.VERTICALS],
        marks[places.HORIZONTALS],
        places.possible_shapes(evidence.sheet),
        grid.RingEvidence(evidence.cells.circle_logits, places.circle_places(evidence.sheet)),
        evidence.cells.covered,
    )


# --- what depends on several parts ---------------------------------------------------------------


def _weights(
    part: grid.GridPart, others: Sequence[grid.GridPart], evidence: SheetEvidence
) -> list[float]:
    """Weights of a part's states, the others in their best ones: which coloured rows are complete.

    (What lies above what in a column is in the log-odds of its cells.)
    """
    drawn = frozenset[Cell]().union(*(each.states[0][0].crossed for each in others))
    return [
        p * exp(sum(_log_odds_of_rows(drawn | state.crossed, evidence))) for state, p in part.states
    ]


def _log_odds_of_rows(drawn: Collection[Cell], evidence: SheetEvidence) -> list[float]:
    """Of each complete row to be one, by its bonuses."""
    return [row.log_odds for row in evidence.rows if _is_complete(row, drawn, evidence.sheet)]


def _is_complete(row: RowEvidence, drawn: Collection[Cell], sheet: Sheet) -> bool:
    return sheet.row_cells(row.printed.row).issubset(drawn)


def _may_be_complete(
    row: RowEvidence, drawn: Collection[Cell], evidence: SheetEvidence, sheet: Sheet
) -> bool:
    """Whether all visible cells of a row are drawn."""
    return sheet.row_cells(row.printed.row).issubset({*drawn, *evidence.cells.covered})
