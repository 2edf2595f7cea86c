"""The program ``brikks-scan``: one that reads a photo gets ready while it starts, and ends at once.

Such a command takes a quarter of a second, more of it to start than to read. Only what takes no
time is imported before that is known.
"""

from __future__ import annotations

import gc
import io
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress

READERS = ("scan", "game", "turn", "follow", "coach")
"""The commands that read sheets off the photos they are given, in this process."""
INTERRUPTED = 130  # exit code after Ctrl-C, as shells count it and typer does
# Where numpy's libraries look for their number of threads: OpenBLAS, OpenMP, Apple's Accelerate.
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
# Set by hand. Imports make some 70,000 objects that stay; to look through them for garbage again
# and again took 15 ms. Seconds after which another thread goes on: with the usual 0.005, sessions
# that are opened beside the imports wait for the interpreter longer than they take.
MAX_NEW_OBJECTS, SWITCH_SECONDS = 100_000, 0.001


def main() -> None:
    """Run ``brikks-scan`` and exit with an `ExitCode`; where photos are read, the process ends."""
    silence_libraries()
    is_reader = reads_photos(sys.argv[1:])
    try:
        if is_reader:
            _get_ready()
        from brikks_vision.commands.app import main as run

        run()
    except KeyboardInterrupt:
        if is_reader:  # the end would come upon networks that are opened, and dump core
            _end_at_once(INTERRUPTED)
        raise
    except SystemExit as end:
        if is_reader and isinstance(end.code, int):
            _end_at_once(end.code)
        raise


def reads_photos(words: Sequence[str]) -> bool:
    """Whether a command line plainly is one that reads photos: some that does may be missed.

    words : without the name of the program.
    """
    if not any(map(os.path.isfile, words)):
        return False
    first = words[0]
    return first in READERS or first.startswith("-") or ("." in first and os.path.isfile(first))


def _get_ready() -> None:
    """Let libraries start with little, and the networks' sessions be opened beside all else."""
    for name in THREADS:
        os.environ.setdefault(name, "1")  # those of OpenBLAS keep a second core busy for nothing
    gc.set_threshold(MAX_NEW_OBJECTS)
    sys.setswitchinterval(SWITCH_SECONDS)
    with suppress(Exception):  # what is wrong with a library is told where a photo is read
        from brikks_vision.detect.networks import open_ahead

        open_ahead()


def _end_at_once(code: int) -> None:
    """Exit without tidying up objects and libraries, which takes 50 ms; all files are closed."""
    with suppress(OSError, AttributeError):  # a stream is closed, or the program has none
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def silence_libraries() -> None:
    """Keep what libraries in C say of a photo (libjpeg, libpng, libheif) off the user's terminal.

    They write to file descriptor 2 itself. Done before any thread or process is started, so that
    nothing of ours is lost: descriptor 2 leads nowhere from then on, here and in all processes that
    are started, and ``sys.stderr`` keeps the terminal. A second time it does nothing. Developers
    (``-X dev``) see everything.
    """
    if sys.flags.dev_mode or not isinstance(sys.stderr, io.TextIOWrapper):
        return
    encoding = sys.stderr.encoding
    try:
        sys.stderr.flush()
        if sys.stderr.fileno() != 2:
            return
        terminal = os.dup(2)
    except OSError:  # the program was started without one
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    sys.stderr = open(terminal, "w", buffering=1, encoding=encoding)  # noqa: SIM115
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of libraries; those of ours are errors
