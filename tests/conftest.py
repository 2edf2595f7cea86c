"""Settings for all tests."""

import os
import signal
import tempfile
from pathlib import Path

import pytest

# Several test processes on a few cores: each operation on pictures and arrays takes one thread. Set
# before the libraries are imported, and inherited by the commands that tests run.
for threads in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# The printings and the record that the developer keeps must not change what tests see.
os.environ["XDG_DATA_HOME"] = str(Path(tempfile.gettempdir()) / "brikks-vision-tests-without-data")

# In the background of a script interrupts are ignored, which the programs that tests interrupt
# would inherit; of a handler they don't.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, lambda *_: None)

pytest_plugins = ["tests.command_line", "tests.observed_once", "tests.workers_here"]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say at once that something happens: to import all that is tested takes a while."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(session.config, "workerinput"):
        reporter.write_line("The tests are being collected.")
