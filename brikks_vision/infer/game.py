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
from brikks_vision.infer.advice import Coach
from brikks_vision.infer.answers import covered_at, covered_places, places_of, seen_with
from brikks_vision.infer.certainty import of_evidence
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.following import Follow
from brikks_vision.infer.judging import Judge, Judgement, judged
from brikks_vision.infer.posterior import OPEN, FigureName, Group, Logits, Posterior, infer
from brikks_vision.infer.prices import READ_LOG_ODDS
from brikks_vision.infer.protocol import Learner, Moves, OnBoard, Printer, Table, Turns, Winnings
from brikks_vision.infer.sameness import Sameness
from brikks_vision.infer.turns import TurnRules, followed
from brikks_vision.layout import Layout, Mark, Printing, packaged_layouts
from brikks_vision.reading import GameSettings, ReadSheet, Setting
from brikks_vision.reading.views import PartView, SheetView, Sign
from brikks_vision.text.phrases import Phrase, phrase

Inks = Mapping[str, tuple[Mark, ...]]
"""By mark of the contract, the marks of the layout that each show it."""

SIGNS = {Mark.CROSS: "cross", Mark.LINE: "struck", Mark.RING: "ring", Mark.FILL: "fill"}
SIGN_REACH = 0.38
"""Of a place's shorter side, from the middle of a drawn mark to its end."""


class SheetGame:
    """Base of games that are defined by what their sheet has.

    INKS: by field, its marks. TOTAL: where the player writes the total. WRITTEN: by broken rule
    about the player's figures, the field of these.
    """

    NAME: str
    TITLE: str
    INKS: Mapping[str, Inks]
    MARKS: Mapping[str, tuple[str, ...]]
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

    def judge(self, stands: Mapping[str, str], written: Mapping[FigureName, int | None]) -> Any:
        """The verdict of the rules on marks by place and on the player's figures."""
        raise NotImplementedError

    def reading(self, name: str, found: Judgement) -> ReadSheet:
        """The reading of a photo of that name; ``found.told`` has what every game tells."""
        raise NotImplementedError

    def stands(self, reading: Any, layout: Layout) -> Mapping[str, str]:
        """By place, the mark that a reading tells."""
        raise NotImplementedError

    def written(self, reading: Any) -> Mapping[FigureName, int | None]:
        """The player's figures of a reading."""
        return {}

    def parts(self, reading: Any, layout: Layout) -> Sequence[PartView]:
        """The parts of the score."""
        return ()

    # --- what follows from it -------------------------------------------------------------------

    def __init_subclass__(cls) -> None:
        cls.MARKS = {field: (*inks, OPEN) for field, inks in cls.INKS.items()}

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

    def printing_of(self, reading: Any) -> Printing | None:
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
    ) -> tuple[ReadSheet, Posterior]:
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

    def combined(self, photos: Sequence[Evidence], layout: Any) -> Evidence:
        return defaults.combined(photos, layout)

    def contradicts(self, one: Evidence, other: Evidence) -> bool:
        return defaults.contradicts(one, other)

    def needs_full_pass(self, posterior: Posterior, evidence: Evidence) -> bool:
        return False

    def marks(self, state: Any) -> Mapping[str, str]:
        return dict(state)

    def marks_at(self, where: str) -> tuple[str, ...]:
        return self.MARKS[where.partition(" ")[0]]

    def counted(self, where: str, layout: Layout) -> Mapping[str, int]:
        return defaults.counted(where, layout)

    def answers_there(self, layout: Layout) -> Phrase:
        return phrase(f"{self.NAME}.answers-there")

    def rank_of(self, reading: Any) -> Phrase | None:
        return None

    def rank_told(self, reading: Any) -> Phrase | None:
        return None

    def row_names(self, layout: Layout) -> tuple[str, ...]:
        return defaults.row_names(layout)

    def columns(self, reading: Any) -> Mapping[str, object]:
        return {}

    def view(self, reading: Any, layout: Layout, state: Any = None) -> SheetView:
        """The marks as they are drawn over the sheet, and the parts of the score."""
        stands = {**self.stands(reading, layout), **dict.fromkeys(reading.covered, "?")}
        total = self.written(reading).get((self.TOTAL, 0))
        parts = tuple(self.parts(reading, layout))
        return SheetView(
            stands, tuple(self._signs(stands, layout)), parts=parts, written_total=total
        )

    def _signs(self, stands: Mapping[str, str], layout: Layout) -> Iterator[Sign]:
        for field, inks in self.INKS.items():
            places = layout.fields[field]
            for where, centre in zip(places_of(field, layout), places.centres, strict=True):
                if stands[where] in inks:
                    kind = SIGNS[inks[stands[where]][0]]
                    yield Sign(field, kind, centre, SIGN_REACH * min(places.size))

    def evidence_of_reading(self, reading: Any, layout: Layout) -> Evidence:
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
        written = self.written(reading)
        figures = {
            name: tuple(Figure(written.get((name, at)), 1.0) for at in range(len(field.centres)))
            for name, field in layout.figures.items()
        }
        marks = Marks(logits).with_covered(covered_at(reading.covered, layout))
        return Evidence(marks, figures)

    def same_state(
        self, one: Any, one_taken: datetime, other: Any, other_taken: datetime
    ) -> Sameness:
        return defaults.same_state(one, one_taken, other, other_taken)

    def grown_state(
        self, before: Any, before_taken: datetime, after: Any, after_taken: datetime
    ) -> Sameness:
        return defaults.grown_state(before, before_taken, after, after_taken)

    def is_better(self, new: Any, old: Any) -> bool:
        return defaults.is_better(new, old)


def letters_of(stands: Mapping[str, str], places: Collection[str]) -> str:
    """The marks of some places as one string."""
    return "".join(stands[where] for where in places)
