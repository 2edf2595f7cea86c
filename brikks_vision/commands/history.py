"""``brikks-scan history`` and ``stats``: what was recorded, corrected, saved; who plays best."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands import terminal
from brikks_vision.commands.terminal import Database, Json
from brikks_vision.errors import NothingSaid, OutputFormatUnknown, PlotPartsMissing, UnknownValue
from brikks_vision.files import write_whole
from brikks_vision.games import GAMES, default_layout, game_named, layout_of, on_board
from brikks_vision.infer.answers import parse_answers
from brikks_vision.intake.corrections import Said, correct_sheet, sheet_now
from brikks_vision.intake.teaching import keep_corrected
from brikks_vision.pipeline import localize
from brikks_vision.record import changes, entries, results, statistics
from brikks_vision.record.database import (
    back_up,
    open_existing_record,
    open_record_to_read,
    restore,
    transaction,
)
from brikks_vision.show import coach
from brikks_vision.show.covered import answer_said
from brikks_vision.show.history import (
    corrections_text,
    history_table,
    results_csv,
    results_jsonl,
    stats_report,
)
from brikks_vision.text import languages, phrases

app, stats_app = terminal.new_app(), terminal.new_app()

PLAYED = tuple(GAMES)
_JPEG_SUFFIXES = (".jpg", ".jpeg")

Number = Annotated[int, typer.Argument(metavar="N", min=1, help="history number")]

Player = Annotated[str | None, typer.Option(metavar="NAME", help="history player")]
Played = Annotated[
    str | None, typer.Option("--game", metavar="|".join(PLAYED), help="history game")
]
Since = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="history since")
]
Until = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="history until")
]


def filters(
    player: str | None, since: datetime | None, until: datetime | None, played: str | None = None
) -> entries.Filters:
    """The filters that the options ask for; raises UnknownValue."""
    if played is not None and played not in PLAYED:
        raise UnknownValue("--game", played, ", ".join(PLAYED))
    return entries.Filters(player, since and since.date(), until and until.date(), played=played)


@app.callback(invoke_without_command=True)
def history(
    options: typer.Context,
    player: Player = None,
    since: Since = None,
    until: Until = None,
    played: Played = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="history csv")] = None,
    jsonl: Annotated[Path | None, typer.Option(metavar="FILE", help="history jsonl")] = None,
    db: Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """List what was recorded, oldest first, or save it for other programs."""
    if options.invoked_subcommand is not None:
        return
    with open_record_to_read(db) as record:
        found = results.list_results(record, filters(player, since, until, played))
        if csv is not None:
            _save(csv, results_csv(found), language)
        if jsonl is not None:
            _save(jsonl, results_jsonl(found, partial(results.corrections, record)), language)
    if csv is None and jsonl is None:
        print(history_table(found, language, terminal.terminal_paint()))


@app.command()
def show(
    number: Number,
    as_json: Json = False,
    picture: Annotated[Path | None, typer.Option(metavar="OUT.jpg", help="history picture")] = None,
    db: Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """Show one result with its corrections."""
    with open_record_to_read(db) as record:
        result, made = results.get_result(record, number), results.corrections(record, number)
        has_fields = on_board(result.reading) is not None
        reading = localize(
            result.reading if has_fields else sheet_now(record, number, language).reading, language
        )
        if picture is not None:
            _save_picture(picture, results.thumbnail(record, number), language)
        if as_json:
            shown = replace(result, reading=reading) if has_fields else result
            terminal.say(results_jsonl([shown], lambda _: made).decode().rstrip())
            return
        terminal.say(
            history_table([result], language, terminal.terminal_paint(), is_counted=False) + "\n"
        )
        terminal.show(reading, language, referee=True)
        if made:
            terminal.say("\n" + corrections_text(made, reading, language))
        if not has_fields:
            terminal.say("\n" + terminal.legend(language, [result.played]))


@app.command(cls=terminal.WithSettings)
def edit(
    options: typer.Context,
    number: Number,
    player: Annotated[str | None, typer.Option(metavar="NAME", help="history edit player")] = None,
    answer: Annotated[
        list[str] | None, typer.Option(metavar='"PLACE=MARK"', help="history answer")
    ] = None,
    db: Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """Say whose a sheet is, what stands on it, or what was played."""
    said = Said({}, terminal.said_of_game(options))
    if player is None and not answer and said == Said():
        raise NothingSaid(number)
    with open_existing_record(db) as record, transaction(record):
        if answer or said != Said():
            layout = layout_of(sheet_now(record, number, language).reading)
            answers = parse_answers(answer or [], game_named(layout.game), layout)
            correct_sheet(
                record, number, replace(said, answers=answers), language, terminal.PROGRAM
            )
            keep_corrected(record, number)
        if player is not None:
            results.assign_player(record, number, player, terminal.PROGRAM)
        changed = results.get_result(record, number)
    if answer:
        for where, mark in answers.items():
            terminal.note(answer_said(where, mark, layout, language))
    terminal.say(history_table([changed], language, terminal.terminal_paint(), is_counted=False))


@app.command()
def remove(number: Number, db: Database = None, *, language: terminal.Lang) -> None:
    """Remove a result."""
    with open_existing_record(db) as record:
        results.remove_result(record, number, terminal.PROGRAM)
    terminal.say(languages.texts_in(language).report["result_removed"].format(number=number))


@app.command(name="undo")
def undo_last(db: Database = None, *, language: terminal.Lang) -> None:
    """Undo the last change."""
    with open_existing_record(db) as record:
        undone = changes.undo(record)
    words, change = languages.texts_in(language).report, undone.change
    terminal.say(words[f"undone_{change.kind}"].format(number=change.number))
    for other in undone.beside:
        terminal.say(words["undone_beside"].format(number=change.number, other=other))


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="history file")],
    db: Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """Save the whole record as a file."""
    with open_record_to_read(db) as record:
        back_up(record, file)
    terminal.say(
        languages.texts_in(language).report["record_saved"].format(path=phrases.visible(file))
    )


@app.command(name="restore")
def restore_backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="history restore_backup file")],
    db: Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """Take a backup as the record; the present one is kept."""
    words = languages.texts_in(language).report
    kept = restore(file, db)
    terminal.say(words["record_restored"].format(path=phrases.visible(file)))
    if kept is not None:
        terminal.say(words["record_kept"].format(path=phrases.visible(kept)))


def _save_picture(path: Path, picture: bytes | None, language: str) -> None:
    """Raises OutputFormatUnknown, OutputNotWritable."""
    if path.suffix.lower() not in _JPEG_SUFFIXES:
        raise OutputFormatUnknown(path, ", ".join(_JPEG_SUFFIXES))
    if picture is not None:
        write_whole(path, picture)
        terminal.note_saved(path, language)


def _save(path: Path, content: bytes, language: str) -> None:
    """Raises OutputNotWritable."""
    if str(path) == "-":
        sys.stdout.write(content.decode("utf-8-sig"))
        return
    write_whole(path, content)
    terminal.note_saved(path, language)


@stats_app.command()
def stats(
    player: Player = None,
    since: Since = None,
    until: Until = None,
    played: Played = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE.png", help="stats png")] = None,
    db: Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """Tell who played how often and how well, and which cells stay empty.

    Sheets that were photographed between the turns of a game count once, at their last. Of several
    games the one that was played last is told, or that of --game.
    """
    if png is not None and png.suffix.lower() != ".png":
        raise OutputFormatUnknown(png, ".png")
    with open_record_to_read(db) as record:
        found = results.list_results(record, filters(player, since, until, played))
    sheets = statistics.finished_sheets(statistics.of_last_game(found))
    layout = layout_of(sheets[-1].reading) if sheets else default_layout()
    lines, shares = (
        statistics.scores_over_time(sheets),
        statistics.empty_shares(sheets, layout.grid),
    )
    players = statistics.player_stats(sheets)
    coached = {
        "lost": coach.lost_lines(sheets, language),
        "accuracy": statistics.accuracy_over_time(sheets),
    }
    if png is not None:
        try:
            from brikks_vision.show import plots
        except ModuleNotFoundError as error:
            raise PlotPartsMissing(error.name or "matplotlib") from None
        write_whole(png, plots.png(plots.stats_plot(lines, coached, shares, layout, language)))
        terminal.note_saved(png, language)
    others = statistics.games_played(found)[1:]
    if others:
        words = languages.texts_in(language).report["stats_of"]
        terminal.say(words.format(game=layout.title, others=", ".join(others)) + "\n")
    terminal.say(
        stats_report(players, lines, coached, shares, layout, language, terminal.terminal_paint())
    )
