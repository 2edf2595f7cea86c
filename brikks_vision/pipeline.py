"""From a photo to its reading: the whole pipeline, one step after the other."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode import BarState, Posterior, decode
from brikks_vision.detect.locate import CLEAR_EVIDENCE, locate
from brikks_vision.detect.marks import read_marks
from brikks_vision.detect.photo import Photo, load_photo
from brikks_vision.detect.placement import Placement
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.reading import BlockReading, Doubt, Reading, Status, ViolationReading
from brikks_vision.rules.blocks import kinds_of
from brikks_vision.rules.energy import struck_at_setup
from brikks_vision.rules.referee import Verdict, referee
from brikks_vision.rules.scoring import rank, score
from brikks_vision.rules.state import Energy, SheetState
from brikks_vision.rules.violations import Rule, Violation
from brikks_vision.sheet import Cell, SheetDefinition, load_sheet

LONG_SIDE = 1900  # px: what the sheet needs of a photo to be read as well as can be
BASIC_LEVEL = 2  # the publisher's basic game: the rank is told for it where the level is not known
UNSURE = 0.015  # probability of another total from which on a reading is not called sure
DOUBTED_TOTAL = 0.002  # probability from which on another total is named
DOUBTED_MARK = 0.05  # probability of another state of a mark that leaves the total as it is
MOST_DOUBTS = 5
CANNOT_TELL = 0.2  # probability of the other state from which on a cell is shown as "?"
SURE_FAULT = 0.9  # probability from which on a fault is reported

Source = str | Path | bytes | NDArray[Any]


@dataclass(frozen=True)
class ScanResult:
    """A reading, and what a picture of it needs. ``placement`` belongs to ``photo.image``."""

    reading: Reading
    photo: Photo
    placement: Placement
    posterior: Posterior


def scan(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> Reading:
    """Read one sheet off a photo.

    Parameters
    ----------
    source : path, a file's bytes, or a BGR image array; never changed.
    players, level, variant : what the paper cannot say; None keeps every value that it allows.
    language : "de", "en", "fr" or "es".
    answers : doubts that are settled, such as ``{"cell 3,4": "X"}``.

    Returns
    -------
    Reading
        With status "unreadable" and a sentence where the photo cannot be read.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, ImpossibleGameError
        The call is wrong, whatever the photo shows.

    Examples
    --------
    >>> scan("samples/arcade.jpg").score.total
    102
    """
    try:
        return scan_photo(source, players, level, variant, language, answers).reading
    except PhotoUnreadable as error:
        name = Path(source).name if isinstance(source, (str, Path)) else "photo"
        return Reading.unreadable(name, error.text(language))


def scan_photo(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> ScanResult:
    """Like `scan`, with what an annotated picture needs; raises `PhotoUnreadable`."""
    definition = load_sheet()
    clock = [time.perf_counter()]
    photo = load_photo(source, LONG_SIDE)
    clock.append(time.perf_counter())
    alignment = locate(photo.image, definition)
    placement = alignment.placement
    clock.append(time.perf_counter())
    marks = read_marks(photo.image, placement, definition)
    clock.append(time.perf_counter())
    posterior = decode(marks, definition, answers or {})
    state = with_points_off(posterior.state, definition, players)
    verdict = referee(state, definition, players, level, variant)
    clock.append(time.perf_counter())
    steps = np.diff(clock) * 1000
    reading = build_reading(photo.name, posterior, state, verdict, definition, level, language)
    if alignment.evidence < CLEAR_EVIDENCE:  # the marks may have been read in the wrong places
        reading = replace(reading, status=Status.UNCERTAIN)
    corners = placement.scaled(1 / photo.scale).to_photo(np.asarray(definition.grid.box.corners))
    reading = replace(
        reading,
        corners=tuple((float(x), float(y)) for x, y in corners),
        timing_ms=dict(zip(("load", "locate", "read", "rules"), steps.tolist(), strict=True)),
    )
    return ScanResult(reading, photo, placement, posterior)


def with_points_off(
    state: SheetState, definition: SheetDefinition, players: int | None
) -> SheetState:
    """Points that so many players strike at setup are off; the same ink as used ones."""
    if players is None:
        return state
    struck = struck_at_setup(definition, players)
    energy = tuple(
        Energy.OFF if point in struck and mark is Energy.USED else mark
        for point, mark in enumerate(state.energy)
    )
    return replace(state, energy=energy)


def build_reading(
    name: str,
    posterior: Posterior,
    state: SheetState,
    verdict: Verdict,
    definition: SheetDefinition,
    level: int | None,
    language: str,
) -> Reading:
    """The reading that a posterior and its verdict come to."""
    points = score(state, definition)
    doubts = find_doubts(posterior, definition)
    otherwise = 1 - posterior.totals.get(points.total, 0.0)
    open_totals = [total for total, p in posterior.totals.items() if p >= DOUBTED_TOTAL]
    levels = (level,) if level is not None else verdict.assumed.level
    rank_level = BASIC_LEVEL if BASIC_LEVEL in levels else min(levels, default=BASIC_LEVEL)
    return Reading(
        photo=name,
        status=Status.UNCERTAIN if otherwise > UNSURE else Status.OK,
        sheet=definition.name,
        grid=_grid_strings(posterior, definition),
        blocks=tuple(_block_reading(block, posterior, definition) for block in state.blocks),
        energy=tuple(str(mark) for mark in state.energy),
        bonus_crosses=sum(state.bonus),
        bombs_used=sum(state.bombs),
        score=points,
        total_range=(min([points.total, *open_totals]), max([points.total, *open_totals])),
        rank=rank(points.total, rank_level, language, definition.name),
        doubts=doubts,
        violations=tuple(_sure_violations(verdict, posterior, language)),
        assumed={
            "players": verdict.assumed.players,
            "level": verdict.assumed.level,
            "variant": verdict.assumed.variant,
        },
    )


def _grid_strings(posterior: Posterior, definition: SheetDefinition) -> tuple[str, ...]:
    def letter(cell: Cell) -> str:
        probability = posterior.cells[cell]
        if CANNOT_TELL < probability < 1 - CANNOT_TELL:
            return "?"
        return "X" if cell in posterior.state.crossed else "."

    grid = definition.grid
    return tuple(
        "".join(letter((row, column)) for column in range(grid.columns)) for row in range(grid.rows)
    )


def _block_reading(
    block: frozenset[Cell], posterior: Posterior, definition: SheetDefinition
) -> BlockReading:
    found = kinds_of(block, definition)
    confidence = min(
        (part.states[0][1] for part in posterior.parts if block & set(part.cells)), default=1.0
    )
    return BlockReading(
        color=found[0].color if found else None,
        columns=found[0].columns if found else (),
        cells=tuple(sorted(block)),
        confidence=confidence,
    )


def find_doubts(posterior: Posterior, definition: SheetDefinition) -> tuple[Doubt, ...]:
    """Marks that might be otherwise, those that change the total first."""
    state, total = posterior.state, score(posterior.state, definition).total
    found: dict[str, tuple[float, Doubt]] = {}

    def add(where: str, read: str, probability: float, other_total: int) -> None:
        limit = DOUBTED_MARK if other_total == total else DOUBTED_TOTAL
        if probability >= limit and probability > found.get(where, (0.0, None))[0]:
            found[where] = (probability, Doubt(where, read, 1 - probability, other_total))

    for part in posterior.parts:
        best = part.states[0][0].crossed
        for other, probability in part.states[1:]:
            crossed = (state.crossed - best) | other.crossed
            other_total = score(replace(state, crossed=crossed), definition).total
            for row, column in sorted(best ^ other.crossed)[:1]:
                read = "X" if (row, column) in best else "."
                add(f"cell {row},{column}", read, probability, other_total)
    now = posterior.bars[0][0]
    for bar, probability in posterior.bars[1:]:
        otherwise = replace(state, energy=bar.energy, bonus=bar.bonus, bombs=bar.bombs)
        for where, read in _bar_difference(now, bar)[:1]:
            add(where, read, probability, score(otherwise, definition).total)
    ranked = sorted(
        found.values(), key=lambda entry: (entry[1].total_otherwise == total, -entry[0])
    )
    return tuple(doubt for _, doubt in ranked[:MOST_DOUBTS])


def _bar_difference(now: BarState, other: BarState) -> list[tuple[str, str]]:
    """Marks that differ: where, and how they are read now."""
    energy = [
        (f"energy {at}", str(mark))
        for at, (mark, another) in enumerate(zip(now.energy, other.energy, strict=True))
        if mark is not another
    ]
    crosses = [
        (f"{kind} {at}", "X" if mark else ".")
        for kind, marks, others in (
            ("box", now.bonus, other.bonus),
            ("bomb", now.bombs, other.bombs),
        )
        for at, (mark, another) in enumerate(zip(marks, others, strict=True))
        if mark != another
    ]
    return crosses + energy


def _sure_violations(
    verdict: Verdict, posterior: Posterior, language: str
) -> list[ViolationReading]:
    """The violations that stand on marks which are read surely."""
    found = []
    for violation in verdict.violations:
        confidence = violation.confidence * _evidence(violation, posterior)
        if confidence >= SURE_FAULT:
            found.append(ViolationReading.of(violation, confidence, language))
    return found


BAR_RULES = {Rule.ENERGY_ORDER, Rule.BONUS_ORDER, Rule.BOMB_ORDER}
GRID_RULES = {Rule.NOT_A_BLOCK, Rule.STRAY_MARK, Rule.FLOATING}


def _evidence(violation: Violation, posterior: Posterior) -> float:
    """Probability that the marks which a violation stands on are read rightly."""
    bars = posterior.bars[0][1]
    if violation.rule in BAR_RULES:
        return bars
    if violation.rule in GRID_RULES:
        cells = set(violation.where)
        return prod(part.states[0][1] for part in posterior.parts if cells & set(part.cells))
    grid = prod(part.states[0][1] for part in posterior.parts)
    return grid if violation.rule in (Rule.UNREACHABLE, Rule.START_BLOCK) else grid * bars
