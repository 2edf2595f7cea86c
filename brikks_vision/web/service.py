"""What all requests share: the service, parameters of addresses, fields of forms."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Form, Query, Request
from fastapi import Path as InPath
from pydantic import Field

from brikks_vision.errors import FieldUnclear
from brikks_vision.games import GAMES, learning, settings_of
from brikks_vision.intake.workers import Readers
from brikks_vision.record import database, entries
from brikks_vision.web import drafts, guard, playing, uploads
from brikks_vision.web.secure import Secure

MAX_NUMBER = 2**53  # of a result or a game


Number = Annotated[int, InPath(ge=1, le=MAX_NUMBER)]
RemovedNumber = Annotated[int | None, Query(ge=1, le=MAX_NUMBER)]
Numbers = list[Annotated[int, Field(ge=1, le=MAX_NUMBER)]]
Text = Annotated[str, Form(max_length=200)]
Asked = Annotated[str, Query(max_length=200)]
Dice = Annotated[list[Annotated[str, Field(max_length=1)]] | None, Query(max_length=9)]


@dataclass
class Service:
    """What all requests share. ``correcting``: held while a result is corrected.

    arrivals : the uploads that are arriving. learnt, boards, followed : what was made of some of
    them. held : the photos themselves, by their SHA-256. readers, folder : while the service
    runs. secure : where there is https.
    """

    record: Path | None
    language: str
    key: str | None
    processes: int
    correcting: threading.Lock
    arrivals: uploads.Arrivals = field(default_factory=uploads.Arrivals)
    learnt: drafts.Drafts[learning.Proposal] = field(default_factory=drafts.Drafts)
    boards: drafts.Drafts[playing.BoardDraft] = field(default_factory=drafts.Drafts)
    followed: drafts.Drafts[playing.FollowedDraft] = field(default_factory=drafts.Drafts)
    held: drafts.Drafts[bytes] = field(
        default_factory=lambda: drafts.Drafts(drafts.MAX_HELD_BYTES, len)
    )
    readers: Readers | None = None
    folder: Path | None = None
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


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def readers_of(request: Request) -> Readers:
    readers = service_of(request).readers
    assert readers is not None  # while requests are served
    return readers


def language_for(request: Request) -> str:
    return guard.language_of(request, service_of(request).language)


def wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


def settings_in(fields: Mapping[str, object]) -> dict[str, str]:
    """By setting, what a form says of it."""
    return {name: str(fields.get(name, "")).strip() for name in settings_of()}


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
