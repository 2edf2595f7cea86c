"""Printings: those that are kept, and new ones that are learnt from a photo of an empty sheet.

Photos that teach: kept by a button or with each correction, listed, deleted, downloaded.
"""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from brikks_vision.errors import BrikksError, FieldUnclear, PhotoNotHere
from brikks_vision.games import games_with
from brikks_vision.games.learning import Learnt, Settable
from brikks_vision.games.printings import keep_printing, kept_printings, remove_printing, sheet_name
from brikks_vision.intake.teaching import keep_shown, report_of
from brikks_vision.learn import settable
from brikks_vision.record.results import (
    delete_kept,
    kept_photos,
    kept_picture,
    say_total,
    want_corrected,
    wants_corrected,
)
from brikks_vision.text.languages import typeset_page
from brikks_vision.web.answers import (
    changed,
    download,
    draft_of_photo,
    page_of,
    passing_picture,
    photo_form,
    see,
)
from brikks_vision.web.drafts import learn_draft, with_pieces, with_print
from brikks_vision.web.pages import as_jpeg, board_area, outlines, revision_of, rows_of
from brikks_vision.web.routes.results import result_page
from brikks_vision.web.service import (
    MAX_NUMBER,
    Number,
    Text,
    language_for,
    readers_of,
    service_of,
    wants_json,
)
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
    from brikks_vision.show.board import draw_learnt

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


TEACHING_ADDRESS = "/teaching"


@router.get(TEACHING_ADDRESS, response_class=HTMLResponse)
def teaching(request: Request) -> Response:
    """The photos that are kept, and whether those of corrected results are."""
    with service_of(request).open_to_read() as record:
        kept, is_wanted = kept_photos(record), wants_corrected(record)
    if wants_json(request):
        photos = [
            {
                "result": each.result.id,
                "sha256": each.photo.sha256,
                "total": each.total,
                "bytes": each.size,
            }
            for each in kept
        ]
        return JSONResponse({"keeps_corrected": is_wanted, "photos": photos})
    return page_of(request, "teaching.html", kept=kept, keeps_corrected=is_wanted)


@router.post("/result/{number}/keep", status_code=303)
def keep_to_teach(request: Request, number: Number, total: Text = "") -> Response:
    """Keep the photos of a result that are still here; total: the right one, if it is known."""
    service, language = service_of(request), language_for(request)
    if not re.fullmatch(r"-?\d{1,4}|", total.strip(), re.ASCII):
        raise FieldUnclear("total")
    right = int(total) if total.strip() else None
    try:
        with service.correcting, service.open() as record:
            try:
                keep_shown(record, number, service.held.all(), right)
            except PhotoNotHere:
                if right is None or not kept_photos(record, [number]):
                    raise
                say_total(record, number, right)
    except PhotoNotHere as error:
        if wants_json(request):
            raise
        page = result_page(request, number, teach_problem=error.text(language))
        page.status_code = 409
        return page
    return changed(request, number)


@router.get("/result/{number}/kept.jpg", response_class=Response)
def picture_to_teach(request: Request, number: Number) -> Response:
    """The first photo of a result that is kept, as it is kept."""
    with service_of(request).open_to_read() as record:
        (first, *_) = kept_photos(record, [number]) or [None]
        data = b"" if first is None else kept_picture(record, first)
    if not data:
        raise PhotoNotHere(number)
    return passing_picture(data)


@router.post(f"{TEACHING_ADDRESS}/delete", status_code=303)
def delete(
    request: Request, result: Annotated[int | None, Form(ge=1, le=MAX_NUMBER)] = None
) -> Response:
    """Delete what is kept of a result, or of all."""
    with service_of(request).open() as record:
        numbers = {each.result.id for each in kept_photos(record)} if result is None else {result}
        for number in numbers:
            delete_kept(record, number)
    return see(TEACHING_ADDRESS)


@router.post(f"{TEACHING_ADDRESS}/corrected", status_code=303)
def corrected(request: Request, wanted: Text = "") -> Response:
    """Keep the photo of every result that is corrected from now on, or, where empty, not."""
    with service_of(request).open() as record:
        want_corrected(record, bool(wanted))
    return see(TEACHING_ADDRESS)


@router.get(f"{TEACHING_ADDRESS}/report.zip", response_class=Response)
def report(request: Request) -> Response:
    """All photos that are kept, packed to give away."""
    with service_of(request).open_to_read() as record:
        packed, _ = report_of(record, [], language_for(request))
    return download(packed, "application/zip", "report.zip")
