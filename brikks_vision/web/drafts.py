"""What was made of uploads and is kept by nobody yet: held in memory, the oldest gives way."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from brikks_vision.errors import PageMissing

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

        Raises
        ------
        PageMissing
        Whatever ``make`` raises; the draft stays as it was.
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
