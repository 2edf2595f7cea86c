"""What was made of uploads and is kept by nobody yet: held in memory, the oldest gives way.

Printings and boards that were learnt from an upload and are not kept yet.

Photos that were sent lately, held in memory as they came, so that one can be kept to teach.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from brikks_vision.errors import PageMissing
from brikks_vision.games.learning import Proposal
from brikks_vision.intake.workers import Readers
from brikks_vision.learn import learn_sheet

MAX_DRAFTS = 4  # of a kind; the oldest one gives way

Draft = TypeVar("Draft")


def _leave(_: object) -> None:
    """Nothing is left of a draft that holds no files."""


@dataclass
class _Held(Generic[Draft]):
    """A draft that is held. changing: one change after the other, each of the one before."""

    draft: Draft
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass
class Drafts(Generic[Draft]):
    """The drafts of a kind, by their token.

    let_go : called with each draft that is dropped, to delete its files.
    """

    let_go: Callable[[Draft], None] = _leave
    _drafts: OrderedDict[str, _Held[Draft]] = field(default_factory=OrderedDict)

    def add(self, draft: Draft) -> str:
        """Hold a draft; returns its token."""
        token = secrets.token_urlsafe(12)
        self._drafts[token] = _Held(draft)
        while len(self._drafts) > MAX_DRAFTS:
            self.drop(next(iter(self._drafts)))
        return token

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
        return [token for token, held in list(self._drafts.items()) if is_meant(held.draft)]

    def drop(self, token: str) -> None:
        """Forget a draft and its files."""
        held = self._drafts.pop(token, None)
        if held is not None:
            self.let_go(held.draft)

    def _held(self, token: str) -> _Held[Draft]:
        held = self._drafts.get(token)
        if held is None:
            raise PageMissing
        return held


NAME = "learnt"  # until a person gives another one


async def learn_draft(readers: Readers, photo: Path, game: str | None) -> Proposal:
    """What a photo proposes; its file is deleted; raises PhotoUnreadable."""
    try:
        return await readers.read(partial(learn_sheet, photo, game, NAME))
    finally:
        photo.unlink(missing_ok=True)


MAX_HELD_BYTES = 100_000_000  # of all photos together; the oldest give way


@dataclass
class HeldPhotos:
    """The photos by the SHA-256 of their files."""

    most: int = MAX_HELD_BYTES
    _photos: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    _changing: threading.Lock = field(default_factory=threading.Lock)

    def hold(self, sha256: str, photo: bytes) -> None:
        with self._changing:
            self._photos[sha256] = photo
            self._photos.move_to_end(sha256)
            while sum(map(len, self._photos.values())) > self.most:
                self._photos.popitem(last=False)

    def all(self) -> Mapping[str, bytes]:
        """The photos that are held now."""
        with self._changing:
            return dict(self._photos)
