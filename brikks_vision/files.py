"""Writing a file whole or not at all."""

from __future__ import annotations

import os
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
