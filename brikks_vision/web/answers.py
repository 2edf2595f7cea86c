"""What the service answers with: pages, ways on, pictures, files, and results as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from brikks_vision.games import on_board
from brikks_vision.intake.corrections import sheet_now
from brikks_vision.pipeline.words import localize
from brikks_vision.reading import Reading
from brikks_vision.record.entries import Result
from brikks_vision.record.results import answers_of, corrections, get_result
from brikks_vision.web.pages import rendered
from brikks_vision.web.service import Service, language_for, service_of, wants_json

AGAIN = "sent_again"  # a cookie: the photo of this page was sent again


def page_of(request: Request, template: str, **values: Any) -> Response:
    return HTMLResponse(rendered(template, language_for(request), request.url.query, **values))


def see(address: str) -> Response:
    return RedirectResponse(address, 303)


def changed(request: Request, number: int) -> Response:
    if wants_json(request):
        return JSONResponse(result_json(service_of(request), number, language_for(request)))
    return see(f"/result/{number}")


def result_json(service: Service, number: int, language: str) -> dict[str, Any]:
    with service.open_to_read() as record:
        found = get_result(record, number)
        if on_board(found.reading):
            reading: Reading = localize(found.reading, language)
        else:
            reading = sheet_now(record, number, language).reading
        said = answers_of(corrections(record, number))
    return {**json_of(replace(found, reading=reading)), "answers": said}


def json_of(result: Result) -> dict[str, Any]:
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
