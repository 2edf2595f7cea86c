"""A board that was read from a photo into the record, with what a person says of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from brikks_vision.boards import board_game, read_again
from brikks_vision.decode.game import BoardSeen
from brikks_vision.intake.photos import small_jpeg
from brikks_vision.reading import ReadBoard
from brikks_vision.record.boards import add_board, find_board
from brikks_vision.record.database import Record
from brikks_vision.record.entries import AddedBoard, PhotoFacts
from brikks_vision.show.board import board_picture
from brikks_vision.show.words import localize


def answers_kept(record: Record, photo: PhotoFacts, seen: BoardSeen) -> Mapping[str, str] | None:
    """What was said of a photo in the record; None where it is not there, or on another board.

    A board that was learnt anew under its name, from another side, is another one: its fields are
    called otherwise.
    """
    kept = find_board(record, photo.sha256)
    is_same = kept is not None and _board_of(kept.reading) == _board_of(seen.reading)
    return kept.answers if kept is not None and is_same else None


def _board_of(reading: ReadBoard) -> tuple[object, ...]:
    """What two readings on the same board have in common: names, and the colours of its fields."""
    places = board_game(reading.game).places(reading)
    return (reading.game, reading.sheet, *(place.ground for place in places))


def with_answers(seen: BoardSeen, answers: Mapping[str, str], language: str) -> BoardSeen:
    """The board read anew with what a person says of its fields, told in that language.

    Raises
    ------
    PhotoUnreadable, AnswerUnclear, AnswerOffSheet
    """
    again = read_again(seen, answers)
    return replace(again, reading=localize(again.reading, language))  # type: ignore[type-var]


def record_board(
    record: Record,
    photo: PhotoFacts,
    seen: BoardSeen,
    answers: Mapping[str, str] | None = None,
    player: str | None = None,
) -> AddedBoard:
    """Record a board with a small picture of what was read.

    answers : with which ``seen`` was read; None: nothing is said now. player : who says so. Both
    count as of `brikks_vision.record.boards.add_board`.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    said = None if answers is None else board_game(seen.reading.game).canonical(answers)
    return add_board(record, photo, seen.reading, board_jpeg(seen), said, player)


def board_jpeg(seen: BoardSeen) -> bytes:
    """The photo with what was read drawn on it as a small JPEG, without any data of the camera."""
    return small_jpeg(board_picture(seen))
