"""Boards that were read from an upload: recorded, answered, played on while their photo is here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from brikks_vision.boards import board_game, read_again, see_board
from brikks_vision.decode.game import BoardGame, BoardMove, BoardSeen
from brikks_vision.detect.photo import read_file
from brikks_vision.intake.boards import answers_kept, record_board
from brikks_vision.intake.photos import photo_facts
from brikks_vision.record.database import Record
from brikks_vision.record.entries import PhotoFacts
from brikks_vision.web.uploads import Upload

OpenRecord = Callable[[], AbstractContextManager[Record]]


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

    number : of the board in the record. hand: what a person said of whose turn it is.
    """

    seen: BoardSeen
    answers: Mapping[str, str]
    photo: PhotoFacts
    number: int
    hand: Hand | None = None

    @property
    def game(self) -> BoardGame:
        return board_game(self.seen.reading.game)


def read_draft(
    upload: Upload, game: BoardGame, boards: Sequence[Any], open_record: OpenRecord
) -> BoardDraft:
    """Read an upload, whose file is deleted, and record what was read.

    What was said of the photo before holds.

    Raises
    ------
    PhotoUnreadable
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    try:
        data = read_file(upload.file)
    finally:
        upload.file.unlink(missing_ok=True)
    facts = photo_facts(data, upload.name, time.time())
    seen = see_board(data, upload.name, game, boards)
    with open_record() as record:
        held = answers_kept(record, facts, seen) or {}
        if held:
            seen = read_again(seen, held)
        added = record_board(record, facts, seen)
    return BoardDraft(seen, held, facts, added.number)


def with_answer(
    draft: BoardDraft, where: str, thing: str | None, open_record: OpenRecord
) -> BoardDraft:
    """The board read anew, and recorded, with what stands on a field; None: as the photo shows.

    What was said elsewhere meanwhile, as by the command, counts as well.

    Raises
    ------
    PhotoUnreadable, AnswerUnclear, AnswerOffSheet
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with open_record() as record:
        held = answers_kept(record, draft.photo, draft.seen)
        before = draft.answers if held is None else held
        answers = {place: said for place, said in before.items() if place != where}
        if thing is not None:
            answers[where] = thing
        seen = read_again(draft.seen, answers)
        added = record_board(record, draft.photo, seen, answers)
    return replace(draft, seen=seen, answers=answers, number=added.number)


def moves_of(draft: BoardDraft, hand: Hand) -> Sequence[BoardMove]:
    """All that a player may do; raises RulesForbid."""
    return draft.game.moves(
        draft.seen, hand.player, _each(hand.cards), _each(hand.blocks), hand.phase
    )


def _each(counts: Mapping[str, int]) -> list[str]:
    return [kind for kind, count in counts.items() for _ in range(count)]
