"""The packaged picture of our own empty sheet is what its PDF prints."""

from __future__ import annotations

import cv2
import numpy as np

from simulation.bloxx.packaged_blank import FILE, packaged_blank


def test_the_packaged_blank_is_as_the_sheet_is_printed() -> None:
    packaged, printed = (
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        for data in (FILE.read_bytes(), packaged_blank())
    )
    # decoders differ by a few grey levels; print that was moved or recoloured by far more
    assert packaged.shape == printed.shape
    assert np.abs(packaged.astype(int) - printed).max() < 40
