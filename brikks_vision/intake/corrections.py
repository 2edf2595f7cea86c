"""What a person says of single marks, and the sheet decoded anew with it.

The record keeps every correction as what stood at a place and what stands there now. Read in order
they give the answers that hold: of several for one place the last, and "read" takes one back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from brikks_vision.decode.ink import Ink, ink_from_json, ink_json
from brikks_vision.errors import GameImpossible
from brikks_vision.games.brikks.answers import checked_answers
from brikks_vision.games.brikks.ink import FORMER_KEYS, ink_of_reading
from brikks_vision.games.brikks.posterior import Posterior
from brikks_vision.games.brikks.reading import read_ink
from brikks_vision.layout import load_layout
from brikks_vision.reading import Reading
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Correction, Result
from brikks_vision.record.results import (
    best_reading,
    correct,
    corrections,
    get_result,
    inks_of,
    material_of,
    rewrite_corrections,
)
from brikks_vision.record.rows import AS_READ, GAME_FIELDS, UNNAMED
from brikks_vision.rules.brikks.referee import ImpossibleGameError
from brikks_vision.rules.brikks.sheet import Sheet, load_sheet

_MARK_KINDS = ("cell", "energy", "box", "bomb")
_REMEMBERED = 64  # sheets whose decoding is not repeated


@dataclass(frozen=True)
class Said:
    """What a person says of a sheet; None, and a place without an answer, leave it as it stands.

    answers : by place of the contract ("cell 3,4"), the mark that stands there.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    players: int | None = None
    level: int | None = None
    variant: str | None = None


@dataclass(frozen=True)
class SheetNow:
    """A result as it stands, decoded in the language of whoever looks at it.

    answers : by place, what a person said of it. ink : with what is now said of the game.
    """

    result: Result
    reading: Reading
    posterior: Posterior
    ink: Ink
    answers: Mapping[str, str]


def sheet_now(record: Record, number: int, language: str) -> SheetNow:
    """The result of that number.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordBusy, RecordDamaged
    """
    result = get_result(record, number)
    layout = result.reading.sheet or "brikks"
    sheet = load_sheet(layout)
    ink = _kept_ink(record, result, sheet)
    answers, ink = _folded(corrections(record, number), ink)
    reading, posterior = _decoded(ink, answers, layout, language)
    if reading.score != result.reading.score:
        # another version of this program read it: what it said then stands
        ink = replace(ink_of_reading(result.reading, sheet), on_sheet=ink.on_sheet)
        reading, posterior = _decoded(ink, {}, layout, language)
        reading = replace(reading, score=result.reading.score)
    stands = replace(
        reading,
        photo=result.photo.name,
        index=result.reading.index,
        corners=result.reading.corners,
        timing_ms=result.reading.timing_ms,
    )
    return SheetNow(result, stands, posterior, ink, answers)


def correct_mark(record: Record, number: int, place: str, mark: str, language: str) -> None:
    """Let ``mark`` stand at a place ("cell 3,4"), or `AS_READ`, whatever the photo shows.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
        There is no such place, or no such mark can stand there.
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    now = sheet_now(record, number, language)
    layout = now.reading.sheet or "brikks"
    before = mark_at(now.posterior, place)
    answers = dict(now.answers)
    if mark == AS_READ:
        answers.pop(place, None)
    else:
        ((place, mark),) = checked_answers({place: mark}, load_sheet(layout)).items()
        answers[place] = mark
    reading, _ = _decoded(now.ink, answers, layout, language)
    _save(record, now, reading, {place: (before, mark)})


def correct_game(
    record: Record,
    number: int,
    players: int | None,
    level: int | None,
    variant: str | None,
    language: str,
) -> None:
    """Say what the paper cannot; None takes it back.

    Raises
    ------
    GameImpossible
        No game has these players, this level and this variant.
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    now = sheet_now(record, number, language)
    layout = now.reading.sheet or "brikks"
    said = {"players": players, "level": level, "variant": variant}
    changes = {
        name: (_word(getattr(now.ink, name)), _word(value))
        for name, value in said.items()
        if getattr(now.ink, name) != value
    }
    if not changes:
        return
    ink = replace(now.ink, players=players, level=level, variant=variant)
    reading, _ = _decoded(ink, now.answers, layout, language)
    _save(record, now, reading, changes)


def correct_sheet(
    record: Record, number: int, said: Said, language: str, who: str = UNNAMED
) -> None:
    """Let all that a person says of a sheet hold from now on, as one correction.

    Nothing is recorded where all of it holds already. A correction bears the name of the sheet's
    owner; ``who``: what it bears where nobody said whose the sheet is.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet, GameImpossible
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    now = sheet_now(record, number, language)
    layout = now.reading.sheet or "brikks"
    answers = {
        place: mark
        for place, mark in checked_answers(said.answers, load_sheet(layout)).items()
        if now.answers.get(place) != mark
    }
    fields = {
        name: getattr(said, name)
        for name in GAME_FIELDS
        if getattr(said, name) not in (None, getattr(now.ink, name))
    }
    changes = {place: (mark_at(now.posterior, place), mark) for place, mark in answers.items()}
    changes |= {name: (_word(getattr(now.ink, name)), _word(fields[name])) for name in fields}
    if changes:
        ink = replace(now.ink, **fields)
        reading, _ = _decoded(ink, {**now.answers, **answers}, layout, language)
        _save(record, now, reading, changes, who)


def carry_over(record: Record, number: int, language: str) -> None:
    """Let what was said of a sheet hold for the photo that is its best since.

    Each correction is decoded anew from what that photo shows. Players, level and variant that
    were said with another photo of the sheet hold as well.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    made = corrections(record, number)
    best = get_result(record, number)
    material = material_of(record, number)
    places = {place for each in made for place in each.changes}
    known = all(place in GAME_FIELDS or place.partition(" ")[0] in _MARK_KINDS for place in places)
    if material is None or not known:  # what stands cannot be decoded anew
        return
    layout = best.reading.sheet or "brikks"
    read = best_reading(record, number)
    ink = ink_from_json(material.ink)
    rewritten = []
    for count in range(1, len(made) + 1):
        answers, asked = _folded(made[:count], ink)
        reading, _ = _decoded(asked, answers, layout, language)
        rewritten.append(_as_of(reading, read))
    rewrite_corrections(record, number, rewritten)
    said: dict[str, int | str | None] = dict.fromkeys(GAME_FIELDS)
    for other in map(ink_from_json, inks_of(record, number)):
        said |= {name: getattr(other, name) or said[name] for name in GAME_FIELDS}
    _, now = _folded(made, ink)
    open_fields = {name: said[name] for name in GAME_FIELDS if getattr(now, name) is None}
    try:
        correct_sheet(record, number, Said(**open_fields), language)  # type: ignore[arg-type]
    except GameImpossible:
        return  # said with different photos, and at odds: the best one's hold


def mark_at(posterior: Posterior, place: str) -> str:
    """What stands at a place: "X" or ".", of energy its state.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
        There is no such place.
    """
    kind, _, numbers = place.partition(" ")
    probe = "used" if kind == "energy" else "X"
    checked_answers({place: probe}, posterior.state.sheet)
    at = [int(number) for number in numbers.split(",")]
    state = posterior.state
    if kind == "energy":
        return str(state.energy[at[0]])
    if kind == "cell":
        return "X" if (at[0], at[1]) in state.crossed else "."
    marks = state.bonus if kind == "box" else state.bombs
    return "X" if marks[at[0]] else "."


def _save(
    record: Record,
    now: SheetNow,
    reading: Reading,
    changes: Mapping[str, tuple[str, str]],
    who: str = UNNAMED,
) -> None:
    who = now.result.player or who
    correct(record, now.result.id, _as_of(reading, now.reading), changes, who)


def _as_of(reading: Reading, read: Reading) -> Reading:
    """A reading that was decoded anew, with what is known of the photo from the first one."""
    return replace(
        reading,
        photo=read.photo,
        index=read.index,
        corners=read.corners,
        timing_ms=read.timing_ms,
    )


def _kept_ink(record: Record, result: Result, sheet: Sheet) -> Ink:
    material = material_of(record, result.id)
    if material is None:
        return ink_of_reading(best_reading(record, result.id), sheet)
    return ink_from_json(material.ink, FORMER_KEYS)


def _folded(made: Sequence[Correction], ink: Ink) -> tuple[dict[str, str], Ink]:
    """The answers that hold, and the ink with what is said of the game."""
    answers: dict[str, str] = {}
    said: dict[str, int | str | None] = {}
    for correction in made:
        for place, (_, mark) in correction.changes.items():
            if place in GAME_FIELDS:
                said[place] = int(mark) if mark.isdecimal() else mark or None
            elif mark == AS_READ:
                answers.pop(place, None)
            elif place.partition(" ")[0] in _MARK_KINDS:
                answers[place] = mark
    return answers, replace(ink, **said)  # type: ignore[arg-type]


def _decoded(
    ink: Ink, answers: Mapping[str, str], layout: str, language: str
) -> tuple[Reading, Posterior]:
    return _decoded_text(ink_json(ink), tuple(sorted(answers.items())), layout, language)


@lru_cache(_REMEMBERED)
def _decoded_text(
    ink: str, answers: tuple[tuple[str, str], ...], layout: str, language: str
) -> tuple[Reading, Posterior]:
    known = ink_from_json(ink, FORMER_KEYS)
    try:
        return read_ink("", known, load_layout(layout), language, dict(answers))
    except ImpossibleGameError:
        said = {"players": known.players, "level": known.level, "variant": known.variant}
        words = [f"{name} {value}" for name, value in said.items() if value is not None]
        raise GameImpossible(", ".join(words)) from None


def _word(value: int | str | None) -> str:
    return "" if value is None else str(value)
