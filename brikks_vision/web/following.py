"""Games that are followed from uploads: held while they are played, recorded by nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from starlette.concurrency import run_in_threadpool

from brikks_vision.errors import PhotoFollowedTwice
from brikks_vision.games import game_of
from brikks_vision.intake.readers import Readers
from brikks_vision.pipeline import ScanResult
from brikks_vision.pipeline.follow import MIN_PHOTOS, Followed, follow_shown
from brikks_vision.web.playing import looked_at
from brikks_vision.web.uploads import Upload


@dataclass(frozen=True)
class FollowedDraft:
    """A game that is followed. shown: its photos, the first before the first turn.

    contents: their hashes. sheet: the board, by its name; None: any. players: in the order of their
    turns, as a person said; empty where nobody did. told: what all photos together tell, by
    language.
    """

    shown: tuple[ScanResult, ...]
    contents: tuple[str, ...]
    sheet: str | None = None
    players: tuple[str, ...] = ()
    told: dict[str, Followed] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return game_of(self.shown[0].reading).TITLE


def explained(draft: FollowedDraft, language: str) -> Followed | None:
    """What all photos together tell; None while there is one.

    Raises
    ------
    PhotosOutOfOrder, PhotoOfAnother, RulesForbid
    """
    if len(draft.shown) < MIN_PHOTOS:
        return None
    if language not in draft.told:
        draft.told[language] = follow_shown(draft.shown, draft.players, language)
    return draft.told[language]


async def begun(readers: Readers, upload: Upload, sheet: str | None) -> FollowedDraft:
    """A game from its first photo, an upload whose file is deleted; raises PhotoUnreadable.

    sheet: the board, by its name; None: any.
    """
    content, seen = await _read(readers, upload, sheet, 1)
    return FollowedDraft((seen,), (content,), sheet)


async def with_next(
    readers: Readers, draft: FollowedDraft, upload: Upload, language: str
) -> FollowedDraft:
    """The game with one more photo, an upload whose file is deleted.

    Raises
    ------
    PhotoUnreadable, PhotoFollowedTwice, PhotosOutOfOrder, PhotoOfAnother
    """
    content, seen = await _read(readers, upload, draft.sheet, len(draft.shown) + 1)
    if content in draft.contents:
        first = draft.shown[draft.contents.index(content)]
        raise PhotoFollowedTwice(seen.reading.photo, first.reading.photo)
    more = replace(draft, shown=(*draft.shown, seen), contents=(*draft.contents, content), told={})
    await run_in_threadpool(explained, more, language)
    return more


async def without_last(draft: FollowedDraft) -> FollowedDraft:
    """The game without its last photo; the first one stays."""
    if len(draft.shown) == 1:
        return draft
    return replace(draft, shown=draft.shown[:-1], contents=draft.contents[:-1], told={})


async def with_players(
    draft: FollowedDraft, players: Sequence[str], language: str
) -> FollowedDraft:
    """The game of those players; raises RulesForbid."""
    changed = replace(draft, players=tuple(players), told={})
    await run_in_threadpool(explained, changed, language)
    return changed


async def _read(
    readers: Readers, upload: Upload, sheet: str | None, number: int
) -> tuple[str, ScanResult]:
    """The hash of an upload, and what is read of it; its name has its number before it."""
    name = f"{number}. {upload.name}"  # telephones call many photos the same
    try:
        facts, seen = await readers.read(partial(looked_at, upload.file, name, sheet))
    finally:
        upload.file.unlink(missing_ok=True)
    return facts.sha256, seen
