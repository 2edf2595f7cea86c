"""Products of large matrices."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_NOTHING = np.empty(0)  # is added


def products(those: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """``those @ others.T``, float32 (N, M), of float32 (N, K) and (M, K), neither empty.

    For products that large numpy's OpenBLAS starts threads, which then wait for more in a loop: 50
    ms of processor time in a scan of 200. OpenCV's hardly do.
    """
    return np.asarray(cv2.gemm(those, others, 1, _NOTHING, 0, flags=cv2.GEMM_2_T), np.float32)
