"""The service: its pages, and the same as JSON for programs that ask for it."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from brikks_vision.detect.headers import MAX_SECONDS
from brikks_vision.errors import BrikksError
from brikks_vision.intake.workers import Readers, available_cores
from brikks_vision.web import answers, guard, uploads
from brikks_vision.web.routes import (
    boards,
    followed,
    games,
    history,
    printings,
    results,
    start,
    tables,
    trust,
)
from brikks_vision.web.secure import Secure
from brikks_vision.web.service import Service

WAITING_PHOTOS = uploads.MAX_UNFINISHED + 16  # beside those being read; some of them still arrive
HERE = Path(__file__).parent


def new_service(
    record: Path | None,
    access: guard.Access,
    language: str = "en",
    processes: int | None = None,
    secure: Secure | None = None,
) -> ASGIApp:
    """The whole service (ASGI).

    record: the file of the record; None: the user's own. access: who may come in. language: for
    those whose browser asks for none that is known. processes: photos read at once; None: as many
    as cores. secure: where there is https; None: nowhere.
    """
    service = Service(
        record,
        language,
        access.key,
        processes or available_cores(),
        threading.Lock(),
        secure=secure,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.readers = Readers(service.processes, WAITING_PHOTOS, MAX_SECONDS)
        try:
            yield
        finally:
            service.readers.close()

    app = FastAPI(title="brikks-vision", docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.service = service
    app.mount("/static", StaticFiles(directory=HERE / "static"))
    pages = (start, results, history, games, tables, printings, boards, trust, followed)
    for routes in pages:
        app.include_router(routes.router)
    for kind in (BrikksError, HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, answers.complain)
    return guard.Guard(
        app,
        access,
        partial(answers.answer_error, service),
        streamed=(
            start.SCAN_ADDRESS,
            printings.LEARN_ADDRESS,
            printings.PIECES_ADDRESS,
            boards.BOARDS_ADDRESS,
            start.ANOTHER_ADDRESS,
            followed.FOLLOW_ADDRESS,
            trust.LOOK_ADDRESS,
        ),
    )
