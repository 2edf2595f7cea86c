"""The annotated picture: marks where the sheet has them, everything else left as it was."""

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from brikks_vision.errors import OutputFormatUnknown, OutputNotWritable
from brikks_vision.games import unreadable
from brikks_vision.games.brikks.reading import BlockReading, BrikksReading
from brikks_vision.layout import load_layout
from brikks_vision.reading import Doubt, Reading, Status, ViolationReading
from brikks_vision.rules.brikks.blocks import Written
from brikks_vision.rules.brikks.placement import Part
from brikks_vision.rules.brikks.referee import referee
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.show.covered import (
    box_around,
    cancelled_text,
    covered_groups,
    covered_text,
    doubt_question,
    draw_covered,
)
from brikks_vision.show.marks_on_sheet import Remark, place_of
from brikks_vision.show.overlay import CROSS_COLOR, annotate, annotate_remarks, save_image
from brikks_vision.show.report import report, summary
from brikks_vision.text.languages import LANGUAGES
from simulation.brikks.notation import read_sheet
from tests.drawn_sheets import drawn_posterior, drawn_reading
from tests.rules.brikks.test_referee import PAIRS

SHEET = load_layout("brikks-light")
CELL = 40
GREY = 128


@dataclass(frozen=True)
class Turned:
    """A sheet of 40 px cells in a 900x1200 px photo, turned about the photo's middle."""

    degrees: float

    def to_photo(self, points: NDArray[np.float64], /) -> NDArray[np.float64]:
        angle = np.radians(self.degrees)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return (points - [5.0, 9.0]) @ turn.T * CELL + [449.5, 599.5]


UPRIGHT = Turned(0)
BLANK = BrikksReading(
    photo="blank.jpg",
    status=Status.OK,
    sheet="brikks",
    grid=("..........",) * 11,
    energy=("circled",) * 4 + ("open",) * 24,
    bonus_crosses=0,
    bombs_used=0,
    score=Score((0,) * 11, 0, 0, 7, 2, 9),
    total_range=(9, 9),
)


def photo() -> NDArray[np.uint8]:
    return np.full((1200, 900, 3), GREY, np.uint8)


def drawn(reading: Reading) -> NDArray[np.uint8]:
    return annotate(photo(), UPRIGHT, reading, SHEET, "en")


def changed(
    picture: NDArray[np.uint8], before: NDArray[np.uint8], x: float, y: float, within: float = 0.45
) -> int:
    """How many px differ within so many cells of a sheet point."""
    column, row = UPRIGHT.to_photo(np.array([[x, y]]))[0].round().astype(int)
    reach = int(within * CELL)
    window = np.s_[row - reach : row + reach, column - reach : column + reach]
    return int((picture[window] != before[window]).any(axis=2).sum())


def test_the_photo_is_not_changed_and_the_panel_comes_below() -> None:
    image = photo()
    picture = annotate(image, UPRIGHT, BLANK, SHEET, "en")
    assert (image == GREY).all()
    assert picture.dtype == np.uint8
    assert picture.shape[0] > 1200
    assert picture.shape[1] == 900
    assert (picture[20:100, 20:880] == GREY).all()


def test_each_mark_is_drawn_where_it_was_read() -> None:
    blank = drawn(BLANK)
    grid = list(BLANK.grid)
    grid[3] = "....X....."
    crossed = drawn(replace(BLANK, grid=tuple(grid)))
    assert changed(crossed, blank, 4.5, 3.5) > 100
    assert changed(crossed, blank, 6.5, 3.5) == 0
    energy = (*BLANK.energy[:10], "used", *BLANK.energy[11:])
    assert (
        changed(drawn(replace(BLANK, energy=energy)), blank, *SHEET.fields["energy"].centres[10])
        > 50
    )
    bonus = drawn(replace(BLANK, bonus_crosses=2))
    boxes = [changed(bonus, blank, *centre) > 50 for centre in SHEET.fields["box"].centres[:4]]
    assert boxes == [True, True, False, False]
    bombs = drawn(replace(BLANK, bombs_used=1))
    assert changed(bombs, blank, *SHEET.fields["bomb"].centres[0]) > 50
    assert changed(bombs, blank, *SHEET.fields["bomb"].centres[1]) == 0


def test_a_block_has_its_colour() -> None:
    block = BlockReading("red", (3,), ((9, 2), (9, 3), (10, 3), (10, 4)), 0.97)
    picture = drawn(replace(BLANK, blocks=(block,)))
    column, row = UPRIGHT.to_photo(np.array([[2.09, 9.5]]))[0].round().astype(int)
    blue, green, red = (int(value) for value in picture[row, column])
    assert red > 180 and blue < 60 and green < 60


@pytest.mark.parametrize("degrees", [0, 20, -20, 90, 100, 180, 200, 270])
def test_the_sheet_stands_upright_in_the_picture(degrees: float) -> None:
    grid = ("XXXXXXXXXX", *BLANK.grid[1:])
    reading = replace(BLANK, grid=grid, energy=("open",) * 28)
    picture = annotate(photo(), Turned(degrees), reading, SHEET, "en")
    lies_across = round(degrees / 90) % 2 == 1
    width, height = (1200, 900) if lies_across else (900, 1200)
    assert picture.shape[1] == width
    rows, columns = np.nonzero((picture[:height] == CROSS_COLOR).all(axis=2))
    assert len(rows) > 1000
    assert rows.max() < height / 2
    assert abs(np.median(columns) - width / 2) < 4 * CELL


def test_doubts_are_ringed_and_violations_numbered() -> None:
    blank = drawn(BLANK)
    doubts = tuple(
        Doubt(where, "X", 0.6, None) for where in ("cell 3,4", "energy 24", "elsewhere 99")
    )
    violations = (
        ViolationReading("floating", ((8, 1), (8, 2)), "It rests on nothing.", 0.99),
        ViolationReading("bomb-order", (1,), "Bomb 2 before bomb 1.", 0.99, "bombs"),
        ViolationReading("energy-count", (20, 21), "Two points too many.", 0.99, "energy"),
        ViolationReading("same-start", (0, 1), "Both began with the same block.", 0.99, "sheets"),
        ViolationReading("floating", ((99, 99),), "Not on this sheet.", 0.99),
    )
    picture = drawn(replace(BLANK, doubts=doubts, violations=violations))
    assert changed(picture, blank, 5.1, 3.5) > 50
    assert changed(picture, blank, *SHEET.fields["energy"].centres[24]) > 50
    assert changed(picture, blank, 1.1, 8.1) > 50
    for centre in (SHEET.fields["bomb"].centres[1], *SHEET.fields["energy"].centres[20:22]):
        assert changed(picture, blank, *centre) > 50
    assert picture.shape[0] > blank.shape[0]


@pytest.mark.parametrize("rule", [*PAIRS, "written-row", "written-total"])
def test_every_broken_rule_is_marked_where_it_shows(rule: str) -> None:
    """The broken sheet of each rule in the referee's own tests."""
    state = read_sheet(PAIRS.get(rule, PAIRS["floating"])[0], load_sheet())
    written = Written((1,) * 11, 50) if rule.startswith("written") else None
    found = [v for v in referee(state, written=written).violations if v.rule == rule]
    assert found
    told = tuple(ViolationReading.of(violation, 1.0) for violation in found)
    reading = drawn_reading("a.jpg", drawn_posterior(PAIRS["floating"][1]))
    legal = drawn(replace(reading, violations=()))
    marked = drawn(replace(reading, violations=told))
    assert marked.shape[0] > legal.shape[0]  # the legend
    places = {
        Part.ENERGY: SHEET.fields["energy"].centres,
        Part.BONUS: SHEET.fields["box"].centres,
        Part.BOMBS: SHEET.fields["bomb"].centres,
        Part.ROWS: [(SHEET.figures["rows"].box.left + 0.5, row + 0.5) for row in range(11)],
    }
    for violation in found:
        for at in violation.where:
            x, y = places[violation.part][at] if isinstance(at, int) else (at[1] + 0.5, at[0] + 0.5)
            assert changed(marked, legal, x, y, 0.75) > 20, (rule, at)
    assert (marked[:1200] != legal[:1200]).any()


def test_marks_that_are_missing_are_told_beside_their_bar() -> None:
    """Nothing is marked, so there is nothing to ring; the number stands where the bar begins."""
    blank = drawn(BLANK)
    for part, bar in (
        ("energy", SHEET.fields["energy"].centres),
        ("bonus", SHEET.fields["box"].centres),
    ):
        missing = ViolationReading(f"{part}-count", (), "Too few.", 1.0, part)
        picture = drawn(replace(BLANK, violations=(missing,)))
        x, y = bar[0]
        assert changed(picture, blank, x - 1, y, 0.75) > 100


def test_numbers_of_one_place_stand_side_by_side() -> None:
    told = ViolationReading("floating", ((8, 1), (8, 2)), "It rests on nothing.", 1.0)
    one, two = (drawn(replace(BLANK, violations=(told,) * count)) for count in (1, 2))
    assert changed(two, one, 1.7, 8.1) > 50


def test_an_unreadable_photo_shows_its_error() -> None:
    reading = unreadable("a.jpg", "The sheet is too small in the photo to be read.")
    picture = drawn(reading)
    assert (picture[:1200] == GREY).all()
    assert picture.shape[0] > 1200


@pytest.mark.parametrize(("width", "height"), [(60, 80), (300, 400)])
def test_tiny_photos_do_not_break_the_drawing(width: int, height: int) -> None:
    image = np.zeros((height, width, 3), np.uint8)
    assert annotate(image, UPRIGHT, BLANK, SHEET, "fr").shape[1] == width


@pytest.mark.parametrize("suffix", [".jpg", ".JPEG", ".png", ".webp"])
def test_saving(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"read{suffix}"
    path.write_bytes(b"what was here before")
    save_image(photo(), path)
    loaded = cv2.imread(str(path))
    assert loaded is not None
    assert loaded.shape == (1200, 900, 3)
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_saved_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OutputFormatUnknown, match=r"\.jpg, \.jpeg, \.png, \.webp"):
        save_image(photo(), tmp_path / "read.pdf")
    (tmp_path / "read.png").mkdir()
    for path in (tmp_path / "read.png", tmp_path / "nowhere" / "read.png"):
        with pytest.raises(OutputNotWritable):
            save_image(photo(), path)
    with pytest.raises(OutputNotWritable):
        save_image(np.zeros((2, 17000, 3), np.uint8), tmp_path / "too wide.webp")
    assert [path.name for path in tmp_path.iterdir()] == ["read.png"]


def test_remarks_stand_at_their_cells_and_places_and_below_the_photo():
    before = photo()
    remarks = (
        Remark("best", "1", "Here.", ((9, 2), (9, 3))),
        Remark("other", "7", "One more.", where="box 5"),
        Remark("other", "2", "Nowhere on the sheet."),
    )
    picture = annotate_remarks(before, UPRIGHT, SHEET, "Told", remarks)
    assert (before == GREY).all()
    assert picture.shape[0] > before.shape[0]
    top = annotate_remarks(before, UPRIGHT, SHEET, "Told", ())[: before.shape[0]]
    assert changed(picture, top, 3, 9.5, 0.1) == 0  # between the two cells
    assert changed(picture, top, 3.5, 9.9, 0.1) > 0  # the lower edge of the outline
    (x, y), radius = place_of("box 5", SHEET) or pytest.fail("no such place")
    assert changed(picture, top, x - radius, y, 0.1) > 0


# --- what something hides is told in one sentence, as people count --------------------------------


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
