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
    """What was learnt. photo: of the empty sheet. settings: what a person said of its print.
    pieces: a photo of the board set up."""

    photo: Path
    learnt: Learnt | BoardLearnt
    settings: Mapping[str, str]
    pieces: Path | None = None

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
    return await _anew(readers, replace(draft, settings={**draft.settings, place: value}))


async def with_pieces(readers: Readers, draft: LearntDraft, pieces: Path) -> LearntDraft:
    """The same learnt anew with a photo of the board set up, which is the draft's own.

    Raises
    ------
    PhotoUnreadable
    """
    learnt = await _anew(readers, replace(draft, pieces=pieces))
    if draft.pieces:
        draft.pieces.unlink(missing_ok=True)
    return learnt


async def _anew(readers: Readers, draft: LearntDraft) -> LearntDraft:
    learn = partial(learn_sheet, draft.photo, draft.game, NAME, draft.settings, draft.pieces)
    return replace(draft, learnt=await readers.read(learn))


def delete_photo(draft: LearntDraft) -> None:
    for photo in (draft.photo, draft.pieces):
        if photo:
            photo.unlink(missing_ok=True)
