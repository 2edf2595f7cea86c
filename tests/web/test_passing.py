"""Locks, and the folder for photos while they are read: whose it is, and when it goes."""

from __future__ import annotations

import errno
import os
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from brikks_vision import files
from brikks_vision.files import Lock, try_lock
from brikks_vision.web import uploads
from brikks_vision.web.uploads import PREFIX, passing_folder, remove_left_behind

LOCK = "running.lock"
unlink, close = os.unlink, os.close


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where such folders are made."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture(params=["open files go", "open files stay"])
def open_files(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that removes files that are open, and one that does not."""
    opened: set[int] = set()

    def opening(*given: Any, **at: Any) -> int:
        file = os_open(*given, **at)
        if str(given[0]).endswith(LOCK):
            opened.add(file)
        return file

    def closing(file: int) -> None:
        opened.discard(file)
        close(file)

    def removing(path: Any, **at: Any) -> None:
        if str(path).endswith(LOCK) and opened:
            raise PermissionError
        unlink(path, **at)

    os_open = os.open
    if request.param == "open files stay":
        monkeypatch.setattr(os, "open", opening)
        monkeypatch.setattr(os, "close", closing)
        monkeypatch.setattr(os, "unlink", removing)


def left_behind(place: Path) -> Path:
    """A folder as a killed server leaves it."""
    folder = place / f"{PREFIX}left"
    (folder / "photos").mkdir(parents=True)
    (folder / "photos" / "upload-1").write_bytes(b"GPS")
    (folder / LOCK).touch()
    return folder


@pytest.mark.usefixtures("open_files")
def test_what_a_killed_server_left_goes(place: Path) -> None:
    left = left_behind(place)
    with passing_folder() as own:
        assert not left.exists()
        remove_left_behind()
        assert own.is_dir()
    assert list(place.iterdir()) == []


@pytest.mark.usefixtures("open_files")
def test_a_server_just_starting_that_holds_its_folder_keeps_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = left_behind(place)
    lock = os.open(folder / LOCK, os.O_RDWR)  # made, not yet locked
    kept: list[bool] = []
    let_go = os.close

    def locking_next(file: int) -> None:
        let_go(file)
        if not kept and try_lock(lock) is Lock.HELD:
            kept.append((folder / LOCK).exists())

    monkeypatch.setattr(uploads.os, "close", locking_next)
    remove_left_behind()
    assert kept == [folder.exists()]
    let_go(lock)


def test_a_folder_that_is_always_taken_is_given_up(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "try_lock", lambda _: Lock.TAKEN)
    with pytest.raises(OSError, match="unavailable"), passing_folder():
        pass
    assert list(place.iterdir()) == []


def test_a_folder_that_cannot_be_finished_does_not_stay_behind(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "try_lock", full)
    with pytest.raises(OSError, match="space"), passing_folder():
        pass
    assert list(place.iterdir()) == []


def test_a_folder_whose_lock_nobody_knows_is_used_but_not_removed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = left_behind(place)
    monkeypatch.setattr(files, "try_lock", lambda _: Lock.UNKNOWN)
    with passing_folder() as own:
        assert own.is_dir()
        assert (left / "photos" / "upload-1").exists()


# --- locks ---------------------------------------------------------------------------------------


def test_a_lock_is_held_until_its_file_is_closed(tmp_path: Path) -> None:
    first, second = (os.open(tmp_path / LOCK, os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert (try_lock(first), try_lock(second)) == (Lock.HELD, Lock.TAKEN)
    os.close(first)
    assert try_lock(second) is Lock.HELD
    os.close(second)


@pytest.mark.parametrize(
    ("code", "lock"),
    [
        (errno.EACCES, "TAKEN"),
        (errno.EDEADLK, "TAKEN"),
        (errno.EINVAL, "UNKNOWN"),
        (errno.EBADF, "UNKNOWN"),
        (None, "HELD"),
    ],
)
def test_what_windows_says_of_a_lock(
    code: int | None, lock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locking(*_: int) -> None:
        if code is not None:
            raise OSError(code, os.strerror(code))

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    there = runpy.run_path(files.__file__)
    assert there["try_lock"](7).name == lock
