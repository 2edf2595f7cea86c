"""The record: every photo, every reading, every correction, in one SQLite file.

A *photo* is known by its content, whatever its name. It has one *reading* for each sheet in it.
Readings of the same sheet (burst shots, a second try) make one *result*, which shows the best of
them, or what a person corrected it to. Results of the sheets of one game are put into a *game*.

Every change is one transaction: whoever kills the program finds all of it or nothing of it. Times
of photos are the wall clock of whoever took them, without a zone; all other times are UTC.
Nothing about where a photo was taken is kept.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from brikks_vision.errors import (
    GameMissing,
    NotARecord,
    RecordBusy,
    RecordDamaged,
    RecordDiskFull,
    RecordFailure,
    RecordMissing,
    RecordNotWritable,
    RecordTooNew,
    ResultMissing,
)
from brikks_vision.games.brikks.same import LONGEST_BREAK, is_better, is_same_sheet
from brikks_vision.reading import Reading
from brikks_vision.text.display import cleaned_name, compared

APPLICATION_ID = 0x42524B56  # "BRKV", in the header of every record
LONGEST_WAIT = 10.0  # seconds for another writer to finish
LONGEST_NAME = 60  # characters of a player's name
LEAST_ROOM = 64_000  # bytes that SQLite needs beside a record to open it
_NO_ROOM = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
# No photo counts as taken outside of these. Before, there were no cameras that write a date (Exif
# came in 1995); after, it is nonsense, and hours and margins of plots must still be added to it.
# Not "tomorrow": the clock here may be the one that is wrong, as on a Raspberry Pi.
EARLIEST, LATEST = datetime(1990, 1, 1), datetime(2999, 12, 31, 23, 59, 59)

# What leads from each version to the next; never changed, only added to.
_SCHEMAS = (
    """
CREATE TABLE photo (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    taken TEXT NOT NULL,
    taken_from TEXT NOT NULL,
    added TEXT NOT NULL,
    error TEXT
);
CREATE INDEX photo_taken ON photo (taken);
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE
);
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    level INTEGER,
    variant TEXT
);
CREATE TABLE result (
    id INTEGER PRIMARY KEY,
    player INTEGER REFERENCES player (id),
    game INTEGER REFERENCES game (id),
    best INTEGER NOT NULL REFERENCES reading (id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX result_best ON result (best);
CREATE INDEX result_game ON result (game);
CREATE TABLE reading (
    id INTEGER PRIMARY KEY,
    photo INTEGER NOT NULL REFERENCES photo (id),
    number INTEGER NOT NULL,
    result INTEGER NOT NULL REFERENCES result (id) DEFERRABLE INITIALLY DEFERRED,
    json TEXT NOT NULL,
    thumbnail BLOB,
    UNIQUE (photo, number)
);
CREATE INDEX reading_result ON reading (result);
CREATE TABLE correction (
    id INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES result (id),
    made TEXT NOT NULL,
    who TEXT NOT NULL,
    changes TEXT NOT NULL,
    json TEXT NOT NULL
);
CREATE INDEX correction_result ON correction (result);
""",
    """
CREATE TABLE file (
    path TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    photo INTEGER NOT NULL REFERENCES photo (id)
);
CREATE INDEX file_photo ON file (photo);
""",
    """
CREATE TABLE material (
    reading INTEGER PRIMARY KEY REFERENCES reading (id) ON DELETE CASCADE,
    ink TEXT NOT NULL,
    picture BLOB NOT NULL
);
""",
)
SCHEMA_VERSION = len(_SCHEMAS)

# What stands: the last correction, else the best reading.
_RESULTS = """
SELECT result.id, reading.json, result.game, player.name AS player,
    photo.sha256, photo.name, photo.taken, photo.taken_from, photo.added,
    (SELECT json FROM correction WHERE result = result.id ORDER BY id DESC LIMIT 1) AS corrected,
    (SELECT count(*) FROM reading AS other WHERE other.result = result.id) AS photos
FROM result
JOIN reading ON reading.id = result.best
JOIN photo ON photo.id = reading.photo
LEFT JOIN player ON player.id = result.player
"""

# By the name, not by the key beside it: older records hold keys with signs that show nothing.
_PLAYER = "SELECT id FROM player WHERE player_key(name) = ?"


@dataclass(frozen=True)
class PhotoFacts:
    """What the record keeps of a photo beside its readings.

    ``sha256``: of the file's bytes, hexadecimal. ``taken``: wall clock, no zone, from the camera
    ("exif") or the file's date ("file").
    """

    sha256: str
    name: str
    taken: datetime
    taken_from: Literal["exif", "file"] = "exif"


@dataclass(frozen=True)
class Material:
    """What a reading is corrected with once the photo is gone.

    ``ink``: text of `brikks_vision.decode.ink`. ``picture``: the straightened sheet without any
    drawing, JPEG, without any data of the camera.
    """

    ink: str
    picture: bytes


@dataclass(frozen=True)
class SheetReading:
    """One sheet in a photo. ``thumbnail``: a small JPEG with the reading drawn on it."""

    reading: Reading
    thumbnail: bytes | None = None
    material: Material | None = None


@dataclass(frozen=True)
class Added:
    """What became of a photo. ``results``: one number a sheet, in the photo's order.

    ``is_new``: False where the same photo was recorded before, so that nothing was done.
    ``merged``: those of ``results`` that were there before, from another photo of that sheet.
    """

    results: tuple[int, ...]
    is_new: bool
    merged: tuple[int, ...] = ()


@dataclass(frozen=True)
class RecordedPhoto:
    """A photo that is known. ``error``: name of the error class where no sheet was read."""

    facts: PhotoFacts
    added: datetime
    error: str | None
    results: tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """One sheet at one time, as it stands now: the best reading, or its last correction.

    ``photos``: how many photos show it; ``photo``: the best of them.
    """

    id: int
    reading: Reading
    photo: PhotoFacts
    added: datetime
    player: str | None
    game: int | None
    is_corrected: bool
    photos: int

    @property
    def total(self) -> int | None:
        return None if self.reading.score is None else self.reading.score.total


@dataclass(frozen=True)
class Correction:
    """``changes``: by place ("cell 3,4"), what stood there and what stands there now.

    ``reading``: the whole reading after it. ``made``: UTC.
    """

    result: int
    made: datetime
    who: str
    changes: Mapping[str, tuple[str, str]]
    reading: Reading


@dataclass(frozen=True)
class Game:
    """Sheets of one game, in the order in which they were put together."""

    id: int
    made: datetime
    level: int | None
    variant: str | None
    results: tuple[Result, ...]


@dataclass(frozen=True)
class Filters:
    """Which results to list; None leaves it open. ``since`` and ``until``: days, both included."""

    player: str | None = None
    since: date | None = None
    until: date | None = None
    game: int | None = None


@dataclass(frozen=True)
class Record:
    """An open record; used by one thread at a time. Closes at the end of a ``with`` block.

    is_disk_full: nothing can be written, not even what SQLite needs to let others write meanwhile.
    """

    path: Path
    connection: sqlite3.Connection = field(repr=False)
    is_disk_full: bool = False

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


# --- opening -------------------------------------------------------------------------------------


def default_path() -> Path:
    """Where the user's record lies if nothing else is said."""
    from platformdirs import user_data_path

    return user_data_path("brikks-vision", appauthor=False) / "record.sqlite3"


def open_record(path: Path | None = None) -> Record:
    """The record at ``path``, or the user's own; made where there is none.

    On a full disk one that is there can be read all the same, if it is of this version and all of
    it lies in its file: no log beside it (``-wal``) that was not written into it. Whatever changes
    it then raises RecordDiskFull.

    Raises
    ------
    RecordDiskFull
        There is no room, and the record does not lie in its file alone.
    RecordNotWritable, NotARecord, RecordTooNew, RecordBusy, RecordDamaged
    """
    where = default_path() if path is None else path
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        _make_private(where)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise RecordDiskFull(where) from error
        raise RecordNotWritable(where, error.strerror or error) from error
    try:
        with _failures_named(where), _connected(str(where.absolute())) as connection:
            return _prepared(Record(where, connection))
    except RecordDiskFull:
        record = _only_to_read(where)
        if record is None:
            raise
        return record


def _only_to_read(where: Path) -> Record | None:
    """The record as its file alone tells it; None where that does not tell all of it."""
    log = where.with_name(f"{where.name}-wal")
    with _failures_named(where):
        # Not looked at: locks and the log. Where others are writing there is room for both, and
        # the record opens as always.
        if log.exists() and log.stat().st_size:
            return None
        with _connected(f"{where.absolute().as_uri()}?mode=ro&immutable=1") as connection:
            record = Record(where, connection, is_disk_full=True)
            if _version(record) == SCHEMA_VERSION:
                return record
            connection.close()
            return None


@contextmanager
def _connected(address: str) -> Iterator[sqlite3.Connection]:
    """A connection as this module needs it; left open after the block, closed where that fails.

    address: an absolute path, or a URI (https://www.sqlite.org/uri.html).
    """
    connection = sqlite3.connect(
        address,
        uri=True,
        timeout=LONGEST_WAIT,
        check_same_thread=False,
        isolation_level=None,  # transactions begin where this module begins them
    )
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.create_function("player_key", 1, _player_key, deterministic=True)
        yield connection
    except BaseException:
        connection.close()
        raise


def _make_private(where: Path) -> None:
    """A new record is its user's alone; SQLite gives the files beside it the same rights.

    One that is there is not touched: to close it would drop the locks that SQLite holds on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(where, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def open_existing_record(path: Path | None = None) -> Record:
    """Like `open_record`, but makes no new one at a path that the user gave.

    Raises
    ------
    RecordMissing
        There is nothing at ``path``; and all that `open_record` raises.
    """
    if path is not None and not path.exists():
        raise RecordMissing(path)
    return open_record(path)


def _prepared(record: Record) -> Record:
    connection = record.connection
    connection.execute("BEGIN")  # what follows is read at one moment, while others may be writing
    version = _version(record)
    connection.execute("COMMIT")
    if version != SCHEMA_VERSION or _journal_mode(record) != "wal":
        _switch_to_wal(record)
        with _transaction(record):
            # Read again: another process may have been first.
            for schema in _SCHEMAS[_version(record) :]:
                for statement in schema.split(";\n"):
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    return record


def _version(record: Record) -> int:
    """0 of an empty file; raises NotARecord, RecordTooNew."""
    (application,) = record.connection.execute("PRAGMA application_id").fetchone()
    (version,) = record.connection.execute("PRAGMA user_version").fetchone()
    (tables,) = record.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        raise NotARecord(record.path)
    if version > SCHEMA_VERSION:
        raise RecordTooNew(record.path, version, SCHEMA_VERSION)
    return int(version)


def _journal_mode(record: Record) -> str:
    (mode,) = record.connection.execute("PRAGMA journal_mode").fetchone()
    return str(mode)


def _switch_to_wal(record: Record) -> None:
    # SQLite does not wait for another writer here, so this does.
    give_up = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            record.connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)


@contextmanager
def _transaction(record: Record) -> Iterator[sqlite3.Connection]:
    """All of what is done inside, or nothing of it; waits for another writer at its beginning."""
    if record.is_disk_full:
        raise RecordDiskFull(record.path)
    with _failures_named(record.path):
        record.connection.execute("BEGIN IMMEDIATE")
        try:
            yield record.connection
            record.connection.execute("COMMIT")
        except BaseException:
            if record.connection.in_transaction:
                record.connection.execute("ROLLBACK")
            raise


@contextmanager
def _failures_named(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # a fault of this module, not of the user's disk
    except sqlite3.DatabaseError as error:
        raise _named(error, path) from error


def _named(error: sqlite3.DatabaseError, path: Path) -> RecordFailure:
    """What happened, by SQLite's result code (https://www.sqlite.org/rescode.html)."""
    code = getattr(error, "sqlite_errorname", None) or ""
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return RecordBusy(path)
    # On a full disk SQLite cannot make the memory that its processes share, nor its log.
    is_failed_write = code.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN"))
    if code in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE") or (is_failed_write and _is_full(path)):
        return RecordDiskFull(path)
    if code == "SQLITE_NOTADB":
        return NotARecord(path)
    if code.startswith("SQLITE_CORRUPT") or "no such table" in str(error):
        return RecordDamaged(path, error)
    return RecordNotWritable(path, error)


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < LEAST_ROOM
    except OSError:
        return False


# --- adding --------------------------------------------------------------------------------------


def add_photo(
    record: Record,
    photo: PhotoFacts,
    sheets: Sequence[SheetReading],
    player: str | None = None,
) -> Added:
    """Record a photo and what was read from it, once: a photo that is known changes nothing.

    A sheet that another photo showed within the hour, in the same state, becomes one result with
    it, and the better reading stands (see `same_sheet`). ``player``: whose sheets these are.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    photo = _recorded(photo)
    with _transaction(record) as connection:
        number = _new_photo(connection, photo, None)
        if number is None:
            return Added(_results_of_photo(connection, photo.sha256), is_new=False)
        who = _player_number(connection, player)
        results: list[int] = []
        merged: list[int] = []
        for sheet in sheets:
            reading = replace(sheet.reading, photo=photo.name)
            same = _same_result(record, reading, photo, who, results)
            added = _new_reading(connection, number, len(results), same, reading, sheet, who)
            if same is not None:
                _keep_better(record, same, added, reading)
                merged.append(same)
            (result,) = connection.execute(
                "SELECT result FROM reading WHERE id = ?", (added,)
            ).fetchone()
            results.append(result)
        return Added(tuple(results), is_new=True, merged=tuple(merged))


def add_reading(
    record: Record,
    photo: PhotoFacts,
    reading: Reading,
    thumbnail: bytes | None = None,
    player: str | None = None,
) -> int:
    """Like `add_photo`, of a photo with one sheet; the number of its result."""
    return add_photo(record, photo, [SheetReading(reading, thumbnail)], player).results[0]


def add_unread(record: Record, photo: PhotoFacts, error: Exception) -> Added:
    """Remember a photo that no sheet could be read from, so that it is passed over from now on.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    photo = _recorded(photo)
    with _transaction(record) as connection:
        number = _new_photo(connection, photo, type(error).__name__)
        if number is None:
            return Added(_results_of_photo(connection, photo.sha256), is_new=False)
        return Added((), is_new=True)


def _recorded(photo: PhotoFacts) -> PhotoFacts:
    """A photo as the record holds it."""
    return replace(photo, name=printable(photo.name), taken=_within_reach(photo.taken))


def _new_photo(connection: sqlite3.Connection, photo: PhotoFacts, error: str | None) -> int | None:
    """The photo's number; None where it is known."""
    row = connection.execute(
        "INSERT INTO photo (sha256, name, taken, taken_from, added, error)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING RETURNING id",
        (
            photo.sha256,
            photo.name,
            _wall_clock(photo.taken),
            photo.taken_from,
            _now(),
            error,
        ),
    ).fetchone()
    return None if row is None else int(row[0])


def _new_reading(
    connection: sqlite3.Connection,
    photo: int,
    number: int,
    same: int | None,
    reading: Reading,
    sheet: SheetReading,
    player: int | None,
) -> int:
    """Add a reading to the result ``same``, or to a new one; the reading's number."""
    (identifier,) = connection.execute(
        "INSERT INTO reading (photo, number, result, json, thumbnail)"
        " VALUES (?, ?, ?, ?, ?) RETURNING id",
        (photo, number, same or 0, _json(reading), sheet.thumbnail),
    ).fetchone()
    if sheet.material is not None:
        connection.execute(
            "INSERT INTO material (reading, ink, picture) VALUES (?, ?, ?)",
            (identifier, sheet.material.ink, sheet.material.picture),
        )
    if same is None:
        (result,) = connection.execute(
            "INSERT INTO result (player, best) VALUES (?, ?) RETURNING id", (player, identifier)
        ).fetchone()
        connection.execute("UPDATE reading SET result = ? WHERE id = ?", (result, identifier))
    elif player is not None:
        connection.execute(
            "UPDATE result SET player = ? WHERE id = ? AND player IS NULL", (player, same)
        )
    return int(identifier)


def _same_result(
    record: Record, reading: Reading, photo: PhotoFacts, player: int | None, besides: Sequence[int]
) -> int | None:
    """The result of another photo that shows this sheet; never one of the same photo."""
    rows = record.connection.execute(
        _RESULTS
        + " WHERE photo.taken BETWEEN ? AND ? AND (result.player IS NULL OR ? IS NULL"
        + " OR result.player = ?) ORDER BY photo.taken DESC, result.id DESC",
        (
            _wall_clock(photo.taken - LONGEST_BREAK),
            _wall_clock(photo.taken + LONGEST_BREAK),
            player,
            player,
        ),
    ).fetchall()
    for row in rows:
        # A corrected sheet is compared as it was read: the correction may be the difference.
        read = Reading.from_dict(json.loads(row["json"]))
        taken = _taken(row)
        if row["id"] not in besides and is_same_sheet(reading, photo.taken, read, taken):
            return int(row["id"])
    return None


def _keep_better(record: Record, result: int, added: int, reading: Reading) -> None:
    (best,) = record.connection.execute(
        "SELECT reading.json FROM result JOIN reading ON reading.id = result.best"
        " WHERE result.id = ?",
        (result,),
    ).fetchone()
    if is_better(reading, Reading.from_dict(json.loads(best))):
        record.connection.execute("UPDATE result SET best = ? WHERE id = ?", (added, result))


# --- looking up ----------------------------------------------------------------------------------


def find_photo(record: Record, sha256: str) -> RecordedPhoto | None:
    """The photo with this content, or None where it was never recorded."""
    with _failures_named(record.path):
        row = record.connection.execute(
            "SELECT * FROM photo WHERE sha256 = ?", (sha256,)
        ).fetchone()
        if row is None:
            return None
        results = _results_of_photo(record.connection, sha256)
    return RecordedPhoto(_facts(row), _instant(row["added"]), row["error"], results)


def count_photos(record: Record) -> int:
    """How many photos are known, with a sheet or without."""
    with _failures_named(record.path):
        (count,) = record.connection.execute("SELECT count(*) FROM photo").fetchone()
    return int(count)


def get_result(record: Record, number: int) -> Result:
    """The result of that number; raises ResultMissing."""
    with _failures_named(record.path):
        row = record.connection.execute(_RESULTS + " WHERE result.id = ?", (number,)).fetchone()
    if row is None:
        raise ResultMissing(number)
    return _result(row)


def list_results(record: Record, filters: Filters | None = None) -> tuple[Result, ...]:
    """All results that the filters leave, by the time their photo was taken, oldest first."""
    wanted = filters or Filters()
    conditions = {
        f"result.player IN ({_PLAYER})": wanted.player and _player_key(wanted.player),
        "photo.taken >= ?": wanted.since and wanted.since.isoformat(),
        "photo.taken <= ?": wanted.until and f"{wanted.until.isoformat()}T23:59:59",
        "result.game = ?": wanted.game,
    }
    given = {condition: value for condition, value in conditions.items() if value is not None}
    where = f" WHERE {' AND '.join(given)}" if given else ""
    with _failures_named(record.path):
        rows = record.connection.execute(
            f"{_RESULTS}{where} ORDER BY photo.taken, result.id", tuple(given.values())
        ).fetchall()
    return tuple(_result(row) for row in rows)


def thumbnail(record: Record, result: int) -> bytes | None:
    """The small JPEG of a result's best photo, the reading drawn on it; raises ResultMissing."""
    with _failures_named(record.path):
        row = record.connection.execute(
            "SELECT thumbnail FROM reading JOIN result ON reading.id = result.best"
            " WHERE result.id = ?",
            (result,),
        ).fetchone()
    if row is None:
        raise ResultMissing(result)
    return None if row[0] is None else bytes(row[0])


def best_reading(record: Record, result: int) -> Reading:
    """What the best photo of a result was read as, before any correction; raises ResultMissing."""
    with _failures_named(record.path):
        row = record.connection.execute(
            "SELECT json FROM reading JOIN result ON reading.id = result.best WHERE result.id = ?",
            (result,),
        ).fetchone()
    if row is None:
        raise ResultMissing(result)
    return Reading.from_dict(json.loads(row[0]))


def material_of(record: Record, result: int) -> Material | None:
    """What a result's best reading is corrected with; None where it was not kept, or no result."""
    with _failures_named(record.path):
        row = record.connection.execute(
            "SELECT ink, picture FROM material JOIN result ON material.reading = result.best"
            " WHERE result.id = ?",
            (result,),
        ).fetchone()
    return None if row is None else Material(row["ink"], bytes(row["picture"]))


def readings_of(record: Record, result: int) -> tuple[tuple[PhotoFacts, Reading], ...]:
    """Every photo of a result with what was read from it, oldest first."""
    with _failures_named(record.path):
        rows = record.connection.execute(
            "SELECT * FROM reading JOIN photo ON photo.id = reading.photo"
            " WHERE reading.result = ? ORDER BY photo.taken, reading.id",
            (result,),
        ).fetchall()
    return tuple((_facts(row), Reading.from_dict(json.loads(row["json"]))) for row in rows)


def players(record: Record) -> tuple[str, ...]:
    """The names of all players who have a result, by name."""
    with _failures_named(record.path):
        rows = record.connection.execute(
            "SELECT name FROM player WHERE id IN (SELECT player FROM result) ORDER BY key"
        ).fetchall()
    return tuple(row["name"] for row in rows)


# --- changing ------------------------------------------------------------------------------------


def correct(
    record: Record,
    result: int,
    reading: Reading,
    changes: Mapping[str, tuple[str, str]],
    who: str,
) -> None:
    """Let ``reading`` stand for a result from now on; the readings of its photos are kept.

    ``changes``: by place ("cell 3,4", "energy 12", "box 5", "bomb 1", "total" ...), what stood
    there and what stands there now. ``who``: a player's name, or how else they are called.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with _transaction(record) as connection:
        _check_result(connection, result)
        connection.execute(
            "INSERT INTO correction (result, made, who, changes, json) VALUES (?, ?, ?, ?, ?)",
            (result, _now(), printable(who), json.dumps(dict(changes)), _json(reading)),
        )


def corrections(record: Record, result: int) -> tuple[Correction, ...]:
    """All corrections of a result, oldest first."""
    with _failures_named(record.path):
        rows = record.connection.execute(
            "SELECT * FROM correction WHERE result = ? ORDER BY id", (result,)
        ).fetchall()
    return tuple(_correction(row) for row in rows)


def assign_player(record: Record, result: int, player: str | None) -> None:
    """Say whose sheet it is; None takes the name away.

    Names that differ only in case, spaces or signs that show nothing are one player; the first
    spelling is kept, without such signs where they shape nothing (see
    `brikks_vision.text.display`).

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with _transaction(record) as connection:
        _check_result(connection, result)
        number = _player_number(connection, player)
        connection.execute("UPDATE result SET player = ? WHERE id = ?", (number, result))


def join_results(record: Record, results: Sequence[int]) -> int:
    """Make one result of several that show the same sheet; the number of the first, which stays.

    The best reading stands. Corrections of all are kept; the last one made counts.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    first, *others = dict.fromkeys(results)
    with _transaction(record) as connection:
        for number in (first, *others):
            _check_result(connection, number)
        for other in others:
            (best, text) = connection.execute(
                "SELECT best, json FROM result JOIN reading ON reading.id = best"
                " WHERE result.id = ?",
                (other,),
            ).fetchone()
            connection.execute("UPDATE reading SET result = ? WHERE result = ?", (first, other))
            connection.execute("UPDATE correction SET result = ? WHERE result = ?", (first, other))
            connection.execute(
                "UPDATE result SET player = coalesce(player, (SELECT player FROM result"
                " WHERE id = ?)) WHERE id = ?",
                (other, first),
            )
            connection.execute("DELETE FROM result WHERE id = ?", (other,))
            _keep_better(record, first, best, Reading.from_dict(json.loads(text)))
    return first


def remove_result(record: Record, result: int) -> None:
    """Forget a result, its readings, thumbnails and corrections; its photos stay known.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with _transaction(record) as connection:
        _check_result(connection, result)
        connection.execute("DELETE FROM correction WHERE result = ?", (result,))
        connection.execute("DELETE FROM result WHERE id = ?", (result,))
        connection.execute("DELETE FROM reading WHERE result = ?", (result,))


def forget_photo(record: Record, sha256: str) -> bool:
    """Let a photo be read again that no result shows any more; False where one does, or none was.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    without = "sha256 = ? AND id NOT IN (SELECT photo FROM reading)"
    with _transaction(record) as connection:
        connection.execute(
            f"DELETE FROM file WHERE photo IN (SELECT id FROM photo WHERE {without})", (sha256,)
        )
        gone = connection.execute(f"DELETE FROM photo WHERE {without}", (sha256,)).rowcount
    return gone > 0


# --- files ---------------------------------------------------------------------------------------


def remember_file(record: Record, path: str, stamp: str, sha256: str) -> None:
    """Note that a file holds a photo that is known, so that it need not be read to know it again.

    ``stamp``: what changes when the file does.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with _transaction(record) as connection:
        connection.execute(
            "INSERT OR REPLACE INTO file (path, stamp, photo)"
            " SELECT ?, ?, id FROM photo WHERE sha256 = ?",
            (printable(path), stamp, sha256),
        )


def is_known_file(record: Record, path: str, stamp: str) -> bool:
    """Whether a file, unchanged since by its stamp, holds a photo that is known."""
    with _failures_named(record.path):
        row = record.connection.execute(
            "SELECT 1 FROM file WHERE path = ? AND stamp = ?", (printable(path), stamp)
        ).fetchone()
    return row is not None


# --- games ---------------------------------------------------------------------------------------


def make_game(
    record: Record, results: Sequence[int], level: int | None = None, variant: str | None = None
) -> int:
    """Put the sheets of one game together; its number. A sheet leaves the game it was in.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with _transaction(record) as connection:
        (game,) = connection.execute(
            "INSERT INTO game (made, level, variant) VALUES (?, ?, ?) RETURNING id",
            (_now(), level, variant),
        ).fetchone()
        for result in results:
            _check_result(connection, result)
            connection.execute("UPDATE result SET game = ? WHERE id = ?", (game, result))
        connection.execute(
            "DELETE FROM game WHERE id NOT IN (SELECT game FROM result WHERE game IS NOT NULL)"
        )
    return int(game)


def remove_game(record: Record, number: int) -> None:
    """Take a game apart; its sheets stay.

    Raises
    ------
    GameMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with _transaction(record) as connection:
        connection.execute("UPDATE result SET game = NULL WHERE game = ?", (number,))
        if connection.execute("DELETE FROM game WHERE id = ?", (number,)).rowcount == 0:
            raise GameMissing(number)


def get_game(record: Record, number: int) -> Game:
    """The game of that number with its sheets; raises GameMissing."""
    with _failures_named(record.path):
        row = record.connection.execute("SELECT * FROM game WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise GameMissing(number)
    results = list_results(record, Filters(game=number))
    return Game(row["id"], _instant(row["made"]), row["level"], row["variant"], results)


def list_games(record: Record) -> tuple[Game, ...]:
    """All games, oldest first."""
    with _failures_named(record.path):
        rows = record.connection.execute("SELECT id FROM game ORDER BY id").fetchall()
    return tuple(get_game(record, row["id"]) for row in rows)


# --- rows ----------------------------------------------------------------------------------------


def printable(text: str) -> str:
    """The text with bytes that no encoding knows (in names of files) spelled out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _check_result(connection: sqlite3.Connection, number: int) -> None:
    if connection.execute("SELECT 1 FROM result WHERE id = ?", (number,)).fetchone() is None:
        raise ResultMissing(number)


def _results_of_photo(connection: sqlite3.Connection, sha256: str) -> tuple[int, ...]:
    rows = connection.execute(
        "SELECT result FROM reading JOIN photo ON photo.id = reading.photo"
        " WHERE photo.sha256 = ? ORDER BY reading.number",
        (sha256,),
    ).fetchall()
    return tuple(int(row[0]) for row in rows)


def _player_number(connection: sqlite3.Connection, name: str | None) -> int | None:
    """The number of a player, who is added where new; None of a name that shows nothing."""
    shown = _name(name or "")
    if not shown:
        return None
    key = _player_key(shown)
    row = connection.execute(f"{_PLAYER} ORDER BY id", (key,)).fetchone()
    if row is None:
        row = connection.execute(
            "INSERT INTO player (name, key) VALUES (?, ?) RETURNING id", (shown, key)
        ).fetchone()
    return int(row[0])


def _player_key(name: str) -> str:
    """What names of one player have in common."""
    return compared(_name(name))


def _name(name: str) -> str:
    # Cleaned again: what joined the last sign to one that is cut off joins nothing.
    return cleaned_name(cleaned_name(printable(name))[:LONGEST_NAME])


def _result(row: sqlite3.Row) -> Result:
    reading = Reading.from_dict(json.loads(row["corrected"] or row["json"]))
    return Result(
        id=row["id"],
        reading=reading,
        photo=_facts(row),
        added=_instant(row["added"]),
        player=row["player"],
        game=row["game"],
        is_corrected=row["corrected"] is not None,
        photos=row["photos"],
    )


def _facts(row: sqlite3.Row) -> PhotoFacts:
    return PhotoFacts(row["sha256"], row["name"], _taken(row), row["taken_from"])


def _taken(row: sqlite3.Row) -> datetime:
    # older records hold any date
    return _within_reach(datetime.fromisoformat(row["taken"]))


def _correction(row: sqlite3.Row) -> Correction:
    changes: dict[str, Any] = json.loads(row["changes"])
    return Correction(
        result=row["result"],
        made=_instant(row["made"]),
        who=row["who"],
        changes={place: (old, new) for place, (old, new) in changes.items()},
        reading=Reading.from_dict(json.loads(row["json"])),
    )


def _json(reading: Reading) -> str:
    return json.dumps(reading.to_dict())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _within_reach(taken: datetime) -> datetime:
    """The next date that counts, without a zone."""
    return min(max(taken.replace(tzinfo=None), EARLIEST), LATEST)


def _wall_clock(taken: datetime) -> str:
    return taken.isoformat(timespec="seconds")
