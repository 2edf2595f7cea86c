"""Qwixx as a definition (`brikks_vision.infer.game`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brikks_vision.decode.prices import BROKEN_RULE
from brikks_vision.games.qwixx.reading import QwixxReading
from brikks_vision.games.qwixx.settings import SETTINGS
from brikks_vision.infer.game import Inks, SheetGame, letters_of
from brikks_vision.infer.judging import Judgement
from brikks_vision.infer.posterior import FigureName, Group, Letters
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
    Verdict,
    Written,
    number_at,
    phrase,
    row_words,
)
from brikks_vision.text.phrases import Phrase, Translator

CROSSES: Inks = {rules.CROSSED: (Mark.CROSS, Mark.RING)}
"""A number is crossed or circled; a line through it only says that it was passed over."""

CELLS = tuple(tuple(f"row {row},{column}" for column in range(COLUMNS)) for row in range(ROWS))
LOCKS = tuple(f"lock {row}" for row in range(ROWS))
FAILED = tuple(f"failed {at}" for at in range(MAX_FAILED))


def row_price(letters: Letters) -> float:
    """Of the rules that a row breaks with its lock, the last of the letters."""
    return BROKEN_RULE * len(rules.broken_in(letters[:-1], letters[-1]))


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

    def groups(self, layout: Layout, known: GameSettings) -> Sequence[Group]:
        rows = [
            Group((*CELLS[row], LOCKS[row]), rules.row_points, row_price, ("rows", row))
            for row in range(ROWS)
        ]
        return (*rows, Group(FAILED, failed_points, figure=("failed", 0)))

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
        rows = [PartView(row_words(row), each) for row, each in enumerate(points.rows)]
        return (*rows, PartView(phrase("points-failed"), points.failed))

    def columns(self, reading: QwixxReading) -> Mapping[str, object]:
        points = reading.score
        return dict(zip(self.COLUMNS, (*points.rows, points.failed), strict=True))

    def counted(self, where: str, layout: Layout) -> Mapping[str, int]:
        field, _, numbers = where.partition(" ")
        row, *column = map(int, numbers.split(","))
        if column:
            return {"row": row + 1, "number": number_at(row, column[0])}
        return {"row" if field == "lock" else "number": row + 1}

    def printer(self, paper: str, per_page: int, style: str, words: Translator) -> bytes:
        """A sheet to print, as a PDF; raises UnknownValue."""
        from brikks_vision.games.qwixx import pdf  # takes long to import

        return pdf.sheet_pdf(paper, per_page, style, words)

    def answers_there(self, layout: Layout) -> Phrase:
        return phrase("answers-there")


DEFINITION = Qwixx()
