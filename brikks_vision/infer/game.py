"""A sheet game as a definition: what its sheet has, what it is worth, which rules hold.

All that common code asks of a game (`brikks_vision.infer.protocol.Game`) follows from that. A game
is a subclass of `SheetGame`, and the one instance of it that its module calls ``DEFINITION``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.detect.marks import Marks
from brikks_vision.infer import evidence as defaults
from brikks_vision.infer.answers import OPEN, covered_at, covered_places, places_of, seen_with
from brikks_vision.infer.certainty import of_evidence
from brikks_vision.infer.costs import MIN_RIGHT_FIGURE, READ_LOG_ODDS
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.figures import given_right
from brikks_vision.infer.grid import outline_edges
from brikks_vision.infer.judging import FigureName, Judgement, Margins, Values, judged, told_figures
from brikks_vision.infer.misread import Faults, Scope
from brikks_vision.infer.protocol import Game, Turns
from brikks_vision.layout import HORIZONTAL, VERTICAL, Layout, Mark, packaged_layouts
from brikks_vision.reading import GameSettings, ReadSheet
from brikks_vision.text.phrases import Phrase, phrase

if TYPE_CHECKING:
    from brikks_vision.infer.following import Follow
    from brikks_vision.infer.posterior import Group, Logits
    from brikks_vision.infer.turns import TurnRules
    from brikks_vision.reading.views import Outline, PartView, RowView, SheetView, Sign

Inks = Mapping[str, tuple[Mark, ...]]
"""By mark of the contract, the marks of the layout that each show it."""

SIGNS = {Mark.CROSS: "cross", Mark.LINE: "struck", Mark.RING: "ring", Mark.FILL: "fill"}
SIGN_REACH = 0.38
"""Of a place's shorter side, from the middle of a drawn mark to its end."""

OfGame = Any
"""A reading, posterior, state or verdict of a game's own class."""

NO_ANSWERS: Mapping[str, str] = {}


class _Later:
    """What is imported when it is asked for, with its module: the command starts sooner."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def __get__(self, game: object, owner: type) -> OfGame:
        return getattr(import_module(self.module), self.name)


later: Callable[[str, str], Any] = _Later


class SheetGame(Game):
    """Base of games that are defined by what their sheet has.

    INKS: by field, its marks. OPEN_MARKS: by field, what a place without a mark is called where it
    isn't `OPEN`. TOTAL: where the player writes the total. WRITTEN: by broken rule about the
    player's figures, the field of these. TAKEN_OFF: figures without their minus. COUNTED: fields of
    which a reading tells only how many places are marked. FAULTS: what the rules are about; where
    it is left out, all but those about figures are about the places that they name.
    """

    INKS: Mapping[str, Inks]
    OPEN_MARKS: Mapping[str, str] = {}
    WRITTEN: Mapping[str, str] = {}
    TOTAL: str = "total"
    TAKEN_OFF: tuple[str, ...] = ()
    COUNTED: tuple[str, ...] = ()
    FAULTS: Faults
    turn_rules: TurnRules | None = None

    # --- the definition ---------------------------------------------------------------------------

    def groups(self, layout: Layout, known: GameSettings) -> Sequence[Group]:
        """The groups of places that depend on each other; they hold every place once."""
        raise NotImplementedError

    def judge(self, stands: Mapping[str, str], written: Mapping[FigureName, int | None]) -> OfGame:
        """The verdict of the rules on marks by place and on the player's figures."""
        raise NotImplementedError

    def reading(self, name: str, found: Judgement) -> ReadSheet:
        """The reading of a photo of that name; ``found.told`` has what every game tells."""
        raise NotImplementedError

    def stands(self, reading: OfGame, layout: Layout) -> Mapping[str, str]:
        """By place, the mark that a reading tells."""
        raise NotImplementedError

    def written(self, reading: OfGame) -> Mapping[FigureName, int | None]:
        """The player's figures of a reading."""
        return {}

    def parts(self, reading: OfGame, layout: Layout) -> Sequence[PartView]:
        """The parts of the score."""
        return ()

    def rows(self, reading: OfGame, layout: Layout) -> Sequence[RowView]:
        """The points of the rows of the grid, top first."""
        return ()

    def outlines(self, reading: OfGame, layout: Layout) -> Sequence[Outline]:
        """The outlined groups of cells."""
        return ()

    def sign(self, field: str, mark: str, layout: Layout) -> tuple[str, float]:
        """How a mark is drawn, and how far, in cells, from the middle of its place."""
        size = layout.fields[field].size
        return SIGNS[self.INKS[field][mark][0]], SIGN_REACH * min(size)

    # --- what follows from it -------------------------------------------------------------------

    def __init_subclass__(cls) -> None:
        opened = cls.OPEN_MARKS
        marks = {field: (*inks, opened.get(field, OPEN)) for field, inks in cls.INKS.items()}
        cls.MARKS = {**marks, **vars(cls).get("MARKS", {})}
        if "FAULTS" not in vars(cls):
            sums = [rule for rule, name in cls.WRITTEN.items() if name == cls.TOTAL]
            scopes = dict.fromkeys(cls.WRITTEN, Scope.FIGURE)
            cls.FAULTS = Faults(scopes, sums=sums, min_figure=MIN_RIGHT_FIGURE)

    @property
    def turns(self) -> Turns | None:
        rules = self.turn_rules
        if rules is None:
            return None
        from brikks_vision.infer.turns import turn_of

        # anything may be said: no rule of a turn needs it
        return Turns(lambda said: None, lambda photos, states, *_: turn_of(rules, photos, *states))

    @property
    def follow(self) -> Follow | None:
        rules = self.turn_rules
        if rules is None:
            return None
        from brikks_vision.infer.turns import followed

        return lambda shown, players: followed(rules, self.read, shown)

    def packaged(self) -> tuple[Layout, ...]:
        return packaged_layouts(self.NAME)

    def check(self, layout: Layout) -> None:
        """Raises KeyError or ValueError where a sheet is not one of the game."""
        for field in self.INKS:
            layout.fields[field]

    def parse_printing(self, data: Mapping[str, Any], source: object) -> Layout:
        return defaults.parsed_sheet(data, source, self.check)

    def logits(self, evidence: Evidence, layout: Layout) -> Logits:
        """By place, the log-odds of each mark of the contract that can stand there."""
        return {
            where: {
                mark: max(
                    float(evidence.marks[field, shown].flat[at])
                    for shown in shows
                    if (field, shown) in evidence.marks.logits
                )
                for mark, shows in inks.items()
            }
            for field, inks in self.INKS.items()
            for at, where in enumerate(places_of(field, layout))
        }

    # --- how it is read, unless a game does otherwise --------------------------------------------

    def posterior(
        self, evidence: Evidence, layout: Layout, answers: Mapping[str, str] = NO_ANSWERS
    ) -> OfGame:
        """What a sheet can be: its state, others, and the totals that are open."""
        from brikks_vision.infer.posterior import infer

        hidden, cancelled = (
            covered_places(seen_with(places, answers), self.INKS, layout)
            for places in (evidence.marks.covered, evidence.marks.cancelled)
        )
        return infer(
            self.groups(layout, evidence.known),
            self.logits(evidence, layout),
            {**dict.fromkeys(cancelled, OPEN), **answers},
            evidence.figures,
            hidden,
            self.TOTAL,
        )

    def known(self, evidence: Evidence) -> GameSettings:
        """What is known of the game."""
        return evidence.known

    def verdict(
        self, posterior: OfGame, state: OfGame, written: Values, known: GameSettings
    ) -> OfGame:
        """What the rules say of a sheet, without what its hidden places could mend."""
        from brikks_vision.infer.posterior import without_hidden

        return without_hidden(self, state, written, posterior)

    def figures_given(
        self, figures: Figures, posterior: OfGame, layout: Layout | None = None
    ) -> Figures:
        """The figures, given that most players add up rightly; as read where a place is hidden."""
        if posterior.hidden:
            return figures
        total, right = posterior.total(posterior.state), posterior.right_figures()
        right = {(self.TOTAL, 0): (total,), **right}
        printed = prod(doubt.confidence for doubt in layout.doubts) if layout else 1.0
        sure = printed * posterior.totals.get(total, 0.0)
        return {
            name: tuple(
                given_right(figure, right[name, at], sure) if (name, at) in right else figure
                for at, figure in enumerate(of_field)
            )
            for name, of_field in figures.items()
        }

    def proof(
        self, violation: OfGame, posterior: OfGame, judge: Callable[[OfGame], OfGame]
    ) -> float:
        """How surely the single marks that prove a violation are clear, 0 to 1."""
        return 1.0

    def doubted(self, posterior: OfGame, verdict: OfGame) -> OfGame:
        """The posterior where a sheet contradicts itself."""
        return posterior

    def margins(self, evidence: Evidence, posterior: OfGame, layout: Layout) -> Margins:
        from brikks_vision.infer.posterior import margins_of

        return margins_of(posterior, layout)

    def told(
        self,
        name: str,
        posterior: OfGame,
        evidence: Evidence,
        layout: Layout,
        answers: Mapping[str, str] = NO_ANSWERS,
    ) -> ReadSheet:
        """The reading that follows from a posterior."""
        reading = self.reading(name, judged(self, posterior, evidence, layout, answers))
        return of_evidence(reading, evidence, layout, answers, self.INKS)

    def read(
        self,
        name: str,
        evidence: Evidence,
        layout: Layout,
        answers: Mapping[str, str] = NO_ANSWERS,
    ) -> tuple[ReadSheet, OfGame]:
        """The reading of a sheet's evidence, and the posterior that it follows from."""
        posterior = self.posterior(evidence, layout, answers)
        return self.told(name, posterior, evidence, layout, answers), posterior

    def combined(self, photos: Sequence[Evidence], layout: OfGame) -> Evidence:
        return defaults.combined(photos, layout)

    def contradicts(self, one: Evidence, other: Evidence) -> bool:
        return defaults.contradicts(one, other)

    def needs_full_pass(self, posterior: OfGame, evidence: Evidence) -> bool:
        """Whether the most probable sheet breaks a rule that would be told if it were sure.

        Others never are: the rules alone do not tell whether they are broken, as where a line may
        have been forgotten. 12 of 300 simulated photos (seeds 4820 and 4821) went through
        the full pass for such a rule alone, and nothing was reported of them.
        """
        written = told_figures(self.figures_given(evidence.figures, posterior))
        verdict = self.verdict(posterior, posterior.state, written, self.known(evidence))
        least = self.FAULTS.min_probability
        return any(each.confidence >= least(each) for each in verdict.violations)

    def marks(self, state: OfGame) -> Mapping[str, str]:
        return dict(state)

    def marks_at(self, where: str) -> tuple[str, ...]:
        return self.MARKS[where.partition(" ")[0]]

    def answers_there(self, layout: Layout) -> Phrase:
        return phrase(f"{self.NAME}.answers-there")

    def shown(self, reading: OfGame, layout: Layout, state: OfGame) -> Mapping[str, str]:
        """`stands`; state: of the sheet, where more of it is known than the reading says."""
        marks = {} if state is None else self.marks(state)
        more = {where: marks[where] for where in marks if where.split()[0] in self.COUNTED}
        return {**self.stands(reading, layout), **more}

    def view(self, reading: OfGame, layout: Layout, state: OfGame = None) -> SheetView:
        """The marks as they are drawn over the sheet, and the parts of the score."""
        from brikks_vision.reading.views import SheetView

        stands = {**self.shown(reading, layout, state), **dict.fromkeys(reading.covered, "?")}
        total = self.written(reading).get((self.TOTAL, 0))
        parts = tuple(self.parts(reading, layout))
        outlines = tuple(self.outlines(reading, layout))
        signs, rows = tuple(self._signs(stands, layout)), tuple(self.rows(reading, layout))
        return SheetView(stands, signs, outlines, rows, parts, total)

    def _signs(self, stands: Mapping[str, str], layout: Layout) -> Iterator[Sign]:
        from brikks_vision.reading.views import Sign

        for field, inks in self.INKS.items():
            centres = layout.fields[field].centres
            for where, centre in zip(places_of(field, layout), centres, strict=True):
                if stands[where] in inks:
                    kind, reach = self.sign(field, stands[where], layout)
                    yield Sign(field, kind, centre, reach)

    def evidence_of_reading(self, reading: OfGame, layout: Layout) -> Evidence:
        """Evidence that decodes to a reading; what could not be told is undecided."""
        stands, logits = self.stands(reading, layout), {}
        for field, inks in self.INKS.items():
            there = [stands[where] for where in places_of(field, layout)]
            for ink in {shows[0]: None for shows in inks.values()}:
                drawn = [mark for mark, shows in inks.items() if shows[0] == ink]
                values = [
                    0.0 if each == "?" else READ_LOG_ODDS * (1 if each in drawn else -1)
                    for each in there
                ]
                logits[field, str(ink)] = np.reshape(values, layout.fields[field].shape)
        if VERTICAL in layout.fields:
            groups = [frozenset(each.cells) for each in self.outlines(reading, layout)]
            lines = outline_edges(groups, layout.grid.rows, layout.grid.columns)
            for field, lined in zip((VERTICAL, HORIZONTAL), lines, strict=True):
                logits[field, Mark.LINE] = np.where(lined, READ_LOG_ODDS, -READ_LOG_ODDS)
        written = self.written(reading)
        figures = {
            name: tuple(Figure(written.get((name, at)), 1.0) for at in range(len(field.centres)))
            for name, field in layout.figures.items()
        }
        marks = Marks(logits).with_covered(covered_at(reading.covered, layout))
        return Evidence(marks, figures)


def letters_of(stands: Mapping[str, str], places: Collection[str]) -> str:
    """The marks of some places as one string."""
    return "".join(stands[where] for where in places)
