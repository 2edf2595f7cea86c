"""Marks a sheet of BLOXX! as a player would: which mark stands where, and what is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Box, Cell, Field, Layout, Point
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Shape, SheetState, Written
from brikks_vision.rules.shapes import connected
from simulation.bloxx import keys
from simulation.bloxx.games import PlayedSheet
from simulation.corrections import draw_mistakes
from simulation.hand import Hand
from simulation.marks import (
    FILLS,
    Drawn,
    Ink,
    MarkedSheet,
    draw_cell_cross,
    draw_digits,
    draw_fill,
    draw_outline,
    draw_ring,
    draw_stray,
    draw_strike,
    no_marks,
    outlined_edges,
    strike_for,
)
from simulation.paper.blank import BlankSheet

Marks = dict[tuple[str, str], NDArray[np.float32]]

CIRCLE_WIDTH = 0.62
"""Of what a circle in a cell goes around, in cells; there is mostly nothing printed."""

MAX_CIRCLE = 0.95  # cells, of a circle in a cell
MAX_BONUS_MARK = 1.4  # distances to the nearest other bonus: of the width of a ring or strike
FILL_SHARES = (0.35, 0.35, 0.3)  # of the players, in the order of `FILLS`
JOINED_SHARE = 0.25  # of the players: gaps below each other are coloured in at once
MINUS_SHARE = 0.25  # of the players: they write a minus before the penalty
MAX_JOINED = 3  # gaps that are coloured in at once
JOINED_MARGIN = 0.12  # cells that are left free at both ends of several
MISTAKEN_SHARE = 0.03  # of the sheets: some marks were made by mistake and cancelled
CORRECTED_SHARE = 0.01  # of the gaps: crossed by mistake, and coloured in over the cross


@dataclass(frozen=True)
class PlayersSheet(MarkedSheet):
    """The marked sheet of one player. outlined: the shapes around which they drew outlines."""

    played: PlayedSheet
    hand: Hand
    outlined: tuple[Shape, ...]

    @property
    def seen(self) -> SheetState:
        """The state that the marks show: shapes without outlines are not known as such."""
        return replace(self.played.state, shapes=self.outlined)


def mark_sheet(
    blank: BlankSheet,
    layout: Layout,
    played: PlayedSheet,
    hand: Hand,
    rng: np.random.Generator,
    mistaken: float = MISTAKEN_SHARE,
) -> PlayersSheet:
    """Mark a blank sheet as this hand would; ``mistaken``: share of those with cancelled marks."""
    ink, marks, state = Ink(blank, hand.pen, rng), no_marks(layout), played.state
    outlined = []
    for shape in state.shapes:
        edges = outlined_edges(ink, hand, shape, layout.grid)
        if not edges:
            continue
        outlined.append(shape)
        draw_outline(ink, hand, edges)
        for kind, row, column in edges:
            marks[keys.VERTICALS if kind == "v" else keys.HORIZONTALS][row, column] = 1
    _draw_cells(ink, hand, state, marks)
    _draw_bonuses(ink, hand, layout, state, marks)
    figures = _draw_figures(ink, hand, layout, played.written)
    for _ in range(rng.poisson(hand.strays)):
        draw_stray(ink, hand, layout.page, _note_margins(layout))
    drawn = Drawn(marks, figures)
    if ink.slips.spawn(1)[0].random() < mistaken:
        drawn = draw_mistakes(ink, hand, layout, drawn)
    return PlayersSheet(blank, ink.on(blank), drawn, played, hand, tuple(outlined))


def _middle(cell: Cell) -> Point:
    return cell[1] + 0.5, cell[0] + 0.5


def _draw_cells(ink: Ink, hand: Hand, state: SheetState, marks: Marks) -> None:
    """Crosses, circles and gaps; the gaps as this hand colours in."""
    kind, joins = str(ink.rng.choice(FILLS, p=FILL_SHARES)), ink.rng.random() < JOINED_SHARE
    width = min(CIRCLE_WIDTH, MAX_CIRCLE / hand.ring_size)
    for cell in sorted(state.drawn):
        if state.mark(cell) is Mark.CROSS:
            draw_cell_cross(ink, hand, _middle(cell))
            marks[keys.CROSSES][cell] = 1
        else:
            draw_ring(ink, hand, _middle(cell), width)
            marks[keys.CIRCLES][cell] = 1
    for run in _runs(state.gaps) if joins else [(cell, cell) for cell in sorted(state.gaps)]:
        (top, column), (bottom, _) = run
        height = bottom - top + 1.0
        drawn_height = height - 2 * JOINED_MARGIN if bottom > top else height
        if ink.rng.random() < CORRECTED_SHARE:
            draw_cell_cross(ink, hand, _middle((top, column)))
            marks[keys.CROSSES][top, column] = 0.5
        draw_fill(ink, hand, (column + 0.5, top + height / 2), (1.0, drawn_height), kind)
        marks[keys.GAPS][top : bottom + 1, column] = 1


def _runs(cells: frozenset[Cell]) -> list[tuple[Cell, Cell]]:
    """Cells straight below each other, as the first and the last of each run of a few."""
    columns = {column for _, column in cells}
    groups = [
        group
        for column in sorted(columns)
        for group in connected(cell for cell in cells if cell[1] == column)
    ]
    return [
        (part[0], part[-1])
        for group in map(sorted, groups)
        for part in (group[at : at + MAX_JOINED] for at in range(0, len(group), MAX_JOINED))
    ]


def _draw_bonuses(ink: Ink, hand: Hand, layout: Layout, state: SheetState, marks: Marks) -> None:
    field = layout.fields[keys.BONUS]
    strike = strike_for(hand, field)
    bonuses = [mark for figures in state.bonuses for mark in figures]
    for place, (centre, mark) in enumerate(zip(field.centres, bonuses, strict=True)):
        room = MAX_BONUS_MARK * _nearest(field, place)
        if mark is BonusMark.CIRCLED:
            draw_ring(ink, hand, centre, min(field.size[0], room / hand.ring_size))
            marks[keys.CIRCLED][place] = 1
        elif mark is BonusMark.STRUCK and strike is not None:
            draw_strike(ink, hand, strike, centre, min(field.size[0], room / strike.sizes[1]))
            marks[keys.STRUCK][place] = 1


def _nearest(field: Field, place: int) -> float:
    """How far the nearest other place of the field is, in cells."""
    x, y = field.centres[place]
    others = field.centres[:place] + field.centres[place + 1 :]
    return min((float(np.hypot(x - other, y - down)) for other, down in others), default=np.inf)


def _draw_figures(
    ink: Ink, hand: Hand, layout: Layout, written: Written
) -> dict[str, tuple[str, ...]]:
    """The figures that the player writes, by name; a minus before the penalty now and then."""
    minus = "-" if ink.rng.random() < MINUS_SHARE else ""
    texts: Mapping[str, int | None] = vars(written)
    figures = {}
    for name, field in layout.figures.items():
        value = texts[name]
        text = "" if value is None else str(value)
        if text and name == "penalty" and value:
            text = minus + text
        if text:
            width, height = field.size
            size = min(height * ink.rng.uniform(0.5, 0.8), 0.95 * width / (0.62 * len(text)))
            draw_digits(ink, hand, text, field.centres[0], size)
        figures[name] = (text,)
    return figures


def _note_margins(layout: Layout) -> tuple[Box, ...]:
    """Where a player may write a note: above the grid and below all places, if there is room."""
    page, marked = layout.page, layout.marked_area
    left, right = page.left + 1, page.right - 1
    margins = (
        Box(left, page.top + 0.7, right, marked.top - 0.8),
        Box(left, marked.bottom + 0.8, right, page.bottom - 0.7),
    )
    return tuple(margin for margin in margins if margin.height > 0)
