"""Boards in the record: each photo once; what a person says of fields holds; none is a result."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from brikks_vision.errors import BoardMissing, ChangeNotUndoable, RecordNotWritable
from brikks_vision.games.blox.told import BloxReading, PawnReading, TowerReading
from brikks_vision.reading import FieldDoubt, ReadBoard, Status
from brikks_vision.record.boards import (
    add_board,
    board_picture,
    find_board,
    get_board,
    list_boards,
    remove_board,
)
from brikks_vision.record.changes import list_changes, undo
from brikks_vision.record.copies import back_up, restore
from brikks_vision.record.database import Record, open_record, open_record_to_read
from brikks_vision.record.entries import ChangeKind
from brikks_vision.record.games import list_games
from brikks_vision.record.photos import count_photos
from brikks_vision.record.questions import list_questions
from brikks_vision.record.results import list_results, players
from brikks_vision.record.schema import APPLICATION_ID, SCHEMA_VERSION, SCHEMAS
from brikks_vision.record.tables import remembered_names
from tests.recorded_sheets import EVENING, photo

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
SAID = {"field 3,4": "blue"}
ANSWERED = replace(READ, status=Status.OK, doubts=(), pawns=(PawnReading((3, 4), "blue", 1.0),))
PICTURE, OTHER_PICTURE = b"\xff\xd8 as read", b"\xff\xd8 as said"
SHOT = photo("IMG_1.jpg")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.sqlite3"


@pytest.fixture
def record(path: Path) -> Iterator[Record]:
    with open_record(path) as opened:
        yield opened


def kept(record: Record, number: int = 1) -> tuple[ReadBoard, dict[str, str], bytes]:
    board = get_board(record, number)
    return board.reading, dict(board.answers), board_picture(record, number)


def test_a_board_is_kept_with_all_that_was_read(record: Record) -> None:
    added = add_board(record, SHOT, READ, PICTURE, player="Anna")
    assert (added.number, added.is_new) == (1, True)
    board = get_board(record, 1)
    assert board == find_board(record, SHOT.sha256)
    assert (board.reading, board.photo, board.player) == (
        replace(READ, photo="IMG_1.jpg"), SHOT, "Anna"
    )  # fmt: skip
    assert (board.answers, board_picture(record, 1)) == ({}, PICTURE)
    assert find_board(record, "0" * 64) is None


def test_boards_are_listed_by_the_time_of_their_photos(record: Record) -> None:
    for name, minutes in (("late.jpg", 9), ("early.jpg", 1), ("middle.jpg", 5)):
        add_board(record, photo(name, minutes), READ, PICTURE)
    assert [(each.id, each.photo.name) for each in list_boards(record)] == [
        (2, "early.jpg"), (3, "middle.jpg"), (1, "late.jpg")
    ]  # fmt: skip


def test_the_same_photo_again_is_not_doubled(record: Record) -> None:
    add_board(record, SHOT, READ, PICTURE)
    renamed = replace(SHOT, name="copy.jpg", taken=EVENING.replace(year=2027))
    again = add_board(record, renamed, ANSWERED, OTHER_PICTURE)
    assert (again.number, again.is_new) == (1, False)
    assert [each.photo for each in list_boards(record)] == [SHOT]
    assert kept(record) == (replace(READ, photo="IMG_1.jpg"), {}, PICTURE)


def test_answers_replace_what_is_kept_and_hold_without_others(record: Record) -> None:
    add_board(record, SHOT, READ, PICTURE)
    add_board(record, replace(SHOT, name="copy.jpg"), ANSWERED, OTHER_PICTURE, SAID)
    said = (replace(ANSWERED, photo="IMG_1.jpg"), SAID, OTHER_PICTURE)
    assert kept(record) == said
    add_board(record, SHOT, READ, PICTURE)
    assert kept(record) == said
    add_board(record, SHOT, READ, PICTURE, {"field 8,8": "nothing"})
    assert kept(record)[1] == {"field 8,8": "nothing"}
    add_board(record, SHOT, READ, PICTURE, {})  # all taken back
    assert kept(record) == (replace(READ, photo="IMG_1.jpg"), {}, PICTURE)


def test_answers_are_undone_step_by_step(record: Record) -> None:
    add_board(record, SHOT, READ, PICTURE)
    first = kept(record)
    add_board(record, SHOT, ANSWERED, OTHER_PICTURE, SAID, player="Anna")
    second = kept(record)
    add_board(record, SHOT, READ, PICTURE, {}, player="Ben")
    assert get_board(record, 1).player == "Ben"
    assert [(each.kind, each.number, each.who) for each in list_changes(record)] == [
        (ChangeKind.BOARD, 1, "Ben"), (ChangeKind.BOARD, 1, "Anna")
    ]  # fmt: skip
    undo(record)
    assert (kept(record), get_board(record, 1).player) == (second, "Anna")
    undo(record)
    assert (kept(record), get_board(record, 1).player) == (first, None)


@pytest.mark.parametrize(
    "said",
    [
        # (name, answers) of each photo of the board, and whose it is then
        ([(None, None), ("Anna", None), ("Ben", None)], "Anna"),
        ([("Anna", None), ("Ben", SAID)], "Ben"),
        ([("Anna", SAID), (None, SAID)], "Anna"),
        ([("Anna", SAID), ("\u200b ", SAID)], "Anna"),
        ([("Anna", None), (" anna", SAID)], "Anna"),
        ([(None, None), ("", SAID)], None),
    ],
)
def test_who_says_so(
    record: Record, said: tuple[list[tuple[str | None, dict[str, str] | None]], str | None]
) -> None:
    photos, expected = said
    for name, answers in photos:
        add_board(record, SHOT, READ, PICTURE, answers, name)
    assert get_board(record, 1).player == expected


def test_a_removed_board_is_gone_and_comes_back(record: Record) -> None:
    add_board(record, SHOT, ANSWERED, PICTURE, SAID, "Anna")
    before = get_board(record, 1), board_picture(record, 1)
    remove_board(record, 1)
    assert list_boards(record) == ()
    for ask in (get_board, board_picture, remove_board):
        with pytest.raises(BoardMissing):
            ask(record, 1)
    assert undo(record).change.kind is ChangeKind.BOARD_REMOVED
    assert (get_board(record, 1), board_picture(record, 1)) == before


def test_a_board_comes_back_instead_of_what_was_read_since(record: Record) -> None:
    add_board(record, SHOT, ANSWERED, PICTURE, SAID, "Anna")
    before = get_board(record, 1)
    remove_board(record, 1)
    assert add_board(record, SHOT, READ, PICTURE).number == 2  # no number is given twice
    undo(record)
    assert list_boards(record) == (before,)


def test_a_board_does_not_come_back_over_what_was_said_since(record: Record) -> None:
    add_board(record, SHOT, READ, PICTURE)
    add_board(record, SHOT, ANSWERED, PICTURE, SAID)
    remove_board(record, 1)
    add_board(record, SHOT, ANSWERED, PICTURE, SAID, "Ben")
    with pytest.raises(ChangeNotUndoable):
        undo(record)
    (stays,) = list_boards(record)
    assert (stays.id, stays.player) == (2, "Ben")
    assert undo(record).change.kind is ChangeKind.BOARD  # the change before it is the last one now


def test_a_board_is_in_no_list_of_results(record: Record) -> None:
    add_board(record, SHOT, ANSWERED, PICTURE, SAID, "Anna")
    assert list_results(record) == list_games(record) == list_questions(record) == ()
    assert players(record) == remembered_names(record, 9) == ()
    assert count_photos(record) == 0


def test_a_backup_holds_the_boards(record: Record, path: Path, tmp_path: Path) -> None:
    add_board(record, SHOT, ANSWERED, PICTURE, SAID)
    back_up(record, tmp_path / "backup.sqlite3")
    remove_board(record, 1)
    restore(tmp_path / "backup.sqlite3", path)
    assert kept(record) == (replace(ANSWERED, photo="IMG_1.jpg"), SAID, PICTURE)


def made_before_boards(path: Path) -> None:
    """A record of the version without boards, with a player."""
    without = next(at for at, schema in enumerate(SCHEMAS) if "TABLE board " in schema)
    connection = sqlite3.connect(path, isolation_level=None)
    for schema in SCHEMAS[:without]:
        connection.executescript(schema)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {without}")
    connection.execute("INSERT INTO player (name, key) VALUES ('Anna', 'anna')")
    connection.close()


def test_a_record_without_boards_gets_them(path: Path) -> None:
    made_before_boards(path)
    with open_record(path) as record:
        assert list_boards(record) == ()
        add_board(record, SHOT, READ, PICTURE, player="anna")
        assert get_board(record, 1).player == "Anna"
        assert record.connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION


def test_a_write_protected_record_of_before_lists_none(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_before_boards(path)
    before = path.read_bytes()

    def protected(_: Path | None = None) -> Record:
        raise RecordNotWritable(path, "Read-only file system")

    monkeypatch.setattr("brikks_vision.record.database.open_existing_record", protected)
    with open_record_to_read(path) as record:
        assert list_boards(record) == ()
        with pytest.raises(RecordNotWritable):
            add_board(record, SHOT, READ, PICTURE)
    assert path.read_bytes() == before
