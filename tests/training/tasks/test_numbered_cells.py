"""Numbers in cells, printed in many ways."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from brikks_vision.detect.printed_digits import SIDE, VALUES, cells_in
from training.tasks.numbered_cells import COLUMNS, ROWS, numbered_cells
from training.tasks.printed_numbers import cells_of


def test_a_number_shows_where_the_labels_say() -> None:
    """Cells of one sheet differ by what is printed in them more than bare ones do."""
    inked, bare = [], []
    for number in range(12):
        flat, values = numbered_cells(np.random.default_rng([4, number]), 48)
        assert flat.shape == (ROWS * 48, COLUMNS * 48, 3)
        assert set(values.ravel().tolist()) <= {0, *VALUES}
        spread = cells_in(flat, ROWS, COLUMNS)[:, 8:40, 8:40].std(axis=(1, 2)).mean(axis=1)
        inked.append(float(np.median(spread[values.ravel() > 0])))
        bare.append(float(np.median(spread[values.ravel() == 0])))
    assert np.mean(np.array(inked) > np.array(bare)) > 0.8


@pytest.mark.parametrize("number", [0, 1])
def test_samples_are_what_a_cell_is_seen_as(number: int) -> None:
    cells, labels = cells_of(7, number)
    assert cells.shape == (len(labels), SIDE, SIDE, 3)
    assert 0 < np.count_nonzero(labels) < len(labels)
    again, same = cells_of(7, number)
    assert (cells == again).all() and (labels == same).all()
