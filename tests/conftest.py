"""Settings for all tests."""

import os

# Several test processes on a few cores: each picture operation takes one thread. Set before the
# image library is imported, and inherited by the commands that tests run.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
