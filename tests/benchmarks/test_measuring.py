"""One command measures all, keeps each table, and writes it to its place on the page."""

import importlib
import re
from pathlib import Path

import pytest

import benchmarks.__main__ as measuring
from benchmarks.__main__ import MEASURED, Measured, measured, with_table, written
from benchmarks.cases import GAMES, case_of
from benchmarks.harness import tally
from benchmarks.outcomes import Outcome, read_case, table_of, with_sums
from benchmarks.stages import HEIGHT, TITLE, WIDTH, stages
from brikks_vision.pipeline import scan_photo

PAGE = Path("docs/accuracy.md").read_text("utf-8")


@pytest.mark.parametrize("wanted", MEASURED, ids=lambda wanted: wanted.name)
@pytest.mark.parametrize("is_quick", [False, True])
def test_each_program_has_the_options_of_its_tables(wanted: Measured, is_quick: bool) -> None:
    program = importlib.import_module(f"benchmarks.{wanted.program}")
    program.parser().parse_args(wanted.command(is_quick).split()[1:])


def test_the_page_has_a_place_for_each_table_and_no_other() -> None:
    places = re.findall(r"<!-- (?!end)(.*?) -->", PAGE)
    assert sorted(places) == sorted(wanted.name for wanted in MEASURED)
    for wanted in MEASURED:
        assert with_table(PAGE, wanted.name, "here").count("here") == PAGE.count("here") + 1


def test_a_page_without_the_place_is_told() -> None:
    with pytest.raises(ValueError, match="no place for the table brikks"):
        with_table("nothing", "brikks", "")


def test_what_is_measured_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "KEPT", tmp_path)
    wanted = Measured("files", "robustness", "files", "--sheets 3")
    first, again = (measured(wanted, True, False) for _ in range(2))
    assert first == again  # the times, too: it was not measured twice
    assert first["command"] == "robustness files --sheets 3"
    page = written(first["tables"][0], first["command"]).splitlines()
    assert page[0] == "`python -m benchmarks.robustness files --sheets 3`"
    assert page[4].startswith("| 3 |")


@pytest.mark.parametrize("game", GAMES)
def test_a_photo_of_any_game_is_read_and_compared(game: str) -> None:
    if game == "blox":
        pytest.importorskip("moderngl", reason="the extra simulation is not installed")
    # of the board's photos one that is read well: it is measured here how they are compared
    tier, number = ("above", 3) if game == "blox" else ("good", 1)
    case = case_of(game, tier, 1, number)
    outcome, result = read_case(case, case.tier)
    assert not outcome.problem and result is not None
    assert outcome.all_right or outcome.status != "ok"
    assert outcome.marks is not None
    assert sum(of for of, _ in outcome.marks.values()) > 50
    assert sum(wrong for _, wrong in outcome.marks.values()) < 5


def test_a_table_has_the_columns_that_its_game_has() -> None:
    sheet = Outcome(
        "good", 1, true=80, total=80, total_range=(80, 80), status="ok",
        marks={"cell": (100, 1)}, milliseconds=90.0,
    )  # fmt: skip
    wrong = Outcome("hard", 2, true=80, total=70, total_range=(70, 70), status="ok", marks={})
    head, good, hard = table_of([sheet, wrong])
    assert head == (
        "tier", "photos", "total right", "ok", "silent", "accused", "in range", "questions",
        "cell right", "unread", "ms",
    )  # fmt: skip
    assert good[2:9] == ("100.0 %", "100.0 %", "0", "0", "100.0 %", "0.0", "99.00 %")
    assert hard[2:9] == ("0.0 %", "100.0 %", "1", "0", "0.0 %", "0.0", "-")
    unlearnt = Outcome("hard", 3, "BlankIsMarked", learnt="BlankIsMarked")
    assert not unlearnt.all_right
    assert table_of([unlearnt])[1][2:7] == ("0", "0", "0", "0", "1")
    board = Outcome("slant", 1, status="uncertain", marks={"field": (81, 0)})
    assert table_of([board], "view")[0][:4] == ("view", "photos", "all right", "ok")
    assert "field right" in table_of([board], "view")[0]


def test_questions_are_counted_a_photo_that_is_read() -> None:
    bomb = ("bomb", ".", ".")
    asked = [Outcome("good", 1, doubted=(bomb, bomb)), Outcome("good", 2, doubted=(bomb,)),
             Outcome("good", 3, "SheetNotFound")]  # fmt: skip
    head, row = table_of(asked)
    assert row[head.index("questions")] == "1.5"


def test_planted_faults_count_where_they_are_named() -> None:
    told = [Outcome("good", at, planted="floating", named=at > 0) for at in range(3)]
    head, row = table_of(told, "rule", "planted")
    assert (row[0], row[head.index("named")]) == ("floating", "66.7 %")


def test_kinds_of_which_something_is_wrong_are_shown_beside_the_sum() -> None:
    fine = Outcome("grey", 1, true=80, total=80, status="ok")
    told = [fine, Outcome("negative", 1, true=80, total=70, status="ok")]
    wrong = with_sums(told, "kind", lambda each: each.is_wrong)
    assert [row[0] for row in wrong] == ["kind", "negative", "all"]
    assert [row[0] for row in with_sums(told, "kind")] == ["kind", "grey", "negative", "all"]


def test_counts_are_summed_by_name_and_shares_taken_of_sums() -> None:
    counts = [("above", {"right": 1, "all": 2}), ("hard", {"all": 1}), ("above", {"all": 2})]
    table = tally("view", counts, {"right": "right", "of all": "right / all"})
    assert table == [("view", "right", "of all"), ("above", "1", "25.0 %"), ("hard", "0", "0.0 %")]


def test_the_stages_of_a_photo_stand_side_by_side() -> None:
    made = stages(scan_photo("samples/arcade.jpg"))
    assert made.shape == (2 * (TITLE + HEIGHT), 3 * WIDTH, 3)
    for left in range(0, 3 * WIDTH, WIDTH):
        for top in (TITLE, 2 * TITLE + HEIGHT):
            assert made[top : top + HEIGHT, left : left + WIDTH].std() > 10
