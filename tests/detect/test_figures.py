"""The player's own figures: what may be written, and what most probably is beside a known score."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from brikks_vision.detect import figures
from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.games.brikks.proofs import held_figures
from brikks_vision.infer.evidence import Evidence, evidence_from_json, evidence_json
from brikks_vision.layout import Box, load_layout
from brikks_vision.rules.brikks.scoring import Score
from tests.drawn_sheets import drawn_posterior, drawn_reading

SHEET = load_layout("brikks")
ROWS = SHEET.grid.rows


def ink(*places: dict[int, float]) -> np.ndarray:
    """Logits of a patch in which each place looks like these classes, so probably."""
    logits = np.full((figures.PLACES, figures.CLASSES), -20.0, np.float32)
    for place, classes in enumerate(places):
        for each, probability in classes.items():
            logits[place, each] = np.log(probability)
    return logits


BLANK = {figures.NONE: 1.0}


@pytest.mark.parametrize(
    ("places", "value"),
    [
        ((BLANK, BLANK, BLANK), None),
        ((BLANK, BLANK, {figures.DASH: 1.0}), 0),
        ((BLANK, {1: 1.0}, {0: 1.0}), 10),
        (({1: 1.0}, {0: 1.0}, {2: 1.0}), 102),
    ],
)
def test_what_is_written(places: tuple[dict[int, float], ...], value: int | None) -> None:
    figure = figures.figure_of(ink(*places))
    assert figure.value == value
    assert figure.probability > 0.99


def test_a_blank_behind_a_digit_is_no_figure() -> None:
    """The last place looks blank, but a digit stands before it."""
    figure = figures.figure_of(ink(BLANK, {3: 0.9, figures.NONE: 0.1}, {figures.NONE: 0.6, 8: 0.4}))
    assert figure.value == 38
    assert None in dict(figure.others)


def test_a_dash_and_a_nought_are_the_same_figure() -> None:
    figure = figures.figure_of(ink(BLANK, BLANK, {figures.DASH: 0.4, 0: 0.4, 6: 0.2}))
    assert figure.value == 0
    assert figure.probability == pytest.approx(0.8, abs=0.01)


def scored(*, rows: int, total: int) -> Score:
    return Score((rows,) * ROWS, rows * ROWS, 0, 0, 0, total)


def read(figure: figures.Figure, right: int) -> figures.Figure:
    others = (figures.Figure(None, 1.0),) * (ROWS - 1)
    given = scored(rows=right, total=right)
    return held_figures({"rows": (figure, *others)}, given)["rows"][0]


def test_what_looks_like_either_is_the_right_one() -> None:
    figure = read(figures.Figure(18, 0.7, ((10, 0.3),)), right=10)
    assert figure.value == 10
    assert figure.probability > 0.98


def test_what_is_clearly_written_stands() -> None:
    assert read(figures.Figure(18, 1 - 1e-6, ((10, 1e-6),)), right=10).value == 18
    assert read(figures.Figure(18, 1.0), right=10) == figures.Figure(18, 1.0)


def test_what_looks_like_nothing_known_is_not_held_against_the_player() -> None:
    """A blot that was a 5: the digits it resembles a little leave the 5 out."""
    blot = read(figures.Figure(0, 0.9987, ((9, 0.0007), (4, 0.0003))), right=5)
    assert blot.probability < 0.98


def test_nothing_is_not_taken_for_the_right_figure() -> None:
    assert read(figures.Figure(None, 0.99, ((10, 0.01),)), right=10).value is None


def evidence_with(total: figures.Figure) -> Evidence:
    blank = DEFINITION.evidence_of_reading(drawn_reading("a.jpg", drawn_posterior("")), SHEET)
    return replace(blank, figures={**blank.figures, "total": (total,)})


def test_what_else_a_figure_may_be_is_kept() -> None:
    kept = evidence_with(figures.Figure(102, 0.75, ((107, 0.2), (None, 0.05))))
    assert evidence_from_json(evidence_json(kept)).figures == kept.figures


def test_evidence_that_knows_only_one_figure_a_place_is_read() -> None:
    """So ink was kept before what else a figure may be was kept with it."""
    blank = evidence_with(figures.Figure(None, 1.0))
    data = json.loads(evidence_json(blank))
    rows, total = data["figures"]["rows"], data["figures"]["total"]
    data["figures"] = [[value, probability] for value, probability, _ in (*rows, *total)]
    assert evidence_from_json(json.dumps(data)).figures == blank.figures


@pytest.mark.parametrize(
    ("log_odds", "value", "probability"), [(-9.0, 15, 0.9), (9.0, -15, 0.9), (0.0, 15, 0.45)]
)
def test_a_minus_sign_before_the_digits(log_odds: float, value: int, probability: float) -> None:
    figure = figures.with_sign(figures.Figure(15, 0.9, ((13, 0.1),)), log_odds)
    assert figure.value == value
    assert figure.probability == pytest.approx(probability, abs=0.001)
    told = [figure.probability, *dict(figure.others).values()]
    assert sum(told) == pytest.approx(1, abs=0.001)


def test_nothing_and_nought_have_no_sign() -> None:
    assert figures.with_sign(figures.Figure(None, 0.8, ((0, 0.2),)), 3.0) == figures.Figure(
        None, 0.8, ((0, 0.2),)
    )


@pytest.mark.parametrize("size", [(1.45, 1.1), (3.4, 0.7), (0.9, 0.9)])
def test_a_view_shows_the_whole_box_in_its_middle(size: tuple[float, float]) -> None:
    """Whatever its size, between the same margins; the empty sheet beside the photo."""
    width, height = size
    page, area = Box(-3.0, -2.0, 5.0, 4.0), Box(-2.0, -2.0, 4.0, 4.0)
    blank = np.full((6 * 32, 8 * 32, 3), 255, np.uint8)
    x, y = 1.0, 0.5
    corners = ((x - width / 2, y - height / 2), (x + width / 2, y + height / 2))
    low, high = ([round((a + 3) * 32), round((b + 2) * 32)] for a, b in corners)
    cv2.rectangle(blank, low, high, (0, 0, 0), -1)
    flat = cv2.resize(blank[:, 32:-32], (6 * 24, 6 * 24), interpolation=cv2.INTER_AREA)
    (view,) = figures.figure_views(flat, area, [(x, y)], [size], blank, page)
    assert view.shape == (*figures.VIEW_SIZE[::-1], 7)
    dark = np.argwhere(view[..., 0] < 128)
    top, left = dark.min(axis=0)
    bottom, right = np.array(view.shape[:2]) - 1 - dark.max(axis=0)
    assert abs(top - bottom) <= 1 and abs(left - right) <= 1
    assert min(left / figures.VIEW_SIZE[0], top / figures.VIEW_SIZE[1]) == pytest.approx(
        1 / 12, abs=0.03
    )
    assert np.abs(view[..., :3].astype(int) - view[..., 3:6]).mean() < 10
    assert (view[..., 6] == 255).all()


def test_without_an_empty_sheet_its_part_of_a_view_is_bare() -> None:
    flat = np.full((48, 48, 3), 200, np.uint8)
    views = figures.figure_views(
        flat, Box(0, 0, 2, 2), [(1.0, 1.0)], [(1.0, 0.8)], None, Box(0, 0, 2, 2)
    )
    assert (views[..., :3] == 200).all()
    assert not views[..., 3:].any()
