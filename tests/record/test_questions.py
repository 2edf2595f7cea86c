"""What is doubtful in the record is asked, what a person says holds, and it can be undone."""

from dataclasses import replace
from pathlib import Path

import pytest

from brikks_vision.errors import AnswerNotOffered, NothingToUndo, QuestionGone
from brikks_vision.infer.sameness import Sameness
from brikks_vision.pipeline import scan_all
from brikks_vision.reading import Doubt, Reading, Status
from brikks_vision.record import entries, questions, results
from brikks_vision.record.changes import list_changes, undo
from brikks_vision.record.database import Record
from brikks_vision.record.photos import add_photo, forget_photo
from brikks_vision.record.statistics import finished_sheets
from brikks_vision.record.tables import (
    bring_result,
    list_games,
    make_game,
    make_table,
    remove_game,
)
from tests.recorded_sheets import EVENING, GROWN, OTHER, START, add_reading, photo, reading_of

pytestmark = pytest.mark.usefixtures("observed_once")

FIXTURES = Path(__file__).parent.parent / "fixtures"
LATER = photo("later.jpg", 20).taken
DOUBTED = replace(
    START,
    status=Status.UNCERTAIN,
    doubts=(Doubt("bomb 1", ".", 0.9, 3), Doubt("energy 3", "open", 0.9, 5)),
)


def read(name: str) -> tuple[Reading, ...]:
    return tuple(scan_all(FIXTURES / name))


# --- whether two sheets are one ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [("scan-art.jpg", "rubbed-out.jpg"), ("three-sheets.jpg", "no-outlines.jpg")],
)
def test_a_finished_game_is_not_taken_for_another_ones_beginning(
    record: Record, before: str, after: str
) -> None:
    sheets = [entries.SheetReading(reading) for reading in read(before)]
    others = [entries.SheetReading(reading) for reading in read(after)]
    for first, second in ((sheets, others), (others, sheets)):
        for minutes, found in ((0, first), (20, second)):
            add_photo(
                record, photo(f"{minutes}{len(results.list_results(record))}", minutes), found
            )
        assert finished_sheets(results.list_results(record)) == results.list_results(record)
        for result in results.list_results(record):
            results.remove_result(record, result.id)


def test_what_is_surely_there_before_is_not_surely_missing_after() -> None:
    assert entries.grown_state(START, EVENING, GROWN, LATER) is Sameness.SAME
    assert entries.grown_state(START, EVENING, OTHER, LATER) is Sameness.DIFFERENT
    assert (
        entries.grown_state(START, EVENING, replace(GROWN, blocks=()), LATER) is Sameness.DIFFERENT
    )
    less_energy = reading_of(
        "..HHHH....", "AB........", "ABCC......", "ABCCDDDD..", "ABEEEFFFGG", energy=1
    )
    assert entries.grown_state(START, EVENING, less_energy, LATER) is Sameness.DOUBTFUL
    doubted = replace(less_energy, doubts=(Doubt("energy 1", "open", 0.9, 1),))
    assert entries.grown_state(START, EVENING, doubted, LATER) is Sameness.SAME


def test_without_outlines_a_nearly_full_sheet_holds_any_nearly_empty_one() -> None:
    early = reading_of("xx........", "xxxx......", "xxxxxxxx..")
    full = reading_of(*["xxxxxxxxxx"] * 10)
    soon = reading_of("..xxxx....", "xx........", "xxxx......", "xxxxxxxx..", energy=3)
    assert entries.grown_state(early, EVENING, full, LATER) is Sameness.DOUBTFUL
    assert entries.grown_state(early, EVENING, soon, LATER) is Sameness.SAME


def test_two_full_sheets_that_differ_are_not_asked_about(record: Record) -> None:
    one = reading_of(*["xxxxxxxxxx"] * 9, "xxxxxxxxx.", "xxxx.xxxxx")
    other = reading_of(*["xxxxxxxxxx"] * 10, "xxxxx.xxxx", bonus=5)
    assert entries.grown_state(one, EVENING, other, LATER) is Sameness.DIFFERENT
    add_reading(record, photo("1.jpg"), one)
    add_reading(record, photo("2.jpg", 20), other)
    assert questions.list_questions(record) == ()


def test_doubtful_sheets_are_kept_apart_and_asked_about(record: Record) -> None:
    misread = reading_of("AB........", "ABCC...x..", "ABCCDDDD..", "ABEEEFFFGG", energy=1)
    assert entries.same_state(START, EVENING, misread, LATER) is Sameness.DOUBTFUL
    one = add_reading(record, photo("1.jpg"), START)
    other = add_reading(record, photo("2.jpg", 20), misread)
    assert one != other
    (question,) = questions.list_questions(record)
    assert isinstance(question, questions.SheetsQuestion)
    assert (question.key, questions.choices(question)) == (
        f"sheets {one} {other}",
        ("same", "later", "different"),
    )
    assert len(finished_sheets(results.list_results(record))) == 2
    with pytest.raises(AnswerNotOffered):
        questions.answer_about_results(record, question, "perhaps")

    questions.answer_about_results(record, question, "later", "Anna")
    assert questions.list_questions(record) == ()
    assert [each.id for each in finished_sheets(results.list_results(record))] == [other]

    assert undo(record).change.kind is entries.ChangeKind.ANSWER
    assert questions.list_questions(record) == (question,)
    questions.answer_about_results(record, question, "different", "Anna")
    assert questions.list_questions(record) == ()
    assert len(finished_sheets(results.list_results(record))) == 2

    undo(record)
    questions.answer_about_results(record, question, "same", "Anna")
    assert [(each.id, each.photos) for each in results.list_results(record)] == [(one, 2)]
    with pytest.raises(QuestionGone):
        questions.find_question(record, question.key)
    undo(record)
    assert [each.id for each in results.list_results(record)] == [one, other]


def test_two_sheets_of_a_photo_and_of_a_game_are_never_asked_about(record: Record) -> None:
    misread = reading_of("AB........", "ABCC...x..", "ABCCDDDD..", "ABEEEFFFGG")
    added = add_photo(
        record, photo("table.jpg"), [entries.SheetReading(START), entries.SheetReading(misread)]
    )
    assert questions.list_questions(record) == ()
    other = add_reading(record, photo("2.jpg", 20), reading_of("ABB.......", *["xx........"] * 3))
    make_game(record, [*added.results, other])
    assert questions.list_questions(record) == ()


# --- whose it is ---------------------------------------------------------------------------------


def test_a_second_owner_is_told_and_asked_about(record: Record) -> None:
    number = add_reading(record, photo("1.jpg"), START)
    again = add_photo(record, photo("1.jpg"), [entries.SheetReading(START)], "Anna")
    assert (again.is_new, again.owners) == (False, ())
    assert results.get_result(record, number).player == "Anna"  # it was nobody's before

    again = add_photo(record, photo("1.jpg"), [entries.SheetReading(START)], "Ben")
    assert again.owners == (entries.OwnerConflict(number, "Anna", "Ben"),)
    assert results.get_result(record, number).player == "Anna"
    (question,) = questions.list_questions(record)
    assert isinstance(question, questions.OwnerQuestion)
    assert (question.result.player, question.named) == ("Anna", "Ben")

    questions.answer_about_results(record, question, "keep", "Anna")
    assert questions.list_questions(record) == ()
    assert results.get_result(record, number).player == "Anna"
    undo(record)
    questions.answer_about_results(record, question, "change", "Anna")
    assert results.get_result(record, number).player == "Ben"
    assert questions.list_questions(record) == ()


def test_the_same_sheet_under_another_name_is_asked_about(record: Record) -> None:
    anna = add_reading(record, photo("1.jpg"), START, player="Anna")
    ben = add_reading(record, photo("2.jpg", 1), START, player="Ben")
    assert [question.key for question in questions.list_questions(record)] == [
        f"sheets {anna} {ben}"
    ]


def test_marks_that_the_total_hangs_on_are_asked_about(record: Record) -> None:
    number = add_reading(record, photo("1.jpg"), DOUBTED)
    first, second = questions.list_questions(record)
    assert isinstance(first, questions.MarkQuestion) and isinstance(second, questions.MarkQuestion)
    assert (first.key, questions.choices(first)) == (f"mark {number} bomb 1", (".", "X"))
    assert questions.choices(second) == ("open", "circled", "used")
    results.correct(record, number, START, {"bomb 1": (".", ".")}, "Anna")
    assert questions.list_questions(record) == ()


# --- games that sheets leave ---------------------------------------------------------------------


# --- undo ----------------------------------------------------------------------------------------


def test_each_change_of_a_person_can_be_undone_and_the_last_comes_first(record: Record) -> None:
    anna = add_reading(record, photo("1.jpg"), START, b"small")
    ben = add_reading(record, photo("2.jpg", 200), OTHER)

    def tables() -> dict[str, list[tuple[object, ...]]]:
        names = ("photo", "reading", "result", "correction", "game", "material", "sheet_pair")
        return {
            name: [tuple(row) for row in record.connection.execute(f"SELECT * FROM {name}")]
            for name in names
        }

    states = [tables()]
    for change in (
        lambda: results.assign_player(record, anna, "Anna", "Ben"),
        lambda: results.correct(record, anna, GROWN, {"cell 6,2": (".", "X")}, "Anna"),
        lambda: make_game(record, [anna, ben]),
        lambda: remove_game(record, list_games(record)[0].id),
        lambda: results.join_results(record, [anna, ben]),
        lambda: results.remove_result(record, anna),
    ):
        change()
        states.append(tables())
    assert results.list_results(record) == ()
    kinds = ["removed", "joined", "game-removed", "game", "correction", "owner"]
    assert [str(change.kind) for change in list_changes(record)] == kinds
    assert list_changes(record)[-1].who == "Ben"
    states.pop()
    for kind in kinds:
        assert undo(record).change.kind == kind
        assert tables() == states.pop()
    assert (results.thumbnail(record, anna), results.corrections(record, anna)) == (b"small", ())
    with pytest.raises(NothingToUndo):
        undo(record)


def test_a_change_that_changes_nothing_is_none(record: Record) -> None:
    number = add_reading(record, photo("1.jpg"), START, player="Anna")
    results.assign_player(record, number, "anna")
    assert list_changes(record) == ()


def test_a_removal_is_undone_with_its_photo_and_no_number_is_used_twice(record: Record) -> None:
    sha256 = photo("1.jpg").sha256
    number = add_reading(record, photo("1.jpg"), START, b"small")
    results.remove_result(record, number)
    assert forget_photo(record, sha256)
    other = add_reading(record, photo("2.jpg", 200), OTHER)
    assert other != number
    undo(record)
    assert [each.id for each in results.list_results(record)] == [number, other]
    assert results.thumbnail(record, number) == b"small"


def scanned_again(record: Record, name: str, player: str | None = None) -> int:
    """The result of a photo that is read anew after its result was removed."""
    assert forget_photo(record, photo(name).sha256)
    return add_reading(record, photo(name), START, player=player)


def test_a_result_comes_back_beside_the_one_that_was_read_since(record: Record) -> None:
    anna = add_reading(record, photo("1.jpg"), START, player="Anna")
    results.correct(record, anna, GROWN, {"cell 6,2": (".", "X")}, "Anna")
    results.remove_result(record, anna)
    ben = scanned_again(record, "1.jpg", "Ben")
    results.remove_result(record, ben)
    cleo = scanned_again(record, "1.jpg", "Cleo")
    assert undo(record).beside == (cleo,)
    assert undo(record).beside == (cleo,)
    found = {each.id: each.player for each in results.list_results(record)}
    assert found == {anna: "Anna", ben: "Ben", cleo: "Cleo"}
    assert undo(record).change.kind is entries.ChangeKind.CORRECTION
    with pytest.raises(NothingToUndo):
        undo(record)


def test_a_photo_shows_the_sheet_that_was_read_last(record: Record) -> None:
    anna = add_reading(record, photo("1.jpg"), START, player="Anna")
    results.remove_result(record, anna)
    ben = scanned_again(record, "1.jpg", "Ben")
    undo(record)
    sheet = [entries.SheetReading(START)]
    assert add_photo(record, photo("1.jpg"), sheet).results == (ben,)
    (question,) = questions.list_questions(record)
    assert isinstance(question, questions.SheetsQuestion)
    questions.answer_about_results(record, question, "same")
    assert [each.photos for each in results.list_results(record)] == [2]
    undo(record)
    results.remove_result(record, ben)
    assert add_photo(record, photo("1.jpg"), sheet).results == (anna,)


def test_a_photo_that_is_read_again_after_other_changes(record: Record) -> None:
    first = add_reading(record, photo("1.jpg"), START)
    other = add_reading(record, photo("2.jpg", 200), OTHER)
    results.remove_result(record, first)
    results.assign_player(record, other, "Ben")
    again = scanned_again(record, "1.jpg")
    undo(record)
    assert undo(record).beside == (again,)


def test_a_sheet_comes_back_whose_game_is_gone(record: Record) -> None:
    names = ("1.jpg", "2.jpg", "3.jpg")
    sheets = [add_reading(record, photo(name, 200 * n), START) for n, name in enumerate(names)]
    make_game(record, sheets[:2])
    results.remove_result(record, sheets[0])
    bring_result(record, make_table(record, ["Anna"]), sheets[1])  # leaves its game
    assert undo(record).change.kind is entries.ChangeKind.REMOVED
    assert results.get_result(record, sheets[0]).game is None
    assert undo(record).change.kind is entries.ChangeKind.GAME
