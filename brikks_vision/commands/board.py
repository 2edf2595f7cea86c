"""Photos of boards, as ``brikks-scan PHOTO --game`` reads them and keeps them in the record."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brikks_vision.boards import board_game, open_boards, read_board, unreadable_board
from brikks_vision.commands.photos import tell_date
from brikks_vision.commands.terminal import (
    complain,
    note,
    print_json,
    progress,
    say,
    terminal_paint,
)
from brikks_vision.decode.game import BoardGame, BoardSeen
from brikks_vision.errors import (
    AnswersNeedOnePhoto,
    AnswerUnclear,
    BrikksError,
    ExitCode,
    OutputFormatUnknown,
    OutputIsInput,
    ReadingFailed,
)
from brikks_vision.reading import ReadBoard, Reading, Status
from brikks_vision.text.display import visible
from brikks_vision.text.languages import texts_in


@dataclass(frozen=True)
class Recording:
    """Where boards are recorded, and who says what stands on them.

    database : None: the user's own record.
    """

    database: Path | None
    player: str | None


def said_of_fields(words: Sequence[str], photos: int) -> dict[str, str]:
    """What is answered, by place; raises AnswersNeedOnePhoto, AnswerUnclear."""
    if words and photos > 1:
        raise AnswersNeedOnePhoto(photos)
    said = {}
    for word in words:
        place, equals, thing = word.partition("=")
        if not (place.strip() and equals and thing.strip()):
            raise AnswerUnclear(word, "field 3,4=blue")
        said[" ".join(place.split())] = thing.strip()
    return said


def check_picture(picture: Path | None, photo: Path) -> None:
    """Whether a picture of what was read can be saved there.

    Raises
    ------
    OutputFormatUnknown, OutputIsInput
    """
    from brikks_vision.show.overlay import SUFFIXES

    if picture and picture.suffix.lower() not in SUFFIXES:
        raise OutputFormatUnknown(picture, ", ".join(SUFFIXES))
    if picture and picture.resolve() == photo.resolve():
        raise OutputIsInput(picture)


def try_to_read(
    file: Path, game: BoardGame, boards: Sequence[Any], language: str, answers: Mapping[str, str]
) -> BoardSeen | BrikksError:
    """What stands on the board in a photo, or what is wrong with the photo.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    """
    try:
        return read_board(file, game, boards, language, answers)
    except BrikksError as error:
        if error.exit_code is ExitCode.WRONG_USE and answers:
            raise
        return error
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        return ReadingFailed(f"{type(error).__name__}: {error}")


def scan_boards(
    files: Sequence[Path],
    pictures: Sequence[Path | None],
    name: str | None,
    sheet: str | None,
    answers: Sequence[str],
    as_json: bool,
    language: str,
    codes: set[ExitCode],
    recording: Recording | None = None,
) -> None:
    """Read boards, record them, print what stands on them, draw it; adds to the exit codes.

    recording : None: they are not recorded.

    Raises
    ------
    LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion, UnknownValue
    AnswersNeedOnePhoto, AnswerUnclear, AnswerOffSheet
    """
    game = board_game(name)
    boards, said = open_boards(game, sheet), said_of_fields(answers, len(files))
    shown = 0
    with progress(len(files)) as advance:
        for file, picture in zip(files, pictures, strict=True):
            seen = try_to_read(file, game, boards, language, said)
            advance()
            if recording is not None and not isinstance(seen, BrikksError):
                seen = _recorded(seen, file, said, recording, language, codes)
            reading = _told(seen, file, game, language, codes)
            if picture is not None and not isinstance(seen, BrikksError):
                _draw(seen, game, picture, language, codes, file)
            if as_json:
                print_json(reading)
            elif isinstance(reading, ReadBoard):
                from brikks_vision.show.board import board_report

                say("\n" * bool(shown) + board_report(reading, game.view(reading), language,
                                                      terminal_paint()))  # fmt: skip
                shown += 1


def _recorded(
    seen: BoardSeen,
    file: Path,
    said: Mapping[str, str],
    recording: Recording,
    language: str,
    codes: set[ExitCode],
) -> BoardSeen:
    """Record a board, and say so; the board, read with what was said of it before, if nothing is.

    Where it cannot be recorded, that is told, and adds to the exit codes.
    """
    from brikks_vision.detect.photo import read_file
    from brikks_vision.intake.boards import answers_kept, record_board, with_answers
    from brikks_vision.intake.photos import photo_facts
    from brikks_vision.record.database import open_record

    words = texts_in(language).report
    try:
        facts = photo_facts(read_file(file), file.name, file.stat().st_mtime)
        tell_date(facts, file, language)
        with open_record(recording.database) as record:
            held = {} if said else answers_kept(record, facts, seen) or {}
            if held:
                seen = with_answers(seen, held, language)
            added = record_board(record, facts, seen, said or None, recording.player)
    except BrikksError as error:
        complain(file, error, language)
        codes.add(error.exit_code)
        return seen
    known = "board_said_anew" if said else "board_holds" if held else "board_known"
    answers = visible(", ".join(f"{place}={thing}" for place, thing in held.items()))
    note(words["board_recorded" if added.is_new else known].format(
        number=added.number, answers=answers))  # fmt: skip
    return seen


def _told(
    seen: BoardSeen | BrikksError, file: Path, game: BoardGame, language: str, codes: set[ExitCode]
) -> Reading:
    if isinstance(seen, BrikksError):
        complain(file, seen, language)
        codes.add(seen.exit_code)
        return unreadable_board(game, file.name, seen.text(language))
    codes.add(code_of(seen.reading))
    return seen.reading


def code_of(reading: Reading) -> ExitCode:
    """How the program ends for a board that was read."""
    return ExitCode.CERTAIN if reading.status is Status.OK else ExitCode.UNCERTAIN


def _draw(
    seen: BoardSeen, game: BoardGame, picture: Path, language: str, codes: set[ExitCode], file: Path
) -> None:
    from brikks_vision.show.board import draw_board
    from brikks_vision.show.overlay import save_image

    view = game.view(seen.reading)
    try:
        save_image(draw_board(seen.photo.image, seen, view.labels, len(view.plan)), picture)
    except BrikksError as error:
        complain(file, error, language)
        codes.add(error.exit_code)
