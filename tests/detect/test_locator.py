"""Views of a photo for the locator."""

from __future__ import annotations

import numpy as np
import pytest

from brikks_vision.detect import locator


@pytest.mark.parametrize("shape", [(400, 300), (300, 400), (640, 32), (20, 30)])
@pytest.mark.parametrize("turn", [0, 90, 225])
def test_a_view_leaves_away_only_what_is_beside_the_photo(
    shape: tuple[int, int], turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    height, width = shape
    photo = np.full((height, width, 3), 200, np.uint8)
    middle = (width / 2, height / 2)
    (whole,) = next(locator.views(width, height))
    to_view = locator.square_view(middle, max(shape), turn) if turn else whole
    view = locator.take_view(photo, to_view)
    assert not any(side % locator.LOCATOR_STEP for side in view.shape[:2])
    monkeypatch.setattr(locator, "LOCATOR_STEP", locator.LOCATOR_SIZE)
    square = locator.take_view(photo, to_view)
    assert square.shape[:2] == (locator.LOCATOR_SIZE, locator.LOCATOR_SIZE)
    rows, columns = view.shape[:2]
    np.testing.assert_array_equal(view, square[:rows, :columns])
    assert not square[rows + 1 :].any()
    assert not square[:, columns + 1 :].any()
