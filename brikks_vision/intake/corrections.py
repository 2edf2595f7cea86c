"""What a person says of single marks, and the sheet decoded anew with it.

The record keeps every correction as what stood at a place and what stands there now. Read in order
they give the answers that hold: of several for one place the last, and "read" takes one back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from brikks_vision import errors, games
from brikks_vision.codec import JsonObject
from brikks_vision.games.printings import printing_read_with, use
from brikks_vision.infer.answers import checked_answers
from brikks_vision.infer.costs import Decoded
from brikks_vision.infer.evidence import Evidence, evidence_from_json, evidence_json
from brikks_vision.infer.protocol import Game
from brikks_vision.intake.photos import thumbnail_of
from brikks_vision.layout import Layout
from brikks_vision.pipeline import ScanResult, localize, read_again
from brikks_vision.reading import GameSettings, Reading, ReadSheet, views
from brikks_vision.record import photos, results, rows
from brikks_vision.record.database import Record, snapshot, transaction
from brikks_vision.record.entries import Correction, PhotoFacts, Result


@dataclass(frozen=True)
class Said:
    """What a person says of a sheet; None, and a place without an answer, leave it as it stands.

    answers : by place of the contract ("cell 3,4"), the mark that stands there whatever the photo
    shows; `AS_READ` takes an answer back. known : of the game.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    known: GameSettings = field(default_factory=dict)


@dataclass(frozen=True)
class SheetNow:
    """A result as it stands, decoded in the language of whoever looks at it.

    view : what is shown of it. answers : by place, what a person said of it. evidence : with what
    is now said of the game.
    """

    result: Result
    reading: ReadSheet
    posterior: Decoded[object]
    view: views.SheetView
    evidence: Evidence
    answers: Mapping[str, str]


def sheet_now(record: Record, number: int, language: str) -> SheetNow:
    """The result of that number.

    Raises BoardWithoutPhoto: it is a board; ResultMissing, RecordNotWritable, RecordBusy,
    RecordDamaged.
    """
    with snapshot(record):
        result, made = results.get_result(record, number), results.corrections(record, number)
        if games.on_board(result.reading):
            raise errors.BoardWithoutPhoto(number)
        layout, game = games.layout_of(result.reading), games.game_of(result.reading)
        material = results.material_of(record, number)
        if material is not None:
            evidence = evidence_from_json(material.evidence, game.FORMER_KEYS)
        else:
            best = results.best_reading(record, number)
            evidence = games.game_of(best).evidence_of_reading(best, games.layout_of(best))
    answers, evidence = _folded(made, evidence, game)
    reading, posterior = _decoded(evidence, answers, layout, language)
    if result.reading.score is not None and reading.score != result.reading.score:
        # another version of this program read it: what it said then stands
        evidence = replace(
            game.evidence_of_reading(result.reading, layout), on_sheet=evidence.on_sheet
        )
        reading, posterior = _decoded(evidence, {}, layout, language)
        reading = replace(reading, score=result.reading.score)
    stands = replace(reading.as_of(result.reading), photo=result.photo.name)
    view = game.view(stands, layout, posterior.state)
    return SheetNow(result, stands, posterior, view, evidence, answers)


def correct_sheet(
    record: Record,
    number: int,
    said: Said,
    language: str,
    who: str = rows.UNNAMED,
    *,
    is_all_known: bool = False,
) -> None:
    """Let all that a person says of a sheet hold from now on, as one correction.

    Nothing is recorded where all of it holds already. A correction bears the name of the sheet's
    owner; ``who``: what it bears where nobody said whose the sheet is. is_all_known: what is not
    said of the game any more is taken back.

    Raises AnswerUnclear, AnswerOffSheet: there is no such place, or no such mark can stand there;
    SettingUnknown, UnknownValue, GameImpossible, ResultMissing, RecordFailure.
    """
    with transaction(record):
        now = sheet_now(record, number, language)
        layout, game = games.layout_of(now.reading), games.game_of(now.reading)
        given = {place: mark for place, mark in said.answers.items() if mark != rows.AS_READ}
        given = checked_answers(given, game, layout)
        places = [*given, *(place for place, mark in said.answers.items() if mark == rows.AS_READ)]
        answers = {at: mark for at, mark in now.answers.items() if at not in places} | given
        changes = {at: (mark_at(now, at), answers.get(at, rows.AS_READ)) for at in places}
        changes = {
            at: each for at, each in changes.items() if now.answers.get(at) != answers.get(at)
        }
        known = games.checked_settings(said.known, [layout.game])
        known = known if is_all_known else {**now.evidence.known, **known}
        changes |= _changes(now.evidence.known, known)
        if changes:
            evidence = replace(now.evidence, known=known)
            reading, _ = _decoded(evidence, answers, layout, language)
            reading = reading.as_of(now.reading)
            results.correct(record, number, reading, changes, now.result.player or who)


def carry_over(record: Record, number: int, language: str) -> None:
    """Let what was said of a sheet hold for the photo that is its best since.

    Each correction is decoded anew from what that photo shows. Settings of the game that were said
    with another photo of the sheet hold as well.

    Raises ResultMissing, RecordFailure.
    """
    with transaction(record):
        made = results.corrections(record, number)
        best = results.get_result(record, number)
        material = results.material_of(record, number)
        places = {place for each in made for place in each.changes}
        game = games.game_of(best.reading)
        fields = {*game.MARKS, *games.settings_of([game.NAME])}
        known = all(place.partition(" ")[0] in fields for place in places)
        if material is None or not known:  # what stands cannot be decoded anew
            return
        layout = games.layout_of(best.reading)
        read = results.best_reading(record, number)
        evidence = evidence_from_json(material.evidence, game.FORMER_KEYS)
        rewritten = []
        for count in range(1, len(made) + 1):
            answers, asked = _folded(made[:count], evidence, game)
            reading, _ = _decoded(asked, answers, layout, language)
            rewritten.append(reading.as_of(read))
        results.rewrite_corrections(record, number, rewritten)
        said: JsonObject = {}
        for text in results.kept_evidence_of(record, number):
            said |= evidence_from_json(text, game.FORMER_KEYS).known
        _, now = _folded(made, evidence, game)
        known_too = games.own_settings(game.NAME, {**said, **now.known})
        try:
            correct_sheet(record, number, Said(known=known_too), language)
        except errors.GameImpossible:
            return  # said with different photos, and at odds: the best one's hold


def answers_kept(record: Record, photo: PhotoFacts, seen: ScanResult) -> Mapping[str, str] | None:
    """What was said of a photo in the record; None if it is not there, or shows another board.

    A board that was learnt again under the same name, but from another side, is another board: its
    fields have other names.
    """
    number = _board_in(record, photo)
    if number is None:
        return None
    kept = results.get_result(record, number).reading
    is_same = _board_of(kept) == _board_of(seen.reading)
    return results.answers_of(results.corrections(record, number)) if is_same else None


def correct_board(
    record: Record, photo: PhotoFacts, seen: ScanResult, answers: Mapping[str, str], who: str
) -> None:
    """Keep a board that was read anew with all that is said of its fields.

    answers : all of them; they replace what was said before. photo : that the record has it from.

    Raises AnswerUnclear, AnswerOffSheet; BoardOfSeveralPhotos: it was read from more photos than
    ``seen``; RecordFailure.
    """
    said = games.board_of(seen.reading).canonical(answers)
    with transaction(record):
        number = _board_in(record, photo)
        if number is None:
            return
        stood = results.get_result(record, number).reading
        if stood.photos and stood.photos != seen.reading.photos:
            raise errors.BoardOfSeveralPhotos(number, ", ".join(stood.photos))
        things = {each.where: each.thing for each in games.board_of(stood).places(stood)}
        before = results.answers_of(results.corrections(record, number))
        changes = {
            place: (things.get(place, "?"), said.get(place, rows.AS_READ))
            for place in {**before, **said}
            if before.get(place) != said.get(place)
        }
        if changes:
            reading = replace(seen.reading, photo=stood.photo)
            results.correct(record, number, reading, changes, who, thumbnail_of(seen, "en"))


def carry_over_board(record: Record, number: int, seen: ScanResult) -> None:
    """Let what was said of a board hold for what several photos of it show. seen: without answers.

    Raises RecordFailure.
    """
    made = results.corrections(record, number)
    said = [results.answers_of(made[:count]) for count in range(1, len(made) + 1)]
    results.rewrite_corrections(record, number, [read_again(seen, each).reading for each in said])


def _board_in(record: Record, photo: PhotoFacts) -> int | None:
    """The result of the board that a photo shows; None where the record has no such result."""
    known = photos.find_photo(record, photo.sha256)
    for number in () if known is None else known.results:
        if games.on_board(results.get_result(record, number).reading):
            return number
    return None


def _board_of(reading: Reading) -> tuple[object, ...]:
    """What two readings on the same board have in common: names, and the colours of its fields."""
    places = games.board_of(reading).places(reading)
    return (reading.game, reading.sheet, *(place.ground for place in places))


def mark_at(now: SheetNow, place: str) -> str:
    """What stands at a place: a mark of the contract; "?" where something hides it.

    Raises AnswerUnclear, AnswerOffSheet: there is no such place.
    """
    layout, game = games.layout_of(now.reading), games.game_of(now.reading)
    probe = game.MARKS.get(place.partition(" ")[0], ("",))[0]
    ((place, _),) = checked_answers({place: probe}, game, layout).items()
    return "?" if place in now.reading.covered else game.marks(now.posterior.state)[place]


def _folded(
    made: Sequence[Correction], evidence: Evidence, game: Game
) -> tuple[dict[str, str], Evidence]:
    """The answers that count, and the evidence with what is said of the game."""
    said = {
        place: int(mark) if mark.isdecimal() else mark
        for correction in made
        for place, (_, mark) in correction.changes.items()
    }
    answers = {
        place: mark
        for place, mark in results.answers_of(made).items()
        if place.partition(" ")[0] in game.MARKS
    }
    return answers, replace(
        evidence, known=games.own_settings(game.NAME, {**evidence.known, **said})
    )


def _decoded(
    evidence: Evidence, answers: Mapping[str, str], layout: Layout, language: str
) -> tuple[ReadSheet, Decoded[object]]:
    use(layout)
    printed = (layout.game, layout.name, layout.printing)
    reading, posterior = _decoded_text(
        evidence_json(evidence), tuple(sorted(answers.items())), printed
    )
    return localize(reading, language), posterior


@lru_cache(64)  # sheets whose decoding is not repeated
def _decoded_text(
    evidence: str, answers: tuple[tuple[str, str], ...], printed: tuple[str, str, str | None]
) -> tuple[ReadSheet, Decoded[object]]:
    layout: Any = printing_read_with(*printed)
    game = games.game_named(layout.game)
    kept = evidence_from_json(evidence, game.FORMER_KEYS)
    games.checked_settings(kept.known, [layout.game])
    return game.read("", kept, layout, dict(answers))


def _changes(before: GameSettings, now: GameSettings) -> dict[str, tuple[str, str]]:
    """By setting, what was said of it and what is said now; empty: nothing."""
    return {
        name: (str(before.get(name, "")), str(now.get(name, "")))
        for name in {**before, **now}
        if before.get(name) != now.get(name)
    }
