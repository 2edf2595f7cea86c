"""The service: its pages, and the same as JSON for programs that ask for it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Form, Query, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from brikks_vision import errors
from brikks_vision.errors import (
    BrikksError,
    FieldUnclear,
    GameImpossible,
    PageFailed,
    PageMissing,
    PhotoUnreadable,
    SheetsNotOneGame,
    UploadBroken,
)
from brikks_vision.games.brikks.compare import GameReading, read_game
from brikks_vision.intake.workers import Readers, ReadPhoto, Task
from brikks_vision.record.database import Record, open_record
from brikks_vision.record.entries import LATEST, Added, Filters, Result
from brikks_vision.record.games import get_game, list_games, make_game, remove_game
from brikks_vision.record.photos import add_photo, forget_photo
from brikks_vision.record.results import (
    assign_player,
    corrections,
    get_result,
    list_results,
    material_of,
    players,
    remove_result,
    thumbnail,
)
from brikks_vision.record.statistics import (
    empty_shares,
    finished_sheets,
    player_stats,
    scores_over_time,
)
from brikks_vision.rules.brikks.referee import ImpossibleGameError, settings
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.table import NoSuchTableError
from brikks_vision.show.history import results_csv, results_jsonl
from brikks_vision.show.places import marks_at
from brikks_vision.show.plots import heat_map, png, scores_plot
from brikks_vision.text.languages import texts_in
from brikks_vision.web.corrections import (
    SheetNow,
    correct_game,
    correct_mark,
    mark_at,
    sheet_now,
)
from brikks_vision.web.guard import KEY_PARAMETER, Access, Guard, language_of
from brikks_vision.web.icon import icon_png
from brikks_vision.web.pages import rendered, sheet_values
from brikks_vision.web.passing import passing_folder
from brikks_vision.web.uploads import MOST_BYTES, PHOTO_FIELD, Upload, receive_upload

SECONDS_A_PHOTO = 60
WAITING_PHOTOS = 16  # beside those being read
LAST_SHOWN = 5  # results on the start page
MOST_LISTED = 500  # results in the history
LARGEST_NUMBER = 2**53  # of a result or a game
DRAINED_BYTES, DRAINED_SECONDS = 120_000_000, 30  # of what a refused upload still sends
SCAN_ADDRESS = "/scan"
ICON_SIDES = (192, 512)  # px
HERE = Path(__file__).parent

_STATUS_CODES: Mapping[type[BrikksError], int] = {
    errors.KeyRefused: 401,
    errors.OtherSite: 403,
    errors.PageMissing: 404,
    errors.ResultMissing: 404,
    errors.GameMissing: 404,
    errors.UploadTooSlow: 408,
    errors.FileTooLarge: 413,
    errors.TooManyPixels: 413,
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
    errors.PageFailed: 500,
}

Number = Annotated[int, InPath(ge=1, le=LARGEST_NUMBER)]
Numbers = list[Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]]
Text = Annotated[str, Form(max_length=200)]
Asked = Annotated[str, Query(max_length=200)]


@dataclass
class Service:
    """What all requests share. ``correcting``: held while a result is corrected."""

    record: Path | None
    language: str
    key: str | None
    processes: int
    correcting: threading.Lock
    readers: Readers | None = None
    folder: Path | None = None

    @contextmanager
    def open(self) -> Iterator[Record]:
        """The record, for one request."""
        with open_record(self.record) as record:
            yield record


def new_service(
    record: Path | None, access: Access, language: str = "en", processes: int | None = None
) -> ASGIApp:
    """The whole service (ASGI).

    Parameters
    ----------
    record : the file of the record; None: the user's own.
    access : who may come in.
    language : for those whose browser asks for none that is known.
    processes : photos read at once; None: as many as cores.
    """
    service = Service(
        record, language, access.key, processes or available_cores(), threading.Lock()
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with passing_folder() as service.folder:
            service.readers = Readers(service.processes, WAITING_PHOTOS, SECONDS_A_PHOTO)
            try:
                yield
            finally:
                service.readers.close()

    app = FastAPI(title="brikks-vision", docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.service = service
    app.mount("/static", StaticFiles(directory=HERE / "static"))
    app.include_router(_router)
    app.add_exception_handler(BrikksError, _complain)
    app.add_exception_handler(HTTPException, _complain_of_address)
    app.add_exception_handler(RequestValidationError, _complain_of_fields)
    app.add_exception_handler(Exception, _complain_of_itself)
    return Guard(app, access, partial(_answer_error, service), streamed=(SCAN_ADDRESS,))


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- pages ---------------------------------------------------------------------------------------

_router = APIRouter()


@_router.get("/", response_class=HTMLResponse)
def start(request: Request) -> Response:
    """Take or choose a photo."""
    service = _service(request)
    with service.open() as record:
        recent = list_results(record)[-LAST_SHOWN:][::-1]
        names = players(record)
    return _page(request, "start.html", recent=recent, names=names, most_bytes=MOST_BYTES)


@_router.post(
    SCAN_ADDRESS,
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
                            **{
                                name: {"type": "string"}
                                for name in ("player", "players", "level", "variant")
                            },
                        },
                    }
                }
            },
        }
    },
)
async def scan(request: Request) -> Response:
    """Read a photo; the answer comes when what was read is in the record."""
    service, language = _service(request), _language(request)
    assert service.readers is not None and service.folder is not None
    chunks = request.stream()
    upload: Upload | None = None
    try:
        with service.readers.place():
            upload = await receive_upload(
                chunks, request.headers.get("content-type", ""), _length(request), service.folder
            )
            fields = upload.fields
            count, level, variant = _game_fields(fields)
            task = Task(
                upload.file,
                upload.name,
                modified=time.time(),
                players=count,
                level=level,
                variant=variant,
                language=language,
            )
            photo = await asyncio.wrap_future(service.readers.start(task))
            added = await run_in_threadpool(_save, service, photo, fields.get("player", ""))
    except ClientDisconnect:
        raise UploadBroken from None
    except BrikksError:
        await _drain(chunks)
        raise
    finally:
        if upload is not None:  # read, refused, given up or never begun
            upload.file.unlink(missing_ok=True)
    if _wants_json(request):
        return JSONResponse(
            {
                "results": [await run_in_threadpool(_result_json, service, each, language)
                            for each in added.results],
                "errors": [error.text(language) for error in photo.errors],
            }
        )  # fmt: skip
    if len(added.results) == 1 and not photo.errors:
        return _see(f"/result/{added.results[0]}")
    chosen = [("chosen", str(number)) for number in added.results]
    found = [("found", "1")] if len(chosen) > 1 else []
    unread = [("unread", "1")] if photo.errors else []
    return _see(f"/history?{urlencode([*chosen, *found, *unread])}")


def _save(service: Service, photo: ReadPhoto, player: str) -> Added:
    with service.open() as record:
        added = add_photo(record, photo.facts, photo.sheets, player or None)
        if not added.results and forget_photo(record, photo.facts.sha256):
            # its results were removed, or an earlier look at it found no sheet
            added = add_photo(record, photo.facts, photo.sheets, player or None)
        for number in added.results:  # a photo sent again to say whose it is
            if player and not added.is_new and get_result(record, number).player is None:
                assign_player(record, number, player)
    return added


@_router.get("/result/{number}", response_class=HTMLResponse)
def result(request: Request, number: Number) -> Response:
    """One sheet: its score, what is doubtful, what breaks the rules."""
    service, language = _service(request), _language(request)
    if _wants_json(request):
        return JSONResponse(_result_json(service, number, language))
    with service.open() as record:
        now = sheet_now(record, number, language)
        has_picture = material_of(record, number) is not None
        has_thumbnail = thumbnail(record, number) is not None
        names = players(record)
    return _page(
        request,
        "result.html",
        **sheet_values(now, language),
        has_picture=has_picture,
        has_thumbnail=has_thumbnail,
        names=names,
    )


@_router.get("/result/{number}/place", response_class=HTMLResponse)
def place(request: Request, number: Number, where: Asked) -> Response:
    """One place of a sheet, to say what stands there."""
    service, language = _service(request), _language(request)
    with service.open() as record:
        now = sheet_now(record, number, language)
        has_picture = material_of(record, number) is not None
    mark = mark_at(now.posterior, where)
    return _page(
        request,
        "place.html",
        **sheet_values(now, language),
        has_picture=has_picture,
        where=where,
        mark=mark,
        answer=now.answers.get(where),
        choices=marks_at(where),
    )


@_router.post("/result/{number}/correct", status_code=303)
def correct(request: Request, number: Number, where: Text, mark: Text) -> Response:
    """Say what stands at a place; "read" leaves it to the photo again."""
    service, language = _service(request), _language(request)
    with service.correcting, service.open() as record:
        correct_mark(record, number, where, mark, language)
    return _changed(request, number)


@_router.post("/result/{number}/game", status_code=303)
def say_game(
    request: Request, number: Number, players: Text = "", level: Text = "", variant: Text = ""
) -> Response:
    """Say what the paper cannot: how many played, at which level, which game."""
    service, language = _service(request), _language(request)
    said = _game_fields({"players": players, "level": level, "variant": variant})
    with service.correcting, service.open() as record:
        correct_game(record, number, *said, language)
    return _changed(request, number)


@_router.post("/result/{number}/player", status_code=303)
def say_player(request: Request, number: Number, player: Text = "") -> Response:
    """Say whose sheet it is; an empty name takes it away."""
    with _service(request).open() as record:
        assign_player(record, number, player or None)
    return _changed(request, number)


@_router.post("/result/{number}/remove", status_code=303)
def remove(request: Request, number: Number) -> Response:
    """Forget a result."""
    with _service(request).open() as record:
        sha256 = get_result(record, number).photo.sha256
        remove_result(record, number)
        forget_photo(record, sha256)
    return JSONResponse({}) if _wants_json(request) else _see("/history")


@_router.get("/result/{number}/picture", response_class=Response)
def picture(request: Request, number: Number) -> Response:
    """The straightened sheet, JPEG."""
    with _service(request).open() as record:
        material = material_of(record, number)
    if material is None:
        raise PageMissing
    return _jpeg(material.picture)


@_router.get("/result/{number}/thumbnail", response_class=Response)
def photo_read(request: Request, number: Number) -> Response:
    """The photo with the reading drawn on it, JPEG."""
    with _service(request).open() as record:
        data = thumbnail(record, number)
    if data is None:
        raise PageMissing
    return _jpeg(data)


@_router.get("/history", response_class=HTMLResponse)
def history(
    request: Request,
    player: Asked = "",
    since: Asked = "",
    until: Asked = "",
    chosen: Annotated[Numbers, Query(max_length=50)] = [],  # noqa: B006
    found: Asked = "",
    unread: Asked = "",
) -> Response:
    """What was recorded, the newest first; the sheets of a game can be chosen."""
    service, language = _service(request), _language(request)
    wanted = _filters(player, since, until)
    with service.open() as record:
        listed = list_results(record, wanted)[-MOST_LISTED:][::-1]
        games = list_games(record)[::-1]
        names = players(record)
    if _wants_json(request):
        return JSONResponse([_json_of(each) for each in listed])
    query = {"player": player, "since": since, "until": until}
    return _page(
        request,
        "history.html",
        results=listed,
        games=games,
        names=names,
        stats=player_stats(listed, language),
        query=query,
        asked=urlencode({name: value for name, value in query.items() if value}),
        chosen=chosen,
        found=bool(found),
        unread=bool(unread),
    )


@_router.get("/history.csv", response_class=Response)
def history_csv(
    request: Request, player: Asked = "", since: Asked = "", until: Asked = ""
) -> Response:
    """The history for a spreadsheet."""
    with _service(request).open() as record:
        data = results_csv(list_results(record, _filters(player, since, until)))
    return _download(data, "text/csv; charset=utf-8", "brikks.csv")


@_router.get("/history.jsonl", response_class=Response)
def history_jsonl(
    request: Request, player: Asked = "", since: Asked = "", until: Asked = ""
) -> Response:
    """The whole readings, one a line."""
    with _service(request).open() as record:
        found = list_results(record, _filters(player, since, until))
        data = results_jsonl(found, partial(corrections, record))
    return _download(data, "application/jsonl", "brikks.jsonl")


@_router.get("/plot/scores.png", response_class=Response)
def plot_scores(
    request: Request, player: Asked = "", since: Asked = "", until: Asked = ""
) -> Response:
    """Scores over time."""
    with _service(request).open() as record:
        found = list_results(record, _filters(player, since, until))
    lines = scores_over_time(found)
    return _png(png(scores_plot(lines, _language(request), (720, 520))))


@_router.get("/plot/empty.png", response_class=Response)
def plot_empty(
    request: Request, player: Asked = "", since: Asked = "", until: Asked = ""
) -> Response:
    """How often each cell stayed empty."""
    with _service(request).open() as record:
        found = list_results(record, _filters(player, since, until))
    definition = load_sheet()
    shares = empty_shares(finished_sheets(found), definition)
    return _png(png(heat_map(shares, definition, _language(request))))


@_router.post("/game", status_code=303)
def new_game(
    request: Request,
    results: Annotated[Numbers, Form(max_length=50)] = [],  # noqa: B006
    level: Text = "",
    variant: Text = "",
) -> Response:
    """Put the sheets of one game together."""
    sheets = list(dict.fromkeys(results))
    _, level_said, variant_said = _game_fields({"level": level, "variant": variant})
    if not 2 <= len(sheets) <= (2 if variant_said == "duel" else 4) or variant_said == "solo":
        raise SheetsNotOneGame(len(sheets))
    with _service(request).open() as record:
        number = make_game(record, sheets, level_said, variant_said)
    if _wants_json(request):
        return JSONResponse({"game": number})
    return _see(f"/game/{number}")


@_router.get("/game/{number}", response_class=HTMLResponse)
def game(request: Request, number: Number) -> Response:
    """The ranking of a game, and whether its sheets can be of one game."""
    service, language = _service(request), _language(request)
    with service.open() as record:
        found = get_game(record, number)
        sheets = [sheet_now(record, each.id, language) for each in found.results]
    verdict = _verdict(sheets, found.variant, language)
    if _wants_json(request):
        return JSONResponse(
            {
                "number": number,
                "results": [_json_of(each) for each in found.results],
                **verdict.to_dict(),
            }
        )
    return _page(request, "game.html", game=found, sheets=sheets, verdict=verdict)


@_router.post("/game/{number}/remove", status_code=303)
def take_apart(request: Request, number: Number) -> Response:
    """Take a game apart; its sheets stay."""
    with _service(request).open() as record:
        remove_game(record, number)
    return JSONResponse({}) if _wants_json(request) else _see("/history")


# --- what a phone's home screen asks for ---------------------------------------------------------


@_router.get("/manifest.webmanifest", response_class=Response)
def manifest(request: Request) -> Response:
    """The page as an app on the home screen (W3C Web Application Manifest)."""
    service, words = _service(request), texts_in(_language(request)).page
    # An app on the home screen may have cookies of its own, so its address brings the key.
    key = "" if service.key is None else f"?{urlencode({KEY_PARAMETER: service.key})}"
    data = {
        "name": words["name"],
        "short_name": "Brikks",
        "start_url": f"/{key}",
        "scope": "/",
        "display": "standalone",
        "background_color": "#14161c",
        "theme_color": "#14161c",
        "icons": [
            {"src": f"/icon-{side}.png", "sizes": f"{side}x{side}", "type": "image/png"}
            for side in ICON_SIDES
        ],
    }
    return Response(json.dumps(data), media_type="application/manifest+json")


@_router.get("/icon-{side}.png", response_class=Response)
def icon(side: Annotated[int, InPath(ge=1, le=512)]) -> Response:
    """The app's icon."""
    if side not in ICON_SIDES:
        raise PageMissing
    return _png(icon_png(side))


# --- what went wrong -----------------------------------------------------------------------------


def _answer_error(service: Service, request: Request, error: BrikksError) -> Response:
    """The sentence and a way on: a page, or JSON for programs."""
    language = language_of(request, service.language)
    status = _status_code(error)
    sentence, name = error.text(language), type(error).__name__
    headers = {"Retry-After": "5"} if status == 503 else {}
    if _wants_json(request):
        return JSONResponse({"error": name, "message": sentence}, status, headers)
    is_photo = isinstance(error, (PhotoUnreadable, errors.ServerBusy, errors.UploadNotStored))
    has_way = status not in (401, 421)
    body = rendered("message.html", language, sentence=sentence, is_photo=is_photo, has_way=has_way)
    return HTMLResponse(body, status, headers)


def _status_code(error: BrikksError) -> int:
    for kind in type(error).__mro__:
        if kind in _STATUS_CODES:
            return _STATUS_CODES[kind]
    if isinstance(error, errors.RecordFailure):
        return 500
    return 422 if isinstance(error, PhotoUnreadable) else 400


def _complain(request: Request, error: Exception) -> Response:
    assert isinstance(error, BrikksError)
    return _answer_error(_service(request), request, error)


def _complain_of_address(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = _answer_error(_service(request), request, PageMissing())
    answer.status_code = error.status_code
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


def _complain_of_fields(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    fields = sorted({str(each["loc"][-1]) for each in error.errors() if each["loc"]})
    answer = _answer_error(
        _service(request), request, FieldUnclear(", ".join(fields)[:100] or "form")
    )
    answer.status_code = 422
    return answer


def _complain_of_itself(request: Request, error: Exception) -> Response:
    return _answer_error(_service(request), request, PageFailed(type(error).__name__))


# --- parts ---------------------------------------------------------------------------------------


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _language(request: Request) -> str:
    return language_of(request, _service(request).language)


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


def _see(address: str) -> Response:
    return RedirectResponse(address, 303)


def _changed(request: Request, number: int) -> Response:
    if _wants_json(request):
        return JSONResponse(_result_json(_service(request), number, _language(request)))
    return _see(f"/result/{number}")


def _length(request: Request) -> int | None:
    value = request.headers.get("content-length", "")
    return int(value) if re.fullmatch(r"\d{1,15}", value, re.ASCII) else None


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """Let a refused upload arrive: browsers show no answer while they still send."""
    left = DRAINED_BYTES
    with suppress(ClientDisconnect, TimeoutError, RuntimeError):
        async with asyncio.timeout(DRAINED_SECONDS):
            async for chunk in chunks:
                left -= len(chunk)
                if left < 0:
                    return


def _game_fields(fields: Mapping[str, str]) -> tuple[int | None, int | None, str | None]:
    """Players, level and variant; raises FieldUnclear, GameImpossible."""
    count = _choice(fields, "players", ("1", "2", "3", "4"))
    level = _choice(fields, "level", ("1", "2", "3", "4"))
    variant = _choice(fields, "variant", ("standard", "solo", "duel"))
    said = (count and int(count), level and int(level), variant)
    numbers = (None if count is None else int(count), None if level is None else int(level))
    try:
        settings(*numbers, variant)
    except ImpossibleGameError:
        raise GameImpossible(", ".join(str(each) for each in said if each)) from None
    return (*numbers, variant)


def _choice(fields: Mapping[str, str], name: str, allowed: Sequence[str]) -> str | None:
    value = fields.get(name, "").strip()
    if not value:
        return None
    if value not in allowed:
        raise FieldUnclear(name)
    return value


def _filters(player: str, since: str, until: str) -> Filters:
    return Filters(player or None, _day(since, "since"), _day(until, "until"))


def _day(text: str, name: str) -> date | None:
    """Raises FieldUnclear."""
    if not text:
        return None
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        raise FieldUnclear(name)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise FieldUnclear(name) from None
    if day > LATEST.date():
        raise FieldUnclear(name)
    return day


def _result_json(service: Service, number: int, language: str) -> dict[str, Any]:
    with service.open() as record:
        now = sheet_now(record, number, language)
    return _json_of(replace(now.result, reading=now.reading))


def _json_of(result: Result) -> dict[str, Any]:
    return {
        "number": result.id,
        "player": result.player,
        "game": result.game,
        "taken": result.photo.taken.isoformat(),
        "sha256": result.photo.sha256,
        "corrected": result.is_corrected,
        "reading": result.reading.to_dict(),
    }


def _verdict(sheets: Sequence[SheetNow], variant: str | None, language: str) -> GameReading:
    names = [sheet.result.player or sheet.result.photo.name for sheet in sheets]
    definition = load_sheet()
    posteriors = [sheet.posterior for sheet in sheets]
    try:
        return read_game(names, posteriors, definition, max(2, len(sheets)), variant, language)
    except NoSuchTableError:
        raise SheetsNotOneGame(len(sheets)) from None


def _page(request: Request, template: str, **values: Any) -> Response:
    return HTMLResponse(rendered(template, _language(request), request.url.query, **values))


def _jpeg(data: bytes) -> Response:
    # the same address always shows the same picture: it holds the photo's hash
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(data, media_type="image/jpeg", headers=headers)


def _png(data: bytes) -> Response:
    return Response(data, media_type="image/png")


def _download(data: bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)
