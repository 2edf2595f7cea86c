"""A reading that rests on print that was unsure when the sheet was learnt is unsure and says so."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from brikks_vision.games.bloxx.learn import check
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.games.printings import parse_printing
from brikks_vision.layout import PrintDoubt, parse_layout
from brikks_vision.reading import Reading
from brikks_vision.rules.bloxx.state import Written
from brikks_vision.show.report import report
from brikks_vision.text.languages import LANGUAGES, texts_in
from tests.games.bloxx.marked import LAYOUT, SHEET, clear_marks, codes, reading_of
from tests.rules.bloxx.bloxx_sheets import drawn

NO_BONUS = SHEET.replace("bonus .. .. .. o.", "bonus .. .. .. ..")
ANOTHERS_BONUS = SHEET.replace("bonus .. .. .. o.", "bonus .. .o .. ..")


def read(sheet: str, *doubts: PrintDoubt, written: Written | None = None) -> BloxxReading:
    return reading_of(clear_marks(drawn(sheet)), written, replace(LAYOUT, doubts=doubts))


def cell_doubt(cell: tuple[int, int], otherwise: str) -> PrintDoubt:
    value = next(
        (str(each["value"]) for each in LAYOUT.printed["numbers"]
         if (each["row"], each["column"]) == cell),
        "none",
    )  # fmt: skip
    return PrintDoubt(f"cell {cell[0]},{cell[1]}", value, 0.6, otherwise)


CIRCLED = (8, 2)
OWNERS = (PrintDoubt("bonus 1", "green", 0.8), PrintDoubt("bonus 3", "violet", 0.8))


def test_a_number_under_a_circle_leaves_the_total_open() -> None:
    sure = read(SHEET)
    total = sure.score.total
    value = next(
        (each["value"] for each in LAYOUT.printed["numbers"]
         if (each["row"], each["column"]) == CIRCLED), 0,
    )  # fmt: skip
    other = 4 if value != 4 else 2
    reading = read(SHEET, cell_doubt(CIRCLED, str(other)))
    assert (sure.status, sure.print_doubts) == ("ok", ())
    (doubt,) = reading.print_doubts
    assert reading.status == "uncertain"
    assert doubt.total_otherwise == total + other - value
    assert reading.total_range == tuple(sorted((total, total + other - value)))


def test_a_number_that_nobody_circled_is_not_asked_about() -> None:
    assert read(SHEET, cell_doubt((0, 1), "2")) == read(SHEET)


def test_the_sum_of_the_numbers_that_was_written_settles_a_number() -> None:
    points = read(SHEET).score
    doubt = cell_doubt(CIRCLED, "none" if cell_doubt(CIRCLED, "").read != "none" else "4")
    assert read(SHEET, doubt, written=Written(numbers=points.numbers)).status == "ok"
    assert read(SHEET, doubt, written=Written(numbers=points.numbers + 7)).status == "uncertain"


@pytest.mark.parametrize("otherwise", ["2", "3", ""])
def test_a_wrong_sum_is_held_against_nobody_where_the_number_is_unsure(otherwise: str) -> None:
    """The player may have counted what is printed."""
    points, doubt = read(SHEET).score, cell_doubt(CIRCLED, otherwise)
    value = 0 if doubt.read == "none" else int(doubt.read)
    other = int(otherwise) if otherwise else (4 if value != 4 else 3)
    if other == value:
        return
    written = Written(numbers=points.numbers + other - value)
    assert codes(read(SHEET, written=written)) == ["written-numbers"]
    assert codes(read(SHEET, doubt, written=written)) == []


def test_bonuses_circled_for_the_complete_rows_settle_whose_they_are() -> None:
    assert read(SHEET, *OWNERS) == read(SHEET)


def test_bonuses_that_may_be_anothers_accuse_nobody() -> None:
    assert codes(read(ANOTHERS_BONUS)) == ["row-bonus"]
    reading = read(ANOTHERS_BONUS, *OWNERS)
    assert codes(reading) == []
    assert reading.status == "uncertain"
    assert {doubt.where for doubt in reading.print_doubts} == {"bonus 1", "bonus 3"}
    total = reading.score.total
    assert reading.total_range == (total - 2, total)  # a 2 is circled, where a 4 was assumed


def test_bonuses_of_other_rows_that_are_unsure_excuse_nobody() -> None:
    others = (PrintDoubt("bonus 0", "orange", 0.8), PrintDoubt("bonus 2", "blue", 0.8))
    assert codes(read(ANOTHERS_BONUS, *others)) == ["row-bonus"]


def test_a_complete_row_that_may_be_plain_leaves_its_bonus_open() -> None:
    total = read(NO_BONUS).score.total
    reading = read(NO_BONUS, PrintDoubt("row 8", "violet", 0.7, "plain"))
    assert reading.status == "uncertain"
    assert reading.total_range == (total - 4, total)
    assert read(NO_BONUS, PrintDoubt("row 8", "violet", 0.7, "blue")) == read(NO_BONUS)


def test_a_complete_row_that_may_be_coloured_may_have_a_bonus() -> None:
    total = read(NO_BONUS).score.total
    reading = read(NO_BONUS, PrintDoubt("row 9", "plain", 0.7, "red"))
    assert reading.total_range == (total - 2, total + 4)
    assert [doubt.total_otherwise for doubt in reading.print_doubts] == [total + 4]
    assert read(NO_BONUS, PrintDoubt("row 5", "plain", 0.7, "red")) == read(NO_BONUS)


def test_under_a_grid_of_unsure_size_nothing_is_sure() -> None:
    reading = read(ANOTHERS_BONUS, PrintDoubt("grid", "10x7", 0.6, "9x7"))
    assert (reading.status, reading.violations) == ("uncertain", ())
    assert [doubt.where for doubt in reading.print_doubts] == ["grid"]


def test_print_that_was_changed_by_hand_is_no_doubt_any_more() -> None:
    changed = replace(cell_doubt(CIRCLED, "4"), read="1")
    assert read(SHEET, changed) == read(SHEET)


def test_doubts_travel_with_the_definition_and_do_not_tell_printings_apart() -> None:
    layout = replace(LAYOUT, name="own", doubts=(cell_doubt(CIRCLED, "4"), *OWNERS))
    again = parse_printing(layout.to_json(), "file")
    assert again.doubts == layout.doubts
    assert again.printing == parse_printing(replace(layout, doubts=()).to_json(), "file").printing


def test_doubts_of_former_definitions_leave_open_what_else_is_printed() -> None:
    data = json.loads(LAYOUT.to_json())
    doubt = vars(cell_doubt(CIRCLED, ""))
    data["doubts"] = [{name: doubt[name] for name in ("where", "read", "confidence")}]
    layout = parse_layout(data)
    check(layout)
    reading = reading_of(clear_marks(drawn(SHEET)), layout=layout)
    assert reading.total_range[1] - reading.total_range[0] == 4  # from no number to a 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_says_what_is_open_and_what_to_do(language: str) -> None:
    reading = read(ANOTHERS_BONUS, *OWNERS)
    told = report(reading, language)
    assert texts_in(language).report["print_open"] in told
    assert '--set "bonus 1=..."' in told
    assert texts_in(language).report["print_open"] not in report(read(SHEET, *OWNERS), language)


def test_the_json_reads_back() -> None:
    reading = read(ANOTHERS_BONUS, *OWNERS)
    data = reading.to_dict()
    assert data["print_doubts"][0]["where"] == "bonus 1"
    assert Reading.from_dict(data).print_doubts == reading.print_doubts


# --- print that nothing but the photo of the empty sheet tells ------------------------------------

UNSAID = {"cell 8,2": 0.9986, "cell 0,4": 0.9999, "row 8": 0.96, "row 9": 0.97}


def read_unsaid(
    written: Written, unsaid: Mapping[str, float] = UNSAID, sheet: str = SHEET
) -> BloxxReading:
    return reading_of(clear_marks(drawn(sheet)), written, replace(LAYOUT, unsaid=unsaid))


def figures(rows: int = 0, numbers: int = 0) -> Written:
    """What the player of `SHEET` writes who counts so many points more, and adds up rightly."""
    points = read(SHEET).score
    return Written(
        points.rows + rows, points.numbers + numbers, -points.penalty, points.total + rows + numbers
    )


def another_number() -> int:
    return 3 if cell_doubt(CIRCLED, "").read == "none" else -int(cell_doubt(CIRCLED, "").read)


def test_figures_that_agree_among_themselves_ask_about_the_print_and_accuse_nobody() -> None:
    written = figures(numbers=another_number())
    assert codes(read_unsaid(written, {})) == ["written-numbers", "written-total"]
    reading = read_unsaid(written)
    assert (reading.status, codes(reading)) == ("uncertain", [])
    assert [each.where for each in reading.print_doubts] == ["cell 8,2"]
    assert reading.print_doubts[0].total_otherwise == written.total
    assert written.total in reading.total_range


def test_a_surely_read_number_is_asked_about_where_two_figures_speak_against_it() -> None:
    reading = read_unsaid(figures(numbers=another_number()), {"cell 8,2": 1.0})
    assert (reading.status, codes(reading)) == ("uncertain", [])


def test_a_sum_that_no_number_explains_is_held_against_the_player() -> None:
    reading = read_unsaid(figures(numbers=11))
    assert codes(reading) == ["written-numbers", "written-total"]
    assert reading.print_doubts == ()


def test_figures_that_do_not_agree_are_the_players_where_the_print_was_read_surely() -> None:
    points = read(SHEET).score
    wrong = points.numbers + another_number()
    sure = {"cell 8,2": 0.999999}
    numbers = Written(points.rows, wrong, -points.penalty, points.total)
    total = replace(figures(), total=points.total + another_number())
    assert codes(read_unsaid(numbers)) == ["written-numbers"]  # the total is right
    assert codes(read_unsaid(total)) == ["written-total"]  # the numbers are
    assert codes(read_unsaid(Written(numbers=wrong), sure)) == ["written-numbers"]
    assert codes(read_unsaid(Written(numbers=wrong))) == []


def test_a_row_that_may_be_coloured_is_asked_about_where_rows_and_total_say_so() -> None:
    written = figures(rows=4)
    assert codes(read_unsaid(written, {})) == ["written-rows", "written-total"]
    reading = read_unsaid(written)
    assert (reading.status, codes(reading)) == ("uncertain", [])
    assert [each.where for each in reading.print_doubts] == ["row 9"]


def test_what_a_person_said_of_the_print_is_asked_about_no_more() -> None:
    said = {where: sure for where, sure in UNSAID.items() if where != "cell 8,2"}
    reading = read_unsaid(figures(numbers=another_number()), said)
    assert codes(reading) == ["written-numbers", "written-total"]


def test_what_nobody_said_travels_with_the_definition_and_tells_no_printings_apart() -> None:
    layout = replace(LAYOUT, name="own", unsaid=UNSAID)
    again = parse_printing(layout.to_json(), "file")
    assert again.unsaid == UNSAID
    assert again.printing == parse_printing(replace(layout, unsaid={}).to_json(), "file").printing
