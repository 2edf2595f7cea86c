"""A photo into the record, with all that a person says of its sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from brikks_vision.errors import BoardWithoutPhoto, BrikksError
from brikks_vision.games import on_board
from brikks_vision.intake.corrections import (
    Said,
    answers_kept,
    carry_over,
    correct_board,
    correct_sheet,
    sheet_now,
)
from brikks_vision.intake.photos import sheet_reading
from brikks_vision.pipeline import ScanResult, read_again
from brikks_vision.reading import Reading
from brikks_vision.record.database import Record, transaction
from brikks_vision.record.entries import Added, PhotoFacts, SheetReading
from brikks_vision.record.photos import add_photo, forget_photo, sheets_of_photo
from brikks_vision.record.results import get_result
from brikks_vision.record.rows import UNNAMED


def record_photo(
    record: Record,
    photo: PhotoFacts,
    sheets: Sequence[SheetReading],
    player: str | None,
    said: Said,
    language: str,
    who: str = UNNAMED,
) -> Added:
    """Record a photo; what is said of its sheets holds, whether it was known before or not.

    A photo is recorded anew whose results were removed, or that showed no sheet before. What was
    said of a sheet earlier holds for a better photo of it, too.

    Parameters
    ----------
    sheets : as they were read, without the answers of ``said``
    player : whose sheets these are, as of `brikks_vision.record.photos.add_photo`
    said : of each of the sheets
    who : what a correction bears where nobody said whose the sheet is

    Raises
    ------
    AnswerUnclear, AnswerOffSheet, GameImpossible
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    added = add_photo(record, photo, sheets, player)
    if sheets and not added.results and forget_photo(record, photo.sha256):
        added = add_photo(record, photo, sheets, player)
    for number in added.merged:
        if get_result(record, number).photo.sha256 == photo.sha256:
            carry_over(record, number, language)
    if said != Said():
        for number in added.results:
            with suppress(BoardWithoutPhoto):  # see `record_board`
                correct_sheet(record, number, said, language, who)
    return added


def board_in(shown: Sequence[ScanResult | BrikksError]) -> ScanResult | None:
    """The board among what a photo shows."""
    read = (each for each in shown if not isinstance(each, BrikksError))
    return next((each for each in read if on_board(each.reading)), None)


def record_board(
    record: Record,
    photo: PhotoFacts,
    seen: ScanResult,
    answers: Mapping[str, str] | None = None,
    player: str | None = None,
    who: str = UNNAMED,
) -> Added:
    """Record a board, as `record_photo` does, and what a person says of its fields.

    answers : with which ``seen`` was read; they replace earlier answers. None: none are given now,
        and earlier ones still count. player, who : as of `record_photo`.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    read = seen
    if answers and answers_kept(record, photo, seen) is None:
        read = read_again(seen, {})
    with transaction(record):
        added = record_photo(record, photo, [sheet_reading(read, b"", "")], player, Said(), "")
        if answers is not None:
            correct_board(record, photo, seen, answers, player or who)
    return added


def result_of_sheet(record: Record, sha256: str, sheet: ScanResult) -> int | None:
    """The result of a sheet in a photo; None where the record has not read it there."""
    reading = sheet.reading
    for before, result in sheets_of_photo(record, sha256):
        if before.index == reading.index and _is_one_printing(before, reading):
            return result
    return None


def as_recorded(record: Record, number: int, sheet: ScanResult, language: str) -> ScanResult:
    """A sheet in a photo with all that was said of it in the record; ``number``: of its result.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordBusy, RecordDamaged
    """
    now, read = sheet_now(record, number, language), sheet.reading
    if not _is_one_printing(now.reading, read):  # a better photo was read with another printing
        return sheet
    return replace(
        sheet, reading=now.reading.as_of(read), posterior=now.posterior, evidence=now.evidence
    )


def _is_one_printing(one: Reading, other: Reading) -> bool:
    printed, other_printed = ((each.game, each.sheet, each.printing) for each in (one, other))
    return printed == other_printed
