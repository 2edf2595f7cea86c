"""What the page learns from: photos of empty sheets, and photos that are kept to teach."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated

from fastapi import Form
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from brikks_vision.errors import BlankIsMarked, BrikksError, FieldUnclear, PhotoNotHere
from brikks_vision.games import game_named, games_with, learning
from brikks_vision.games.printings import (
    add_printing,
    keep_printing,
    kept_printings,
    open_printing,
    remove_printing,
    sheet_name,
)
from brikks_vision.intake.teaching import keep_shown, report_of
from brikks_vision.layout import GRID
from brikks_vision.layout.definition import PACKED, ZIP_SIGN, packed, unpacked
from brikks_vision.learn import learn_sheet, with_pieces
from brikks_vision.record import results
from brikks_vision.text.languages import texts_in, typeset_page
from brikks_vision.web import answers, pages, uploads
from brikks_vision.web.routes.results import result_page
from brikks_vision.web.service import MAX_NUMBER, Number, Text, Token, Visit, new_router

LEARN_ADDRESS = "/printings"
PIECES_ADDRESS = "/pieces"
NAME = "learnt"  # until a person gives another one

router = new_router()


@router.get(LEARN_ADDRESS, response_class=HTMLResponse)
def printings(request: Visit) -> Response:
    """The printings that are kept, and the form to learn another one."""
    return printings_page(request)


def printings_page(request: Visit, problem: str = "") -> Response:
    """problem : why nothing was learnt, told beside the form."""
    with request.service.open_to_read() as record:
        uses = results.printing_uses(record)
    kept = [(each, *uses.get(each.name, (0, 0))) for each in kept_printings()]
    if request.wants_json and not problem:
        return JSONResponse(
            [
                {"name": each.name, "game": each.game, "read": read, "corrected": corrected}
                for each, read, corrected in kept
            ]
        )
    return answers.page_of(
        request,
        "printings.html",
        kept=kept,
        games={game.NAME: game.TITLE for game in games_with("learner")},
        problem=problem,
        most_bytes=uploads.MAX_BYTES,
    )


@router.post(LEARN_ADDRESS, status_code=303, openapi_extra=answers.photo_form("game"))
async def learn(request: Visit) -> Response:
    """Learn a printing from a photo of its empty sheet; it is not kept before a person says so."""

    async def make(upload: uploads.Upload) -> str:
        data = upload.read()
        if data.startswith(ZIP_SIGN):
            definition = await run_in_threadpool(unpacked, data, upload.name)
            await run_in_threadpool(add_printing, definition, upload.name)
            return ""
        game = upload.fields.get("game", "") or None
        if game not in (None, *(each.NAME for each in games_with("learner"))):
            raise FieldUnclear("game")
        return request.service.learnt.add(
            await request.readers.read(partial(learn_sheet, upload.photo, game, NAME))
        )

    return await answers.draft_of_photo(request, make, printings_page, LEARN_ADDRESS)


@router.get(LEARN_ADDRESS + "/{token}", response_class=HTMLResponse)
def draft(request: Visit, token: Token) -> Response:
    """What is proposed, to look at and to correct."""
    return draft_page(request, token)


def draft_page(request: Visit, token: str, problem: str = "", no_pieces: str = "") -> Response:
    """problem : why it was not corrected or kept. no_pieces : why no pieces were learnt."""
    proposal, language = request.service.learnt.of(token), request.language
    remark = proposal.remark.text(language) if proposal.remark else ""
    if isinstance(proposal.remark, BlankIsMarked):  # whose sentence is for the command
        remark = texts_in(language).page["not_empty"].format(count=proposal.remark.count)
    if request.wants_json:
        return JSONResponse(
            {
                "game": proposal.layout.game,
                "doubts": [vars(doubt) for doubt in proposal.doubts],
                "regions": {name: each.tolist() for name, each in proposal.regions.items()},
                "remark": remark,
                "problem": problem,
            }
        )
    game = game_named(proposal.layout.game)
    places = {each.where: _shown(each, language) for each in proposal.values}
    asked = [doubt.where for doubt in proposal.doubts]
    return answers.page_of(
        request,
        "printing.html",
        token=token,
        address=LEARN_ADDRESS,
        problem=problem,
        remark=remark,
        title=proposal.layout.title,
        area=proposal.area,
        revision=pages.revision_of({"said": repr(proposal.said)}),
        regions={
            name: [(round(x, 3), round(y, 3)) for x, y in box.corners]
            for name, box in proposal.boxes.items()
        },
        size=proposal.size,
        doubts=[
            (number, doubt, places.get(doubt.where))
            for number, doubt in enumerate(proposal.doubts, 1)
        ],
        places=[each for where, each in places.items() if where not in asked],
        pieces_address=PIECES_ADDRESS if game.board else "",
        are_pieces_learnt=getattr(proposal.layout, "pieces", None) is not None,
        pieces_problem=no_pieces,
        most_bytes=uploads.MAX_BYTES,
    )


def _shown(place: learning.Value, language: str) -> dict[str, object]:
    """A place with its choices in words, as the page shows it."""
    choices = _choices(place, language)
    sign = "" if place.read in place.swatches or not place.read.isdigit() else place.read
    return {
        "where": place.where,
        "box": place.box,
        "told": place.told.text(language),
        "choices": choices,
        "read": place.read,
        "word": dict(choices).get(place.read, place.read),
        "sign": sign,
        "swatch": place.swatches.get(place.read, ""),
        "swatches": place.swatches,
    }


@router.get(LEARN_ADDRESS + "/{token}/place", response_class=HTMLResponse)
def place(request: Visit, token: Token, where: str = "") -> Response:
    """What may be printed at one place, to choose from."""
    values = request.service.learnt.of(token).values
    found = {each.where: each for each in values}.get(where[:100])
    if found is None:
        raise FieldUnclear("where")
    return answers.page_of(
        request,
        "print_place.html",
        token=token,
        where=where,
        told=found.told,
        choices=_choices(found, request.language),
        swatches=found.swatches,
        now=found.read,
        address=LEARN_ADDRESS,
    )


def _choices(place: learning.Value, language: str) -> list[tuple[str, str]]:
    """What may be at a place that can be set, with its word."""
    words = typeset_page(language)

    def word(value: str) -> str:
        told = place.words.get(value)
        return words.get(f"print_{value}", value) if told is None else told.text(language)

    return [(value, word(value)) for value in place.choices]


@router.get(LEARN_ADDRESS + "/{token}/learnt", response_class=Response)
def picture(request: Visit, token: Token) -> Response:
    """The straightened photo of the empty sheet or board."""
    return answers.passing_picture(pages.as_jpeg(request.service.learnt.of(token).picture))


@router.post(LEARN_ADDRESS + "/{token}/set", status_code=303)
async def set_print(
    request: Visit,
    token: Token,
    where: Text = "",
    value: Text = "",
    rows: Annotated[int, Form(ge=0, le=99)] = 0,
    columns: Annotated[int, Form(ge=0, le=99)] = 0,
) -> Response:
    """Say what is printed somewhere, where the corners of a region are, or how large the grid is.

    Corners are in cells of the straightened picture: "0,0 7,0 7,10 0,10".
    """

    async def anew(proposal: learning.Proposal) -> learning.Proposal:
        said = _settings(proposal, where, value, rows, columns)
        return await request.readers.read(partial(proposal.given, said))

    try:
        with request.readers.place():
            await request.service.learnt.change(token, anew)
    except BrikksError as error:
        page = partial(draft_page, request, token)
        return await run_in_threadpool(answers.refused, request, error, page)
    return answers.see(f"{LEARN_ADDRESS}/{token}")


def _settings(
    proposal: learning.Proposal, where: str, value: str, rows: int, columns: int
) -> dict[str, object]:
    """What a form says, as `Proposal.given` takes it; raises AnswerUnclear."""
    if where == learning.SIZE:
        return {learning.SIZE: f"{rows}x{columns}"}
    if where not in proposal.boxes or "," not in value:
        return {where: value}
    corners = learning.given_of({where: value}).corners[where]
    if not proposal.remark and where == GRID and not proposal.said.size:
        rows, columns = proposal.size  # it stays as it is shown
        size = {learning.SIZE: f"{rows}x{columns}"} if rows else {}
        return {where: proposal.placement.to_photo(corners), **size}
    return {where: proposal.placement.to_photo(corners)}


@router.post(PIECES_ADDRESS, status_code=303, openapi_extra=answers.photo_form("printing"))
async def learn_pieces(request: Visit) -> Response:
    """Learn what the pieces of a board, "printing", look like from a photo of it set up."""
    service, readers = request.service, request.readers
    shown: list[str] = []  # the draft that the photo is of

    async def make(upload: uploads.Upload) -> str:
        token = upload.fields.get("printing", "")
        service.learnt.of(token)
        shown.append(token)
        await service.learnt.change(
            token, lambda draft: readers.read(partial(with_pieces, draft, upload.photo))
        )
        return token

    def problem_page(request: Visit, problem: str) -> Response:
        if not shown:
            return printings_page(request, problem)
        return draft_page(request, shown[0], no_pieces=problem)

    return await answers.draft_of_photo(request, make, problem_page, LEARN_ADDRESS)


@router.post(LEARN_ADDRESS + "/{token}/keep", status_code=303)
def keep(request: Visit, token: Token, name: Annotated[str, Form(max_length=100)] = "") -> Response:
    """Keep what was learnt under a name, for all photos from then on."""
    learnt = request.service.learnt.of(token)
    try:
        keep_printing(learnt.confirmed().to_json(), sheet_name(name) or name)
    except BrikksError as error:
        return answers.refused(request, error, partial(draft_page, request, token))
    request.service.learnt.drop(token)
    return answers.done(request, LEARN_ADDRESS)


@router.post(LEARN_ADDRESS + "/{token}/forget", status_code=303)
def forget(request: Visit, token: Token) -> Response:
    """Forget what was learnt, and its photo."""
    request.service.learnt.drop(token)
    return answers.done(request, LEARN_ADDRESS)


@router.get("/printing/{name}/open", response_class=HTMLResponse)
def sent_printing(request: Visit, name: Annotated[str, InPath(max_length=64)]) -> Response:
    """The page to send: what the printing is, its file, and what opens that."""
    printing = open_printing(name)
    return answers.page_of(request, "printing_sent.html", printing=printing, file=name + PACKED)


@router.get("/printing/{name}" + PACKED, response_class=Response)
def packed_printing(name: Annotated[str, InPath(max_length=64)]) -> Response:
    """A printing that is kept, as the file that travels."""
    return answers.download(packed(open_printing(name).to_json()), "application/zip", name + PACKED)


@router.post("/printing/remove", status_code=303)
def remove(request: Visit, name: Annotated[str, Form(max_length=100)] = "") -> Response:
    """Remove a printing that was kept."""
    remove_printing(name)
    return answers.done(request, LEARN_ADDRESS)


TEACHING_ADDRESS = "/teaching"


@router.get(TEACHING_ADDRESS, response_class=HTMLResponse)
def teaching(request: Visit) -> Response:
    """The photos that are kept, and whether those of corrected results are."""
    with request.service.open_to_read() as record:
        kept, is_wanted = results.kept_photos(record), results.wants_corrected(record)
    if request.wants_json:
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
    return answers.page_of(request, "teaching.html", kept=kept, keeps_corrected=is_wanted)


@router.post("/result/{number}/keep", status_code=303)
def keep_to_teach(request: Visit, number: Number, total: Text = "") -> Response:
    """Keep the photos of a result that are still here; total: the right one, if it is known."""
    if not re.fullmatch(r"-?\d{1,4}|", total.strip(), re.ASCII):
        raise FieldUnclear("total")
    right = int(total) if total.strip() else None
    try:
        with request.service.correcting, request.service.open() as record:
            try:
                keep_shown(record, number, request.service.held.all(), right)
            except PhotoNotHere:
                if right is None or not results.kept_photos(record, [number]):
                    raise
                results.say_total(record, number, right)
    except PhotoNotHere as error:
        return answers.refused(
            request, error, lambda told: result_page(request, number, teach_problem=told), 409
        )
    return answers.changed(request, number)


@router.get("/result/{number}/kept.jpg", response_class=Response)
def picture_to_teach(request: Visit, number: Number) -> Response:
    """The first photo of a result that is kept, as it is kept."""
    with request.service.open_to_read() as record:
        (first, *_) = results.kept_photos(record, [number]) or [None]
        data = b"" if first is None else results.kept_picture(record, first)
    if not data:
        raise PhotoNotHere(number)
    return answers.passing_picture(data)


@router.post(f"{TEACHING_ADDRESS}/delete", status_code=303)
def delete(
    request: Visit, result: Annotated[int | None, Form(ge=1, le=MAX_NUMBER)] = None
) -> Response:
    """Delete what is kept of a result, or of all."""
    with request.service.open() as record:
        numbers = (
            {each.result.id for each in results.kept_photos(record)} if result is None else {result}
        )
        for number in numbers:
            results.delete_kept(record, number)
    return answers.see(TEACHING_ADDRESS)


@router.post(f"{TEACHING_ADDRESS}/corrected", status_code=303)
def corrected(request: Visit, wanted: Text = "") -> Response:
    """Keep the photo of every result that is corrected from now on, or, where empty, not."""
    with request.service.open() as record:
        results.want_corrected(record, bool(wanted))
    return answers.see(TEACHING_ADDRESS)


@router.get(f"{TEACHING_ADDRESS}/report.zip", response_class=Response)
def report(request: Visit) -> Response:
    """All photos that are kept, packed to give away."""
    with request.service.open_to_read() as record:
        packed, _ = report_of(record, [], request.language)
    return answers.download(packed, "application/zip", "report.zip")
