"""Qwixx as a definition (`brikks_vision.infer.game`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from brikks_vision.games.learning import sheet_learner
from brikks_vision.games.qwixx.reading import QwixxReading
from brikks_vision.games.qwixx.settings import DICE, MAX_PLAYERS, SETTINGS
from brikks_vision.infer.advice import Choices, Coach
from brikks_vision.infer.costs import BROKEN_ORDER, BROKEN_RULE
from brikks_vision.infer.following import table_of
from brikks_vision.infer.game import Inks, SheetGame, letters_of
from brikks_vision.infer.judging import FigureName, Judgement
from brikks_vision.infer.posterior import Group, Letters
from brikks_vision.infer.protocol import Learner, TurnSaid
from brikks_vision.infer.turns import TurnRules
from brikks_vision.layout import Layout, Mark
from brikks_vision.reading import GameSettings, Setting
from brikks_vision.reading.views import PartView
from brikks_vision.rules.qwixx import sheet as rules
from brikks_vision.rules.qwixx.sheet import (
    COLUMNS,
    FAILED_POINTS,
    MAX_FAILED,
    ROWS,
    Rule,
    SheetState,
    Written,
    number_at,
    phrase,
    row_words,
)
from brikks_vision.rules.qwixx.table import judge_table
from brikks_vision.rules.qwixx.turn import EMPTY, faults_of_turn
from brikks_vision.rules.shapes import Lost, Verdict, Violation
from brikks_vision.text.phrases import Fact, Phrase, Translator, all_of

CROSSES: Inks = {rules.CROSSED: (Mark.CROSS,)}
"""A number is crossed in any way; a line through it only says that it was passed over."""

CELLS = tuple(tuple(f"row {row},{column}" for column in range(COLUMNS)) for row in range(ROWS))
LOCKS = tuple(f"lock {row}" for row in range(ROWS))
FAILED = tuple(f"failed {at}" for at in range(MAX_FAILED))


def row_cost(letters: Letters) -> float:
    """Of the rules that a row breaks with its lock, the last of the letters."""
    return BROKEN_RULE * len(rules.broken_in(letters[:-1], letters[-1]))


def failed_cost(letters: Letters) -> float:
    """Of boxes that are not crossed in their order."""
    crossed = letters.count(rules.CROSSED)
    return BROKEN_ORDER * (rules.CROSSED in letters[crossed:])


def failed_points(letters: Letters) -> int:
    return FAILED_POINTS * letters.count(rules.CROSSED)


def state_of(stands: Mapping[str, str]) -> SheetState:
    """What is crossed, from the marks by place; what cannot be told is not."""
    failed = letters_of(stands, FAILED).count(rules.CROSSED)
    rows = tuple(letters_of(stands, row) for row in CELLS)
    return SheetState(rows, letters_of(stands, LOCKS), failed)


def written_of(values: Mapping[FigureName, int | None]) -> Written:
    """The player's figures."""
    rows = tuple(values.get(("rows", row)) for row in range(ROWS))
    return Written(rows, values.get(("failed", 0)), values.get(("total", 0)))


def turn_faults(before: Mapping[str, str], after: Mapping[str, str]) -> Sequence[Violation]:
    """What makes illegal what one turn added."""
    return faults_of_turn(state_of(before), state_of(after))


def turn_told(places: Sequence[str]) -> Phrase:
    """What was crossed in a turn, in words."""
    told = [place_words(where) for where in places if not where.startswith("lock")]
    return phrase("turn-crossed", places=all_of(told)) if told else phrase("turn-nothing")


def place_words(where: str) -> Phrase:
    """A number or a lock by its colour, or a failed throw."""
    return phrase(f"{where.partition(' ')[0]}-place", **counted(where))


def counted(where: str) -> dict[str, Fact]:
    """What the words of a place are filled with."""
    field, _, numbers = where.partition(" ")
    row, *column = map(int, numbers.split(","))
    number = number_at(row, column[0]) if column else row + 1
    named: dict[str, Fact] = {} if field == "failed" else {"color": row_words(row), "row": row + 1}
    return {**named, "number": number}


def lost(reading: QwixxReading, layout: Layout) -> tuple[Lost, ...]:
    """Where the points went."""
    return rules.lost(state_of(DEFINITION.stands(reading, layout)))


def advise(before: Any, layout: Layout, said: TurnSaid, after: Any = None) -> Choices:
    """What may be crossed for a throw; see `brikks_vision.games.qwixx.coach.advise`."""
    from brikks_vision.games.qwixx import coach  # numpy's random numbers take long to import

    states = [
        None if each is None else state_of(DEFINITION.stands(each, layout))
        for each in (before, after)
    ]
    return coach.advise(states[0] or EMPTY, said, states[1])


def rolls(layout: Layout) -> Sequence[tuple[str, Phrase, int]]:
    """The six dice."""
    return [(name, phrase(f"die-{at}"), 6) for at, name in enumerate(DICE)]


CAUSES = {"row": phrase("lost-rows"), "failed": phrase("points-failed")}


class Qwixx(SheetGame):
    """Four rows of numbers with a lock each, and four boxes for failed throws."""

    NAME, TITLE = "qwixx", "Qwixx"
    INKS: Mapping[str, Inks] = {"row": CROSSES, "lock": CROSSES, "failed": CROSSES}
    WRITTEN: Mapping[str, str] = {
        Rule.WRITTEN_ROW: "rows",
        Rule.WRITTEN_FAILED: "failed",
        Rule.WRITTEN_TOTAL: "total",
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
        notes=[Rule.NOT_OVER],
    )
    turn_rules = TurnRules(turn_faults, turn_told)
    coach = Coach(CAUSES, lost, lambda reading, layout: (), advise, rolls, is_throw=True)

    def groups(self, layout: Layout, known: GameSettings) -> Sequence[Group]:
        rows = [
            Group((*CELLS[row], LOCKS[row]), rules.row_points, row_cost, ("rows", row))
            for row in range(ROWS)
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
        found = {
            where: mark
            for places, letters in zip(CELLS, reading.rows, strict=True)
            for where, mark in zip(places, letters, strict=True)
        }
        failed = rules.CROSSED * reading.failed
        return {
            **found,
            **dict(zip(LOCKS, reading.locks, strict=True)),
            **dict(zip(FAILED, failed.ljust(MAX_FAILED, rules.OPEN), strict=True)),
        }

    def written(self, reading: QwixxReading) -> Mapping[FigureName, int | None]:
        own = reading.written or Written()
        rows = {("rows", row): figure for row, figure in enumerate(own.rows)}
        return {**rows, ("failed", 0): own.failed, ("total", 0): own.total}

    def parts(self, reading: QwixxReading, layout: Layout) -> Sequence[PartView]:
        points = reading.score
        marks = zip(reading.rows, reading.locks, strict=True)
        notes = [phrase("row-marks", marks=f"{row} {lock}") for row, lock in marks]
        rows = [
            PartView(row_words(row), each, note)
            for row, (each, note) in enumerate(zip(points.rows, notes, strict=True))
        ]
        return (*rows, PartView(phrase("points-failed"), points.failed))

    def columns(self, reading: QwixxReading) -> Mapping[str, object]:
        points = reading.score
        return dict(zip(self.COLUMNS, (*points.rows, points.failed), strict=True))

    def counted(self, where: str, layout: Layout) -> Mapping[str, Fact]:
        return counted(where)

    def printer(self, paper: str, per_page: int, style: str, words: Translator) -> bytes:
        """A sheet to print, as a PDF; raises UnknownValue."""
        from brikks_vision.games.qwixx import pdf  # takes long to import

        return pdf.sheet_pdf(paper, per_page, style, words)

    def learner(self) -> Learner:
        """Learns a printing from a photo of its empty sheet."""
        from brikks_vision.games.qwixx import learn

        return sheet_learner(learn.propose, learn.values_of)


DEFINITION: Qwixx = Qwixx()
