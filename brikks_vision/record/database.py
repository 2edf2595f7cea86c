"""Opening the record, changing it whole or not at all, and backups of it."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from brikks_vision import errors
from brikks_vision.games.printings import is_in_use, parse_printing, use
from brikks_vision.record.rows import player_key
from brikks_vision.record.schema import APPLICATION_ID, MOVES, SCHEMA_VERSION, statements

MAX_WAIT = 10.0  # seconds for another writer to finish
MIN_ROOM = 64_000  # bytes that SQLite needs beside a record to open it
_NO_ROOM = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


@dataclass(frozen=True)
class Record:
    """An open record; used by one thread at a time. Closes at the end of a ``with`` block.

    write_failure: raised by whatever would change it; None where it can be written.
    """

    path: Path
    connection: sqlite3.Connection = field(repr=False)
    write_failure: errors.RecordFailure | None = None

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def execute(self, query: str, *values: object) -> sqlite3.Cursor:
        """Raises RecordFailure, and so do all that follow."""
        with failures_named(self.path):
            return self.connection.execute(query, values)

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with failures_named(self.path):
            return self.connection.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> sqlite3.Row | None:
        """The first row; None where there is none."""
        with failures_named(self.path):
            found: sqlite3.Row | None = self.connection.execute(query, values).fetchone()
            return found

    def row_or(self, missing: errors.BrikksError, query: str, *values: object) -> sqlite3.Row:
        """The first row; raises what is missing where there is none."""
        found = self.row(query, *values)
        if found is None:
            raise missing
        return found

    def value(self, query: str, *values: object) -> Any:
        """The first column of the first row; None where there is none."""
        found = self.row(query, *values)
        return None if found is None else found[0]

    def add(self, table: str, **values: object) -> int:
        """Add a row; its number."""
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        query = f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING rowid"
        return int(self.value(query, *values.values()))


def default_path() -> Path:
    """Where the user's record lies if nothing else is said."""
    from platformdirs import user_data_path

    return user_data_path("brikks-vision", appauthor=False) / "record.sqlite3"


def open_record(path: Path | None = None) -> Record:
    """The record at ``path``, or the user's own; made where there is none.

    On a full disk one that is there can be read all the same, if it is of this version and all of
    it lies in its file: no log beside it (``-wal``) that was not written into it. Whatever changes
    it then raises RecordDiskFull.

    Raises RecordDiskFull: there is no room, and the record does not lie in its file alone;
    RecordNotWritable, NotARecord, RecordTooNew, RecordBusy, RecordDamaged.
    """
    where = default_path() if path is None else path
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        _make_private(where)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise errors.RecordDiskFull(where) from error
        raise errors.RecordNotWritable(where, error.strerror or error) from error
    try:
        with failures_named(where), _connected(str(where.absolute())) as connection:
            record = _prepared(Record(where, connection))
    except errors.RecordDiskFull as error:
        alone = _only_to_read(where, error)
        if alone is None or _version(alone) != SCHEMA_VERSION:
            raise
        record = alone
    _use_printings(record)
    return record


def open_record_to_read(path: Path | None = None) -> Record:
    """The record as it stands at one moment, for reading alone.

    Also where its file, its folder or its disk is write-protected. One of an older version is
    brought up to date in memory then; its file stays as it is.

    Raises RecordMissing: there is nothing at a ``path`` that was given; RecordNotWritable: a log
    that was not written into the record lies beside it (``-wal``), and cannot be; RecordDiskFull,
    NotARecord, RecordTooNew, RecordBusy, RecordDamaged.
    """
    try:
        record = open_existing_record(path)
    except (errors.RecordNotWritable, errors.RecordDiskFull) as error:
        where = default_path() if path is None else path
        alone = _only_to_read(where, error) if where.exists() else None
        if alone is None:
            raise
        record = alone if _version(alone) == SCHEMA_VERSION else _in_memory(alone)
        _use_printings(record)
    record.connection.execute("BEGIN")  # until it is closed
    return record


def _use_printings(record: Record) -> None:
    """Make the printings known that sheets in the record were read with."""
    for number, game, content in record.rows("SELECT id, game, content FROM printing"):
        if not is_in_use(game, content):
            text = record.value("SELECT json FROM printing WHERE id = ?", number)
            with suppress(errors.BrikksError):  # else its sheets can be listed and not shown
                use(parse_printing(text, record.path))


def open_unchanged(path: Path) -> Record:
    """A record that is left as it is, not even brought up to date: a backup.

    Only where a log lies beside it, so that it is in use, it opens as always.

    Raises NotARecord, RecordTooNew, RecordFailure.
    """
    record = _only_to_read(path, errors.RecordNotWritable(path, os.strerror(errno.EROFS)))
    return open_record(path) if record is None else record


def _only_to_read(where: Path, failure: errors.RecordFailure) -> Record | None:
    """The record as its file alone tells it, of any version; None where that does not tell all."""
    log = where.with_name(f"{where.name}-wal")
    with failures_named(where):
        # Not looked at: locks and the log. Where others are writing there is room for both, and
        # the record opens as always.
        if log.exists() and log.stat().st_size:
            return None
        with _connected(f"{where.absolute().as_uri()}?mode=ro&immutable=1") as connection:
            record = Record(where, connection, failure)
            _version(record)
            return record


def _in_memory(record: Record) -> Record:
    """A copy of an open record of an older version, brought up to date; closes the record."""
    with record, failures_named(record.path), _connected(":memory:") as connection:
        record.connection.backup(connection)
        copy = Record(record.path, connection)
        with transaction(copy):
            _bring_up_to_date(copy)
        return replace(copy, write_failure=record.write_failure)


@contextmanager
def _connected(address: str) -> Iterator[sqlite3.Connection]:
    """A connection as this module needs it; left open after the block, closed where that fails.

    address: an absolute path, or a URI (https://www.sqlite.org/uri.html).
    """
    connection = sqlite3.connect(
        address,
        uri=True,
        timeout=MAX_WAIT,
        check_same_thread=False,
        isolation_level=None,  # transactions begin where this module begins them
    )
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.create_function("player_key", 1, player_key, deterministic=True)
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

    Raises RecordMissing: there is nothing at ``path``; and all that `open_record` raises.
    """
    if path is not None and not path.exists():
        raise errors.RecordMissing(path)
    return open_record(path)


def _prepared(record: Record) -> Record:
    with snapshot(record):
        version = _version(record)
    if version != SCHEMA_VERSION or record.value("PRAGMA journal_mode") != "wal":
        _switch_to_wal(record)
        with transaction(record):
            _bring_up_to_date(record)
    return record


def _bring_up_to_date(record: Record) -> None:
    # The version is read again: another process may have been first.
    present = _version(record)
    for version in range(present + 1, SCHEMA_VERSION + 1):
        for statement in statements(version):
            record.connection.execute(statement)
        if version in MOVES:
            MOVES[version](record)
    record.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    record.connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _version(record: Record) -> int:
    """0 of an empty file; raises NotARecord, RecordTooNew."""
    application = record.value("PRAGMA application_id")
    version = record.value("PRAGMA user_version")
    tables = record.value("SELECT count(*) FROM sqlite_master")
    if application != APPLICATION_ID and (application or version or tables):
        raise errors.NotARecord(record.path)
    if version > SCHEMA_VERSION:
        raise errors.RecordTooNew(record.path, version, SCHEMA_VERSION)
    return int(version)


def _switch_to_wal(record: Record) -> None:
    # SQLite does not wait for another writer here, so this does.
    give_up = time.monotonic() + MAX_WAIT
    while True:
        try:
            record.connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            is_protected = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_READONLY
            if is_protected or time.monotonic() > give_up:
                raise
            time.sleep(0.05)


@contextmanager
def transaction(record: Record) -> Iterator[None]:
    """All of what is done inside, or nothing of it; waits for another writer at its beginning.

    What is read inside stands until its end. One inside of another is part of that one.
    """
    if record.write_failure is not None:
        raise record.write_failure
    with failures_named(record.path), _begun(record, "BEGIN IMMEDIATE"):
        yield


@contextmanager
def snapshot(record: Record) -> Iterator[None]:
    """What is read inside is read at one moment, whatever others write meanwhile."""
    with failures_named(record.path), _begun(record, "BEGIN"):
        yield


@contextmanager
def _begun(record: Record, beginning: str) -> Iterator[None]:
    if record.connection.in_transaction:
        yield
        return
    record.connection.execute(beginning)
    try:
        yield
        record.connection.execute("COMMIT")
    except BaseException:
        if record.connection.in_transaction:
            record.connection.execute("ROLLBACK")
        raise


@contextmanager
def failures_named(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # a fault of this module, not of the user's disk
    except sqlite3.DatabaseError as error:
        raise _named(error, path) from error


def _named(error: sqlite3.DatabaseError, path: Path) -> errors.RecordFailure:
    """What happened, by SQLite's result code (https://www.sqlite.org/rescode.html)."""
    code = getattr(error, "sqlite_errorname", None) or ""
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return errors.RecordBusy(path)
    # On a full disk SQLite cannot make the memory that its processes share, nor its log.
    is_failed_write = code.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN"))
    if code in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE") or (is_failed_write and _is_full(path)):
        return errors.RecordDiskFull(path)
    if code == "SQLITE_NOTADB":
        return errors.NotARecord(path)
    if code.startswith("SQLITE_CORRUPT") or "no such table" in str(error):
        return errors.RecordDamaged(path, error)
    return errors.RecordNotWritable(path, error)


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < MIN_ROOM
    except OSError:
        return False


# --- backups -------------------------------------------------------------------------------------

_PARTS = ("", "-wal", "-shm")  # of a record: its file, and those that SQLite keeps beside it


def back_up(record: Record, path: Path) -> None:
    """Write all of a record into one file, also while others are changing it.

    It is written beside, then renamed. A file that is there is replaced if it is a record.

    Raises OutputIsInput: ``path`` is the record itself; OutputNotWritable, NotARecord,
    RecordTooNew, RecordBusy, RecordDamaged.
    """
    if path.is_file():
        if path.samefile(record.path):
            raise errors.OutputIsInput(path)
        _open_backup(path).close()
    _write_copy(record, path)


def restore(backup: Path, path: Path | None = None) -> Path | None:
    """Let the record at ``path``, else the user's own, be what a backup holds.

    The backup stays as it is. Programs that have the record open go on with what it holds then.

    Returns where the record that was there before is kept; None where there was none.

    Raises BackupMissing: there is nothing at ``backup``; NotARecord: ``backup`` is no record, or
    what is at ``path`` is none; OutputIsInput: the backup is the record itself; RecordNotWritable,
    RecordDiskFull, RecordTooNew, RecordBusy, RecordDamaged, OutputNotWritable.
    """
    where = default_path() if path is None else path
    if where.exists() and backup.exists() and where.samefile(backup):
        raise errors.OutputIsInput(backup)
    is_there = where.exists()
    with _open_backup(backup) as source:
        kept = _moved(where) if is_there and _is_damaged(where) else None
        with open_record(where) as present:
            if is_there and kept is None:
                kept = _kept_and_replaced(present, source)
            else:
                with failures_named(where):
                    source.connection.backup(present.connection)
    with open_record(where):  # one of an older version is brought up to date
        return kept


def _kept_and_replaced(record: Record, source: Record) -> Path:
    """Let a record be what another one is; where what it was until then is kept.

    Both in one transaction of the record: whoever has it open sees all or nothing, and what others
    say is in what is kept, or waits until it can be said of the new one.
    """
    give_up = time.monotonic() + MAX_WAIT
    kept: Path | None = None

    def keep(code: int, _remaining: int, _pages: int) -> None:
        nonlocal kept
        # After its first step the copy holds the lock of whoever writes, until its last one.
        if code == sqlite3.SQLITE_OK and kept is None:
            kept = _free_name(record.path)
            with open_record(record.path) as before:
                _write_copy(before, kept)
        elif code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > give_up:
            raise errors.RecordBusy(record.path)

    with failures_named(record.path):
        source.connection.backup(record.connection, pages=1, progress=keep, sleep=0.01)
    assert kept is not None  # no record has one page alone
    return kept


def _moved(path: Path) -> Path:
    """Where the files of a damaged record lie now."""
    kept = _free_name(path)
    for part in _PARTS:
        with suppress(FileNotFoundError):
            os.replace(f"{path}{part}", f"{kept}{part}")
    return kept


def _open_backup(path: Path) -> Record:
    """Raises BackupMissing, NotARecord, RecordTooNew, RecordDamaged where a file is no record."""
    if not path.is_file():
        raise errors.BackupMissing(path)
    record = open_unchanged(path)
    try:
        if not record.value("PRAGMA user_version"):  # an empty file would become an empty record
            raise errors.NotARecord(path)
        _check_whole(record)
    except BaseException:
        record.close()
        raise
    return record


def _check_whole(record: Record) -> None:
    """Raises RecordDamaged."""
    found = record.value("PRAGMA integrity_check(1)")
    if found != "ok":
        raise errors.RecordDamaged(record.path, found)


def _is_damaged(path: Path) -> bool:
    try:
        with open_record(path) as record:
            _check_whole(record)
    except errors.RecordDamaged:
        return True
    return False


def _free_name(path: Path) -> Path:
    """A free name beside a record for what it was until now."""
    stem, number = f"{path.stem}-{datetime.now():%Y-%m-%d}", 1
    kept = path.with_stem(stem)
    while kept.exists():
        number += 1
        kept = path.with_stem(f"{stem}-{number}")
    return kept


def _write_copy(record: Record, path: Path) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        with failures_named(record.path), closing(sqlite3.connect(beside)) as copy:
            record.connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # all of it in this one file
        os.replace(beside, path)
    except OSError as error:
        raise errors.OutputNotWritable(path, error.strerror or error) from error
    finally:
        for part in (*_PARTS, "-journal"):
            with suppress(OSError):
                os.unlink(f"{beside}{part}")
