"""One sheet: its page, its places, what a person says of it, and what is best for a roll."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial

from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from brikks_vision import errors
from brikks_vision.games import game_of, layout_of, on_board
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.intake import corrections, teaching
from brikks_vision.pipeline import coach, localize
from brikks_vision.record import changes, entries, photos, results, tables
from brikks_vision.show.coach import sentences
from brikks_vision.show.covered import marks_at
from brikks_vision.web.answers import AGAIN, changed, done, jpeg, page_of, refused, result_json, see
from brikks_vision.web.pages import advice_values, board_values, sheet_values
from brikks_vision.web.service import Asked, Number, SaidSettings, Service, Text, Visit, new_router
from brikks_vision.web.uploads import MAX_BYTES

RANKING = re.compile(r"(table/[0-9]+/ranking|game/[0-9]+)")
ROLLED = re.compile(r"[0-9]{1,9}")
THROW = "dice"
"""What all dice of a throw are called, as in ``--roll``."""

router = new_router()


@router.get("/result/{number}", response_class=HTMLResponse)
def result(request: Visit, number: Number) -> Response:
    """One sheet: its score, what is doubtful, what breaks the rules."""
    service, language = request.service, request.language
    if request.wants_json:
        return JSONResponse(result_json(service, number, language))
    return result_page(request, number)


def result_page(
    request: Visit,
    number: int,
    game_problem: str = "",
    photo_problem: str = "",
    teach_problem: str = "",
) -> Response:
    """The page of a result.

    game_problem : what is wrong with what was said of its game. photo_problem : why another photo
    of it was not taken. teach_problem : why none was kept to teach.
    """
    service, language = request.service, request.language
    held = service.held.all().keys()
    with service.open_to_read() as record:
        found = results.get_result(record, number)
        about = {
            "result": found,
            "has_thumbnail": results.thumbnail(record, number) is not None,
            "names": results.players(record),
            "table": tables.table_of(record, number),
            "kept": results.kept_photos(record, [number]),
            "can_keep": not held.isdisjoint(
                facts.sha256 for facts, _ in results.readings_of(record, number)
            ),
            "teach_problem": teach_problem,
        }
        if on_board(found.reading):
            said = results.answers_of(results.corrections(record, number))
            values = board_values(localize(found.reading, language), said)
            open_draft = drafts_of(service, found)[-1:]
            return page_of(request, "result_board.html", **values, **about, draft=open_draft)
        now = corrections.sheet_now(record, number, language)
        has_picture = results.material_of(record, number) is not None
    return page_of(
        request,
        "result.html",
        **{**about, **sheet_values(now, language)},
        has_picture=has_picture,
        game_problem=game_problem,
        photo_problem=photo_problem,
        most_bytes=MAX_BYTES,
        photo_of=("result", number),
        again=AGAIN in request.cookies,
    )


@router.get("/result/{number}/place", response_class=HTMLResponse)
def place(request: Visit, number: Number, where: Asked, at: Asked = "") -> Response:
    """One place of a sheet, to say what stands there. at: of `correct`."""
    service, language = request.service, request.language
    with service.open_to_read() as record:
        now = corrections.sheet_now(record, number, language)
        has_picture = results.material_of(record, number) is not None
    mark = corrections.mark_at(now, where)
    return page_of(
        request,
        "place.html",
        **sheet_values(now, language),
        has_picture=has_picture,
        where=where,
        at=at,
        mark=mark,
        answer=now.answers.get(where),
        choices=marks_at(where, layout_of(now.reading)),
    )


@router.post("/result/{number}/correct", status_code=303)
def correct(request: Visit, number: Number, where: Text, mark: Text, at: Text = "") -> Response:
    """Say what stands at a place; "read" leaves it to the photo again.

    at : the address of a ranking, without its first sign, that is shown then.
    """
    service, language = request.service, request.language
    with service.correcting, service.open() as record:
        corrections.correct_sheet(record, number, corrections.Said({where: mark}), language)
        teaching.keep_corrected(record, number, service.held.all())
    if RANKING.fullmatch(at) and not request.wants_json:
        return see(f"/{at}")
    return changed(request, number)


@router.post("/result/{number}/game", status_code=303)
def say_game(request: Visit, number: Number, settings: SaidSettings) -> Response:
    """Say what the paper cannot: the settings of the game."""
    service, language = request.service, request.language
    try:
        with service.correcting, service.open() as record:
            said = corrections.Said(known=dict(settings))
            corrections.correct_sheet(record, number, said, language, is_all_known=True)
    except (errors.SettingUnknown, errors.UnknownValue, errors.GameImpossible) as error:
        return refused(request, error, partial(result_page, request, number))
    return changed(request, number)


@router.post("/result/{number}/player", status_code=303)
def say_player(request: Visit, number: Number, player: Text = "") -> Response:
    """Say whose sheet it is; an empty name takes it away."""
    with request.service.open() as record:
        results.assign_player(record, number, player or None)
    return changed(request, number)


@router.post("/result/{number}/remove", status_code=303)
def remove(request: Visit, number: Number) -> Response:
    """Forget a result."""
    forget_result(request.service, number)
    return done(request, f"/history?removed={number}")


def forget_result(service: Service, number: int) -> None:
    """Remove a result, so that its photo can be read anew; raises ResultMissing."""
    with service.open() as record:
        found = results.get_result(record, number)
        results.remove_result(record, number)
        photos.forget_photo(record, found.photo.sha256)
    for token in drafts_of(service, found):
        service.boards.drop(token)


def drafts_of(service: Service, result: entries.Result) -> list[str]:
    """The tokens of the drafts that still hold the photo of a board, the newest last."""
    return service.boards.tokens(lambda draft: draft.photo.sha256 == result.photo.sha256)


@router.api_route("/board/{number}{rest:path}", methods=["GET", "POST"], include_in_schema=False)
def former_board(request: Visit, number: Number, rest: str) -> Response:
    """Redirect to the result of a board by the number that earlier versions gave it."""
    with request.service.open_to_read() as record:
        result = results.result_of_board(record, number)
    address = f"/result/{result}{rest.replace('/picture', '/thumbnail')}"
    return RedirectResponse(address, 308)


@router.post("/result/{number}/bring-back", status_code=303)
def bring_result_back(request: Visit, number: Number) -> Response:
    """Undo that a result was removed."""
    with request.service.open() as record:
        with suppress(errors.NothingToUndo):  # it may be there again
            changes.bring_back(record, entries.ChangeKind.REMOVED, number)
        results.get_result(record, number)
    return changed(request, number)


@router.get("/result/{number}/picture", response_class=Response)
def picture(request: Visit, number: Number) -> Response:
    """The straightened sheet, JPEG."""
    with request.service.open_to_read() as record:
        material = results.material_of(record, number)
    if material is None:
        raise errors.PageMissing
    return jpeg(material.picture)


@router.get("/result/{number}/thumbnail", response_class=Response)
def photo_read(request: Visit, number: Number) -> Response:
    """The photo with the reading drawn on it, JPEG."""
    with request.service.open_to_read() as record:
        data = results.thumbnail(record, number)
    if data is None:
        raise errors.PageMissing
    return jpeg(data)


@router.get("/result/{number}/advice", response_class=HTMLResponse)
async def advice(request: Visit, number: Number, color: Asked = "", roll: Asked = "") -> Response:
    """What may be done for a roll, best first. color : or which die, in English. A throw has a
    value for each of its dice: ``die``, or ``die0`` and so on."""
    asked = request.query_params.multi_items()
    if thrown := "".join(value for name, value in asked if name.startswith("die")):
        color, roll = THROW, thrown
    service, readers, language = request.service, request.readers, request.language
    now, has_picture = await run_in_threadpool(_sheet, service, number, language)
    layout, number_rolled = layout_of(now.reading), int(roll) if ROLLED.fullmatch(roll) else 0
    if game_of(now.reading).coach is None:
        raise errors.PageMissing
    said = TurnSaid((color, number_rolled))
    problem, told = "", None
    try:
        with readers.place():
            told = await readers.read(partial(coach.advice_on, now.reading, layout, said))
    except (errors.RollUnknown, errors.RulesForbid) as error:
        if request.wants_json:
            raise
        problem = error.text(language)
    if told and request.wants_json:
        return JSONResponse(told.to_dict(sentences(language)))

    def page() -> Response:
        values = sheet_values(now, language)
        values |= advice_values(told, layout, language)
        return page_of(
            request,
            "advice.html",
            **values,
            has_picture=has_picture,
            problem=problem,
            rolled=dict(asked),
        )

    return await run_in_threadpool(page)


def _sheet(service: Service, number: int, language: str) -> tuple[corrections.SheetNow, bool]:
    with service.open_to_read() as record:
        now = corrections.sheet_now(record, number, language)
        return now, results.material_of(record, number) is not None
