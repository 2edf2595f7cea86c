"""A picture of an empty sheet becomes a print that ink can be laid on."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.cases import brikks_shot
from benchmarks.outcomes import Outcome, doubts_table
from benchmarks.pictures import PIXELS_PER_CELL, Print, blank_of, hand_for
from brikks_vision.layout import load_layout
from simulation.brikks.art import render_blank

DEFINITION = load_layout("brikks-light")


@pytest.fixture
def printed(tmp_path: Path) -> Print:
    """A sheet, cut out of its page, in a small picture."""
    sheet = render_blank(DEFINITION, np.random.default_rng(4), 20)
    path = tmp_path / "blank.png"
    cv2.imwrite(str(path), sheet.image[30:, 25:])
    return Print(path, (sheet.origin[0] - 25, sheet.origin[1] - 30), 20.0)


def test_the_picture_lies_where_the_sheet_says(printed: Print) -> None:
    blank = blank_of(printed)
    fine = render_blank(DEFINITION, np.random.default_rng(4), 20)
    small = cv2.resize(blank.image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert blank.pixels_per_cell == PIXELS_PER_CELL
    rows, columns = slice(60, -20), slice(60, -20)
    seen, true = small[rows, columns].astype(int), fine.image[rows, columns].astype(int)
    assert np.corrcoef(seen.ravel(), true.ravel())[0, 1] > 0.9


def test_a_seed_gives_one_photo(printed: Print) -> None:
    one, again = (
        brikks_shot(
            "scan", 3, 1, print_of=lambda _: blank_of(printed), hand_of=partial(hand_for, "drawn")
        )
        for _ in range(2)
    )
    assert one.data == again.data
    assert one.played.state == again.played.state


def test_a_picture_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"none\.png"):
        blank_of(Print(tmp_path / "none.png", (0.0, 0.0), 20.0))


def test_only_photos_that_are_not_sure_count_as_doubted() -> None:
    bomb, ring = ("bomb", ".", "."), ("energy", "circled", "circled")
    told = [
        Outcome("good", 0, status="uncertain", doubted=(bomb, bomb, ring)),
        Outcome("good", 1, status="uncertain", doubted=(bomb,)),
        Outcome("good", 2, status="ok", doubted=(ring,)),
    ]
    assert doubts_table(told)[1:] == [(*bomb, "2", "3"), (*ring, "1", "1")]
