"""Simulated photos of Qwixx sheets: a printing, a game, a hand, a camera, the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from brikks_vision.games.qwixx.game import DEFINITION
from brikks_vision.layout import Layout, Mark, load_layout
from brikks_vision.rules.qwixx.sheet import COLUMNS, CROSSED
from brikks_vision.text.phrases import Phrase
from simulation.hand import Hand, hand_that_shows
from simulation.marks import (
    Drawn,
    Ink,
    MarkedSheet,
    draw_cell_cross,
    draw_digits,
    draw_line,
    draw_ring,
    draw_strike,
    no_marks,
)
from simulation.paper.blank import BlankSheet
from simulation.paper.print_raster import printed_sheet
from simulation.photos import Photo, take_photo
from simulation.qwixx.art import random_sheet
from simulation.qwixx.games import PlayedSheet

OWN = "qwixx"
"""The layout of the sheet that the project prints."""

HABITS = 1 / 3, 0.1
"""Shares of the players who strike numbers that they passed over with a thin horizontal line, and
who circle numbers instead of crossing them."""


@dataclass(frozen=True)
class Shot(Photo):
    """A photo of a marked sheet and all that is true of it."""

    layout: Layout
    marked: MarkedSheet
    played: PlayedSheet
    hand: Hand


@cache
def printed_blank(dots_per_inch: int = 110) -> BlankSheet:
    """The project's own printable sheet as a printer would print it."""
    return printed_sheet(
        DEFINITION.printer("a4", 1, "light", Phrase.text), load_layout(OWN), dots_per_inch, "light"
    )


def any_sheet(rng: np.random.Generator) -> tuple[Layout, BlankSheet]:
    """Any printing; every sixth sheet is the one that the project prints."""
    if rng.random() < 1 / 6:
        return load_layout(OWN), printed_blank()
    return random_sheet(rng)


def mark_sheet(
    blank: BlankSheet,
    layout: Layout,
    played: PlayedSheet,
    hand: Hand,
    rng: np.random.Generator,
    habits: tuple[float, float] = HABITS,
) -> MarkedSheet:
    """Mark a blank sheet as this hand would. ``habits``: how probable, see `HABITS`."""
    ink, marks, state = Ink(blank, hand.pen, rng), no_marks(layout), played.state
    passes, circles = (rng.random() < share for share in habits)
    cells, locks, failed = (layout.fields[name] for name in ("row", "lock", "failed"))
    kind = Mark.RING if circles else Mark.CROSS
    for row, letters in enumerate(state.rows):
        places = cells.centres[COLUMNS * row : COLUMNS * (row + 1)]
        if passes:
            marks["row", Mark.LINE][row] = _strike_passed(ink, hand, letters, places)
        for column, (letter, centre) in enumerate(zip(letters, places, strict=True)):
            if letter == CROSSED:
                marks["row", kind][row, column] = 1
                _draw(ink, hand, centre, circles)
        if state.locks[row] == CROSSED:
            marks["lock", kind][row] = 1
            _draw(ink, hand, locks.centres[row], circles)
    for at, centre in enumerate(failed.centres[: state.failed]):
        marks["failed", Mark.CROSS][at] = 1
        draw_strike(ink, hand, hand.box_strike, centre, failed.size[0])
    written = played.written
    texts = {"rows": written.rows, "failed": (written.failed,), "total": (written.total,)}
    figures = {
        name: tuple("" if value is None else str(value) for value in values)
        for name, values in texts.items()
        if name in layout.figures
    }
    for name, of_field in figures.items():
        field = layout.figures[name]
        for text, centre in zip(of_field, field.centres, strict=True):
            if text:
                width, height = field.size
                size = min(height * rng.uniform(0.5, 0.8), 0.95 * width / (0.62 * len(text)))
                draw_digits(ink, hand, text, centre, size)
    return MarkedSheet(blank, ink.on(blank), Drawn(marks, figures))


def _draw(ink: Ink, hand: Hand, centre: tuple[float, float], circles: bool) -> None:
    if circles:
        draw_ring(ink, hand, centre, 0.62)
    else:
        draw_cell_cross(ink, hand, centre)


def _strike_passed(
    ink: Ink, hand: Hand, letters: str, places: Sequence[tuple[float, float]]
) -> list[bool]:
    """A horizontal line through each run of numbers that were passed over; which these are."""
    start, last = 0, letters.rfind(CROSSED)
    for end in range(last + 1):
        if letters[end] == CROSSED:
            if end > start:
                (left, y), (right, _) = places[start], places[end - 1]
                draw_line(ink, hand, (left - 0.35, y), (right + 0.35, y))
            start = end + 1
    return [at < last and letter != CROSSED for at, letter in enumerate(letters)]


def visible_hand(
    layout: Layout, blank: BlankSheet, rng: np.random.Generator, held_out: bool
) -> Hand:
    """Any hand whose pen shows where this sheet is marked."""
    cells = layout.fields["row"].centres[::COLUMNS]
    hand = hand_that_shows(blank, [*cells, *layout.fields["failed"].centres], rng, held_out)
    return replace(hand, cross_size=min(hand.cross_size, 0.95))


def shoot(
    layout: Layout,
    blank: BlankSheet,
    played: PlayedSheet,
    rng: np.random.Generator,
    tier: str,
    long_side: int,
    held_out: bool = False,
    habits: tuple[float, float] = HABITS,
) -> Shot:
    """Mark the blank sheet by any hand, lay it on a table, photograph it."""
    hand = visible_hand(layout, blank, rng, held_out)
    marked = mark_sheet(blank, layout, played, hand, rng, habits)
    photo = take_photo(marked.picture, blank, layout.page, rng, tier, long_side, layout.marked_area)
    return Shot(**vars(photo), layout=layout, marked=marked, played=played, hand=hand)
