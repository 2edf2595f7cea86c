"""``brikks-scan game``: who won, and do the sheets fit together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brikks_vision import errors, games, layout
from brikks_vision.commands import terminal
from brikks_vision.commands.photos import numbered_sheet, photo_of, shown_in, with_standard_input
from brikks_vision.games.printings import printings_with
from brikks_vision.intake.folders import files_of
from brikks_vision.reading import PLAYERS, GameSettings, Reading
from brikks_vision.text.languages import texts_in

if TYPE_CHECKING:
    from brikks_vision.infer.protocol import Game
    from brikks_vision.pipeline import ScanResult
    from brikks_vision.record.database import Record

app = terminal.new_app()


@dataclass(frozen=True)
class Said:
    """What is said of a game. ``settings``: for each sheet, or for all. ``names``: or none.

    ``answers``: as they were written, by the number of the sheet, from 0.
    """

    settings: tuple[GameSettings, ...]
    names: tuple[str, ...]
    answers: Mapping[int, Sequence[str]]
    language: str
    printings: Sequence[layout.Printing]

    @property
    def players(self) -> int | None:
        """How many play."""
        count: int | None = self.settings[0].get(PLAYERS)
        return count

    @property
    def of_all(self) -> GameSettings:
        """The settings that are the same for all sheets, but for how many play."""
        first, *others = self.settings
        return {
            name: value
            for name, value in first.items()
            if name != PLAYERS and all(each.get(name) == value for each in others)
        }

    def of_sheet(self, number: int, players: int) -> GameSettings:
        """The settings of the sheet of that number, with so many players."""
        return {**self.settings[number % len(self.settings)], PLAYERS: players}


@dataclass(frozen=True)
class Seen:
    """One sheet: the photo that shows it, which one it is there, what was read or is wrong.

    ``answers``: what is said of it, as programs give it.
    """

    file: Path
    index: int
    result: ScanResult | errors.BrikksError
    answers: Mapping[str, str] = field(default_factory=dict)


@app.command(cls=terminal.WithSettings)
def game(
    options: typer.Context,
    photos: Annotated[list[Path], typer.Argument(metavar="PHOTO|FOLDER", help="game photos")],
    as_json: terminal.Json = False,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME,NAME...", help="game player", rich_help_panel=terminal.RECORD),
    ] = None,
    answer: Annotated[
        list[str] | None, typer.Option(metavar='"SHEET: PLACE=MARK"', help="game answer")
    ] = None,
    leave: Annotated[
        bool, typer.Option("--leave", help="game leave", rich_help_panel=terminal.RECORD)
    ] = False,
    sheet: terminal.SheetOption = None,
    database: terminal.Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """Rank the sheets of one game, and tell whether they can be of one game.

    What can differ from player to player, such as --level 1,2, takes one value for all, or one for
    each sheet: in the order of the photos, in one photo from left to right.
    """
    codes: set[errors.ExitCode] = set()
    with with_standard_input(photos) as given:
        files = [file for photo in given for file in files_of(photo)]
        _check_different(files)
        said = Said(
            _settings(terminal.settings_in(options), len(files)),
            _names(player),
            _answers(answer),
            language,
            printings_with("table", sheet),
        )
        count, sheets = _read_table(files, said)
        if player is not None or database is not None:
            from brikks_vision.record.database import open_record

            try:
                with open_record(database) as record:
                    results, sheets = _record_sheets(record, count, sheets, said)
                    _record_game(record, results, said, leave)
            except errors.BrikksError as error:
                terminal.complain(None, error, language)
                codes.add(error.exit_code)
        _tell(count, sheets, said, as_json, codes)
    raise typer.Exit(terminal.first_of(codes))


def _tell(
    players: int, sheets: Sequence[Seen], said: Said, as_json: bool, codes: set[errors.ExitCode]
) -> None:
    """Judge the sheets and print it; adds to the exit codes; raises SheetsOfDifferentGames."""
    from brikks_vision.pipeline import verdict_in_words
    from brikks_vision.show.comparison import game_report

    language = said.language
    readings: list[Reading] = []
    for sheet in sheets:
        if isinstance(sheet.result, errors.BrikksError):
            terminal.complain(numbered_sheet(sheet.file, sheet.index), sheet.result, language)
            codes.add(sheet.result.exit_code)
            error = sheet.result.text(language)
            readings.append(games.unreadable(sheet.file.name, error, sheet.index))
        else:
            readings.append(sheet.result.reading)
    layouts = [games.layout_of(each) for each in readings if each.sheet]
    table = games.game_of_all(layouts).table
    assert table is not None  # only sheets of such games are looked for
    verdict = table.read_game(
        [reading.photo for reading in readings],
        [
            None if isinstance(sheet.result, errors.BrikksError) else sheet.result.posterior
            for sheet in sheets
        ],
        layouts[0] if layouts else games.default_layout(),
        {**said.of_all, PLAYERS: players},
        [_name(number, said) for number in range(len(sheets))],
    )
    verdict = verdict_in_words(verdict, language)
    codes |= {
        *(terminal.exit_code(reading, referee=True) for reading in readings),
        terminal.verdict_code(verdict),
    }
    if as_json:
        terminal.print_json(*readings, verdict)
    else:
        terminal.say(game_report(readings, verdict, language, terminal.terminal_paint()))


# --- reading -------------------------------------------------------------------------------------


def _read_table(files: Sequence[Path], said: Said) -> tuple[int, list[Seen]]:
    """How many played, and every sheet, read with what is said of it.

    A photo can show several sheets, so their number is known only after a first reading. Photos are
    read again where it, or the level of a sheet, is not what they were read with.

    Raises SheetsNotOneGame, SettingsUnclear, PlayersUnclear, AnswerNamesNoSheet, AnswerUnclear,
    AnswerOffSheet, SheetsOfDifferentGames.
    """
    guess = said.players or max(2, len(files))
    # one photo may show all sheets, of any game
    _check_table(guess, max(2, len(files)), said, games.games_with("table"))
    is_of_photo = len(said.settings) == len(files)
    known = [said.of_sheet(n if is_of_photo else 0, guess) for n in range(len(files))]
    found: list[list[Seen]] = []
    with terminal.progress(len(files)) as advance:
        for file, of_photo in zip(files, known, strict=True):
            found.append(_read_sheets(file, of_photo, said))
            advance()
    count = sum(map(len, found))
    players = said.players or max(2, count)
    read = [sheet.result for shown in found for sheet in shown]
    game = games.game_of_all(
        games.layout_of(e.reading) for e in read if not isinstance(e, errors.BrikksError)
    )
    _check_said(players, count, said, game)
    sheets: list[Seen] = []
    for shown, of_photo in zip(found, known, strict=True):
        for sheet in shown:
            wanted = said.of_sheet(len(sheets), players)
            if of_photo != wanted and not isinstance(sheet.result, errors.BrikksError):
                sheet = _read_sheets(sheet.file, wanted, said)[sheet.index]
            sheets.append(_answered(sheet, said.answers.get(len(sheets), ()), said.language))
    return players, sheets


def _read_sheets(file: Path, known: GameSettings, said: Said) -> list[Seen]:
    found = shown_in([file], terminal.Context(said.language, known, said.printings))
    return [Seen(file, index, result) for index, result in enumerate(found)]


def _answered(sheet: Seen, words: Sequence[str], language: str) -> Seen:
    """The sheet decoded anew with the answers, whatever else its photo shows.

    Raises AnswerUnclear, AnswerOffSheet.
    """
    if not words or isinstance(sheet.result, errors.BrikksError):
        return sheet
    from brikks_vision.infer.answers import parse_answers
    from brikks_vision.pipeline import read_again

    before = sheet.result.reading
    checked = parse_answers(words, games.game_of(before), games.layout_of(before))
    return replace(sheet, result=read_again(sheet.result, checked, language), answers=checked)


# --- the record ----------------------------------------------------------------------------------


def _record_sheets(
    record: Record, players: int, sheets: Sequence[Seen], said: Said
) -> tuple[list[int], list[Seen]]:
    """Record the sheets that were read, with their answers.

    Returns the numbers of their results; the sheets as the record holds them. A sheet whose result
    was removed before, while its photo is known by others, has none.

    Raises RecordFailure, NotARecord, RecordTooNew.
    """
    from brikks_vision.intake import recording
    from brikks_vision.intake.corrections import Said as SaidOfSheet
    from brikks_vision.intake.corrections import correct_sheet
    from brikks_vision.intake.photos import sheet_reading
    from brikks_vision.pipeline import read_again
    from brikks_vision.record.results import assign_player

    language, held, results = said.language, list(sheets), list[int]()
    read = [
        (number, sheet, sheet.result)
        for number, sheet in enumerate(sheets)
        if not isinstance(sheet.result, errors.BrikksError)
    ]
    for file, of_photo in groupby(read, lambda each: each[1].file):
        shown, data = list(of_photo), file.read_bytes()
        facts = photo_of(file, data, language)
        alone = [read_again(result, {}, language) for *_, result in shown]
        kept = [sheet_reading(each, data, language) for each in alone]
        names = {_name(number, said) for number, *_ in shown}
        owner = names.pop() if len(names) == 1 else None
        recording.record_photo(
            record, facts, kept, owner, SaidOfSheet(), language, terminal.PROGRAM
        )
        for (number, sheet, seen), each in zip(shown, alone, strict=True):
            result = recording.result_of_sheet(record, facts.sha256, each)
            if result is None:
                continue
            if (name := _name(number, said)) is not None:
                assign_player(record, result, name)
            # Of a photo that was recorded before, what is said now holds.
            of_sheet = SaidOfSheet(sheet.answers, said.of_sheet(number, players))
            correct_sheet(record, result, of_sheet, language, terminal.PROGRAM)
            results.append(result)
            now = recording.as_recorded(record, result, seen, language)
            held[number] = replace(sheet, result=now)
    return results, held


def _record_game(record: Record, results: Sequence[int], said: Said, leaving: bool) -> None:
    """Keep that sheets are of one game. leaving : one that is in another game leaves it.

    Raises SheetsInOtherGame, RecordFailure.
    """
    from brikks_vision.record.tables import make_game

    words = texts_in(said.language).report
    if len(set(results)) < 2:
        terminal.note(words["game_too_small"])
        return
    number = make_game(record, results, said.of_all, leaving=leaving)
    terminal.note(words["game_recorded"].format(number=number))


# --- what is said --------------------------------------------------------------------------------


def _check_different(files: Sequence[Path]) -> None:
    """Raises SamePhotoTwice where two files hold the same bytes; PhotoMissing."""
    from hashlib import file_digest

    known: dict[bytes, Path] = {}
    for file in files:
        try:
            with file.open("rb") as photo:
                content = file_digest(photo, "sha256").digest()
        except OSError:
            raise errors.PhotoMissing(file) from None
        if content in known and file.stat().st_size:
            raise errors.SamePhotoTwice(known[content], file)
        known[content] = file


def _check_table(players: int, sheets: int, said: Said, played: Iterable[Game]) -> None:
    """Raises SheetsNotOneGame where none of the games has so many players and sheets."""
    known = {**said.of_all, PLAYERS: players}
    if not any(games.can_be_table(game, known, sheets) for game in played):
        raise errors.SheetsNotOneGame(sheets)


def _check_said(players: int, sheets: int, said: Said, game: Game) -> None:
    """Raises SheetsNotOneGame, SettingsUnclear, PlayersUnclear, AnswerNamesNoSheet."""
    for known in said.settings:
        games.checked_settings(known, [game.NAME], terminal.WRITTEN)
    _check_table(players, sheets, said, [game])
    if len(said.settings) not in (1, sheets):
        name = next(name for name in said.settings[0] if name not in said.of_all)
        values = ",".join(str(each[name]) for each in said.settings)
        raise errors.SettingsUnclear(name, values, sheets)
    if len(said.names) not in (0, sheets):
        raise errors.PlayersUnclear(",".join(said.names), sheets)
    for number in said.answers:
        if number not in range(sheets):
            raise errors.AnswerNamesNoSheet(number + 1)


def _settings(said: Mapping[str, str | None], photos: int) -> tuple[GameSettings, ...]:
    """What is said of all sheets, or of each of them.

    Raises UnknownValue, GameImpossible, SettingUnknown, SettingsUnclear.
    """
    played = games.games_with("table")
    names = [game.NAME for game in played]
    known = games.settings_of(names)
    counts = known[PLAYERS][1].values
    words: dict[str, list[str]] = {}
    for name, text in said.items():
        if not text or name not in known:
            continue
        setting = known[name][1]
        words[name] = [word.strip() for word in text.split(",")] if setting.is_each else [text]
        possible = [
            str(value)
            for value in setting.values
            if any(games.can_be_table(g, {name: value}, int(n)) for g in played for n in counts)
        ]
        for word in {*words[name]} - {*possible}:
            raise errors.UnknownValue(terminal.WRITTEN.format(name), word, ", ".join(possible))
    count = max(map(len, words.values()), default=1)
    for name, each in words.items():
        if len(each) not in (1, count):
            raise errors.SettingsUnclear(name, ",".join(each), photos)
    return tuple(
        games.checked_settings(
            {**said, **{name: each[n % len(each)] for name, each in words.items()}},
            names,
            terminal.WRITTEN,
        )
        for n in range(count)
    )


def _names(text: str | None) -> tuple[str, ...]:
    """Whose sheets these are, in their order; raises PlayerTwice, NameTooLong."""
    from brikks_vision.record.rows import checked_name, player_key

    names = () if text is None else tuple(checked_name(name) for name in text.split(","))
    known: dict[str, str] = {}
    for name in filter(None, names):
        if player_key(name) in known:
            raise errors.PlayerTwice(known[player_key(name)])
        known[player_key(name)] = name
    return names


def _name(number: int, said: Said) -> str | None:
    return said.names[number] or None if said.names else None


def _answers(words: Sequence[str] | None) -> Mapping[int, Sequence[str]]:
    """What is said of each sheet; raises AnswerNamesNoSheet."""
    by_sheet: dict[int, list[str]] = {}
    for word in words or ():
        number, colon, said = word.partition(":")
        if not colon or not number.strip().isdecimal():
            raise errors.AnswerNamesNoSheet(word)
        by_sheet.setdefault(int(number) - 1, []).append(said.strip())
    return by_sheet
