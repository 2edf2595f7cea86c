"""What was made of uploads and is kept by nobody yet: held in memory, the oldest gives way.

Printings that are being learnt, boards, games that are followed, and the photos as they came, so
that one can be kept to teach.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from brikks_vision.errors import PageMissing

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
