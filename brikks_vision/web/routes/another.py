"""Another photo of a sheet or a board that was read: both are read as one."""

from __future__ import annotations

import time
from functools import partial

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from brikks_vision.errors import FieldUnclear, PhotoOfAnother, PhotoUnreadable
from brikks_vision.intake.readers import ReadPhoto, Task, read_task
from brikks_vision.intake.recording import add_view
from brikks_vision.record.results import get_result
from brikks_vision.web.playing import with_photo
from brikks_vision.web.routes.boards import board_page
from brikks_vision.web.routes.results import result_page
from brikks_vision.web.routes.start import number_in, start_page
from brikks_vision.web.sent import draft_of_photo, photo_form
from brikks_vision.web.service import Service, language_for, readers_of, service_of
from brikks_vision.web.uploads import Upload

ANOTHER_ADDRESS = "/another"

router = APIRouter()


@router.post(ANOTHER_ADDRESS, status_code=303, openapi_extra=photo_form("result", "board"))
async def another(request: Request) -> Response:
    """Add a photo to a result, "result", or to a board whose photo is still here, "board"."""
    service, readers, language = service_of(request), readers_of(request), language_for(request)
    shown: list[str] = []  # the page that the photo is sent from

    async def make(upload: Upload) -> str:
        token = upload.fields.get("board", "").strip()
        if token:
            service.boards.of(token)
            shown.append(f"boards/{token}")
            await service.boards.change(
                token, lambda draft: with_photo(readers, draft, upload, service.open)
            )
            return shown[0]
        number = number_in(upload.fields, "result")
        if number is None:
            raise FieldUnclear("result")
        known = await run_in_threadpool(_first_photo, service, number)
        shown.append(f"result/{number}")
        task = Task(upload.file, upload.name, modified=time.time(), language=language)
        photo = await readers.read(partial(read_task, task))
        service.held.hold(photo.facts.sha256, upload.file.read_bytes())
        await run_in_threadpool(_add, service, number, photo, known, language)
        upload.file.unlink(missing_ok=True)
        return shown[0]

    def problem_page(request: Request, problem: str) -> Response:
        kind, _, name = "".join(shown).partition("/")
        if kind == "boards":
            page = board_page(request, name, photo_problem=problem)
        elif kind == "result":
            page = result_page(request, int(name), photo_problem=problem)
        else:
            page = start_page(request, problem)
        page.status_code = 400
        return page

    return await draft_of_photo(request, make, problem_page, "")


def _first_photo(service: Service, number: int) -> str:
    """The name of a result's photo; raises ResultMissing."""
    with service.open_to_read() as record:
        return get_result(record, number).photo.name


def _add(service: Service, number: int, photo: ReadPhoto, first: str, language: str) -> None:
    """Add the sheet that is meant, of those in a photo, to a result.

    Raises
    ------
    PhotoGivenTwice, PhotoOfAnother, PhotoOfAnotherState
    """
    failure: PhotoUnreadable = PhotoOfAnother(photo.facts.name, first)
    with service.correcting, service.open() as record:
        for sheet in photo.sheets:
            try:
                add_view(record, number, photo.facts, sheet, language)
                return
            except PhotoUnreadable as error:
                failure = error
    raise failure
