"""What the service answers with: pages, files, pictures, JSON, and reasons with a way on.

A form with a photo is answered with what is made of it; what is refused may arrive first.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from brikks_vision import errors, games
from brikks_vision.codec import JsonObject
from brikks_vision.intake.corrections import sheet_now
from brikks_vision.pipeline import localize
from brikks_vision.reading import Reading
from brikks_vision.record import entries, results
from brikks_vision.web.guard import KEY_PARAMETER, SAFE_METHODS, language_of
from brikks_vision.web.pages import rendered
from brikks_vision.web.service import Service, Visit
from brikks_vision.web.uploads import PHOTO_FIELD, Arrivals, Upload, receive_upload

AGAIN = "sent_again"  # a cookie: the photo of this page was sent again


def page_of(request: Visit, template: str, **values: object) -> Response:
    """A page; one that tells a problem answers what cannot be taken."""
    page = rendered(template, request.language, request.url.query, **values)
    return HTMLResponse(page, 400 if values.get("problem") else 200)


def see(address: str) -> Response:
    return RedirectResponse(address, 303)


def done(request: Visit, address: str, **told: object) -> Response:
    """What programs are told of something that was done; people see a page."""
    return JSONResponse(told) if request.wants_json else see(address)


def refused(
    request: Visit,
    error: errors.BrikksError,
    page: Callable[[str], Response],
    status: int = 400,
) -> Response:
    """The page with the reason why something was not taken; programs are told the error itself."""
    if request.wants_json:
        raise error
    answer = page(error.text(request.language))
    answer.status_code = status
    return answer


def changed(request: Visit, number: int) -> Response:
    if request.wants_json:
        return JSONResponse(result_json(request.service, number, request.language))
    return see(f"/result/{number}")


def result_json(service: Service, number: int, language: str) -> JsonObject:
    with service.open_to_read() as record:
        found = results.get_result(record, number)
        if games.on_board(found.reading):
            reading: Reading = localize(found.reading, language)
        else:
            reading = sheet_now(record, number, language).reading
        said = results.answers_of(results.corrections(record, number))
    return {**json_of(replace(found, reading=reading)), "answers": said}


def json_of(result: entries.Result) -> JsonObject:
    return {
        "number": result.id,
        "player": result.player,
        "played": result.played,
        "game": result.game,
        "taken": result.photo.taken.isoformat(),
        "sha256": result.photo.sha256,
        "corrected": result.is_corrected,
        "reading": result.reading.to_dict(),
    }


def jpeg(data: bytes) -> Response:
    # the same address always shows the same picture: it holds the photo's hash
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(data, media_type="image/jpeg", headers=headers)


def passing_picture(data: bytes, kind: str = "image/jpeg") -> Response:
    """A picture of a draft, which is another one after the next correction."""
    return Response(data, media_type=kind, headers={"Cache-Control": "no-store"})


def png_picture(data: bytes) -> Response:
    return Response(data, media_type="image/png")


def download(data: bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)


_NAMES_BY_STATUS: Mapping[int, str] = {
    400: "AnswerNotOffered UploadBroken UploadWithoutPhoto",
    401: "KeyRefused",
    403: "OtherSite",
    404: "PageMissing ResultMissing GameMissing TableMissing SeatMissing QuestionGone NothingKept"
    " ResultNotKept",
    408: "UploadTooSlow",
    409: "BoardWithoutPhoto PhotoNotHere SheetsInOtherGame ChangeNotUndoable",
    413: "FileTooLarge TooManyPixels TooManyScans",
    415: "NotAnImage",
    421: "HostUnknown",
    500: "ReadingFailed ReaderStopped PageFailed",
    501: "PlotPartsMissing",
    503: "ServerBusy RecordBusy",
    504: "ReadingTooSlow",
    507: "RecordDiskFull UploadNotStored",
}
_STATUS_CODES = {
    getattr(errors, name): code
    for code, names in _NAMES_BY_STATUS.items()
    for name in names.split()
}


def answer_error(service: Service, request: Request, error: errors.BrikksError) -> Response:
    """The sentence and a way on: a page, or JSON for programs."""
    language = language_of(request, service.language)
    status = _status_code(error)
    sentence, name = error.text(language), type(error).__name__
    headers = {"Retry-After": "5"} if status == 503 else {}
    if request.method not in SAFE_METHODS:
        headers["Connection"] = "close"  # what a refused form still sends is not waited for
    if Visit(request.scope).wants_json:
        return JSONResponse({"error": name, "message": sentence}, status, headers)
    if isinstance(error, errors.KeyRefused):
        is_wrong = bool(request.query_params.get(KEY_PARAMETER))
        page = rendered("key.html", language, is_wrong=is_wrong)
        return HTMLResponse(page, status, headers)
    is_photo = isinstance(
        error, (errors.PhotoUnreadable, errors.ServerBusy, errors.UploadNotStored)
    )
    has_way = status not in (401, 421)
    body = rendered(
        "message.html", language, sentence=sentence, is_photo=is_photo, has_way=has_way,
        is_unknown=isinstance(error, errors.PrintingUnknown),
    )  # fmt: skip
    return HTMLResponse(body, status, headers)


def _status_code(error: errors.BrikksError) -> int:
    for kind in type(error).__mro__:
        if kind in _STATUS_CODES:
            return _STATUS_CODES[kind]
    if isinstance(error, errors.RecordFailure):
        return 500
    return 422 if isinstance(error, errors.PhotoUnreadable) else 400


def complain(request: Request, error: Exception) -> Response:
    """What is answered to any error: ours, of an address, of a form's fields, or of the program."""
    told: errors.BrikksError
    status, headers = None, Headers()
    if isinstance(error, errors.BrikksError):
        told = error
    elif isinstance(error, HTTPException) and isinstance(error.__cause__, errors.BrikksError):
        told = error.__cause__  # what was wrong with a form while it arrived
    elif isinstance(error, HTTPException):
        told, status, headers = errors.PageMissing(), error.status_code, Headers(error.headers)
    elif isinstance(error, RequestValidationError):
        fields = sorted({str(each["loc"][-1]) for each in error.errors() if each["loc"]})
        told, status = errors.FieldUnclear(", ".join(fields)[:100] or "form"), 422
    else:
        told = errors.PageFailed(type(error).__name__)
    answer = answer_error(request.app.state.service, request, told)
    answer.status_code = status or answer.status_code
    answer.headers.update(headers)
    return answer


DRAINED_BYTES = 120_000_000  # of what a refused upload still sends


def photo_form(*fields: str) -> JsonObject:
    """The description (OpenAPI) of a form with a photo and other fields."""
    texts = {name: {"type": "string"} for name in fields}
    schema = {
        "type": "object",
        "required": [PHOTO_FIELD],
        "properties": {PHOTO_FIELD: {"type": "string", "format": "binary"}, **texts},
    }
    content = {"multipart/form-data": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


@asynccontextmanager
async def arrived(request: Visit, chunks: AsyncIterator[bytes]) -> AsyncIterator[Upload]:
    """The form that is sent; its photo is the caller's to close, and to read in the block.

    chunks : of the request's body.

    Raises ClientDisconnect, ServerBusy, UploadTooSlow, FileTooLarge, UploadBroken,
    UploadWithoutPhoto, UploadNotStored.
    """
    service, readers = request.service, request.readers
    with ExitStack() as until_read:
        async with service.arrivals.place(readers) as arrival:
            until_read.enter_context(readers.place())
            length = request.headers.get("content-length", "")
            upload = await receive_upload(
                arrival.counted(chunks),
                request.headers.get("content-type", ""),
                int(length) if re.fullmatch(r"\d{1,15}", length, re.ASCII) else None,
            )
        yield upload


async def taken_in(
    request: Visit,
    make: Callable[[Upload], Awaitable[Response]],
    problem_page: Callable[[str], Response],
    told_beside: type[errors.BrikksError] | tuple[type[errors.BrikksError], ...],
) -> Response:
    """Take a photo in and answer with what is made of it.

    make : the photo is gone after it. problem_page : shows why nothing was made, where
    the reason is one of those that are told beside the form.
    """
    chunks = request.stream()
    try:
        async with arrived(request, chunks) as upload:
            try:
                return await make(upload)
            finally:
                upload.file.close()
    except ClientDisconnect:
        raise errors.UploadBroken from None
    except errors.UploadTooSlow:
        raise  # no waiting for the rest
    except errors.BrikksError as error:
        await drain(chunks)
        if not isinstance(error, told_beside):
            raise
        return await run_in_threadpool(refused, request, error, problem_page)


async def draft_of_photo(
    request: Visit,
    make: Callable[[Upload], Awaitable[str]],
    problem_page: Callable[[Visit, str], Response],
    address: str,
) -> Response:
    """Take a photo in, make a draft of it, and lead to its page.

    make : returns the token, "" where there is none; the photo is gone after it.
    problem_page : what shows why nothing was made. address : of all drafts of the kind.
    """

    async def made(upload: Upload) -> Response:
        return see(f"{address}/{await make(upload)}".rstrip("/"))

    return await taken_in(request, made, partial(problem_page, request), errors.BrikksError)


async def drain(chunks: AsyncIterator[bytes]) -> None:
    """Let a refused upload arrive: browsers show no answer while they still send.

    One that trickles or has no end is not waited for.
    """
    with suppress(errors.BrikksError, ClientDisconnect, RuntimeError):
        async with Arrivals(1).place() as arrival:
            async for _ in arrival.counted(chunks):
                if arrival.received > DRAINED_BYTES:
                    return
