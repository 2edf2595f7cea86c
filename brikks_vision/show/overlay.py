"""The photo with what was read drawn on it: marks, points, doubts and broken rules.

All marks are placed in the sheet frame (cells) and mapped to the photo point by point, so they
follow curled paper. Every line has a halo, so it shows on white and on dark sheets alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.errors import OutputFormatUnknown, OutputNotWritable
from brikks_vision.files import write_whole
from brikks_vision.layout import Box, Cell, Layout, Point
from brikks_vision.reading import Doubt, Reading, Status, ViolationReading
from brikks_vision.show.fonts import BOLD, font
from brikks_vision.show.report import doubt_text, rank_text, status_text
from brikks_vision.text.languages import texts_in

Image = NDArray[np.uint8]
Color = tuple[int, int, int]  # BGR
Polyline = Sequence[Point]

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")

CROSS_COLOR: Color = (90, 240, 60)
"""What is read as crossed or circled is drawn in this."""

_WHITE: Color = (255, 255, 255)
_BLACK: Color = (0, 0, 0)
_GRID: Color = (255, 220, 120)
_STRUCK: Color = (80, 70, 255)
_OFF: Color = (170, 170, 170)
_POINTS: Color = (60, 230, 255)
_DOUBT: Color = (0, 165, 255)
_VIOLATION: Color = (60, 40, 235)
_PANEL: Color = (38, 30, 28)
_PANEL_TEXT: Color = (235, 235, 235)
_STATUS_COLORS = {Status.OK: CROSS_COLOR, Status.UNCERTAIN: _DOUBT, Status.UNREADABLE: _STRUCK}

_STEP = 0.25  # cells between the points of a line that may bend
_SHIFT = 4  # binary places of the coordinates given to the line drawing


class SheetPlacement(Protocol):
    """Where the sheet lies in the picture."""

    def to_photo(self, points: NDArray[np.float64], /) -> NDArray[np.float64]:
        """(N, 2) points in the sheet frame, in cells, to (N, 2) px in the picture."""


@dataclass(frozen=True)
class _Turned:
    """A placement in the picture after ``quarters`` clockwise quarter turns; sizes in px."""

    placement: SheetPlacement
    quarters: int
    width: int
    height: int

    def to_photo(self, points: NDArray[np.float64], /) -> NDArray[np.float64]:
        x, y = self.placement.to_photo(points).T
        width, height = self.width, self.height
        for _ in range(self.quarters):
            x, y = height - 1 - y, x
            width, height = height, width
        return np.stack([x, y], axis=1)


@dataclass(frozen=True)
class _Canvas:
    """A picture that is drawn on (in place), the sheet's place in it, and a cell's side in px."""

    image: Image
    placement: SheetPlacement
    cell: float


def annotate(
    image: Image,
    placement: SheetPlacement,
    reading: Reading,
    layout: Layout,
    language: str,
) -> Image:
    """The photo with the reading drawn on it, and a panel of points and remarks below.

    Parameters
    ----------
    image
        (H, W, 3) uint8 BGR; not changed.
    placement
        Maps the sheet frame to the pixels of ``image``.
    reading
        What was read; an unreadable one draws nothing but the panel.
    language
        "de", "en", "fr" or "es".

    Returns
    -------
    (H', W', 3) uint8 BGR
        Turned by quarters so that the sheet stands upright, the panel below.
    """
    canvas = _upright_canvas(image, placement, layout.grid.box)
    if reading.status is not Status.UNREADABLE:
        _draw_grid(canvas, layout)
        _draw_blocks(canvas, reading, layout)
        _draw_crosses(canvas, reading)
        _draw_energy(canvas, reading, layout)
        _draw_bars(canvas, reading, layout)
        _draw_points(canvas, reading, layout)
        _draw_doubts(canvas, reading.doubts, layout)
        _draw_violations(canvas, reading.violations, layout)
    panel = _panel(canvas.image.shape[1], reading, language)
    return np.asarray(np.vstack([canvas.image, panel]), np.uint8)


def save_image(image: Image, path: Path) -> None:
    """Write a BGR picture; the name's suffix says the format; whole or not at all.

    Raises
    ------
    OutputFormatUnknown
        The suffix is none of ``SUFFIXES``.
    OutputNotWritable
        The file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise OutputFormatUnknown(path, ", ".join(SUFFIXES))
    qualities = {".png": [], ".webp": [cv2.IMWRITE_WEBP_QUALITY, 90]}
    quality = qualities.get(suffix, [cv2.IMWRITE_JPEG_QUALITY, 90])
    try:
        written, encoded = cv2.imencode(suffix, image, quality)
    except cv2.error as error:
        raise OutputNotWritable(path, error.err) from error
    if not written:  # WebP holds at most 16383 px a side
        raise OutputNotWritable(path, f"{image.shape[1]}x{image.shape[0]} px")
    write_whole(path, encoded.tobytes())


def place_of(where: str, layout: Layout) -> tuple[Point, float] | None:
    """Centre and radius, in cells, of a doubt's place ("cell 3,4", "energy 24", ...).

    Kinds: ``cell row,column``, ``energy n``, ``box n``, ``bomb n``, ``row n`` (its written
    points), all counted from 0, and ``total``; None for a place that this sheet does not have.
    """
    kind, _, rest = where.partition(" ")
    try:
        numbers = [int(number) for number in rest.split(",")] if rest else []
    except ValueError:
        return None
    strip = layout.figures["rows"].box
    middle = (strip.left + strip.right) / 2
    if kind == "cell" and len(numbers) == 2:
        row, column = numbers
        inside = row in range(layout.grid.rows) and column in range(layout.grid.columns)
        return ((column + 0.5, row + 0.5), 0.62) if inside else None
    if kind == "total" and "total" in layout.figures:
        return layout.figures["total"].centres[0], 0.8
    if len(numbers) != 1:
        return None
    if kind == "row" and numbers[0] in range(layout.grid.rows):
        return ((middle, numbers[0] + 0.5), 0.75)
    centres, radius = {
        "energy": (layout.fields["energy"].centres, layout.fields["energy"].radius * 1.55),
        "box": (layout.fields["box"].centres, max(layout.fields["box"].size) * 0.75),
        "bomb": (layout.fields["bomb"].centres, layout.fields["bomb"].radius * 1.3),
    }.get(kind, ((), 0.0))
    return (centres[numbers[0]], radius) if numbers[0] in range(len(centres)) else None


# --- what is drawn -------------------------------------------------------------------------------


def _upright_canvas(image: Image, placement: SheetPlacement, grid: Box) -> _Canvas:
    middle = ((grid.left + grid.right) / 2, (grid.top + grid.bottom) / 2)
    below = (middle[0], middle[1] + 1)
    beside = (middle[0] + 1, middle[1])
    start, down, right = placement.to_photo(np.array([middle, below, beside]))
    angle = np.degrees(np.arctan2(*(down - start)))  # 0: the sheet's down is the picture's down
    quarters = round(angle / 90) % 4
    cell = float(np.sqrt(abs(np.linalg.det(np.stack([right - start, down - start])))))
    height, width = image.shape[:2]
    turned = np.ascontiguousarray(np.rot90(image, -quarters))
    # rot90 gives a view of the caller's picture where nothing is turned.
    picture = turned.copy() if np.shares_memory(turned, image) else turned
    return _Canvas(picture, _Turned(placement, quarters, width, height), cell)


def _draw_grid(canvas: _Canvas, layout: Layout) -> None:
    grid = layout.grid
    inner: list[Polyline] = [
        *([(0, row), (grid.columns, row)] for row in range(1, grid.rows)),
        *([(column, 0), (column, grid.rows)] for column in range(1, grid.columns)),
    ]
    _lines(canvas, inner, _GRID, 0.025, halo=False)
    corners = grid.box.corners
    _lines(canvas, [[*corners, corners[0]]], _GRID, 0.05)


def _draw_blocks(canvas: _Canvas, reading: Reading, layout: Layout) -> None:
    tinted = canvas.image.copy()
    colors = [_block_color(block.color, layout) for block in reading.blocks]
    for block, color in zip(reading.blocks, colors, strict=True):
        for row, column in block.cells:
            _fill(tinted, canvas.placement, Box(column, row, column + 1, row + 1), color)
    canvas.image[:] = cv2.addWeighted(tinted, 0.22, canvas.image, 0.78, 0)
    for block, color in zip(reading.blocks, colors, strict=True):
        _lines(canvas, _outline(block.cells, 0.09), color, 0.09)


def _draw_crosses(canvas: _Canvas, reading: Reading) -> None:
    crosses: list[Polyline] = []
    for row, marks in enumerate(reading.grid):
        for column, mark in enumerate(marks):
            if mark == "X":
                crosses += _cross((column + 0.5, row + 0.5), 0.24)
            elif mark == "?":
                _text(canvas, "?", (column + 0.5, row + 0.5), 0.6, _DOUBT)
    _lines(canvas, crosses, CROSS_COLOR, 0.055)


def _draw_energy(canvas: _Canvas, reading: Reading, layout: Layout) -> None:
    bar = layout.fields["energy"]
    for centre, state in zip(bar.centres, reading.energy, strict=False):
        if state == "circled":
            _lines(canvas, [_ring(centre, bar.radius * 1.12)], CROSS_COLOR, 0.07)
        elif state != "open":
            _lines(canvas, _cross(centre, bar.radius), _STRUCK if state == "used" else _OFF, 0.07)


def _draw_bars(canvas: _Canvas, reading: Reading, layout: Layout) -> None:
    reach = 0.38 * min(layout.fields["box"].size)
    for centre in layout.fields["box"].centres[: reading.bonus_crosses or 0]:
        _lines(canvas, _cross(centre, reach), CROSS_COLOR, 0.06)
    for centre in layout.fields["bomb"].centres[: reading.bombs_used or 0]:
        _lines(canvas, _cross(centre, layout.fields["bomb"].radius * 0.8), _STRUCK, 0.09)


def _draw_points(canvas: _Canvas, reading: Reading, layout: Layout) -> None:
    if reading.score is None:
        return
    strip, written = layout.figures["rows"].box, reading.written
    x = strip.left - 0.55
    for row, points in enumerate(reading.score.rows):
        figure = written.rows[row] if written and row < len(written.rows) else None
        differs = figure is not None and figure != points
        color = _DOUBT if differs else _POINTS if points else _PANEL_TEXT
        _text(canvas, str(points), (x, row + 0.5), 0.62 if points else 0.5, color)
    bottom = float(layout.grid.rows)
    _lines(canvas, [[(x - 0.4, bottom + 0.12), (x + 0.4, bottom + 0.12)]], _POINTS, 0.05)
    _text(canvas, str(reading.score.lines), (x, bottom + 0.6), 0.7, _POINTS)
    for part, bar in (
        (reading.score.bonus, layout.fields["box"].centres),
        (reading.score.energy, layout.fields["energy"].centres[-1:]),
    ):
        _text(canvas, str(part), (bar[-1][0] + 0.95, bar[-1][1]), 0.62, _POINTS)
    last = layout.fields["bomb"].centres[-1]
    below = (last[0], last[1] + layout.fields["bomb"].radius + 0.42)
    _text(canvas, str(reading.score.bombs), below, 0.62, _POINTS)


def _draw_doubts(canvas: _Canvas, doubts: Iterable[Doubt], layout: Layout) -> None:
    for number, doubt in enumerate(doubts):
        place = place_of(doubt.where, layout)
        if place is None:
            continue
        (x, y), radius = place
        _lines(canvas, [_ring((x, y), radius)], _DOUBT, 0.09)
        label = (x + 0.75 * radius + 0.1, y - 0.75 * radius - 0.1)
        _badge(canvas, _doubt_label(number), label, _DOUBT, _BLACK)


def _draw_violations(
    canvas: _Canvas, violations: Iterable[ViolationReading], layout: Layout
) -> None:
    grid = layout.grid
    labels: list[Point] = []
    for number, violation in enumerate(violations, 1):
        cells = [
            (row, column)
            for row, column in violation.cells
            if row in range(grid.rows) and column in range(grid.columns)
        ]
        rings = _violation_rings(violation, layout)
        if cells:
            _lines(canvas, _outline(cells, -0.04), _VIOLATION, 0.1)
            top, left = min(cells)
            label = (left + 0.1, top + 0.1)
        elif rings:
            _lines(canvas, [_ring(centre, radius) for centre, radius in rings], _VIOLATION, 0.08)
            (x, y), radius = rings[0]
            label = (x - 0.75 * radius - 0.1, y - 0.75 * radius - 0.1)
        elif violation.part in _beside(layout) and not violation.where:
            label = _beside(layout)[violation.part]
        else:
            continue
        label = _free_place(label, labels)
        labels.append(label)
        _badge(canvas, str(number), label, _VIOLATION, _WHITE)


def _free_place(label: Point, taken: Iterable[Point]) -> Point:
    """The place, moved to the right until it covers no other label."""
    x, y = label
    while any(abs(x - other_x) < 0.6 and abs(y - other_y) < 0.6 for other_x, other_y in taken):
        x += 0.6
    return x, y


def _beside(layout: Layout) -> dict[str, Point]:
    """Where the parts begin: the label's place where too little is marked, so nothing to ring."""
    energy, bonus = layout.fields["energy"], layout.fields["box"]
    return {
        "energy": (energy.centres[0][0] - 2 * energy.radius, energy.centres[0][1]),
        "bonus": (bonus.centres[0][0] - 1.2 * bonus.size[0], bonus.centres[0][1]),
    }


def _violation_rings(violation: ViolationReading, layout: Layout) -> list[tuple[Point, float]]:
    """Centres and radii of the places beside the grid where a broken rule shows."""
    kinds = {"energy": "energy", "bonus": "box", "bombs": "bomb", "rows": "row"}
    if violation.part == "total":
        places = [place_of("total", layout)]
    elif violation.part in kinds:
        numbers = [place for place in violation.where if isinstance(place, int)]
        places = [place_of(f"{kinds[violation.part]} {number}", layout) for number in numbers]
    else:
        places = []
    return [place for place in places if place is not None]


def _block_color(name: str | None, layout: Layout) -> Color:
    if name is None:
        return _VIOLATION
    red, green, blue = bytes.fromhex(layout.colors[name].removeprefix("#"))
    return (blue, green, red)


def _doubt_label(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else "?"


# --- shapes in the sheet frame -------------------------------------------------------------------


def _cross(centre: Point, reach: float) -> list[Polyline]:
    x, y = centre
    return [
        [(x - reach, y - reach), (x + reach, y + reach)],
        [(x - reach, y + reach), (x + reach, y - reach)],
    ]


def _ring(centre: Point, radius: float) -> Polyline:
    angles = np.linspace(0, 2 * np.pi, 33)
    return [(centre[0] + radius * np.cos(a), centre[1] + radius * np.sin(a)) for a in angles]


def _outline(cells: Iterable[Cell], inset: float) -> list[Polyline]:
    """The borders of a group of cells, drawn ``inset`` cells inside them, as closed lines."""
    inside = set(cells)
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}
    # Clockwise around each cell; edges between two cells of the group are left out.
    for row, column in sorted(inside):
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        beyond = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        for side, neighbour in enumerate(beyond):
            if neighbour not in inside:
                onward.setdefault(corners[side], []).append(corners[(side + 1) % 4])
    borders: list[Polyline] = []
    while onward:
        start = next(iter(onward))
        border = [start]
        while not border[1:] or border[-1] != start:
            ends = onward[border[-1]]
            border.append(ends.pop(0))
            if not ends:
                del onward[border[-2]]
        borders.append(_inset(border, inset))
    return borders


def _inset(border: list[tuple[int, int]], inset: float) -> Polyline:
    """A closed clockwise line of unit steps, moved inwards; the last point is the first."""
    loop = border[:-1]
    moved = []
    for before, here, after in zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True):
        # Clockwise with y down: the inside lies to the right of each step, (dx, dy) -> (-dy, dx).
        into = (here[0] - before[0], here[1] - before[1])
        out = (after[0] - here[0], after[1] - here[1])
        steps = {(-into[1], into[0]), (-out[1], out[0])}
        moved.append(
            (
                here[0] + inset * sum(x for x, _ in steps),
                here[1] + inset * sum(y for _, y in steps),
            )
        )
    return [*moved, moved[0]]


# --- pixels --------------------------------------------------------------------------------------


def _lines(
    canvas: _Canvas, lines: Iterable[Polyline], color: Color, width: float, halo: bool = True
) -> None:
    """Lines of ``width`` cells, with a halo that is dark around light colours, else light."""
    paths = [_pixel_path(canvas.placement, line) for line in lines]
    thickness = max(1, round(width * canvas.cell))
    if halo:
        around = thickness + 2 * max(1, round(0.02 * canvas.cell))
        _polylines(canvas.image, paths, _halo_color(color), around)
    _polylines(canvas.image, paths, color, thickness)


def _polylines(image: Image, paths: list[NDArray[np.int32]], color: Color, thickness: int) -> None:
    cv2.polylines(image, paths, False, color, thickness, cv2.LINE_AA, _SHIFT)


def _pixel_path(placement: SheetPlacement, line: Polyline) -> NDArray[np.int32]:
    dense: list[Point] = [line[0]]
    for (x0, y0), (x1, y1) in pairwise(line):
        steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0)) / _STEP))
        dense += [
            (x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps) for i in range(1, steps + 1)
        ]
    return _fixed_point(placement.to_photo(np.array(dense, np.float64)))


def _fixed_point(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round(points * (1 << _SHIFT)), np.int32)


def _fill(image: Image, placement: SheetPlacement, box: Box, color: Color) -> None:
    corners = _fixed_point(placement.to_photo(np.array(box.corners, np.float64)))
    cv2.fillConvexPoly(image, corners, color, cv2.LINE_8, _SHIFT)


def _halo_color(color: Color) -> Color:
    blue, green, red = color
    return _BLACK if 0.114 * blue + 0.587 * green + 0.299 * red > 90 else _WHITE


def _badge(canvas: _Canvas, label: str, at: Point, ground: Color, color: Color) -> None:
    """A disc with a letter or number in it."""
    x, y = _inside(canvas, at)
    radius = max(9, round(0.27 * canvas.cell))
    cv2.circle(canvas.image, (x, y), radius + 2, _halo_color(ground), -1, cv2.LINE_AA)
    cv2.circle(canvas.image, (x, y), radius, ground, -1, cv2.LINE_AA)
    mask = _text_mask(label, round(1.35 * radius))
    _stamp(canvas.image, mask, x - mask.shape[1] // 2, y - mask.shape[0] // 2, color)


def _text(canvas: _Canvas, text: str, at: Point, size: float, color: Color) -> None:
    """Text of ``size`` cells, centred at a sheet point and upright in the picture, with a halo."""
    mask = _text_mask(text, max(14, round(size * canvas.cell)))
    reach = max(2, round(0.05 * canvas.cell))
    framed = np.pad(mask, reach + 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    halo = np.asarray(cv2.GaussianBlur(cv2.dilate(framed, kernel), (3, 3), 0), np.uint8)
    x, y = _inside(canvas, at)
    left, top = x - framed.shape[1] // 2, y - framed.shape[0] // 2
    _stamp(canvas.image, halo, left, top, _halo_color(color))
    _stamp(canvas.image, framed, left, top, color)


def _inside(canvas: _Canvas, at: Point) -> tuple[int, int]:
    """The pixel of a sheet point, moved into the picture: remarks stand in the sheet's margin."""
    x, y = canvas.placement.to_photo(np.array([at], np.float64))[0]
    height, width = canvas.image.shape[:2]
    margin = 0.45 * canvas.cell
    return (
        round(float(np.clip(x, margin, max(margin, width - margin)))),
        round(float(np.clip(y, margin, max(margin, height - margin)))),
    )


def _stamp(image: Image, mask: Image, left: int, top: int, color: Color) -> None:
    """Blend a colour in where the mask (0-255) says; what falls outside is left out."""
    height, width = image.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + mask.shape[1], width), min(top + mask.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    share = mask[y0 - top : y1 - top, x0 - left : x1 - left, None] / 255.0
    region = image[y0:y1, x0:x1]
    region[:] = np.round(region * (1 - share) + np.array(color) * share).astype(np.uint8)


def _text_mask(text: str, size: int) -> Image:
    """(H, W) uint8: the text's ink, cut to its own box."""
    from PIL import Image as PillowImage
    from PIL import ImageDraw

    letters = font(size, BOLD)
    left, top, right, bottom = (int(edge) for edge in letters.getbbox(text))
    picture = PillowImage.new("L", (max(1, right - left + 1), max(1, bottom - top + 1)))
    ImageDraw.Draw(picture).text((-left, -top), text, fill=255, font=letters)
    return np.asarray(picture, np.uint8)


# --- the panel below -----------------------------------------------------------------------------


def _panel(width: int, reading: Reading, language: str) -> Image:
    """(H, width, 3): total, status, rank and parts, then the doubts and the broken rules."""
    size = max(15, min(round(width / 50), 64))
    margin, gap = size, round(0.55 * size)
    words = texts_in(language).report
    strips = [_panel_gap(width, margin)]
    if reading.score is None:
        strips.append(_panel_line(width, margin, status_text(reading, language), size, _STRUCK))
        remark = reading.error or ""
        strips += _wrapped(width, margin, remark, size, _PANEL_TEXT)
    else:
        score = reading.score
        total = f"{words['total']} {score.total}"
        strips.append(_panel_line(width, margin, total, round(1.9 * size), _POINTS))
        strips.append(_panel_gap(width, gap))
        status = status_text(reading, language)
        strips += _wrapped(width, margin, status, size, _STATUS_COLORS[reading.status])
        if reading.rank:
            strips += _wrapped(width, margin, rank_text(reading, language), size, _WHITE)
        parts = ("rows", score.lines), ("bonus", score.bonus), ("bombs", score.bombs)
        sums = [f"{words[name]} {points}" for name, points in (*parts, ("energy", score.energy))]
        strips += _wrapped(width, margin, "  +  ".join(sums), round(0.8 * size), _PANEL_TEXT)
    remarks = [
        (_doubt_label(number), doubt_text(doubt, reading, language), _DOUBT, _BLACK)
        for number, doubt in enumerate(reading.doubts)
    ] + [
        (str(number), violation.message, _VIOLATION, _WHITE)
        for number, violation in enumerate(reading.violations, 1)
    ]
    if remarks:
        strips.append(_panel_gap(width, gap))
    for label, text, ground, color in remarks:
        strips.append(_panel_gap(width, gap // 2))
        strips += _remark(width, margin, label, text, round(0.8 * size), ground, color)
    strips.append(_panel_gap(width, margin))
    return np.asarray(np.vstack(strips), np.uint8)


def _panel_gap(width: int, height: int) -> Image:
    return np.full((height, width, 3), _PANEL, np.uint8)


def _panel_line(width: int, left: int, text: str, size: int, color: Color) -> Image:
    strip = _panel_gap(width, round(1.45 * size))
    mask = _text_mask(text, size)
    # Lines share a base line although each mask is cut to its own ink.
    top = round(0.15 * size) + int(font(size, BOLD).getbbox(text)[1])
    _stamp(strip, mask, left, top, color)
    return strip


def _wrapped(width: int, left: int, text: str, size: int, color: Color) -> list[Image]:
    return [
        _panel_line(width, left, line, size, color)
        for line in _fitting_lines(text, size, width - 2 * left)
    ]


def _fitting_lines(text: str, size: int, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font(size, BOLD).getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _remark(
    width: int, margin: int, label: str, text: str, size: int, ground: Color, color: Color
) -> list[Image]:
    """A sentence with its badge before it."""
    left = margin + 2 * size
    lines = [
        _panel_line(width, left, line, size, _PANEL_TEXT)
        for line in _fitting_lines(text, size, width - left - margin)
    ]
    radius = round(0.68 * size)
    middle = (margin + radius, lines[0].shape[0] // 2)
    cv2.circle(lines[0], middle, radius, ground, -1, cv2.LINE_AA)
    mask = _text_mask(label, round(0.85 * size))
    x, y = middle[0] - mask.shape[1] // 2, middle[1] - mask.shape[0] // 2
    _stamp(lines[0], mask, x, y, color)
    return lines
