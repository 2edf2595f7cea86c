"""Small sheets are the same of a seed, and their labels say what ink lies at each place."""

import numpy as np
import pytest

from brikks_vision.detect.patches import SIDE
from training.tasks.small_prints import small_sheet
from training.tasks.small_sheets import OUTPUTS, UNKNOWN, Places, marked_places

SHEETS = 6


@pytest.fixture(scope="module")
def sheets() -> list[Places]:
    return [marked_places(np.random.default_rng([7, number]), True) for number in range(SHEETS)]


def test_a_seed_always_gives_the_same_places(sheets: list[Places]) -> None:
    for number, first in enumerate(sheets):
        again = marked_places(np.random.default_rng([7, number]), True)
        assert (first.photo == again.photo).all()
        assert (first.labels == again.labels).all()
        assert (first.with_blank.reference == again.with_blank.reference).all()
        assert (first.alike.reference == again.alike.reference).all()


def test_sheets_differ() -> None:
    layouts = [small_sheet(np.random.default_rng(seed)).layout for seed in range(SHEETS)]
    assert len({(layout.grid.rows, layout.grid.columns) for layout in layouts}) > 2


def test_each_place_has_the_labels_of_its_kind(sheets: list[Places]) -> None:
    edge = OUTPUTS.index("edge")
    for places in sheets:
        assert places.alike.photo.shape == (len(places.labels), SIDE, SIDE, 3)
        on_edge = places.kinds == 1
        assert (places.labels[on_edge, :edge] == UNKNOWN).all()
        assert (places.labels[on_edge, edge] != UNKNOWN).all()
        assert (places.labels[~on_edge, edge] == UNKNOWN).all()


def test_most_marked_places_differ_more_from_the_blank_than_open_ones_do() -> None:
    middle = np.s_[:, 10:22, 10:22]
    right, asked = 0, 0
    for number in range(12):
        places = marked_places(np.random.default_rng([8, number]), True)
        views, marks = places.with_blank, places.labels[:, :5]
        away = np.abs(views.photo[middle].astype(int) - views.reference[middle])
        away = np.percentile(away.max(axis=3).reshape(len(away), -1), 90, axis=1)
        is_marked, is_open = (marks == 1).any(axis=1), (marks == 0).all(axis=1)
        if is_marked.any() and is_open.any():
            right += int((away[is_marked] > np.median(away[is_open])).sum())
            asked += int(is_marked.sum())
    assert right > 0.8 * asked
