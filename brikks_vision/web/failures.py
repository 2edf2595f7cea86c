"""What the service answers when something went wrong: the sentence and a way on."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from brikks_vision import errors
from brikks_vision.errors import BrikksError, FieldUnclear, PageFailed, PageMissing, PhotoUnreadable
from brikks_vision.web.guard import KEY_PARAMETER, SAFE_METHODS, language_of
from brikks_vision.web.pages import rendered
from brikks_vision.web.service import Service, service_of, wants_json

_STATUS_CODES: Mapping[type[BrikksError], int] = {
    errors.KeyRefused: 401,
    errors.OtherSite: 403,
    errors.PageMissing: 404,
    errors.ResultMissing: 404,
    errors.GameMissing: 404,
    errors.TableMissing: 404,
    errors.SeatMissing: 404,
    errors.UploadTooSlow: 408,
    errors.QuestionGone: 404,
    errors.AnswerNotOffered: 400,
    errors.BoardWithoutPhoto: 409,
    errors.PhotoNotHere: 409,
    errors.NothingKept: 404,
    errors.ResultNotKept: 404,
    errors.SheetsInOtherGame: 409,
    errors.ChangeNotUndoable: 409,
    errors.FileTooLarge: 413,
    errors.TooManyPixels: 413,
    errors.TooManyScans: 413,
    errors.NotAnImage: 415,
    errors.HostUnknown: 421,
    errors.UploadBroken: 400,
    errors.UploadWithoutPhoto: 400,
    errors.ServerBusy: 503,
    errors.RecordBusy: 503,
    errors.ReadingTooSlow: 504,
    errors.RecordDiskFull: 507,
    errors.UploadNotStored: 507,
    errors.ReadingFailed: 500,
    errors.ReaderStopped: 500,
    errors.PlotPartsMissing: 501,
    errors.PageFailed: 500,
}


def answer_error(service: Service, request: Request, error: BrikksError) -> Response:
    """The sentence and a way on: a page, or JSON for programs."""
    language = language_of(request, service.language)
    status = _status_code(error)
    sentence, name = error.text(language), type(error).__name__
    headers = {"Retry-After": "5"} if status == 503 else {}
    if request.method not in SAFE_METHODS:
        headers["Connection"] = "close"  # what a refused form still sends is not waited for
    if wants_json(request):
        return JSONResponse({"error": name, "message": sentence}, status, headers)
    if isinstance(error, errors.KeyRefused):
        is_wrong = bool(request.query_params.get(KEY_PARAMETER))
        page = rendered("key.html", language, is_wrong=is_wrong)
        return HTMLResponse(page, status, headers)
    is_photo = isinstance(error, (PhotoUnreadable, errors.ServerBusy, errors.UploadNotStored))
    has_way = status not in (401, 421)
    body = rendered(
        "message.html", language, sentence=sentence, is_photo=is_photo, has_way=has_way,
        is_unknown=isinstance(error, errors.PrintingUnknown),
    )  # fmt: skip
    return HTMLResponse(body, status, headers)


def _status_code(error: BrikksError) -> int:
    for kind in type(error).__mro__:
        if kind in _STATUS_CODES:
            return _STATUS_CODES[kind]
    if isinstance(error, errors.RecordFailure):
        return 500
    return 422 if isinstance(error, PhotoUnreadable) else 400


def complain(request: Request, error: Exception) -> Response:
    assert isinstance(error, BrikksError)
    return answer_error(service_of(request), request, error)


def complain_of_address(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, BrikksError):  # what was wrong with a form while it arrived
        return answer_error(service_of(request), request, error.__cause__)
    answer = answer_error(service_of(request), request, PageMissing())
    answer.status_code = error.status_code
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


def complain_of_fields(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    fields = sorted({str(each["loc"][-1]) for each in error.errors() if each["loc"]})
    answer = answer_error(
        service_of(request), request, FieldUnclear(", ".join(fields)[:100] or "form")
    )
    answer.status_code = 422
    return answer


def complain_of_itself(request: Request, error: Exception) -> Response:
    return answer_error(service_of(request), request, PageFailed(type(error).__name__))
