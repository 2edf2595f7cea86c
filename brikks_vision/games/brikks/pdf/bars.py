"""The extra-points bar and the energy bar."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.games.brikks.decoration import decoration_of
from brikks_vision.games.brikks.pdf.palette import BrikksPalette
from brikks_vision.layout import Box, Layout, bounds
from brikks_vision.printing.lettering import Printed, draw_text, fitting_size
from brikks_vision.printing.shapes import (
    draw_arrow,
    draw_cross,
    draw_disc,
    draw_line,
    draw_rectangle,
    square,
)
from brikks_vision.rules.brikks.sheet import sheet_of


def _extra_points_boxes(layout: Layout) -> tuple[Box, ...]:
    width, height = layout.fields["box"].size
    return tuple(
        Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for x, y in layout.fields["box"].centres
    )


def extra_points_panel(layout: Layout) -> Box:
    """The extra-points bar's frame: its boxes, and above them a line of hints."""
    boxes = bounds(_extra_points_boxes(layout))
    return Box(boxes.left - 0.4, boxes.top - 1.25, boxes.right + 0.4, boxes.bottom + 0.35)


def _draw_extra_points_hints(
    canvas: Canvas, layout: Layout, palette: BrikksPalette, area: Box
) -> None:
    """What rows finished together are worth: stacked bars for the rows, then their crosses."""
    hints = sheet_of(layout).crosses_for_rows.items()
    bar, cross_step, pitch = 1.1, 0.42, 0.16
    widths = [bar + 0.55 + crosses * cross_step for _, crosses in hints]
    gap = (area.width - sum(widths)) / (len(widths) + 1)
    left, y = area.left + gap, (area.top + area.bottom) / 2
    for (rows, crosses), width in zip(hints, widths, strict=True):
        top = y - (rows - 1) * pitch / 2
        for row in range(rows):
            draw_line(
                canvas,
                (left, top + row * pitch),
                (left + bar, top + row * pitch),
                palette.factor_text,
                0.08,
            )
        draw_arrow(canvas, (left + bar + 0.42, y), 0.3, palette.note_text)
        for cross in range(crosses):
            x = left + bar + 0.55 + (cross + 0.5) * cross_step
            draw_cross(canvas, (x, y), 0.14, palette.accent, 0.08)
        left += width + gap


def draw_extra_points_bar(
    canvas: Canvas, layout: Layout, palette: BrikksPalette, printed: Printed
) -> None:
    """The boxes with their values, the hints above and a note on their right."""
    panel = extra_points_panel(layout)
    draw_rectangle(
        canvas, panel, fill=palette.panel, stroke=palette.panel_rim, width=0.06, corner=0.4
    )
    boxes = _extra_points_boxes(layout)
    hints = Box(boxes[0].left, panel.top + 0.1, boxes[-1].right, boxes[0].top - 0.1)
    _draw_extra_points_hints(canvas, layout, palette, hints)
    for box, value in zip(boxes, sheet_of(layout).bonus_values, strict=True):
        draw_rectangle(canvas, box, fill=palette.bar_ground, stroke=palette.rim, width=0.04)
        draw_text(canvas, box.middle, str(value), 0.42, palette.bar_text)
    beside, wall = (panel.right + decoration_of(layout).screen.right) / 2, 0.1
    widest = decoration_of(layout).screen.right - panel.right - 2 * wall
    lines = printed("open-box").split("\n")
    size = fitting_size(0.34, lines, widest)
    for line, words in enumerate(lines):
        draw_text(
            canvas, (beside, boxes[0].top + 0.42 * (line - 1)), words, size, palette.note_text
        )


def energy_panel(layout: Layout) -> Box:
    """The energy bar's frame."""
    energy = layout.fields["energy"]
    return bounds(square(centre, 2 * energy.radius) for centre in energy.centres).grown(0.35)


def draw_energy_bar(canvas: Canvas, layout: Layout, palette: BrikksPalette) -> None:
    """The energy points with their labels and pink crosses; the preprinted ones are ringed."""
    energy, sheet = layout.fields["energy"], sheet_of(layout)
    draw_rectangle(
        canvas,
        energy_panel(layout),
        fill=palette.bar_ground,
        stroke=palette.panel_rim,
        width=0.06,
        corner=0.5,
    )
    for point, centre in enumerate(energy.centres):
        preprinted = point in sheet.preprinted
        draw_disc(
            canvas,
            centre,
            energy.radius,
            fill=palette.active_ground if preprinted else palette.point_ground,
            stroke=palette.ink if preprinted else palette.point_rim,
            width=0.12 if preprinted else 0.04,
        )
        if point in sheet.pink_points:
            draw_cross(canvas, centre, energy.radius * 0.42, palette.bonus_mark, 0.07)
        if point in sheet.labels:
            draw_text(canvas, centre, sheet.labels[point], energy.radius * 1.2, palette.bar_text)
