"""A sheet game as a definition: what its sheet has, what it is worth, which rules hold.

All that common code asks of a game (`brikks_vision.infer.protocol.Game`) follows from that. A game
is a subclass of `SheetGame`, and the one instance of it that its module calls ``DEFINITION``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Key, Marks
from brikks_vision.infer import evidence as defaults
from brikks_vision.infer import sameness
from brikks_vision.infer.advice import Coach
from brikks_vision.infer.answers import covered_at, covered_places, places_of, seen_with
from brikks_vision.infer.certainty import of_evidence
from brikks_vision.infer.costs import READ_LOG_ODDS
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.following import Follow
from brikks_vision.infer.grid import outline_edges
from brikks_vision.infer.judging import Judge, Judgement, judged
from brikks_vision.infer.posterior import OPEN, FigureName, Group, Logits, infer
from brikks_vision.infer.protocol import Learner, Moves, OnBoard, Printer, Table, Turns, Winnings
from brikks_vision.infer.sameness import Sameness
from brikks_vision.infer.turns import TurnRules, followed
from brikks_vision.layout import HORIZONTAL, VERTICAL, Layout, Mark, Printing, packaged_layouts
from brikks_vision.reading import GameSettings, ReadSheet, Setting
from brikks_vision.reading.views import Outline, PartView, SheetView, Sign
from brikks_vision.text.phrases import Fact, Phrase, phrase

Inks = Mapping[str, tuple[Mark, ...]]
"""By mark of the contract, the marks of the layout that each show it."""

SIGNS = {Mark.CROSS: "cross", Mark.LINE: "struck", Mark.RING: "ring", Mark.FILL: "fill"}
SIGN_REACH = 0.38
"""Of a place's shorter side, from the middle of a drawn mark to its end."""

OfGame = Any
"""A reading, posterior, state or verdict of a game's own class."""


class SheetGame:
    """Base of games that are defined by what their sheet has.

    INKS: by field, its marks. OPEN_MARKS: by field, what a place without a mark is called where it
    isn't `OPEN`. TRACES: what tells whether two readings are of one sheet. TOTAL: where the player
    writes the total. WRITTEN: by broken rule about the player's figures, the field of these.
    """

    NAME: str
    TITLE: str
    INKS: Mapping[str, Inks]
    OPEN_MARKS: Mapping[str, str] = {}
    MARKS: Mapping[str, tuple[str, ...]]
    TRACES: sameness.Traces[OfGame] | None = None
    WRITTEN: Mapping[str, str] = {}
    TOTAL: str = "total"
    SETTINGS: tuple[Setting, ...] = ()
    COLUMNS: tuple[str, ...] = ()
    PART_FIELDS: Mapping[str, str] = {}
    FORMER_KEYS: Mapping[str, Key] = {}

    turn_rules: TurnRules | None = None
    board: OnBoard | None = None
    moves: Moves | None = None
    table: Table | None = None
    coach: Coach | None = None
    winnings: Winnings | None = None
    learner: Callable[[], Learner] | None = None
    printer: Printer | None = None

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
        cls.MARKS = {field: (*inks, opened.get(field, OPEN)) for field, inks in cls.INKS.items()}

    @property
    def turns(self) -> Turns | None:
        rules = self.turn_rules
        return None if rules is None else Turns(rules.check, rules.judge)

    @property
    def follow(self) -> Follow | None:
        rules = self.turn_rules
        if rules is None:
            return None
        return lambda shown, players: followed(rules, self.read, shown)

    def is_possible(self, known: GameSettings) -> bool:
        return True

    def packaged(self) -> tuple[Layout, ...]:
        return packaged_layouts(self.NAME)

    def check(self, layout: Layout) -> None:
        """Raises KeyError or ValueError where a sheet is not one of the game."""
        for field in self.INKS:
            layout.fields[field]

    def parse_printing(self, data: Mapping[str, Any], source: object) -> Layout:
        return defaults.parsed_sheet(data, source, self.check)

    def printing_of(self, reading: OfGame) -> Printing | None:
        return None

    place = staticmethod(defaults.place)
    observe = staticmethod(defaults.observe)

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

    def read(
        self, name: str, evidence: Evidence, layout: Layout, answers: Mapping[str, str]
    ) -> tuple[ReadSheet, OfGame]:
        """The reading of a sheet's evidence, and the posterior that it follows from."""
        hidden, cancelled = (
            covered_places(seen_with(places, answers), self.INKS, layout)
            for places in (evidence.marks.covered, evidence.marks.cancelled)
        )
        logits = self.logits(evidence, layout)
        gone = dict.fromkeys(cancelled, OPEN)
        posterior = infer(
            self.groups(layout, evidence.known),
            logits,
            {**gone, **answers},
            evidence.figures,
            hidden,
            self.TOTAL,
        )
        of_game = Judge(self.judge, self.WRITTEN, self.TOTAL)
        found = judged(of_game, posterior, logits, {**gone, **answers}, evidence.figures, layout)
        reading = self.reading(name, found)
        return of_evidence(reading, evidence, layout, answers, self.INKS), posterior

    def combined(self, photos: Sequence[Evidence], layout: OfGame) -> Evidence:
        return defaults.combined(photos, layout)

    def contradicts(self, one: Evidence, other: Evidence) -> bool:
        return defaults.contradicts(one, other)

    def needs_full_pass(self, posterior: OfGame, evidence: Evidence) -> bool:
        return False

    def marks(self, state: OfGame) -> Mapping[str, str]:
        return dict(state)

    def marks_at(self, where: str) -> tuple[str, ...]:
        return self.MARKS[where.partition(" ")[0]]

    def counted(self, where: str, layout: Layout) -> Mapping[str, Fact]:
        return defaults.counted(where, layout)

    def answers_there(self, layout: Layout) -> Phrase:
        return phrase(f"{self.NAME}.answers-there")

    def rank_of(self, reading: OfGame) -> Phrase | None:
        return None

    def rank_told(self, reading: OfGame) -> Phrase | None:
        return None

    def row_names(self, layout: Layout) -> tuple[str, ...]:
        return defaults.row_names(layout)

    def columns(self, reading: OfGame) -> Mapping[str, object]:
        return {}

    def shown(self, reading: OfGame, layout: Layout, state: OfGame) -> Mapping[str, str]:
        """`stands`; state: of the sheet, where more of it is known than the reading says."""
        return self.stands(reading, layout)

    def view(self, reading: OfGame, layout: Layout, state: OfGame = None) -> SheetView:
        """The marks as they are drawn over the sheet, and the parts of the score."""
        stands = {**self.shown(reading, layout, state), **dict.fromkeys(reading.covered, "?")}
        total = self.written(reading).get((self.TOTAL, 0))
        parts = tuple(self.parts(reading, layout))
        outlines = tuple(self.outlines(reading, layout))
        return SheetView(stands, tuple(self._signs(stands, layout)), outlines, (), parts, total)

    def _signs(self, stands: Mapping[str, str], layout: Layout) -> Iterator[Sign]:
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
            for mark, shows in inks.items():
                values = [
                    0.0 if each == "?" else READ_LOG_ODDS * (1 if each == mark else -1)
                    for each in there
                ]
                logits[field, str(shows[0])] = np.reshape(values, layout.fields[field].shape)
        if VERTICAL in layout.fields:
            groups = [frozenset(each.cells) for each in self.outlines(reading, layout)]
            lines = outline_edges(groups, layout.grid.rows, layout.grid.columns)
            for field, drawn in zip((VERTICAL, HORIZONTAL), lines, strict=True):
                logits[field, Mark.LINE] = np.where(drawn, READ_LOG_ODDS, -READ_LOG_ODDS)
        written = self.written(reading)
        figures = {
            name: tuple(Figure(written.get((name, at)), 1.0) for at in range(len(field.centres)))
            for name, field in layout.figures.items()
        }
        marks = Marks(logits).with_covered(covered_at(reading.covered, layout))
        return Evidence(marks, figures)

    def same_state(
        self, one: OfGame, one_taken: datetime, other: OfGame, other_taken: datetime
    ) -> Sameness:
        if self.TRACES is None:
            return Sameness.DIFFERENT
        return sameness.same_state(self.TRACES, one, one_taken, other, other_taken)

    def grown_state(
        self, before: OfGame, before_taken: datetime, after: OfGame, after_taken: datetime
    ) -> Sameness:
        if self.TRACES is None:
            return Sameness.DIFFERENT
        return sameness.grown_state(self.TRACES, before, before_taken, after, after_taken)

    def is_better(self, new: OfGame, old: OfGame) -> bool:
        if self.TRACES is None:
            return defaults.is_better(new, old)
        return sameness.is_better(self.TRACES, new, old)


def letters_of(stands: Mapping[str, str], places: Collection[str]) -> str:
    """The marks of some places as one string."""
    return "".join(stands[where] for where in places)
