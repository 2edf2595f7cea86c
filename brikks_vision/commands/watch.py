"""``brikks-scan watch``: read every photo that arrives, say the score, record it, notify."""

from __future__ import annotations

import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands import terminal
from brikks_vision.commands.photos import check_player, printings_meant, tell_owner
from brikks_vision.errors import BrikksError, FolderMissing, NotifierMissing
from brikks_vision.games import game_title
from brikks_vision.intake import watcher
from brikks_vision.reading import Status
from brikks_vision.record import entries, photos
from brikks_vision.record.database import default_path, open_record
from brikks_vision.show.report import Paint, status_text
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import visible

MAX_WAIT = 5.0  # seconds for the notifier to take a message

_SCRIPT = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)


def find_notifier() -> str:
    """The program that shows notifications; raises NotifierMissing."""
    for name in ("notify-send", "osascript"):
        if (found := shutil.which(name)) is not None:
            return found
    raise NotifierMissing


def notify(notifier: str, title: str, text: str) -> None:
    """Show a notification; one that the system refuses is left out, for the terminal tells too."""
    if "osascript" in notifier:
        lines = [word for line in _SCRIPT for word in ("-e", line)]
        command = [notifier, *lines, title, text]
    else:
        command = [notifier, "--app-name=brikks-scan", "--", title, text]
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(command, check=False, capture_output=True, timeout=MAX_WAIT)


app = terminal.new_app()


@app.command(name="watch", cls=terminal.WithSettings)
def watch_folders(
    options: typer.Context,
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER", help="watch folders")],
    player: Annotated[str | None, typer.Option(metavar="NAME", help="watch player")] = None,
    should_notify: Annotated[bool, typer.Option("--notify", help="watch notify")] = False,
    poll: Annotated[bool, typer.Option("--poll", help="watch poll")] = False,
    sheet: terminal.SheetOption = None,
    db: terminal.Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """Read every photo that arrives in a folder, say the score at once, and record it.

    Photos that are there already are read first. Each is read once, whatever its name, also after
    a restart; photos without a sheet are passed over. Nothing in the folder is ever changed.
    """
    words = texts_in(language).report
    database = default_path() if db is None else db
    try:
        check_player(player)
        settings = terminal.said_of_game(options)
        printings_meant(None, sheet)
        for folder in folders:
            if not folder.is_dir():
                raise FolderMissing(folder)
        with open_record(database) as record:
            known = photos.count_photos(record)
        with watcher.only_watcher(database):
            notifier = _notifier(language) if should_notify else None
            names = ", ".join(visible(folder.resolve()) for folder in folders)
            terminal.note(words["watching"].format(folder=names, count=known))
            # Services are ended so; it is the same as Ctrl-C.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            watcher.watch(
                folders,
                database,
                watcher.Settings(player, settings, sheet, language),
                _teller(language, notifier),
                watcher.polled() if poll else watcher.notified(folders),
            )
    except KeyboardInterrupt:
        terminal.note(f"\n{words['watch_ended'].format(path=visible(database))}")


def told_line(told: watcher.NewResult, language: str, paint: Paint) -> str:
    """A result in one line: photo, player, game, total, how sure, rank."""
    words = texts_in(language).report
    reading, result = told.result.reading, told.result
    style = "sure" if reading.status is Status.OK else "unsure"
    parts = [
        paint(visible(told.photo.name) + (f" #{reading.index + 1}" * bool(reading.index)), "bold"),
        visible(result.player or ""),
        game_title(result.played),
        "" if result.total is None else f"{words['total']} {result.total}",
        paint(status_text(reading, language), style),
        reading.rank or "",
        words["watch_same"].format(number=result.id) if told.is_known else "",
    ]
    return "  ".join(part for part in parts if part)


def _notifier(language: str) -> str | None:
    try:
        return find_notifier()
    except BrikksError as error:
        terminal.complain(None, error, language)
        return None


def _teller(language: str, notifier: str | None) -> watcher.Tell:
    words, paint = texts_in(language).report, terminal.terminal_paint()

    def tell(news: watcher.News) -> None:
        if isinstance(news, watcher.Failure):
            terminal.complain(news.photo, news.error, language)
        elif isinstance(news, watcher.Recovered):
            back = words["record_back" if news.folder is None else "folder_back"]
            terminal.note(f"brikks-scan: {back.format(folder=visible(news.folder))}")
        elif isinstance(news, entries.OwnerConflict):
            tell_owner(news, language)
        else:
            terminal.say(told_line(news, language, paint))
            if notifier is not None:
                result, title = news.result, game_title(news.result.played)
                figure = title if result.total is None else result.total
                total = f"{visible(result.player or words['total'])}: {figure}"
                state = status_text(result.reading, language)
                notify(notifier, total, f"{state}. {result.reading.rank or ''}".strip())

    return tell
