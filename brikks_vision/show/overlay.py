"""The photo with what was read drawn on it: marks, points, doubts and broken rules.

All marks are placed in the sheet frame (cells) and mapped to the photo point by point, so they
follow curled paper. Every line has a halo, so it shows on white and on dark sheets alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.errors import OutputFormatUnknown, OutputNotWritable
from brikks_vision.files import write_whole
from brikks_vision.games import game_of
from brikks_vision.layout import Box, Layout, Point
from brikks_vision.reading import Reading, Status, views
from brikks_vision.show import covered, marks_on_sheet, pictures
from brikks_vision.show.report import doubt_text, rank_text, status_text, sum_text
from brikks_vision.text.languages import texts_in

Image = NDArray[np.uint8]
Color = tuple[int, int, int]  # BGR

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

# By kind, see `brikks_vision.show.marks_on_sheet`.
_STROKE_COLORS = {
    "cross": CROSS_COLOR,
    "ring": CROSS_COLOR,
    "struck": _STRUCK,
    "off": _OFF,
    "fill": CROSS_COLOR,
    "sum": _POINTS,
    "covered": _OFF,
    "cancelled": _STRUCK,
    "doubt": _DOUBT,
    "violation": _VIOLATION,
    "best": CROSS_COLOR,
    "other": _POINTS,
}
_WIDTHS = {  # cells, by kind
    "outline": 0.09,
    "cross": 0.055,
    "ring": 0.07,
    "struck": 0.08,
    "off": 0.07,
    "fill": 0.06,
    "sum": 0.05,
    "covered": 0.04,
    "cancelled": 0.08,
    "doubt": 0.09,
    "violation": 0.1,
    "best": 0.1,
    "other": 0.07,
}
_TEXTS = {  # height in cells, and colour
    "unknown": (0.6, _DOUBT),
    "points": (0.62, _POINTS),
    "nothing": (0.5, _PANEL_TEXT),
    "differs": (0.62, _DOUBT),
    "sum": (0.7, _POINTS),
    "bar": (0.62, _POINTS),
}
_BADGES = {  # ground, letter
    "doubt": (_DOUBT, _BLACK),
    "violation": (_VIOLATION, _WHITE),
    "best": (CROSS_COLOR, _BLACK),
    "other": (_POINTS, _BLACK),
}

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
class Canvas:
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
    view: views.SheetView | None = None,
) -> Image:
    """The photo with the reading drawn on it, and a panel of points and remarks below.

    image: (H, W, 3) uint8 BGR; not changed. placement: maps the sheet frame to the pixels of
    ``image``. reading: what was read; an unreadable one draws nothing but the panel. language:
    one of ``LANGUAGES``. view: what is shown of the reading, where more is known of the sheet
    than the reading says.

    Returns (H', W', 3) uint8 BGR: turned by quarters so that the sheet stands upright, the panel
    below.
    """
    canvas = _upright_canvas(image, placement, layout.outline)
    if reading.status is not Status.UNREADABLE:
        view = view or game_of(reading).view(reading, layout)
        _draw_grid(canvas, layout)
        _tint_outlines(canvas, view, layout)
        for drawing in (
            covered.draw_covered(reading, layout),
            marks_on_sheet.draw_view(view, layout),
            marks_on_sheet.draw_doubts(reading.doubts, layout),
            marks_on_sheet.draw_violations(reading.violations, layout),
        ):
            _draw(canvas, drawing, layout)
    return _with_panel(canvas.image, _told_of(reading, layout, view, language))


def annotate_remarks(
    image: Image,
    placement: SheetPlacement,
    layout: Layout,
    title: str,
    remarks: Sequence[marks_on_sheet.Remark],
) -> Image:
    """The photo with remarks at the places they are about, and a panel that tells them below.

    Parameters and result as of `annotate`.
    """
    canvas = _upright_canvas(image, placement, layout.outline)
    _draw_grid(canvas, layout)
    _draw(canvas, marks_on_sheet.draw_remarks(remarks, layout), layout)
    told = [_remark(each.label, each.text, *_BADGES[each.kind]) for each in remarks]
    return _with_panel(canvas.image, [_Told(title, _WHITE), *told])


def save_image(image: Image, path: Path) -> None:
    """Write a BGR picture; the name's suffix says the format; whole or not at all.

    Raises OutputFormatUnknown: the suffix is none of ``SUFFIXES``; OutputNotWritable: the file
    cannot be written.
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


# --- what is drawn -------------------------------------------------------------------------------


def _upright_canvas(image: Image, placement: SheetPlacement, grid: Box) -> Canvas:
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
    return Canvas(picture, _Turned(placement, quarters, width, height), cell)


def _draw_grid(canvas: Canvas, layout: Layout) -> None:
    grid = layout.grid
    inner: list[marks_on_sheet.Polyline] = [
        *([(0, row), (grid.columns, row)] for row in range(1, grid.rows)),
        *([(column, 0), (column, grid.rows)] for column in range(1, grid.columns)),
    ]
    draw_lines(canvas, inner, _GRID, 0.025, halo=False)
    corners = layout.outline.corners
    draw_lines(canvas, [[*corners, corners[0]]], _GRID, 0.05)


def _tint_outlines(canvas: Canvas, view: views.SheetView, layout: Layout) -> None:
    tinted = canvas.image.copy()
    for outline in view.outlines:
        color = _outline_color(outline.color, layout)
        for row, column in outline.cells:
            _fill(tinted, canvas.placement, Box(column, row, column + 1, row + 1), color)
    canvas.image[:] = cv2.addWeighted(tinted, 0.22, canvas.image, 0.78, 0)


def _draw(canvas: Canvas, drawing: marks_on_sheet.Drawing, layout: Layout) -> None:
    for stroke in drawing.strokes:
        lines = [*stroke.lines, *(_circle(centre, radius) for centre, radius in stroke.rings)]
        is_outline = stroke.kind == "outline"
        color = _outline_color(stroke.color, layout) if is_outline else _STROKE_COLORS[stroke.kind]
        draw_lines(canvas, lines, color, _WIDTHS[stroke.kind])
    for label in drawing.labels:
        if label.kind in _BADGES:
            _badge(canvas, label.text, label.at, *_BADGES[label.kind])
        else:
            draw_text(canvas, label.text, label.at, *_TEXTS[label.kind])


def _circle(centre: Point, radius: float) -> marks_on_sheet.Polyline:
    angles = np.linspace(0, 2 * np.pi, 33)
    return [(centre[0] + radius * np.cos(a), centre[1] + radius * np.sin(a)) for a in angles]


def _outline_color(name: str | None, layout: Layout) -> Color:
    if name is None:
        return _VIOLATION
    red, green, blue = bytes.fromhex(layout.colors[name].removeprefix("#"))
    return (blue, green, red)


# --- pixels --------------------------------------------------------------------------------------


def draw_lines(
    canvas: Canvas,
    lines: Iterable[marks_on_sheet.Polyline],
    color: Color,
    width: float,
    halo: bool = True,
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


def _pixel_path(placement: SheetPlacement, line: marks_on_sheet.Polyline) -> NDArray[np.int32]:
    dense: list[Point] = [line[0]]
    for (x0, y0), (x1, y1) in pairwise(line):
        # cells between the points of a line that may bend
        steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0)) / 0.25))
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


def _badge(canvas: Canvas, label: str, at: Point, ground: Color, color: Color) -> None:
    """A disc as of `_disc`, with a halo."""
    x, y = _inside(canvas, at)
    radius = max(9, round(0.27 * canvas.cell))
    cv2.circle(canvas.image, (x, y), radius + 2, _halo_color(ground), -1, cv2.LINE_AA)
    _disc(canvas.image, (x, y), radius, label, ground, color)


def _disc(
    image: Image, at: tuple[int, int], radius: int, label: str, ground: Color, color: Color
) -> None:
    """A disc of that ground with a letter or number in its colour; lengths in px."""
    cv2.circle(image, at, radius, ground, -1, cv2.LINE_AA)
    mask = _text_mask(label, round(1.3 * radius))
    _stamp(image, mask, at[0] - mask.shape[1] // 2, at[1] - mask.shape[0] // 2, color)


def draw_text(canvas: Canvas, text: str, at: Point, size: float, color: Color) -> None:
    """Text of ``size`` cells, centred at a sheet point and upright in the picture, with a halo."""
    (x, y), reach = _inside(canvas, at), max(2, round(0.05 * canvas.cell))
    for around, ink in ((reach, _halo_color(color)), (0, color)):
        mask = _text_mask(text, max(14, round(size * canvas.cell)), around)
        _stamp(canvas.image, mask, x - mask.shape[1] // 2, y - mask.shape[0] // 2, ink)


def _inside(canvas: Canvas, at: Point) -> tuple[int, int]:
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


def _text_mask(text: str, size: int, around: int = 0) -> Image:
    """(H, W) uint8: the text's ink, ``around`` px wider on all sides, cut to its own box."""
    from PIL import Image as PillowImage
    from PIL import ImageDraw

    letters = pictures.font(size, pictures.BOLD)
    left, top, right, bottom = (int(edge) for edge in letters.getbbox(text, stroke_width=around))
    picture = PillowImage.new("L", (max(1, right - left + 1), max(1, bottom - top + 1)))
    ImageDraw.Draw(picture).text((-left, -top), text, 255, letters, stroke_width=around)
    return np.asarray(picture, np.uint8)


# --- the panel below -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Told:
    """A paragraph of the panel.

    size, gap: of its letters and above it, as shares of the usual letters. badge: before it, as of
    `_disc`.
    """

    text: str
    color: Color
    size: float = 1.0
    gap: float = 0.0
    badge: tuple[str, Color, Color] | None = None


def _remark(label: str, text: str, ground: Color, color: Color) -> _Told:
    return _Told(text, _PANEL_TEXT, 0.8, 0.5, (label, ground, color))


def _told_of(
    reading: Reading, layout: Layout, view: views.SheetView | None, language: str
) -> Iterator[_Told]:
    """Total, status, rank and parts, then what is covered, doubts, broken rules."""
    status = status_text(reading, language)
    if reading.score is None or view is None:
        yield _Told(status, _STRUCK)
        yield _Told(reading.error or "", _PANEL_TEXT)
    else:
        yield _Told(f"{texts_in(language).report['total']} {reading.score.total}", _POINTS, 1.9)
        yield _Told(status, _STATUS_COLORS[reading.status], gap=0.55)
        if reading.rank:
            yield _Told(rank_text(reading, language), _WHITE)
        yield _Told(sum_text(view.parts, language), _PANEL_TEXT, 0.8)
    if told := covered.covered_text(reading, layout, language):
        yield _remark("?", told, _OFF, _BLACK)
    if told := covered.cancelled_text(reading, layout, language):
        yield _remark("-", told, _OFF, _BLACK)
    for number, doubt in enumerate(reading.doubts):
        letter = marks_on_sheet.doubt_letter(number)
        yield _remark(letter, doubt_text(doubt, reading, language), _DOUBT, _BLACK)
    for number, violation in enumerate(reading.violations, 1):
        yield _remark(str(number), violation.message, _VIOLATION, _WHITE)


def _with_panel(picture: Image, told: Iterable[_Told]) -> Image:
    """The picture with paragraphs below it, as wide as it is."""
    width = picture.shape[1]
    usual = max(15, min(round(width / 50), 64))  # px, height of letters, and the margin
    strips = [picture, _strip(width, usual)]
    for each in told:
        size = round(each.size * usual)
        left = usual + (2 * size if each.badge else 0)
        lines = _fitting_lines(each.text, size, width - left - usual)
        drawn = [_panel_line(width, left, line, size, each.color) for line in lines]
        if each.badge:
            radius = round(0.68 * size)
            _disc(drawn[0], (usual + radius, drawn[0].shape[0] // 2), radius, *each.badge)
        strips += [_strip(width, round(each.gap * usual)), *drawn]
    return np.asarray(np.vstack([*strips, _strip(width, usual)]), np.uint8)


def _strip(width: int, height: int) -> Image:
    return np.full((height, width, 3), _PANEL, np.uint8)


def _panel_line(width: int, left: int, text: str, size: int, color: Color) -> Image:
    strip = _strip(width, round(1.45 * size))
    # Lines share a base line although each mask is cut to its own ink.
    top = round(0.15 * size) + int(pictures.font(size, pictures.BOLD).getbbox(text)[1])
    _stamp(strip, _text_mask(text, size), left, top, color)
    return strip


def _fitting_lines(text: str, size: int, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and pictures.font(size, pictures.BOLD).getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
