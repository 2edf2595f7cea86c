"""Printings: those that are kept, and new ones that are learnt from a photo of an empty sheet."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from brikks_vision.errors import BrikksError, FieldUnclear
from brikks_vision.games import games_with
from brikks_vision.games.learning import Learnt, Settable
from brikks_vision.games.printings import keep_printing, kept_printings, remove_printing, sheet_name
from brikks_vision.learn import settable
from brikks_vision.text.typography import typeset_page
from brikks_vision.web.answers import page_of, passing_picture, see
from brikks_vision.web.board_view import as_jpeg, board_area, outlines, revision_of, rows_of
from brikks_vision.web.learning import learn_draft, with_pieces, with_print
from brikks_vision.web.sent import draft_of_photo, photo_form
from brikks_vision.web.service import Text, language_for, readers_of, service_of, wants_json
from brikks_vision.web.uploads import MAX_BYTES, Upload

LEARN_ADDRESS = "/printings"
PIECES_ADDRESS = "/pieces"

router = APIRouter()
Token = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


@router.get(LEARN_ADDRESS, response_class=HTMLResponse)
def printings(request: Request) -> Response:
    """The printings that are kept, and the form to learn another one."""
    if wants_json(request):
        kept = kept_printings()
        return JSONResponse([{"name": each.name, "game": each.game} for each in kept])
    return printings_page(request)


def printings_page(request: Request, problem: str = "") -> Response:
    """problem : why nothing was learnt, told beside the form."""
    page = page_of(
        request,
        "printings.html",
        kept=kept_printings(),
        games={game.NAME: game.TITLE for game in games_with("learner")},
        problem=problem,
        most_bytes=MAX_BYTES,
    )
    if problem:
        page.status_code = 400
    return page


@router.post(LEARN_ADDRESS, status_code=303, openapi_extra=photo_form("game"))
async def learn(request: Request) -> Response:
    """Learn a printing from a photo of its empty sheet; it is not kept before a person says so."""
    service = service_of(request)

    async def make(upload: Upload) -> str:
        game = upload.fields.get("game", "") or None
        if game not in (None, *(each.NAME for each in games_with("learner"))):
            raise FieldUnclear("game")
        return service.learnt.add(await learn_draft(readers_of(request), upload.file, game))

    return await draft_of_photo(request, make, printings_page, LEARN_ADDRESS)


@router.get(LEARN_ADDRESS + "/{token}", response_class=HTMLResponse)
def draft(request: Request, token: Token) -> Response:
    """What was learnt, to look at and to correct."""
    return draft_page(request, token)


def draft_page(
    request: Request, token: str, problem: str = "", pieces_problem: str = ""
) -> Response:
    """problem : why it was not corrected or kept. pieces_problem : why no pieces were learnt."""
    found = service_of(request).learnt.of(token)
    learnt = found.learnt
    if wants_json(request):
        return JSONResponse(
            {
                "game": found.game,
                "doubts": [vars(doubt) for doubt in learnt.doubts],
                "problem": problem,
            },
            400 if problem else 200,
        )
    shared = {"token": token, "address": LEARN_ADDRESS, "problem": problem}
    if isinstance(learnt, Learnt):
        places = {place.where: place for place in settable(learnt)}
        page = page_of(
            request,
            "printing.html",
            **shared,
            layout=learnt.layout,
            doubts=[(doubt, places.get(doubt.where)) for doubt in learnt.doubts],
            places=places.values(),
        )
    else:
        height, width = learnt.photo.image.shape[:2]
        page = page_of(
            request,
            "board_printing.html",
            **shared,
            title=learnt.layout.title,
            rows=rows_of(learnt.places),
            outlines=outlines(learnt, learnt.places),
            size=(width, height),
            area=board_area(learnt, learnt.side),
            is_sure=not learnt.doubts,
            said=found.settings,
            revision=revision_of(found.settings),
            pieces_address=PIECES_ADDRESS,
            are_pieces_learnt=found.pieces is not None,
            pieces_problem=pieces_problem,
            most_bytes=MAX_BYTES,
        )
    if problem or pieces_problem:
        page.status_code = 400
    return page


@router.get(LEARN_ADDRESS + "/{token}/place", response_class=HTMLResponse)
def place(request: Request, token: Token, where: str = "") -> Response:
    """What may be printed at one place, to choose from."""
    learnt = service_of(request).learnt.of(token).learnt
    found = {each.where: each for each in settable(learnt)}.get(where[:100])
    if found is None:
        raise FieldUnclear("where")
    return page_of(
        request,
        "print_place.html",
        token=token,
        where=where,
        told=found.told,
        choices=_choices(found, language_for(request)),
        now=found.now,
        address=LEARN_ADDRESS,
    )


def _choices(place: Settable, language: str) -> list[tuple[str, str]]:
    """What may be at a place that can be set, with its word."""
    words = typeset_page(language)

    def word(value: str) -> str:
        told = place.words.get(value)
        return words.get(f"print_{value}", value) if told is None else told.text(language)

    return [(value, word(value)) for value in place.choices]


@router.get(LEARN_ADDRESS + "/{token}/learnt", response_class=Response)
def picture(request: Request, token: Token) -> Response:
    """The empty sheet, or board, with what was learnt drawn on it."""
    from brikks_vision.show.learnt_sheet import draw_learnt

    learnt = service_of(request).learnt.of(token).learnt
    return passing_picture(as_jpeg(draw_learnt(learnt)))


@router.post(LEARN_ADDRESS + "/{token}/set", status_code=303)
async def set_print(request: Request, token: Token, where: Text = "", value: Text = "") -> Response:
    """Say what is printed somewhere."""
    readers = readers_of(request)
    try:
        with readers.place():
            await service_of(request).learnt.change(
                token, lambda draft: with_print(readers, draft, where, value)
            )
    except BrikksError as error:
        if wants_json(request):
            raise
        problem = error.text(language_for(request))
        return await run_in_threadpool(draft_page, request, token, problem)
    return see(f"{LEARN_ADDRESS}/{token}")


@router.post(PIECES_ADDRESS, status_code=303, openapi_extra=photo_form("printing"))
async def learn_pieces(request: Request) -> Response:
    """Learn what the pieces of a board, "printing", look like from a photo of it set up."""
    service, readers = service_of(request), readers_of(request)
    shown: list[str] = []  # the draft that the photo is of

    async def make(upload: Upload) -> str:
        token = upload.fields.get("printing", "")
        service.learnt.of(token)
        shown.append(token)
        await service.learnt.change(token, lambda draft: with_pieces(readers, draft, upload.file))
        return token

    def problem_page(request: Request, problem: str) -> Response:
        if not shown:
            return printings_page(request, problem)
        return draft_page(request, shown[0], pieces_problem=problem)

    return await draft_of_photo(request, make, problem_page, LEARN_ADDRESS)


@router.post(LEARN_ADDRESS + "/{token}/keep", status_code=303)
def keep(
    request: Request, token: Token, name: Annotated[str, Form(max_length=100)] = ""
) -> Response:
    """Keep what was learnt under a name, for all photos from then on."""
    service = service_of(request)
    learnt = service.learnt.of(token).learnt
    try:
        keep_printing(learnt.to_json(), sheet_name(name) or name)
    except BrikksError as error:
        if wants_json(request):
            raise
        return draft_page(request, token, error.text(language_for(request)))
    service.learnt.drop(token)
    return JSONResponse({}) if wants_json(request) else see(LEARN_ADDRESS)


@router.post(LEARN_ADDRESS + "/{token}/forget", status_code=303)
def forget(request: Request, token: Token) -> Response:
    """Forget what was learnt, and its photo."""
    service_of(request).learnt.drop(token)
    return JSONResponse({}) if wants_json(request) else see(LEARN_ADDRESS)


@router.post("/printing/remove", status_code=303)
def remove(request: Request, name: Annotated[str, Form(max_length=100)] = "") -> Response:
    """Remove a printing that was kept."""
    remove_printing(name)
    return JSONResponse({}) if wants_json(request) else see(LEARN_ADDRESS)
