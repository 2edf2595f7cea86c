"""Tables: who sits where, whatever the order of the photos and whoever else is at it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from brikks_vision.errors import SeatMissing
from brikks_vision.reading import Reading
from brikks_vision.record import tables
from brikks_vision.record.database import Record, open_record
from brikks_vision.record.entries import Table
from brikks_vision.record.results import get_result, join_results, remove_result
from brikks_vision.web.seating import said_at
from tests.recorded_sheets import GROWN, OTHER, START, add_reading, photo

THREE = ("Anna", "Ben", "Cleo")


def added(record: Record, reading: Reading, player: str | None = None, name: str = "") -> int:
    """A result of a photo of its own."""
    return add_reading(record, photo(name or f"{id(reading)}.jpg"), reading, player=player)


def seats(table: Table) -> list[tuple[str | None, int | None]]:
    return [(seat.player, seat.result and seat.result.id) for seat in table.seats]


def test_a_sheet_goes_to_its_own_player_first(record: Record) -> None:
    number = tables.make_table(record, THREE)
    unnamed, of_ben = added(record, START), added(record, OTHER, "ben")
    tables.seat_results(record, number, [of_ben, unnamed])
    assert seats(tables.get_table(record, number)) == [
        ("Anna", unnamed),
        ("Ben", of_ben),
        ("Cleo", None),
    ]


def test_more_sheets_than_names_are_asked_for(record: Record) -> None:
    number = tables.make_table(record, ["Anna"])
    one, two = added(record, START), added(record, OTHER)
    tables.seat_results(record, number, [one, two])
    table = tables.get_table(record, number)
    assert seats(table) == [("Anna", one), (None, two)]
    assert said_at(table) == {}
    assert get_result(record, two).player is None
    tables.name_seat(record, number, table.seats[1].id, " Ben ")
    assert get_result(record, two).player == "Ben"
    assert said_at(tables.get_table(record, number)) == {"players": 2}


def test_a_photo_taken_for_one_seat_goes_there(record: Record) -> None:
    number = tables.make_table(record, THREE)
    first, second = added(record, START), added(record, OTHER)
    *_, cleo = tables.get_table(record, number).seats
    tables.seat_results(record, number, [first], cleo.id)
    assert seats(tables.get_table(record, number))[2] == ("Cleo", first)
    tables.seat_results(record, number, [second], cleo.id)
    assert seats(tables.get_table(record, number)) == [
        ("Anna", None),
        ("Ben", None),
        ("Cleo", second),
    ]
    assert get_result(record, first).player == "Cleo"  # her earlier photo stays hers
    again = tables.seat_results(record, number, [second])
    assert again.seated == (second,)
    assert seats(tables.get_table(record, number))[2] == ("Cleo", second)


def test_a_sheet_of_another_table_or_game_is_not_taken_without_asking(record: Record) -> None:
    here, there = tables.make_table(record, THREE), tables.make_table(record, ["Dora", "Emil"])
    one, two, three = (added(record, each) for each in (START, OTHER, GROWN))
    tables.seat_results(record, there, [one])
    game = tables.make_game(record, [two, three])
    dealt = tables.seat_results(record, here, [one, two])
    assert (dealt.seated, dealt.elsewhere) == ((), (one, two))
    assert tables.table_of(record, one) == there
    assert get_result(record, two).game == game
    tables.bring_result(record, here, one)
    tables.bring_result(record, here, two)
    assert tables.table_of(record, one) == tables.table_of(record, two) == here
    assert get_result(record, three).game is None  # one sheet is no game
    assert seats(tables.get_table(record, there))[0] == ("Dora", None)


def test_the_game_follows_its_table(record: Record) -> None:
    number = tables.make_table(record, ["Anna", "Ben"], {"level": 1})
    one, two, three = (added(record, each) for each in (START, OTHER, GROWN))
    tables.seat_results(record, number, [one, two])
    game = tables.finish_table(record, number)
    assert tables.finish_table(record, number) == game
    assert [each.id for each in tables.get_game(record, game).results] == [one, two]
    _, ben = tables.get_table(record, number).seats
    tables.seat_results(record, number, [three], ben.id)
    tables.say_table(record, number, {"level": 3, "variant": "duel"})
    found = tables.get_game(record, game)
    assert {each.id for each in found.results} == {one, three}
    assert found.settings == {"level": 3, "variant": "duel"}
    tables.remove_table(record, number)
    assert len(tables.get_game(record, game).results) == 2


def test_seats_come_and_go(record: Record) -> None:
    number = tables.make_table(record, ["Anna", "", "Ben"])
    sheet = added(record, START)
    tables.seat_results(record, number, [sheet])
    anna, ben = tables.get_table(record, number).seats
    tables.clear_seat(record, number, anna.id)
    assert seats(tables.get_table(record, number)) == [("Anna", None), ("Ben", None)]
    assert get_result(record, sheet).player == "Anna"
    tables.clear_seat(record, number, anna.id)
    tables.add_seat(record, number, "Cleo")
    tables.add_seat(record, number, "  ")
    assert seats(tables.get_table(record, number)) == [("Ben", None), ("Cleo", None)]
    with pytest.raises(SeatMissing):
        tables.clear_seat(record, number, anna.id)
    other = tables.make_table(record, ["Dora"])
    with pytest.raises(SeatMissing):
        tables.name_seat(record, other, ben.id, "Emil")


def test_a_removed_or_joined_result_leaves_no_hole(record: Record) -> None:
    number = tables.make_table(record, THREE)
    one, two, three = (added(record, each) for each in (START, OTHER, GROWN))
    tables.seat_results(record, number, [one, two])
    remove_result(record, one)
    assert seats(tables.get_table(record, number))[0] == ("Anna", None)
    join_results(record, [three, two])
    assert seats(tables.get_table(record, number))[1] == ("Ben", three)


def test_photos_of_several_phones_take_a_seat_each(record: Record) -> None:
    number = tables.make_table(record, ("1", "2", "3", "4"))
    sheets = [
        add_reading(record, photo(f"{each}.jpg", 90 * each), START, player=None)
        for each in range(4)
    ]

    def seat(sheet: int) -> None:
        with open_record(record.path) as other:
            tables.seat_results(other, number, [sheet])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(seat, sheets))
    assert sorted(each[1] or 0 for each in seats(tables.get_table(record, number))) == sorted(
        sheets
    )


def test_names_are_remembered_the_last_players_first(record: Record) -> None:
    tables.make_table(record, ["Dora", "Emil"])
    tables.make_table(record, ["Ben", "Anna"])
    added(record, START, "Zoë")
    assert tables.remembered_names(record, 10) == ("Ben", "Anna", "Dora", "Emil", "Zoë")
    assert tables.remembered_names(record, 2) == ("Ben", "Anna")
