"""A game that is followed while it is played: a photo after each turn, and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Form
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from brikks_vision.errors import BrikksError, FieldUnclear
from brikks_vision.games import board_of, printings, titles_with, view_of
from brikks_vision.reading import Status, views
from brikks_vision.show.comparison import judged_text
from brikks_vision.web import answers, pages, playing, uploads
from brikks_vision.web.routes.boards import sentence_of
from brikks_vision.web.service import Asked, Token, Visit, new_router

FOLLOW_ADDRESS = "/follow"
MAX_PLAYERS = 8  # in a form; a game says how many can play

Players = Annotated[
    list[Annotated[str, Field(max_length=40)]], Form(max_length=MAX_PLAYERS, alias="player")
]

router = new_router()


@router.get(FOLLOW_ADDRESS, response_class=HTMLResponse)
def follow(request: Visit) -> Response:
    """Begin to follow a game: the photo before the first turn."""
    return start_page(request)


def start_page(request: Visit, problem: str = "") -> Response:
    return answers.page_of(
        request,
        "follow.html",
        title=titles_with("moves"),
        known=printings.printings_with("moves"),
        draft=None,
        problem=problem,
        most_bytes=uploads.MAX_BYTES,
    )


@router.post(FOLLOW_ADDRESS, status_code=303, openapi_extra=answers.photo_form("sheet", "followed"))
async def photo(request: Visit) -> Response:
    """The first photo of a game; or the next one of the game "followed". Nothing is recorded."""
    service, readers, language = request.service, request.readers, request.language
    shown: list[str] = []  # the game whose page the photo is sent from

    async def make(upload: uploads.Upload) -> str:
        token = upload.fields.get("followed", "").strip()
        if token:
            service.followed.of(token)
            shown.append(token)
            await service.followed.change(
                token, lambda draft: playing.with_next(readers, draft, upload, language)
            )
            return token
        name = upload.fields.get("sheet", "").strip()
        known = await run_in_threadpool(printings.printings_with, "moves")
        if name and name not in {each.name for each in known}:
            raise FieldUnclear("sheet")
        return service.followed.add(await playing.begun(readers, upload, name or None))

    def problem_page(request: Visit, problem: str) -> Response:
        if shown:
            return followed_page(request, shown[0], problem)
        return start_page(request, problem)

    return await answers.draft_of_photo(request, make, problem_page, FOLLOW_ADDRESS)


@router.get(FOLLOW_ADDRESS + "/{token}", response_class=HTMLResponse)
def followed(request: Visit, token: Token, coach: Asked = "") -> Response:
    """The turns so far and the last position. coach: anything, where it is asked."""
    return followed_page(request, token, coach=bool(coach))


def followed_page(request: Visit, token: str, problem: str = "", coach: bool = False) -> Response:
    """problem : why a photo, or who plays, was not taken."""
    draft, language = request.service.followed.of(token), request.language
    found = playing.explained(draft, language)
    if request.wants_json:
        if found is None:
            return JSONResponse({"readings": [draft.shown[0].reading.to_dict()]})
        return JSONResponse(found.to_dict() | (found.coach_dict() if coach else {}))
    judged = found.judged if found is not None and coach else ()
    last = draft.shown[-1]
    height, width = last.photo.image.shape[:2]
    return answers.page_of(
        request,
        "follow.html",
        title=draft.title,
        draft=draft,
        token=token,
        address=f"{FOLLOW_ADDRESS}/{token}",
        found=found,
        is_sure=found is not None and found.status is Status.OK,
        rows=pages.rows_of(_places(draft, language)),
        size=(width, height),
        area=pages.board_area(last, len(last.view.plan)),
        choices=board_of(last.reading).choices(),
        judged=["" if each is None else judged_text(each, language) for each in judged],
        costliest=found.costliest if judged and found is not None else (),
        problem=problem,
        most_bytes=uploads.MAX_BYTES,
    )


@router.post(FOLLOW_ADDRESS + "/{token}/undo", status_code=303)
async def undo(request: Visit, token: Token) -> Response:
    """Take the last photo back."""
    await request.service.followed.change(token, playing.without_last)
    return answers.see(f"{FOLLOW_ADDRESS}/{token}")


@router.post(FOLLOW_ADDRESS + "/{token}/players", status_code=303)
async def say_players(request: Visit, token: Token, players: Players = []) -> Response:  # noqa: B006
    """Say who plays, in the order of their turns."""
    named = [player for player in players if player]
    try:
        if len({*named}) < len(named):
            raise FieldUnclear("player")
        await request.service.followed.change(
            token, lambda draft: playing.with_players(draft, named, request.language)
        )
    except BrikksError as error:
        if request.wants_json:
            raise
        problem = sentence_of(error, request.language)
        return await run_in_threadpool(followed_page, request, token, problem)
    return answers.see(f"{FOLLOW_ADDRESS}/{token}")


@router.post(FOLLOW_ADDRESS + "/{token}/forget", status_code=303)
def forget(request: Visit, token: Token) -> Response:
    """End the game and forget its photos."""
    request.service.followed.drop(token)
    return answers.done(request, FOLLOW_ADDRESS)


@router.get(FOLLOW_ADDRESS + "/{token}/board.jpg", response_class=Response)
def picture(request: Visit, token: Token) -> Response:
    """The last photo with the position drawn on it."""
    draft = request.service.followed.of(token)
    found, last = playing.explained(draft, request.language), draft.shown[-1]
    view = last.view if found is None else view_of(found.readings[-1], last.layout)
    return answers.passing_picture(pages.drawn_board(last, view.labels, len(view.plan)))


def _places(draft: playing.FollowedDraft, language: str) -> Sequence[views.BoardPlace]:
    """The fields of the last position, as all photos together tell it."""
    found = playing.explained(draft, language)
    reading = draft.shown[-1].reading if found is None else found.readings[-1]
    return board_of(reading).places(reading)
