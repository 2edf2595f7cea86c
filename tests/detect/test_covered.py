"""Places that something hides have no evidence, whatever a network says of them."""

import json

import numpy as np

from brikks_vision.detect.figures import Figure, without_covered
from brikks_vision.detect.marks import Marks, mean_marks
from brikks_vision.infer.evidence import Evidence, evidence_from_json, evidence_json

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


def test_what_one_look_finds_covered_is_covered() -> None:
    first, second = look(5.0).with_covered(hidden((0, 0))), look(3.0).with_covered(hidden((1, 1)))
    both = mean_marks([first, look(4.0), second])
    assert both[CELLS].tolist() == [[0, 4, 4], [4, 0, 4]]
    np.testing.assert_array_equal(both.covered["cell"], hidden((0, 0), (1, 1))["cell"])


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
    again = mean_marks([marks.with_logits({CELLS: np.full((2, 3), 7.0)}), look(3.0)])
    assert again[CELLS].tolist() == [[5, 0, 5], [5, 5, 5]]
    kept = evidence_from_json(evidence_json(Evidence(again, {}))).marks
    np.testing.assert_array_equal(kept.cancelled["cell"], hidden((0, 1))["cell"])
    assert not kept.covered
