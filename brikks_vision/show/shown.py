"""Reports and pictures of what was read, a sheet or a board, from what its game shows of it."""

from __future__ import annotations

from typing import Any, cast

from brikks_vision.detect.placement import Image
from brikks_vision.games import view_of
from brikks_vision.reading import Reading, Status, views
from brikks_vision.show import board, overlay
from brikks_vision.show.report import Paint, plain, referee_line, referee_report, report


def told(reading: Reading, language: str, paint: Paint = plain, referee: bool = False) -> str:
    """The report on a sheet, with what the referee says, or on a board. No final newline.

    referee : list all violations of a sheet; otherwise only the first.
    """
    view = None if reading.status is Status.UNREADABLE else view_of(reading)
    if isinstance(view, views.BoardView):
        return board.board_report(cast(views.ReadBoard, reading), view, language, paint)
    verdict = (referee_report if referee else referee_line)(reading, language, paint)
    return f"{report(reading, language, paint)}\n\n{verdict}"


def drawn(
    image: Image, placement: Any, reading: Reading, layout: Any, language: str, view: Any
) -> Image:
    """The photo with the reading drawn on it; a sheet upright, with a panel below.

    Parameters as of `brikks_vision.show.overlay.annotate`.
    """
    if isinstance(view, views.BoardView):
        return board.draw_board(image, placement, view.labels, len(view.plan))
    return overlay.annotate(image, placement, reading, layout, language, view)
