"""Settings for all tests."""

import gc
import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# Several test processes on a few cores: each operation on pictures and arrays takes one thread. Set
# before the libraries are imported, and inherited by the commands that tests run.
for threads in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# A hundred programs that tests start need not compile the package each, and tests not each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Fifty examples a property find what a hundred do; how long one takes hangs on what else runs.
settings.register_profile("tests", max_examples=50, deadline=None)
settings.load_profile("tests")

# The printings and the record that the developer keeps must not change what tests see.
os.environ["XDG_DATA_HOME"] = str(Path(tempfile.gettempdir()) / "brikks-vision-tests-without-data")

# In the background of a script interrupts are ignored, which the programs that tests interrupt
# would inherit; of a handler they don't.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, lambda *_: None)

# What takes longest begins first: else one process has a file of a minute left when the other ends.
LONGEST = (
    "games/bloxx/test_learn.py", "web/test_browser_network.py", "web/test_browser.py",
    "test_docs_run.py", "web/test_app.py", "web/test_browser_offline.py", "web/test_boards.py",
    "games/blox/test_blox_photos.py", "web/test_printings.py", "web/test_browser_camera.py",
    "web/test_browser_boards.py", "web/test_browser_tables.py", "test_threads.py",
)  # fmt: skip

pytest_plugins = ["tests.command_line", "tests.observed_once", "tests.workers_here"]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say at once that something happens: to import all that is tested takes a while."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(session.config, "workerinput"):
        reporter.write_line("The tests are being collected.")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        name = item.path.relative_to(Path(__file__).parent).as_posix()
        return LONGEST.index(name) if name in LONGEST else len(LONGEST)

    items.sort(key=place)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported stays: to search it for garbage again and again takes a tenth of a run."""
    gc.collect()
    gc.freeze()
