"""Boards of the record: their pages, pictures and file, and their removal."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from brikks_vision.errors import NothingToUndo
from brikks_vision.reading import Status
from brikks_vision.record.boards import board_picture, get_board, list_boards, remove_board
from brikks_vision.record.changes import bring_back
from brikks_vision.record.entries import ChangeKind
from brikks_vision.show.recorded_boards import (
    answers_told,
    board_object,
    boards_jsonl,
    game_of_board,
    reading_now,
)
from brikks_vision.web.answers import download, jpeg, page_of, see
from brikks_vision.web.board_view import rows_of
from brikks_vision.web.recorded import listed, open_drafts
from brikks_vision.web.routes.boards import BOARDS_ADDRESS
from brikks_vision.web.service import Number, language_for, service_of, wants_json

router = APIRouter()


@router.get(BOARDS_ADDRESS + ".jsonl", response_class=Response)
def boards_file(request: Request) -> Response:
    """The whole readings of all recorded boards, one a line."""
    with service_of(request).open_to_read() as record:
        lines = boards_jsonl(list_boards(record), language_for(request))
    return download(f"{lines}\n".encode() if lines else b"", "application/jsonl", "boards.jsonl")


@router.get("/board/{number}", response_class=HTMLResponse)
def recorded_board(request: Request, number: Number) -> Response:
    """A recorded board: what was read, and what a person said of it."""
    service, language = service_of(request), language_for(request)
    with service.open_to_read() as record:
        board = get_board(record, number)
    if wants_json(request):
        return JSONResponse(board_object(board, language))
    game, reading = game_of_board(board), reading_now(board, language)
    drafts = open_drafts(service, board)
    view = game.view(reading)
    return page_of(
        request,
        "recorded_board.html",
        title=game.TITLE,
        board=board,
        listed=listed(board, language),
        reading=reading,
        view=view,
        rows=rows_of(game.places(reading)),
        doubts=list(zip(reading.doubts, view.doubts, strict=True)),
        answers=answers_told(board, language),
        is_sure=reading.status is Status.OK,
        draft=f"{BOARDS_ADDRESS}/{drafts[-1]}" if drafts else "",
    )


@router.get("/board/{number}/picture", response_class=Response)
def small_picture(request: Request, number: Number) -> Response:
    """The small photo with what was read drawn on it, JPEG."""
    with service_of(request).open_to_read() as record:
        return jpeg(board_picture(record, number))


@router.post("/board/{number}/remove", status_code=303)
def remove(request: Request, number: Number) -> Response:
    """Remove a board from the record; its photo is forgotten as well."""
    service = service_of(request)
    with service.open() as record:
        board = get_board(record, number)
        remove_board(record, number)
    for token in open_drafts(service, board):
        service.boards.drop(token)
    return JSONResponse({}) if wants_json(request) else see(f"{BOARDS_ADDRESS}?removed={number}")


@router.post("/board/{number}/bring-back", status_code=303)
def bring_board_back(request: Request, number: Number) -> Response:
    """Undo that a board was removed."""
    with service_of(request).open() as record:
        with suppress(NothingToUndo):  # it may be there again
            bring_back(record, ChangeKind.BOARD_REMOVED, number)
        get_board(record, number)
    return recorded_board(request, number) if wants_json(request) else see(f"/board/{number}")
