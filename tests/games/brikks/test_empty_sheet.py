"""What the picture of the empty sheet adds to the networks that know the sheet of Brikks."""

from dataclasses import replace

import numpy as np

from benchmarks.cases import case_of, learnt_case
from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks.reading import HORIZONTALS, VERTICALS
from brikks_vision.layout import Layout
from brikks_vision.pipeline import scan_photo
from brikks_vision.pipeline.passes import full_pass

PRINTED = ("hard", 55, 3)  # dark lines in dim light


def test_lines_are_told_better_beside_the_empty_sheet() -> None:
    case = learnt_case(case_of("brikks", *PRINTED), seed=55)
    assert case.layouts is not None
    assert isinstance(case.data, bytes)
    found = scan_photo(case.data, printings=case.layouts)
    (layout,) = case.layouts
    assert found.layout == layout

    def log_loss(layout: Layout) -> float:
        marks = full_pass(found.photo.image, found.placement, layout).marks
        return _loss_of_lines(marks, case.shot.drawn.marks)

    assert log_loss(layout) < 0.7 * log_loss(replace(layout, blank=None))


def _loss_of_lines(marks: Marks, drawn: dict[tuple[str, str], np.ndarray]) -> float:
    """The mean log loss of the lines that anybody can tell."""
    losses = []
    for key in (HORIZONTALS, VERTICALS):
        truth = np.asarray(drawn[key], np.float64)
        signs = np.where(truth > 0.5, 1.0, -1.0)
        losses.append(np.logaddexp(0, -signs * marks[key])[truth != 0.5].mean())
    return float(np.mean(losses))
