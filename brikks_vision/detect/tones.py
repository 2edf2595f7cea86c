"""Tells photos of which the tones are lost: black and white by a threshold, or posterized.

What is faint then is gone or as dark as ink, and no network sees that it is missing.
"""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.placement import Image, Placement
from brikks_vision.detect.thresholds import (
    FEW_TONES,
    MIN_BETWEEN,
    MIN_OTHER_TONES,
    OUTLYING_TONES,
    TONE_ROWS,
)
from brikks_vision.layout import Layout


def has_tones(image: Image, placement: Placement, layout: Layout) -> bool:
    """Whether a placed sheet is shown in many tones, and not in two extremes only.

    ``image`` : uint8 BGR (height, width, 3). Its own pixels count: straightening mixes tones.
    """
    corners = placement.to_photo(np.asarray(layout.reading_area.corners))
    left, top = np.clip(corners.min(axis=0), 0, None).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    part = image[top:bottom, left:right]
    part = part[:: max(1, len(part) // TONE_ROWS)]
    counts = [cv2.calcHist([part], [channel], None, [256], [0, 256]) for channel in range(3)]
    shares = np.reshape(counts, (3, 256)) / (part.shape[0] * part.shape[1])
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
