"""Boards that were read from an upload: answered, played on, and never kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from brikks_vision.boards import LONG_SIDE, board_game, read_again
from brikks_vision.decode.game import BoardGame, BoardMove, BoardSeen
from brikks_vision.detect.photo import load_photo
from brikks_vision.web.uploads import Upload


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

    hand : what a person said of whose turn it is.
    """

    seen: BoardSeen
    answers: Mapping[str, str]
    hand: Hand | None = None

    @property
    def game(self) -> BoardGame:
        return board_game(self.seen.reading.game)


def read_draft(upload: Upload, game: BoardGame, boards: Sequence[Any]) -> BoardDraft:
    """Read an upload, whose file is deleted; raises PhotoUnreadable."""
    try:
        photo = load_photo(upload.file, LONG_SIDE)
    finally:
        upload.file.unlink(missing_ok=True)
    return BoardDraft(game.read(replace(photo, name=upload.name), boards, {}), {})


def with_answer(draft: BoardDraft, where: str, thing: str | None) -> BoardDraft:
    """The board read anew with what stands on a field; None: as the photo shows.

    Raises
    ------
    PhotoUnreadable, AnswerUnclear, AnswerOffSheet
    """
    answers = {place: said for place, said in draft.answers.items() if place != where}
    if thing is not None:
        answers[where] = thing
    return replace(draft, seen=read_again(draft.seen, answers), answers=answers)


def moves_of(draft: BoardDraft, hand: Hand) -> Sequence[BoardMove]:
    """All that a player may do; raises RulesForbid."""
    return draft.game.moves(
        draft.seen, hand.player, _each(hand.cards), _each(hand.blocks), hand.phase
    )


def _each(counts: Mapping[str, int]) -> list[str]:
    return [kind for kind, count in counts.items() for _ in range(count)]
