"""Files that are written whole or not at all, and file locks."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

from brikks_vision.errors import OutputNotWritable


def write_whole(path: Path, content: bytes) -> None:
    """Write beside ``path``, then rename over it: a failure leaves what was there.

    Raises
    ------
    OutputNotWritable
        The folder is missing or closed, the disk is full, or ``path`` is a folder.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except OSError as error:
        # If the folder is missing or closed, there is nothing to clean up.
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise OutputNotWritable(path, error.strerror or error) from error


def write_private(path: Path, content: bytes) -> None:
    """As `write_whole`, for what only its owner may read; raises OSError."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    os.replace(fresh, path)


def try_lock(file: int) -> bool:
    """Lock an open file, without waiting, until it is closed or its process ends.

    False: another process holds the lock. Where the file system has none, as on some networks,
    nothing is held.
    """
    try:
        _lock_at_once(file)
    except OSError as error:
        return error.errno not in _TAKEN
    return True


if sys.platform == "win32":
    import msvcrt

    _TAKEN = (errno.EACCES, errno.EDEADLK)

    def _lock_at_once(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    _TAKEN = (errno.EAGAIN, errno.EWOULDBLOCK)

    def _lock_at_once(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
