"""The player's own figures: what may be written, and what most probably is beside a known score."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from brikks_vision.decode.evidence import evidence_from_json, evidence_json
from brikks_vision.detect.figures import (
    CLASSES,
    DASH,
    NONE,
    PLACES,
    Figure,
    figure_of,
    without_minus,
)
from brikks_vision.games.brikks.evidence import evidence_of_reading
from brikks_vision.games.brikks.figures import figures_given_score
from brikks_vision.layout import load_layout
from brikks_vision.rules.brikks.scoring import Score
from tests.drawn_sheets import drawn_posterior, drawn_reading

SHEET = load_layout("brikks")
ROWS = SHEET.grid.rows


def ink(*places: dict[int, float]) -> np.ndarray:
    """Logits of a patch in which each place looks like these classes, so probably."""
    logits = np.full((PLACES, CLASSES), -20.0, np.float32)
    for place, classes in enumerate(places):
        for each, probability in classes.items():
            logits[place, each] = np.log(probability)
    return logits


BLANK = {NONE: 1.0}


@pytest.mark.parametrize(
    ("places", "value"),
    [
        ((BLANK, BLANK, BLANK), None),
        ((BLANK, BLANK, {DASH: 1.0}), 0),
        ((BLANK, {1: 1.0}, {0: 1.0}), 10),
        (({1: 1.0}, {0: 1.0}, {2: 1.0}), 102),
    ],
)
def test_what_is_written(places: tuple[dict[int, float], ...], value: int | None) -> None:
    figure = figure_of(ink(*places))
    assert figure.value == value
    assert figure.probability > 0.99


def test_a_blank_behind_a_digit_is_no_figure() -> None:
    """The last place looks blank, but a digit stands before it."""
    figure = figure_of(ink(BLANK, {3: 0.9, NONE: 0.1}, {NONE: 0.6, 8: 0.4}))
    assert figure.value == 38
    assert None in dict(figure.others)


def test_a_dash_and_a_nought_are_the_same_figure() -> None:
    figure = figure_of(ink(BLANK, BLANK, {DASH: 0.4, 0: 0.4, 6: 0.2}))
    assert figure.value == 0
    assert figure.probability == pytest.approx(0.8, abs=0.01)


def scored(*, rows: int, total: int) -> Score:
    return Score((rows,) * ROWS, rows * ROWS, 0, 0, 0, total)


def read(figure: Figure, right: int) -> Figure:
    rows, _ = figures_given_score(((figure,) * ROWS, figure), scored(rows=right, total=right))
    return rows[0]


def test_what_looks_like_either_is_the_right_one() -> None:
    figure = read(Figure(18, 0.7, ((10, 0.3),)), right=10)
    assert figure.value == 10
    assert figure.probability > 0.98


def test_what_is_clearly_written_stands() -> None:
    assert read(Figure(18, 1 - 1e-6, ((10, 1e-6),)), right=10).value == 18
    assert read(Figure(18, 1.0), right=10) == Figure(18, 1.0)


def test_what_looks_like_nothing_known_is_not_held_against_the_player() -> None:
    """A blot that was a 5: the digits it resembles a little leave the 5 out."""
    blot = read(Figure(0, 0.9987, ((9, 0.0007), (4, 0.0003))), right=5)
    assert blot.probability < 0.98


def test_nothing_is_not_taken_for_the_right_figure() -> None:
    assert read(Figure(None, 0.99, ((10, 0.01),)), right=10).value is None


def test_what_else_a_figure_may_be_is_kept() -> None:
    blank = evidence_of_reading(drawn_reading("a.jpg", drawn_posterior("")), SHEET)
    total = Figure(102, 0.75, ((107, 0.2), (None, 0.05)))
    kept = replace(blank, figures={**blank.figures, "total": (total,)})
    assert evidence_from_json(evidence_json(kept)).figures == kept.figures


def test_evidence_that_knows_only_one_figure_a_place_is_read() -> None:
    """So ink was kept before what else a figure may be was kept with it."""
    blank = evidence_of_reading(drawn_reading("a.jpg", drawn_posterior("")), SHEET)
    data = json.loads(evidence_json(blank))
    rows, total = data["figures"]["rows"], data["figures"]["total"]
    data["figures"] = [[value, probability] for value, probability, _ in (*rows, *total)]
    assert evidence_from_json(json.dumps(data)).figures == blank.figures


BOX = (1.45, 1.1)  # cells


def drawn_figure(*strokes: tuple[tuple[int, int], ...]) -> np.ndarray:
    """A patch with these strokes in a printed box."""
    patch = np.full((32, 40, 3), 230, np.uint8)
    cv2.rectangle(patch, (3, 3), (36, 28), (60, 50, 40), 1, cv2.LINE_AA)
    for stroke in strokes:
        cv2.polylines(patch, [np.array(stroke)], False, (90, 60, 50), 1, cv2.LINE_AA)
    return patch


MINUS = ((8, 16), (15, 16))
ONE = ((24, 8), (24, 24))
FIVE = ((30, 8), (24, 8), (23, 15), (29, 17), (28, 23), (22, 24))
SEVEN = ((20, 8), (29, 8), (23, 24))


@pytest.mark.parametrize("digit", [ONE, FIVE, SEVEN])
def test_a_minus_sign_is_told_and_the_digits_stand_in_the_middle(
    digit: tuple[tuple[int, int], ...],
) -> None:
    bare = without_minus(drawn_figure(MINUS, digit), BOX)
    assert bare is not None
    ink = np.argwhere(bare[5:27, 5:35, 0] < 160)[:, 1] + 5
    assert abs((ink.min() + ink.max()) / 2 - 20) <= 1
    assert np.ptp(ink) == np.ptp(np.array(digit)[:, 0])


@pytest.mark.parametrize("strokes", [(), (MINUS,), (ONE,), (SEVEN, ONE), (((8, 9), (15, 9)), ONE)])
def test_a_figure_without_a_minus_sign_has_none(
    strokes: tuple[tuple[tuple[int, int], ...], ...],
) -> None:
    assert without_minus(drawn_figure(*strokes), BOX) is None
