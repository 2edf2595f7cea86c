"""Marks a sheet of Brikks as a player would: which mark stands where, and what is written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.brikks.reading import (
    BOMBS,
    BOXES,
    CELLS,
    HORIZONTALS,
    RINGS,
    STRIKES,
    VERTICALS,
)
from brikks_vision.layout import Box, Layout
from brikks_vision.rules.brikks.blocks import Energy, SheetState
from brikks_vision.rules.brikks.scoring import score
from simulation.brikks.decoration import decoration_of
from simulation.corrections import draw_mistakes
from simulation.hand import Hand, hand_that_shows
from simulation.marks import (
    FILLS,
    Drawn,
    Ink,
    draw_cell_cross,
    draw_digits,
    draw_fill,
    draw_outline,
    draw_ring,
    draw_stray,
    draw_strike,
    nearby,
    no_marks,
    outlined_edges,
)
from simulation.paper.blank import BlankSheet

Image = NDArray[np.uint8]

NOTE_GAP = 1.128  # cells from the lowest energy point to the notes below
MISTAKEN_SHARE = 0.03  # of the sheets: some marks were made by mistake and cancelled
FILLED_SHARE = 0.0  # of the sheets: cells are filled in where others make crosses


def draw_state(
    blank: BlankSheet,
    layout: Layout,
    state: SheetState,
    hand: Hand,
    rng: np.random.Generator,
    mistaken: float = MISTAKEN_SHARE,
    filled: float = FILLED_SHARE,
) -> tuple[Image, Drawn]:
    """Mark a blank sheet as this hand would.

    ``mistaken``, ``filled``: shares of sheets with cancelled marks, with cells filled in.

    Returns the picture (uint8 BGR, same size as the blank) and what it truly bears.
    """
    ink, grid, marks = Ink(blank, hand.pen, rng), layout.grid, no_marks(layout)
    for block in state.blocks:
        edges = outlined_edges(ink, hand, block, grid)
        if edges:
            draw_outline(ink, hand, edges)
        for kind, row, column in edges:
            marks[VERTICALS if kind == "v" else HORIZONTALS][row, column] = 1
    fill = (
        str(ink.slips.spawn(1)[0].choice(FILLS)) if filled and ink.slips.random() < filled else ""
    )
    for row, column in sorted(state.crossed):
        middle = column + 0.5, row + 0.5
        if fill:
            draw_fill(ink, hand, middle, (1.0, 1.0), fill)
        else:
            draw_cell_cross(ink, hand, middle)
        marks[CELLS][row, column] = 1
    _draw_energy(ink, hand, layout, state, marks)
    for key, crossed, strike in (
        (BOXES, state.bonus, hand.box_strike),
        (BOMBS, state.bombs, hand.figure_strike),
    ):
        field = layout.fields[key[0]]
        for place, centre in enumerate(field.centres):
            if crossed[place]:
                draw_strike(ink, hand, strike, centre, field.size[0])
                marks[key][place] = 1
    figures = _draw_figures(ink, hand, layout, state, blank.total_field)
    for _ in range(rng.poisson(hand.strays)):
        draw_stray(ink, hand, layout.page, _note_margins(layout))
    drawn = Drawn(marks, figures)
    if rng.random() < mistaken:
        drawn = draw_mistakes(ink, hand, layout, drawn)
    return ink.on(blank), replace(drawn, is_filled=bool(fill))


def _draw_energy(
    ink: Ink,
    hand: Hand,
    layout: Layout,
    state: SheetState,
    marks: dict[tuple[str, str], NDArray[np.float32]],
) -> None:
    """Rings and strikes of the energy bar; printed rings are drawn by nobody."""
    field = layout.fields[RINGS[0]]
    for point, (centre, mark) in enumerate(zip(field.centres, state.energy, strict=True)):
        is_ringed = mark is Energy.CIRCLED or (mark is Energy.USED and hand.rings_under_strikes)
        if is_ringed and point not in state.sheet.preprinted:
            draw_ring(ink, hand, centre, field.size[0])
            marks[RINGS][point] = 1
        if mark in (Energy.USED, Energy.OFF):
            draw_strike(ink, hand, hand.circle_strike, centre, field.size[0])
            marks[STRIKES][point] = 1


def _draw_figures(
    ink: Ink, hand: Hand, layout: Layout, state: SheetState, has_total_field: bool
) -> dict[str, tuple[str, ...]]:
    """The figures that the player writes, by name: those of the rows, and the total."""
    rng, decoration = ink.rng, decoration_of(layout)
    rows, total = _written_figures(state, hand, rng)
    strip, field = decoration.score_strip, decoration.total_field
    for row, text in enumerate(rows):
        centre = nearby(rng, ((strip.left + strip.right) / 2, row + 0.5), 0.08)
        draw_digits(ink, hand, text, centre, rng.uniform(0.5, 0.8))
    if not has_total_field:
        total = ""
    if total and field:
        draw_digits(ink, hand, total, field.middle, rng.uniform(0.6, 0.8))
    return {"rows": rows, "total": (total,)}


def _written_figures(
    state: SheetState, hand: Hand, rng: np.random.Generator
) -> tuple[tuple[str, ...], str]:
    """The row points and total that this player writes: a slip now and then, dashes for 0."""
    points = score(state)
    dash = rng.random() < 0.3
    rows = ["-" if value == 0 and dash else str(value) for value in points.rows]
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.15 else 0):
        rows[int(rng.integers(len(rows)))] = str(int(rng.integers(0, 100)))
    if not hand.writes_rows:
        rows = [""] * len(rows)
    total = str(max(0, points.total + (int(rng.integers(-10, 11)) if rng.random() < 0.1 else 0)))
    return tuple(rows), total if hand.writes_total else ""


def _note_margins(layout: Layout) -> tuple[Box, Box]:
    """Where a player may write a note: above the screen and below the energy bar."""
    page, screen = layout.page, decoration_of(layout).screen
    left, right = page.left + 3, page.right - 3
    lowest_point = max(y for _, y in layout.fields[RINGS[0]].centres)
    return (
        Box(left, page.top + 0.6, right, screen.top - 1.2),
        Box(left, lowest_point + NOTE_GAP, right, page.bottom - 0.6),
    )


def visible_hand(
    layout: Layout, blank: BlankSheet, rng: np.random.Generator, held_out: bool
) -> Hand:
    """Any hand whose pen shows where this sheet is marked, unless none of 40 does."""
    return hand_that_shows(blank, marked_spots(layout), rng, held_out)


def marked_spots(layout: Layout) -> list[tuple[float, float]]:
    """Places of every kind of print that a player marks, in cells."""
    fields = layout.fields
    cells = [(column + 0.5, zone.first + 0.5) for zone in layout.grid.zones for column in (2, 5)]
    energy, boxes = fields[RINGS[0]].centres, fields[BOXES[0]].centres
    return [*cells, *boxes[:3], *energy[4:8], *fields[BOMBS[0]].centres]
