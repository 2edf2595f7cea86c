"""Files: written whole or not at all, and locked."""

from __future__ import annotations

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
        # Where the folder is no folder, or is closed, there is nothing to clean up.
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise OutputNotWritable(path, error.strerror or error) from error


def try_lock(file: int) -> bool | None:
    """Lock an open file until it is closed, or its process ends, however it does.

    Returns
    -------
    False where another process holds the lock; None where the file system knows no locks
    """
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # some network file systems have none
        return None
    return True
