"""The first page, and the photos that are sent: new ones, and others of what was read."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from brikks_vision import errors
from brikks_vision.games import GAMES, checked_settings, printings, settings_of, titles_with
from brikks_vision.intake.corrections import Said
from brikks_vision.intake.recording import add_view, record_photo
from brikks_vision.intake.workers import ReaderTask, ReadPhoto, read_task
from brikks_vision.reading import NO_SETTINGS, GameSettings
from brikks_vision.record.entries import Added
from brikks_vision.record.results import get_result, players
from brikks_vision.record.tables import get_table
from brikks_vision.show.report import setting_choices
from brikks_vision.web import answers, seating
from brikks_vision.web.routes import boards, history, results
from brikks_vision.web.service import Service, Visit, new_router, printing_in, settings_in
from brikks_vision.web.uploads import MAX_BYTES, Upload

LAST_SHOWN = 3  # games on the start page
NEW_TABLE = "new"  # in the field "table": the sheets get a table of their own
SHOWN_BESIDE = (
    errors.UploadWithoutPhoto,
    errors.SettingUnknown,
    errors.UnknownValue,
    errors.GameImpossible,
)
SCAN_ADDRESS = "/scan"

router = new_router()


@router.get("/", response_class=HTMLResponse)
def start(request: Visit) -> Response:
    """Scan sheets, or look at the last games."""
    service = request.service
    with service.open_to_read() as record:
        values = {
            "last": history.last_played(record, LAST_SHOWN),
            "open_questions": len(history.open_questions(record)),
        }
    return answers.page_of(
        request, "start.html", most_bytes=MAX_BYTES, is_secure=service.secure is not None, **values
    )


@router.get("/more", response_class=HTMLResponse)
def more(request: Visit) -> Response:
    """All that is not on the first page."""
    return more_page(request)


def more_page(request: Visit, problem: str = "") -> Response:
    """All that is not on the first page. problem : why the photo of its form was not read."""
    with request.service.open_to_read() as record:
        names, count = players(record), len(history.open_questions(record))
    return answers.page_of(
        request,
        "more.html",
        names=names,
        open_questions=count,
        most_bytes=MAX_BYTES,
        problem=problem,
        printings=printings.kept_printings(),
        board_title=titles_with("moves"),
        settings=setting_choices([*GAMES], request.language),
        is_secure=request.service.secure is not None,
    )


@router.post(
    SCAN_ADDRESS,
    status_code=303,
    openapi_extra=answers.photo_form("player", *settings_of(), "table", "seat", "sheet"),
)
async def scan(request: Visit) -> Response:
    """Read a photo; the answer comes when what was read is in the record."""

    read = partial(_scanned, request)
    return await answers.taken_in(request, read, partial(more_page, request), SHOWN_BESIDE)


async def _scanned(request: Visit, upload: Upload) -> Response:
    service, language, fields = request.service, request.language, upload.fields
    is_new = fields.get("table") == NEW_TABLE
    table = None if is_new else number_in(fields, "table")
    seat, player = number_in(fields, "seat"), fields.get("player", "")
    known = checked_settings(settings_in(fields))
    if table is not None:
        known, player = await run_in_threadpool(said_at_seat, service, table, seat)
    task = ReaderTask(
        upload.photo,
        upload.name,
        modified=time.time(),
        known=known,
        language=language,
        sheet=printing_in(fields, printings.known_printings()),
    )
    try:
        photo = await request.readers.read(partial(read_task, task))
    except errors.SettingUnknown:
        if table is None:
            raise
        known = NO_SETTINGS  # a sheet of another game than that of the table
        photo = await request.readers.read(partial(read_task, replace(task, known=known)))
    service.held.hold(photo.facts.sha256, upload.read())
    if photo.board is not None:
        if table is not None:
            raise await run_in_threadpool(seating.board_at, service, table, photo.board)
        draft = await boards.recorded_draft(request, photo.facts, photo.board, player or None)
        return answers.see(f"{boards.BOARDS_ADDRESS}/{service.boards.add(draft)}")
    added = await run_in_threadpool(save_photo, service, photo, player, Said({}, known), language)
    table, dealt = await run_in_threadpool(
        seating.assign_sheets, service, table, seat, added.results, language, is_new
    )
    again = () if added.is_new else added.results
    is_settled = not (dealt.elsewhere or dealt.other_game or photo.errors or again)
    is_complete = False
    if table is not None and is_settled:
        is_complete = await run_in_threadpool(seating.finish_if_complete, service, table)
    if request.wants_json:
        failures: list[errors.BrikksError] = [*photo.errors]
        if table is not None and dealt.other_game:
            failures += await run_in_threadpool(seating.refused, service, table, dealt.other_game)
        return JSONResponse(
            {
                "results": [await run_in_threadpool(answers.result_json, service, each, language)
                            for each in added.results],
                "errors": [error.text(language) for error in failures],
                "table": table,
                "elsewhere": dealt.elsewhere,
                "complete": is_complete,
            }
        )  # fmt: skip
    if table is not None:
        shown = seating.table_address(table, dealt, bool(photo.errors), again)
        return answers.see(f"/table/{table}/ranking" if is_complete else shown)
    unread = "&unread=1" if photo.errors else ""
    if len(added.results) == 1 and not unread:
        answer = answers.see(f"/result/{added.results[0]}")
        if again:
            answer.set_cookie(
                answers.AGAIN,
                "1",
                max_age=10,  # in which the page of a photo that was sent again says so
                path=answer.headers["location"],
                samesite="lax",
            )
        return answer
    return answers.see(
        f"/history?chosen={added.results[0]}{unread}" if added.results else "/history"
    )


def said_at_seat(service: Service, number: int, seat: int | None) -> tuple[GameSettings, str]:
    """What a table knows of the game, and who sits at a seat, "" of none.

    Raises TableMissing.
    """
    with service.open_to_read() as record:
        table = get_table(record, number)
    names = [each.player or "" for each in table.seats if each.id == seat]
    return seating.said_at(table), "".join(names)


def save_photo(service: Service, photo: ReadPhoto, player: str, said: Said, language: str) -> Added:
    """Record a photo. player: whose sheet it is; of several sheets nobody's."""
    player = player if len(photo.sheets) == 1 else ""
    with service.correcting, service.open() as record:
        return record_photo(record, photo.facts, photo.sheets, player or None, said, language)


def number_in(fields: Mapping[str, str], name: str) -> int | None:
    """A number of the record that a form gives; raises FieldUnclear."""
    value = fields.get(name, "").strip()
    if not value:
        return None
    if not re.fullmatch(r"[1-9]\d{0,14}", value, re.ASCII):
        raise errors.FieldUnclear(name)
    return int(value)


ANOTHER_ADDRESS = "/another"


@router.post(ANOTHER_ADDRESS, status_code=303, openapi_extra=answers.photo_form("result", "board"))
async def another(request: Visit) -> Response:
    """Add a photo to a result, "result", or to a board whose photo is still here, "board"."""
    service, readers, language = request.service, request.readers, request.language
    shown: list[str] = []  # the page that the photo is sent from

    async def make(upload: Upload) -> str:
        token = upload.fields.get("board", "").strip()
        if token:
            service.boards.of(token)
            shown.append(f"boards/{token}")
            await service.boards.change(
                token, lambda draft: boards.with_photo(request, draft, upload)
            )
            return shown[0]
        number = number_in(upload.fields, "result")
        if number is None:
            raise errors.FieldUnclear("result")
        await run_in_threadpool(_be_there, service, number)
        shown.append(f"result/{number}")
        task = ReaderTask(upload.photo, upload.name, modified=time.time(), language=language)
        photo = await readers.read(partial(read_task, task))
        service.held.hold(photo.facts.sha256, upload.read())
        await run_in_threadpool(_add, service, number, photo, language)
        return shown[0]

    def problem_page(request: Visit, problem: str) -> Response:
        kind, _, name = "".join(shown).partition("/")
        if kind == "boards":
            return boards.board_page(request, name, photo_problem=problem)
        if kind == "result":
            return results.result_page(request, int(name), photo_problem=problem)
        return more_page(request, problem)

    return await answers.draft_of_photo(request, make, problem_page, "")


def _be_there(service: Service, number: int) -> None:
    """Raises ResultMissing."""
    with service.open_to_read() as record:
        get_result(record, number)


def _add(service: Service, number: int, photo: ReadPhoto, language: str) -> None:
    """Add the sheet that is meant, of those in a photo, to a result.

    Raises ResultMissing, PhotoGivenTwice, PhotoOfAnother, PhotoOfAnotherState.
    """
    with service.correcting, service.open() as record:
        first = get_result(record, number).photo.name
        failure: errors.PhotoUnreadable = errors.PhotoOfAnother(photo.facts.name, first)
        for sheet in photo.sheets:
            try:
                add_view(record, number, photo.facts, sheet, language)
                return
            except errors.PhotoUnreadable as error:
                failure = error
    raise failure
