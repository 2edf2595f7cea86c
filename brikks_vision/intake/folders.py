"""Which files are photos: by name, in a folder or one by one."""

from __future__ import annotations

from pathlib import Path

from brikks_vision.errors import FolderWithoutPictures, PhotoMissing, PhotoNotPermitted

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")


def pictures_in(folder: Path) -> list[Path]:
    """The pictures in a folder (not below it, no hidden ones), by name.

    Raises FolderWithoutPictures, PhotoNotPermitted.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        raise PhotoNotPermitted(folder) from None
    pictures = [
        entry
        for entry in entries
        if entry.suffix.lower() in PHOTO_SUFFIXES
        and not entry.name.startswith(".")
        and entry.is_file()
    ]
    if not pictures:
        raise FolderWithoutPictures(folder)
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
        raise PhotoNotPermitted(photo) from None
    except (OSError, ValueError):  # a name that is too long, or that no file can have
        pass
    raise PhotoMissing(photo)
