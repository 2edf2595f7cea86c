"""A record that an earlier version made opens with nothing lost.

``record-version-3.sqlite3`` was made by the version before the fourth schema, from photos of the
fixtures: two games, a result nobody corrected, one corrected at two places, one of which it was
said who played, a photo without a sheet, a file that was looked at. Its pictures are smaller than
those that the program keeps.

``record-version-5.sqlite3`` was made in the same way by the version before the sixth schema: two
sheets of a table that is a game, one corrected and given to two players, a removed result that can
be brought back, a photo without a sheet.

``record-version-6.sqlite3`` and ``record-version-7.sqlite3`` were made in the same way by the
versions that had boards in a table of their own: a sheet of Brikks, corrected, and one of BLOXX!; a
board that Anna sent, of which two people said something one after the other, a board of which Cleo
said something at once, and a removed board of which something was said.
"""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from brikks_vision.errors import NothingToUndo, ResultMissing
from brikks_vision.games.blox.reading import BloxReading
from brikks_vision.record import results
from brikks_vision.record.changes import list_changes, undo
from brikks_vision.record.database import Record, open_record, open_record_to_read
from brikks_vision.record.entries import ChangeKind, Filters
from brikks_vision.record.photos import count_photos, find_photo, is_known_file
from brikks_vision.record.questions import OwnerQuestion, list_questions
from brikks_vision.record.schema import SCHEMA_VERSION
from brikks_vision.record.tables import get_table, list_games, make_table

FIXTURES = Path(__file__).parent.parent / "fixtures"
VERSION_3, VERSION_5, VERSION_6, VERSION_7 = (
    FIXTURES / f"record-version-{number}.sqlite3" for number in (3, 5, 6, 7)
)
RESULTS = [
    # number, player, total, status, photo, game, corrected
    (1, "Anna", 42, "ok", "good-art.jpg", 1, True),
    (2, "Ben", 76, "ok", "good-art-2.jpg", 1, False),
    (3, "Anna", 41, "ok", "two-sheets.jpg", 2, False),
    (4, "Ben", 9, "ok", "two-sheets.jpg", 2, False),
    (5, "Zoë Groß", 7, "uncertain", "hard-art.jpg", None, False),
]


def check_version_3(record: Record) -> None:
    """All that the version before put into the fixture is there."""
    found = [
        (
            each.id,
            each.player,
            each.total,
            str(each.reading.status),
            each.photo.name,
            each.game,
            each.is_corrected,
        )
        for each in results.list_results(record)
    ]
    assert found == RESULTS
    assert results.players(record) == ("Anna", "Ben", "Zoë Groß")
    assert results.get_result(record, 1).photo.taken == datetime(2026, 10, 3, 20, 15)
    first, second = results.corrections(record, 1)
    assert (first.who, second.who) == ("Anna", "Anna")
    assert (first.changes, second.changes) == ({"bomb 1": (".", "X")}, {"bomb 2": (".", ".")})
    assert first.made.date() == datetime(2026, 11, 24, tzinfo=UTC).date()
    (said,) = results.corrections(record, 2)
    assert said.changes == {"players": ("", "2"), "level": ("", "3")}
    assert results.best_reading(record, 1).score != results.get_result(record, 1).reading.score
    games = [
        (dict(game.settings), [each.id for each in game.results]) for game in list_games(record)
    ]
    assert games == [({"level": 2, "variant": "standard"}, [1, 2]), ({}, [3, 4])]
    for number in range(1, 6):
        material, small = results.material_of(record, number), results.thumbnail(record, number)
        assert material is not None and small is not None
        assert material.picture.startswith(b"\xff\xd8") and small.startswith(b"\xff\xd8")
    assert count_photos(record) == 5
    assert is_known_file(record, "/photos/good-art.jpg", "110916 1 1")


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    return Path(shutil.copy(VERSION_3, tmp_path / "record.sqlite3"))


def test_the_record_of_the_version_before_opens_with_nothing_lost(earlier: Path) -> None:
    with open_record(earlier) as record:
        check_version_3(record)
        (version,) = record.connection.execute("PRAGMA user_version").fetchone()
        (state,) = record.connection.execute("PRAGMA integrity_check").fetchone()
        assert record.connection.execute("PRAGMA foreign_key_check").fetchall() == []
        unread = record.connection.execute("SELECT sha256 FROM photo WHERE error IS NOT NULL")
        ((sha256,),) = unread.fetchall()
        photo = find_photo(record, sha256)
    assert (version, state) == (SCHEMA_VERSION, "ok")
    assert photo is not None
    assert (photo.facts.name, photo.error, photo.results) == ("bad-table.jpg", "NoSheetFound", ())
    with open_record(earlier) as record:  # a second time, as it is now
        check_version_3(record)
        (seat,) = get_table(record, make_table(record, ["anna"])).seats
        assert seat.player == "Anna"


def check_version_5(record: Record) -> None:
    """All that the version before the boards put into the fixture is there."""
    found = [
        (each.id, each.player, each.total, each.is_corrected)
        for each in results.list_results(record)
    ]
    assert found == [(1, "Anna", 42, True), (2, "Ben", 76, False)]
    table = get_table(record, 1)
    seats = [(seat.player, seat.result and seat.result.id) for seat in table.seats]
    assert (seats, table.settings, table.game) == (
        [("Anna", 1), ("Ben", 2)], {"level": 2, "variant": "standard"}, 1
    )  # fmt: skip
    assert [[each.id for each in game.results] for game in list_games(record)] == [[1, 2]]
    (asked,) = [each for each in list_questions(record) if isinstance(each, OwnerQuestion)]
    assert asked.key == "owner 1 Cleo"
    assert count_photos(record) == 4
    assert is_known_file(record, "/photos/hard-art.jpg", "1 1 1")
    assert {each.played for each in results.list_results(record)} == {"brikks"}


def test_the_record_before_boards_opens_with_nothing_lost(tmp_path: Path) -> None:
    path = Path(shutil.copy(VERSION_5, tmp_path / "record.sqlite3"))
    with open_record(path) as record:
        check_version_5(record)
        (version,) = record.connection.execute("PRAGMA user_version").fetchone()
        (state,) = record.connection.execute("PRAGMA integrity_check").fetchone()
        assert record.connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert (version, state) == (SCHEMA_VERSION, "ok")
    with open_record_to_read(path) as record:  # a second time, as it is now
        check_version_5(record)
    with open_record(path) as record:
        assert undo(record).change.kind is ChangeKind.REMOVED
        assert (results.get_result(record, 3).player, results.thumbnail(record, 3) is None) == (
            "Zoë Groß",
            False,
        )
        # a removed sheet is of its game again
        assert [each.id for each in results.list_results(record, Filters(played="brikks"))] == [
            1,
            2,
            3,
        ]


# number, game, player, total, photo, what a person said of its fields
SHEETS = [(1, "brikks", "Anna", 44, "good-art.jpg", {"bomb 0": "X"}),
          (2, "bloxx", "Ben", 35, "bloxx.jpg", {})]  # fmt: skip
BLUE, TOWER = {"field 4,4": "blue"}, {"field 4,5": "tower 2"}
SENT = (3, "blox", "Ben", None, "after.jpg")
SENT_WITH_ANSWERS = (4, "blox", "Cleo", None, "above.jpg", {"field 4,4": "tower 1"})
REMOVED = (5, "blox", None, None, "slant.jpg")


def listed(record: Record) -> list[tuple[object, ...]]:
    return [
        (each.id, each.played, each.player, each.total, each.photo.name,
         results.answers_of(results.corrections(record, each.id)))
        for each in results.list_results(record)
    ]  # fmt: skip


def things_on(record: Record, number: int) -> dict[tuple[int, int], object]:
    """What stands on the fields of a board: the height of a tower, or the colour of a pawn."""
    reading = results.get_result(record, number).reading
    assert isinstance(reading, BloxReading)
    towers = {tower.field: tower.height for tower in reading.towers}
    return {**towers, **{pawn.field: pawn.color for pawn in reading.pawns}}


@pytest.mark.parametrize("earlier", [VERSION_6, VERSION_7], ids=["6", "7"])
def test_boards_of_their_own_table_are_results_with_nothing_lost(
    earlier: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(earlier, tmp_path / "record.sqlite3"))
    now = [*SHEETS, (*SENT, BLUE | TOWER), SENT_WITH_ANSWERS]
    with open_record(path) as record:
        assert listed(record) == now
        (state,) = record.connection.execute("PRAGMA integrity_check").fetchone()
        assert record.connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert (state, count_photos(record)) == ("ok", 5)
    with open_record_to_read(path) as record:  # a second time, as it is now
        assert listed(record) == now
        stands = things_on(record, 3)
        assert (stands[4, 4], stands[4, 5]) == ("blue", 2)
        said = [(each.who, *each.changes) for each in results.corrections(record, 3)]
        assert said == [("Ben", "field 4,4"), ("page", "field 4,5")]
        assert [each.who for each in results.corrections(record, 4)] == ["Cleo"]
        for number in (3, 4):
            small = results.thumbnail(record, number)
            assert small is not None and small.startswith(b"\xff\xd8")
        assert is_known_file(record, "/photos/bad-table.jpg", "1 1 1")
        # the numbers that boards had of their own still lead to them
        assert [results.result_of_board(record, number) for number in (1, 2, 3)] == [3, 4, 5]
        with pytest.raises(ResultMissing):
            results.result_of_board(record, 4)


@pytest.mark.parametrize("earlier", [VERSION_6, VERSION_7], ids=["6", "7"])
def test_what_was_changed_of_boards_can_be_undone_still(earlier: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(earlier, tmp_path / "record.sqlite3"))
    kinds = ["removed", "correction", "correction", "correction", "correction"]
    with open_record(path) as record:
        changes = list_changes(record)
        assert [(str(each.kind), each.number) for each in changes] == list(
            zip(kinds, [5, 1, 5, 3, 3], strict=True)
        )
        with_answer = results.thumbnail(record, 3)
        seen = []
        for _ in changes:
            undo(record)
            seen.append(listed(record))
        corner = {"field 0,0": "tower 2"}
        assert [each[-1] for each in seen[:3]] == [
            (*REMOVED, corner), (*REMOVED, corner), (*REMOVED, {})
        ]  # fmt: skip
        assert [each[2] for each in seen[2:]] == [
            (*SENT, BLUE | TOWER), (*SENT, BLUE), (3, "blox", "Anna", None, "after.jpg", {})
        ]  # fmt: skip
        stands = things_on(record, 3)
        assert (stands[4, 4], stands.get((4, 5))) == (2, None)
        assert results.thumbnail(record, 3) != with_answer
        assert record.connection.execute("PRAGMA foreign_key_check").fetchall() == []
        with pytest.raises(NothingToUndo):
            undo(record)
