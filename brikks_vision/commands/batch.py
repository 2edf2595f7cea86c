"""``brikks-scan batch``: thousands of photos on all cores, one line each, to be stopped at will."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import typer

from brikks_vision.commands.options import (
    AnyVariant,
    Lang,
    Level,
    Players,
    SheetOption,
    check_game,
    new_app,
    said_of_game,
)
from brikks_vision.commands.photos import layouts_of_options, photo_files
from brikks_vision.commands.terminal import (
    complain,
    count_table,
    first_of,
    progress,
    say,
    terminal_paint,
)
from brikks_vision.errors import BrikksError, ExitCode, OutputFormatUnknown
from brikks_vision.intake.batch import (
    PhotoLines,
    ReadBefore,
    Settings,
    SheetLine,
    journal,
    journal_of,
    load_journal,
    read_photos,
    read_table,
    write_table,
)
from brikks_vision.reading import Status
from brikks_vision.show.report import Paint, certainty
from brikks_vision.text.display import visible
from brikks_vision.text.languages import language_of_locale, texts_in

SAVED_EVERY = 5.0  # seconds, of the table; the journal is written at once

app = new_app()


@app.command()
def batch(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER|PHOTO",
            help="Photos of filled sheets, or folders of them; folders below those are not read.",
            show_default=False,
        ),
    ],
    csv: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv",
            help="Save a table, a line a sheet; photos that it has are not read again "
            "(FILE.csv.jsonl beside it remembers them).",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="How many photos at once; else as many as cores.",
            show_default=False,
        ),
    ] = None,
    players: Players = None,
    level: Level = None,
    variant: AnyVariant = None,
    sheet: SheetOption = None,
    lang: Lang = None,
) -> None:
    """Read thousands of photos, on all cores.

    With --csv, what is done is saved at once; stopped at any moment, the same command goes on
    there.
    """
    language = str(lang or language_of_locale())
    settings: Settings = (said_of_game(players, level, variant), language, sheet)
    codes: set[ExitCode] = set()
    done: dict[Path, PhotoLines] = {}
    files: list[Path] = []
    started = time.monotonic()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        check_game(players, level, variant)
        layouts_of_options(None, sheet)
        if csv is not None and csv.suffix.lower() != ".csv":
            raise OutputFormatUnknown(csv, ".csv")
        files = list(dict.fromkeys(photo_files(photos, codes, language)))
        _read_all(files, jobs or cores(), settings, csv, done)
    except KeyboardInterrupt:
        codes.add(ExitCode.UNREADABLE)
    except BrikksError as error:
        complain(None, error, language)
        codes.add(error.exit_code)
    if done:
        say("\n".join(["", *summary(list(done.values()), time.monotonic() - started, language)]))
    if len(done) < len(files):
        key = "batch_stopped" if csv is None else "batch_stopped_saved"
        say(texts_in(language).report[key].format(count=len(files) - len(done)))
    codes |= {photo.code for photo in done.values()}
    raise typer.Exit(first_of(codes))


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """To be ended is to be interrupted: save, and leave no process behind."""
    raise KeyboardInterrupt


def _read_all(
    files: Sequence[Path],
    jobs: int,
    settings: Settings,
    table: Path | None,
    done: dict[Path, PhotoLines],
) -> None:
    """Read the photos into ``done``; show and keep each at once."""
    paint = terminal_paint()
    with (
        _kept(table, files, settings, done) as (known, keep),
        closing(read_photos(files, jobs, settings, known)) as photos,
        progress(len(files)) as advance,
    ):
        for photo in photos:
            keep(photo)
            for sheet in photo.sheets:
                say(sheet_text(photo.file, sheet, settings[1], paint))
            advance()


@contextmanager
def _kept(
    table: Path | None, files: Sequence[Path], settings: Settings, done: dict[Path, PhotoLines]
) -> Iterator[tuple[ReadBefore, Callable[[PhotoLines], None]]]:
    """What earlier runs kept, and a function that keeps a photo; the table is written at the end.

    Raises
    ------
    OutputNotWritable
    """
    if table is None:
        yield {}, lambda photo: done.update({photo.file: photo})
        return
    before, saved = read_table(table), time.monotonic()
    with journal(journal_of(table), settings) as add:

        def keep(photo: PhotoLines) -> None:
            nonlocal saved
            if photo.is_new and photo.is_final:
                add(photo)
            done[photo.file] = photo
            if time.monotonic() - saved > SAVED_EVERY:
                write_table(table, files, done, before)
                saved = time.monotonic()

        try:
            yield load_journal(journal_of(table), settings), keep
        finally:
            write_table(table, files, done, before)


def sheet_text(file: Path, sheet: SheetLine, language: str, paint: Paint) -> str:
    """One sheet in one line."""
    words = texts_in(language).report
    name = visible(f"{file} #{sheet.index + 1}" if sheet.index else file)
    if sheet.status is Status.UNREADABLE:
        return f"{name}     {paint(words['unreadable'], 'wrong')}: {visible(sheet.values['error'])}"
    total = paint(f"{sheet.values['total']:4d}", "bold")
    sure = certainty(
        sheet.status, sheet.values["total_least"], sheet.values["total_most"], language
    )
    return f"{name} {total}   {paint(sure, 'sure' if sheet.status is Status.OK else 'unsure')}"


def summary(photos: Sequence[PhotoLines], seconds: float, language: str) -> list[str]:
    """The table that ends a batch."""
    words = texts_in(language).report
    sheets = [sheet for photo in photos for sheet in photo.sheets]
    rows = [
        (words["batch_photos"], len(photos)),
        (words["batch_before"], sum(not photo.is_new for photo in photos)),
        (words["batch_sheets"], len(sheets)),
        *(
            (words[key], sum(sheet.status is status for sheet in sheets))
            for key, status in (
                ("batch_sure", Status.OK),
                ("batch_unsure", Status.UNCERTAIN),
                ("batch_unreadable", Status.UNREADABLE),
            )
        ),
    ]
    took = words["batch_time"].format(
        seconds=f"{seconds:.1f}", rate=f"{len(photos) / max(seconds, 1e-3):.1f}"
    )
    return [*count_table(rows), f"  {took}"]
