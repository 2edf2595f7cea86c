"""What several views of the same places tell together."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.detect.figures import Figure, added_figures
from brikks_vision.detect.marks import PHOTOS, SAME_PHOTO, Marks, added, added_marks, mean_marks

CELLS = "cell", "cross"
OF_TWO = 1 / (1 + PHOTOS)  # of what each of two photos tells
odds = st.floats(-20, 20)


@given(odds, odds)
def test_views_of_one_photo_tell_their_mean_and_two_photos_more(one: float, other: float) -> None:
    logs = [np.array([one]), np.array([other])]
    assert np.isclose(added(logs, SAME_PHOTO), (one + other) / 2).all()
    assert np.isclose(added(logs, PHOTOS), OF_TWO * (one + other)).all()
    assert np.isclose(added(logs[:1], PHOTOS), one).all()


def test_what_one_view_hides_counts_as_the_other_shows_it() -> None:
    logs = [np.array([0.0, 4.0]), np.array([6.0, 5.0])]
    shown = [np.array([0.0, 1.0]), np.array([1.0, 1.0])]
    assert np.allclose(added(logs, PHOTOS, shown), [6.0, OF_TWO * 9])


def test_a_place_is_covered_only_if_all_photos_hide_it() -> None:
    def photo(cells: list[float], covered: list[bool]) -> Marks:
        return Marks({CELLS: np.array(cells)}).with_covered({"cell": np.array(covered)})

    one = photo([9, 9, 9], [True, True, False])
    other = photo([-3, 7, -1], [False, True, False])
    both = added_marks([one, other])
    assert np.allclose(both[CELLS], [-3, 0, OF_TWO * 8])
    assert both.covered["cell"].tolist() == [False, True, False]
    assert mean_marks([one, other]).covered["cell"].tolist() == [True, True, False]
    assert not added_marks([other, photo([1, 1, 1], [False] * 3)]).covered


def test_a_figure_is_as_the_photo_shows_that_does_not_hide_it() -> None:
    hidden, seen = Figure(None, 1.0), Figure(7, 0.9, ((1, 0.1),))
    none, first = {"rows": np.array([False, False])}, {"rows": np.array([True, False])}
    photos = [{"rows": (hidden, seen)}, {"rows": (seen, seen)}]
    told = added_figures(photos, [first, none])["rows"]
    assert told[0].value == 7 and np.isclose(told[0].probability, 0.9)
    assert told[1].value == 7 and told[1].probability > 0.94
    assert added_figures(photos[:1], [first])["rows"][0].value is None
