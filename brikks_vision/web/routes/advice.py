"""What would be best for a roll, on a sheet that is still played; told to who asks."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from brikks_vision.decode.game import TurnSaid
from brikks_vision.errors import PageMissing, RollUnknown, RulesForbid
from brikks_vision.games import game_of, layout_of
from brikks_vision.intake.corrections import SheetNow, sheet_now
from brikks_vision.pipeline.coach import advice_on
from brikks_vision.record.results import material_of
from brikks_vision.show.coach import sentences
from brikks_vision.web.answers import page_of
from brikks_vision.web.pages import advice_values, sheet_values
from brikks_vision.web.service import (
    Asked,
    Number,
    Service,
    language_for,
    readers_of,
    service_of,
    wants_json,
)

router = APIRouter()


@router.get("/result/{number}/advice", response_class=HTMLResponse)
async def advice(request: Request, number: Number, color: Asked = "", roll: Asked = "") -> Response:
    """What may be done for a roll, best first. color : or which die, in English."""
    service, readers, language = service_of(request), readers_of(request), language_for(request)
    now, has_picture = await run_in_threadpool(_sheet, service, number, language)
    layout, number_rolled = layout_of(now.reading), int(roll) if roll in map(str, range(10)) else 0
    if game_of(now.reading).coach is None:
        raise PageMissing
    said = TurnSaid((color, number_rolled))
    problem, told = "", None
    try:
        with readers.place():
            told = await readers.read(partial(advice_on, now.reading, layout, said))
    except (RollUnknown, RulesForbid) as error:
        if wants_json(request):
            raise
        problem = error.text(language)
    if told and wants_json(request):
        return JSONResponse(told.to_dict(sentences(language)))

    def page() -> Response:
        values = sheet_values(now, language)
        values |= advice_values(told, layout, values["area"], language)
        return page_of(
            request,
            "advice.html",
            **values,
            has_picture=has_picture,
            problem=problem,
            rolled=(color, roll),
        )

    answer = await run_in_threadpool(page)
    answer.status_code = 400 if problem else 200
    return answer


def _sheet(service: Service, number: int, language: str) -> tuple[SheetNow, bool]:
    with service.open_to_read() as record:
        now = sheet_now(record, number, language)
        return now, material_of(record, number) is not None
