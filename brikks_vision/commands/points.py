"""``brikks-scan points``: what a player has won, from a photo of their chips and blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.options import Json, Lang, new_app
from brikks_vision.commands.photos import picture_paths
from brikks_vision.commands.terminal import complaints, say, terminal_paint
from brikks_vision.errors import ExitCode
from brikks_vision.reading import Status
from brikks_vision.text.display import json_line
from brikks_vision.text.languages import language_of_locale

app = new_app()


@app.command()
def points(
    photo: Annotated[
        Path,
        typer.Argument(metavar="PHOTO", help="Their chips, face up, and blocks on a table."),
    ],
    as_json: Json = False,
    annotate: Annotated[
        Path | None,
        typer.Option(metavar="OUT.jpg",
                     help="Draw what was read on the photo and save it."),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(metavar='"PLACE=THING"',
                     help='What lies there, such as "thing 3=chip 4".'),
    ] = None,
    lang: Lang = None,
) -> None:  # fmt: skip
    """Add up the chips and count the blocks of a player in a photo."""
    language = str(lang or language_of_locale())
    from brikks_vision.decode.answers import split_answers
    from brikks_vision.pipeline import count_points

    with complaints(language, photo):
        (picture,) = picture_paths(annotate, [photo], [photo])
        said = split_answers(answer or (), "thing 3=chip 4")
        reading, seen = count_points(photo, answers=said)
        if picture:
            from brikks_vision.show.board import draw_points
            from brikks_vision.show.overlay import save_image

            save_image(draw_points(seen.image, reading.labels), picture)
    if as_json:
        say(json_line(reading.to_dict()))
    else:
        from brikks_vision.show.board import points_report

        say(points_report(reading, language, terminal_paint()))
    raise typer.Exit(ExitCode.CERTAIN if reading.status is Status.OK else ExitCode.UNCERTAIN)
