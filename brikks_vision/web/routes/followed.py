"""A game that is followed while it is played: a photo after each turn, and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated

from fastapi import Form
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from brikks_vision.errors import BrikksError, FieldUnclear, PhotoFollowedTwice
from brikks_vision.games import board_of, game_of, printings, titles_with, view_of
from brikks_vision.pipeline import ScanResult, follow
from brikks_vision.reading import Status, views
from brikks_vision.show.comparison import judged_text
from brikks_vision.web import answers, pages, uploads
from brikks_vision.web.routes.boards import looked_at
from brikks_vision.web.service import Asked, Token, Visit, new_router, printing_in

FOLLOW_ADDRESS = "/follow"
MAX_PLAYERS = 8  # in a form; a game says how many can play

Players = Annotated[
    list[Annotated[str, Field(max_length=40)]], Form(max_length=MAX_PLAYERS, alias="player")
]

router = new_router()


@dataclass(frozen=True)
class FollowedDraft:
    """A game that is followed. shown: its photos, the first before the first turn.

    contents: their hashes. sheet: the board, by its name; None: any. players: in the order of their
    turns, as a person said; empty where nobody did. told: what all photos together tell, by
    language.
    """

    shown: tuple[ScanResult, ...] = ()
    contents: tuple[str, ...] = ()
    sheet: str | None = None
    players: tuple[str, ...] = ()
    told: dict[str, follow.Followed] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return game_of(self.shown[0].reading).TITLE


def explained(draft: FollowedDraft, language: str) -> follow.Followed | None:
    """What all photos together tell; None while there is one.

    Raises PhotosOutOfOrder, PhotoOfAnother, RulesForbid.
    """
    if len(draft.shown) < follow.MIN_PHOTOS:
        return None
    if language not in draft.told:
        draft.told[language] = follow.follow_shown(draft.shown, draft.players, language)
    return draft.told[language]


async def _with_next(request: Visit, draft: FollowedDraft, upload: uploads.Upload) -> FollowedDraft:
    """The game with one more photo, also the first one.

    Raises PhotoUnreadable, PhotoFollowedTwice, PhotosOutOfOrder, PhotoOfAnother.
    """
    # telephones call many photos the same
    name = f"{len(draft.shown) + 1}. {upload.name}"
    facts, seen = await request.readers.read(partial(looked_at, upload.photo, name, draft.sheet))
    if facts.sha256 in draft.contents:
        first = draft.shown[draft.contents.index(facts.sha256)]
        raise PhotoFollowedTwice(seen.reading.photo, first.reading.photo)
    shown, contents = (*draft.shown, seen), (*draft.contents, facts.sha256)
    more = replace(draft, shown=shown, contents=contents, told={})
    await run_in_threadpool(explained, more, request.language)
    return more


async def _without_last(draft: FollowedDraft) -> FollowedDraft:
    """The game without its last photo; the first one stays."""
    if len(draft.shown) == 1:
        return draft
    return replace(draft, shown=draft.shown[:-1], contents=draft.contents[:-1], told={})


async def _with_players(
    draft: FollowedDraft, players: Sequence[str], language: str
) -> FollowedDraft:
    """The game of those players; raises RulesForbid."""
    changed = replace(draft, players=tuple(players), told={})
    await run_in_threadpool(explained, changed, language)
    return changed


@router.get(FOLLOW_ADDRESS, response_class=HTMLResponse)
def follow_new(request: Visit) -> Response:
    """Begin to follow a game: the photo before the first turn."""
    return start_page(request)


def start_page(request: Visit, problem: str = "") -> Response:
    return answers.page_of(
        request,
        "follow.html",
        title=titles_with("moves"),
        known=printings.printings_with("moves"),
        draft=None,
        problem=problem,
        most_bytes=uploads.MAX_BYTES,
    )


@router.post(FOLLOW_ADDRESS, status_code=303, openapi_extra=answers.photo_form("sheet", "followed"))
async def photo(request: Visit) -> Response:
    """The first photo of a game; or the next one of the game "followed". Nothing is recorded."""
    service = request.service
    shown: list[str] = []  # the game whose page the photo is sent from

    async def make(upload: uploads.Upload) -> str:
        token = upload.fields.get("followed", "").strip()
        if token:
            service.followed.of(token)
            shown.append(token)
            await service.followed.change(token, lambda draft: _with_next(request, draft, upload))
            return token
        known = await run_in_threadpool(printings.printings_with, "moves")
        new = FollowedDraft(sheet=printing_in(upload.fields, known))
        return service.followed.add(await _with_next(request, new, upload))

    def problem_page(request: Visit, problem: str) -> Response:
        if shown:
            return followed_page(request, shown[0], problem)
        return start_page(request, problem)

    return await answers.draft_of_photo(request, make, problem_page, FOLLOW_ADDRESS)


@router.get(FOLLOW_ADDRESS + "/{token}", response_class=HTMLResponse)
def followed(request: Visit, token: Token, coach: Asked = "") -> Response:
    """The turns so far and the last position. coach: anything, where it is asked."""
    return followed_page(request, token, coach=bool(coach))


def followed_page(request: Visit, token: str, problem: str = "", coach: bool = False) -> Response:
    """problem : why a photo, or who plays, was not taken."""
    draft, language = request.service.followed.of(token), request.language
    found = explained(draft, language)
    if request.wants_json:
        if found is None:
            return JSONResponse({"readings": [draft.shown[0].reading.to_dict()]})
        return JSONResponse(found.to_dict() | (found.coach_dict() if coach else {}))
    judged = found.judged if found is not None and coach else ()
    last = draft.shown[-1]
    height, width = last.photo.image.shape[:2]
    return answers.page_of(
        request,
        "follow.html",
        title=draft.title,
        draft=draft,
        token=token,
        address=f"{FOLLOW_ADDRESS}/{token}",
        found=found,
        is_sure=found is not None and found.status is Status.OK,
        rows=pages.rows_of(_places(draft, language)),
        size=(width, height),
        area=pages.board_area(last, len(last.view.plan)),
        choices=board_of(last.reading).choices(),
        judged=["" if each is None else judged_text(each, language) for each in judged],
        costliest=found.costliest if judged and found is not None else (),
        problem=problem,
        most_bytes=uploads.MAX_BYTES,
    )


@router.post(FOLLOW_ADDRESS + "/{token}/undo", status_code=303)
async def undo(request: Visit, token: Token) -> Response:
    """Take the last photo back."""
    await request.service.followed.change(token, _without_last)
    return answers.see(f"{FOLLOW_ADDRESS}/{token}")


@router.post(FOLLOW_ADDRESS + "/{token}/players", status_code=303)
async def say_players(request: Visit, token: Token, players: Players = []) -> Response:  # noqa: B006
    """Say who plays, in the order of their turns."""
    named = [player for player in players if player]
    try:
        if len({*named}) < len(named):
            raise FieldUnclear("player")
        await request.service.followed.change(
            token, lambda draft: _with_players(draft, named, request.language)
        )
    except BrikksError as error:
        page = partial(followed_page, request, token)
        return await run_in_threadpool(answers.refused, request, error, page)
    return answers.see(f"{FOLLOW_ADDRESS}/{token}")


@router.post(FOLLOW_ADDRESS + "/{token}/forget", status_code=303)
def forget(request: Visit, token: Token) -> Response:
    """End the game and forget its photos."""
    request.service.followed.drop(token)
    return answers.done(request, FOLLOW_ADDRESS)


@router.get(FOLLOW_ADDRESS + "/{token}/board.jpg", response_class=Response)
def picture(request: Visit, token: Token) -> Response:
    """The last photo with the position drawn on it."""
    draft = request.service.followed.of(token)
    found, last = explained(draft, request.language), draft.shown[-1]
    view = last.view if found is None else view_of(found.readings[-1], last.layout)
    return answers.passing_picture(pages.drawn_board(last, view.labels, len(view.plan)))


def _places(draft: FollowedDraft, language: str) -> Sequence[views.BoardPlace]:
    """The fields of the last position, as all photos together tell it."""
    found = explained(draft, language)
    reading = draft.shown[-1].reading if found is None else found.readings[-1]
    return board_of(reading).places(reading)
