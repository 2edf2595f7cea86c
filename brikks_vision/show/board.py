"""Boards as text and drawn on their photos, and what is proposed of a printing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.games import view_of
from brikks_vision.games.learning import Proposal
from brikks_vision.infer import following, protocol
from brikks_vision.layout import GRID, Box, Layout, Point
from brikks_vision.reading import Reading, Status
from brikks_vision.reading.views import BoardLabel, BoardView, DoubtWords, FieldDoubt, ReadBoard
from brikks_vision.show import overlay, report
from brikks_vision.show.overlay import CROSS_COLOR, Canvas, Color, draw_lines, draw_text
from brikks_vision.show.report import Paint, plain, status_text, verdict_lines
from brikks_vision.text.languages import decimal_text, texts_in
from brikks_vision.text.phrases import visible

Image = NDArray[np.uint8]

_OUTLINE: Color = (255, 220, 120)
_UNSURE: Color = (0, 165, 255)
_WAY: Color = (60, 230, 255)
_BEST_WAY: Color = (90, 230, 60)
_HEAD = 0.25  # of the length of a way's last step: its arrow
_LABEL_SIZE = 0.36  # cells, height of what is said of a learnt print


class _Placement(Protocol):
    def to_photo(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Photo pixels (N, 2) of points of the board (N, 2), in fields."""


def board_report(reading: ReadBoard, view: BoardView, language: str, paint: Paint = plain) -> str:
    """The position as a plan, what stands there in numbers, and what is not sure.

    No final newline.
    """
    title = paint(visible(report.photo_names(reading)), "bold")
    width = max(len(sign) for row in view.plan for sign in row)
    heads = " ".join(f"{column:>{width}}" for column in range(1, len(view.plan[0]) + 1))
    lines = [title, "", paint(f"       {heads}", "dim")]
    for number, row in enumerate(view.plan, 1):
        signs = " ".join(f"{sign:>{width}}" for sign in row)
        lines.append(f"  {paint(f'{number:>3}', 'dim')}  {signs}")
    style = "sure" if reading.status is Status.OK else "unsure"
    lines += ["", *(f"  {fact.sentence(language)}" for fact in view.facts)]
    lines.append(f"  {paint(status_text(reading, language), style)}")
    lines += _doubt_lines(reading.doubts, view.doubts, language)
    if reading.shaded:
        fields = ", ".join(each.where.removeprefix("field ") for each in reading.shaded)
        lines.append(f"  {texts_in(language).report['board_shaded'].format(fields=fields)}")
    if reading.violations:
        lines += ["", *verdict_lines(reading.violations, "", language, paint)]
    lines += ["", f"  {paint(view.legend.text(language), 'dim')}"]
    return "\n".join(lines)


def brings_text(move: protocol.BoardMove, language: str) -> str:
    """What an action brings, in words; "" where that is not known."""
    if move.brings is None:
        return ""
    points, later = move.brings
    return (
        texts_in(language)
        .report["moves_brings"]
        .format(
            points=f"{points:.0f}" if points.is_integer() else decimal_text(points, language),
            later=decimal_text(later, language),
        )
    )


def best_way(found: Sequence[protocol.BoardMove]) -> Sequence[Point]:
    """The way of the best action; empty where no pawn goes, or where it is not known."""
    return found[0].way if found and found[0].brings else ()


def _doubt_lines(
    doubts: Sequence[FieldDoubt], told: Sequence[DoubtWords], language: str
) -> list[str]:
    """What is not sure, and how it is answered."""
    words = texts_in(language).report
    lines = ["", f"  {words['doubts']}"] if doubts else []
    for doubt, said in zip(doubts, told, strict=True):
        facts = {name: phrase.text(language) for name, phrase in said._asdict().items()}
        line = words["board_doubt"].format(percent=round(100 * doubt.confidence), **facts)
        lines += [f"    {line}", f'      --answer "{doubt.where}={doubt.otherwise}"']
    return lines


def board_turn_report(turn: following.ToldTurn, language: str, paint: Paint = plain) -> str:
    """What was done between two photos, and whether it was legal. No final newline."""
    words = texts_in(language).report
    told = words["turn_unexplained"] if turn.told is None else turn.told.sentence(language)
    lines = [f"  {told}"]
    if turn.status is not Status.OK:
        lines.append(f"  {paint(words['board_not_sure'], 'unsure')}")
    return "\n".join(
        [*lines, *verdict_lines(turn.violations, words["turn_legal"], language, paint)]
    )


def draw_board(
    image: Image,
    placement: _Placement,
    labels: Sequence[BoardLabel],
    side: int,
    ways: Sequence[Sequence[Point]] = (),
    best: Sequence[Point] = (),
) -> Image:
    """The photo with signs on the fields of a board, and ways as arrows.

    image: uint8 BGR (height, width, 3); not changed. side: fields along each side of the board.
    ways: points (x, y), in fields, the last one where the arrow ends. best: the way that stands
    out.
    """
    picture = image.copy()
    corners = placement.to_photo(np.array(Box(0, 0, side, side).corners))
    cell = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))) / side
    canvas = Canvas(picture, placement, cell)
    outline = [*Box(0, 0, side, side).corners, (0.0, 0.0)]
    draw_lines(canvas, [outline], _OUTLINE, 0.05)
    for way in ways:
        draw_lines(canvas, [list(way), *_arrow(way)], _WAY, 0.06)
    if best:
        draw_lines(canvas, [list(best), *_arrow(best)], _BEST_WAY, 0.12)
    for label in labels:
        color = _UNSURE if label.is_unsure else CROSS_COLOR
        draw_text(canvas, label.sign, label.at, 0.5, color)  # cells, height of a sign
    return picture


def _arrow(way: Sequence[Point]) -> list[list[Point]]:
    """The two strokes of the head of an arrow."""
    if len(way) < 2:
        return []
    (x0, y0), (x1, y1) = way[-2:]
    across, down = x1 - x0, y1 - y0
    length = max(abs(across), abs(down)) or 1.0
    across, down = _HEAD * across / length, _HEAD * down / length
    return [
        [(x1 - across + turn * down, y1 - down - turn * across), (x1, y1)] for turn in (-1.0, 1.0)
    ]


_GRID: Color = (230, 160, 0)
_FIELD: Color = (0, 150, 0)
_LABEL: Color = (30, 30, 220)


@dataclass(frozen=True)
class _Flat:
    """Where the sheet frame lies in a straightened picture of ``area``, which is in cells."""

    area: Box
    pixels: float

    def to_photo(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return (points - (self.area.left, self.area.top)) * self.pixels - 0.5


def learnt_text(proposal: Proposal, language: str) -> str:
    """What was learnt, in one sentence."""
    words, layout, (rows, columns) = texts_in(language).report, proposal.layout, proposal.size
    key = "sheet_learnt" if isinstance(layout, Layout) else "board_learnt"
    facts = {"rows": rows, "columns": columns, "side": columns}
    return words[key].format(game=layout.title, name=layout.name, **facts)


def draw_learnt(proposal: Proposal) -> Image:
    """The straightened photo with the proposed regions, what is printed, and numbered doubts.

    Returns uint8 BGR, the proposal's ``area``.
    """
    picture, area, grid = proposal.picture.copy(), proposal.area, proposal.boxes[GRID]
    pixels = picture.shape[1] / area.width
    canvas = Canvas(picture, _Flat(area, pixels), pixels)
    rows, columns = proposal.size
    inner = [Box(column, 0, column, grid.bottom) for column in range(columns)]
    inner += [Box(0, row, grid.right, row) for row in range(rows)]
    _draw_boxes(canvas, [*inner, grid], _GRID)
    _draw_boxes(canvas, [box for name, box in proposal.boxes.items() if name != GRID], _FIELD)
    for place, text in proposal.labels:
        draw_text(canvas, text, place, _LABEL_SIZE, _LABEL)
    places = {value.where: value.box for value in proposal.values}
    for number, doubt in enumerate(proposal.doubts, 1):
        if doubt.where in places:
            box = places[doubt.where]
            _draw_boxes(canvas, [box], _UNSURE)
            at = (box.left + 0.2, box.top + 0.2)
            draw_text(canvas, str(number), at, _LABEL_SIZE, _UNSURE)
    return picture


def _draw_boxes(canvas: Canvas, boxes: Iterable[Box], color: Color) -> None:
    draw_lines(canvas, [[*box.corners, box.corners[0]] for box in boxes], color, 0.05)


# --- sheets and boards alike: what is shown hangs on what a view holds ----------------------------


def told(reading: Reading, language: str, paint: Paint = plain, referee: bool = False) -> str:
    """The report on a sheet, with what the referee says, or on a board. No final newline.

    referee : list all violations of a sheet; otherwise only the first.
    """
    view = None if reading.status is Status.UNREADABLE else view_of(reading)
    if isinstance(view, BoardView):
        return board_report(cast(ReadBoard, reading), view, language, paint)
    verdict = (report.referee_report if referee else report.referee_line)(reading, language, paint)
    return f"{report.report(reading, language, paint)}\n\n{verdict}"


def drawn(
    image: Image, placement: Any, reading: Reading, layout: Any, language: str, view: Any
) -> Image:
    """The photo with the reading drawn on it; a sheet upright, with a panel below.

    Parameters as of `brikks_vision.show.overlay.annotate`.
    """
    if isinstance(view, BoardView):
        return draw_board(image, placement, view.labels, len(view.plan))
    return overlay.annotate(image, placement, reading, layout, language, view)
