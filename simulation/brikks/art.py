"""Blank printed sheets in random art around the fixed geometry of a ``Layout``.

Nothing here is a likeness of the published sheet: every colour, thickness, letter and ornament is
drawn by chance, so that a reader trained on these sheets relies on the geometry alone and takes
any print for print. Units are cells in the sheet frame unless said otherwise; colours are BGR.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from brikks_vision.games.brikks.decoration import decoration_of
from brikks_vision.layout import Box, Layout, Point
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Canvas, Image, around, blend_mask, grown, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import (
    BLACK,
    WHITE,
    Color,
    any_color,
    contrasting,
    from_hex,
    hsv,
    luminance,
    mixed,
    varied,
)
from simulation.paper.fonts import Font, random_font, random_word
from simulation.paper.ornaments import (
    ORNAMENTS,
    draw_cross,
    draw_glow,
    draw_panel,
    draw_piece,
    fill_shape,
    ornament,
    page_margins,
    point_in,
    random_cross_style,
    star,
    turned,
)
from simulation.paper.relief import (
    PointRelief,
    ball_style,
    embossed_point,
    like_a_photograph,
    lit_bomb,
    point_relief,
    soft_disc,
)
from simulation.paper.surfaces import gradient
from simulation.paper.wear import coarsely_printed, faded, photocopied, screened, worn

# How far a part of the print may lie from its place, in cells.
_MISPRINT = 0.03
RELIEF_SHARE = (
    0.5  # of the sheets: bombs that are lit balls, and of energy points that are embossed
)
PHOTOGRAPH_SHARE = 0.15  # of the dark pages
POINTERS_SHARE = 0.05  # of the sheets
# Rows finished with one block and the crosses they give: the hint printed above the bonus bar.
_BONUS_HINT = ((2, 1), (3, 2), (4, 4))


@dataclass(frozen=True)
class _Look:
    """What the parts of one sheet have in common."""

    light: bool
    page: tuple[Color, ...]
    screen: tuple[Color, ...]
    accent: Color
    title: Font
    numbers: Font
    mark: Color

    @property
    def screen_color(self) -> Color:
        return self.screen[0]


# --- looks -----------------------------------------------------------------------------------


def _dark_look(rng: np.random.Generator) -> _Look:
    """A page in saturated or dark colours, as of a machine, a board or a poster."""
    hue = rng.uniform(0, 360)
    brightness = pick(rng, 0.25, 0.35, 0.5, 0.5, 0.75, 1.0)
    page = tuple(
        hsv(
            hue + rng.normal(0, 35),
            rng.uniform(0.2, 1.0),
            rng.uniform(0.3, 1.0) * brightness,
        )
        for _ in range(int(rng.integers(2, 5)))
    )
    kind = rng.random()
    if kind < 0.6:
        base = hsv(hue + rng.normal(0, 40), rng.uniform(0, 1), rng.uniform(0.0, 0.35))
    elif kind < 0.75:
        base = hsv(hue + rng.normal(0, 60), rng.uniform(0, 1), rng.uniform(0.35, 0.7))
    elif kind < 0.9:
        base = any_color(rng, (0.0, 0.4), (0.75, 1.0))
    else:
        base = page[0]
    other = varied(rng, base, 25, 0.12) if chance(rng, 0.6) else base
    return _Look(
        False,
        page,
        (base, other),
        any_color(rng, (0.4, 1.0), (0.6, 1.0)),
        random_font(rng),
        random_font(rng),
        _mark_color(rng),
    )


def _light_look(rng: np.random.Generator) -> _Look:
    """White or cream paper that takes little ink."""
    paper = hsv(rng.uniform(20, 60), rng.uniform(0, 0.14), rng.uniform(0.9, 1.0))
    if chance(rng, 0.3):
        paper = WHITE
    elif chance(rng, 0.15):
        paper = any_color(rng, (0.03, 0.2), (0.85, 1.0))
    screen = paper if chance(rng, 0.7) else any_color(rng, (0.0, 0.15), (0.88, 1.0))
    accent = any_color(rng, (0.0, 1.0), (0.1, 0.8))
    return _Look(
        True,
        (paper, mixed(paper, WHITE, float(rng.uniform(0, 0.6)))),
        (screen,),
        accent,
        random_font(rng),
        random_font(rng),
        _mark_color(rng),
    )


def _mark_color(rng: np.random.Generator) -> Color:
    """The colour of the printed crosses."""
    kind = rng.random()
    if kind < 0.55:
        return hsv(rng.uniform(300, 350), rng.uniform(0.4, 1.0), rng.uniform(0.55, 1.0))
    if kind < 0.7:
        return hsv(rng.uniform(-10, 10), rng.uniform(0.5, 1.0), rng.uniform(0.5, 1.0))
    if kind < 0.85:
        return any_color(rng, (0.4, 1.0), (0.3, 0.9))
    return hsv(0, 0, rng.uniform(0.0, 0.65))


def _seen_on(rng: np.random.Generator, color: Color, ground: Color, contrast: float) -> Color:
    """The colour, made darker or lighter until it stands out from the ground."""
    target = BLACK if luminance(ground) > 120 else WHITE
    for share in (0.0, 0.25, 0.5, 0.75):
        candidate = mixed(color, target, share)
        if abs(luminance(candidate) - luminance(ground)) >= contrast:
            return candidate
    return target


# --- the page --------------------------------------------------------------------------------


def _draw_title(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    page, screen = layout.page, decoration_of(layout).screen
    room = Box(page.left, page.top, page.right, screen.top)
    centre = (
        (room.left + room.right) / 2 + float(rng.normal(0, 1.0)),
        (room.top + room.bottom) / 2 + float(rng.uniform(-0.5, 0.5)),
    )
    size = (float(rng.uniform(4, 11)), float(rng.uniform(0.8, 2.2)))
    ground = look.page[0]
    if chance(rng, 0.5 if not look.light else 0.25):
        ground = any_color(rng)
        box = Box(
            centre[0] - size[0] * 0.56,
            centre[1] - size[1] * 0.75,
            centre[0] + size[0] * 0.56,
            centre[1] + size[1] * 0.75,
        )
        draw_panel(canvas, box, float(rng.uniform(0, 1)), rng, (ground,), any_color(rng))
    word = pick(rng, layout.title, layout.title.upper(), random_word(rng, 6))
    color = contrasting(rng, ground, 60)
    if chance(rng, 0.4):
        shift = float(rng.uniform(0.05, 0.2))
        canvas.fitted_text(
            word,
            (centre[0] + shift, centre[1] + shift),
            size,
            mixed(color, BLACK, 0.6),
            look.title,
        )
    canvas.fitted_text(word, centre, size, color, look.title)


def _draw_joystick(canvas: Canvas, layout: Layout, rng: np.random.Generator) -> None:
    bonus, page = layout.fields["box"].centres, layout.page
    centre = (
        float(rng.uniform(bonus[-1][0] + 2.2, page.right - 1.2)),
        float(bonus[-1][1] - rng.uniform(0.0, 1.2)),
    )
    if chance(rng, 0.6):
        canvas.stroke(
            centre,
            (centre[0] + float(rng.normal(0, 0.3)), centre[1] + 1.0),
            any_color(rng, (0, 0.3)),
            float(rng.uniform(0.1, 0.3)),
        )
    canvas.disc(centre, float(rng.uniform(0.25, 0.6)), any_color(rng))
    for _ in range(int(rng.integers(0, 4))):
        spot = (centre[0] + float(rng.uniform(-1, 1)), centre[1] + float(rng.uniform(0.8, 1.3)))
        axes = (canvas.thickness(rng.uniform(0.2, 0.45)), canvas.thickness(rng.uniform(0.15, 0.3)))
        x, y = canvas.pixel(spot)
        cv2.ellipse(
            canvas.image, (round(x), round(y)), axes, 0, 0, 360, any_color(rng), -1, cv2.LINE_AA
        )


def _draw_footer(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    """Icons, dice and words below the energy bar."""
    energy = around(layout.fields["energy"].centres, 0.0, 1.2)
    room = Box(layout.page.left + 0.8, energy.bottom, layout.page.right - 0.8, 0.0)
    room = Box(room.left, room.top, room.right, layout.page.bottom - 0.4)
    ground = look.page[-1]
    if chance(rng, 0.4):
        ground = any_color(rng, (0, 1), (0, 0.4) if not look.light else (0.8, 1.0))
        draw_panel(canvas, grown(room, 0.3, 0.0), float(rng.uniform(0, 0.8)), rng, (ground,), None)
    for _ in range(int(rng.integers(0, 8))):
        centre = point_in(rng, grown(room, -0.6, -0.6))
        size = float(rng.uniform(0.25, 0.6))
        color = contrasting(rng, ground, 40)
        kind = int(rng.integers(8))
        if kind >= 6:
            canvas.ring(centre, size * 0.7, color, float(rng.uniform(0.04, 0.14)))
            if kind == 7:
                draw_cross(canvas, centre, size * 0.8, color, look.numbers, random_cross_style(rng))
        elif kind == 0:
            form = np.array([(-1, -0.3), (0.2, -0.3), (0.2, -0.9), (1, 0), (0.2, 0.9), (0.2, 0.3)])
            canvas.fill(turned(form, centre, pick(rng, 0.0, math.pi), size), color)
        elif kind == 1:
            canvas.disc(centre, size, color)
            canvas.text(pick(rng, "1", "5", "4", "+2"), centre, size, ground, look.numbers)
        elif kind == 2:
            box = Box(centre[0] - size, centre[1] - size, centre[0] + size, centre[1] + size)
            canvas.fill(rounded(box, size * 0.3), color)
            for spot in ((-0.5, -0.5), (0.5, 0.5), (0.0, 0.0)):
                at = (centre[0] + spot[0] * size, centre[1] + spot[1] * size)
                canvas.disc(at, size * 0.17, ground)
        elif kind == 3:
            _bomb_icon(canvas, rng, centre, size, _bomb_style(rng, color, None))
        elif kind == 4:
            canvas.text(pick(rng, "BANG", "?", "GO!"), centre, size, color, look.title)
        else:
            draw_piece(canvas, layout, rng, centre, size * 0.6)


def _draw_small_print(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look
) -> None:
    """Lines for names and a few lines of rules, as light sheets have them."""
    page, energy = layout.page, around(layout.fields["energy"].centres, 0.0, 1.0)
    ink = _seen_on(rng, look.accent, look.page[0], 60)
    if chance(rng, 0.5):
        y = float(decoration_of(layout).screen.top - rng.uniform(0.4, 1.2))
        x = float(rng.uniform(layout.grid.box.left - 1, layout.grid.box.right - 4))
        canvas.text(pick(rng, "Name", "Player", "Date"), (x, y), 0.35, ink, look.title)
        canvas.path([(x + 1.2, y + 0.25), (x + 5.5, y + 0.25)], ink, 0.03)
    for line in range(int(rng.integers(0, 4))):
        words = " ".join(
            random_word(rng, int(n)).lower() for n in rng.integers(2, 9, int(rng.integers(3, 7)))
        )
        canvas.fitted_text(
            words,
            ((page.left + page.right) / 2, energy.bottom + 0.5 + 0.6 * line),
            (page.width * 0.6, 0.32),
            ink,
            look.title,
        )


def _draw_machine(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    """Everything of a dark page that is no functional part, drawn before those."""
    page, screen = layout.page, decoration_of(layout).screen
    canvas.image[:] = gradient(rng, canvas.image.shape[0], canvas.image.shape[1], look.page)
    if chance(rng, PHOTOGRAPH_SHARE):
        canvas.image[:] = like_a_photograph(rng, *canvas.image.shape[:2])
    if chance(rng, 0.4):
        pick(rng, *ORNAMENTS)(canvas, rng, page, int(rng.integers(2, 8)))
    if chance(rng, 0.5):
        inset, lower = float(rng.uniform(0.2, 2.0)), float(rng.uniform(0, 2.0))
        for side, edge in ((page.left + inset, screen.left), (page.right - inset, screen.right)):
            wing = np.array(
                [
                    (side, screen.top - lower),
                    (edge, screen.top),
                    (edge, screen.bottom),
                    (side, screen.bottom + lower),
                ]
            )
            fill_shape(canvas, wing, rng, (any_color(rng, (0.2, 1), (0.1, 0.7)), look.page[0]))
            if chance(rng, 0.5):
                canvas.outline(wing, any_color(rng), float(rng.uniform(0.03, 0.2)))
    for margin in page_margins(layout):
        if chance(rng, 0.6):
            ornament(canvas, layout, rng, margin, int(rng.integers(1, 3)))
    if chance(rng, 0.5):
        lean = float(rng.uniform(0, 1.5))
        bottom = around(layout.fields["energy"].centres, 0, float(rng.uniform(0.8, 1.6))).bottom
        desk = np.array(
            [
                (screen.left - 0.3, screen.bottom + 0.3),
                (screen.right + 0.3, screen.bottom + 0.3),
                (screen.right + 0.3 + lean, bottom),
                (screen.left - 0.3 - lean, bottom),
            ]
        )
        fill_shape(canvas, desk, rng, (any_color(rng, (0.1, 1), (0.1, 0.8)), look.page[-1]))
    if chance(rng, 0.6):
        _draw_joystick(canvas, layout, rng)
    _draw_footer(canvas, layout, rng, look)
    if chance(rng, 0.85):
        _draw_title(canvas, layout, rng, look)
    if chance(rng, 0.2):
        shade = canvas.image[:: int(rng.integers(2, 6))]
        shade[:] = (shade.astype(np.uint16) * int(rng.integers(170, 235)) >> 8).astype(np.uint8)


def _draw_screen(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    extra = float(rng.uniform(-0.08, 0.35))
    box = grown(decoration_of(layout).screen, extra, extra)
    radius = float(rng.uniform(0, 1.0))
    rim = any_color(rng, (0.2, 1.0), (0.4, 1.0)) if chance(rng, 0.75) else None
    if rim is not None and chance(rng, 0.4):
        draw_glow(
            canvas, [rounded(box, radius)], mixed(rim, BLACK, 0.2), 0.4, rng.uniform(0.3, 1.2)
        )
    draw_panel(canvas, box, radius, rng, look.screen, rim)


def _draw_paper(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    """Everything of a light page that is no functional part, drawn before those."""
    page = layout.page
    canvas.image[:] = gradient(rng, canvas.image.shape[0], canvas.image.shape[1], look.page)
    ink = _seen_on(rng, look.accent, look.page[0], 40)
    if chance(rng, 0.3):
        inset = -float(rng.uniform(0.2, 0.9))
        frame = rounded(grown(page, inset, inset), float(rng.uniform(0, 1.2)))
        canvas.outline(frame, ink, float(rng.uniform(0.02, 0.12)))
    if look.screen_color != look.page[0] or chance(rng, 0.3):
        rim = ink if chance(rng, 0.6) else None
        draw_panel(
            canvas,
            decoration_of(layout).screen,
            float(rng.uniform(0, 0.8)),
            rng,
            look.screen,
            rim,
        )
    if chance(rng, 0.2):
        for margin in page_margins(layout):
            ornament(canvas, layout, rng, margin, 1)
    if chance(rng, 0.3):
        _draw_footer(canvas, layout, rng, look)
    if chance(rng, 0.7):
        _draw_title(canvas, layout, rng, look)
    _draw_small_print(canvas, layout, rng, look)


# --- the grid --------------------------------------------------------------------------------


def _zone_colors(layout: Layout, rng: np.random.Generator, light: bool) -> tuple[Color, ...]:
    """The ground colour of each zone, top to bottom; light enough to write on."""
    printed = [from_hex(layout.colors[zone.color]) for zone in layout.grid.zones]
    count = len(printed)
    kind = rng.random()
    if kind < 0.45:
        hue, spread = float(rng.uniform(-14, 14)), 0.08
        colors = [varied(rng, color, abs(hue) + 1, spread) for color in printed]
    elif kind < 0.65:
        hue = float(rng.uniform(0, 360))
        strongest = rng.uniform(0.25, 0.95)
        colors = [
            hsv(hue + rng.normal(0, 12), strongest * (1 - i / count), rng.uniform(0.85, 1.0))
            for i in range(count)
        ]
    elif kind < 0.78:
        colors = [any_color(rng, (0.05, 0.7), (0.75, 1.0)) for _ in range(count)]
    elif kind < 0.86:
        greys = np.sort(rng.uniform(0.6, 1.0, count))
        colors = [hsv(0, 0, float(grey)) for grey in greys]
    else:
        paper = any_color(rng, (0.0, 0.12), (0.88, 1.0))
        colors = [varied(rng, paper, 10, 0.02) for _ in range(count)]
    if chance(rng, 0.1):
        colors.reverse()
    if light:
        pale = float(rng.uniform(0.1, 0.9))
        colors = [mixed(color, WHITE, pale) for color in colors]
    lowest = 185.0 if light else 118.0
    return tuple(
        color
        if luminance(color) >= lowest
        else mixed(color, WHITE, (lowest - luminance(color)) / (255 - luminance(color)))
        for color in colors
    )


def _line_color(rng: np.random.Generator, zones: tuple[Color, ...], light: bool) -> Color:
    """A colour for the grid's lines that is seen on every zone."""
    darkest = min(luminance(zone) for zone in zones)
    if not light:
        hue = rng.uniform(230, 320) if chance(rng, 0.4) else rng.uniform(0, 360)
        color = hsv(hue, rng.uniform(0, 1), rng.uniform(0, 0.55))
        return _seen_on(rng, color, hsv(0, 0, darkest / 255), 55)
    contrast = float(rng.uniform(28, 170))
    grey = max(darkest - contrast, 10.0) / 255
    color = hsv(rng.uniform(0, 360), rng.uniform(0, 0.5) if chance(rng, 0.6) else 0.0, grey)
    return _seen_on(rng, color, hsv(0, 0, darkest / 255), min(contrast, 28.0))


def _draw_grid(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look
) -> tuple[Color, ...]:
    """Zones, lines and coloured circles; the zones' colours."""
    grid = layout.grid
    zones = _zone_colors(layout, rng, look.light)
    line = _line_color(rng, zones, look.light)
    width = float(rng.uniform(0.04, 0.14) if not look.light else rng.uniform(0.03, 0.09))
    if chance(rng, 0.15) and not look.light:
        halo = grown(grid.box, float(rng.uniform(0.05, 0.35)), float(rng.uniform(0.05, 0.35)))
        canvas.fill(rounded(halo, float(rng.uniform(0, 0.5))), any_color(rng))
    for zone, color in zip(grid.zones, zones, strict=True):
        ground = Box(0.0, float(zone.first), float(grid.columns), float(zone.last + 1))
        shade: tuple[Color, ...] = (color,)
        if chance(rng, 0.15):
            shade = (color, varied(rng, color, 6, 0.06))
        fill_shape(canvas, np.array(ground.corners), rng, shade)
    separate = chance(rng, 0.12)
    if separate:
        _draw_separate_cells(canvas, layout, rng, line, zones, width)
    else:
        if chance(rng, 0.15):
            _draw_bevels(canvas, layout, rng, zones)
        _draw_lines(canvas, layout, rng, line, width)
    _draw_circles(canvas, layout, rng, look, line, zones)
    return zones


def _zone_of(layout: Layout, row: int) -> int:
    return next(i for i, z in enumerate(layout.grid.zones) if z.first <= row <= z.last)


def _draw_separate_cells(
    canvas: Canvas,
    layout: Layout,
    rng: np.random.Generator,
    line: Color,
    zones: tuple[Color, ...],
    width: float,
) -> None:
    """Cells as tiles with rounded corners on a ground of the lines' colour."""
    radius = float(rng.uniform(0, 0.2))
    edge = float(rng.uniform(0, 0.1))
    canvas.fill(rounded(grown(layout.grid.box, edge, edge), radius), line)
    for row, column in layout.grid.cells:
        cell = Box(float(column), float(row), column + 1.0, row + 1.0)
        inset = -width / 2 - 0.5 / canvas.scale
        canvas.fill(rounded(grown(cell, inset, inset), radius), zones[_zone_of(layout, row)])


def _draw_bevels(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, zones: tuple[Color, ...]
) -> None:
    """A lighter and a darker edge inside every cell."""
    depth, width = float(rng.uniform(0.08, 0.16)), float(rng.uniform(0.03, 0.1))
    strength = float(rng.uniform(0.1, 0.35))
    for row, column in layout.grid.cells:
        color = zones[_zone_of(layout, row)]
        left, top, right, bottom = column + depth, row + depth, column + 1 - depth, row + 1 - depth
        canvas.path([(left, bottom), (left, top), (right, top)], mixed(color, WHITE, 0.5), width)
        canvas.path(
            [(right, top), (right, bottom), (left, bottom)], mixed(color, BLACK, strength), width
        )


def _draw_lines(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, line: Color, width: float
) -> None:
    grid = layout.grid
    # The lines' middles lie at whole cells, or the outer lines wholly inside the grid.
    inner = width / 2 if chance(rng, 0.4) else 0.0
    border = width * float(rng.uniform(1.0, 2.0)) if chance(rng, 0.35) else width
    breaks = {zone.first for zone in grid.zones} if chance(rng, 0.2) else set()
    core = mixed(line, WHITE, float(rng.uniform(0.2, 0.5))) if chance(rng, 0.12) else None
    across, down = float(grid.columns), float(grid.rows)
    for column in range(grid.columns + 1):
        x = inner + column * (across - 2 * inner) / across
        wide = border if column in (0, grid.columns) else width
        canvas.stroke((x, 0.0), (x, down), line, wide)
    for row in range(grid.rows + 1):
        y = inner + row * (down - 2 * inner) / down
        wide = border if row in (0, grid.rows) or row in breaks else width
        canvas.stroke((0.0, y), (across, y), line, wide)
    if core is None:
        return
    for column in range(grid.columns + 1):
        x = inner + column * (across - 2 * inner) / across
        canvas.stroke((x, 0.0), (x, down), core, width * 0.35)
    for row in range(grid.rows + 1):
        y = inner + row * (down - 2 * inner) / down
        canvas.stroke((0.0, y), (across, y), core, width * 0.35)


def _disc_color(
    layout: Layout, rng: np.random.Generator, name: str, shift: tuple[float, float]
) -> Color:
    """The colour of a circle on this sheet: the name stays right, hue and lightness move."""
    printed = from_hex(layout.colors[name])
    if luminance(printed) < 8:
        return hsv(rng.uniform(0, 360), rng.uniform(0, 0.4), abs(shift[1]) * 1.2)
    if luminance(printed) > 250:
        return hsv(rng.uniform(0, 360), rng.uniform(0, 0.06), 1 - abs(shift[1]) * 0.6)
    return varied(rng, printed, 12 + abs(shift[0]), abs(shift[1]) + 0.05)


def _draw_circles(
    canvas: Canvas,
    layout: Layout,
    rng: np.random.Generator,
    look: _Look,
    line: Color,
    zones: tuple[Color, ...],
) -> None:
    radius = decoration_of(layout).circle_diameter / 2 * float(rng.uniform(0.9, 1.1))
    shift = (float(rng.uniform(-8, 8)), float(rng.uniform(-0.18, 0.18)))
    colors = {
        c.color: _disc_color(layout, rng, c.color, shift) for c in load_sheet(layout.name).circles
    }
    hollow = look.light and chance(rng, 0.3)
    pale = float(rng.uniform(0.15, 0.75)) if look.light and chance(rng, 0.4) else 0.0
    colored_rim = pale > 0.3 and chance(rng, 0.6)
    rim_width = float(rng.uniform(0.02, 0.1))
    rim_style = pick(rng, "line", "dark", "shade", "light", "none")
    gloss = chance(rng, 0.15)
    lettered = look.light and chance(rng, 0.15)
    offset = rng.uniform(-_MISPRINT, _MISPRINT, 2)
    for circle in load_sheet(layout.name).circles:
        row, column = circle.cell
        centre = (column + 0.5 + offset[0], row + 0.5 + offset[1])
        ground = zones[_zone_of(layout, row)]
        color = colors[circle.color]
        fill = mixed(color, ground, 0.95) if hollow else mixed(color, WHITE, pale)
        rim: Color | None = {
            "line": line,
            "dark": mixed(color, BLACK, 0.85),
            "shade": mixed(color, BLACK, 0.4),
            "light": mixed(color, WHITE, 0.7),
            "none": None,
        }[rim_style]
        if hollow or colored_rim:
            rim = color
        parts = [color for color in (fill, rim) if color is not None]
        lighter = max(abs(luminance(color) - luminance(ground)) for color in parts)
        if lighter < 28 or max(_distance(color, ground) for color in parts) < 60:
            rim = mixed(ground, BLACK, 0.5)
        canvas.disc(centre, radius, fill)
        if rim is not None:
            canvas.ring(centre, radius - rim_width / 2, rim, max(rim_width, 0.05 * hollow))
        if gloss:
            at = (centre[0] - radius * 0.3, centre[1] - radius * 0.35)
            canvas.disc(at, radius * 0.25, mixed(fill, WHITE, 0.7))
        if lettered:
            canvas.text(
                circle.color[0].upper(),
                centre,
                radius * 0.9,
                _seen_on(rng, color, fill, 60),
                look.numbers,
            )


def _distance(first: Color, second: Color) -> float:
    return max(abs(a - b) for a, b in zip(first, second, strict=True)) * 0.5 + abs(
        luminance(first) - luminance(second)
    )


# --- the other functional parts --------------------------------------------------------------


def _draw_strip(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    """The column for the rows' points."""
    strip, rows = decoration_of(layout).score_strip, layout.grid.rows
    jitter = rng.uniform(-_MISPRINT, _MISPRINT, 2)
    canvas = canvas.moved(*jitter)
    if look.light and chance(rng, 0.45):
        fill = look.screen_color
    elif chance(rng, 0.6):
        fill = any_color(rng, (0.0, 0.25), (0.85, 1.0))
    else:
        fill = any_color(rng, (0.05, 0.45), (0.7, 1.0))
    if not look.light and chance(rng, 0.06):
        return
    colors = (fill, varied(rng, fill, 10, 0.06)) if chance(rng, 0.3) else (fill,)
    fill_shape(canvas, rounded(strip, float(rng.choice([0, 0, 0.15, 0.4]))), rng, colors)
    ink = _seen_on(rng, any_color(rng, (0, 1), (0, 0.7)), fill, float(rng.uniform(35, 120)))
    width = float(rng.uniform(0.03, 0.1))
    step = strip.height / rows
    style = pick(rng, "dashes", "dashes", "lines", "boxes", "dots", "none")
    if style in ("lines", "boxes") or chance(rng, 0.15):
        canvas.outline(strip.corners, ink, width)
    inset = float(rng.uniform(0.1, 0.4)) * strip.width if style == "dashes" else 0.0
    for row in range(1, rows):
        y = strip.top + row * step
        if style in ("dashes", "lines"):
            canvas.stroke((strip.left + inset, y), (strip.right - inset, y), ink, width)
        elif style == "boxes":
            box = Box(strip.left + 0.1, y - step + 0.08, strip.right - 0.1, y - 0.08)
            canvas.outline(rounded(box, 0.1), ink, width)
        elif style == "dots":
            for x in np.linspace(strip.left + 0.15, strip.right - 0.15, 7):
                canvas.disc((float(x), y), width * 0.6, ink)


def _draw_total_field(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look
) -> None:
    if decoration_of(layout).total_field is None:
        return
    fill = look.screen_color if chance(rng, 0.5) else any_color(rng, (0, 0.15), (0.9, 1.0))
    ink = _seen_on(rng, look.accent, fill, 60)
    shape = rounded(decoration_of(layout).total_field, float(rng.choice([0, 0.12, 0.25])))
    canvas.fill(shape, fill)
    canvas.outline(shape, ink, float(rng.uniform(0.03, 0.1)))
    if chance(rng, 0.5):
        field = decoration_of(layout).total_field
        centre = ((field.left + field.right) / 2, field.bottom + 0.3)
        word = pick(rng, "TOTAL", "Total", "Σ", "=", "Summe")
        canvas.fitted_text(word, centre, (1.3, 0.28), ink, look.title)


def _draw_multipliers(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look
) -> None:
    left, right = decoration_of(layout).multipliers
    centre = (left + right) / 2 + float(rng.uniform(-0.15, 0.15))
    height = float(rng.uniform(0.35, 0.7))
    font = random_font(rng)
    sign = pick(rng, "x{}", "X{}", "×{}", "{}x", "* {}", "x {}", "{}×")
    top = contrasting(rng, look.screen_color, 70)
    if chance(rng, 0.4):
        hue = hsv(rng.uniform(15, 45), rng.uniform(0.7, 1.0), rng.uniform(0.7, 1.0))
        top = _seen_on(rng, hue, look.screen_color, 60)
    other = varied(rng, top, 20, 0.2) if chance(rng, 0.5) else top
    other = _seen_on(rng, other, look.screen_color, 50)
    ones = chance(rng, 0.25)
    tag = chance(rng, 0.15)
    for row, factor in enumerate(load_sheet(layout.name).row_factors):
        if factor == 1 and not ones:
            continue
        near_bomb = any(abs(y - row - 0.5) < 1.2 for _, y in layout.fields["bomb"].centres)
        if factor == 1 and near_bomb:
            continue
        at = (centre, row + 0.5)
        color = top if factor == max(load_sheet(layout.name).row_factors) else other
        if tag:
            box = Box(left, row + 0.1, right, row + 0.9)
            canvas.fill(rounded(box, 0.2), color)
            color = _seen_on(rng, look.screen_color, color, 80)
        canvas.fitted_text(sign.format(factor), at, ((right - left) * 0.9, height), color, font)


@dataclass(frozen=True)
class _BombStyle:
    """A sheet's bombs: where neck and fuse point (radians, and how far each strays), in cells."""

    fill: Color
    rim: Color | None
    angle: float
    strays: float
    neck_width: float
    fuse: float
    fuse_width: float
    bent: float  # how far the fuse's end lies aside of where the neck points
    spark: bool
    glint: float  # radius of the light spot on the ball, 0 for none
    shine: float  # share of white in it


def _bomb_style(rng: np.random.Generator, fill: Color, rim: Color | None) -> _BombStyle:
    return _BombStyle(
        fill,
        rim,
        angle=float(rng.uniform(-2.6, -0.3) if chance(rng, 0.3) else rng.uniform(-1.2, -0.5)),
        strays=float(pick(rng, 0.0, 0.0, 0.3)),
        neck_width=float(pick(rng, 0.0, rng.uniform(0.15, 0.35))),
        fuse=float(rng.uniform(0.1, 0.6)),
        fuse_width=float(rng.uniform(0.05, 0.16)),
        bent=float(pick(rng, 0.0, rng.uniform(-0.45, 0.45))),
        spark=chance(rng, 0.35),
        glint=float(pick(rng, 0.0, rng.uniform(0.05, 0.16))),
        shine=float(rng.uniform(0.15, 0.9)),
    )


def _bomb_icon(
    canvas: Canvas, rng: np.random.Generator, centre: Point, radius: float, style: _BombStyle
) -> None:
    """A ball with a neck and a fuse, mostly towards the upper right."""
    angle = style.angle + float(rng.normal(0, 1)) * style.strays
    x, y = math.cos(angle), math.sin(angle)
    color = style.fill if style.rim is None else style.rim
    inside = (centre[0] + x * radius * 0.7, centre[1] + y * radius * 0.7)
    neck = (centre[0] + x * radius * 1.1, centre[1] + y * radius * 1.1)
    if style.neck_width:
        canvas.stroke(inside, neck, color, style.neck_width)
    half = style.fuse / 2
    middle = (neck[0] + x * half, neck[1] + y * half)
    end = (middle[0] + x * half - y * style.bent, middle[1] + y * half + x * style.bent)
    canvas.path([inside, neck, middle, end], color, style.fuse_width)
    if style.spark:
        spark = turned(star(5, 0.4), end, 0.3, float(rng.uniform(0.08, 0.18)))
        canvas.fill(spark, hsv(rng.uniform(10, 60), 0.9, 1.0))
    canvas.disc(centre, radius, style.fill)
    if style.glint:
        aside = math.copysign(0.4, -x) * radius
        spot = (centre[0] + aside, centre[1] - 0.4 * radius)
        canvas.disc(spot, style.glint, mixed(style.fill, WHITE, style.shine))
    if style.rim is not None:
        canvas.ring(centre, radius, style.rim, float(rng.uniform(0.04, 0.1)))


def _draw_bombs(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    bombs = layout.fields["bomb"]
    canvas = canvas.moved(*rng.uniform(-_MISPRINT, _MISPRINT, 2))
    ground = look.screen_color
    if chance(rng, 0.6 if not look.light else 0.3):
        ground = any_color(rng, (0.0, 0.8), (0.3, 1.0) if not look.light else (0.85, 1.0))
        if chance(rng, 0.3):
            ground = hsv(rng.uniform(290, 350), rng.uniform(0.15, 0.6), rng.uniform(0.75, 1.0))
        margin = bombs.radius + float(rng.uniform(0.1, 0.3))
        rim = any_color(rng) if chance(rng, 0.4) else None
        box = around(bombs.centres, margin, margin + 0.15)
        draw_panel(canvas, box, float(rng.uniform(0, 0.6)), rng, (ground,), rim)
    font = random_font(rng)
    radius = bombs.radius * float(rng.uniform(0.85, 1.1))
    forms = ("outline", "hexagon", "tile", "badge", "plain disc", "star")
    style = pick(rng, "ball", "ball", "ball", *forms)
    fill = contrasting(rng, ground, 45)
    if style == "outline":
        fill = ground
    rim = contrasting(rng, fill, 60) if style == "outline" or chance(rng, 0.3) else None
    ink = contrasting(rng, fill, 80, 0.6)
    height = float(rng.uniform(0.35, 0.6))
    bomb = _bomb_style(rng, fill, rim)
    lit = ball_style(rng, ground, radius) if chance(rng, RELIEF_SHARE) else None
    for centre, points in zip(bombs.centres, load_sheet(layout.name).bomb_points, strict=True):
        if lit:
            lit_bomb(canvas, centre, radius * 0.92, str(points), font, lit)
            continue
        if style in ("ball", "outline", "badge"):
            _bomb_icon(canvas, rng, centre, radius, bomb)
        elif style == "plain disc":
            canvas.disc(centre, radius, fill)
        else:
            sides = {"hexagon": 3, "tile": 2, "star": 7}[style]
            form = star(sides, 0.75 if style == "star" else 1.0)
            form = turned(form, centre, math.pi / 4 if style == "tile" else 0.3, radius * 1.15)
            canvas.fill(form, fill)
            if rim is not None:
                canvas.outline(form, rim, 0.06)
        color = ink
        if style == "badge":
            canvas.disc(centre, radius * 0.7, ink)
            color = fill
        canvas.text(str(points), centre, height, color, font)


def _draw_legend(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    """The hint below the grid: how many crosses of a row give how many points."""
    if chance(rng, 0.06):
        return
    top, bottom = decoration_of(layout).legend
    y = (top + bottom) / 2 + float(rng.uniform(-0.15, 0.15))
    height = float(rng.uniform(0.4, 0.62))
    ground = look.screen_color
    if chance(rng, 0.25):
        ground = any_color(rng, (0, 1), (0, 1) if not look.light else (0.85, 1))
        box = Box(0.0, top - 0.1, float(layout.grid.columns), bottom + 0.1)
        draw_panel(canvas, box, float(rng.uniform(0, 0.6)), rng, (ground,), None)
    ink = contrasting(rng, ground, 90, 0.3)
    points_ink = contrasting(rng, ground, 60)
    font, style = random_font(rng), random_cross_style(rng)
    boxed, arrow = chance(rng, 0.75), pick(rng, "arrow", "=", ":", ">", "arrow")
    box_fill = WHITE if chance(rng, 0.6) else any_color(rng, (0, 0.2), (0.7, 1.0))
    if chance(rng, 0.25):
        box_fill = ground
    cross_ink = _seen_on(rng, look.mark if chance(rng, 0.3) else BLACK, box_fill, 70)
    if not boxed:
        cross_ink = ink
    items = sorted(load_sheet(layout.name).row_points.items(), reverse=True)
    pitch = layout.grid.columns / len(items)
    for index, (crosses, points) in enumerate(items):
        x = (index + 0.5) * pitch
        canvas.fitted_text(str(crosses), (x - 0.95, y), (0.9, height), ink, font)
        size = height * 1.15
        box = Box(x - 0.1 - size / 2, y - size / 2, x - 0.1 + size / 2, y + size / 2)
        if boxed:
            canvas.fill(rounded(box, float(rng.choice([0, 0.1]))), box_fill)
            canvas.outline(box.corners, ink, 0.05)
        draw_cross(canvas, (x - 0.1, y), size * 0.75, cross_ink, font, style)
        if arrow == "arrow":
            canvas.stroke((x + 0.45, y), (x + 0.75, y), ink, 0.09)
            canvas.fill([(x + 0.7, y - 0.2), (x + 1.0, y), (x + 0.7, y + 0.2)], ink)
        else:
            canvas.fitted_text(arrow, (x + 0.7, y), (0.4, height * 0.5), ink, font)
        canvas.fitted_text(str(points), (x + 1.25, y), (0.5, height), points_ink, font)
        if index and chance(rng, 0.5):
            canvas.stroke((index * pitch, top), (index * pitch, bottom), points_ink, 0.05)


def _bar_ground(
    canvas: Canvas,
    box: Box,
    rng: np.random.Generator,
    look: _Look,
    light_share: float,
) -> Color:
    """The panel of a bar; its colour."""
    if look.light and chance(rng, 0.6):
        if chance(rng, 0.4):
            ink = _seen_on(rng, look.accent, look.page[0], 40)
            canvas.outline(rounded(box, box.height / 2), ink, float(rng.uniform(0.02, 0.1)))
        return look.page[0]
    if look.light:
        ground = any_color(rng, (0, 0.25), (0.85, 1.0))
    elif chance(rng, light_share):
        ground = any_color(rng, (0, 0.3), (0.8, 1.0))
    else:
        ground = any_color(rng, (0.1, 1.0), (0.05, 0.6))
    colors = (ground, varied(rng, ground, 15, 0.08)) if chance(rng, 0.4) else (ground,)
    rim = any_color(rng, (0, 1), (0.2, 1.0)) if chance(rng, 0.7) else None
    radius = float(rng.uniform(0, 0.5)) * box.height
    if rim is not None and not look.light and chance(rng, 0.25):
        draw_glow(
            canvas, [rounded(box, radius)], mixed(rim, BLACK, 0.3), 0.3, rng.uniform(0.3, 0.9)
        )
    draw_panel(canvas, box, radius, rng, colors, rim)
    return ground


def _draw_bonus_bar(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    """The boxes of the extra points and the hint above them."""
    bonus = layout.fields["box"]
    canvas = canvas.moved(*rng.uniform(-_MISPRINT, _MISPRINT, 2))
    width, height = bonus.size
    hint_above = height / 2 + float(rng.uniform(0.45, 0.75))
    box = around(bonus.centres, width / 2, height / 2)
    margin = float(rng.uniform(0.15, 0.8))
    panel = Box(
        box.left - margin,
        box.top - float(rng.uniform(0.95, 1.25)),
        box.right + margin,
        box.bottom + float(rng.uniform(0.12, 0.4)),
    )
    ground = _bar_ground(canvas, panel, rng, look, 0.25)
    style = pick(rng, "boxes", "boxes", "boxes", "bar", "ruled", "round")
    fill = WHITE if chance(rng, 0.45) else any_color(rng, (0, 0.25), (0.82, 1.0))
    if look.light and chance(rng, 0.3):
        fill = ground
    rim = _seen_on(rng, any_color(rng), fill, float(rng.uniform(30, 120)))
    rim_width = float(rng.uniform(0.02, 0.08))
    scale = float(rng.uniform(0.88, 1.04))
    half = (width / 2 * scale, height / 2 * float(rng.uniform(0.9, 1.1)))
    bare = chance(rng, 0.3) and _distance(fill, ground) > 40
    if style in ("bar", "ruled"):
        canvas.fill(rounded(grown(box, 0.03, 0.03), float(rng.choice([0, 0.3]))), fill)
        canvas.outline(grown(box, 0.02, 0.02).corners, rim, rim_width)
    ink = look.mark if chance(rng, 0.55) else any_color(rng, (0, 1), (0, 0.8))
    ink = _seen_on(rng, ink, fill, 60)
    font = look.numbers if chance(rng, 0.5) else random_font(rng)
    size = (width * float(rng.uniform(0.55, 0.8)), height * float(rng.uniform(0.35, 0.62)))
    even = chance(rng, 0.6)
    radius = float(rng.choice([0, 0, 0.08, 0.2]))
    for index, (centre, value) in enumerate(
        zip(bonus.centres, load_sheet(layout.name).bonus_values, strict=True)
    ):
        x, y = centre
        if style in ("boxes", "round"):
            cell = Box(x - half[0], y - half[1], x + half[0], y + half[1])
            shape = rounded(cell, min(half) if style == "round" else radius)
            canvas.fill(shape, fill)
            if not bare:
                canvas.outline(shape, rim, rim_width)
        elif style == "ruled" and index:
            middle = (x + bonus.centres[index - 1][0]) / 2
            canvas.stroke((middle, y - half[1]), (middle, y + half[1]), rim, rim_width)
        if even:
            canvas.squeezed_text(str(value), centre, size, ink, font)
        else:
            canvas.fitted_text(str(value), centre, size, ink, font)
    _draw_bonus_hint(canvas, layout, rng, look, ground, hint_above)
    if chance(rng, 0.2):
        ink = contrasting(rng, look.page[0], 70)
        middle = (panel.right + layout.page.right) / 2 - 0.4
        for line in range(int(rng.integers(1, 4))):
            words = f"{random_word(rng, 3)} {random_word(rng, 5)}".lower()
            at = (middle, panel.top + 0.6 + 0.5 * line)
            canvas.fitted_text(words, at, (3.0, 0.28), ink, look.title)


def _draw_bonus_hint(
    canvas: Canvas,
    layout: Layout,
    rng: np.random.Generator,
    look: _Look,
    ground: Color,
    above: float,
) -> None:
    """Signs for rows finished together and the printed crosses they give."""
    if chance(rng, 0.08):
        return
    first, last = layout.fields["box"].centres[0], layout.fields["box"].centres[-1]
    y = first[1] - above
    line = contrasting(rng, ground, 50)
    mark = _seen_on(rng, look.mark, ground, 45)
    style, font = random_cross_style(rng), random_font(rng)
    size = float(rng.uniform(0.3, 0.5))
    sign = pick(rng, "lines", "lines", "number", "blocks")
    gives = chance(rng, 0.3) and sign != "number"
    x = first[0] + float(rng.uniform(0, 0.8))
    pitch = (last[0] - first[0] - 0.5) / sum(1.3 + 0.55 * n for _, n in _BONUS_HINT)
    for rows, crosses in _BONUS_HINT:
        if sign == "lines":
            for index in range(rows):
                at = y + (index - (rows - 1) / 2) * 0.5 / rows
                canvas.stroke((x, at), (x + 0.9, at), line, float(rng.uniform(0.05, 0.08)))
        elif sign == "number":
            canvas.fitted_text(f"{rows} =", (x + 0.45, y), (0.9, 0.45), line, font)
        else:
            for index in range(rows):
                canvas.box(Box(x + index * 0.22, y - 0.1, x + index * 0.22 + 0.17, y + 0.1), line)
        start = x + 1.25
        if gives:
            canvas.stroke((x + 1.0, y), (x + 1.2, y), line, 0.06)
            canvas.fill([(x + 1.2, y - 0.12), (x + 1.38, y), (x + 1.2, y + 0.12)], line)
            start += 0.4
        for index in range(crosses):
            centre = (start + index * max(size * 1.15, 0.4), y)
            draw_cross(canvas, centre, size, mark, font, style)
        x += pitch * (1.3 + 0.55 * crosses)


@dataclass(frozen=True)
class _PointStyle:
    """How the circles of one energy bar are printed."""

    ground: Color
    fill: Color
    rim: Color
    rim_width: float
    radius: float
    bevel: float
    started: str
    heavy: float
    glow: Color
    relief: PointRelief | None


def _point_style(
    layout: Layout, rng: np.random.Generator, look: _Look, ground: Color
) -> _PointStyle:
    kind = rng.random()
    if kind < 0.35:
        fill = hsv(0, 0, rng.uniform(0.85, 1.0))
    elif kind < 0.55:
        fill = mixed(ground, WHITE, 0.3) if luminance(ground) > 140 else WHITE
    elif kind < 0.75:
        fill = hsv(rng.uniform(180, 260), rng.uniform(0.0, 0.2), rng.uniform(0.7, 0.95))
    else:
        fill = any_color(rng, (0.05, 0.35), (0.8, 1.0))
    if look.light and chance(rng, 0.5):
        fill = ground
    glow_hue = rng.uniform(80, 140) if chance(rng, 0.5) else rng.uniform(0, 360)
    rim = any_color(rng, (0, 0.6 if chance(rng, 0.6) else 1.0), (0.1, 0.75))
    rim = _seen_on(rng, rim, fill, float(rng.uniform(35, 110)))
    return _PointStyle(
        ground,
        fill,
        rim,
        float(0.02 + 0.07 * rng.beta(1.2, 2.5)),
        layout.fields["energy"].radius * float(rng.uniform(0.9, 1.08)),
        float(rng.uniform(0.03, 0.08)) if chance(rng, 0.35) else 0.0,
        pick(rng, "ring", "ring", "glow ring", "glow ring", "fill", "double", "glow", "fill ring"),
        float(rng.uniform(0.09, 0.16)),
        hsv(glow_hue, rng.uniform(0.3, 0.9), rng.uniform(0.7, 1.0)),
        point_relief(rng, rim) if chance(rng, RELIEF_SHARE) else None,
    )


def _draw_point(canvas: Canvas, centre: Point, style: _PointStyle, started: bool) -> Color:
    """One circle of the energy bar; the colour inside it."""
    fill = style.fill
    if started and style.started in ("glow ring", "glow"):
        steps = 4
        for step in range(steps):
            share = (step + 1) / steps
            canvas.disc(
                centre,
                style.radius * (1.65 - 0.5 * share),
                mixed(mixed(style.fill, style.glow, 0.25), style.glow, share),
            )
        fill = mixed(style.glow, WHITE, 0.55)
    if started and style.started in ("fill", "fill ring"):
        fill = mixed(style.glow, WHITE, 0.3)
    if style.relief:
        if not started:
            embossed_point(canvas, centre, style.radius, fill, style.relief)
            return fill
        if style.started in ("glow ring", "glow"):
            soft_disc(canvas, centre, style.radius * 1.1, 0.15, style.glow, 0.9)
        embossed_point(canvas, centre, style.radius, fill, replace(style.relief, cast=0.0))
        heavy = 0.6 * style.heavy if style.started in ("fill", "glow") else style.heavy
        dark = mixed(style.relief.shade, BLACK, 0.6)
        canvas.ring(centre, style.radius + style.heavy / 4, dark, heavy)
        return fill
    if style.bevel:
        below = (centre[0] + style.bevel * 0.6, centre[1] + style.bevel)
        canvas.disc(below, style.radius, mixed(style.rim, BLACK, 0.3))
    canvas.disc(centre, style.radius, fill)
    if started and style.started in ("ring", "glow ring", "fill ring"):
        dark = mixed(style.rim, BLACK, 0.65)
        if luminance(style.ground) < 90:
            dark = mixed(style.glow, WHITE, 0.3)
        canvas.ring(centre, style.radius + style.heavy / 4, dark, style.heavy)
    elif started and style.started == "double":
        canvas.ring(centre, style.radius, mixed(style.rim, BLACK, 0.4), 0.06)
        canvas.ring(centre, style.radius + 0.11, mixed(style.rim, BLACK, 0.4), 0.06)
    else:
        canvas.ring(centre, style.radius - style.rim_width / 2, style.rim, style.rim_width)
    return fill


def _draw_energy_bar(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: _Look) -> None:
    energy, sheet = layout.fields["energy"], load_sheet(layout.name)
    canvas = canvas.moved(*rng.uniform(-_MISPRINT, _MISPRINT, 2))
    margin = energy.radius + float(rng.uniform(0.12, 0.45))
    box = around(energy.centres, margin + 0.1, margin)
    ground = _bar_ground(canvas, box, rng, look, 0.85)
    style = _point_style(layout, rng, look, ground)
    if chance(rng, 0.15):
        ink = _seen_on(rng, look.accent, ground, 40)
        for start, end in zip(energy.centres, energy.centres[1:], strict=False):
            if end[0] > start[0]:
                canvas.stroke(start, end, ink, 0.06)
    font = look.numbers if chance(rng, 0.6) else random_font(rng)
    cross_style, cross_font = random_cross_style(rng), random_font(rng)
    room = 2 * (style.radius - style.rim_width)
    cross_size = float(rng.uniform(0.24, 0.46))
    if chance(rng, 0.85):
        cross_size = min(cross_size, room * 0.68)
    height = float(rng.uniform(0.26, 0.4))
    mark = _seen_on(rng, look.mark, style.fill, float(rng.uniform(30, 70)))
    jitter = rng.normal(0, 0.012, 2)
    for index, centre in enumerate(energy.centres):
        fill = _draw_point(canvas, centre, style, index in sheet.preprinted)
        inside = (centre[0] + jitter[0], centre[1] + jitter[1])
        if index in sheet.labels:
            ink = _seen_on(rng, style.rim, fill, 90)
            canvas.text(sheet.labels[index], inside, height, ink, font)
        if index in sheet.pink_points:
            draw_cross(canvas, inside, cross_size, mark, cross_font, cross_style)


def _draw_pointers(canvas: Canvas, layout: Layout, rng: np.random.Generator) -> None:
    """Arrows from the margins to parts of the sheet, as on a picture taken from rules."""
    page, area = layout.page, layout.reading_area
    color = WHITE if chance(rng, 0.6) else any_color(rng)
    width, head = float(rng.uniform(0.08, 0.2)), float(rng.uniform(0.5, 1.2))
    for _ in range(int(rng.integers(2, 7))):
        left = chance(rng, 0.5)
        start = page.left if left else page.right, float(rng.uniform(area.top, area.bottom))
        for _ in range(int(rng.integers(1, 4))):
            x = area.left + float(rng.uniform(1, 6)) if left else area.right - rng.uniform(0.5, 5)
            end = float(x), start[1] + float(rng.uniform(-3, 3))
            way = np.subtract(end, start) / math.hypot(end[0] - start[0], end[1] - start[1])
            neck, aside = end - head * way, 0.35 * head * np.array([-way[1], way[0]])
            canvas.stroke(start, (float(neck[0]), float(neck[1])), color, width)
            canvas.fill([end, neck + aside, neck - aside], color)


def draw_markers(canvas: Canvas, layout: Layout, sheet: int, ink: Color) -> None:
    """The four fiducials of the n-th sheet of a page, each on a white quiet zone."""
    markers = layout.markers
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    modules = dictionary.markerSize + 2
    for index, centre in enumerate(markers.centres):
        bits = cv2.aruco.generateImageMarker(dictionary, 4 * sheet + index, modules)
        module, half = markers.size / modules, markers.size / 2
        quiet = half + module
        left, top = centre[0] - half, centre[1] - half
        canvas.box(
            Box(centre[0] - quiet, centre[1] - quiet, centre[0] + quiet, centre[1] + quiet), WHITE
        )
        x0, y0 = canvas.pixel((left, top))
        side = round(markers.size * canvas.scale)
        black = cv2.resize(cv2.bitwise_not(bits), (side, side), interpolation=cv2.INTER_NEAREST)
        blend_mask(canvas.image, np.asarray(black, np.uint8), round(x0), round(y0), ink)


# --- whole sheets ----------------------------------------------------------------------------


def _empty_page(layout: Layout, pixels_per_cell: int) -> Canvas:
    page = layout.page
    height, width = round(page.height * pixels_per_cell), round(page.width * pixels_per_cell)
    return Canvas(
        np.zeros((height, width, 3), np.uint8),
        (-page.left * pixels_per_cell, -page.top * pixels_per_cell),
        float(pixels_per_cell),
    )


def render_blank(layout: Layout, rng: np.random.Generator, pixels_per_cell: int = 40) -> BlankSheet:
    """A blank sheet in art that the generator draws by chance.

    The families: ``arcade`` (dark or colourful page), ``light`` (paper, now and then with
    fiducials), each now and then turned into a ``photocopy`` or ``worn``. Every functional part
    stands where the layout has it, within 0.03 cell.
    """
    canvas = _empty_page(layout, pixels_per_cell)
    light = chance(rng, 0.42)
    look = _light_look(rng) if light else _dark_look(rng)
    markers = light and chance(rng, 0.5)
    total_field = markers or (light and chance(rng, 0.2))
    if light:
        _draw_paper(canvas, layout, rng, look)
    else:
        _draw_machine(canvas, layout, rng, look)
        _draw_screen(canvas, layout, rng, look)
    _draw_strip(canvas, layout, rng, look)
    _draw_grid(canvas, layout, rng, look)
    _draw_multipliers(canvas, layout, rng, look)
    _draw_bombs(canvas, layout, rng, look)
    _draw_legend(canvas, layout, rng, look)
    if total_field:
        _draw_total_field(canvas, layout, rng, look)
    _draw_bonus_bar(canvas, layout, rng, look)
    _draw_energy_bar(canvas, layout, rng, look)
    if markers:
        ink = hsv(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0, 0.2))
        draw_markers(canvas, layout, int(rng.integers(12)), ink)
    family = "light" if light else "arcade"
    image = canvas.image
    if chance(rng, POINTERS_SHARE):
        _draw_pointers(canvas, layout, rng)
    if chance(rng, 0.3):
        image = coarsely_printed(image, pixels_per_cell, rng)
    if chance(rng, 0.12):
        image = screened(image, pixels_per_cell, rng)
    if chance(rng, 0.15):
        image = faded(image, rng)
    if chance(rng, 0.12):
        family, image = "photocopy", photocopied(image, rng)
    if chance(rng, 0.12):
        family, image = "worn", worn(image, rng)
    radius = float(rng.uniform(0.2, 1.5)) if not light and chance(rng, 0.6) else 0.0
    return BlankSheet(image, canvas.origin, pixels_per_cell, family, radius, markers, total_field)


# --- the back --------------------------------------------------------------------------------


def _overview_colors(layout: Layout, rng: np.random.Generator) -> dict[str, Color]:
    shift = (float(rng.uniform(-8, 8)), float(rng.uniform(-0.12, 0.12)))
    return {name: _disc_color(layout, rng, name, shift) for name in load_sheet(layout.name).blocks}


def render_overview(layout: Layout, rng: np.random.Generator, pixels_per_cell: int = 30) -> Image:
    """The sheet's back in random art: the blocks by colour (rows) and number (columns).

    uint8 BGR of the same page as the front.
    """
    canvas = _empty_page(layout, pixels_per_cell)
    page = layout.page
    light = chance(rng, 0.45)
    look = _light_look(rng) if light else _dark_look(rng)
    canvas.image[:] = gradient(rng, canvas.image.shape[0], canvas.image.shape[1], look.page)
    if not light and chance(rng, 0.5):
        pick(rng, *ORNAMENTS)(canvas, rng, page, int(rng.integers(2, 8)))
    inset = float(rng.uniform(0.5, 2.0))
    area = Box(
        page.left + inset,
        page.top + float(rng.uniform(1.0, 5.5)),
        page.right - inset,
        page.bottom - float(rng.uniform(0.6, 3.5)),
    )
    ground = look.page[0]
    if chance(rng, 0.5):
        ground = look.screen_color
        draw_panel(
            canvas, grown(area, 0.3, 0.3), float(rng.uniform(0, 1.2)), rng, look.screen, None
        )
    if area.top - page.top > 2.5:
        _draw_title(canvas, layout, rng, look)
    columns = max(len(shapes) for shapes in load_sheet(layout.name).blocks.values())
    labelled = chance(rng, 0.35)
    left = area.left + (1.4 if labelled else 0.0)
    pitch = (
        (area.right - left) / columns,
        (area.height - 1.6) / len(load_sheet(layout.name).blocks),
    )
    top = area.top + 1.6
    ink = contrasting(rng, ground, 90, 0.7)
    ruled, height = chance(rng, 0.35), float(rng.uniform(0.6, 1.0))
    for index in range(columns):
        x = left + (index + 0.5) * pitch[0]
        canvas.text(str(index + 1), (x, area.top + 0.8), height, ink, look.title)
        if ruled and index:
            edge = left + index * pitch[0]
            canvas.stroke((edge, top), (edge, area.bottom), ink, 0.06)
    colors = _overview_colors(layout, rng)
    longest = (
        max(max(c) for s in load_sheet(layout.name).blocks.values() for shape in s for c in shape)
        + 1
    )
    size = min(pitch) / longest * float(rng.uniform(0.8, 0.98))
    rim_width = float(rng.uniform(0.04, 0.14)) * size
    tinted, gap = chance(rng, 0.3), float(rng.choice([0.0, 0.0, 0.06])) * size
    lit = WHITE if chance(rng, 0.5) else ink
    for row, (name, shapes) in enumerate(load_sheet(layout.name).blocks.items()):
        color, y = colors[name], top + (row + 0.5) * pitch[1]
        under = ground
        if tinted:
            under = mixed(ground, color, 0.3)
            band = Box(area.left, y - pitch[1] / 2, area.right, y + pitch[1] / 2)
            canvas.box(band, under)
        if ruled:
            line_y = y - pitch[1] / 2
            canvas.stroke((area.left, line_y), (area.right, line_y), ink, 0.06)
        rim = lit if chance(rng, 0.5) else mixed(color, BLACK, 0.6)
        if _distance(color, under) < 70:
            rim = _seen_on(rng, rim, under, 70)
        if labelled:
            canvas.disc((area.left + 0.7, y), 0.5, color)
            canvas.ring((area.left + 0.7, y), 0.5, rim, 0.08)
        for index, shape in enumerate(shapes):
            x = left + (index + 0.5) * pitch[0]
            _draw_block(canvas, shape, (x, y), size, color, rim, rim_width, gap)
    if chance(rng, 0.1):
        return photocopied(canvas.image, rng)
    return canvas.image


def _draw_block(
    canvas: Canvas,
    shape: tuple[tuple[int, int], ...],
    centre: Point,
    size: float,
    color: Color,
    rim: Color,
    rim_width: float,
    gap: float,
) -> None:
    """A block of the overview around ``centre``; ``size`` of its cells."""
    down, across = max(r for r, _ in shape) + 1, max(c for _, c in shape) + 1
    for row, column in shape:
        x = centre[0] + (column - across / 2) * size
        y = centre[1] + (row - down / 2) * size
        cell = Box(x + gap, y + gap, x + size - gap, y + size - gap)
        canvas.box(cell, color)
        canvas.outline(cell.corners, rim, rim_width)
