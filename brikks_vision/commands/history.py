"""``brikks-scan history``: list and export what was recorded."""

from __future__ import annotations

import sys
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.app import Database, Lang, complain, new_app, terminal_paint
from brikks_vision.errors import BrikksError
from brikks_vision.files import write_whole
from brikks_vision.record.record import Filters, corrections, list_results, open_existing_record
from brikks_vision.show.history import history_table, results_csv, results_jsonl
from brikks_vision.text.display import visible
from brikks_vision.text.languages import language_of_locale, texts_in

app = new_app()

Player = Annotated[
    str | None, typer.Option(metavar="NAME", help="Only this player's.", show_default=False)
]
Since = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"],
        metavar="YYYY-MM-DD",
        help="Only photos taken on this day or later.",
        show_default=False,
    ),
]
Until = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"],
        metavar="YYYY-MM-DD",
        help="Only photos taken on this day or earlier.",
        show_default=False,
    ),
]


def filters(player: str | None, since: datetime | None, until: datetime | None) -> Filters:
    """The filters that the options ask for."""
    return Filters(player, since and since.date(), until and until.date())


@app.command()
def history(
    player: Player = None,
    since: Since = None,
    until: Until = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help='Save as CSV; "-": on stdout.', show_default=False),
    ] = None,
    jsonl: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='Save whole readings as JSON Lines; "-": on stdout.',
            show_default=False,
        ),
    ] = None,
    db: Database = None,
    lang: Lang = None,
) -> None:
    """List what was recorded, oldest first, or save it for other programs."""
    language = str(lang or language_of_locale())
    try:
        with open_existing_record(db) as record:
            results = list_results(record, filters(player, since, until))
            if csv is not None:
                _save(csv, results_csv(results), language)
            if jsonl is not None:
                _save(jsonl, results_jsonl(results, partial(corrections, record)), language)
        if csv is None and jsonl is None:
            print(history_table(results, language, terminal_paint()))
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(error.exit_code) from None


def _save(path: Path, content: bytes, language: str) -> None:
    """Raises OutputNotWritable."""
    if str(path) == "-":
        sys.stdout.write(content.decode("utf-8-sig"))
        return
    write_whole(path, content)
    saved = texts_in(language).report["history_saved"].format(path=visible(path))
    print(saved, file=sys.stderr)
