"""``brikks-scan report``: the photos that are kept to teach, and packing them to give away."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from brikks_vision.commands.terminal import Database, Lang, complaints, new_app, note, say
from brikks_vision.errors import OutputExists, ResultNotKept
from brikks_vision.files import write_whole
from brikks_vision.games import game_title
from brikks_vision.record import database, results
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import visible

app = new_app()


@app.command()
def report(
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="N", min=1, help="report numbers")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="REPORT.zip", help="report output")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="report replace")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="report delete")] = False,
    keep_corrected: Annotated[
        Literal["yes", "no"] | None, typer.Option(help="report keep-corrected")
    ] = None,
    keep_print: Annotated[
        str | None, typer.Option(metavar="NAME", help="report keep-print")
    ] = None,
    db: Database = None,
    *,
    language: Lang,
) -> None:
    """Photos that are kept to teach: list them, delete them, pack them to give away."""
    with complaints(language):
        if keep_print is not None:
            with database.open_record_to_read(db) as record:
                _keep_print(record, numbers or [], keep_print, language)
        if output is not None:
            with database.open_record_to_read(db) as record:
                _pack(record, numbers or [], output, replace, language)
        elif delete or keep_corrected is not None:
            with database.open_existing_record(db) as record:
                if delete:
                    _delete(record, numbers or [], language)
                if keep_corrected is not None:
                    results.want_corrected(record, keep_corrected == "yes")
                    _say_wish(record, language)
        elif keep_print is None:
            with database.open_record_to_read(db) as record:
                _list(record, numbers or [], language)


def _pack(
    record: database.Record, numbers: Sequence[int], output: Path, is_replaced: bool, language: str
) -> None:
    """Raises OutputExists, OutputNotWritable, and as of `report_of`."""
    from brikks_vision.intake.teaching import report_of  # which imports OpenCV

    if output.exists() and not is_replaced:
        raise OutputExists(output)
    report, count = report_of(record, numbers, language)
    write_whole(output, report)
    words = texts_in(language).report["packed_one" if count == 1 else "packed"]
    note(words.format(count=count, path=visible(output)))


def _delete(record: database.Record, numbers: Sequence[int], language: str) -> None:
    """Raises ResultNotKept before anything is deleted."""
    kept = {each.result.id for each in results.kept_photos(record, numbers)}
    for number in numbers:
        if number not in kept:
            raise ResultNotKept(number)
    for number in sorted(kept):
        results.delete_kept(record, number)
        note(texts_in(language).report["kept_deleted"].format(number=number))


def _keep_print(record: database.Record, numbers: Sequence[int], name: str, language: str) -> None:
    """Raises as of `learn_kept` and `keep_printing`."""
    from brikks_vision.commands.sheet import tell_learnt
    from brikks_vision.games.printings import keep_printing
    from brikks_vision.intake.teaching import learn_kept  # which imports OpenCV

    learnt = learn_kept(record, numbers, name)
    tell_learnt(learnt, keep_printing(learnt.to_json(), name), language)


def _list(record: database.Record, numbers: Sequence[int], language: str) -> None:
    words = texts_in(language).report
    kept = results.kept_photos(record, numbers)
    for each in kept:
        read = each.read.score
        totals = [] if read is None else [f"{words['kept_read']} {read.total}"]
        totals += [] if each.total is None else [f"{words['kept_right']} {each.total}"]
        told = [f"{words['number']} {each.result.id}", game_title(each.result.played)]
        told += [visible(each.photo.name), *totals, f"{each.size // 1000} {words['kept_size']}"]
        say("  ".join(told))
    if not kept:
        say(words["kept_none"])
    _say_wish(record, language)


def _say_wish(record: database.Record, language: str) -> None:
    is_wanted = results.wants_corrected(record)
    note(texts_in(language).report[f"kept_corrected_{'on' if is_wanted else 'off'}"])
