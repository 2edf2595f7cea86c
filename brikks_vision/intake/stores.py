"""Photos in object stores, by URL (``s3://``, ``file://`` ...), and by what photos are known again.

The stores are those of fsspec; its settings and those of the store's package say who may read.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import fsspec

from brikks_vision.detect.photo import MAX_FILE_BYTES
from brikks_vision.errors import FileTooLarge, FolderWithoutPictures, PhotoEmpty, StoreUnreadable
from brikks_vision.intake.batch import Stamp
from brikks_vision.intake.folders import PHOTO_SUFFIXES

# Where stores tell that an object has changed: S3, Azure; S3 and files; Google.
_CHANGED = ("ETag", "etag", "LastModified", "mtime", "updated")


def is_url(photo: str) -> bool:
    return "://" in photo


def file_stamp(file: Path) -> Stamp | None:
    """By what a file is known again; None where it cannot be seen."""
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return os.path.abspath(file), status.st_size, str(status.st_mtime_ns)


def photos_of_store(url: str) -> dict[str, Stamp]:
    """The picture, or the pictures in the folder (not below it), sorted by URL; with their stamps.

    Raises
    ------
    StoreUnreadable, FolderWithoutPictures
    """
    try:
        store, path = fsspec.core.url_to_fs(url)
        is_folder = store.isdir(path)
        entries = store.ls(path, detail=True) if is_folder else [store.info(path)]
    except Exception as error:  # each store has errors of its own
        raise _unreadable(url, error) from error
    photos = {}
    for entry in sorted(entries, key=lambda entry: str(entry["name"])):
        name = str(entry["name"])
        if not is_folder or (entry["type"] == "file" and _is_picture(name)):
            photo = str(store.unstrip_protocol(name))
            photos[photo] = (photo, int(entry.get("size") or 0), _changed(entry))
    if not photos:
        raise FolderWithoutPictures(url)
    return photos


def read_url(url: str) -> bytes:
    """The bytes of a photo in a store.

    Raises
    ------
    StoreUnreadable, FileTooLarge, PhotoEmpty
    """
    try:
        with fsspec.open(url, "rb") as file:
            data = bytes(file.read(MAX_FILE_BYTES + 1))
    except Exception as error:  # each store has errors of its own
        raise _unreadable(url, error) from error
    if len(data) > MAX_FILE_BYTES:
        raise FileTooLarge(len(data) // 1_000_000, MAX_FILE_BYTES // 1_000_000)
    if not data:
        raise PhotoEmpty
    return data


def _unreadable(url: str, error: Exception) -> StoreUnreadable:
    return StoreUnreadable(url, " ".join(f"{type(error).__name__}: {error}".split()))


def _is_picture(name: str) -> bool:
    last = name.rpartition("/")[2]
    return last.lower().endswith(PHOTO_SUFFIXES) and not last.startswith(".")


def _changed(entry: dict[str, Any]) -> str:
    return next((str(entry[name]) for name in _CHANGED if entry.get(name)), "")
