"""A backup of the record, and a record from a backup."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from brikks_vision import errors
from brikks_vision.record import database

_PARTS = ("", "-wal", "-shm")  # of a record: its file, and those that SQLite keeps beside it


def back_up(record: database.Record, path: Path) -> None:
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
    where = database.default_path() if path is None else path
    if where.exists() and backup.exists() and where.samefile(backup):
        raise errors.OutputIsInput(backup)
    is_there = where.exists()
    with _open_backup(backup) as source:
        kept = _moved(where) if is_there and _is_damaged(where) else None
        with database.open_record(where) as present:
            if is_there and kept is None:
                kept = _kept_and_replaced(present, source)
            else:
                with database.failures_named(where):
                    source.connection.backup(present.connection)
    with database.open_record(where):  # one of an older version is brought up to date
        return kept


def _kept_and_replaced(record: database.Record, source: database.Record) -> Path:
    """Let a record be what another one is; where what it was until then is kept.

    Both in one transaction of the record: whoever has it open sees all or nothing, and what others
    say is in what is kept, or waits until it can be said of the new one.
    """
    give_up = time.monotonic() + database.MAX_WAIT
    kept: Path | None = None

    def keep(code: int, _remaining: int, _pages: int) -> None:
        nonlocal kept
        # After its first step the copy holds the lock of whoever writes, until its last one.
        if code == sqlite3.SQLITE_OK and kept is None:
            kept = _free_name(record.path)
            with database.open_record(record.path) as before:
                _write_copy(before, kept)
        elif code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > give_up:
            raise errors.RecordBusy(record.path)

    with database.failures_named(record.path):
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


def _open_backup(path: Path) -> database.Record:
    """Raises BackupMissing, NotARecord, RecordTooNew, RecordDamaged where a file is no record."""
    if not path.is_file():
        raise errors.BackupMissing(path)
    record = database.open_unchanged(path)
    try:
        if not record.value("PRAGMA user_version"):  # an empty file would become an empty record
            raise errors.NotARecord(path)
        _check_whole(record)
    except BaseException:
        record.close()
        raise
    return record


def _check_whole(record: database.Record) -> None:
    """Raises RecordDamaged."""
    found = record.value("PRAGMA integrity_check(1)")
    if found != "ok":
        raise errors.RecordDamaged(record.path, found)


def _is_damaged(path: Path) -> bool:
    try:
        with database.open_record(path) as record:
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


def _write_copy(record: database.Record, path: Path) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        with database.failures_named(record.path), closing(sqlite3.connect(beside)) as copy:
            record.connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # all of it in this one file
        os.replace(beside, path)
    except OSError as error:
        raise errors.OutputNotWritable(path, error.strerror or error) from error
    finally:
        for part in (*_PARTS, "-journal"):
            with suppress(OSError):
                os.unlink(f"{beside}{part}")
