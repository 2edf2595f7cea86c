"""A folder for photos while they are read, which stays behind no longer than until the next start.

A server that is killed cannot delete what it was reading, and photos say where they were taken. So
each server holds a lock in its folder, which falls with it however it ends; the next one removes
the folders whose lock nobody holds, and nothing else.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp

from brikks_vision.files import Lock, try_lock

PREFIX = "brikks-serve-"
_LOCK, _PHOTOS = "running.lock", "photos"
_TRIES = 20  # to make one that no other server removes meanwhile
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def passing_folder() -> Iterator[Path]:
    """A folder that is gone after the block; those that killed servers left go first.

    Raises
    ------
    OSError
        There is no room for one, or it was taken for left behind whenever it was made.
    """
    remove_left_behind()
    folder, lock = _new_folder()
    try:
        yield folder / _PHOTOS
    finally:
        os.close(lock)  # first: some systems delete no file that is open
        shutil.rmtree(folder, ignore_errors=True)


def remove_left_behind() -> None:
    """Remove the folders of servers that run no more."""
    for folder in Path(gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # another user's, or another server is removing it as well
            if _is_own_folder(folder):
                _remove_if_left(folder)


def _is_own_folder(folder: Path) -> bool:
    return (
        folder.is_dir()
        and not folder.is_symlink()
        and (not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid())
    )


def _remove_if_left(folder: Path) -> None:
    """Remove a folder whose lock nobody holds."""
    lock = os.open(folder / _LOCK, _FLAGS)  # without one, it is being made or no server's
    try:
        if try_lock(lock) is not Lock.HELD:
            return
        # All of it while nobody else can lock it; the photos before the lock by which it is known.
        shutil.rmtree(folder / _PHOTOS, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
    # Windows removes no open file: not the lock until now, nor now that of a server just starting.
    with suppress(OSError):
        (folder / _LOCK).unlink(missing_ok=True)
        folder.rmdir()


def _new_folder() -> tuple[Path, int]:
    """A folder and its lock, held as far as the file system knows locks; raises OSError."""
    for _ in range(_TRIES):
        with ExitStack() as undone:
            folder = Path(mkdtemp(prefix=PREFIX))
            undone.callback(shutil.rmtree, folder, ignore_errors=True)
            lock = os.open(folder / _LOCK, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
            undone.callback(os.close, lock)
            # Before it was locked, another server may have taken it for left behind.
            if try_lock(lock) is not Lock.TAKEN and (folder / _LOCK).exists():
                (folder / _PHOTOS).mkdir(mode=0o700)
                undone.pop_all()
                return folder, lock
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN), gettempdir())
