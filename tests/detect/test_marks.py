"""Print beside which marks are read, and evidence that is faint, covered or of several photos."""

import json

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.cases import case_of
from brikks_vision.detect import marks
from brikks_vision.detect.figures import Figure, added_figures, without_covered
from brikks_vision.detect.marks import (
    BARS_PIXELS,
    PATCH_SIDE,
    PHOTOS,
    READER_PIXELS,
    Key,
    Marks,
    added,
    added_marks,
    bar_centres,
    bar_counts,
    bar_templates,
    mark_keys,
    mark_places,
)
from brikks_vision.detect.template import draw_template
from brikks_vision.infer.evidence import Evidence, evidence_from_json, evidence_json
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import scan_photo
from brikks_vision.reading import Status
from tests.known_sheets import mark_centres

SHEET = load_layout("brikks")
AREA = SHEET.reading_area


def test_the_template_is_drawn_where_rectified_sheets_have_their_print() -> None:
    definition = load_layout("brikks")
    template = draw_template(definition, AREA, 24)
    for column in range(definition.grid.columns + 1):
        at = round((column - AREA.left) * 24 - 0.5)
        row = round((0.5 - AREA.top) * 24)
        assert template[row, at - 1 : at + 2, 0].max() > 100
    assert len(mark_centres(definition)) == 110 + 241 + 2 * 28 + 15 + 3


def test_the_print_of_a_bar_stands_in_the_middle_of_its_patches() -> None:
    definition = load_layout("brikks")
    templates = bar_templates(definition)
    assert templates.shape == (len(bar_centres(definition)), PATCH_SIDE, PATCH_SIDE)
    radius = definition.fields["energy"].radius * 36
    y, x = np.indices((PATCH_SIDE, PATCH_SIDE)) - (PATCH_SIDE - 1) / 2
    on_the_ring = np.abs(np.hypot(x, y) - radius) < 0.7
    for template in templates[: len(definition.fields["energy"].centres)]:
        assert template[on_the_ring].min() > 60


# --- the fast pass reads the places that the full pass reads --------------------------------------


FLAT_SIZE = round(AREA.width * READER_PIXELS), round(AREA.height * READER_PIXELS)


def flat_with_spot(x: float, y: float) -> np.ndarray:
    """A straightened white sheet with a black spot at a point, in cells."""
    flat = np.full((FLAT_SIZE[1], FLAT_SIZE[0], 3), 255, np.uint8)
    at = round((x - AREA.left) * READER_PIXELS - 0.5), round((y - AREA.top) * READER_PIXELS - 0.5)
    cv2.circle(flat, at, 4, (0, 0, 0), -1)
    return flat


def darkest(picture: np.ndarray) -> tuple[float, float]:
    """The middle (x, y) of what is black in a picture, px."""
    rows, columns = np.nonzero(picture[..., 0] < 128)
    return float(columns.mean()), float(rows.mean())


@pytest.mark.parametrize("at", [0, 37, 109, 110, 250, 350])
def test_an_output_stands_on_every_mark_of_the_grid(at: int) -> None:
    points = mark_centres(SHEET)
    told = [mark_places(SHEET, name) for name in ("reader", "fast_reader")]
    keys = [[key for key, *_ in each] for each in told]
    assert keys[0][: len(keys[1])] == keys[1]
    x, y = darkest(marks.grid_view(flat_with_spot(*points[at]), SHEET))
    ((row, column),) = marks.fast_places(points[at : at + 1], marks.fast_area(SHEET))
    middle = (np.array([column, row]) + 0.5) * marks.FAST_STRIDE - 0.5
    np.testing.assert_allclose((x, y), middle, atol=1.0)


# --- where a ring would not show, that none is seen is no evidence --------------------------------


RINGS, STRIKES = ("energy", "ring"), ("energy", "cross")
PEN = np.array([(240, 240, 240), (30, 28, 28)], np.float32)
WIDTH = 0.66


def disc(ground: int) -> NDArray[np.uint8]:
    """A patch with a white disc on a ground of that grey."""
    patch = np.full((PATCH_SIDE, PATCH_SIDE, 3), ground, np.uint8)
    middle = PATCH_SIDE // 2, PATCH_SIDE // 2
    return np.asarray(
        cv2.circle(patch, middle, round(WIDTH / 2 * BARS_PIXELS), (240, 240, 240), -1), np.uint8
    )


def test_black_ink_shows_on_white_ground_and_not_on_black() -> None:
    on_white, on_black = marks.ring_contrast(np.stack([disc(235), disc(25)]), PEN, WIDTH)
    assert on_white > 0.9
    assert on_black < 0.3


def test_a_painted_ring_is_ink_on_paper() -> None:
    (ringed,) = marks.with_ring(disc(240)[None], PEN, WIDTH)
    assert np.abs(ringed.min(axis=(0, 1)).astype(int) - PEN[1]).max() < 12
    assert (ringed[PATCH_SIDE // 2, PATCH_SIDE // 2] == 240).all()


def network_that_sees(value: float) -> marks.bar_logits:
    """In place of the network of the bars: it reads every ring so surely."""
    return lambda patches, *_: {RINGS: np.full(28, value)}


@pytest.mark.parametrize(
    ("ground", "ringed", "seen", "least"),
    [
        (235, False, -5.0, None),  # it would show
        (25, False, -5.0, -0.007),
        (25, False, 6.0, -6.002),  # it would be read all the same
        (25, True, np.nan, -8.0),  # another one shows, and none is painted
    ],
)
def test_no_ring_counts_as_little_as_one_would_show(
    ground: int,
    ringed: bool,
    seen: float,
    least: float | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(marks, "bar_logits", network_that_sees(seen))
    patches = np.stack([disc(ground)] * sum(bar_counts(SHEET)))
    read: dict[Key, NDArray[np.float64]] = {RINGS: np.full(28, -9.0), STRIKES: np.full(28, -9.0)}
    read[RINGS][5] = 8.0 if ringed else -9.0
    found = marks.least_of_rings(patches, PEN, read, SHEET)
    assert found.keys() == (set() if least is None else {RINGS})
    for of_rings in found.values():
        assert of_rings == pytest.approx(least, abs=0.01)


def test_no_ring_is_painted_where_rings_are_printed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "bar_logits", network_that_sees(np.nan))
    patches = np.stack([disc(235)] * sum(bar_counts(SHEET)))
    patches[:4] = disc(25)  # the printed rings, on black
    read: dict[Key, NDArray[np.float64]] = {RINGS: np.full(28, -9.0), STRIKES: np.full(28, -9.0)}
    found = marks.least_of_rings(patches, PEN, read, SHEET)[RINGS]
    assert found[:4] == pytest.approx(0.0, abs=0.01)
    assert (found[4:] == -np.inf).all()


def test_a_closer_look_cannot_tell_of_it_either(monkeypatch: pytest.MonkeyPatch) -> None:
    size = round(AREA.height * READER_PIXELS), round(AREA.width * READER_PIXELS)
    flat = np.full((*size, 3), 200, np.uint8)
    patches = np.stack([disc(235)] * sum(bar_counts(SHEET)))
    plain = Marks({key: np.full(SHEET.fields[key[0]].shape, -9.0) for key in mark_keys(SHEET)})
    fast = plain.with_least({RINGS: np.full(28, -0.5)})
    monkeypatch.setattr(marks, "fast_marks", lambda *_: fast)
    together = marks.closer_marks(flat, patches, SHEET, None)
    assert (together[RINGS] >= -0.5).all()
    assert fast.with_covered({"energy": np.arange(28) == 1}).least is fast.least


def test_nobody_is_accused_of_what_black_rings_on_black_ground_hide() -> None:
    case = case_of("brikks", "hard", 26001, 14)
    assert not isinstance(case.data, np.ndarray)
    reading = scan_photo(case.data).reading
    assert not reading.violations
    assert reading.status is not Status.OK or reading.score.total == case.total
    assert reading.total_range[0] <= case.total <= reading.total_range[1]


# --- places that something hides have no evidence, whatever a network says of them ----------------


CELLS = ("cell", "cross")
FILLS = ("cell", "fill")
BOMBS = ("bomb", "cross")


def look(value: float) -> Marks:
    return Marks(
        {CELLS: np.full((2, 3), value), FILLS: np.full((2, 3), -value), BOMBS: np.full(3, value)}
    )


def hidden(*cells: tuple[int, int]) -> dict[str, np.ndarray]:
    places = np.zeros((2, 3), bool)
    for cell in cells:
        places[cell] = True
    return {"cell": places}


def test_no_mark_of_a_covered_place_has_evidence() -> None:
    marks = look(5.0).with_covered(hidden((1, 2)))
    assert marks[CELLS].tolist() == [[5, 5, 5], [5, 5, 0]]
    assert marks[FILLS].tolist() == [[-5, -5, -5], [-5, -5, 0]]
    assert marks[BOMBS].tolist() == [5, 5, 5]
    seen_again = marks.with_logits({CELLS: np.full((2, 3), 7.0)})
    assert seen_again[CELLS].tolist() == [[7, 7, 7], [7, 7, 0]]


def test_nothing_hidden_is_nothing_covered() -> None:
    plain = look(5.0)
    assert plain.with_covered(hidden()) is plain


def test_nothing_is_read_of_a_figure_whose_place_is_covered() -> None:
    figures = {"rows": (Figure(4, 0.9), Figure(6, 0.8)), "total": (Figure(40, 0.9),)}
    seen = without_covered(figures, {"rows": np.array([False, True]), **hidden((0, 0))})
    assert [figure.value for figure in seen["rows"]] == [4, None]
    assert seen["total"] == figures["total"]


def test_kept_evidence_says_what_was_covered() -> None:
    evidence = Evidence(look(5.0).with_covered(hidden((1, 2))), {})
    kept = evidence_from_json(evidence_json(evidence))
    np.testing.assert_array_equal(kept.marks.covered["cell"], hidden((1, 2))["cell"])
    former = json.loads(evidence_json(evidence))
    del former["covered"]
    assert not evidence_from_json(json.dumps(former)).marks.covered


def test_a_cancelled_mark_has_no_evidence_whoever_looks_again() -> None:
    marks = look(5.0).with_cancelled(hidden((0, 1)))
    assert marks[CELLS].tolist() == [[5, 0, 5], [5, 5, 5]]
    again = marks.with_logits({CELLS: np.full((2, 3), 7.0)})
    assert again[CELLS].tolist() == [[7, 0, 7], [7, 7, 7]]
    kept = evidence_from_json(evidence_json(Evidence(again, {}))).marks
    np.testing.assert_array_equal(kept.cancelled["cell"], hidden((0, 1))["cell"])
    assert not kept.covered


# --- what several views of the same places tell together ------------------------------------------


OF_TWO = 1 / (1 + PHOTOS)  # of what each of two photos tells
odds = st.floats(-20, 20)


@given(odds, odds)
def test_views_that_tell_the_same_tell_their_mean_and_two_photos_more(
    one: float, other: float
) -> None:
    logs = [np.array([one]), np.array([other])]
    assert np.isclose(added(logs, 1.0), (one + other) / 2).all()
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
    assert not added_marks([other, photo([1, 1, 1], [False] * 3)]).covered


def test_a_figure_is_as_the_photo_shows_that_does_not_hide_it() -> None:
    hidden, seen = Figure(None, 1.0), Figure(7, 0.9, ((1, 0.1),))
    none, first = {"rows": np.array([False, False])}, {"rows": np.array([True, False])}
    photos = [{"rows": (hidden, seen)}, {"rows": (seen, seen)}]
    told = added_figures(photos, [first, none])["rows"]
    assert told[0].value == 7 and np.isclose(told[0].probability, 0.9)
    assert told[1].value == 7 and told[1].probability > 0.94
    assert added_figures(photos[:1], [first])["rows"][0].value is None
