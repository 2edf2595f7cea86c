"""The packaged pictures of our own empty sheets are what their PDFs print."""

import cv2
import numpy as np
import pytest

from simulation.packaged_blank import file_of, packaged_blank


@pytest.mark.parametrize("game", ["bloxx", "qwixx"])
def test_the_packaged_blank_is_as_the_sheet_is_printed(game: str) -> None:
    packaged, printed = (
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        for data in (file_of(game).read_bytes(), packaged_blank(game))
    )
    # decoders differ by a few grey levels; print that was moved or recoloured by far more
    assert packaged.shape == printed.shape
    assert np.abs(packaged.astype(int) - printed).max() < 40
