"""Shapes of blocks, broken rules, lost points, results: what the rules of games share.

A point counts as lost where it was within reach: one step more of its kind would have given it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brikks_vision.layout import Cell
from brikks_vision.text.phrases import Phrase, Told, Translator

Shape = tuple[Cell, ...]
"""Cells (row, column) from the shape's own top left, sorted."""


def shape_of(cells: Iterable[Cell]) -> Shape:
    """The cells moved to the top left corner, sorted."""
    cells = tuple(cells)
    top, left = corner_of(cells)
    return tuple(sorted([(row - top, column - left) for row, column in cells]))


def corner_of(cells: Iterable[Cell]) -> Cell:
    """The top left corner of the cells' bounding box."""
    rows, columns = zip(*cells, strict=True)
    return min(rows), min(columns)


def placed(shape: Shape, corner: Cell) -> frozenset[Cell]:
    """The shape's cells with its bounding box's top left at ``corner``."""
    return frozenset((corner[0] + row, corner[1] + column) for row, column in shape)


def neighbors(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The cells that share a side with a cell, some of them perhaps outside the grid."""
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def connected(cells: Iterable[Cell]) -> tuple[frozenset[Cell], ...]:
    """Groups of cells that are connected by their sides, by their first cell."""
    left, groups = set(cells), []
    for first in sorted(left):
        if first not in left:
            continue
        group = {first}
        queue = [first]
        for cell in queue:
            fresh = [near for near in neighbors(cell) if near in left and near not in group]
            group.update(fresh)
            queue += fresh
        left -= group
        groups.append(frozenset(group))
    return tuple(groups)


def shared_cells(groups: Iterable[frozenset[Cell]]) -> frozenset[Cell]:
    """Cells that lie in more than one of the groups."""
    seen: set[Cell] = set()
    shared: set[Cell] = set()
    for group in groups:
        shared |= group & seen
        seen |= group
    return frozenset(shared)


def bottom_up(groups: Iterable[frozenset[Cell]]) -> tuple[frozenset[Cell], ...]:
    """Groups in reading order from the floor: lowest cell first, then from the left."""
    return tuple(
        sorted(
            groups,
            key=lambda group: (
                -max((row for row, _ in group), default=0),
                min((column for _, column in group), default=0),
                sorted(group),
            ),
        )
    )


FORGOTTEN_LINE = 0.5
"""Confidence that marks break a rule if only a line may be missing.

An outline that holds several whole shapes, or adjacent outlines that do together; marks without an
outline that are whole shapes; an outline that is no shape while such marks exist elsewhere.
"""

MAX_FILLED = 24
"""Cells; a larger group counts as several shapes without their lines, untried."""

Oddity = tuple[frozenset[Cell], float]
"""Cells that break a rule of outlines, and how surely, 0 to 1."""


def outlines_most(groups: Sequence[frozenset[Cell]], marked: frozenset[Cell]) -> bool:
    """Whether outlines are drawn, around at least most of the marked cells."""
    return bool(groups) and 2 * len(marked & _all(groups)) >= len(marked)


def oddities(
    odd: Sequence[frozenset[Cell]],
    groups: Sequence[frozenset[Cell]],
    marked: frozenset[Cell],
    may_lack_lines: Callable[[frozenset[Cell]], bool],
) -> tuple[list[Oddity], list[Oddity]]:
    """Outlined groups that are no shapes, and marked cells outside of every outline.

    odd: those of the groups. may_lack_lines: whether cells would be shapes if lines were added.
    """
    strays = connected(marked - _all(groups))
    # where one shape lacks its outline, others may, too, and stand within their neighbours'
    is_partial = any(map(may_lack_lines, strays))
    # shapes between which one line is wrong: each of them is odd, together they are whole
    whole = _all(filter(may_lack_lines, connected(_all(odd))))

    def told(cells: frozenset[Cell], is_unsure: bool) -> Oddity:
        return cells, FORGOTTEN_LINE if is_unsure or may_lack_lines(cells) else 1.0

    of_groups = [told(group, is_partial or bool(group & whole)) for group in odd]
    return of_groups, [told(cells, False) for cells in strays]


def _all(groups: Iterable[frozenset[Cell]]) -> frozenset[Cell]:
    return frozenset[Cell]().union(*groups)


def falls_into(cells: frozenset[Cell], shapes: Collection[Shape]) -> bool:
    """Whether shapes fill the cells exactly (exact cover, cell by cell)."""
    return len(cells) > MAX_FILLED or _fill(cells, shapes, set())


def _fill(cells: frozenset[Cell], shapes: Collection[Shape], failed: set[frozenset[Cell]]) -> bool:
    if not cells or cells in failed:
        return not cells
    row, column = min(cells)
    for shape in shapes:
        corner = (row - shape[0][0], column - shape[0][1])
        if (piece := placed(shape, corner)) <= cells and _fill(cells - piece, shapes, failed):
            return True
    failed.add(cells)
    return False


@dataclass(frozen=True)
class Violation(Told):
    """One broken rule.

    part, where: what it shows in, and there cells (row, column), or numbers from 0 of places, rows
    or sheets; nothing for some figures. told: what the players are told. confidence: 0 to 1; the
    rules alone are certain, a reading multiplies in how sure it is of the marks.
    """

    rule: str
    part: str
    where: tuple[Cell, ...] | tuple[int, ...]
    told: Phrase
    confidence: float = 1.0


@dataclass(frozen=True)
class Verdict:
    """What is broken on a sheet."""

    violations: tuple[Any, ...]


@dataclass(frozen=True)
class Lost(Told):
    """Points that a sheet lost at one place.

    cause: of the contract, such as "row". where: the place as the contract names it, "row 7".
    points: from 1. told: what is lacking. cells: those of the grid that lack it. last_turn: whether
    another last placement would surely have given them, and left the sheet with more points.
    """

    cause: str
    where: str
    points: int
    told: Phrase
    cells: tuple[Cell, ...] = ()
    last_turn: bool = False

    def to_dict(self, words: Translator = Phrase.sentence) -> dict[str, Any]:
        """The JSON object of the contract, in plain Python types; ``words`` make the message."""
        return {
            "cause": self.cause,
            "where": self.where,
            "points": self.points,
            "cells": [[int(row), int(column)] for row, column in self.cells],
            "last_turn": self.last_turn,
            "message": words(self.told),
        }


def most_first(lost: Iterable[Lost]) -> tuple[Lost, ...]:
    """What was lost, most points first; equal ones as they come."""
    return tuple(sorted(lost, key=lambda each: -each.points))


@dataclass(frozen=True)
class Result:
    """One player's result.

    score: what the sheet is worth. place: from 1, shared in a tie; None if it is not known. rounds:
    survived; None where that does not count, or the sheet does not tell.
    """

    sheet: int
    score: Any
    place: int | None
    rounds: int | None = None


@dataclass(frozen=True)
class TableVerdict:
    """What the rules say of the sheets of one game.

    results: in the order of the sheets, without those that are not known. violations: those that no
    single sheet shows.
    """

    results: tuple[Result, ...]
    violations: tuple[Any, ...]
    variant: str = "standard"


class NoSuchTableError(ValueError):
    """There are too few or too many sheets for one game; players: as many as can play it."""

    def __init__(self, sheets: int, game: str, players: Sequence[int]) -> None:
        count = "1 sheet" if sheets == 1 else f"{sheets} sheets"
        super().__init__(
            f"{count} cannot be one {game} game; give the sheets of all its {min(players)} to "
            f"{max(players)} players, each once."
        )


def ranked(scores: Mapping[int, Any]) -> tuple[Result, ...]:
    """Results by the total; those who tie share a place. scores: by sheet."""
    totals = [points.total for points in scores.values()]
    return tuple(
        Result(at, points, 1 + sum(total > points.total for total in totals))
        for at, points in scores.items()
    )
