"""Programs that tests start."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

PATIENCE = 20.0  # seconds that a program has to end as it likes


@contextmanager
def started(words: Sequence[object], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A program that runs, its output piped; after the block it has ended, whatever happened."""
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([str(word) for word in words], **{**piped, **options}) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
