"""Marks that a player made by mistake and cancelled: struck through, scribbled over, painted white.

They know no game: wrong marks come to places of any layout that bear none, as this hand makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Field, Layout, Mark
from simulation.hand import Hand
from simulation.marks import (
    Drawn,
    Ink,
    block_edges,
    draw_cell_cross,
    draw_digits,
    draw_line,
    draw_outline,
    draw_ring,
    draw_strike,
    scribble,
    strike_for,
)

Points = NDArray[np.float64]
Cancel = Callable[[Ink, Hand, Points, tuple[float, float]], None]
"""Cancels the marks at places in one line, (N, 2) in cells, of that width and height."""

MAX_MISTAKES = 4  # of a sheet with any
MAX_RUN = 6  # cells side by side that are struck through at once
OTHER_FIELDS_SHARE = 0.45  # of the mistakes: not in the grid
FIGURE_SHARE = 0.3  # of the sheets with mistakes: a written figure is struck out, too
WRITTEN_ON_WHITE = 0.4  # of the painted sheets: a valid mark stands on white paint


def draw_mistakes(ink: Ink, hand: Hand, layout: Layout, drawn: Drawn) -> Drawn:
    """Draw some wrong marks and cancel them; what the sheet truly bears, with these."""
    rng = ink.slips
    marks = {key: array.copy() for key, array in drawn.marks.items()}
    cancelled = {name: np.zeros(field.shape, np.bool_) for name, field in layout.fields.items()}
    figures = dict(drawn.figures)
    others = [
        name for name in layout.fields if name not in (CELL, VERTICAL, HORIZONTAL)
    ]  # fmt: skip
    way = _any_way(rng)
    for _ in range(int(rng.integers(1, MAX_MISTAKES + 1))):
        way = way if rng.random() < 0.7 else _any_way(rng)
        if others and rng.random() < OTHER_FIELDS_SHARE:
            name = str(rng.choice(others))
            places = _free_places(layout.fields[name], marks, rng)
            for place in places:
                _draw_mark(ink, hand, layout.fields[name], place)
        else:
            name, places = CELL, _free_cells(layout, marks, cancelled[CELL], rng)
            _draw_cells(ink, hand, layout, marks, cancelled, places)
        field = layout.fields[name]
        centres = np.array(field.centres)
        for line in _lines(centres[places]):
            way(ink, hand, centres[places][line], field.size)
        cancelled[name].flat[places] = True
        for mark in field.marks:
            marks[name, mark].flat[places] = 0.5
    for name, field in layout.figures.items():
        if figures.get(name) and rng.random() < FIGURE_SHARE:
            place = int(rng.integers(len(figures[name])))
            if figures[name][place]:
                cancelled[name] = np.zeros(field.shape, np.bool_)
                cancelled[name].flat[place] = True
                struck_through(ink, hand, np.array([field.centres[place]]), field.size)
                _write_beside(ink, hand, figures[name][place], field, place)
    if way is painted_white and rng.random() < WRITTEN_ON_WHITE:
        valid = np.argwhere(marks[CELL, Mark.CROSS] == 1)
        for row, column in valid[: int(rng.integers(0, 3))]:
            ink.paint(_blob(rng, (column + 0.5, row + 0.5), (1.0, 1.0)), under=True)
    return Drawn(marks, figures, {name: array for name, array in cancelled.items() if array.any()})


# --- what is drawn wrongly -----------------------------------------------------------------------


def _free_cells(
    layout: Layout, marks: dict, taken: NDArray[np.bool_], rng: np.random.Generator
) -> list[int]:
    """A cell without a mark, a run of them or some that hang together: numbers of the cells."""
    grid = layout.grid
    bare = ~taken
    for mark in layout.fields[CELL].marks:
        bare = bare & (marks[CELL, mark] == 0)
    cells = [(int(row), int(column)) for row, column in np.argwhere(bare)]
    if not cells:
        return []
    kind = str(rng.choice(["one", "run", "block"], p=[0.35, 0.3, 0.35]))
    found = [cells[int(rng.integers(len(cells)))]]
    wanted = {"one": 1, "run": int(rng.integers(2, MAX_RUN + 1)), "block": int(rng.integers(2, 5))}
    steps = [(0, 1)] if kind == "run" else [(0, 1), (1, 0), (0, -1), (-1, 0)]
    for _ in range(4 * wanted[kind]):
        row, column = found[-1 if kind == "run" else int(rng.integers(len(found)))]
        down, right = steps[int(rng.integers(len(steps)))]
        new = row + down, column + right
        if len(found) < wanted[kind] and new in cells and new not in found:
            found.append(new)
    return sorted(row * grid.columns + column for row, column in found)


def _draw_cells(
    ink: Ink,
    hand: Hand,
    layout: Layout,
    marks: dict,
    cancelled: dict[str, NDArray[np.bool_]],
    places: list[int],
) -> None:
    """Crosses, or rings where the game has them, with an outline as around a block."""
    rng, columns = ink.slips, layout.grid.columns
    cells = [divmod(place, columns) for place in places]
    if cells and hand.outlines == "all" and rng.random() < 0.5:
        edges = block_edges(cells)
        draw_outline(ink, hand, edges)
        for kind, row, column in edges:
            name = VERTICAL if kind == "v" else HORIZONTAL
            if marks[name, Mark.LINE][row, column] == 0:
                marks[name, Mark.LINE][row, column] = 0.5
                cancelled[name][row, column] = True
    for row, column in cells:
        middle = column + 0.5, row + 0.5
        if Mark.RING in layout.fields[CELL].marks and rng.random() < 0.2:
            draw_ring(ink, hand, middle, 0.6)
        else:
            draw_cell_cross(ink, hand, middle)


def _free_places(field: Field, marks: dict, rng: np.random.Generator) -> list[int]:
    """The first place after all that bear a mark, or any free one, and now and then the next."""
    bears = np.zeros(len(field.centres), np.bool_)
    for mark in field.marks:
        bears |= marks[field.name, mark].ravel() > 0
    free = np.flatnonzero(~bears)
    if not len(free):
        return []
    after = free[free > np.flatnonzero(bears).max(initial=-1)]
    first = int(after[0]) if len(after) and rng.random() < 0.6 else int(rng.choice(free))
    return [place for place in (first, first + 1)[: 1 + (rng.random() < 0.25)] if place in free]


def _draw_mark(ink: Ink, hand: Hand, field: Field, place: int) -> None:
    centre, strike = field.centres[place], strike_for(hand, field)
    if Mark.RING in field.marks and (strike is None or ink.slips.random() < 0.7):
        draw_ring(ink, hand, centre, field.size[0])
        if ink.slips.random() < 0.6:
            return
    if strike is not None:
        draw_strike(ink, hand, strike, centre, field.size[0])


def _write_beside(ink: Ink, hand: Hand, text: str, field: Field, place: int) -> None:
    """The figure once more, beside the struck one."""
    (x, y), side = field.centres[place], float(ink.slips.choice([-1, 1]))
    digits = "".join(each for each in text if each in hand.digits)
    if digits:
        at = (x + side * (field.size[0] / 2 + 0.3), y)
        draw_digits(ink, hand, digits, at, field.size[1] * ink.slips.uniform(0.4, 0.7))


# --- ways to cancel ------------------------------------------------------------------------------


def _lines(centres: Points) -> list[list[int]]:
    """Which of some places lie beside each other in one line, from left to right."""
    found: list[list[int]] = []
    for number in np.lexsort((centres[:, 0], centres[:, 1])) if len(centres) else []:
        last = centres[found[-1][-1]] if found else None
        at = centres[number]
        if last is not None and abs(at[1] - last[1]) < 0.3 and at[0] - last[0] < 1.3:
            found[-1].append(int(number))
        else:
            found.append([int(number)])
    return found


def _reach(rng: np.random.Generator, places: Points, size: tuple[float, float]) -> tuple:
    """Where a line over some places begins and ends, in cells."""
    half = size[0] / 2 * rng.uniform(0.7, 1.3, 2)
    tilt = rng.normal(0, 0.12, 2) * size[1]
    start, end = places[0].copy(), places[-1].copy()
    start += (-half[0], tilt[0])
    end += (half[1], tilt[1])
    return start, end


def struck_through(ink: Ink, hand: Hand, places: Points, size: tuple[float, float]) -> None:
    """One line through all."""
    draw_line(ink, hand, *_reach(ink.slips, places, size))


def struck_twice(ink: Ink, hand: Hand, places: Points, size: tuple[float, float]) -> None:
    """Two lines beside each other, or one of them back at a slant."""
    apart = size[1] * ink.slips.uniform(0.08, 0.25)
    for side in (-apart, apart):
        start, end = _reach(ink.slips, places, size)
        draw_line(ink, hand, start + np.array([0, side]), end + np.array([0, side]))


def waved(ink: Ink, hand: Hand, places: Points, size: tuple[float, float]) -> None:
    start, end = _reach(ink.slips, places, size)
    count = max(24, int(24 * np.linalg.norm(end - start)))
    at = np.linspace(0, 1, count)
    waves = np.linalg.norm(end - start) * ink.slips.uniform(1.2, 3)
    high = size[1] * ink.slips.uniform(0.12, 0.4)
    line = start + at[:, None] * (end - start)
    line[:, 1] += high * np.sin(2 * np.pi * waves * at + ink.slips.uniform(0, 6))
    ink.stroke(line, hand.pen.width)


def scribbled_over(ink: Ink, hand: Hand, places: Points, size: tuple[float, float]) -> None:
    """Each blackened by strokes to and fro."""
    for place in places:
        for _ in range(int(ink.slips.integers(1, 3))):
            reach = np.asarray(size) * ink.slips.uniform(0.7, 1.05)
            points = scribble(ink.slips, (0.0, 0.0)) * reach + place
            ink.stroke(points, hand.pen.width * ink.slips.uniform(1, 1.4))


def made_thick(ink: Ink, hand: Hand, places: Points, size: tuple[float, float]) -> None:
    """Each gone over with crosses until nothing of the first is told."""
    for place in places:
        for _ in range(int(ink.slips.integers(3, 7))):
            turn = ink.slips.uniform(0, np.pi)
            half = np.array([np.cos(turn), np.sin(turn)]) * size * ink.slips.uniform(0.3, 0.5)
            draw_line(ink, hand, place - half, place + half)


def painted_white(ink: Ink, hand: Hand, places: Points, size: tuple[float, float]) -> None:
    for place in places:
        ink.paint(_blob(ink.slips, place, size), under=False)


def pointed_away(ink: Ink, hand: Hand, places: Points, size: tuple[float, float]) -> None:
    """Struck through, and an arrow to the place that was meant."""
    struck_through(ink, hand, places, size)
    rng, start = ink.slips, places[-1]
    turn = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(turn), np.sin(turn)])
    end = start + along * rng.uniform(0.9, 2.5)
    draw_line(ink, hand, start, end)
    for side in (-0.6, 0.6):
        back = np.array([np.cos(turn + np.pi + side), np.sin(turn + np.pi + side)])
        draw_line(ink, hand, end, end + back * 0.3)


WAYS: Sequence[tuple[Cancel, float]] = (
    (struck_through, 0.17),
    (struck_twice, 0.2),
    (waved, 0.12),
    (scribbled_over, 0.25),
    (made_thick, 0.08),
    (painted_white, 0.12),
    (pointed_away, 0.06),
)


def _any_way(rng: np.random.Generator) -> Cancel:
    return WAYS[int(rng.choice(len(WAYS), p=[share for _, share in WAYS]))][0]


def _blob(rng: np.random.Generator, centre: Sequence[float], size: tuple[float, float]) -> Points:
    """The rim of a drop of correction fluid: (N, 2) in cells."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    radius = 0.55 * (1 + 0.12 * np.cumsum(rng.normal(0, 0.5, 24)) / np.sqrt(np.arange(1, 25)))
    radius *= rng.uniform(0.85, 1.3)
    rim = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radius[:, None] * size
    return rim + np.asarray(centre) + rng.normal(0, 0.05, 2)
