"""Qwixx as a definition (`brikks_vision.infer.game`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from brikks_vision.games.qwixx import DICE, MAX_PLAYERS, SETTINGS
from brikks_vision.infer.advice import Choices, Coach
from brikks_vision.infer.costs import BROKEN_ORDER, BROKEN_RULE
from brikks_vision.infer.following import table_of
from brikks_vision.infer.game import Inks, SheetGame, letters_of
from brikks_vision.infer.judging import FigureName, Judgement
from brikks_vision.infer.posterior import Group, Letters
from brikks_vision.infer.protocol import Learner, TurnSaid
from brikks_vision.infer.turns import TurnRules
from brikks_vision.layout import Layout, Mark, load_layout
from brikks_vision.reading import GameSettings, ReadSheet, Setting
from brikks_vision.reading.views import PartView
from brikks_vision.rules.qwixx import sheet as rules
from brikks_vision.rules.qwixx.table import judge_table
from brikks_vision.rules.qwixx.turn import EMPTY, faults_of_turn
from brikks_vision.rules.shapes import Lost, Verdict, Violation
from brikks_vision.text.phrases import Fact, Phrase, Translator, all_of

CROSSES: Inks = {rules.CROSSED: (Mark.CROSS,)}
"""A number is crossed in any way; a line through it only says that it was passed over."""

CELLS = tuple(
    tuple(f"row {row},{column}" for column in range(rules.COLUMNS)) for row in range(rules.ROWS)
)
LOCKS = tuple(f"lock {row}" for row in range(rules.ROWS))
FAILED = tuple(f"failed {at}" for at in range(rules.MAX_FAILED))


@dataclass(frozen=True, eq=False)
class QwixxReading(ReadSheet, game="qwixx"):
    """One Qwixx sheet in one photo.

    rows, locks: red, yellow, green, blue, each from left to right: "X" crossed, "." open, "?"
    cannot be told. failed: crossed boxes of failed throws.
    """

    rows: tuple[str, ...] = ()
    locks: str = ""
    failed: int = 0
    written: rules.Written | None = None
    score: rules.Score = field(kw_only=True)


def row_cost(letters: Letters) -> float:
    """Of the rules that a row breaks with its lock, the last of the letters."""
    return BROKEN_RULE * len(rules.broken_in(letters[:-1], letters[-1]))


def failed_cost(letters: Letters) -> float:
    """Of boxes that are not crossed in their order."""
    crossed = letters.count(rules.CROSSED)
    return BROKEN_ORDER * (rules.CROSSED in letters[crossed:])


def failed_points(letters: Letters) -> int:
    return rules.FAILED_POINTS * letters.count(rules.CROSSED)


def state_of(stands: Mapping[str, str]) -> rules.SheetState:
    """What is crossed, from the marks by place; what cannot be told is not."""
    failed = letters_of(stands, FAILED).count(rules.CROSSED)
    rows = tuple(letters_of(stands, row) for row in CELLS)
    return rules.SheetState(rows, letters_of(stands, LOCKS), failed)


def written_of(values: Mapping[FigureName, int | None]) -> rules.Written:
    """The player's figures."""
    rows = tuple(values.get(("rows", row)) for row in range(rules.ROWS))
    return rules.Written(rows, values.get(("failed", 0)), values.get(("total", 0)))


def turn_faults(before: Mapping[str, str], after: Mapping[str, str]) -> Sequence[Violation]:
    """What makes illegal what one turn added."""
    return faults_of_turn(state_of(before), state_of(after))


def turn_told(places: Sequence[str]) -> Phrase:
    """What was crossed in a turn, in words."""
    told = [place_words(where) for where in places if not where.startswith("lock")]
    return (
        rules.phrase("turn-crossed", places=all_of(told)) if told else rules.phrase("turn-nothing")
    )


def place_words(where: str) -> Phrase:
    """A number or a lock by its colour, or a failed throw."""
    return rules.phrase(f"{where.partition(' ')[0]}-place", **counted(where))


def counted(where: str) -> dict[str, Fact]:
    """What the words of a place are filled with."""
    field, _, numbers = where.partition(" ")
    row, *column = map(int, numbers.split(","))
    number = rules.number_at(row, column[0]) if column else row + 1
    named: dict[str, Fact] = (
        {} if field == "failed" else {"color": rules.row_words(row), "row": row + 1}
    )
    return {**named, "number": number}


def lost(reading: QwixxReading, layout: Layout) -> tuple[Lost, ...]:
    """Where the points went."""
    return rules.lost(state_of(DEFINITION.stands(reading, layout)))


def advise(
    before: QwixxReading, layout: Layout, said: TurnSaid, after: QwixxReading | None = None
) -> Choices:
    """What may be crossed for a throw; see `brikks_vision.games.qwixx.coach.advise`."""
    from brikks_vision.games.qwixx import coach  # numpy's random numbers take long to import

    states = [
        None if each is None else state_of(DEFINITION.stands(each, layout))
        for each in (before, after)
    ]
    return coach.advise(states[0] or EMPTY, said, states[1])


def rolls(layout: Layout) -> Sequence[tuple[str, Phrase, int]]:
    """The six dice."""
    return [(name, rules.phrase(f"die-{at}"), 6) for at, name in enumerate(DICE)]


CAUSES = {"row": rules.phrase("lost-rows"), "failed": rules.phrase("points-failed")}


class Qwixx(SheetGame):
    """Four rows of numbers with a lock each, and four boxes for failed throws."""

    NAME, TITLE = "qwixx", "Qwixx"
    INKS: Mapping[str, Inks] = {"row": CROSSES, "lock": CROSSES, "failed": CROSSES}
    WRITTEN: Mapping[str, str] = {
        rules.Rule.WRITTEN_ROW: "rows",
        rules.Rule.WRITTEN_FAILED: "failed",
        rules.Rule.WRITTEN_TOTAL: "total",
    }
    SETTINGS: tuple[Setting, ...] = SETTINGS
    COLUMNS: tuple[str, ...] = ("red", "yellow", "green", "blue", "failed")
    PART_FIELDS: Mapping[str, str] = {"row": "row", "lock": "lock"}

    table = table_of(
        lambda known: range(2, MAX_PLAYERS + 1),
        lambda states, layout, known: judge_table(
            [each and state_of(dict(each)) for each in states]
        ),
        lambda result: {"rows": list(result.score.rows), "failed": result.score.failed},
        notes=[rules.Rule.NOT_OVER],
    )
    turn_rules = TurnRules(turn_faults, turn_told)
    coach = Coach(CAUSES, lost, lambda reading, layout: (), advise, rolls, is_throw=True)

    def groups(self, layout: Layout, known: GameSettings) -> Sequence[Group]:
        rows = [
            Group((*CELLS[row], LOCKS[row]), rules.row_points, row_cost, ("rows", row))
            for row in range(rules.ROWS)
        ]
        return (*rows, Group(FAILED, failed_points, failed_cost, ("failed", 0)))

    def judge(self, stands: Mapping[str, str], written: Mapping[FigureName, int | None]) -> Verdict:
        return rules.referee(state_of(stands), written_of(written))

    def reading(self, name: str, found: Judgement) -> QwixxReading:
        state = state_of(found.state)
        return QwixxReading(
            name,
            rows=tuple(letters_of(found.stands, row) for row in CELLS),
            locks=letters_of(found.stands, LOCKS),
            failed=state.failed,
            written=written_of(found.written),
            score=rules.score(state),
            **found.told,
        )

    def stands(self, reading: QwixxReading, layout: Layout) -> Mapping[str, str]:
        failed = (rules.CROSSED * reading.failed).ljust(rules.MAX_FAILED, rules.OPEN)
        places = (*chain.from_iterable(CELLS), *LOCKS, *FAILED)
        return dict(zip(places, "".join((*reading.rows, reading.locks, failed)), strict=True))

    def told(self, name: str, posterior: Any, *of_photo: Any) -> ReadSheet:
        """A number that is passed over may be struck through: none of these was cancelled."""
        reading, state = super().told(name, posterior, *of_photo), state_of(dict(posterior.state))
        passed = {
            where
            for places, row in zip(CELLS, state.rows, strict=True)
            for where in places[: max(row.rfind(rules.CROSSED), 0)]
        }
        left = tuple(where for where in reading.cancelled if where not in passed)
        return replace(reading, cancelled=left)

    def written(self, reading: QwixxReading) -> Mapping[FigureName, int | None]:
        own = reading.written or rules.Written()
        rows = {("rows", row): figure for row, figure in enumerate(own.rows)}
        return {**rows, ("failed", 0): own.failed, ("total", 0): own.total}

    def parts(self, reading: QwixxReading, layout: Layout) -> Sequence[PartView]:
        points = reading.score
        marks = map(" ".join, zip(reading.rows, reading.locks, strict=True))
        rows = [
            PartView(rules.row_words(row), each, rules.phrase("row-marks", marks=mark))
            for row, (each, mark) in enumerate(zip(points.rows, marks, strict=True))
        ]
        return (*rows, PartView(rules.phrase("points-failed"), points.failed))

    def columns(self, reading: QwixxReading) -> Mapping[str, object]:
        points = reading.score
        return dict(zip(self.COLUMNS, (*points.rows, points.failed), strict=True))

    def counted(self, where: str, layout: Layout) -> Mapping[str, Fact]:
        return counted(where)

    def printer(self, paper: str, per_page: int, style: str, words: Translator) -> bytes:
        """A sheet to print, as a PDF; raises UnknownValue."""
        from brikks_vision.printing.page import sheet_pdf  # takes long to import

        layout = load_layout(self.NAME)

        def told(key: str) -> str:
            numbers = {"points": rules.FAILED_POINTS, "count": rules.BEFORE_LAST}
            return words(rules.phrase(f"printed-{key}", title=layout.title, **numbers))

        return sheet_pdf(layout, {"light": (self.NAME,)}, paper, per_page, style, told)

    def learner(self) -> Learner:
        """Learns a printing from a photo of its empty sheet."""
        from brikks_vision.games.qwixx import learn

        return Learner(learn.propose, learn.values_of)


DEFINITION: Qwixx = Qwixx()
