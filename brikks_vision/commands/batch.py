"""``brikks-scan batch``: thousands of photos on all cores or on a cluster, to be stopped at will.

One line is said of each sheet. What a cluster or a table for analysis needs is imported only where
one is asked for.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Generator, Iterator, Sequence
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
                    cores = jobs or available_cores()
                    read = intake.read_photos(local, cores, settings, read_before)
                else:
                    from brikks_vision.intake import cluster

                    kept = _journal_of(csv, parquet)
                    contents = {} if kept is None else intake.load_stamps(kept, settings)
                    read = cluster.read_on_cluster(
                        files,
                        cluster.Cluster(scheduler, send, jobs),
                        settings,
                        cluster.KnownPhotos(read_before, contents, urls),
                        lambda note: terminal.complain(None, note, language),
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
    """What earlier runs kept, and a function that keeps a photo.

    In the journal and for analysis it is kept at once. The table is written now and then, and in
    the end in any case. Rows of photos that were read before are taken from the journal then, if
    they are missing in the folder for analysis.

    Raises OutputNotWritable.
    """
    kept, known, saved, took = _journal_of(table, parquet), set[str](), time.monotonic(), 0.0
    with ExitStack() as opened:
        add_rows = add = None
        if parquet is not None:
            from brikks_vision.intake.parquet import parquet_folder

            add_rows = opened.enter_context(parquet_folder(parquet))
        if kept is not None:
            add = opened.enter_context(intake.journal(kept, settings))
        needs_rows = parquet is not None
        read_before = {} if kept is None else intake.load_journal(kept, settings, needs_rows)
        before = {} if table is None else intake.read_table(table)

        def save_table() -> None:
            if table is not None:
                intake.write_table(table, files, done, before)

        def keep(photo: intake.PhotoLines) -> None:
            nonlocal saved, took
            if photo.is_final and photo.is_new:
                if add is not None:
                    add(photo)
                if add_rows is not None:
                    add_rows(sheet.row for sheet in photo.sheets if sheet.row is not None)
            elif photo.is_final and photo.sha256 is not None:
                known.add(photo.sha256)
            # without what is written at once, so that many of them need little memory
            lines = tuple(intake.SheetLine(sheet.values) for sheet in photo.sheets)
            done[photo.file] = replace(photo, sheets=lines)
            started = time.monotonic()
            if started - saved > max(SAVED_EVERY, took / SAVING_SHARE):
                save_table()
                saved = time.monotonic()
                took = saved - started

        try:
            yield read_before, keep
        finally:
            save_table()
        if add_rows is not None and kept is not None and known:
            for sha256, rows in intake.journal_rows(kept, settings):
                if sha256 in known:
                    add_rows(rows)


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
