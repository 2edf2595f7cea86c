"""Blank printed sheets in random art around the places of a `Layout`.

Nothing here is a likeness of the published sheet: every colour, thickness, letter and ornament is
drawn by chance. Units are cells in the sheet frame unless said otherwise; colours are BGR.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from brikks_vision.layout import CELL, Box, Field, Layout, Point
from brikks_vision.rules.bloxx.sheet import Sheet, parse_sheet
from simulation.bloxx.looks import LIGHT, PHOTOGRAPH, Look, legible_font, light_enough, random_look
from simulation.paper import colors
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Canvas, empty_page, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.fonts import random_word
from simulation.paper.ornaments import ORNAMENTS, draw_glow, draw_panel, fill_shape, star, turned
from simulation.paper.relief import like_a_photograph
from simulation.paper.surfaces import add_grain, gradient
from simulation.paper.wear import aged

MAX_MISPRINT = 0.03
"""How far a part of the print may lie from its place, in cells."""


def sheet_of(layout: Layout) -> Sheet:
    """What the print of a layout means."""
    return parse_sheet(layout.printed, layout.grid.rows, layout.grid.columns)


def render_blank(layout: Layout, rng: np.random.Generator, pixels_per_cell: int = 40) -> BlankSheet:
    """A blank sheet of the layout in art that is drawn by chance.

    Every functional part stands where the layout has it, within 0.03 cell.
    """
    canvas = empty_page(layout.page, pixels_per_cell)
    look, sheet = random_look(rng, layout), sheet_of(layout)
    _draw_page(canvas, layout, rng, look)
    _draw_grid(canvas, layout, sheet, rng, look)
    _draw_numbers(_misplaced(canvas, rng), layout, sheet, rng, look)
    _draw_bonuses(_misplaced(canvas, rng), layout, sheet, rng, look)
    _draw_figures(_misplaced(canvas, rng), layout, rng, look)
    family, image = aged(canvas, look.family, rng, copied=0.03)
    radius = float(rng.uniform(0.2, 1.2)) if chance(rng, 0.2) else 0.0
    return BlankSheet(
        image, canvas.origin, pixels_per_cell, family, radius, markers=False, total_field=True
    )


def _misplaced(canvas: Canvas, rng: np.random.Generator) -> Canvas:
    x, y = rng.uniform(-MAX_MISPRINT, MAX_MISPRINT, 2)
    return canvas.moved(float(x), float(y))


# --- the page ------------------------------------------------------------------------------------


def _margins(layout: Layout) -> tuple[Box, ...]:
    """The parts of the page on which nothing functional is printed."""
    page, marked = layout.page, layout.marked_area
    return (
        Box(page.left, page.top, page.right, marked.top - 0.3),
        Box(page.left, marked.top, marked.left - 0.2, page.bottom),
        Box(marked.right + 0.2, marked.top, page.right, page.bottom),
        Box(marked.left, marked.bottom + 0.4, marked.right, page.bottom),
    )


def _draw_page(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """Everything that is no functional part."""
    page, marked = layout.page, layout.marked_area
    height, width = canvas.image.shape[:2]
    canvas.image[:] = gradient(rng, height, width, look.page)
    if look.family == PHOTOGRAPH:
        canvas.image[:] = like_a_photograph(rng, height, width)
    if look.family != LIGHT and chance(rng, 0.4):
        pick(rng, *ORNAMENTS)(canvas, rng, page, int(rng.integers(2, 8)))
    for margin in _margins(layout):
        view = canvas.view(margin)
        if view is not None and chance(rng, 0.2 if look.family == LIGHT else 0.55):
            for _ in range(int(rng.integers(1, 3))):
                pick(rng, *ORNAMENTS)(view, rng, margin, int(rng.integers(2, 7)))
    is_busy = look.family == PHOTOGRAPH or colors.luminance(look.page[0]) < 130
    if is_busy or chance(rng, 0.3):
        extra = float(rng.uniform(0.1, 0.5))
        rim = colors.any_color(rng) if chance(rng, 0.5) else None
        panel = colors.mixed(
            look.ground, look.page[0], 0.0 if is_busy else float(rng.uniform(0, 0.5))
        )
        ground = (light_enough(panel, 150.0),)
        draw_panel(canvas, marked.grown(extra), float(rng.uniform(0, 0.8)), rng, ground, rim)
    if chance(rng, 0.2):
        frame = rounded(page.grown(-0.3), float(rng.uniform(0, 1.0)))
        canvas.outline(frame, look.accent, float(rng.uniform(0.02, 0.1)))
    if chance(rng, 0.85):
        _draw_title(canvas, layout, rng, look)
    if chance(rng, 0.3):
        _draw_small_print(canvas, layout, rng, look)


def _draw_title(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    page = layout.page
    room = Box(page.left + 0.2, page.top + 0.15, page.right - 0.2, -0.35)
    if room.height < 0.5:
        return
    size = (room.width * float(rng.uniform(0.4, 0.95)), room.height * float(rng.uniform(0.4, 0.9)))
    centre = ((room.left + room.right) / 2, (room.top + room.bottom) / 2)
    word = pick(rng, layout.title, layout.title.lower(), random_word(rng, 6))
    ground = look.page[0]
    if chance(rng, 0.4):
        ground = colors.any_color(rng)
        box = Box(
            centre[0] - size[0] / 2, centre[1] - size[1] * 0.6,
            centre[0] + size[0] / 2, centre[1] + size[1] * 0.6,
        )  # fmt: skip
        draw_panel(canvas, box, float(rng.uniform(0, 0.6)), rng, (ground,), None)
    color = colors.contrasting(rng, ground, 70)
    fit = (size[0] * 0.9, size[1])
    if chance(rng, 0.4):
        shift = float(rng.uniform(0.04, 0.15))
        below = (centre[0] + shift, centre[1] + shift)
        canvas.fitted_text(word, below, fit, colors.mixed(color, colors.BLACK, 0.6), look.title)
    canvas.fitted_text(word, centre, fit, color, look.title)


def _draw_small_print(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    page, marked = layout.page, layout.marked_area
    room = page.bottom - marked.bottom - 0.6
    ink = colors.visible_on(look.accent, look.page[-1], 60)
    for line in range(min(int(rng.integers(1, 4)), int(room / 0.4))):
        words = " ".join(random_word(rng, int(n)).lower() for n in rng.integers(2, 9, 5))
        y = page.bottom - 0.35 - 0.4 * line
        centre = ((page.left + page.right) / 2, y)
        canvas.fitted_text(words, centre, (page.width * 0.7, 0.24), ink, look.captions)


# --- the grid ------------------------------------------------------------------------------------


def _lay_ground(canvas: Canvas, box: Box, color: colors.Color, opacity: float) -> None:
    """A rectangle of colour through which the page may show."""
    view = canvas.view(box)
    if view is None:
        return
    ground = view.image.astype(np.float32)
    view.image[:] = (ground + opacity * (np.float32(color) - ground)).astype(np.uint8)


def _draw_grid(
    canvas: Canvas, layout: Layout, sheet: Sheet, rng: np.random.Generator, look: Look
) -> None:
    """Grounds, coloured rows and lines."""
    box = layout.grid.box
    if chance(rng, 0.2):
        glow = colors.mixed(look.accent, colors.BLACK, 0.3)
        draw_glow(canvas, [rounded(box, 0.2)], glow, 0.3, float(rng.uniform(0.3, 0.9)))
    if chance(rng, 0.15):
        edge = float(rng.uniform(0.05, 0.3))
        canvas.fill(rounded(box.grown(edge), float(rng.uniform(0, 0.4))), colors.any_color(rng))
    _lay_ground(canvas, box, look.ground, look.opacity)
    if chance(rng, 0.12):
        other = light_enough(colors.varied(rng, look.ground, 8, 0.06), 150.0)
        for row, column in layout.grid.cells:
            if (row + column) % 2:
                cell = Box(column, row, column + 1, row + 1)
                _lay_ground(canvas, cell, other, look.opacity)
    is_tiled = chance(rng, 0.15)
    if is_tiled:
        _draw_tiles(canvas, layout, sheet, rng, look)
    else:
        _draw_colored_rows(canvas, layout, sheet, rng, look)
    if chance(rng, 0.25):
        view = canvas.view(box)
        if view is not None:
            add_grain(rng, view.image, float(rng.uniform(2, 9)))
    if not is_tiled:
        _draw_lines(canvas, layout, rng, look)
    if chance(rng, 0.25):
        _draw_row_ends(canvas, sheet, rng, look)


def _draw_tiles(
    canvas: Canvas, layout: Layout, sheet: Sheet, rng: np.random.Generator, look: Look
) -> None:
    """Cells as tiles with rounded corners on a ground of the lines' colour."""
    radius = float(rng.uniform(0, 0.2))
    names = {row.row: row.color for row in sheet.colored_rows}
    canvas.fill(rounded(layout.grid.box, radius), look.line)
    inset = -look.line_width / 2 - 0.5 / canvas.scale
    for row, column in layout.grid.cells:
        tile = Box(column, row, column + 1.0, row + 1.0).grown(inset)
        canvas.fill(rounded(tile, radius), look.ground_of(names.get(row)))


def _draw_colored_rows(
    canvas: Canvas, layout: Layout, sheet: Sheet, rng: np.random.Generator, look: Look
) -> None:
    """Whole rows filled, or squares in their cells, or frames around them: alike on one sheet."""
    way = str(rng.choice(["fill", "gradient", "squares", "frame"], p=[0.6, 0.15, 0.13, 0.12]))
    inset = float(rng.uniform(0.06, 0.14))
    for printed in sheet.colored_rows:
        row, color = printed.row, look.rows[printed.color]
        box = Box(0.0, row, float(sheet.columns), row + 1.0)
        if way == "fill":
            _lay_ground(canvas, box, color, max(look.opacity, 0.8))
        elif way == "gradient":
            other = colors.mixed(color, look.ground, float(rng.uniform(0.1, 0.45)))
            fill_shape(canvas, np.array(box.corners), rng, (color, other))
        elif way == "squares":
            for column in range(sheet.columns):
                cell = Box(column, row, column + 1.0, row + 1.0).grown(-inset)
                canvas.fill(rounded(cell, inset), color)
        else:
            full = colors.from_hex(layout.colors[printed.color])
            _lay_ground(canvas, box, colors.mixed(look.ground, color, 0.6), 1.0)
            frame = box.grown(-inset / 2)
            canvas.outline(rounded(frame, inset), full, 1.3 * inset)


def _draw_lines(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    grid, width = layout.grid, look.line_width
    border = width * float(rng.uniform(1.0, 2.5)) if chance(rng, 0.4) else width
    across, down = float(grid.columns), float(grid.rows)
    for column in range(grid.columns + 1):
        wide = border if column in (0, grid.columns) else width
        canvas.stroke((float(column), 0.0), (float(column), down), look.line, wide)
    for row in range(grid.rows + 1):
        wide = border if row in (0, grid.rows) else width
        canvas.stroke((0.0, float(row)), (across, float(row)), look.line, wide)


def _draw_row_ends(canvas: Canvas, sheet: Sheet, rng: np.random.Generator, look: Look) -> None:
    """Arrows or tabs at the ends of the coloured rows."""
    length, is_arrow = float(rng.uniform(0.15, 0.3)), chance(rng, 0.5)
    for printed in sheet.colored_rows:
        y, color = printed.row + 0.5, colors.mixed(look.rows[printed.color], colors.BLACK, 0.15)
        left = [(-0.05 - length, y - 0.25), (-0.05, y), (-0.05 - length, y + 0.25)]
        if not is_arrow:
            left = [(-length, y - 0.35), (0, y - 0.35), (0, y + 0.35), (-length, y + 0.35)]
        canvas.fill(left, color)


# --- numbers -------------------------------------------------------------------------------------


def _draw_numbers(
    canvas: Canvas, layout: Layout, sheet: Sheet, rng: np.random.Generator, look: Look
) -> None:
    """The numbers of the cells, in or without a disc, ring or box."""
    drawn = layout.fields[CELL].drawn[1]
    names = {row.row: row.color for row in sheet.colored_rows}
    room = min(drawn.values(), default=1.0)
    height = float(rng.uniform(0.3, 0.6)) if not drawn else 0.62 * room
    corner: Point | None = None
    if not drawn and chance(rng, 0.15):
        corner = (pick(rng, -0.24, 0.24), pick(rng, -0.24, 0.24))
        height = float(rng.uniform(0.24, 0.32))
    contrast = float(rng.uniform(45, 120))
    disc = colors.any_color(rng, (0.0, 0.8), (0.3, 1.0))
    is_starred, is_shadowed = not drawn and not corner and chance(rng, 0.15), chance(rng, 0.15)
    font = look.numbers if chance(rng, 0.7) else legible_font(rng)
    for number in sheet.numbers:
        ground = look.ground_of(names.get(number.row))
        centre = (number.column + 0.5, number.row + 0.5)
        if "disc" in drawn or is_starred:
            fill = colors.visible_on(disc, ground, 18)
            if is_starred:
                canvas.fill(turned(star(5, 0.5), centre, -math.pi / 2, 0.42), fill)
            else:
                canvas.disc(centre, drawn["disc"] / 2, fill)
            ground = fill
        elif drawn:
            ink = colors.visible_on(look.ink, ground, 40)
            _draw_frame(canvas, centre, (room, room), drawn, ink, 0.04)
        ink = colors.visible_on(look.ink, ground, contrast)
        at = (centre[0] + corner[0], centre[1] + corner[1]) if corner else centre
        if is_shadowed:
            below = (at[0] + 0.03, at[1] + 0.03)
            canvas.text(str(number.value), below, height, colors.mixed(ground, ink, 0.4), font)
        canvas.text(str(number.value), at, height, ink, font)


def _draw_frame(
    canvas: Canvas,
    centre: Point,
    size: tuple[float, float],
    drawn: object,
    color: colors.Color,
    width: float,
) -> None:
    """A ring or a box around a place; ``drawn``: holds "ring" for a ring."""
    if isinstance(drawn, dict) and "ring" in drawn:
        canvas.ring(centre, size[0] / 2 - width / 2, color, width)
        return
    x, y = centre
    box = Box(x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)
    canvas.outline(box.corners, color, width)


# --- bonuses -------------------------------------------------------------------------------------


def _is_in_reading_order(places: Sequence[Point]) -> bool:
    return list(places) == sorted(places, key=lambda place: (round(place[1], 2), place[0]))


def _draw_bonuses(
    canvas: Canvas, layout: Layout, sheet: Sheet, rng: np.random.Generator, look: Look
) -> None:
    """The bonuses of each coloured row, in its colour where their order does not tell the row."""
    field = layout.fields["bonus"]
    drawn, size = dict(field.drawn[0]), field.size[0]
    has_colors = not _is_in_reading_order(field.centres[::2]) or chance(rng, 0.85)
    on_ground, in_places = chance(rng, 0.6), chance(rng, 0.5)
    on_ground, in_places = on_ground or not in_places, in_places and "disc" not in drawn
    height = size * float(rng.uniform(0.45, 0.7))
    width = float(rng.uniform(0.03, 0.07))
    font = look.numbers if chance(rng, 0.7) else legible_font(rng)
    page = look.ground
    for number, row in enumerate(sheet.colored_rows):
        centres = field.centres[2 * number : 2 * number + 2]
        color = look.rows[row.color] if has_colors else page
        if has_colors and on_ground:
            half = size / 2 + 0.05
            xs, ys = [x for x, _ in centres], [y for _, y in centres]
            around = Box(min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half)
            canvas.fill(rounded(around, float(rng.uniform(0, 0.2))), color)
        for bonus, centre in zip(row.bonuses, centres, strict=True):
            ground = color if has_colors and on_ground else page
            if (has_colors and in_places) or (drawn and chance(rng, 0.5)):
                ground = color if in_places else colors.mixed(colors.WHITE, page, 0.4)
                _fill_place(canvas, field, centre, drawn, ground)
            if "disc" in drawn:
                ground = colors.visible_on(color if has_colors else look.accent, ground, 20)
                canvas.disc(centre, size / 2, ground)
            elif drawn:
                rim = colors.visible_on(look.line, ground, 35)
                _draw_frame(canvas, centre, field.size, drawn, rim, width)
            ink = colors.visible_on(look.ink, ground, 80)
            canvas.text(str(bonus), centre, height, ink, font)


def _fill_place(
    canvas: Canvas, field: Field, centre: Point, drawn: object, color: colors.Color
) -> None:
    width, height = field.size
    if isinstance(drawn, dict) and "box" not in drawn:
        canvas.disc(centre, width / 2, color)
        return
    x, y = centre
    canvas.box(Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2), color)


# --- figures -------------------------------------------------------------------------------------

CAPTIONS = {
    "rows": ("ROWS", "Reihen", "rows", "4/2"),
    "numbers": ("NUMBERS", "Zahlen", "1 2 3", "O"),
    "penalty": ("GAPS", "Minus", "empty", "-1"),
    "total": ("TOTAL", "Summe", "=", "Total"),
}
SIGNS = {"rows": "", "numbers": "+", "penalty": "-", "total": "="}


def _draw_figures(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """The boxes for the player's figures, with captions and signs as far as there is room."""
    fill = look.ground if chance(rng, 0.5) else light_enough(colors.any_color(rng, (0, 0.2)), 215.0)
    ink = colors.visible_on(look.line, fill, 60)
    width = float(rng.uniform(0.03, 0.09))
    style = str(rng.choice(["box", "rounded", "filled", "underlined"], p=[0.55, 0.25, 0.1, 0.1]))
    if style == "filled":
        fill = colors.visible_on(fill, look.ground, 14)
    where = str(rng.choice(["below", "above", "inside", "none"], p=[0.45, 0.2, 0.15, 0.2]))
    wording, has_signs = int(rng.integers(4)), chance(rng, 0.6)
    fields = list(layout.figures.items())
    is_stacked = fields[0][1].centres[0][0] == fields[1][1].centres[0][0]
    radius = float(rng.uniform(0.1, 0.3)) if style in ("rounded", "filled") else 0.0
    for name, field in fields:
        box = field.box
        if style == "underlined":
            canvas.stroke((box.left, box.bottom), (box.right, box.bottom), ink, width)
        else:
            canvas.fill(rounded(box, radius), fill)
            bold = 1.8 if name == "total" and chance(rng, 0.4) else 1.0
            if style != "filled":
                canvas.outline(rounded(box, radius), ink, width * bold)
        caption = CAPTIONS[name][wording]
        _draw_caption(canvas, box, caption, where, is_stacked, ink, look)
        if has_signs and SIGNS[name] and not (is_stacked and where in ("below", "above")):
            at = (box.left - 0.14, (box.top + box.bottom) / 2)
            canvas.text(SIGNS[name], at, 0.07 if name == "penalty" else 0.2, ink, look.captions)


def _draw_caption(
    canvas: Canvas,
    box: Box,
    caption: str,
    where: str,
    is_stacked: bool,
    ink: colors.Color,
    look: Look,
) -> None:
    middle = (box.left + box.right) / 2
    if where == "inside":
        at = (box.left + 0.3, box.top + 0.14)
        canvas.fitted_text(caption, at, (0.5, 0.14), ink, look.captions)
    elif is_stacked and where != "none":
        canvas.fitted_text(caption, (box.left - 0.85, (box.top + box.bottom) / 2), (0.9, 0.24), ink,
                           look.captions)  # fmt: skip
    elif where == "below":
        canvas.fitted_text(caption, (middle, box.bottom + 0.16), (box.width, 0.17), ink,
                           look.captions)  # fmt: skip
    elif where == "above":
        canvas.fitted_text(caption, (middle, box.top - 0.16), (box.width, 0.17), ink,
                           look.captions)  # fmt: skip
