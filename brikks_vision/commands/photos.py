"""From the arguments of a command to photos read, pictures saved and results recorded."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from brikks_vision import errors, games, reading
from brikks_vision.commands import terminal
from brikks_vision.intake.folders import failure_of, files_of
from brikks_vision.layout import Cell, Printing
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import visible

if TYPE_CHECKING:
    from brikks_vision.infer.advice import Advice
    from brikks_vision.infer.protocol import TurnSaid
    from brikks_vision.pipeline import ScanResult
    from brikks_vision.record.database import Record
    from brikks_vision.record.entries import Added, OwnerConflict, PhotoFacts

Shown: TypeAlias = "ScanResult | errors.BrikksError"
"""A sheet or board of a photo, or what is wrong with it."""
NO_ANSWERS: Mapping[str, str] = {}
STANDARD_INPUT = Path("-")
TEXT_SUFFIX = ".txt"
REPLAY_SUFFIXES = (".gif", TEXT_SUFFIX)
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


@contextmanager
def with_standard_input(photos: Sequence[Path]) -> Iterator[list[Path]]:
    """The photos; instead of "-" a file of its own that holds the photo on standard input.

    The file is deleted in the end.
    """
    if STANDARD_INPUT not in photos:
        yield list(photos)
        return
    from tempfile import TemporaryDirectory

    from brikks_vision.detect.photo import MAX_FILE_BYTES

    with TemporaryDirectory(prefix="brikks-scan-") as folder:
        file, size = Path(folder) / "stdin", 0
        with file.open("wb") as copy:
            # A file that is larger is refused anyway, and some streams never end.
            while size <= MAX_FILE_BYTES and (part := sys.stdin.buffer.read(1 << 20)):
                size += copy.write(part)
        yield [file if photo == STANDARD_INPUT else photo for photo in photos]


def photo_files(photos: Iterable[Path], codes: set[errors.ExitCode], language: str) -> list[Path]:
    """The photo files among the arguments; a complaint and an exit code for each of the others."""
    files: list[Path] = []
    for photo in photos:
        try:
            files += files_of(photo)
        except errors.BrikksError as error:
            terminal.complain(None, error, language)
            codes.add(error.exit_code)
    return files


def picture_paths(
    output: Path | None, photos: Sequence[Path], kept: Sequence[Path]
) -> list[Path | None]:
    """Where the annotated picture of each photo goes. kept: files that none may replace.

    Raises OutputNeedsFolder, OutputFormatUnknown, OutputIsInput, OutputNotWritable.
    """
    if output is None or not photos:
        return [None] * len(photos)
    is_picture = output.suffix.lower() in PICTURE_SUFFIXES
    if output.is_dir() or (len(photos) > 1 and not is_picture and not output.exists()):
        paths = _numbered([output / f"{photo.stem}.jpg" for photo in photos])
    elif len(photos) > 1:
        raise errors.OutputNeedsFolder(output)
    elif not is_picture:
        raise errors.OutputFormatUnknown(output, ", ".join(PICTURE_SUFFIXES))
    elif not output.parent.is_dir():
        raise errors.OutputNotWritable(output, os.strerror(2))
    else:
        paths = [output] * len(photos)
    for path in paths:
        if path.exists() and any(path.samefile(photo) for photo in kept):
            raise errors.OutputIsInput(path)
    return list(paths)


def _numbered(paths: Sequence[Path]) -> list[Path]:
    """The paths, those that would meet told apart by a number: a.jpg, a-2.jpg."""
    taken: set[str] = set()
    different = []
    for path in paths:
        free, number = path, 1
        # Some file systems take "IMG.jpg" and "img.jpg" for one.
        while str(free).lower() in taken:
            number += 1
            free = path.with_stem(f"{path.stem}-{number}")
        taken.add(str(free).lower())
        different.append(free)
    return different


def printings_meant(game: str | None, sheet: str | None) -> Sequence[Printing] | None:
    """The printings that the options name; None: all that are known.

    Raises UnknownValue, LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion,
    SheetOfOtherGame.
    """
    if game is None and sheet is None:
        return None
    from brikks_vision.games.printings import printings_sought

    return printings_sought(game, sheet)


def shown_in(
    files: Sequence[Path], context: terminal.Context, answers: Mapping[str, str] = NO_ANSWERS
) -> list[Shown]:
    """The sheets that a photo shows, left to right, or the board, or what is wrong with each.

    Of several files the one sheet or board that all show together.
    """
    asked = (context.settings, context.language, answers, context.printings)
    try:
        with terminal.waiting(files[0], context.language):
            if len(files) > 1:
                from brikks_vision.pipeline.follow import scan_together

                return [scan_together(files, *asked)]
            from brikks_vision.pipeline import scan_sheets

            return [*scan_sheets(files[0], *asked)]
    except Exception as error:
        return [failure_of(error)]


def read_in_turn(
    files: Sequence[Path], context: terminal.Context, codes: set[errors.ExitCode]
) -> tuple[list[reading.Reading], list[ScanResult | None]]:
    """The sheet that is seen best in each photo, and what it came from; None where unreadable."""
    from brikks_vision.pipeline import scan_photo

    asked = (context.settings, context.language, NO_ANSWERS, context.printings)
    readings: list[reading.Reading] = []
    results: list[ScanResult | None] = []
    with terminal.progress(len(files)) as advance:
        for file in files:
            try:
                found = scan_photo(file, *asked)
            except Exception as failed:
                error = failure_of(failed)
                terminal.complain(file, error, context.language)
                codes.add(error.exit_code)
                readings.append(games.unreadable(file.name, error.text(context.language)))
                results.append(None)
            else:
                readings.append(found.reading)
                results.append(found)
            advance()
    return readings, results


def check_turn(said: TurnSaid, printings: Sequence[Printing] | None) -> None:
    """Raise what cannot be said of a turn of these printings; None: of any."""
    from brikks_vision.games import GAMES, game_named

    for name in dict.fromkeys(GAMES if printings is None else [each.game for each in printings]):
        if turns := game_named(name).turns:
            turns.check(said)


def answers_said(
    words: Sequence[str], groups: Sequence[Sequence[Path]], context: terminal.Context
) -> Mapping[str, str]:
    """What is answered; what was understood of a sheet is said on stderr.

    groups : of photos, each read as one. Where nothing says which game it is, that is the one that
    the photo shows.

    Raises AnswersNeedOnePhoto, AnswerUnclear, AnswerOffSheet.
    """
    if not words or not groups:
        return NO_ANSWERS
    if len(groups) > 1:
        raise errors.AnswersNeedOnePhoto(len(groups))
    from brikks_vision.games import default_layout, game_named, layout_of
    from brikks_vision.infer.answers import parse_answers
    from brikks_vision.show.covered import answer_said

    printings = context.printings or ()
    if len({each.game for each in printings}) != 1:
        shown = shown_in(groups[0], context)
        readings = [each.reading for each in shown if not isinstance(each, errors.BrikksError)]
        layout = layout_of(readings[0]) if readings else default_layout()
    else:
        layout = printings[0]
    game = game_named(layout.game)
    answers = parse_answers(words, game, layout)
    for where, mark in answers.items() if game.board is None else ():
        terminal.note(answer_said(where, mark, layout, context.language))
    return answers


def record_shown(
    shown: Sequence[Shown],
    files: Sequence[Path],
    answers: Mapping[str, str],
    player: str | None,
    context: terminal.Context,
) -> list[Shown]:
    """Keep what was read of a photo, or of several that were read as one.

    A photo that is known by its content is not kept twice. What is said of it holds all the same.
    Where it is another player's already, that is told, and its owner stays.

    Returns what was read; of a photo that was known, as the record holds it.

    Raises RecordFailure.
    """
    from brikks_vision.detect.photo import read_file
    from brikks_vision.intake import recording
    from brikks_vision.intake.corrections import Said, correct_sheet
    from brikks_vision.intake.photos import sheet_reading
    from brikks_vision.pipeline import read_again
    from brikks_vision.record.database import open_record

    read = [each for each in shown if not isinstance(each, errors.BrikksError)]
    if not read:
        return list(shown)
    language, said = context.language, Said(answers, context.settings)
    contents = [read_file(file) for file in files]
    photos = [photo_of(file, data, language) for file, data in zip(files, contents, strict=True)]
    board, held = recording.board_in(read), list(shown)
    kept = [] if board else [read_again(each, {}, language) if answers else each for each in read]
    sheets = [sheet_reading(each, contents[0], language) for each in kept]
    with open_record(context.record) as record:
        if board is not None:
            added, board = _record_board(record, board, photos, answers, player, language)
            held = [board]
        elif len(files) > 1:
            each = zip(photos, read[0].alone, contents, strict=True)
            alone = [(facts, sheet_reading(one, data, language)) for facts, one, data in each]
            added = recording.record_together(record, alone, sheets[0], player, language)
            correct_sheet(record, added.results[0], said, language, terminal.PROGRAM)
            held = [recording.as_recorded(record, added.results[0], read[0], language)]
        else:
            added = recording.record_photo(
                record, photos[0], sheets, player, said, language, terminal.PROGRAM
            )
            for place, sheet in enumerate(shown):
                if isinstance(sheet, errors.BrikksError) or added.is_new:
                    continue
                number = recording.result_of_sheet(record, photos[0].sha256, sheet)
                if number is not None:
                    held[place] = recording.as_recorded(record, number, sheet, language)
    for owner in added.owners:
        tell_owner(owner, language)
    return held


def photo_of(file: Path, data: bytes, language: str) -> PhotoFacts:
    """What the record keeps of a photo; says so on stderr where the camera's date is not used."""
    from brikks_vision.intake.photos import check_date, photo_facts

    facts = photo_facts(data, file.name, file.stat().st_mtime)
    try:
        check_date(facts)
    except errors.CameraDateAhead as error:
        terminal.complain(file, error, language)
    return facts


def _record_board(
    record: Record,
    seen: ScanResult,
    photos: Sequence[PhotoFacts],
    said: Mapping[str, str],
    player: str | None,
    language: str,
) -> tuple[Added, ScanResult]:
    """Record a board and say so; it is read with the answers, those kept if none are given."""
    from brikks_vision.intake.corrections import answers_kept
    from brikks_vision.intake.recording import record_board
    from brikks_vision.pipeline import read_again

    words = texts_in(language).report
    held = {} if said else answers_kept(record, photos[0], seen) or {}
    if held:
        seen = read_again(seen, held, language)
    added = record_board(record, photos, seen, said or None, player, terminal.PROGRAM)
    known = "board_said_anew" if said else "board_holds" if held else "board_known"
    answers = visible(", ".join(f"{place}={thing}" for place, thing in held.items()))
    told = words["board_recorded" if added.is_new else known]
    terminal.note(told.format(number=added.results[0], answers=answers))
    return added, seen


def keep_read(
    files: Sequence[Path],
    is_asked: bool,
    is_corrected: bool,
    total: int | None,
    context: terminal.Context,
) -> None:
    """Keep photos that were just recorded, where that is asked for, or wanted of all corrected.

    files : several where they were read as one. is_corrected : a person said what stands there.

    Raises AnswersNeedOneSheet: there is a total, and several sheets; RecordFailure.
    """
    from brikks_vision.detect.photo import read_file
    from brikks_vision.intake.photos import content_hash
    from brikks_vision.intake.teaching import keep_shown
    from brikks_vision.record.database import open_existing_record
    from brikks_vision.record.photos import find_photo
    from brikks_vision.record.results import wants_corrected

    with open_existing_record(context.record) as record:
        if not (is_asked or (is_corrected and wants_corrected(record))):
            return
        photos = {content_hash(data): data for data in map(read_file, files)}
        found = [find_photo(record, sha256) for sha256 in photos]
        results = sorted({number for each in found if each for number in each.results})
        if total is not None and len(results) > 1:
            raise errors.AnswersNeedOneSheet(len(results))
        for number in results:
            keep_shown(record, number, photos, total)
            terminal.note(texts_in(context.language).report["kept_one"].format(number=number))


def check_player(name: str | None) -> None:
    """Raises NameTooLong, before anything is read."""
    if not name:
        return
    from brikks_vision.record.rows import checked_name

    checked_name(name)


def tell_owner(owner: OwnerConflict, language: str) -> None:
    """Say on stderr whose a sheet stays, and how to change it."""
    words = texts_in(language).report["other_owner"]
    told = words.format(number=owner.result, player=owner.player, named=owner.named)
    terminal.note(f"brikks-scan: {visible(told)}")


def numbered_sheet(file: Path, index: int) -> Path:
    """What to call a sheet of a photo, as reports do."""
    return file.with_name(f"{file.name} #{index + 1}") if index else file


def sheet_pictures(picture: Path | None, sheets: int, taken: Iterable[Path]) -> list[Path | None]:
    """Where the picture of each sheet of one photo goes: read.jpg, read-2.jpg, ..."""
    if picture is None:
        return [None] * sheets
    others = [path.resolve() for path in taken if path != picture]
    numbered = _numbered([*others, *[picture.resolve()] * sheets])
    return list(numbered[len(others) :])


def save_picture(shown: ScanResult, file: Path, path: Path, language: str) -> None:
    """Draw what was read on the photo, and say so; raises OutputNotWritable."""
    from brikks_vision.pipeline import for_pictures
    from brikks_vision.show.board import drawn
    from brikks_vision.show.overlay import save_image

    seen = for_pictures(shown, file)
    picture = drawn(
        seen.photo.image, seen.placement, seen.reading, seen.layout, language, seen.view
    )
    with suppress(OSError):  # save_image says what is wrong with the folder
        path.parent.mkdir(parents=True, exist_ok=True)
    save_image(picture, path)
    terminal.note_saved(path, language)


def save_advice(shown: ScanResult, file: Path, path: Path, advice: Advice, language: str) -> None:
    """Draw on the photo what a coach says of its sheet, and say so; raises OutputNotWritable."""
    from brikks_vision.pipeline import for_pictures
    from brikks_vision.show.coach import advice_remarks
    from brikks_vision.show.overlay import annotate_remarks, save_image

    seen = for_pictures(shown, file)
    told = advice_remarks(advice, language)
    save_image(annotate_remarks(seen.photo.image, seen.placement, seen.layout, *told), path)
    terminal.note_saved(path, language)


def check_replay(path: Path) -> None:
    """Raises OutputFormatUnknown for a file that is no replay."""
    if path.suffix.lower() not in REPLAY_SUFFIXES:
        raise errors.OutputFormatUnknown(path, ", ".join(REPLAY_SUFFIXES))


def save_replay(
    shown: ScanResult, file: Path, path: Path, order: Sequence[frozenset[Cell]] | None = None
) -> None:
    """Save how a sheet was filled, block by block, as a text where ``path`` ends in .txt.

    order: of its blocks; None: one in which they can have been entered.

    Raises OrderUnknown, OutputNotWritable.
    """
    from brikks_vision.detect.placement import rectify
    from brikks_vision.files import write_whole
    from brikks_vision.games import game_of
    from brikks_vision.infer.answers import replay_text
    from brikks_vision.intake.photos import picture_area
    from brikks_vision.pipeline import for_pictures
    from brikks_vision.show.pictures import PIXELS, in_order, replay

    coach = game_of(shown.reading).coach
    if order is None:
        order = coach.order(shown.reading, shown.layout) if coach else ()
    if not order:
        raise errors.OrderUnknown
    if path.suffix.lower() == TEXT_SUFFIX:
        grid = shown.layout.grid
        write_whole(path, replay_text(order, grid.rows, grid.columns).encode())
        return
    seen = for_pictures(shown, file)
    area = picture_area(seen.layout, seen.evidence)
    flat = rectify(seen.photo.image, seen.placement, area, PIXELS)
    blocks = in_order(seen.view.outlines, order)
    write_whole(path, replay(flat, area, blocks, seen.layout.colors))
