"""Boards from uploads: read, recorded, answered, played on, or followed turn by turn.

What is followed is recorded by nobody.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial

from starlette.concurrency import run_in_threadpool

from brikks_vision.errors import PhotoFollowedTwice, PhotoGivenTwice
from brikks_vision.games import board_of, game_of, printings
from brikks_vision.infer.protocol import BoardMove, Game, OnBoard
from brikks_vision.intake.corrections import answers_kept
from brikks_vision.intake.photos import photo_facts
from brikks_vision.intake.recording import record_board, record_board_together
from brikks_vision.intake.workers import Readers
from brikks_vision.pipeline import ScanResult, follow, read_again, scan_photo
from brikks_vision.record import database, entries
from brikks_vision.web.uploads import Upload

OpenRecord = Callable[[], AbstractContextManager[database.Record]]


@dataclass(frozen=True)
class Hand:
    """What a player has. player, cards, blocks: as `BoardChoices` names them.

    cards, blocks : how many of each kind. phase: None: all that the board allows.
    """

    player: str
    cards: Mapping[str, int]
    blocks: Mapping[str, int]
    phase: int | None = None


@dataclass(frozen=True)
class BoardDraft:
    """A board that was read. answers: what a person said of its fields, by place.

    number : of the result in the record. hand: what a person said of whose turn it is. others: the
    further photos that it was read from.
    """

    seen: ScanResult
    answers: Mapping[str, str]
    photo: entries.PhotoFacts
    number: int
    hand: Hand | None = None
    others: tuple[entries.PhotoFacts, ...] = ()

    @property
    def game(self) -> Game:
        return game_of(self.seen.reading)

    @property
    def board(self) -> OnBoard:
        return board_of(self.seen.reading)


async def read_draft(
    readers: Readers, upload: Upload, sheet: str | None, open_record: OpenRecord
) -> BoardDraft:
    """Read an upload, and record what was read.

    What was said of the photo before holds. sheet: the board, by its name; None: any.

    Raises PhotoUnreadable, RecordFailure.
    """
    facts, seen = await readers.read(partial(looked_at, upload.photo, upload.name, sheet))
    return await recorded_draft(readers, facts, seen, None, open_record)


async def recorded_draft(
    readers: Readers,
    facts: entries.PhotoFacts,
    seen: ScanResult,
    player: str | None,
    open_record: OpenRecord,
) -> BoardDraft:
    """Record a board that was read; what was said of its photo before holds.

    Raises RecordFailure.
    """
    held = await run_in_threadpool(_said_before, facts, seen, open_record) or {}
    if held:
        seen = await readers.read(partial(read_again, seen, held))
    number = await run_in_threadpool(_recorded, facts, seen, None, open_record, player)
    return BoardDraft(seen, held, facts, number)


async def with_photo(
    readers: Readers, draft: BoardDraft, upload: Upload, open_record: OpenRecord
) -> BoardDraft:
    """The board read from one more photo, and recorded.

    Raises PhotoGivenTwice, PhotoUnreadable, RecordFailure.
    """
    facts, beside = await readers.read(partial(looked_at, upload.photo, upload.name, None))
    photos = (draft.photo, *draft.others)
    if facts.sha256 in {photo.sha256 for photo in photos}:
        raise PhotoGivenTwice(facts.name, draft.photo.name)
    work = partial(follow.combined, [draft.seen, beside], draft.answers)
    seen = await readers.read(work)

    def recorded() -> int:
        with open_record() as record:
            return record_board_together(record, (*photos, facts), seen).results[0]

    number = await run_in_threadpool(recorded)
    return replace(draft, seen=seen, number=number, others=(*draft.others, facts))


def looked_at(data: bytes, name: str, sheet: str | None) -> tuple[entries.PhotoFacts, ScanResult]:
    """A photo of a board, and what is read of it; raises PhotoUnreadable.

    name: of the photo. sheet: the board, by its name; None: any.
    """
    seen = scan_photo(data, printings=printings.printings_with("moves", sheet))
    named = replace(seen, reading=replace(seen.reading, photo=name))
    return photo_facts(data, name, time.time()), named


def _said_before(
    photo: entries.PhotoFacts, seen: ScanResult, open_record: OpenRecord
) -> Mapping[str, str] | None:
    with open_record() as record:
        return answers_kept(record, photo, seen)


def _recorded(
    photo: entries.PhotoFacts,
    seen: ScanResult,
    answers: Mapping[str, str] | None,
    open_record: OpenRecord,
    player: str | None = None,
) -> int:
    with open_record() as record:
        return record_board(record, photo, seen, answers, player).results[0]


async def with_answers(
    readers: Readers, draft: BoardDraft, said: Mapping[str, str | None], open_record: OpenRecord
) -> BoardDraft:
    """The board read anew, and recorded, with what stands on fields; None: as the photo shows.

    What was said elsewhere meanwhile, as by the command, counts as well.

    Raises PhotoUnreadable, AnswerUnclear, AnswerOffSheet, RecordFailure.
    """
    held = await run_in_threadpool(_said_before, draft.photo, draft.seen, open_record)
    before = draft.answers if held is None else held
    answers = {place: thing for place, thing in {**before, **said}.items() if thing is not None}
    seen = await readers.read(partial(read_again, draft.seen, answers))
    number = await run_in_threadpool(_recorded, draft.photo, seen, answers, open_record)
    return replace(draft, seen=seen, answers=answers, number=number)


def moves_of(draft: BoardDraft, hand: Hand) -> Sequence[BoardMove]:
    """All that a player may do; raises RulesForbid."""
    moves = draft.game.moves
    assert moves is not None  # only boards of such games become drafts
    cards, blocks = _each(hand.cards), _each(hand.blocks)
    return moves(draft.seen.posterior, hand.player, cards, blocks, hand.phase)


def _each(counts: Mapping[str, int]) -> list[str]:
    return [kind for kind, count in counts.items() for _ in range(count)]


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
    told: dict[str, follow.Followed] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return game_of(self.shown[0].reading).TITLE


def explained(draft: FollowedDraft, language: str) -> follow.Followed | None:
    """What all photos together tell; None while there is one.

    Raises PhotosOutOfOrder, PhotoOfAnother, RulesForbid.
    """
    if len(draft.shown) < follow.MIN_PHOTOS:
        return None
    if language not in draft.told:
        draft.told[language] = follow.follow_shown(draft.shown, draft.players, language)
    return draft.told[language]


async def begun(readers: Readers, upload: Upload, sheet: str | None) -> FollowedDraft:
    """A game from its first photo, an upload; raises PhotoUnreadable.

    sheet: the board, by its name; None: any.
    """
    content, seen = await _read(readers, upload, sheet, 1)
    return FollowedDraft((seen,), (content,), sheet)


async def with_next(
    readers: Readers, draft: FollowedDraft, upload: Upload, language: str
) -> FollowedDraft:
    """The game with one more photo, an upload.

    Raises PhotoUnreadable, PhotoFollowedTwice, PhotosOutOfOrder, PhotoOfAnother.
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
    facts, seen = await readers.read(partial(looked_at, upload.photo, name, sheet))
    return facts.sha256, seen
