"""Recognises photos that have lost their tones: thresholded to black and white, or posterized.

In such photos faint marks are gone or as dark as ink, and no network can notice that.
"""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.placement import Image

# Set by hand where no source is named.
FEW_TONES = 16  # of a channel; with so few tones all marks look equally strong
# share of the pixels with other tones than the `FEW_TONES` most common ones, in some channel.
# Pictures in black and white or with up to 16 levels have 0; sheets had 0.25 or more, one in 48
# colours 0.05
MIN_OTHER_TONES = 0.005
# share of the pixels that may be darker, or lighter, than the range of tones
OUTLYING_TONES = 0.001
# share of the pixels in the middle half of the range of tones, in some channel. Pictures in black
# and white have 0, even as a JPEG of quality 70. Sheets had 0.13 or more; with doubled light, so
# that most is white, 0.013; whitened as by apps that scan documents, 0.057
MIN_BETWEEN = 0.002


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
