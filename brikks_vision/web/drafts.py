"""Printings that were learnt from an upload and are not kept yet."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from brikks_vision.errors import PageMissing
from brikks_vision.games.learning import Learnt
from brikks_vision.learn import learn_sheet

MAX_DRAFTS = 4  # the oldest one gives way


@dataclass(frozen=True)
class Draft:
    """A learnt printing. photo: of the empty sheet. settings: what a person said of its print."""

    photo: Path
    learnt: Learnt
    settings: Mapping[str, str]


@dataclass
class Drafts:
    """The drafts, by their token. Photos are deleted with them."""

    learning: threading.Lock = field(default_factory=threading.Lock)
    _drafts: OrderedDict[str, Draft] = field(default_factory=OrderedDict)

    def learn(self, photo: Path, game: str | None) -> str:
        """Learn a printing from a photo; the photo is the drafts' own from then on.

        Returns the token.

        Raises
        ------
        PhotoUnreadable
        """
        with self.learning:  # one at a time: it takes a core and some hundred MB
            learnt = learn_sheet(photo, game, "learnt")
        token = secrets.token_urlsafe(12)
        self._drafts[token] = Draft(photo, learnt, {})
        while len(self._drafts) > MAX_DRAFTS:
            self.drop(next(iter(self._drafts)))
        return token

    def of(self, token: str) -> Draft:
        """The draft of that token; raises PageMissing."""
        draft = self._drafts.get(token)
        if draft is None:
            raise PageMissing
        return draft

    def set_print(self, token: str, place: str, value: str) -> None:
        """Learn anew with what a person says of the print.

        Raises
        ------
        PageMissing
        PhotoUnreadable, AnswerUnclear, AnswerOffSheet
            The draft stays as it was.
        """
        draft = self.of(token)
        settings = {**draft.settings, place: value}
        with self.learning:
            learnt = learn_sheet(draft.photo, draft.learnt.layout.game, "learnt", settings)
        if token in self._drafts:
            self._drafts[token] = replace(draft, learnt=learnt, settings=settings)

    def drop(self, token: str) -> None:
        """Forget a draft and its photo."""
        draft = self._drafts.pop(token, None)
        if draft is not None:
            draft.photo.unlink(missing_ok=True)
