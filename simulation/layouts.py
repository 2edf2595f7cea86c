"""Any layout as a printed sheet: drawn from its own data in a plain style, marked, photographed.

Nothing here knows a game. What is printed at a place is the layout's ``drawn``, in the colours of
its field; see `brikks_vision.layout`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Key
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Box, Field, Layout, Mark, Point
from simulation.hand import Hand, hand_that_shows
from simulation.marks import (
    FILLS,
    Drawn,
    Edge,
    Ink,
    MarkedSheet,
    draw_cell_cross,
    draw_fill,
    draw_line,
    draw_outline,
    draw_ring,
    draw_strike,
    no_marks,
    strike_for,
)
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Canvas, empty_page
from simulation.paper.colors import BLACK, WHITE, Color, from_hex, hsv, mixed, visible_on
from simulation.paper.fonts import Font, random_font
from simulation.paper.markers import draw_markers
from simulation.photos import MarkedPhoto, take_photo

MAX_SHEETS_ON_A_PAGE = 12  # numbers of sheets that markers are drawn for
DISC_GREY = 0.55  # of a printed disc without a colour, 0 black to 1 white
RING_WIDTH, BOLD_RING_WIDTH, BOX_WIDTH = 0.05, 0.11, 0.05  # cells
CROSS_WIDTH = 0.09
FILL_SIZE = 0.8  # of a place
BARE_RING = 0.6  # of a place where nothing is printed: what a ring goes around


# --- the print -----------------------------------------------------------------------------------


def render_layout(
    layout: Layout, rng: np.random.Generator, pixels_per_cell: int = 40
) -> BlankSheet:
    """The blank sheet of a layout on plain paper, with everything where the layout has it.

    ``rng`` chooses paper, ink and letters. A place off the grid for which the layout draws nothing
    gets a ring if a ring can stand there, else a box.
    """
    canvas = empty_page(layout.page, pixels_per_cell)
    paper = hsv(rng.uniform(20, 60), rng.uniform(0, 0.1), rng.uniform(0.92, 1.0))
    ink = hsv(rng.uniform(0, 360), rng.uniform(0, 0.4), rng.uniform(0.05, 0.35))
    font = random_font(rng)
    canvas.image[:] = paper
    _print_title(canvas, layout, ink, font)
    for zone in layout.grid.zones:
        band = Box(0.0, float(zone.first), float(layout.grid.columns), zone.last + 1.0)
        canvas.box(band, from_hex(layout.colors[zone.color]))
    _print_places(canvas, layout, layout.fields[CELL], paper, ink)
    _print_grid(canvas, layout, ink)
    for field in (*layout.places, *layout.settings.values(), *layout.figures.values()):
        _print_places(canvas, layout, field, paper, ink)
    for line in layout.words.values():
        canvas.stroke((line.left, line.bottom), (line.right, line.bottom), ink, BOX_WIDTH)
    if layout.markers:
        draw_markers(canvas, layout.markers, int(rng.integers(MAX_SHEETS_ON_A_PAGE)), BLACK)
    return BlankSheet(
        canvas.image, canvas.origin, float(pixels_per_cell), "plain",
        corner_radius=0.0, markers=layout.markers is not None,
        total_field="total" in layout.figures,
    )  # fmt: skip


def _print_title(canvas: Canvas, layout: Layout, ink: Color, font: Font) -> None:
    """The game's name above everything that is marked, where there is room."""
    page = layout.page
    top = min(box.top for box in (layout.marked_area, *layout.words.values()))
    room = top - page.top
    centre = ((page.left + page.right) / 2, page.top + room / 2)
    canvas.fitted_text(layout.title, centre, (0.5 * page.width, 0.4 * room), ink, font)


def _print_grid(canvas: Canvas, layout: Layout, ink: Color) -> None:
    grid = layout.grid
    for column in range(grid.columns + 1):
        canvas.stroke((column, 0.0), (column, float(grid.rows)), ink, grid.line_width)
    for row in range(grid.rows + 1):
        canvas.stroke((0.0, row), (float(grid.columns), row), ink, grid.line_width)


def _print_places(canvas: Canvas, layout: Layout, field: Field, paper: Color, ink: Color) -> None:
    colors = {place: from_hex(layout.colors[name]) for place, name in field.colors}
    for place, centre in enumerate(field.centres):
        shapes = dict(field.drawn[field.prints[place]])
        if not shapes and field.name != CELL:
            shapes = {"ring" if Mark.RING in field.marks else "box": field.size[0]}
        line = shapes.pop("line", None)
        for shape, width in shapes.items():
            size = (width, field.size[1])
            _print_shape(canvas, shape, centre, size, line, colors.get(place), paper, ink)


def _print_shape(
    canvas: Canvas,
    shape: str,
    centre: Point,
    size: tuple[float, float],
    line: float | None,
    color: Color | None,
    paper: Color,
    ink: Color,
) -> None:
    """One of the shapes of `brikks_vision.layout.Drawn`; ``color``: the layout's own, if any."""
    radius = size[0] / 2
    if shape == "disc":
        canvas.disc(centre, radius, color or mixed(ink, WHITE, DISC_GREY))
    elif shape in ("ring", "bold ring"):
        width = line or (BOLD_RING_WIDTH if shape == "bold ring" else RING_WIDTH)
        canvas.ring(centre, radius - width / 2, visible_on(color or ink, paper, 60), width)
    elif shape == "cross":
        x, y = centre
        for tilt in (1, -1):
            start, end = (x - radius, y - tilt * radius), (x + radius, y + tilt * radius)
            canvas.stroke(start, end, color or mixed(ink, WHITE, 0.3), CROSS_WIDTH)
    else:
        half_width, half_height = size[0] / 2, size[1] / 2
        box = Box(
            centre[0] - half_width,
            centre[1] - half_height,
            centre[0] + half_width,
            centre[1] + half_height,
        )
        if color:
            canvas.box(box, mixed(color, WHITE, 0.5))
        canvas.outline(box.corners, color or ink, line or BOX_WIDTH)


# --- the marks -----------------------------------------------------------------------------------


def draw_marks(
    blank: BlankSheet,
    layout: Layout,
    marks: Mapping[Key, NDArray[np.bool_]],
    hand: Hand,
    rng: np.random.Generator,
) -> MarkedSheet:
    """Draw marks by field and mark on a blank sheet of the layout.

    ``marks``: bool arrays of the fields' shapes; fields and marks that are left out bear nothing.
    Lines on the edges of the grid run through as far as they are straight; anywhere else a line
    crosses its place from left to right.

    Raises
    ------
    ValueError
        The layout has no such field and mark, or the array has another shape than the field.
    """
    ink, drawn = Ink(blank, hand.pen, rng), no_marks(layout)
    edges: set[Edge] = set()
    fill = str(rng.choice(FILLS))
    for key, wanted in marks.items():
        if key not in drawn:
            raise ValueError(f"the layout {layout.name} has no mark {key}")
        if np.shape(wanted) != drawn[key].shape:
            raise ValueError(f"{key}: shape {np.shape(wanted)} instead of {drawn[key].shape}")
        drawn[key] = np.asarray(wanted, np.float32)
        name, mark = key
        field = layout.fields[name]
        if name in (VERTICAL, HORIZONTAL):
            kind = "v" if name == VERTICAL else "h"
            edges |= {(kind, int(row), int(column)) for row, column in np.argwhere(wanted)}
            continue
        for place in np.flatnonzero(wanted):
            _draw_mark(ink, hand, field, int(place), mark, fill)
    if edges:
        draw_outline(ink, hand, edges)
    return MarkedSheet(blank, ink.on(blank), Drawn(drawn, {}))


def _draw_mark(ink: Ink, hand: Hand, field: Field, place: int, mark: str, fill: str) -> None:
    centre = field.centres[place]
    strike = strike_for(hand, field)
    if mark == Mark.RING:
        draw_ring(ink, hand, centre, printed_width(field, place))
    elif mark == Mark.FILL:
        width, height = field.size
        draw_fill(ink, hand, centre, (FILL_SIZE * width, FILL_SIZE * height), fill)
    elif mark == Mark.LINE:
        half = 0.4 * field.size[0]
        draw_line(ink, hand, (centre[0] - half, centre[1]), (centre[0] + half, centre[1]))
    elif strike is None:
        draw_cell_cross(ink, hand, centre)
    else:
        draw_strike(ink, hand, strike, centre, field.size[0])


def printed_width(field: Field, place: int) -> float:
    """Width of what is printed at a place, in cells; of a bare place, what a ring goes around."""
    shapes = field.drawn[field.prints[place]]
    widths = [width for shape, width in shapes.items() if shape != "line"]
    return max(widths, default=BARE_RING * min(field.size))


# --- the photo -----------------------------------------------------------------------------------


def photograph_marks(
    layout: Layout,
    marks: Mapping[Key, NDArray[np.bool_]],
    rng: np.random.Generator,
    tier: str = "good",
    long_side: int = 1200,
    held_out: bool = False,
) -> MarkedPhoto:
    """A photo of the layout's sheet with these marks, by any hand whose pen shows on it.

    ``tier``: of `camera.TIERS`. ``long_side``: of the photo, px. ``held_out``: by writers that are
    never trained on. Raises ValueError as `draw_marks` does.
    """
    blank = render_layout(layout, rng, pixels_per_cell=int(rng.integers(30, 44)))
    spots = [centre for name, _ in marks for centre in layout.fields[name].centres]
    hand = hand_that_shows(blank, spots, rng, held_out)
    sheet = draw_marks(blank, layout, marks, hand, rng)
    photo = take_photo(sheet.picture, blank, layout.page, rng, tier, long_side, layout.marked_area)
    return MarkedPhoto(**vars(photo), hand=hand, drawn=sheet.drawn)
