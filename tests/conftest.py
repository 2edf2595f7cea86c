"""Settings for all tests."""

import os
import signal
import tempfile
from pathlib import Path

# Several test processes on a few cores: each picture operation takes one thread. Set before the
# image library is imported, and inherited by the commands that tests run.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# The printings and the record that the developer keeps must not change what tests see.
os.environ["XDG_DATA_HOME"] = str(Path(tempfile.gettempdir()) / "brikks-vision-tests-without-data")

# In the background of a script interrupts are ignored, which the programs that tests interrupt
# would inherit; of a handler they don't.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, lambda *_: None)

pytest_plugins = ["tests.observed_once"]
