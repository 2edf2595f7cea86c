"""The page around the functional parts: title, ornaments, screen, small print."""

from __future__ import annotations

import math

import cv2
import numpy as np

from brikks_vision.layout import Box, Layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.art.bombs import bomb_icon, bomb_style
from simulation.brikks.art.look import Look
from simulation.brikks.decoration import decoration_of
from simulation.paper import ornaments
from simulation.paper.canvas import Canvas, around, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import BLACK, any_color, contrasting, mixed, visible_on
from simulation.paper.fonts import random_word
from simulation.paper.relief import like_a_photograph
from simulation.paper.surfaces import gradient

PHOTOGRAPH_SHARE = 0.15  # of the dark pages


def draw_title(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
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
        ornaments.draw_panel(canvas, box, float(rng.uniform(0, 1)), rng, (ground,), any_color(rng))
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


def _draw_footer(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """Icons, dice and words below the energy bar."""
    energy = around(layout.fields["energy"].centres, 0.0, 1.2)
    room = Box(layout.page.left + 0.8, energy.bottom, layout.page.right - 0.8, 0.0)
    room = Box(room.left, room.top, room.right, layout.page.bottom - 0.4)
    ground = look.page[-1]
    if chance(rng, 0.4):
        ground = any_color(rng, (0, 1), (0, 0.4) if not look.light else (0.8, 1.0))
        ornaments.draw_panel(
            canvas, room.grown(0.3, 0.0), float(rng.uniform(0, 0.8)), rng, (ground,), None
        )
    for _ in range(int(rng.integers(0, 8))):
        centre = ornaments.point_in(rng, room.grown(-0.6))
        size = float(rng.uniform(0.25, 0.6))
        color = contrasting(rng, ground, 40)
        kind = int(rng.integers(8))
        if kind >= 6:
            canvas.ring(centre, size * 0.7, color, float(rng.uniform(0.04, 0.14)))
            if kind == 7:
                ornaments.draw_cross(
                    canvas,
                    centre,
                    size * 0.8,
                    color,
                    look.numbers,
                    ornaments.random_cross_style(rng),
                )
        elif kind == 0:
            form = np.array([(-1, -0.3), (0.2, -0.3), (0.2, -0.9), (1, 0), (0.2, 0.9), (0.2, 0.3)])
            canvas.fill(ornaments.turned(form, centre, pick(rng, 0.0, math.pi), size), color)
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
            bomb_icon(canvas, rng, centre, size, bomb_style(rng, color, None))
        elif kind == 4:
            canvas.text(pick(rng, "BANG", "?", "GO!"), centre, size, color, look.title)
        else:
            ornaments.draw_piece(canvas, pieces_of(layout), rng, centre, size * 0.6)


def _draw_small_print(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """Lines for names and a few lines of rules, as light sheets have them."""
    page, energy = layout.page, around(layout.fields["energy"].centres, 0.0, 1.0)
    ink = visible_on(look.accent, look.page[0], 60)
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


def draw_machine(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """Everything of a dark page that is no functional part, drawn before those."""
    page, screen = layout.page, decoration_of(layout).screen
    canvas.image[:] = gradient(rng, canvas.image.shape[0], canvas.image.shape[1], look.page)
    if chance(rng, PHOTOGRAPH_SHARE):
        canvas.image[:] = like_a_photograph(rng, *canvas.image.shape[:2])
    if chance(rng, 0.4):
        pick(rng, *ornaments.ORNAMENTS)(canvas, rng, page, int(rng.integers(2, 8)))
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
            ornaments.fill_shape(
                canvas, wing, rng, (any_color(rng, (0.2, 1), (0.1, 0.7)), look.page[0])
            )
            if chance(rng, 0.5):
                canvas.outline(wing, any_color(rng), float(rng.uniform(0.03, 0.2)))
    for margin in page_margins(layout):
        if chance(rng, 0.6):
            ornaments.ornament(canvas, pieces_of(layout), rng, margin, int(rng.integers(1, 3)))
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
        ornaments.fill_shape(
            canvas, desk, rng, (any_color(rng, (0.1, 1), (0.1, 0.8)), look.page[-1])
        )
    if chance(rng, 0.6):
        _draw_joystick(canvas, layout, rng)
    _draw_footer(canvas, layout, rng, look)
    if chance(rng, 0.85):
        draw_title(canvas, layout, rng, look)
    if chance(rng, 0.2):
        shade = canvas.image[:: int(rng.integers(2, 6))]
        shade[:] = (shade.astype(np.uint16) * int(rng.integers(170, 235)) >> 8).astype(np.uint8)


def draw_screen(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    extra = float(rng.uniform(-0.08, 0.35))
    box = decoration_of(layout).screen.grown(extra)
    radius = float(rng.uniform(0, 1.0))
    rim = any_color(rng, (0.2, 1.0), (0.4, 1.0)) if chance(rng, 0.75) else None
    if rim is not None and chance(rng, 0.4):
        ornaments.draw_glow(
            canvas, [rounded(box, radius)], mixed(rim, BLACK, 0.2), 0.4, rng.uniform(0.3, 1.2)
        )
    ornaments.draw_panel(canvas, box, radius, rng, look.screen, rim)


def draw_paper(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """Everything of a light page that is no functional part, drawn before those."""
    page = layout.page
    canvas.image[:] = gradient(rng, canvas.image.shape[0], canvas.image.shape[1], look.page)
    ink = visible_on(look.accent, look.page[0], 40)
    if chance(rng, 0.3):
        inset = -float(rng.uniform(0.2, 0.9))
        frame = rounded(page.grown(inset), float(rng.uniform(0, 1.2)))
        canvas.outline(frame, ink, float(rng.uniform(0.02, 0.12)))
    if look.screen_color != look.page[0] or chance(rng, 0.3):
        rim = ink if chance(rng, 0.6) else None
        ornaments.draw_panel(
            canvas,
            decoration_of(layout).screen,
            float(rng.uniform(0, 0.8)),
            rng,
            look.screen,
            rim,
        )
    if chance(rng, 0.2):
        for margin in page_margins(layout):
            ornaments.ornament(canvas, pieces_of(layout), rng, margin, 1)
    if chance(rng, 0.3):
        _draw_footer(canvas, layout, rng, look)
    if chance(rng, 0.7):
        draw_title(canvas, layout, rng, look)
    _draw_small_print(canvas, layout, rng, look)


def page_margins(layout: Layout) -> tuple[Box, ...]:
    """The parts of the page where ornaments cannot be taken for a functional part."""
    page, screen, area = layout.page, decoration_of(layout).screen, layout.reading_area
    energy = around(layout.fields["energy"].centres, 0.8, 0.8)
    return (
        Box(page.left, page.top, page.right, screen.top),
        Box(page.left, screen.top, area.left, area.bottom),
        Box(area.right, screen.top, page.right, area.bottom),
        Box(page.left, energy.bottom, page.right, page.bottom),
    )


def pieces_of(layout: Layout) -> tuple[ornaments.Pieces, ...]:
    """The blocks of the game, by colour: ornaments of its own sheet."""
    return tuple(load_sheet(layout.name).blocks.values())
