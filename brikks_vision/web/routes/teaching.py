"""Photos that teach: kept by a button or with each correction, listed, deleted, downloaded."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from brikks_vision.errors import FieldUnclear, PhotoNotHere
from brikks_vision.intake.giving import report_of
from brikks_vision.intake.teaching import keep_shown
from brikks_vision.record.kept import (
    delete_kept,
    kept_photos,
    kept_picture,
    say_total,
    want_corrected,
    wants_corrected,
)
from brikks_vision.web.answers import changed, download, page_of, passing_picture, see
from brikks_vision.web.routes.results import result_page
from brikks_vision.web.service import MAX_NUMBER, Number, Text, language_for, service_of, wants_json

TEACHING_ADDRESS = "/teaching"

router = APIRouter()


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
def keep(request: Request, number: Number, total: Text = "") -> Response:
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
def picture(request: Request, number: Number) -> Response:
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
