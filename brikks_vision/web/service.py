"""What all requests share: the service, drafts, parameters of addresses, fields of forms.

A draft is what was made of an upload and is kept by nobody yet: a printing that is being learnt, a
board, a game that is followed, or a photo as it came, so that it can be kept to teach.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Generic, TypeVar

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import Field

from brikks_vision.errors import FieldUnclear, PageMissing
from brikks_vision.games import GAMES, learning, settings_of
from brikks_vision.intake.workers import Readers
from brikks_vision.layout import Printing
from brikks_vision.record import database, entries
from brikks_vision.web import guard, uploads
from brikks_vision.web.secure import Secure

if TYPE_CHECKING:
    from brikks_vision.web.routes.boards import BoardDraft
    from brikks_vision.web.routes.followed import FollowedDraft

MAX_NUMBER = 2**53  # of a result or a game


Number = Annotated[int, InPath(ge=1, le=MAX_NUMBER)]
Token = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
RemovedNumber = Annotated[int | None, Query(ge=1, le=MAX_NUMBER)]
Numbers = list[Annotated[int, Field(ge=1, le=MAX_NUMBER)]]
Text = Annotated[str, Form(max_length=200)]
Asked = Annotated[str, Query(max_length=200)]


MAX_DRAFTS = 4  # of a kind; the oldest one gives way
MAX_HELD_BYTES = 100_000_000  # of all photos together; the oldest give way

Draft = TypeVar("Draft")


@dataclass
class _Held(Generic[Draft]):
    """A draft that is held. changing: one change after the other, each of the one before."""

    draft: Draft
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


class Drafts(Generic[Draft]):
    """What is in progress of a kind, by token.

    most : of their sizes together that is held. size : of a draft.
    """

    def __init__(self, most: int = MAX_DRAFTS, size: Callable[[Draft], int] = lambda _: 1) -> None:
        self.most, self._size = most, size
        self._drafts: OrderedDict[str, _Held[Draft]] = OrderedDict()
        self._changing = threading.Lock()

    def add(self, draft: Draft) -> str:
        """Hold a draft; returns its token."""
        token = secrets.token_urlsafe(12)
        self.hold(token, draft)
        return token

    def hold(self, token: str, draft: Draft) -> None:
        """Hold a draft under a token; the oldest ones give way."""
        with self._changing:
            self._drafts[token] = _Held(draft)
            self._drafts.move_to_end(token)
            while sum(self._size(held.draft) for held in self._drafts.values()) > self.most:
                self._drafts.popitem(last=False)

    def all(self) -> Mapping[str, Draft]:
        """The drafts that are held now, the oldest first."""
        with self._changing:
            return {token: held.draft for token, held in self._drafts.items()}

    def of(self, token: str) -> Draft:
        """The draft of that token; raises PageMissing."""
        return self._held(token).draft

    async def change(self, token: str, make: Callable[[Draft], Awaitable[Draft]]) -> None:
        """Put another draft in the place of one.

        Raises PageMissing, and whatever ``make`` raises; the draft stays as it was.
        """
        held = self._held(token)
        async with held.changing:
            held.draft = await make(held.draft)

    def tokens(self, is_meant: Callable[[Draft], bool]) -> list[str]:
        """The tokens of the drafts that are meant, the oldest first."""
        return [token for token, draft in self.all().items() if is_meant(draft)]

    def drop(self, token: str) -> None:
        """Forget a draft."""
        with self._changing:
            self._drafts.pop(token, None)

    def _held(self, token: str) -> _Held[Draft]:
        held = self._drafts.get(token)
        if held is None:
            raise PageMissing
        return held


@dataclass
class Service:
    """What all requests share. ``correcting``: held while a result is corrected.

    arrivals : the uploads that are arriving. learnt, boards, followed : what was made of some of
    them. held : the photos themselves, by their SHA-256. readers : while the service runs. secure :
    where there is https.
    """

    record: Path | None
    language: str
    key: str | None
    processes: int
    correcting: threading.Lock
    arrivals: uploads.Arrivals = field(default_factory=uploads.Arrivals)
    learnt: Drafts[learning.Proposal] = field(default_factory=Drafts)
    boards: Drafts[BoardDraft] = field(default_factory=Drafts)
    followed: Drafts[FollowedDraft] = field(default_factory=Drafts)
    held: Drafts[bytes] = field(default_factory=lambda: Drafts(MAX_HELD_BYTES, len))
    readers: Readers | None = None
    secure: Secure | None = None

    @contextmanager
    def open(self) -> Iterator[database.Record]:
        """The record, for a request that changes it."""
        with database.open_record(self.record) as record:
            yield record

    @contextmanager
    def open_to_read(self) -> Iterator[database.Record]:
        """The record as it stands at one moment, whatever others write meanwhile."""
        with self.open() as record, database.snapshot(record):
            yield record


class Visit(Request):
    """A request, and what it is answered with."""

    @property
    def service(self) -> Service:
        service: Service = self.app.state.service
        return service

    @property
    def readers(self) -> Readers:
        readers = self.service.readers
        assert readers is not None  # while requests are served
        return readers

    @property
    def language(self) -> str:
        return guard.language_of(self, self.service.language)

    @property
    def wants_json(self) -> bool:
        accepted = self.headers.get("accept", "")
        return "application/json" in accepted and "text/html" not in accepted


class Route(APIRoute):
    """A route whose function is given a `Visit`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[None, None, Response]]:
        answer = super().get_route_handler()

        async def answered(request: Request) -> Response:
            return await answer(Visit(request.scope, request.receive))

        return answered


def new_router() -> APIRouter:
    return APIRouter(route_class=Route)


def settings_in(fields: Mapping[str, object]) -> dict[str, str]:
    """By setting, what a form says of it."""
    return {name: str(fields.get(name, "")).strip() for name in settings_of()}


def printing_in(fields: Mapping[str, str], known: Iterable[Printing]) -> str | None:
    """The printing that a form names, of those that are known; None: any; raises FieldUnclear."""
    name = fields.get("sheet", "").strip()
    if name and name not in {each.name for each in known}:
        raise FieldUnclear("sheet")
    return name or None


async def _said(request: Request) -> dict[str, str]:
    return settings_in(await request.form())


SaidSettings = Annotated[dict[str, str], Depends(_said)]
"""By setting, what the form of a request says of it."""


def filters_of(
    player: Asked = "", since: Asked = "", until: Asked = "", played: Asked = ""
) -> entries.Filters:
    """The filters that a query asks for; raises FieldUnclear."""
    if played not in ("", *GAMES):
        raise FieldUnclear("played")
    days = _day(since, "since"), _day(until, "until")
    return entries.Filters(player or None, *days, played=played or None)


Wanted = Annotated[entries.Filters, Depends(filters_of)]
"""The filters of a query."""


def _day(text: str, name: str) -> date | None:
    """Raises FieldUnclear."""
    if not text:
        return None
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        raise FieldUnclear(name)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise FieldUnclear(name) from None
    if day > entries.LATEST.date():
        raise FieldUnclear(name)
    return day
