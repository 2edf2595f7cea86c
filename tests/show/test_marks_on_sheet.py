"""Where lines, rings and labels stand on the sheet, for the picture and for the page."""

from dataclasses import replace

from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.layout import load_layout
from brikks_vision.reading import Doubt, ViolationReading
from brikks_vision.rules.brikks.blocks import blank_sheet
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.show import marks_on_sheet
from brikks_vision.web import pages
from tests.show.test_overlay import BLANK

SHEET = load_layout("brikks-light")
UNPLAYED = replace(blank_sheet(load_sheet("brikks-light")), bonus=(False,) * 15, bombs=(False,) * 3)


def drawing_of(reading: BrikksReading = BLANK, **marks: tuple[bool, ...]) -> marks_on_sheet.Drawing:
    """The drawing of a sheet; marks: which boxes ("bonus") and bombs are crossed."""
    view = DEFINITION.view(reading, SHEET, replace(UNPLAYED, **marks))
    return marks_on_sheet.draw_view(view, SHEET)


def the_stroke(strokes: tuple[marks_on_sheet.Stroke, ...], part: str) -> marks_on_sheet.Stroke:
    (found,) = [
        stroke for stroke in strokes if stroke.part == part and (stroke.lines or stroke.rings)
    ]
    return found


def test_the_outline_of_a_block_with_a_hole_has_two_borders() -> None:
    around = [(row, column) for row in range(3) for column in range(3) if (row, column) != (1, 1)]
    outer, inner = marks_on_sheet.outline(around, 0.1)
    assert {(0.1, 0.1), (2.9, 0.1), (2.9, 2.9), (0.1, 2.9)} <= set(outer)
    assert {(0.9, 0.9), (2.1, 0.9), (2.1, 2.1), (0.9, 2.1)} <= set(inner)
    assert (outer[0], inner[0]) == (outer[-1], inner[-1])


def test_the_boxes_that_are_crossed_are_drawn_as_crossed() -> None:
    drawing = drawing_of(bonus=(True, False, True, *(False,) * 12))
    lines = the_stroke(drawing.strokes, "box").lines
    middles = {round((x0 + x1) / 2, 6) for (x0, _), (x1, _) in lines}
    centres = SHEET.fields["box"].centres
    assert middles == {round(centres[0][0], 6), round(centres[2][0], 6)}


def test_a_cross_covers_its_bomb() -> None:
    drawing = drawing_of(bombs=(True, False, False))
    bomb = SHEET.fields["bomb"]
    for (x0, y0), (x1, y1) in the_stroke(drawing.strokes, "bomb").lines:
        assert 0.5 * bomb.size[0] < x1 - x0 <= bomb.size[0]
        assert abs((y0 + y1) / 2 - bomb.centres[0][1]) < 1e-6


def test_points_stand_beside_their_rows_and_behind_their_bars() -> None:
    labels = drawing_of().labels
    assert [label.text for label in labels if label.kind == "nothing"] == ["0"] * 11
    assert [label.text for label in labels if label.kind == "sum"] == ["0"]
    assert [label.text for label in labels if label.kind == "bar"] == ["0", "7", "2"]


def test_a_mark_that_cannot_be_told_is_asked_for() -> None:
    grid = (*BLANK.grid[:-1], "?.........")
    labels = drawing_of(replace(BLANK, grid=grid)).labels
    assert [label.at for label in labels if label.kind == "unknown"] == [(0.5, 10.5)]


def test_doubts_have_letters_and_violations_numbers() -> None:
    doubts = [Doubt(where, "X", 0.6, None) for where in ("cell 3,4", "nowhere 1", "bomb 2")]
    assert [label.text for label in marks_on_sheet.draw_doubts(doubts, SHEET).labels] == ["A", "C"]
    assert marks_on_sheet.doubt_letter(25) == "Z"
    assert marks_on_sheet.doubt_letter(26) == "?"
    violations = [
        ViolationReading("floating", ((8, 1), (99, 1)), "It rests on nothing.", 1.0),
        ViolationReading("same-start", (0, 1), "Both began with the same block.", 1.0, "sheets"),
        ViolationReading("energy-count", (), "Too few.", 1.0, "energy"),
    ]
    drawing = marks_on_sheet.draw_violations(violations, SHEET)
    assert [label.text for label in drawing.labels] == ["1", "3"]
    assert len(drawing.strokes) == 1


def test_a_row_is_outlined_where_its_points_are_not_written_beside_it() -> None:
    layout = load_layout("bloxx")
    circled = ViolationReading("row-bonus", (8,), "The row is not complete.", 1.0, "bonus")
    remark = marks_on_sheet.Remark("other", "2", "Somebody else was first.", where="row 8")
    for drawing in (
        marks_on_sheet.draw_violations([circled], layout),
        marks_on_sheet.draw_remarks([remark], layout),
    ):
        (stroke,) = drawing.strokes
        (line,) = stroke.lines
        assert not stroke.rings
        assert {round(x) for x, _ in line} == set(range(layout.grid.columns + 1))
        assert {round(y) for _, y in line} == {8, 9}
    (stroke,) = marks_on_sheet.draw_remarks([remark], load_layout("brikks")).strokes
    assert stroke.rings == (((-0.805, 8.5), 0.75),)


def test_the_page_draws_the_same_lines_and_keeps_its_labels_inside() -> None:
    drawing = drawing_of(bonus=(True, *(False,) * 14))
    paths = {stroke.kind: stroke.path for stroke in pages.strokes([drawing], SHEET)}
    assert paths["ring"].count("M") == 4
    area = SHEET.marked_area
    for label in pages.labels([drawing], area):
        x, y = label.at
        assert area.left < x < area.right
        assert area.top < y < area.bottom
