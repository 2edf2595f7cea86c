"""``brikks-scan stats``: who plays how well, in the terminal and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.history import Played, Player, Since, Until, filters
from brikks_vision.commands.terminal import (
    Database,
    Lang,
    complaints,
    new_app,
    note_saved,
    say,
    terminal_paint,
)
from brikks_vision.errors import OutputFormatUnknown, PlotPartsMissing
from brikks_vision.files import write_whole
from brikks_vision.games import default_layout, layout_of
from brikks_vision.record.database import open_record_to_read
from brikks_vision.record.results import list_results
from brikks_vision.record.statistics import (
    accuracy_over_time,
    empty_shares,
    finished_sheets,
    games_played,
    of_last_game,
    player_stats,
    scores_over_time,
)
from brikks_vision.show.coach import lost_lines
from brikks_vision.show.history import stats_report
from brikks_vision.text.languages import texts_in

app = new_app()


@app.command()
def stats(
    player: Player = None,
    since: Since = None,
    until: Until = None,
    played: Played = None,
    png: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the plots and save them.")
    ] = None,
    db: Database = None,
    *,
    language: Lang,
) -> None:
    """Tell who played how often and how well, and which cells stay empty.

    Sheets that were photographed between the turns of a game count once, at their last. Of several
    games the one that was played last is told, or that of --game.
    """
    with complaints(language):
        if png is not None and png.suffix.lower() != ".png":
            raise OutputFormatUnknown(png, ".png")
        with open_record_to_read(db) as record:
            results = list_results(record, filters(player, since, until, played))
        sheets = finished_sheets(of_last_game(results))
        layout = layout_of(sheets[-1].reading) if sheets else default_layout()
        lines, shares = scores_over_time(sheets), empty_shares(sheets, layout.grid)
        players = player_stats(sheets)
        coached = {"lost": lost_lines(sheets, language), "accuracy": accuracy_over_time(sheets)}
        if png is not None:
            try:
                from brikks_vision.show import plots
            except ModuleNotFoundError as error:
                raise PlotPartsMissing(error.name or "matplotlib") from None
            write_whole(png, plots.png(plots.stats_plot(lines, coached, shares, layout, language)))
            note_saved(png, language)
        others = games_played(results)[1:]
        if others:
            words = texts_in(language).report["stats_of"]
            say(words.format(game=layout.title, others=", ".join(others)) + "\n")
        say(stats_report(players, lines, coached, shares, layout, language, terminal_paint()))
