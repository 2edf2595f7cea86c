"""A reading: its status, range and doubts, its JSON, and the evidence that it gives back."""

import random
from datetime import datetime, timedelta
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.errors import AnswerOffSheet, AnswerUnclear, SettingUnknown, UnknownValue
from brikks_vision.games import checked_settings
from brikks_vision.games.bloxx.game import DEFINITION as GAME
from brikks_vision.games.bloxx.places import marks as marks_of
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.infer.answers import checked_answers, parse_answers, places_of
from brikks_vision.infer.evidence import Evidence
from brikks_vision.reading import Reading
from brikks_vision.record import entries
from brikks_vision.rules.bloxx.state import Written, score
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.text.phrases import phrase
from simulation.bloxx.play import play_game
from tests.games.bloxx.marked import (
    CLEAR,
    LAYOUT,
    SHEET,
    clear_marks,
    codes,
    noisy,
    posterior_of,
    reading_of,
    with_bonus,
    with_cell,
)
from tests.rules.bloxx.bloxx_sheets import OWN, drawn
from tests.rules.bloxx.test_scoring import PUBLISHERS_EXAMPLE

CORNER = """
    XXX....
    X##....
"""
"""No outlines: each cell is read on its own."""


def played(seed: int):
    rng = random.Random(seed)
    return play_game(OWN, rng, [rng.uniform(0, 3)] * 2).players[0].sheet


# --- status, range and doubts --------------------------------------------------------------------


def test_the_publishers_example() -> None:
    reading = reading_of(clear_marks(drawn(PUBLISHERS_EXAMPLE)), Written(6, 26, 14, 18))
    assert (reading.status, reading.total_range, reading.violations) == ("ok", (18, 18), ())
    assert reading.to_dict()["score"] == {"rows": 6, "numbers": 26, "penalty": -14, "total": 18}
    assert reading.to_dict()["written"] == {
        "rows": 6, "numbers": 26, "penalty": 14, "total": 18
    }  # fmt: skip


def test_a_sheet_as_json() -> None:
    data = reading_of(clear_marks(drawn(SHEET))).to_dict()
    assert data["grid"][6:] == ["XXX....", "O##....", "XXOXOXX", "XXOXOXX"]
    assert data["shapes"][2]["cells"] == [[8, 0], [8, 1], [8, 2]]
    assert [shape["circle"] for shape in data["shapes"]] == [[9, 2], [9, 4], [8, 2], [8, 4], [7, 0]]
    assert data["row_bonus"][3] == {"row": 8, "color": "violet", "circled": 4, "struck": []}
    assert data["row_bonus"][0] == {"row": 1, "color": "orange", "circled": None, "struck": []}
    assert (data["rank"], data["assumed"]) == (None, {})


def test_a_complete_row_of_which_nothing_is_circled_is_asked_about() -> None:
    reading = reading_of(clear_marks(drawn(SHEET.replace("o.", ".."))))
    assert (reading.status, reading.score.total) == ("uncertain", -48)
    assert reading.total_range == (-50, -48)
    (doubt,) = reading.doubts
    assert (doubt.where, doubt.read, doubt.total_otherwise) == ("bonus 7", "open", -50)
    assert doubt.confidence == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("place", "mark", "total"),
    [("bonus 7", "circled", -50), ("bonus 7", "open", -48), ("bonus 6", "circled", -48)],
)
def test_the_answer_settles_the_bonus(place: str, mark: str, total: int) -> None:
    marks = clear_marks(drawn(SHEET.replace("o.", "..")))
    reading = reading_of(marks, answers={place: mark})
    assert (reading.status, reading.score.total, reading.doubts) == ("ok", total, ())


def test_doubts_that_change_the_total_come_first() -> None:
    """A faint cross in a corner that nothing else speaks for, and a faint gap."""
    marks = with_cell(clear_marks(drawn(CORNER)), (9, 1), fill=-3.0)
    marks = with_cell(marks, (9, 5), cross=0.3)
    reading = reading_of(marks)
    assert reading.status == "uncertain"
    assert [doubt.where for doubt in reading.doubts] == ["cell 9,5", "cell 9,1"]
    assert reading.grid[9][5] == "?"
    least, most = reading.total_range
    assert least <= -66 and most >= -65


def test_an_ok_reading_has_no_doubt_of_its_total() -> None:
    for seed in range(6):
        reading = reading_of(noisy(clear_marks(played(seed)), seed, 9.0, 3.0))
        others = {doubt.total_otherwise for doubt in reading.doubts}
        if reading.status == "ok":
            assert others <= {reading.score.total}
            assert reading.total_range == (reading.score.total,) * 2
        else:
            least, most = reading.total_range
            assert least < most
            assert all(least <= total <= most for total in others)


def test_the_range_reaches_to_what_the_player_counted() -> None:
    marks = with_cell(clear_marks(drawn(CORNER)), (9, 5), cross=2.0)
    reading = reading_of(marks)
    assert reading.score.total == score(drawn(CORNER)).total + 1
    counted = reading_of(marks, Written(penalty=66))
    assert counted.total_range == (-66, -65)


def test_a_broken_rule_needs_the_full_pass() -> None:
    for text, is_open in ((SHEET, False), (SHEET.replace("O##", "O.#"), True)):
        marks = clear_marks(drawn(text))
        _, posterior = posterior_of(marks)
        assert GAME.needs_full_pass(posterior, Evidence(marks, {})) is is_open


# --- JSON and evidence ----------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_a_reading_comes_back_from_json_and_from_its_own_evidence(seed: int) -> None:
    written = Written(4, None, 20, 12)
    reading = reading_of(noisy(clear_marks(played(seed)), seed, CLEAR, 1.0), written)
    again = Reading.from_dict(reading.to_dict())
    assert again.to_dict() == reading.to_dict()
    assert isinstance(again, BloxxReading)
    evidence = GAME.evidence_of_reading(again, LAYOUT)
    (decoded, _) = GAME.read("photo.jpg", evidence, LAYOUT, {})
    for name in ("grid", "row_bonus", "score", "written"):
        assert getattr(decoded, name) == getattr(reading, name)
    assert [shape.cells for shape in decoded.shapes] == [shape.cells for shape in reading.shapes]


def test_an_unreadable_cell_stays_one() -> None:
    marks = with_cell(clear_marks(drawn(CORNER)), (9, 5), cross=0.0)
    reading = reading_of(marks)
    evidence = GAME.evidence_of_reading(reading, LAYOUT)
    assert GAME.read("photo.jpg", evidence, LAYOUT, {})[0].grid == reading.grid


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "mark", "spelt"),
    [
        ("cell 3,4", "o", ("cell 3,4", "O")),
        (" CELL 9 , 6 ", "#", ("cell 9,6", "#")),
        ("bonus 7", "Circled", ("bonus 7", "circled")),
    ],
)
def test_an_answer_of_a_program(place: str, mark: str, spelt: tuple[str, str]) -> None:
    assert checked_answers({place: mark}, GAME, LAYOUT) == dict([spelt])


@pytest.mark.parametrize(
    ("place", "mark", "error"),
    [
        ("cell 3,4", "used", AnswerUnclear),
        ("bonus 3", "X", AnswerUnclear),
        ("bomb 1", "X", AnswerUnclear),
        ("cell 10,0", "X", AnswerOffSheet),
        ("bonus 8", "open", AnswerOffSheet),
    ],
)
def test_what_answers_nothing_is_refused(place: str, mark: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        checked_answers({place: mark}, GAME, LAYOUT)


@pytest.mark.parametrize(
    ("answer", "place", "mark"),
    [
        ("row 1, column 1=circled", "cell 9,0", "O"),
        ("Reihe 2, Spalte 7 = ausgemalt", "cell 8,6", "#"),
        ("bonus 4 of row 2: circled", "bonus 6", "circled"),
        ("Bonus 2 der Reihe 9=gestrichen", "bonus 1", "struck"),
        ("ligne 1, colonne 3 = entourée", "cell 9,2", "O"),
        ("bonus 2 de la fila 6=libre", "bonus 3", "open"),
        ("cell 3,4=X", "cell 3,4", "X"),
    ],
)
def test_an_answer_of_a_person(answer: str, place: str, mark: str) -> None:
    assert parse_answers([answer], GAME, LAYOUT) == {place: mark}


@pytest.mark.parametrize("answer", ["bonus 4 of row 3=circled", "row 11, column 1=crossed"])
def test_places_that_people_find_on_no_sheet(answer: str) -> None:
    with pytest.raises(AnswerOffSheet) as error:
        parse_answers([answer], GAME, LAYOUT)
    assert "columns 1 to 7" in error.value.text("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_are_shown_they_can_write(language: str) -> None:
    words = texts_in(language).answers
    for field in GAME.MARKS:
        for where, mark in product(places_of(field, LAYOUT), GAME.MARKS[field]):
            facts = GAME.counted(where, LAYOUT)
            shown = words[f"bloxx.{field}"][0].format(**facts)
            named = phrase(f"bloxx.{field}-place", **facts).text(language)
            told = words[f"bloxx.{field} {mark}"][0]
            for place in (shown, named):
                assert parse_answers([f"{place}={told}"], GAME, LAYOUT) == {where: mark}


def test_every_place_of_a_sheet_has_a_mark() -> None:
    stands = marks_of(drawn(SHEET))
    assert stands["cell 7,1"] == "#" and stands["bonus 6"] == "circled"
    assert {*stands} == {where for field in GAME.MARKS for where in places_of(field, LAYOUT)}


# --- what is shown -------------------------------------------------------------------------------


def test_a_reading_on_its_sheet() -> None:
    reading = reading_of(clear_marks(drawn(SHEET)))
    shown = GAME.view(reading, LAYOUT)
    kinds = [sign.kind for sign in shown.signs]
    assert (kinds.count("cross"), kinds.count("fill"), kinds.count("ring")) == (13, 2, 6)
    assert len(shown.outlines) == 5
    assert {each.color for each in shown.outlines} == set(LAYOUT.colors)
    assert [part.points for part in shown.parts] == [4, 0, -52]
    assert shown == GAME.view(reading, LAYOUT, drawn(SHEET))


def test_a_shape_that_is_none_has_no_color() -> None:
    wrong = reading_of(clear_marks(drawn("XX.....  AA.....")))
    assert codes(wrong) == ["not-a-shape"]
    assert [each.color for each in GAME.view(wrong, LAYOUT).outlines] == [None]


def test_who_can_play() -> None:
    assert checked_settings({"players": 4}, ["bloxx"]) == {"players": 4}
    with pytest.raises(UnknownValue):
        checked_settings({"players": 5}, ["bloxx"])
    with pytest.raises(SettingUnknown):
        checked_settings({"level": 2}, ["bloxx"])


# --- the same sheet ------------------------------------------------------------------------------

NOON, LATER = datetime(2026, 5, 3, 12, 0), datetime(2026, 5, 3, 12, 20)
BEFORE = """
    O...... E......
    XX..... EE.....
    XXOXOXX AAABBBB
    XXOXOXX CCCCDDD
    bonus .. .. .. o.
"""
AFTER = """
    O...... E......
    XXOXX.. EEFFF..
    XXOXOXX AAABBBB
    XXOXOXX CCCCDDD
    bonus .. .. .. o.
"""
OTHER = """
    .....XX .....EE
    .....XO .....EE
    XOXXXXO AAAABBB
    XXOXXOX CCCDDDD
    bonus .. .. .. o.
"""


def same(one: str, other: str, taken: datetime = LATER) -> str:
    readings = (reading_of(clear_marks(drawn(text))) for text in (one, other))
    return entries.same_state(next(readings), NOON, next(readings), taken)


def grown(before: str, after: str, taken: datetime = LATER) -> str:
    readings = (reading_of(clear_marks(drawn(text))) for text in (before, after))
    return entries.grown_state(next(readings), NOON, next(readings), taken)


def test_two_photos_of_one_sheet() -> None:
    assert same(AFTER, AFTER) == "same"
    assert same(AFTER, AFTER, NOON + timedelta(hours=2)) == "different"
    blurred = reading_of(noisy(clear_marks(drawn(AFTER)), 3, 6.0, 3.0))
    assert entries.same_state(reading_of(clear_marks(drawn(AFTER))), NOON, blurred, LATER) == "same"


def test_a_sheet_that_was_played_further() -> None:
    assert same(BEFORE, AFTER) == "different"
    assert grown(BEFORE, AFTER) == "same"
    assert grown(AFTER, BEFORE) == "different"
    assert grown(BEFORE, AFTER, NOON + timedelta(hours=4)) == "different"
    assert grown(BEFORE, BEFORE) == "different"


def test_a_bonus_that_is_circled_later() -> None:
    assert grown(BEFORE.replace("o.", ".."), BEFORE) == "same"
    assert grown(BEFORE, BEFORE.replace("o.", "..")) == "different"


def test_the_sheet_of_somebody_else() -> None:
    assert same(AFTER, OTHER) == grown(BEFORE, OTHER) == "different"
    assert same(BEFORE, BEFORE.replace("XXOXOXX CCCC", "XOXXOXX CCCC")) == "doubtful"
    assert same(CORNER, CORNER) == "different", "every player starts with an empty sheet"


def test_the_surer_reading_is_the_better_one() -> None:
    sure = reading_of(clear_marks(drawn(AFTER)))
    unsure = reading_of(with_bonus(clear_marks(drawn(AFTER)), 6, ring=0.0))
    assert entries.is_better(sure, unsure) and not entries.is_better(unsure, sure)


# --- the sheets of one game ----------------------------------------------------------------------


def table(*sheets: str | None, **known: int):
    """The verdict on drawn sheets; None: a photo that was not read."""
    posteriors = [text and posterior_of(clear_marks(drawn(text)))[1] for text in sheets]
    photos = [f"{number}.jpg" for number in range(len(sheets))]
    return GAME.table.read_game(photos, posteriors, LAYOUT, known)


def test_a_game_is_ranked_with_ties() -> None:
    verdict = table(AFTER, OTHER, AFTER)
    data = verdict.to_dict()["game"]
    assert [(each["place"], each["sheet"], each["total"]) for each in data["ranking"]] == [
        (1, 0, -46), (1, 2, -46), (3, 1, -48)
    ]  # fmt: skip
    assert data["ranking"][0]["rows"] == 4 and data["ranking"][0]["penalty"] == -50
    assert [violation["rule"] for violation in data["violations"]] == ["shapes-differ"]


def test_the_lower_bonus_of_a_row_whose_higher_nobody_has() -> None:
    shared = table(AFTER.replace("o.", ".o"), AFTER.replace("o.", ".o"))
    assert codes(shared) == ["bonus-shared"]
    assert codes(table(AFTER.replace("o.", "xo"), AFTER)) == []
    assert codes(table(AFTER.replace("o.", ".o"), AFTER.replace("o.", ".o"), players=3)) == []


def test_a_ring_that_may_be_around_the_other_bonus_accuses_nobody() -> None:
    marks = with_bonus(
        with_bonus(clear_marks(drawn(AFTER.replace("o.", ".o"))), 7, ring=0.5), 6, ring=0.0
    )
    unsure, sure = (
        posterior_of(marks)[1],
        posterior_of(clear_marks(drawn(AFTER.replace("o.", ".o"))))[1],
    )
    verdict = GAME.table.read_game(["a", "b"], [unsure, sure], LAYOUT)
    assert codes(verdict) == []
    assert verdict.status == "uncertain"


def test_a_sheet_that_was_not_read_stays_out() -> None:
    verdict = table(AFTER, None)
    assert (verdict.status, verdict.unread) == ("uncertain", (1,))
    assert [result.sheet for result in verdict.ranking] == [0]


def test_how_many_sheets_are_a_table() -> None:
    assert [count for count in range(7) if GAME.table.is_table({}, count)] == [2, 3, 4]
    assert GAME.table.is_table({"players": 4}, 3) and not GAME.table.is_table({"players": 5}, 3)
