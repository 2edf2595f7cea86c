"""What something hides is told in one sentence, as people count."""

from dataclasses import replace

import pytest

from brikks_vision.layout import load_layout
from brikks_vision.reading import Status
from brikks_vision.show.covered import (
    box_around,
    cancelled_text,
    covered_groups,
    covered_text,
    doubt_question,
    draw_covered,
)
from brikks_vision.show.report import report, summary
from brikks_vision.text.languages import LANGUAGES
from tests.drawn_sheets import drawn_posterior, drawn_reading

LAYOUT = load_layout("brikks")
PLAIN = drawn_reading("a.jpg", drawn_posterior("AAAA......"))


@pytest.mark.parametrize(
    ("covered", "told"),
    [
        (["cell 4,0"], "Row 7 from the bottom, column 1 is covered."),
        (["cell 4,0", "cell 4,1"], "Row 7 from the bottom, columns 1 and 2 are covered."),
        (
            ["cell 4,0", "cell 4,1", "cell 5,0", "cell 5,1", "cell 6,0", "cell 6,1", "cell 6,2"],
            "Rows 5 to 7 from the bottom, columns 1 to 3 are covered.",
        ),
        (
            ["cell 4,0", "cell 5,1", "cell 6,2", "cell 7,3"],
            "4 cells in rows 4 to 7 from the bottom, columns 1 to 4 are covered.",
        ),
        (["bomb 1"], "Bomb 2 is covered."),
        (
            ["cell 4,0", "energy 3", "energy 4", "energy 5"],
            "Row 7 from the bottom, column 1 and energy point 4 to energy point 6 are covered.",
        ),
    ],
)
def test_all_places_are_told_in_one_sentence(covered: list[str], told: str) -> None:
    reading = replace(PLAIN, covered=tuple(covered), status=Status.UNCERTAIN)
    again = "Photograph it again with nothing lying on it."
    assert covered_text(reading, LAYOUT, "en") == f"{told} {again}"
    for text in (report(reading, "en"), summary(reading, "en")):
        assert text.count(told) == 1
    harmless = replace(reading, status=Status.OK)
    assert covered_text(harmless, LAYOUT, "en") == f"{told} The total is the same either way."


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_the_sentence_is_told_in_every_language(language: str) -> None:
    reading = replace(PLAIN, covered=("cell 4,0", "cell 4,1"), status=Status.UNCERTAIN)
    told = covered_text(reading, LAYOUT, language)
    assert "7" in told
    assert told != covered_text(reading, LAYOUT, "en")


def test_nothing_is_told_where_nothing_is_covered() -> None:
    assert covered_text(PLAIN, LAYOUT, "en") == ""
    assert draw_covered(PLAIN, LAYOUT).strokes == ()


def test_the_places_that_lie_together_are_shown_together() -> None:
    reading = replace(PLAIN, covered=("cell 4,0", "cell 5,0", "cell 0,9", "box 2", "box 3"))
    groups = covered_groups(reading.covered, LAYOUT)
    assert groups == (("cell 0,9",), ("cell 4,0", "cell 5,0"), ("box 2", "box 3"))
    box = box_around(groups[1], LAYOUT)
    assert (box.left, box.top, box.right, box.bottom) == (0, 4, 1, 6)


def test_covered_places_are_hatched_within_their_bounds() -> None:
    reading = replace(PLAIN, covered=("cell 4,0",))
    (stroke,) = draw_covered(reading, LAYOUT).strokes
    assert stroke.lines
    for (x, y), (to_x, to_y) in stroke.lines:
        assert 0 <= x <= to_x <= 1
        assert 4 <= to_y <= y <= 5
        assert to_x - x == pytest.approx(y - to_y)


def test_a_cancelled_mark_is_told_and_struck_through() -> None:
    reading = replace(PLAIN, cancelled=("cell 4,0",))
    told = "Row 7 from the bottom, column 1 is cancelled and does not count."
    assert cancelled_text(reading, LAYOUT, "en") == told
    assert cancelled_text(PLAIN, LAYOUT, "en") == ""
    for text in (report(reading, "en"), summary(reading, "en")):
        assert text.count(told) == 1
    (stroke,) = draw_covered(reading, LAYOUT).strokes
    (((x, y), (to_x, to_y)),) = stroke.lines
    assert (stroke.kind, y, to_y) == ("cancelled", 4.5, 4.5)
    assert x < 0 < 1 < to_x


def test_a_cancelled_mark_in_doubt_is_asked_about_as_such() -> None:
    asked = doubt_question("cell 4,0", LAYOUT, "en", ("cell 4,0",))
    assert asked == "Row 7 from the bottom, column 1: is the mark there cancelled?"
    assert doubt_question("cell 4,1", LAYOUT, "en", ("cell 4,0",)).endswith("is it crossed?")
