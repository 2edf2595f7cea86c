"""Boards of the record as the page lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brikks_vision.record.boards import list_boards
from brikks_vision.record.entries import RecordedBoard
from brikks_vision.show.board import board_status
from brikks_vision.show.recorded_boards import game_of_board
from brikks_vision.text.phrases import Phrase
from brikks_vision.web.board_view import revision_of
from brikks_vision.web.service import Service

MAX_LISTED = 500  # boards


@dataclass(frozen=True)
class ListedBoard:
    """A board of the record. status: how sure it is, in words. facts: what stands on it.

    revision : another one after another answer, for the address of its picture.
    """

    board: RecordedBoard
    status: str
    facts: Sequence[Phrase]
    revision: int


def listed_boards(service: Service, language: str) -> list[ListedBoard]:
    """The boards of the record, the newest photo first."""
    with service.open_to_read() as record:
        found = list_boards(record)[-MAX_LISTED:][::-1]
    return [listed(board, language) for board in found]


def listed(board: RecordedBoard, language: str) -> ListedBoard:
    """A board as it is listed."""
    return ListedBoard(
        board,
        board_status(board.reading.status, language),
        game_of_board(board).view(board.reading).facts,
        revision_of({**board.answers, "": str(board.reading.sheet)}),
    )


def open_drafts(service: Service, board: RecordedBoard) -> list[str]:
    """The tokens of the drafts that still hold a recorded board's photo, the newest last."""
    return service.boards.tokens(lambda draft: draft.photo.sha256 == board.photo.sha256)
