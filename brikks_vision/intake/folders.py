"""Which files are photos: by name, in a folder or one by one; and what is wrong with one."""

from __future__ import annotations

import sys
from pathlib import Path

from brikks_vision import errors

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
# Browsers, KDE Connect, Syncthing, Dropbox, iCloud and many others write into names like these
# first; names that begin with a dot are left out before.
_TEMPORARY = frozenset(
    (".part", ".partial", ".tmp", ".temp", ".crdownload", ".download", ".filepart", ".icloud")
)


def is_photo_name(name: str) -> bool:
    """Whether a file of that name is a photo that has arrived, not one that is on its way.

    >>> is_photo_name("IMG_1.HEIC"), is_photo_name(".syncthing.IMG_1.jpg.tmp")
    (True, False)
    """
    path = Path(name)
    return (
        path.suffix.lower() in PHOTO_SUFFIXES
        and not name.startswith((".", "~"))
        and not path.stem.endswith("~")
        and _TEMPORARY.isdisjoint(suffix.lower() for suffix in path.suffixes)
    )


def pictures_in(folder: Path) -> list[Path]:
    """The pictures in a folder (not below it), by name.

    Raises FolderWithoutPictures, PhotoNotPermitted.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        raise errors.PhotoNotPermitted(folder) from None
    pictures = [entry for entry in entries if is_photo_name(entry.name) and entry.is_file()]
    if not pictures:
        raise errors.FolderWithoutPictures(folder)
    return pictures


def files_of(photo: Path) -> list[Path]:
    """A photo file, or the pictures in a folder.

    Raises PhotoMissing, PhotoNotPermitted, FolderWithoutPictures.
    """
    try:
        if photo.is_dir():
            return pictures_in(photo)
        if photo.exists():
            return [photo]
    except PermissionError:
        raise errors.PhotoNotPermitted(photo) from None
    except (OSError, ValueError):  # a name that is too long, or that no file can have
        pass
    raise errors.PhotoMissing(photo)


def failure_of(error: Exception) -> errors.BrikksError:
    """What is wrong with a photo: a fault of the program costs that photo and nothing else.

    To developers (``-X dev``) it is raised: they see where it failed.
    """
    if isinstance(error, errors.BrikksError):
        return error
    if sys.flags.dev_mode:
        raise error
    return errors.ReadingFailed(f"{type(error).__name__}: {error}")
