"""Locks of files."""

from __future__ import annotations

import errno
import os
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from brikks_vision import files
from brikks_vision.files import try_lock


def test_a_lock_is_held_until_its_file_is_closed(tmp_path: Path) -> None:
    first, second = (os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert (try_lock(first), try_lock(second)) == (True, False)
    os.close(first)
    assert try_lock(second)
    os.close(second)


@pytest.mark.parametrize(
    ("code", "is_free"),
    [
        (errno.EACCES, False),
        (errno.EDEADLK, False),
        (errno.EINVAL, True),
        (errno.EBADF, True),
        (None, True),
    ],
)
def test_what_windows_says_of_a_lock(
    code: int | None, is_free: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locking(*_: int) -> None:
        if code is not None:
            raise OSError(code, os.strerror(code))

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    there = runpy.run_path(files.__file__)
    assert there["try_lock"](7) is is_free
