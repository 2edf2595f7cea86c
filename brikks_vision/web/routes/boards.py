"""Boards: read from a photo, shown as a plan, corrected by tap, and what may be done on them."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from urllib.parse import quote

from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from brikks_vision.codec import JsonObject
from brikks_vision.errors import BrikksError, FieldUnclear, PhotoGivenTwice, ResultMissing
from brikks_vision.games import board_of, game_of, games_with, titles_with, view_of
from brikks_vision.games.printings import printings_with
from brikks_vision.infer.protocol import BoardMove, Game, OnBoard, Standing
from brikks_vision.intake.corrections import answers_kept
from brikks_vision.intake.photos import photo_facts
from brikks_vision.intake.recording import record_board
from brikks_vision.intake.teaching import keep_corrected
from brikks_vision.pipeline import ScanResult, follow, localize, read_again, scan_photo
from brikks_vision.reading import Status
from brikks_vision.reading.views import BoardChoices, BoardPlace, Choice
from brikks_vision.record.entries import PhotoFacts
from brikks_vision.record.results import list_results
from brikks_vision.record.rows import AS_READ
from brikks_vision.show.board import brings_text
from brikks_vision.text.phrases import Phrase
from brikks_vision.web import pages
from brikks_vision.web.answers import (
    draft_of_photo,
    page_of,
    passing_picture,
    photo_form,
    refused,
    see,
)
from brikks_vision.web.routes.results import forget_result
from brikks_vision.web.service import (
    Asked,
    Service,
    Text,
    Token,
    Visit,
    new_router,
    printing_in,
)
from brikks_vision.web.uploads import MAX_BYTES, Upload

BOARDS_ADDRESS = "/boards"
LAST_SHOWN = 20  # boards of the record below the form
BEST_SHOWN = 3  # actions that are drawn, one at a time
NEXT, SO = "next", "so"  # what a tap and "It is so" send

router = new_router()


@dataclass(frozen=True)
class BoardDraft:
    """A board that was read. answers: what a person said of its fields, by place.

    number : of the result in the record. hand: what a person said of whose turn it is and what they
    have, as the fields of its form. others: the further photos that it was read from.
    """

    seen: ScanResult
    answers: Mapping[str, str]
    photo: PhotoFacts
    number: int
    hand: Mapping[str, str] | None = None
    others: tuple[PhotoFacts, ...] = ()

    @property
    def game(self) -> Game:
        return game_of(self.seen.reading)

    @property
    def board(self) -> OnBoard:
        return board_of(self.seen.reading)


def looked_at(data: bytes, name: str, sheet: str | None) -> tuple[PhotoFacts, ScanResult]:
    """A photo of a board, and what is read of it; raises PhotoUnreadable.

    name: of the photo. sheet: the board, by its name; None: any.
    """
    seen = scan_photo(data, printings=printings_with("moves", sheet))
    named = replace(seen, reading=replace(seen.reading, photo=name))
    return photo_facts(data, name, time.time()), named


async def recorded_draft(
    request: Visit, facts: PhotoFacts, seen: ScanResult, player: str | None = None
) -> BoardDraft:
    """Record a board that was read; what was said of its photo before holds.

    Raises RecordFailure.
    """
    said = await run_in_threadpool(_said_before, request.service, facts, seen) or {}
    if said:
        seen = await request.readers.read(partial(read_again, seen, said))
    number = await run_in_threadpool(_recorded, request.service, [facts], seen, None, player)
    return BoardDraft(seen, said, facts, number)


async def with_photo(request: Visit, draft: BoardDraft, upload: Upload) -> BoardDraft:
    """The board read from one more photo, and recorded.

    Raises PhotoGivenTwice, PhotoUnreadable, RecordFailure.
    """
    work = partial(looked_at, upload.photo, upload.name, None)
    facts, beside = await request.readers.read(work)
    photos = (draft.photo, *draft.others)
    if facts.sha256 in {photo.sha256 for photo in photos}:
        raise PhotoGivenTwice(facts.name, draft.photo.name)
    together = partial(follow.combined, [draft.seen, beside], draft.answers)
    seen = await request.readers.read(together)
    number = await run_in_threadpool(_recorded, request.service, (*photos, facts), seen)
    return replace(draft, seen=seen, number=number, others=(*draft.others, facts))


async def _with_answers(
    request: Visit, draft: BoardDraft, said: Mapping[str, str | None]
) -> BoardDraft:
    """The board read anew, and recorded, with what stands on fields; None: as the photo shows.

    What was said elsewhere meanwhile, as by the command, counts as well.

    Raises PhotoUnreadable, AnswerUnclear, AnswerOffSheet, RecordFailure.
    """
    before = await run_in_threadpool(_said_before, request.service, draft.photo, draft.seen)
    all_said = {**(draft.answers if before is None else before), **said}
    answers = {place: thing for place, thing in all_said.items() if thing is not None}
    seen = await request.readers.read(partial(read_again, draft.seen, answers))
    number = await run_in_threadpool(_recorded, request.service, [draft.photo], seen, answers)
    return replace(draft, seen=seen, answers=answers, number=number)


def _said_before(service: Service, photo: PhotoFacts, seen: ScanResult) -> Mapping[str, str] | None:
    with service.open() as record:
        return answers_kept(record, photo, seen)


def _recorded(
    service: Service,
    photos: Sequence[PhotoFacts],
    seen: ScanResult,
    answers: Mapping[str, str] | None = None,
    player: str | None = None,
) -> int:
    with service.open() as record:
        return record_board(record, photos, seen, answers, player).results[0]


@router.get(BOARDS_ADDRESS, response_class=HTMLResponse)
def boards(request: Visit) -> Response:
    """Take or choose a photo of a board."""
    if request.wants_json:
        known = printings_with("moves")
        return JSONResponse([{"name": each.name, "title": each.title} for each in known])
    return boards_page(request)


def boards_page(request: Visit, problem: str = "") -> Response:
    """The form. problem : why nothing was read, shown beside it."""
    service, played = request.service, [game.NAME for game in games_with("moves")]
    with service.open_to_read() as record:
        found = list_results(record)
        recorded = [each for each in found if each.played in played][-LAST_SHOWN:][::-1]
    return page_of(
        request,
        "boards.html",
        title=titles_with("moves"),
        boards=printings_with("moves"),
        recorded=recorded,
        played=played[0],
        problem=problem,
        most_bytes=MAX_BYTES,
    )


@router.get(BOARDS_ADDRESS + "/points", response_class=HTMLResponse)
def points(request: Visit) -> Response:
    """What players have won: "chip-1", "block-white" and so on, once for each player."""
    winnings = games_with("winnings")[0].winnings
    assert winnings is not None
    names = [
        *(f"chip-{each.value}" for each in winnings.chips),
        *(f"block-{each.value}" for each in winnings.blocks),
    ]
    typed = [
        {name: value for name, value in zip(names, values, strict=True) if value.strip()}
        for values in zip_longest(*map(request.query_params.getlist, names), fillvalue="")
    ]
    while typed and not typed[-1]:
        typed.pop()
    standings: Sequence[Standing] = ()
    problem = ""
    try:
        chips, blocks = (
            [_words_in(player, kind, of_kind) for player in typed]
            for kind, of_kind in (("chip", winnings.chips), ("block", winnings.blocks))
        )
        standings = winnings.standings(chips, blocks)
    except BrikksError as error:
        if request.wants_json:
            raise
        problem = error.text(request.language)
    if request.wants_json:
        return JSONResponse({"points": [dict(each.content) for each in standings]})
    return page_of(
        request,
        "points.html",
        winnings=winnings,
        standings=sorted(standings, key=lambda each: each.rank),
        players=typed + [{}] * (winnings.most_players - len(typed)),
        problem=problem,
    )


def _words_in(fields: Mapping[str, str], kind: str, choices: Sequence[Choice]) -> list[str]:
    """Each thing of a kind as often as a form counts it; raises FieldUnclear."""
    return [each.value for each in choices for _ in range(_count(fields, f"{kind}-{each.value}"))]


@router.post(BOARDS_ADDRESS, status_code=303, openapi_extra=photo_form("sheet"))
async def read(request: Visit) -> Response:
    """Read a board and record it; the photo's file is deleted at once."""

    async def make(upload: Upload) -> str:
        known = await run_in_threadpool(printings_with, "moves")
        work = partial(looked_at, upload.photo, upload.name, printing_in(upload.fields, known))
        facts, seen = await request.readers.read(work)
        request.service.held.hold(facts.sha256, upload.read())
        return request.service.boards.add(await recorded_draft(request, facts, seen))

    return await draft_of_photo(request, make, boards_page, BOARDS_ADDRESS)


@router.get(BOARDS_ADDRESS + "/{token}", response_class=HTMLResponse)
def board(request: Visit, token: Token) -> Response:
    """The position on the photo and as a plan, to look at and to correct."""
    return board_page(request, token)


def board_page(request: Visit, token: str, problem: str = "", photo_problem: str = "") -> Response:
    """problem : why an answer was not taken. photo_problem : why another photo was not."""
    draft, language = request.service.boards.of(token), request.language
    reading = localize(draft.seen.reading, language)
    if request.wants_json:
        told = {"number": draft.number, "answers": dict(draft.answers)}
        return JSONResponse({"reading": reading.to_dict(), **told})
    view = view_of(reading, draft.seen.layout)
    places = draft.board.places(reading)
    by_name = {place.where: place for place in places}
    choices = draft.board.choices()
    return page_of(
        request,
        "board.html",
        **_shared(draft, token),
        reading=reading,
        view=view,
        legend=_legend(places, choices),
        doubts=[
            (doubt, told, pages.crop_of(draft.seen, by_name[doubt.where]))
            for doubt, told in zip(reading.doubts, view.doubts, strict=True)
        ],
        is_sure=reading.status is Status.OK,
        rows=pages.rows_of(places),
        outlines=pages.outlines(draft.seen, places),
        answers=[(by_name[where], _told(choices, said)) for where, said in draft.answers.items()],
        answered=draft.answers,
        revision=pages.revision_of(draft.answers),
        so=SO,
        hidden=[by_name[where] for where in _from_other_side(draft)],
        number=draft.number,
        as_read=AS_READ,
        problem=problem,
        photo_problem=photo_problem,
        most_bytes=MAX_BYTES,
        photo_of=("board", token),
    )


@router.get(BOARDS_ADDRESS + "/{token}/field", response_class=HTMLResponse)
def field(request: Visit, token: Token, where: Asked = "") -> Response:
    """What may stand on one field, to choose from; of a pawn, what it may do."""
    draft = request.service.boards.of(token)
    place = place_named(draft, where)
    return page_of(
        request,
        "field.html",
        **_shared(draft, token),
        place=place,
        doubt=next((each for each in draft.seen.reading.doubts if each.where == where), None),
        answer=draft.answers.get(where),
        crop=pages.crop_of(draft.seen, place),
        as_read=AS_READ,
    )


@router.post(BOARDS_ADDRESS + "/{token}/set", status_code=303)
async def set_field(request: Visit, token: Token, where: Text = "", value: Text = "") -> Response:
    """Say what stands on a field, or take that back; see `said_of`."""
    service = request.service
    try:
        number = service.boards.of(token).number
        with request.readers.place():
            await service.boards.change(
                token, lambda draft: _with_answers(request, draft, said_of(draft, where, value))
            )
        await run_in_threadpool(_keep_corrected, service, number)
    except BrikksError as error:
        page = partial(board_page, request, token)
        return await run_in_threadpool(refused, request, error, page)
    return see(f"{BOARDS_ADDRESS}/{token}")


def said_of(draft: BoardDraft, where: str, value: str) -> dict[str, str | None]:
    """What a form says stands on fields; None: as the photo shows.

    value: what stands there, `AS_READ`, `NEXT` (what else is likely, the most probable first),
    or, without a field, `SO`: all that is not sure is as it was read. Raises FieldUnclear.
    """
    reading, seen = draft.seen.reading, draft.seen
    if value == SO and not where:
        return {doubt.where: doubt.read for doubt in (*reading.doubts, *reading.shaded)}
    place = place_named(draft, where)
    if value == NEXT:
        likely = draft.board.likely(seen.posterior, where)
        return {where: likely[(likely.index(place.thing) + 1) % len(likely)]}
    if value not in (AS_READ, *(each.value for each in draft.board.choices().things)):
        raise FieldUnclear("value")
    return {where: None if value == AS_READ else value}


def _keep_corrected(service: Service, number: int) -> None:
    with service.open() as record:
        keep_corrected(record, number, service.held.all())


_HAND_FORM = {
    "requestBody": {
        "content": {
            "application/x-www-form-urlencoded": {
                "schema": {
                    "type": "object",
                    "properties": {
                        name: {"type": "string"} for name in ("player", "phase", "where")
                    },
                    "additionalProperties": {"type": "string"},
                }
            }
        }
    }
}


@router.post(BOARDS_ADDRESS + "/{token}/hand", status_code=303, openapi_extra=_HAND_FORM)
async def hold(request: Visit, token: Token) -> Response:
    """Say whose turn it is and what they have: "card-white", "block-white" and so on."""
    fields = {
        name: value for name, value in (await request.form()).items() if isinstance(value, str)
    }
    where = fields.get("where", "")
    try:
        await request.service.boards.change(
            token, lambda draft: run_in_threadpool(_with_hand, draft, where, fields)
        )
    except BrikksError as error:
        page = partial(moves_page, request, token, where, typed=fields)
        return await run_in_threadpool(refused, request, error, lambda told: page(problem=told))
    return see(_with_where(f"{BOARDS_ADDRESS}/{token}/moves", where))


def _with_hand(draft: BoardDraft, where: str, fields: Mapping[str, str]) -> BoardDraft:
    """The draft with the hand that a form says; raises FieldUnclear, RulesForbid."""
    if where:
        place_named(draft, where)
    said = replace(draft, hand={name: value.strip() for name, value in fields.items()})
    _moves(said)
    return said


@router.get(BOARDS_ADDRESS + "/{token}/moves", response_class=HTMLResponse)
def moves(request: Visit, token: Token, where: Asked = "", best: int = 1) -> Response:
    """What may be done; ``where``: by the pawn there. ``best``: which one is drawn, from 1."""
    draft = request.service.boards.of(token)
    if where:
        place_named(draft, where)
    if not request.wants_json:
        return moves_page(request, token, where, best=best)
    if draft.hand is None:
        raise FieldUnclear("player")
    shared = {"status": str(draft.seen.reading.status), "photos": [draft.seen.reading.photo]}
    found = _moves(draft, where)
    return JSONResponse([{"turn": {**shared, **each.to_dict()}} for each in found])


def moves_page(
    request: Visit,
    token: str,
    where: str = "",
    problem: str = "",
    typed: Mapping[str, str] | None = None,
    best: int = 1,
) -> Response:
    """problem : why a hand was refused. typed : that hand, to be mended. best : as of `moves`."""
    draft, language = request.service.boards.of(token), request.language
    found: Sequence[BoardMove] = ()
    try:
        if not problem:
            found = _moves(draft, where)
    except BrikksError as error:  # an answer since then has changed what is possible
        problem = error.text(language)
    places = {place.where: place for place in draft.board.places(draft.seen.reading)}
    told = {each: brings_text(each, language) for each in found}
    first = [each for each in found[:BEST_SHOWN] if told[each]]
    by_pawn: dict[str | None, list[BoardMove]] = {}
    for each in found[len(first) :]:
        by_pawn.setdefault(each.start, []).append(each)
    return page_of(
        request,
        "moves.html",
        **_shared(draft, token, typed),
        is_sure=draft.seen.reading.status is Status.OK,
        groups=[(places.get(start or ""), group) for start, group in by_pawn.items()],
        best=first,
        drawn=min(max(best, 1), max(len(first), 1)),
        rows=pages.rows_of(places.values()),
        brings=told,
        count=len(found),
        chosen=places.get(where),
        problem=problem,
    )


@router.get(BOARDS_ADDRESS + "/{token}/board.jpg", response_class=Response)
def picture(request: Visit, token: Token) -> Response:
    """The photo with the position drawn on it."""
    seen = request.service.boards.of(token).seen
    return passing_picture(pages.drawn_board(seen, seen.view.labels, len(seen.view.plan)))


@router.get(BOARDS_ADDRESS + "/{token}/photo.jpg", response_class=Response)
def photo(request: Visit, token: Token) -> Response:
    """The photo as it was read."""
    return passing_picture(pages.as_jpeg(request.service.boards.of(token).seen.photo.image))


@router.post(BOARDS_ADDRESS + "/{token}/forget", status_code=303)
def forget(request: Visit, token: Token) -> Response:
    """Remove the board from the record, and forget its photo."""
    with suppress(ResultMissing):
        forget_result(request.service, request.service.boards.of(token).number)
    request.service.boards.drop(token)
    return JSONResponse({}) if request.wants_json else see(BOARDS_ADDRESS)


def _from_other_side(draft: BoardDraft) -> Sequence[str]:
    """The places that one more photo should show; none where there are several already."""
    if draft.others:
        return ()
    height, width = draft.seen.photo.image.shape[:2]
    return draft.board.from_other_side(draft.seen.posterior, (width, height))


def place_named(draft: BoardDraft, where: str) -> BoardPlace:
    """The field of that name; raises FieldUnclear."""
    for place in draft.board.places(draft.seen.reading):
        if place.where == where:
            return place
    raise FieldUnclear("where")


def _count(fields: Mapping[str, str], name: str) -> int:
    value = fields.get(name, "").strip() or "0"
    if not re.fullmatch(r"\d{1,2}", value, re.ASCII):
        raise FieldUnclear(name)
    return int(value)


def _moves(draft: BoardDraft, where: str = "") -> Sequence[BoardMove]:
    """What may be done, by one pawn or by any, best first; nothing while no hand was said.

    Raises FieldUnclear, RulesForbid.
    """
    if draft.hand is None:
        return ()
    choices, moves = draft.board.choices(), draft.game.moves
    assert moves is not None  # only boards of such games become drafts
    player, phase = draft.hand.get("player", ""), draft.hand.get("phase", "")
    if player not in {each.value for each in choices.players}:
        raise FieldUnclear("player")
    if phase and not re.fullmatch(r"\d{1,3}", phase, re.ASCII):
        raise FieldUnclear("phase")
    cards, blocks = (
        _words_in(draft.hand, kind, of_kind)
        for kind, of_kind in (("card", choices.cards), ("block", choices.blocks))
    )
    found = moves(draft.seen.posterior, player, cards, blocks, int(phase) if phase else None)
    return [each for each in found if not where or each.start == where]


def _shared(draft: BoardDraft, token: str, typed: Mapping[str, str] | None = None) -> JsonObject:
    """What all pages of a board need."""
    height, width = draft.seen.photo.image.shape[:2]
    return {
        "title": draft.game.TITLE,
        "address": f"{BOARDS_ADDRESS}/{token}",
        "size": (width, height),
        "area": pages.board_area(draft.seen, len(draft.seen.view.plan)),
        "choices": draft.board.choices(),
        "next": NEXT,
        "hand": draft.hand,
        "typed": (draft.hand or {}) if typed is None else typed,
    }


def _legend(places: Sequence[BoardPlace], choices: BoardChoices) -> list[tuple[BoardPlace, Phrase]]:
    """A field for each player that has a pawn on the board, and whose it is."""
    shown = {place.owner: place for place in places}
    return [(shown[each.value], each.told) for each in choices.players if each.value in shown]


def _told(choices: BoardChoices, thing: str) -> Phrase:
    """What an answer says, in words."""
    return next(each.told for each in choices.things if each.value == thing)


def _with_where(address: str, where: str) -> str:
    return f"{address}?where={quote(where)}" if where else address
