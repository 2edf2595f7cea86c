"""Boards in the record: results without a score, each photo one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from brikks_vision.errors import ResultMissing
from brikks_vision.games.blox.reading import BloxReading, PawnReading, TowerReading
from brikks_vision.reading import Status
from brikks_vision.reading.views import FieldDoubt
from brikks_vision.record.changes import undo
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Added, Filters, SheetReading
from brikks_vision.record.photos import add_photo, find_photo, forget_photo
from brikks_vision.record.questions import list_questions
from brikks_vision.record.results import (
    answers_of,
    assign_player,
    correct,
    corrections,
    get_result,
    list_results,
    remove_result,
    thumbnail,
)
from brikks_vision.record.statistics import finished_sheets, games_played, of_last_game
from brikks_vision.record.tables import list_games
from tests.recorded_sheets import START, photo

READ = BloxReading(
    photo="board.jpg",
    status=Status.UNCERTAIN,
    game="blox",
    sheet="mine",
    doubts=(FieldDoubt("field 3,4", "nothing", 0.6, None, "blue"),),
    corners=((1.0, 2.0), (90.0, 3.0), (92.0, 88.0), (2.0, 91.0)),
    fields=("wgpbwgpbw",) * 9,
    towers=(TowerReading((0, 1), 2, (None, "grey"), 0.99),),
    phase=(1, 2),
)
ANSWERED = replace(READ, status=Status.OK, doubts=(), pawns=(PawnReading((3, 4), "blue", 1.0),))
PICTURE, OTHER_PICTURE = b"\xff\xd8 as read", b"\xff\xd8 as said"
SHOT = photo("IMG_1.jpg")


def add(record: Record, name: str = "IMG_1.jpg", minutes: float = 0) -> Added:
    return add_photo(record, photo(name, minutes), [SheetReading(READ, PICTURE)], "Anna")


def say_blue(record: Record) -> None:
    changes = {"field 3,4": ("nothing", "blue")}
    correct(record, 1, replace(ANSWERED, photo=SHOT.name), changes, "Ben", OTHER_PICTURE)


def test_a_board_is_kept_with_all_that_was_read(record: Record) -> None:
    assert (add(record).results, add(record, "copy.jpg", 1).is_new) == ((1,), True)
    board = get_result(record, 1)
    assert (board.reading, board.photo) == (replace(READ, photo="IMG_1.jpg"), SHOT)
    assert (board.player, board.played, board.total) == ("Anna", "blox", None)
    assert thumbnail(record, 1) == PICTURE
    assert not add(record).is_new


def test_two_photos_of_one_position_are_two_results(record: Record) -> None:
    assert add(record).results == (1,)
    assert add(record, "IMG_2.jpg", 1).results == (2,)
    assert list_questions(record) == ()


def test_lists_are_filtered_by_game(record: Record) -> None:
    add(record, "late.jpg", 9)
    add_photo(record, photo("sheet.jpg", 5), [SheetReading(START)], "Anna")
    assert [each.id for each in list_results(record)] == [2, 1]
    for played, numbers in (("blox", [1]), ("brikks", [2]), ("bloxx", [])):
        found = list_results(record, Filters(played=played))
        assert [each.id for each in found] == numbers


def test_a_board_has_no_part_in_points(record: Record) -> None:
    add_photo(record, photo("sheet.jpg"), [SheetReading(START)], "Anna")
    add(record, "last.jpg", 9)
    results = list_results(record)
    assert games_played(results) == ("brikks",)
    assert [each.id for each in finished_sheets(of_last_game(results))] == [1]
    assert list_games(record) == ()


def test_what_is_said_of_a_board_is_undone_with_its_picture(record: Record) -> None:
    add(record)
    before = get_result(record, 1)
    say_blue(record)
    said = get_result(record, 1)
    assert (said.reading, said.is_corrected) == (replace(ANSWERED, photo=SHOT.name), True)
    assert answers_of(corrections(record, 1)) == {"field 3,4": "blue"}
    assert thumbnail(record, 1) == OTHER_PICTURE
    undo(record)
    assert (get_result(record, 1), thumbnail(record, 1)) == (before, PICTURE)


def test_a_removed_board_comes_back(record: Record) -> None:
    add(record)
    say_blue(record)
    assign_player(record, 1, "Cleo")
    before = get_result(record, 1)
    remove_result(record, 1)
    assert forget_photo(record, SHOT.sha256)
    for ask in (get_result, thumbnail, remove_result):
        with pytest.raises(ResultMissing):
            ask(record, 1)
    assert add(record).results == (2,)  # no number is given twice
    assert undo(record).beside == (2,)
    assert [each.id for each in list_results(record)] == [1, 2]
    assert (get_result(record, 1), thumbnail(record, 1)) == (before, OTHER_PICTURE)
    known = find_photo(record, SHOT.sha256)
    assert known is not None and known.results == (2,)
