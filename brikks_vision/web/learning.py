"""Printings and boards that were learnt from an upload and are not kept yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from brikks_vision.decode.game import BoardLearnt
from brikks_vision.games.learning import Learnt
from brikks_vision.intake.readers import Readers
from brikks_vision.learn import learn_sheet

NAME = "learnt"  # until a person gives another one


@dataclass(frozen=True)
class LearntDraft:
    """What was learnt. photo: of the empty sheet. settings: what a person said of its print."""

    photo: Path
    learnt: Learnt | BoardLearnt
    settings: Mapping[str, str]

    @property
    def game(self) -> str:
        return self.learnt.layout.game


async def learn_draft(readers: Readers, photo: Path, game: str | None) -> LearntDraft:
    """Learn from a photo, which is the draft's own from then on.

    Raises
    ------
    PhotoUnreadable
    """
    learnt = await readers.read(partial(learn_sheet, photo, game, NAME))
    return LearntDraft(photo, learnt, {})


async def with_print(readers: Readers, draft: LearntDraft, place: str, value: str) -> LearntDraft:
    """The same learnt anew with what a person says of the print.

    Raises
    ------
    PhotoUnreadable, AnswerUnclear, AnswerOffSheet
    """
    settings = {**draft.settings, place: value}
    learnt = await readers.read(partial(learn_sheet, draft.photo, draft.game, NAME, settings))
    return replace(draft, learnt=learnt, settings=settings)


def delete_photo(draft: LearntDraft) -> None:
    draft.photo.unlink(missing_ok=True)
