"""Recognises photos that have lost their tones: thresholded to black and white, or posterized.

In such photos faint marks are gone or as dark as ink, and no network can notice that.
"""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.placement import Image
from brikks_vision.detect.thresholds import (
    FEW_TONES,
    MIN_BETWEEN,
    MIN_OTHER_TONES,
    OUTLYING_TONES,
)


def has_tones(image: Image) -> bool:
    """Whether a picture has many tones, not just a few or two extremes.

    ``image`` : uint8 BGR (height, width, 3), as large as it was taken: scaling mixes tones.
    """
    counts = [cv2.calcHist([image], [channel], None, [256], [0, 256]) for channel in range(3)]
    shares = np.reshape(counts, (3, 256)) / (image.shape[0] * image.shape[1])
    others = np.sort(shares, axis=1)[:, :-FEW_TONES].sum(axis=1)
    below = shares.cumsum(axis=1)
    darkest, lightest = (
        (below < limit).sum(axis=1) for limit in (OUTLYING_TONES, 1 - OUTLYING_TONES)
    )
    quarter = (lightest - darkest) / 4
    tones = np.arange(256)
    is_between = (tones > (darkest + quarter)[:, None]) & (tones < (lightest - quarter)[:, None])
    between = (shares * is_between).sum(axis=1)
    return bool(others.max() >= MIN_OTHER_TONES and between.max() >= MIN_BETWEEN)
