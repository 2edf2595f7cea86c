"""What a scan returns: plain data, the same for the API, the command line and the web page.

Cells are (row, column) from 0 at the grid's top left. Nothing here knows pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal, Self

from brikks_vision.layout import Cell, Point
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.state import Written
from brikks_vision.rules.brikks.violations import Violation


class Status(StrEnum):
    """``OK`` is a promise that the total is right."""

    OK = "ok"
    UNCERTAIN = "uncertain"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Known:
    """What a person says of a game that the paper cannot; None: nothing."""

    players: int | None = None
    level: int | None = None
    variant: str | None = None


@dataclass(frozen=True)
class BlockReading:
    """An outlined block. ``color`` is None and ``columns`` empty where it is no block of the game.

    ``columns``: the columns of the block overview, from 1, that show this shape.
    """

    color: str | None
    columns: tuple[int, ...]
    cells: tuple[Cell, ...]
    confidence: float


@dataclass(frozen=True)
class Doubt:
    """A mark that might be another: ``total_otherwise`` is the total if it is."""

    where: str
    read: str
    confidence: float
    total_otherwise: int | None


@dataclass(frozen=True)
class ViolationReading:
    """A broken rule by its code, where it shows, and the sentence that the user reads.

    ``where``: cells, or numbers from 0 of energy points, boxes, bombs, rows or sheets, as ``part``
    says ("grid", "energy", "bonus", "bombs", "rows", "total" or "sheets").
    """

    rule: str
    where: tuple[Cell, ...] | tuple[int, ...]
    message: str
    confidence: float
    part: str = "grid"

    @classmethod
    def of(cls, violation: Violation, confidence: float, language: str) -> Self:
        """What the rules found, as it is told in ``language``."""
        text = violation.text(language)
        part = str(violation.part)
        return cls(str(violation.rule), violation.where, text, confidence, part)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the grid that it shows in; empty where it shows elsewhere."""
        return tuple(place for place in self.where if isinstance(place, tuple))

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the contract, in plain Python types."""
        return {
            "rule": self.rule,
            "part": self.part,
            "where": _places(self.where),
            "message": self.message,
            "confidence": _probability(self.confidence),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The violation that ``to_dict`` wrote; raises KeyError where a field is missing."""
        where = _where(data["where"])
        part = data.get("part", "grid")
        return cls(data["rule"], where, data["message"], data["confidence"], part)


@dataclass(frozen=True, eq=False)
class Reading:
    """One sheet in one photo.

    ``grid``: one string a row, top first: "X" crossed, "." empty, "?" cannot be told.
    ``energy``: "open", "circled", "used" or "off", in the order of the bar.
    ``corners``: the grid's four corners, clockwise from its top left, in px of the upright
    full-size photo; anticlockwise where the photo is a mirror image. ``undecided``: the names in
    ``assumed`` of which one value leads to another rank or verdict than another.
    ``said_on_sheet``: what is plainly crossed about the game ("level", "players") in the printed
    boxes for it; it counts where nothing else was said. ``timing_ms``: milliseconds by step.
    An unreadable photo has ``error`` and nothing of what stands on a sheet.
    """

    photo: str
    status: Status
    index: int = 0
    game: str | None = None
    sheet: str | None = None
    error: str | None = None
    grid: tuple[str, ...] = ()
    blocks: tuple[BlockReading, ...] = ()
    energy: tuple[str, ...] = ()
    bonus_crosses: int | None = None
    bombs_used: int | None = None
    written: Written | None = None
    score: Score | None = None
    total_range: tuple[int, int] | None = None
    rank: str | None = None
    doubts: tuple[Doubt, ...] = ()
    violations: tuple[ViolationReading, ...] = ()
    assumed: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    undecided: tuple[str, ...] = ()
    said_on_sheet: Mapping[str, int] = field(default_factory=dict)
    corners: tuple[Point, ...] | None = None
    timing_ms: Mapping[str, float] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Whether all fields agree: a reading that comes back from JSON has the base class."""
        if not isinstance(other, Reading):
            return NotImplemented
        return all(
            getattr(self, each.name) == getattr(other, each.name) for each in fields(Reading)
        )

    __hash__ = None  # type: ignore[assignment]  # some of its fields are dictionaries

    @classmethod
    def unreadable(cls, photo: str, error: str, index: int = 0) -> UnreadableSheet:
        """The reading of a sheet that cannot be read; ``error``: why, and what to do."""
        return UnreadableSheet(photo=photo, status=Status.UNREADABLE, index=index, error=error)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the contract, in plain Python types."""
        written, score = self.written, self.score
        return {
            "photo": self.photo,
            "index": self.index,
            "game": self.game,
            "sheet": self.sheet,
            "status": str(self.status),
            "error": self.error,
            "grid": list(self.grid),
            "blocks": [
                {
                    "color": block.color,
                    "columns": list(block.columns),
                    "cells": _lists(block.cells),
                    "confidence": _probability(block.confidence),
                }
                for block in self.blocks
            ],
            "energy": [str(state) for state in self.energy],
            "bonus_crosses": self.bonus_crosses,
            "bombs_used": self.bombs_used,
            "written": written and {"rows": list(written.rows), "total": written.total},
            "score": score
            and {
                "rows": list(score.rows),
                "lines": score.lines,
                "bonus": score.bonus,
                "bombs": score.bombs,
                "energy": score.energy,
                "total": score.total,
            },
            "total_range": None if self.total_range is None else list(self.total_range),
            "rank": self.rank,
            "doubts": [
                {
                    "where": doubt.where,
                    "read": doubt.read,
                    "confidence": _probability(doubt.confidence),
                    "total_otherwise": doubt.total_otherwise,
                }
                for doubt in self.doubts
            ],
            "violations": [violation.to_dict() for violation in self.violations],
            "assumed": {name: list(values) for name, values in self.assumed.items()},
            "undecided": list(self.undecided),
            "said_on_sheet": dict(self.said_on_sheet),
            "corners": None
            if self.corners is None
            else [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners],
            "timing_ms": {step: round(float(ms), 1) for step, ms in self.timing_ms.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The reading that ``to_dict`` wrote; fields that are missing keep their defaults.

        Raises
        ------
        KeyError
            ``photo`` or ``status``, or a field inside a block, score, doubt or violation, is
            missing.
        ValueError
            ``status`` is none of the three.
        """
        written, score = data.get("written"), data.get("score")
        total_range, corners = data.get("total_range"), data.get("corners")
        return cls(
            photo=data["photo"],
            status=Status(data["status"]),
            index=data.get("index", 0),
            game=data.get("game"),
            sheet=data.get("sheet"),
            error=data.get("error"),
            grid=tuple(data.get("grid", ())),
            blocks=tuple(
                BlockReading(
                    block["color"],
                    tuple(block["columns"]),
                    _cells(block["cells"]),
                    block["confidence"],
                )
                for block in data.get("blocks", ())
            ),
            energy=tuple(data.get("energy", ())),
            bonus_crosses=data.get("bonus_crosses"),
            bombs_used=data.get("bombs_used"),
            written=written and Written(tuple(written["rows"]), written["total"]),
            score=score
            and Score(
                tuple(score["rows"]),
                score["lines"],
                score["bonus"],
                score["bombs"],
                score["energy"],
                score["total"],
            ),
            total_range=None if total_range is None else (total_range[0], total_range[1]),
            rank=data.get("rank"),
            doubts=tuple(
                Doubt(d["where"], d["read"], d["confidence"], d["total_otherwise"])
                for d in data.get("doubts", ())
            ),
            violations=tuple(
                ViolationReading.from_dict(violation) for violation in data.get("violations", ())
            ),
            assumed={name: tuple(values) for name, values in data.get("assumed", {}).items()},
            undecided=tuple(data.get("undecided", ())),
            said_on_sheet=dict(data.get("said_on_sheet", {})),
            corners=None if corners is None else tuple((x, y) for x, y in corners),
            timing_ms=dict(data.get("timing_ms", {})),
        )


@dataclass(frozen=True, eq=False)
class ReadSheet(Reading):
    """A sheet that was read, surely or not: it has a score and every total that is open."""

    status: Literal[Status.OK, Status.UNCERTAIN]
    error: None = None
    score: Score = field(kw_only=True)
    total_range: tuple[int, int] = field(kw_only=True)


@dataclass(frozen=True, eq=False)
class UnreadableSheet(Reading):
    """A sheet that could not be read: ``error`` says why, and what to do."""

    status: Literal[Status.UNREADABLE]
    error: str = field(kw_only=True)
    score: None = None
    total_range: None = None


AnyReading = ReadSheet | UnreadableSheet
"""What a scan returns; checking ``status`` (or the class) tells a type checker which of them."""


def _lists(cells: tuple[Cell, ...]) -> list[list[int]]:
    return [[int(row), int(column)] for row, column in cells]


def _cells(lists: list[list[int]]) -> tuple[Cell, ...]:
    return tuple((row, column) for row, column in lists)


def _places(where: tuple[Cell, ...] | tuple[int, ...]) -> list[list[int] | int]:
    return [int(at) if isinstance(at, int) else [int(at[0]), int(at[1])] for at in where]


def _where(places: list[Any]) -> tuple[Cell, ...] | tuple[int, ...]:
    if all(isinstance(at, int) for at in places):
        return tuple(places)
    return _cells(places)


def _probability(confidence: float) -> float:
    return round(float(confidence), 4)
