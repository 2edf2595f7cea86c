"""``brikks-scan stats``: who plays how well, in the terminal and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands import terminal
from brikks_vision.commands.history import Played, Player, Since, Until, filters
from brikks_vision.errors import OutputFormatUnknown, PlotPartsMissing
from brikks_vision.files import write_whole
from brikks_vision.games import default_layout, layout_of
from brikks_vision.record import database, statistics
from brikks_vision.record.results import list_results
from brikks_vision.show import coach, history
from brikks_vision.text.languages import texts_in

app = terminal.new_app()


@app.command()
def stats(
    player: Player = None,
    since: Since = None,
    until: Until = None,
    played: Played = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE.png", help="stats png")] = None,
    db: terminal.Database = None,
    *,
    language: terminal.Lang,
) -> None:
    """Tell who played how often and how well, and which cells stay empty.

    Sheets that were photographed between the turns of a game count once, at their last. Of several
    games the one that was played last is told, or that of --game.
    """
    with terminal.complaints(language):
        if png is not None and png.suffix.lower() != ".png":
            raise OutputFormatUnknown(png, ".png")
        with database.open_record_to_read(db) as record:
            results = list_results(record, filters(player, since, until, played))
        sheets = statistics.finished_sheets(statistics.of_last_game(results))
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
        others = statistics.games_played(results)[1:]
        if others:
            words = texts_in(language).report["stats_of"]
            terminal.say(words.format(game=layout.title, others=", ".join(others)) + "\n")
        terminal.say(
            history.stats_report(
                players, lines, coached, shares, layout, language, terminal.terminal_paint()
            )
        )
