"""Readings of several photos: the sheets of one game, or one sheet before and after a turn.

They are plain data like a reading, derived from the posteriors of the sheets. As in a reading, a
violation is reported only if the marks that prove it are certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from brikks_vision.decode.confidence import States, judge_with_doubts
from brikks_vision.decode.prices import MAX_OTHER_TOTAL, MIN_TOLD_VIOLATION
from brikks_vision.decode.table import TableReading, proven_together, read_table
from brikks_vision.games.brikks.compose import with_points_off
from brikks_vision.games.brikks.decode import range_of_totals
from brikks_vision.games.brikks.posterior import Posterior
from brikks_vision.layout import Cell, Layout
from brikks_vision.reading import NO_SETTINGS, GameSettings, Status, ViolationReading
from brikks_vision.rules.brikks.blocks import kinds_of
from brikks_vision.rules.brikks.play import Roll
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import sheet_of
from brikks_vision.rules.brikks.state import SheetState
from brikks_vision.rules.brikks.table import Result, TableVerdict, judge_table
from brikks_vision.rules.brikks.turn import TurnVerdict, judge_out, judge_turn
from brikks_vision.rules.brikks.violations import Part, Violation, block_words
from brikks_vision.text.phrases import Phrase

Verdict = TypeVar("Verdict")


@dataclass(frozen=True)
class GameReading(TableReading[Result]):
    """The sheets of one game; a duel has rounds besides."""

    def points_json(self, result: Result) -> dict[str, Any]:
        return {"lines": result.score.lines, "rounds": result.rounds}


@dataclass(frozen=True)
class TurnReading:
    """One turn.

    status: OK if the turn and the verdict are sure. photos: names, before and after. color,
    columns, added: the block, by the overview and in words. grid: top row first: "x" crossed
    before, "X" new, "-" gone, "." empty. points: increase of the total.
    """

    status: Status
    photos: tuple[str, str]
    roll: Roll | None
    verdict: TurnVerdict
    color: str | None
    columns: tuple[int, ...]
    added: Phrase | None
    grid: tuple[str, ...]
    points: int
    violations: tuple[ViolationReading, ...]

    @property
    def followed(self) -> dict[str, bool]:
        """By bar, whether its marks follow the turn, as far as this is certain."""
        wrong = {violation.part for violation in self.violations}
        return {str(part): part not in wrong for part in (Part.ENERGY, Part.BONUS, Part.BOMBS)}

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that follows those of the readings, in plain Python types."""
        turn = self.verdict
        return {
            "turn": {
                "status": str(self.status),
                "photos": list(self.photos),
                "roll": _roll_json(self.roll),
                "added": None
                if turn.added is None
                else {
                    "color": self.color,
                    "columns": list(self.columns),
                    "cells": _cells_json(sorted(turn.added)),
                },
                "way": _cells_json(turn.way),
                "minis": [_cells_json(sorted(mini)) for mini in turn.minis],
                "bombs_used": turn.bombs,
                "costs": list(turn.costs),
                "circles": _cells_json(turn.circles),
                "rows": list(turn.rows),
                "energy_circled": turn.circled,
                "energy_crossed_out": turn.crossed_out,
                "crosses_earned": turn.crosses,
                "crosses_added": turn.new_crosses,
                "points": self.points,
                "followed": self.followed,
                "violations": [violation.to_dict() for violation in self.violations],
            }
        }


@dataclass(frozen=True)
class OutReading:
    """A player who claims to be out. status: OK if the verdict is sure."""

    status: Status
    photo: str
    roll: Roll | None
    violations: tuple[ViolationReading, ...]

    @property
    def is_out(self) -> bool | None:
        """Whether no legal place was left; None if that is not certain."""
        if self.violations:
            return False
        return None if self.roll is None or self.status is not Status.OK else True

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that follows that of the reading, in plain Python types."""
        return {
            "turn": {
                "status": str(self.status),
                "photos": [self.photo],
                "out": self.is_out,
                "roll": _roll_json(self.roll),
                "violations": [violation.to_dict() for violation in self.violations],
            }
        }


def read_game(
    photos: Sequence[str],
    sheets: Sequence[Posterior | None],
    layout: Layout,
    known: GameSettings = NO_SETTINGS,
    names: Sequence[str | None] = (),
) -> GameReading:
    """Rank the sheets of one game and judge them together.

    sheets: one for each photo, None if it could not be read. known: the players are as many as the
    photos where their number is not. names: the player of each sheet, or empty.

    Raises
    ------
    NoSuchTableError
        The variant is not for so many players.
    """
    hidden = [number for number, sheet in enumerate(sheets) if sheet and sheet.hidden]

    def judge(states: States[SheetState]) -> TableVerdict:
        return judge_table(states, sheet_of(layout), known.get("variant"))

    is_open = any(map(_hides_points, sheets))
    return read_table(
        GameReading, photos, sheets, judge, known.get("players"), names, hidden, is_open
    )


def _hides_points(sheet: Posterior | None) -> bool:
    """Whether something on a sheet leaves its total open."""
    if sheet is None or not sheet.hidden:
        return False
    least, most = range_of_totals(sheet)
    return least != most


def read_turn(
    photos: tuple[str, str],
    sheets: tuple[Posterior, Posterior],
    roll: Roll | None = None,
    known: GameSettings = NO_SETTINGS,
) -> TurnReading:
    """Judge what was added to a sheet between two photos, before and after.

    Where something hides a part of either, nothing is sure and nothing is held against the player.
    """

    def judge(states: States[SheetState]) -> TurnVerdict:
        then, now = (with_points_off(state, known.get("players")) for state in states if state)
        return judge_turn(then, now, roll, known.get("level"), known.get("variant"))

    judged = judge_with_doubts(sheets, judge)
    turn, sheet = judged.verdict, sheets[0].state.sheet
    found = kinds_of(turn.added, sheet) if turn.added else ()
    totals = [score(sheet.state).total for sheet in sheets]
    is_partly_hidden = any(sheet.hidden for sheet in sheets)
    proven = proven_together(judged, lambda verdict: verdict.violations)
    violations = () if is_partly_hidden else proven
    done = _what_was_done(turn)
    same = judged.probability(lambda other: _what_was_done(other) == done)
    is_sure = (
        same >= 1 - MAX_OTHER_TOTAL
        and len(violations) == len(turn.violations)
        and not is_partly_hidden
    )
    return TurnReading(
        status=Status.OK if is_sure else Status.UNCERTAIN,
        photos=photos,
        roll=roll,
        verdict=turn,
        color=found[0].color if found else None,
        columns=found[0].columns if found else (),
        added=block_words(turn.added, sheet) if turn.added else None,
        grid=_new_marks(sheets[0].state, sheets[1].state),
        points=totals[1] - totals[0],
        violations=violations,
    )


def read_out(
    photo: str,
    sheet: Posterior,
    roll: Roll | None = None,
    known: GameSettings = NO_SETTINGS,
) -> OutReading:
    """Judge whether a player had no legal place left."""

    def judge(states: States[SheetState]) -> tuple[Violation, ...]:
        (state,) = (with_points_off(state, known.get("players")) for state in states if state)
        return judge_out(state, roll)

    judged = judge_with_doubts([sheet], judge)
    is_wrong = bool(judged.verdict)
    # Any other legal place, or the same at another price, proves the same.
    certainty = judged.probability(lambda found: bool(found) == is_wrong)
    if sheet.hidden:  # a block may lie where a place seems to be left
        certainty = 0.0
    told = judged.verdict if certainty >= MIN_TOLD_VIOLATION else ()
    return OutReading(
        status=Status.OK if certainty >= 1 - MAX_OTHER_TOTAL else Status.UNCERTAIN,
        photo=photo,
        roll=roll,
        violations=tuple(ViolationReading.of(each, certainty) for each in told),
    )


def _what_was_done(turn: TurnVerdict) -> tuple[object, ...]:
    marks = turn.circled, turn.crossed_out, turn.new_crosses
    return turn.added, turn.blocks, set(turn.minis), turn.bombs, turn.crosses, marks


def _new_marks(before: SheetState, after: SheetState) -> tuple[str, ...]:
    """The grid, top row first: "x" crossed before, "X" new, "-" gone, "." empty."""

    def sign(cell: Cell) -> str:
        was, is_now = cell in before.crossed, cell in after.crossed
        return {(0, 0): ".", (0, 1): "X", (1, 0): "-", (1, 1): "x"}[was, is_now]

    sheet = before.sheet
    return tuple(
        "".join(sign((row, column)) for column in range(sheet.columns)) for row in range(sheet.rows)
    )


def _roll_json(roll: Roll | None) -> dict[str, Any] | None:
    return None if roll is None else {"color": roll.color, "column": roll.column}


def _cells_json(cells: Sequence[Cell]) -> list[list[int]]:
    return [[int(row), int(column)] for row, column in cells]
