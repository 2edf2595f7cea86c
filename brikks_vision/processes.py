"""Processes that read photos side by side, each on one core."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

# what numpy's packages compute with: OpenBLAS, an OpenMP, or Apple's Accelerate
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@contextmanager
def one_thread_each() -> Iterator[None]:
    """In processes that are started meanwhile numpy takes one thread, as the other cores are busy.

    OpenCV must be told there: ``cv2.setNumThreads(1)``.
    """
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
