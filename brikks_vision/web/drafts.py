"""What was made of uploads and is kept by nobody yet: held in memory, the oldest gives way."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from brikks_vision.errors import PageMissing

MAX_DRAFTS = 4  # of a kind; the oldest one gives way

Draft = TypeVar("Draft")


def _leave(_: object) -> None:
    """Nothing is left of a draft that holds no files."""


@dataclass
class Drafts(Generic[Draft]):
    """The drafts of a kind, by their token.

    let_go : called with each draft that is dropped, to delete its files.
    """

    let_go: Callable[[Draft], None] = _leave
    _making: threading.Lock = field(default_factory=threading.Lock)
    _drafts: OrderedDict[str, Draft] = field(default_factory=OrderedDict)

    def add(self, make: Callable[[], Draft]) -> str:
        """Make a draft and hold it; returns its token. Raises what ``make`` does."""
        with self._making:  # one at a time: it takes a core and some hundred MB
            draft = make()
        token = secrets.token_urlsafe(12)
        self._drafts[token] = draft
        while len(self._drafts) > MAX_DRAFTS:
            self.drop(next(iter(self._drafts)))
        return token

    def of(self, token: str) -> Draft:
        """The draft of that token; raises PageMissing."""
        draft = self._drafts.get(token)
        if draft is None:
            raise PageMissing
        return draft

    def change(self, token: str, make: Callable[[Draft], Draft]) -> None:
        """Put another draft in the place of one.

        Raises
        ------
        PageMissing
        Whatever ``make`` raises; the draft stays as it was.
        """
        with self._making:
            changed = make(self.of(token))
            if token in self._drafts:
                self._drafts[token] = changed

    def tokens(self, is_meant: Callable[[Draft], bool]) -> list[str]:
        """The tokens of the drafts that are meant, the oldest first."""
        return [token for token, draft in list(self._drafts.items()) if is_meant(draft)]

    def drop(self, token: str) -> None:
        """Forget a draft and its files."""
        draft = self._drafts.pop(token, None)
        if draft is not None:
            self.let_go(draft)
