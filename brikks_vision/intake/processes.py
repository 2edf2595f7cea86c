"""Processes that read photos side by side, each on one core."""

from __future__ import annotations

import os

# what numpy's packages compute with: OpenBLAS, an OpenMP, or Apple's Accelerate
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def take_one_core() -> None:
    """Let numpy and OpenCV compute with one thread in this process: its like take the other cores.

    What the user set for numpy stays. To be called before numpy is imported, which looks once.
    """
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    import cv2

    cv2.setNumThreads(1)
