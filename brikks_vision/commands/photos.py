"""From the arguments of a command to photos read, pictures saved and results recorded."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from brikks_vision.commands.terminal import PROGRAM, complain, note, progress
from brikks_vision.errors import (
    AnswersNeedOnePhoto,
    AnswersNeedOneSheet,
    BrikksError,
    CameraDateAhead,
    ExitCode,
    OrderUnknown,
    OutputFormatUnknown,
    OutputIsInput,
    OutputNeedsFolder,
    OutputNotWritable,
    ReadingFailed,
)
from brikks_vision.games import unreadable
from brikks_vision.intake.folders import files_of
from brikks_vision.layout import Cell, Printing
from brikks_vision.reading import GameSettings, Reading
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import visible

if TYPE_CHECKING:
    from brikks_vision.decode.advice import Advice
    from brikks_vision.decode.game import TurnSaid
    from brikks_vision.intake.corrections import Said
    from brikks_vision.pipeline import ScanResult
    from brikks_vision.record.entries import OwnerConflict, PhotoFacts

Found = TypeVar("Found")

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


def photo_files(photos: Iterable[Path], codes: set[ExitCode], language: str) -> list[Path]:
    """The photo files among the arguments; a complaint and an exit code for each of the others."""
    files: list[Path] = []
    for photo in photos:
        try:
            files += files_of(photo)
        except BrikksError as error:
            complain(None, error, language)
            codes.add(error.exit_code)
    return files


def picture_paths(
    output: Path | None, photos: Sequence[Path], kept: Sequence[Path]
) -> list[Path | None]:
    """Where the annotated picture of each photo goes. kept: files that none may replace.

    Raises
    ------
    OutputNeedsFolder, OutputFormatUnknown, OutputIsInput, OutputNotWritable
    """
    if output is None or not photos:
        return [None] * len(photos)
    is_picture = output.suffix.lower() in PICTURE_SUFFIXES
    if output.is_dir() or (len(photos) > 1 and not is_picture and not output.exists()):
        paths = _numbered([output / f"{photo.stem}.jpg" for photo in photos])
    elif len(photos) > 1:
        raise OutputNeedsFolder(output)
    elif not is_picture:
        raise OutputFormatUnknown(output, ", ".join(PICTURE_SUFFIXES))
    elif not output.parent.is_dir():
        raise OutputNotWritable(output, os.strerror(2))
    else:
        paths = [output] * len(photos)
    for path in paths:
        if path.exists() and any(path.samefile(photo) for photo in kept):
            raise OutputIsInput(path)
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

    Raises
    ------
    UnknownValue, LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
    SheetOfOtherGame
    """
    if game is None and sheet is None:
        return None
    from brikks_vision.games.printings import printings_sought

    return printings_sought(game, sheet)


def sheets_in(
    file: Path,
    known: GameSettings,
    language: str,
    answers: Mapping[str, str] | None = None,
    printings: Sequence[Printing] | None = None,
) -> list[ScanResult | BrikksError]:
    """The sheets that a photo shows, left to right, or the board."""
    from brikks_vision.pipeline import scan_sheets

    return [*scan_sheets(file, known, language, answers, printings)]


def shown_in(
    files: Sequence[Path],
    known: GameSettings,
    language: str,
    answers: Mapping[str, str] | None = None,
    printings: Sequence[Printing] | None = None,
) -> list[ScanResult | BrikksError]:
    """As of `sheets_in`, or the one sheet or board that several photos show together."""
    if len(files) == 1:
        return sheets_in(files[0], known, language, answers, printings)
    from brikks_vision.pipeline.follow import scan_together

    return [scan_together(files, known, language, answers, printings)]


def sheet_in(
    file: Path,
    known: GameSettings,
    language: str,
    answers: Mapping[str, str],
    printings: Sequence[Printing] | None = None,
) -> list[ScanResult | BrikksError]:
    """The one sheet that is seen best."""
    from brikks_vision.pipeline import scan_photo

    return [scan_photo(file, known, language, answers, printings)]


ReadPhoto = Callable[
    [Path, GameSettings, str, Mapping[str, str], Sequence[Printing] | None],
    "list[ScanResult | BrikksError]",
]
"""How a photo is read: with what is known, in a language, with answers, as one of some printings.
"""


def read_photo(
    file: Path,
    read: ReadPhoto,
    known: GameSettings,
    language: str,
    answers: Mapping[str, str],
    printings: Sequence[Printing] | None = None,
) -> list[ScanResult | BrikksError]:
    """What is read of each sheet, or what is wrong with it or with the whole photo."""
    return read_or_failed(lambda: read(file, known, language, answers, printings))


def read_or_failed(read: Callable[[], Sequence[Found | BrikksError]]) -> list[Found | BrikksError]:
    """What ``read`` finds in a photo, or what is wrong with the photo."""
    try:
        return [*read()]
    except BrikksError as error:
        return [error]
    except Exception as error:
        # One photo must not end the reading of a whole folder; developers see where it failed.
        if sys.flags.dev_mode:
            raise
        return [ReadingFailed(f"{type(error).__name__}: {error}")]


def read_photos(
    files: Sequence[Path],
    read: ReadPhoto,
    known: GameSettings,
    language: str,
    codes: set[ExitCode],
    printings: Sequence[Printing] | None = None,
) -> tuple[list[Reading], list[ScanResult | None]]:
    """Readings of sheets that belong together, and what they came from; None where unreadable."""
    readings: list[Reading] = []
    results: list[ScanResult | None] = []
    with progress(len(files)) as advance:
        for file in files:
            for index, sheet in enumerate(read_photo(file, read, known, language, {}, printings)):
                if isinstance(sheet, BrikksError):
                    complain(numbered_sheet(file, index), sheet, language)
                    codes.add(sheet.exit_code)
                    readings.append(unreadable(file.name, sheet.text(language), index))
                    results.append(None)
                else:
                    readings.append(sheet.reading)
                    results.append(sheet)
            advance()
    return readings, results


def check_turn(said: TurnSaid, printings: Sequence[Printing] | None) -> None:
    """Raise what cannot be said of a turn of these printings; None: of any."""
    from brikks_vision.games import GAMES, game_named

    for name in dict.fromkeys(GAMES if printings is None else [each.game for each in printings]):
        if turns := game_named(name).turns:
            turns.check(said)


def answers_said(
    words: Sequence[str],
    groups: Sequence[Sequence[Path]],
    look: Callable[[Sequence[Path]], Sequence[ScanResult | BrikksError]],
    printings: Sequence[Printing] | None,
    language: str,
) -> Mapping[str, str]:
    """What is answered; what was understood of a sheet is said on stderr.

    Where nothing says which game it is, that is the one that the photo shows.

    Raises
    ------
    AnswersNeedOnePhoto, AnswerUnclear, AnswerOffSheet
    """
    if not words or not groups:
        return {}
    if len(groups) > 1:
        raise AnswersNeedOnePhoto(len(groups))
    from brikks_vision.decode.answers import parse_answers
    from brikks_vision.games import default_layout, game_named, layout_of
    from brikks_vision.show.covered import answer_said

    if printings is None:
        read: list[ScanResult | BrikksError] = read_or_failed(partial(look, groups[0]))
        readings = [each.reading for each in read if not isinstance(each, BrikksError)]
        layout = layout_of(readings[0]) if readings else default_layout()
    else:
        layout = printings[0]
    game = game_named(layout.game)
    answers = parse_answers(words, game, layout)
    for where, mark in answers.items() if game.board is None else ():
        print(answer_said(where, mark, layout, language), file=sys.stderr)
    return answers


def record_shown(
    shown: Sequence[ScanResult | BrikksError],
    files: Sequence[Path],
    answers: Mapping[str, str],
    known: GameSettings,
    player: str | None,
    database: Path | None,
    language: str,
) -> list[ScanResult | BrikksError]:
    """Keep what was read of a photo, of sheets as of `record_sheets`, of a board with its notes.

    files: several where they were read as one.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    from brikks_vision.intake.corrections import Said
    from brikks_vision.intake.recording import board_in

    board = board_in(shown)
    if board is not None:
        return [_record_board(board, files, answers, player, database, language)]
    said = Said(answers, known)
    if len(files) == 1:
        return record_sheets(shown, files[0], player, said, database, language)
    return [
        each
        if isinstance(each, BrikksError)
        else _record_together(each, files, player, said, database, language)
        for each in shown
    ]


def _facts(file: Path, language: str) -> PhotoFacts:
    """What the record keeps of the photo; says so on stderr where its date is not used."""
    from brikks_vision.detect.photo import read_file
    from brikks_vision.intake.photos import photo_facts

    facts = photo_facts(read_file(file), file.name, file.stat().st_mtime)
    tell_date(facts, file, language)
    return facts


def _record_together(
    seen: ScanResult,
    files: Sequence[Path],
    player: str | None,
    said: Said,
    database: Path | None,
    language: str,
) -> ScanResult:
    """Record a sheet that several photos show. Returns it with all that was said of it.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    from brikks_vision.intake.corrections import correct_sheet
    from brikks_vision.intake.photos import as_read, sheet_reading
    from brikks_vision.intake.recording import as_recorded, record_together
    from brikks_vision.record.database import open_record

    contents = [file.read_bytes() for file in files]
    alone = [
        (_facts(file, language), sheet_reading(each, data, language))
        for file, data, each in zip(files, contents, seen.alone, strict=True)
    ]
    kept = sheet_reading(as_read(seen, language), contents[0], language)
    with open_record(database) as record:
        added = record_together(record, alone, kept, player, language)
        correct_sheet(record, added.results[0], said, language, PROGRAM)
        seen = as_recorded(record, added.results[0], seen, language)
    for owner in added.owners:
        tell_owner(owner, language)
    return seen


def _record_board(
    seen: ScanResult,
    files: Sequence[Path],
    said: Mapping[str, str],
    player: str | None,
    database: Path | None,
    language: str,
) -> ScanResult:
    """Record a board and say so. Returns it as read with the answers, those kept if none are given.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    from brikks_vision.intake.corrections import answers_kept
    from brikks_vision.intake.recording import record_board, record_board_together
    from brikks_vision.pipeline import read_again
    from brikks_vision.record.database import open_record

    words = texts_in(language).report
    photos = [_facts(file, language) for file in files]
    with open_record(database) as record:
        held = {} if said else answers_kept(record, photos[0], seen) or {}
        if held:
            seen = read_again(seen, held, language)
        if seen.alone:
            added = record_board_together(record, photos, seen, said or None, player, PROGRAM)
        else:
            added = record_board(record, photos[0], seen, said or None, player, PROGRAM)
    for owner in added.owners:
        tell_owner(owner, language)
    known = "board_said_anew" if said else "board_holds" if held else "board_known"
    answers = visible(", ".join(f"{place}={thing}" for place, thing in held.items()))
    note(words["board_recorded" if added.is_new else known].format(
        number=added.results[0], answers=answers))  # fmt: skip
    return seen


def record_sheets(
    sheets: Sequence[ScanResult | BrikksError],
    file: Path,
    player: str | None,
    said: Said,
    database: Path | None,
    language: str,
) -> list[ScanResult | BrikksError]:
    """Keep what was read of a photo; a photo that is known by its content is not kept twice.

    What is said of it holds all the same. Where it is another player's already, that is told, and
    its owner stays.

    Returns
    -------
    the sheets; of a photo that was known, as the record holds them
    """
    from brikks_vision.intake.photos import as_read, sheet_reading
    from brikks_vision.intake.recording import as_recorded, record_photo, result_of_sheet
    from brikks_vision.record.database import open_record

    shown = list(sheets)
    read = [sheet for sheet in sheets if not isinstance(sheet, BrikksError)]
    if read:
        data, facts = file.read_bytes(), _facts(file, language)
        if said.answers:
            read = [as_read(sheet, language) for sheet in read]
        kept = [sheet_reading(sheet, data, language) for sheet in read]
        with open_record(database) as record:
            added = record_photo(record, facts, kept, player, said, language, PROGRAM)
            for place, sheet in enumerate(sheets):
                if isinstance(sheet, BrikksError) or added.is_new:
                    continue
                number = result_of_sheet(record, facts.sha256, sheet)
                if number is not None:
                    shown[place] = as_recorded(record, number, sheet, language)
        for owner in added.owners:
            tell_owner(owner, language)
    return shown


def keep_read(
    files: Sequence[Path],
    is_asked: bool,
    is_corrected: bool,
    total: int | None,
    database: Path | None,
    language: str,
) -> None:
    """Keep photos that were just recorded, where that is asked for, or wanted of all corrected.

    files : several where they were read as one. is_corrected : a person said what stands there.

    Raises
    ------
    AnswersNeedOneSheet
        There is a total, and several sheets.
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    from brikks_vision.detect.photo import read_file
    from brikks_vision.intake.photos import content_hash
    from brikks_vision.intake.teaching import keep_shown
    from brikks_vision.record.database import open_existing_record
    from brikks_vision.record.photos import find_photo
    from brikks_vision.record.results import wants_corrected

    with open_existing_record(database) as record:
        if not (is_asked or (is_corrected and wants_corrected(record))):
            return
        photos = {content_hash(data): data for data in map(read_file, files)}
        found = [find_photo(record, sha256) for sha256 in photos]
        results = sorted({number for each in found if each for number in each.results})
        if total is not None and len(results) > 1:
            raise AnswersNeedOneSheet(len(results))
        for number in results:
            keep_shown(record, number, photos, total)
            note(texts_in(language).report["kept_one"].format(number=number))


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
    note(f"brikks-scan: {visible(told)}")


def tell_date(facts: PhotoFacts, file: Path, language: str) -> None:
    """Say so on stderr where the camera's date is not used."""
    from brikks_vision.intake.photos import check_date

    try:
        check_date(facts)
    except CameraDateAhead as error:
        complain(file, error, language)


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
    """Draw what was read on the photo; raises OutputNotWritable."""
    from brikks_vision.pipeline import for_pictures
    from brikks_vision.show.overlay import save_image
    from brikks_vision.show.shown import drawn

    seen = for_pictures(shown, file)
    picture = drawn(
        seen.photo.image, seen.placement, seen.reading, seen.layout, language, seen.view
    )
    with suppress(OSError):  # save_image says what is wrong with the folder
        path.parent.mkdir(parents=True, exist_ok=True)
    save_image(picture, path)


def save_advice(shown: ScanResult, file: Path, path: Path, advice: Advice, language: str) -> None:
    """Draw on the photo what a coach says of its sheet, and say so; raises OutputNotWritable."""
    from brikks_vision.pipeline import for_pictures
    from brikks_vision.show.coach import advice_remarks
    from brikks_vision.show.overlay import annotate_remarks, save_image

    seen = for_pictures(shown, file)
    told = advice_remarks(advice, language)
    save_image(annotate_remarks(seen.photo.image, seen.placement, seen.layout, *told), path)
    note(texts_in(language).report["history_saved"].format(path=visible(path)))


def check_replay(path: Path) -> None:
    """Raises OutputFormatUnknown for a file that is no replay."""
    if path.suffix.lower() not in REPLAY_SUFFIXES:
        raise OutputFormatUnknown(path, ", ".join(REPLAY_SUFFIXES))


def save_replay(
    shown: ScanResult, file: Path, path: Path, order: Sequence[frozenset[Cell]] | None = None
) -> None:
    """Save how a sheet was filled, block by block, as a text where ``path`` ends in .txt.

    order: of its blocks; None: one in which they can have been entered.

    Raises
    ------
    OrderUnknown, OutputNotWritable
    """
    from brikks_vision.decode.answers import replay_text
    from brikks_vision.detect.placement import rectify
    from brikks_vision.files import write_whole
    from brikks_vision.games import game_of
    from brikks_vision.intake.photos import picture_area
    from brikks_vision.pipeline import for_pictures
    from brikks_vision.show.replay import PIXELS, in_order, replay

    coach = game_of(shown.reading).coach
    if order is None:
        order = coach.order(shown.reading, shown.layout) if coach else ()
    if not order:
        raise OrderUnknown
    if path.suffix.lower() == TEXT_SUFFIX:
        grid = shown.layout.grid
        write_whole(path, replay_text(order, grid.rows, grid.columns).encode())
        return
    seen = for_pictures(shown, file)
    area = picture_area(seen.layout, seen.evidence)
    flat = rectify(seen.photo.image, seen.placement, area, PIXELS)
    blocks = in_order(seen.view.outlines, order)
    write_whole(path, replay(flat, area, blocks, seen.layout.colors))
