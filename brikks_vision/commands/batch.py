"""``brikks-scan batch``: thousands of photos on all cores or on a cluster, to be stopped at will.

One line is said of each sheet. What a cluster or a table for analysis needs is imported only where
one is asked for.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import typer

from brikks_vision.commands import terminal
from brikks_vision.commands.photos import photo_files, printings_meant
from brikks_vision.errors import BrikksError, ClusterPartsMissing, ExitCode, OutputFormatUnknown
from brikks_vision.intake import batch as intake
from brikks_vision.intake.workers import available_cores
from brikks_vision.reading import Status
from brikks_vision.show.report import Paint, certainty
from brikks_vision.text import languages, phrases

SAVED_EVERY = 5.0  # seconds, of the table; the journal is written at once
SAVING_SHARE = 0.05  # of the time, at most, goes into writing the table

app = terminal.new_app()


@app.command(cls=terminal.WithSettings)
def batch(
    options: typer.Context,
    photos: Annotated[list[str], typer.Argument(metavar="FOLDER|PHOTO", help="batch photos")],
    csv: Annotated[Path | None, typer.Option(metavar="FILE.csv", help="batch csv")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, metavar="N", help="batch jobs")] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:8786", help="batch scheduler")
    ] = None,
    send: Annotated[bool, typer.Option("--send", help="batch send")] = False,
    parquet: Annotated[Path | None, typer.Option(metavar="DIR", help="batch parquet")] = None,
    sheet: terminal.SheetOption = None,
    *,
    language: terminal.Lang,
) -> None:
    """Read thousands of photos, on all cores.

    With --csv or --parquet, what is done is saved at once; stopped at any moment, the same command
    goes on there.
    """
    codes: set[ExitCode] = set()
    done: dict[intake.Source, intake.PhotoLines] = {}
    files: list[intake.Source] = []
    started = time.monotonic()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        settings: intake.Settings = (terminal.said_of_game(options), language, sheet)
        printings_meant(None, sheet)
        if csv is not None and csv.suffix.lower() != ".csv":
            raise OutputFormatUnknown(csv, ".csv")
        with _extra_parts(scheduler or parquet):
            files, urls = _sources(photos, scheduler is not None, codes, language)
            with _kept(csv, parquet, files, settings, done) as (read_before, keep):
                if scheduler is None:
                    local = [file for file in files if isinstance(file, Path)]
                    read = intake.read_photos(
                        local, jobs or available_cores(), settings, read_before
                    )
                else:
                    kept = _journal_of(csv, parquet)
                    read = _on_cluster(
                        files, (scheduler, send, jobs), settings, (read_before, kept, urls)
                    )
                _read_all(read, len(files), keep, language)
    except KeyboardInterrupt:
        codes.add(ExitCode.UNREADABLE)
    except BrikksError as error:
        terminal.complain(None, error, language)
        codes.add(error.exit_code)
    if done:
        terminal.say(
            "\n".join(["", *summary(list(done.values()), time.monotonic() - started, language)])
        )
    if len(done) < len(files):
        key = "batch_stopped" if csv is None and parquet is None else "batch_stopped_saved"
        terminal.say(languages.texts_in(language).report[key].format(count=len(files) - len(done)))
    codes |= {photo.code for photo in done.values()}
    raise typer.Exit(terminal.first_of(codes))


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """To be ended is to be interrupted: save, and leave no process behind."""
    raise KeyboardInterrupt


@contextmanager
def _extra_parts(wanted: object) -> Iterator[None]:
    """Raises ClusterPartsMissing where a package is missing that what is wanted needs."""
    try:
        yield
    except ModuleNotFoundError as error:
        if not wanted or (error.name or "").startswith("brikks_vision"):
            raise
        raise ClusterPartsMissing(error.name or "distributed") from None


def _sources(
    photos: Sequence[str], takes_urls: bool, codes: set[ExitCode], language: str
) -> tuple[list[intake.Source], dict[str, intake.Stamp]]:
    """The photos among the arguments, each once, and the stamps of those in stores."""
    sources: list[intake.Source] = []
    urls: dict[str, intake.Stamp] = {}
    for photo in photos:
        if not takes_urls or "://" not in photo:
            sources += photo_files([Path(photo)], codes, language)
            continue
        from brikks_vision.intake.cluster import photos_of_store

        try:
            of_store = photos_of_store(photo)
        except BrikksError as error:
            terminal.complain(None, error, language)
            codes.add(error.exit_code)
        else:
            urls |= of_store
            sources += of_store
    return list(dict.fromkeys(sources)), urls


def _on_cluster(
    files: Sequence[intake.Source],
    cluster: tuple[str, bool, int | None],
    settings: intake.Settings,
    known: tuple[intake.ReadBefore, Path | None, Mapping[str, intake.Stamp]],
) -> Generator[intake.PhotoLines, None, None]:
    """Read on a cluster. known: what was read, the journal, the stamps of photos in stores."""
    from brikks_vision.intake.cluster import Cluster, KnownPhotos, read_on_cluster

    read_before, kept, urls = known
    contents = {} if kept is None else intake.load_stamps(kept, settings)
    photos = KnownPhotos(read_before, contents, urls)
    return read_on_cluster(
        files,
        Cluster(*cluster),
        settings,
        photos,
        lambda note: terminal.complain(None, note, settings[1]),
    )


def _read_all(
    read: Generator[intake.PhotoLines, None, None],
    count: int,
    keep: Callable[[intake.PhotoLines], None],
    language: str,
) -> None:
    """Show and keep each photo at once."""
    paint = terminal.terminal_paint()
    with closing(read) as photos, terminal.progress(count) as advance:
        for photo in photos:
            keep(photo)
            for sheet in photo.sheets:
                terminal.say(sheet_text(photo.file, sheet, language, paint))
            advance()


def _journal_of(table: Path | None, parquet: Path | None) -> Path | None:
    """Where what is read is remembered: beside the table, else in the folder for analysis."""
    if table is not None:
        return intake.journal_of(table)
    if parquet is None:
        return None
    from brikks_vision.intake.parquet import JOURNAL

    return parquet / JOURNAL


@contextmanager
def _kept(
    table: Path | None,
    parquet: Path | None,
    files: Sequence[intake.Source],
    settings: intake.Settings,
    done: dict[intake.Source, intake.PhotoLines],
) -> Iterator[tuple[intake.ReadBefore, Callable[[intake.PhotoLines], None]]]:
    """What earlier runs kept, and a function that keeps a photo; the table is written at the end.

    Raises OutputNotWritable.
    """
    with ExitStack() as opened:
        keepers: list[Callable[[intake.PhotoLines], None]] = []
        if parquet is not None:
            keepers.append(opened.enter_context(_kept_rows(table, parquet, settings)))
        kept, read_before = _journal_of(table, parquet), {}
        if kept is not None:
            add = opened.enter_context(intake.journal(kept, settings))
            keepers.insert(0, lambda photo: add(photo) if is_to_keep(photo) else None)
            read_before = intake.load_journal(kept, settings, needs_rows=parquet is not None)
        keepers.append(lambda photo: done.update({photo.file: without_rows(photo)}))
        if table is not None:
            keepers.append(opened.enter_context(_kept_table(table, files, done)))

        def keep(photo: intake.PhotoLines) -> None:
            for each in keepers:
                each(photo)

        yield read_before, keep


def is_to_keep(photo: intake.PhotoLines) -> bool:
    return photo.is_new and photo.is_final


def without_rows(photo: intake.PhotoLines) -> intake.PhotoLines:
    """Without what is written at once, so that many of them need little memory."""
    return replace(photo, sheets=tuple(intake.SheetLine(sheet.values) for sheet in photo.sheets))


@contextmanager
def _kept_rows(
    table: Path | None, parquet: Path, settings: intake.Settings
) -> Iterator[Callable[[intake.PhotoLines], None]]:
    """A function that adds a photo to the folder for analysis.

    Of photos that were read before, rows that are missing there are taken from the journal.
    """
    from brikks_vision.intake.parquet import parquet_folder

    read_before: set[str] = set()
    with parquet_folder(parquet) as add:

        def keep(photo: intake.PhotoLines) -> None:
            if is_to_keep(photo):
                add(sheet.row for sheet in photo.sheets if sheet.row is not None)
            elif photo.is_final and photo.sha256 is not None:
                read_before.add(photo.sha256)

        yield keep
        if read_before:
            for sha256, rows in intake.journal_rows(
                _journal_of(table, parquet) or parquet, settings
            ):
                if sha256 in read_before:
                    add(rows)


@contextmanager
def _kept_table(
    table: Path, files: Sequence[intake.Source], done: Mapping[intake.Source, intake.PhotoLines]
) -> Iterator[Callable[[intake.PhotoLines], None]]:
    """A function that writes the table now and then; in the end it is written in any case."""
    before, saved, took = intake.read_table(table), time.monotonic(), 0.0

    def keep(photo: intake.PhotoLines) -> None:
        nonlocal saved, took
        started = time.monotonic()
        if started - saved > max(SAVED_EVERY, took / SAVING_SHARE):
            intake.write_table(table, files, done, before)
            saved = time.monotonic()
            took = saved - started

    try:
        yield keep
    finally:
        intake.write_table(table, files, done, before)


def sheet_text(file: intake.Source, sheet: intake.SheetLine, language: str, paint: Paint) -> str:
    """One sheet in one line."""
    words = languages.texts_in(language).report
    name = phrases.visible(f"{file} #{sheet.index + 1}" if sheet.index else file)
    if sheet.status is Status.UNREADABLE:
        error = phrases.visible(sheet.values["error"])
        return f"{name}     {paint(words['unreadable'], 'wrong')}: {error}"
    style = "sure" if sheet.status is Status.OK else "unsure"
    sure = certainty(
        sheet.status, sheet.values["total_least"], sheet.values["total_most"], language
    )
    if sheet.values["total"] is None:
        return f"{name}   {words['board']}  {paint(sure, style)}"
    total = paint(f"{sheet.values['total']:4d}", "bold")
    return f"{name} {total}   {paint(sure, style)}"


def summary(photos: Sequence[intake.PhotoLines], seconds: float, language: str) -> list[str]:
    """The table that ends a batch."""
    words = languages.texts_in(language).report
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
    return [*terminal.count_table(rows), f"  {took}"]
