"""Shared by the commands that read photos of boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from brikks_vision.commands.photos import tell_date, tell_owner
from brikks_vision.commands.terminal import PROGRAM, note
from brikks_vision.decode.game import BoardSeen
from brikks_vision.errors import (
    AnswersNeedOnePhoto,
    AnswerUnclear,
    ExitCode,
    OutputFormatUnknown,
    OutputIsInput,
)
from brikks_vision.reading import Reading, Status
from brikks_vision.text.display import visible
from brikks_vision.text.languages import texts_in


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


def record_shown_board(
    seen: BoardSeen,
    file: Path,
    said: Mapping[str, str],
    player: str | None,
    database: Path | None,
    language: str,
) -> BoardSeen:
    """Record a board and say so. Returns the board; without new answers, read with the kept ones.

    said : as of `said_of_fields`. database : None: the user's own record.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    from brikks_vision.detect.photo import read_file
    from brikks_vision.intake.corrections import answers_kept, with_answers
    from brikks_vision.intake.photos import photo_facts
    from brikks_vision.intake.recording import record_board
    from brikks_vision.record.database import open_record

    words = texts_in(language).report
    facts = photo_facts(read_file(file), file.name, file.stat().st_mtime)
    tell_date(facts, file, language)
    with open_record(database) as record:
        held = {} if said else answers_kept(record, facts, seen) or {}
        if held:
            seen = with_answers(seen, held, language)
        added = record_board(record, facts, seen, said or None, player, PROGRAM)
    for owner in added.owners:
        tell_owner(owner, language)
    known = "board_said_anew" if said else "board_holds" if held else "board_known"
    answers = visible(", ".join(f"{place}={thing}" for place, thing in held.items()))
    note(words["board_recorded" if added.is_new else known].format(
        number=added.results[0], answers=answers))  # fmt: skip
    return seen


def code_of(reading: Reading) -> ExitCode:
    """How the program ends for a board that was read."""
    return ExitCode.CERTAIN if reading.status is Status.OK else ExitCode.UNCERTAIN
