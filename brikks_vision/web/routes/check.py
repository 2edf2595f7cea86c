"""The open questions of the whole record, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from brikks_vision.decode.answers import places_of
from brikks_vision.errors import QuestionGone, ResultMissing
from brikks_vision.games import game_of, has_layout, layout_of
from brikks_vision.intake.corrections import correct_mark, sheet_now
from brikks_vision.intake.photos import picture_area
from brikks_vision.intake.review import answer_question
from brikks_vision.intake.teaching import keep_corrected
from brikks_vision.reading import Doubt, Status
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Result
from brikks_vision.record.questions import MarkQuestion, OwnerQuestion, Question, list_questions
from brikks_vision.record.results import get_result, list_results, material_of, thumbnail
from brikks_vision.record.rows import AS_READ
from brikks_vision.show.places import place_title
from brikks_vision.show.questions import choice_texts, question_text, results_asked
from brikks_vision.web import view
from brikks_vision.web.answers import page_of, see
from brikks_vision.web.service import MAX_NUMBER, Asked, Text, language_for, service_of, wants_json

Position = Annotated[int, Query(ge=0, le=MAX_NUMBER)]

router = APIRouter()


@dataclass(frozen=True)
class Said:
    """The answer just given, to be taken back. title, mark: for people."""

    result: int
    where: str
    title: str
    mark: str


@dataclass(frozen=True)
class Choice:
    """An answer that a question takes. text : what it says. is_current : it stands so now."""

    answer: str
    text: str
    is_current: bool


def open_questions(record: Record) -> tuple[Question, ...]:
    """What is open: whose sheets are, which are one sheet, and what is doubtful on them.

    Doubts of the newest sheet come first. Unlike `list_questions`, those are among them that do
    not change the total.
    """
    asked = [each for each in list_questions(record) if not isinstance(each, MarkQuestion)]
    return (*asked, *_doubts(list_results(record)))


def _doubts(results: Sequence[Result]) -> tuple[MarkQuestion, ...]:
    return tuple(
        MarkQuestion(result, doubt)
        for result in reversed(results)
        if result.total is not None
        if result.reading.status is Status.UNCERTAIN and has_layout(result.reading)
        for doubt in result.reading.doubts
    )


@router.get("/check", response_class=HTMLResponse)
def check(
    request: Request,
    at: Position = 0,
    answered: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
    where: Asked = "",
    mark: Asked = "",
) -> Response:
    """One open question; at: which of them, from 0. The others: the answer just given."""
    language = language_for(request)
    with service_of(request).open_to_read() as record:
        found = open_questions(record)
        if wants_json(request):
            return JSONResponse([_question_json(each, language) for each in found])
        at = at if at < len(found) else 0
        values = _question_values(record, found[at], language) if found else {}
        said = _said(record, answered, where, mark, language) if answered else None
    values = {"question": None, "asked": None, **values}
    return page_of(
        request, "check.html", count=len(found), at=at, said=said, as_read=AS_READ, **values
    )


@router.post("/check/question", status_code=303)
def answer_other(
    request: Request,
    key: Text,
    answer: Text,
    at: Annotated[int, Form(ge=0, le=MAX_NUMBER)] = 0,
) -> Response:
    """Answer a question by its key; the next one stands in its place then.

    One that somebody else has answered meanwhile is passed over.
    """
    service = service_of(request)
    with service.correcting, service.open() as record, suppress(QuestionGone):
        answer_question(record, key, answer, language_for(request))
    return see(f"/check?at={at}")


@router.post("/check", status_code=303)
def answer(
    request: Request,
    result: Annotated[int, Form(ge=1, le=MAX_NUMBER)],
    where: Text,
    mark: Text,
    at: Annotated[int, Form(ge=0, le=MAX_NUMBER)] = 0,
) -> Response:
    """Answer a question; the next one stands in its place then."""
    service = service_of(request)
    with service.correcting, service.open() as record:
        correct_mark(record, result, where, mark, language_for(request))
        keep_corrected(record, result, service.held.all())
    said = {} if mark == AS_READ else {"answered": result, "where": where, "mark": mark}
    return see(f"/check?{urlencode({'at': at, **said})}")


def _said(record: Record, number: int, where: str, mark: str, language: str) -> Said | None:
    """None where the address tells of no answer that there can be."""
    try:
        result = get_result(record, number)
    except ResultMissing:  # somebody has removed it meanwhile
        return None
    layout = layout_of(result.reading)
    game = game_of(result.reading)
    field = where.partition(" ")[0]
    if field not in game.MARKS or where not in places_of(field, layout):
        return None
    if mark not in game.marks_at(where):
        return None
    return Said(
        number,
        where,
        place_title(where, layout, language),
        view.mark_title(where, mark, layout, language),
    )


def _question_values(record: Record, question: Question, language: str) -> dict[str, Any]:
    """What the page needs to ask."""
    if isinstance(question, MarkQuestion):
        result = question.result
        layout = layout_of(result.reading)
        return {
            "question": question.doubt,
            "result": result,
            "layout": layout,
            "area": picture_area(layout, sheet_now(record, result.id, language).evidence),
            "has_picture": material_of(record, result.id) is not None,
        }
    results = results_asked(question)
    texts = choice_texts(question, language)
    return {
        "asked": question.key,
        "text": question_text(question, language),
        "choices": [
            Choice(answer, text, isinstance(question, OwnerQuestion) and answer == "keep")
            for answer, text in texts.items()
        ],
        "results": results,
        "pictures": {each.id: _picture_of(record, each.id) for each in results},
    }


def _picture_of(record: Record, result: int) -> str | None:
    """The address of a picture: of the sheet alone, for its photo may show others beside it."""
    if material_of(record, result) is not None:
        return f"/result/{result}/picture"
    return None if thumbnail(record, result) is None else f"/result/{result}/thumbnail"


def _question_json(question: Question, language: str) -> dict[str, Any]:
    if isinstance(question, MarkQuestion):
        return {"result": question.result.id, **_doubt_json(question.doubt)}
    return {
        "key": question.key,
        "question": question_text(question, language),
        "answers": dict(choice_texts(question, language)),
        "results": [each.id for each in results_asked(question)],
    }


def _doubt_json(doubt: Doubt) -> dict[str, Any]:
    return {
        "where": doubt.where,
        "read": doubt.read,
        "confidence": doubt.confidence,
        "total_otherwise": doubt.total_otherwise,
    }
