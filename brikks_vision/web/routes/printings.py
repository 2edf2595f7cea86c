"""Printings: those that are kept, and new ones that are learnt from a photo of an empty sheet."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from brikks_vision.errors import (
    BrikksError,
    FieldUnclear,
    UploadBroken,
    UploadTooSlow,
)
from brikks_vision.games import LEARNABLE
from brikks_vision.layout import kept_layouts, packaged_layouts
from brikks_vision.learn import keep_sheet, remove_sheet, settable
from brikks_vision.web.answers import page_of, png_picture, see
from brikks_vision.web.routes.start import drain, length_of
from brikks_vision.web.service import Text, language_for, service_of, wants_json
from brikks_vision.web.uploads import MAX_BYTES, PHOTO_FIELD, Upload, receive_upload

LEARN_ADDRESS = "/printings"

router = APIRouter()
Token = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


@router.get(LEARN_ADDRESS, response_class=HTMLResponse)
def printings(request: Request) -> Response:
    """The printings that are kept, and the form to learn another one."""
    if wants_json(request):
        kept = [{"name": each.name, "game": each.game} for each in kept_layouts()]
        return JSONResponse(kept)
    return printings_page(request)


def printings_page(request: Request, problem: str = "") -> Response:
    """problem : why nothing was learnt, told beside the form."""
    page = page_of(
        request,
        "printings.html",
        kept=kept_layouts(),
        games={game: packaged_layouts(game)[0].title for game in LEARNABLE},
        problem=problem,
        most_bytes=MAX_BYTES,
    )
    if problem:
        page.status_code = 400
    return page


@router.post(
    LEARN_ADDRESS,
    status_code=303,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "required": [PHOTO_FIELD],
                        "properties": {
                            PHOTO_FIELD: {"type": "string", "format": "binary"},
                            "game": {"type": "string"},
                        },
                    }
                }
            },
        }
    },
)
async def learn(request: Request) -> Response:
    """Learn a printing from a photo of its empty sheet; it is not kept before a person says so."""
    service, language = service_of(request), language_for(request)
    assert service.folder is not None
    chunks = request.stream()
    upload: Upload | None = None
    try:
        async with service.arrivals.place() as arrival:
            upload = await receive_upload(
                arrival.counted(chunks),
                request.headers.get("content-type", ""),
                length_of(request),
                service.folder,
            )
        game = upload.fields.get("game", "") or None
        if game not in (None, *LEARNABLE):
            raise FieldUnclear("game")
        token = await run_in_threadpool(service.drafts.learn, upload.file, game)
    except ClientDisconnect:
        _delete(upload)
        raise UploadBroken from None
    except UploadTooSlow:
        _delete(upload)
        raise
    except BrikksError as error:
        _delete(upload)
        await drain(chunks)
        if wants_json(request):
            raise
        return await run_in_threadpool(printings_page, request, error.text(language))
    return see(f"{LEARN_ADDRESS}/{token}")


def _delete(upload: Upload | None) -> None:
    if upload is not None:
        upload.file.unlink(missing_ok=True)


@router.get(LEARN_ADDRESS + "/{token}", response_class=HTMLResponse)
def draft(request: Request, token: Token) -> Response:
    """What was learnt, to look at and to correct."""
    return draft_page(request, token)


def draft_page(request: Request, token: str, problem: str = "") -> Response:
    """problem : why it was not corrected or kept."""
    learnt = service_of(request).drafts.of(token).learnt
    if wants_json(request):
        return JSONResponse(
            {
                "game": learnt.layout.game,
                "doubts": [vars(doubt) for doubt in learnt.doubts],
                "problem": problem,
            },
            400 if problem else 200,
        )
    places = {place.where: place for place in settable(learnt)}
    page = page_of(
        request,
        "printing.html",
        token=token,
        layout=learnt.layout,
        doubts=[(doubt, places.get(doubt.where)) for doubt in learnt.doubts],
        places=places.values(),
        problem=problem,
        address=LEARN_ADDRESS,
    )
    if problem:
        page.status_code = 400
    return page


@router.get(LEARN_ADDRESS + "/{token}/place", response_class=HTMLResponse)
def place(request: Request, token: Token, where: str = "") -> Response:
    """What may be printed at one place, to choose from."""
    learnt = service_of(request).drafts.of(token).learnt
    found = next((each for each in settable(learnt) if each.where == where[:100]), None)
    if found is None:
        raise FieldUnclear("where")
    return page_of(request, "print_place.html", token=token, place=found, address=LEARN_ADDRESS)


@router.get(LEARN_ADDRESS + "/{token}/learnt.png", response_class=Response)
def picture(request: Request, token: Token) -> Response:
    """The empty sheet with what was learnt drawn on it."""
    import cv2

    from brikks_vision.show.learnt_sheet import draw_learnt

    drawn = draw_learnt(service_of(request).drafts.of(token).learnt)
    _, data = cv2.imencode(".png", drawn)
    answer = png_picture(data.tobytes())
    answer.headers["Cache-Control"] = "no-store"
    return answer


@router.post(LEARN_ADDRESS + "/{token}/set", status_code=303)
def set_print(request: Request, token: Token, where: Text = "", value: Text = "") -> Response:
    """Say what is printed somewhere."""
    try:
        service_of(request).drafts.set_print(token, where, value)
    except BrikksError as error:
        if wants_json(request):
            raise
        service_of(request).drafts.of(token)
        return draft_page(request, token, error.text(language_for(request)))
    return see(f"{LEARN_ADDRESS}/{token}")


@router.post(LEARN_ADDRESS + "/{token}/keep", status_code=303)
def keep(
    request: Request, token: Token, name: Annotated[str, Form(max_length=100)] = ""
) -> Response:
    """Keep what was learnt under a name, for all photos from then on."""
    service = service_of(request)
    learnt = service.drafts.of(token).learnt
    try:
        keep_sheet(learnt.to_json(), name.strip().lower())
    except BrikksError as error:
        if wants_json(request):
            raise
        return draft_page(request, token, error.text(language_for(request)))
    service.drafts.drop(token)
    return JSONResponse({}) if wants_json(request) else see(LEARN_ADDRESS)


@router.post(LEARN_ADDRESS + "/{token}/forget", status_code=303)
def forget(request: Request, token: Token) -> Response:
    """Forget what was learnt, and its photo."""
    service_of(request).drafts.drop(token)
    return JSONResponse({}) if wants_json(request) else see(LEARN_ADDRESS)


@router.post("/printing/remove", status_code=303)
def remove(request: Request, name: Annotated[str, Form(max_length=100)] = "") -> Response:
    """Remove a printing that was kept."""
    remove_sheet(name)
    return JSONResponse({}) if wants_json(request) else see(LEARN_ADDRESS)
