"""A photo into the record, with all that a person says of its sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from brikks_vision.errors import BoardWithoutPhoto, BrikksError, PhotoGivenTwice
from brikks_vision.games import game_of, layout_of, on_board
from brikks_vision.infer.evidence import evidence_from_json, evidence_json
from brikks_vision.intake import corrections
from brikks_vision.intake.photos import sheet_reading
from brikks_vision.pipeline import ScanResult, decoded, follow, localize, read_again
from brikks_vision.reading import Reading
from brikks_vision.record import results, rows
from brikks_vision.record.database import Record, transaction
from brikks_vision.record.entries import Added, PhotoFacts, SheetReading
from brikks_vision.record.photos import add_photo, forget_photo, keep_together, sheets_of_photo


def record_photo(
    record: Record,
    photo: PhotoFacts,
    sheets: Sequence[SheetReading],
    player: str | None,
    said: corrections.Said,
    language: str,
    who: str = rows.UNNAMED,
) -> Added:
    """Record a photo; what is said of its sheets holds, whether it was known before or not.

    A photo is recorded anew whose results were removed, or that showed no sheet before. What was
    said of a sheet earlier holds for a better photo of it, too.

    sheets: as they were read, without the answers of ``said``. player: whose sheets these are, as
    of `brikks_vision.record.photos.add_photo`. said: of each of the sheets. who: what a correction
    bears where nobody said whose the sheet is.

    Raises AnswerUnclear, AnswerOffSheet, GameImpossible, RecordFailure.
    """
    added = _added(record, photo, sheets, player)
    for number in added.merged:
        if results.get_result(record, number).photo.sha256 == photo.sha256:
            corrections.carry_over(record, number, language)
    if said != corrections.Said():
        for number in added.results:
            with suppress(BoardWithoutPhoto):  # see `record_board`
                corrections.correct_sheet(record, number, said, language, who)
    return added


def _added(
    record: Record,
    photo: PhotoFacts,
    sheets: Sequence[SheetReading],
    player: str | None,
    shows: int | None = None,
) -> Added:
    """As of `add_photo`; a photo whose results were removed is added anew."""
    added = add_photo(record, photo, sheets, player, shows)
    if sheets and not added.results and forget_photo(record, photo.sha256):
        added = add_photo(record, photo, sheets, player, shows)
    return added


def record_together(
    record: Record,
    photos: Sequence[tuple[PhotoFacts, SheetReading]],
    together: SheetReading,
    player: str | None,
    language: str,
) -> Added:
    """Record several photos of one sheet or board as one result.

    photos : each with what it shows alone. together : what they show together, read without
    answers. Results that were recorded before of single ones become one. What was said of them
    holds; of a board see `carry_over_board`.

    Raises NameTooLong, RecordFailure.
    """
    with transaction(record):
        (first, alone), *others = photos
        added = _added(record, first, [alone], player)
        number = _shown(record, first, alone)
        for photo, sheet in others:
            _added(record, photo, [sheet], player, number)
        results.join_results(record, [number, *(_shown(record, *each) for each in others)])
        keep_together(record, number, first.sha256, together)
        if on_board(together.reading) is None:
            corrections.carry_over(record, number, language)
        return replace(added, results=(number,))


def add_view(
    record: Record, number: int, photo: PhotoFacts, sheet: SheetReading, language: str
) -> None:
    """Add what another photo of a sheet shows to its result. sheet: what that photo shows alone.

    Raises PhotoGivenTwice, PhotoOfAnother, PhotoOfAnotherState; BoardWithoutPhoto: the result is a
    board: see `record_board`; ResultMissing, RecordFailure.
    """
    assert sheet.material is not None  # sheets have it
    with transaction(record):
        now = corrections.sheet_now(record, number, language)
        first, game = now.result.photo, game_of(now.reading)
        if photo.sha256 in {facts.sha256 for facts, _ in results.readings_of(record, number)}:
            raise PhotoGivenTwice(photo.name, first.name)
        layout, best = layout_of(now.reading), results.best_reading(record, number)
        other = evidence_from_json(sheet.material.evidence)
        follow.check_one_state(
            (first.name, layout, now.evidence), (photo.name, layout_of(sheet.reading), other)
        )
        evidence = game.combined([now.evidence, other], layout)
        reading, _ = decoded(first.name, evidence, layout, {})
        reading = replace(
            localize(reading, language).as_of(best), photos=(*follow.photo_names(best), photo.name)
        )
        kept = results.material_of(record, number)
        material = kept and replace(kept, evidence=evidence_json(evidence))
        alone = [(first, SheetReading(best)), (photo, sheet)]
        record_together(record, alone, SheetReading(reading, None, material), None, language)


def _shown(record: Record, photo: PhotoFacts, sheet: SheetReading) -> int:
    """The result of a sheet in a photo that is recorded, where the sheet lies in it."""
    known = sheets_of_photo(record, photo.sha256)
    corners = np.array(sheet.reading.corners)
    far = [
        np.abs(np.array(before.corners) - corners).sum() if before.corners else np.inf
        for before, _ in known
    ]
    return known[int(np.argmin(far))][1]


def board_in(shown: Sequence[ScanResult | BrikksError]) -> ScanResult | None:
    """The board among what a photo shows."""
    read = (each for each in shown if not isinstance(each, BrikksError))
    return next((each for each in read if on_board(each.reading)), None)


def record_board(
    record: Record,
    photos: Sequence[PhotoFacts],
    seen: ScanResult,
    answers: Mapping[str, str] | None = None,
    player: str | None = None,
    who: str = rows.UNNAMED,
) -> Added:
    """Record a board, as `record_photo` does, and what a person says of its fields.

    seen : what its photos show, of several together. answers : with which ``seen`` was read; they
    replace earlier answers. None: none are given now, and earlier ones still count. player, who :
    as of `record_photo`.

    Raises AnswerUnclear, AnswerOffSheet, RecordFailure.
    """
    read = seen
    if len(photos) > 1 or (answers and corrections.answers_kept(record, photos[0], seen) is None):
        read = read_again(seen, {})
    sheet = sheet_reading(read, b"", "")
    with transaction(record):
        if len(photos) > 1:
            alone = [sheet_reading(each, b"", "") for each in seen.alone]
            each = [*zip(photos, alone, strict=True)]
            added = record_together(record, each, sheet, player, "")
            corrections.carry_over_board(record, added.results[0], read)
        else:
            added = record_photo(record, photos[0], [sheet], player, corrections.Said(), "")
        if answers is not None:
            corrections.correct_board(record, photos[0], seen, answers, player or who)
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

    Raises ResultMissing, RecordNotWritable, RecordBusy, RecordDamaged.
    """
    now, read = corrections.sheet_now(record, number, language), sheet.reading
    if not _is_one_printing(now.reading, read):  # a better photo was read with another printing
        return sheet
    return replace(
        sheet, reading=now.reading.as_of(read), posterior=now.posterior, evidence=now.evidence
    )


def _is_one_printing(one: Reading, other: Reading) -> bool:
    printed, other_printed = ((each.game, each.sheet, each.printing) for each in (one, other))
    return printed == other_printed
