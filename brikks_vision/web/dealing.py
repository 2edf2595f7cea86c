"""The sheets of a photo and the table that they lie on: which seat they get, what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from brikks_vision.intake.corrections import correct_game, sheet_now
from brikks_vision.reading import Known
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Dealt
from brikks_vision.record.tables import get_table, make_table, seat_results, table_of
from brikks_vision.web.service import Service


def deal_photo(
    service: Service, number: int | None, seat: int | None, results: Sequence[int], language: str
) -> tuple[int | None, Dealt]:
    """Deal the sheets of a photo; the table, None where they need none, and what lies where.

    number : of the table; None where a photo was sent without one: several sheets then get a
    table of their own, so that somebody says whose each is.

    Raises
    ------
    TableMissing, SeatMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with service.correcting, service.open() as record:
        if number is None:
            if len(results) < 2:
                return None, Dealt(())
            tables = {table_of(record, result) for result in results}
            number = tables.pop() if len(tables) == 1 else None
            number = make_table(record, ()) if number is None else number
        dealt = seat_results(record, number, results, seat)
        say_to_sheets(record, number, dealt.seated, language)
    return number, dealt


def table_address(number: int, dealt: Dealt, has_unread: bool) -> str:
    """Where to look at what became of a photo."""
    query = [("elsewhere", str(result)) for result in dealt.elsewhere]
    query += [("unread", "1")] if has_unread else []
    return f"/table/{number}{'?' if query else ''}{urlencode(query)}"


def say_to_sheets(record: Record, number: int, results: Sequence[int], language: str) -> None:
    """What the table knows of the game holds for its sheets; what it does not know stays."""
    now = get_table(record, number)
    for result in results:
        before = sheet_now(record, result, language).ink.known
        known = Known(
            now.players or before.players,
            now.level or before.level,
            now.variant or before.variant,
        )
        correct_game(record, result, known, language)
