"""What is read of a Qwixx sheet from evidence, told in words, and read from drawn photos."""

import random
from dataclasses import replace

import numpy as np
import pytest

from brikks_vision import scan
from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.errors import RulesForbid
from brikks_vision.games import reading_from
from brikks_vision.games.qwixx.game import DEFINITION, QwixxReading
from brikks_vision.infer.answers import covered_at, parse_answers
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import localize
from brikks_vision.reading import Status
from brikks_vision.show.report import report
from brikks_vision.text.languages import LANGUAGES
from simulation.qwixx.games import any_game
from simulation.qwixx.photos import printed_blank, shoot

CLEAR = 12.0  # log-odds
LAYOUT = load_layout("qwixx")
PLAYED = "X.X.X.X..XX .X......... ........... XXXX......."


def evidence(rows: str = PLAYED, locks: str = "X...", failed: str = "X...") -> Evidence:
    """Of a drawn sheet: "X" crossed, "." open, "?" as likely as not."""
    odds = {"X": CLEAR, ".": -CLEAR, "?": 0.2}
    fields = {"row": rows.replace(" ", ""), "lock": locks, "failed": failed}
    logits = {
        (name, "cross"): np.reshape([odds[each] for each in marks], LAYOUT.fields[name].shape)
        for name, marks in fields.items()
    }
    return Evidence(Marks(logits), {})


def read(of: Evidence, **answers: str) -> QwixxReading:
    reading, _ = DEFINITION.read("a.jpg", of, LAYOUT, answers)
    assert isinstance(reading, QwixxReading)
    return reading


def test_a_clear_sheet_is_sure() -> None:
    reading = read(evidence())
    assert (reading.status, reading.total_range, reading.violations) == (Status.OK, (34, 34), ())
    assert reading.rows == tuple(PLAYED.split())
    assert (reading.locks, reading.failed, reading.score.rows) == ("X...", 1, (28, 1, 0, 10))
    told = reading.to_dict()
    assert told["written"] == {"rows": [None] * 4, "failed": None, "total": None}
    assert reading_from(told) == reading


def test_a_doubt_is_asked_and_answered() -> None:
    unsure = evidence(PLAYED.replace(" .X", " ?X"))
    reading = read(unsure)
    assert (reading.status, reading.total_range) == (Status.UNCERTAIN, (34, 36))
    assert [each.where for each in reading.doubts] == ["row 1,0"]
    answers = parse_answers(["Reihe 2, Zahl 2=leer"], DEFINITION, LAYOUT)
    assert answers == {"row 1,0": "."}
    settled, _ = DEFINITION.read("a.jpg", unsure, LAYOUT, answers)
    assert (settled.status, settled.total_range) == (Status.OK, (34, 34))


def test_the_players_figures_settle_a_doubt() -> None:
    unsure = evidence(PLAYED.replace(" .X", " ?X"))
    reading = read(with_figures(unsure, rows=(28, 3, 0, 10), total=(36,)))
    assert (reading.status, reading.score.total) == (Status.OK, 36)


def with_figures(of: Evidence, **written: tuple[int | None, ...]) -> Evidence:
    figures = {name: tuple(Figure(each, 0.99) for each in own) for name, own in written.items()}
    return replace(of, figures={**of.figures, **figures})


@pytest.mark.parametrize(
    "rows, locks, rule",
    [
        ("X.X.X.X...X " + "........... " * 3, "X...", "early-last"),
        ("X.X.X.X..XX " + "........... " * 3, "....", "lock"),
        ("X.X.X.X..X. " + "........... " * 3, "X...", "lock"),
    ],
)
def test_a_broken_rule_is_told_where_its_marks_are_plain(rows: str, locks: str, rule: str) -> None:
    assert [each.rule for each in read(evidence(rows, locks)).violations] == [rule]
    pale = evidence(rows, locks)
    pale.marks["lock", "cross"][0] *= 0.3
    pale.marks["row", "cross"][0, 10] *= 0.3
    asked = read(pale)
    assert not asked.violations and asked.status is Status.UNCERTAIN


def test_a_wrong_figure_is_held_against_the_player() -> None:
    reading = read(with_figures(evidence(), rows=(28, 1, 0, 11)))
    assert [(each.rule, each.where) for each in reading.violations] == [("written-row", (3,))]
    assert "The blue row is worth 10, but 11 is written for it." in reading.violations[0].message


def test_what_is_hidden_is_open_and_accuses_nobody() -> None:
    early = evidence("X.X.X.X...X " + "........... " * 3)
    hidden = covered_at(["row 0,8", "lock 0"], LAYOUT)
    reading = read(replace(early, marks=early.marks.with_covered(hidden)))
    assert reading.covered == ("row 0,8", "lock 0")
    assert (reading.violations, reading.total_range) == ((), (10, 23))
    assert (reading.rows[0][8], reading.locks[0]) == ("?", "?")


def test_what_was_cancelled_does_not_count() -> None:
    struck = covered_at(["row 3,3"], LAYOUT)
    whole = evidence()
    reading = read(replace(whole, marks=whole.marks.with_cancelled(struck)))
    assert (reading.cancelled, reading.score.rows[3]) == (("row 3,3",), 6)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_in_every_language(language: str) -> None:
    early = read(evidence("X.X.X.X...X ?.......... ........... ...........", "X..."))
    text = report(localize(early, language), language)
    assert "X.X.X.X...X X" in text and text.count("{") == 0


def test_the_reading_makes_evidence_that_decodes_to_it() -> None:
    reading = read(with_figures(evidence(), rows=(28, 1, 0, 11)))
    again, _ = DEFINITION.read("a.jpg", DEFINITION.evidence_of_reading(reading, LAYOUT), LAYOUT, {})
    assert again.content() == reading.content()


@pytest.mark.parametrize("tier, number", [("scan", 4), ("good", 2)])
def test_our_own_sheet_is_read_from_a_photo(tier: str, number: int) -> None:
    rng, dice = np.random.default_rng([2, number]), random.Random(2000 + number)
    played = any_game(dice)
    shot = shoot(LAYOUT, printed_blank(), played, rng, tier, 1600, held_out=True)
    reading = scan(shot.data, game="qwixx")
    assert isinstance(reading, QwixxReading) and reading.sheet == "qwixx"
    assert (reading.rows, reading.locks) == (played.state.rows, played.state.locks)
    assert reading.failed == played.state.failed


def advice(rows: str, throw: int) -> list[str]:
    """The places of each choice for a throw, best first."""
    said = TurnSaid(("dice", throw))
    best = DEFINITION.coach.advise(read(evidence(rows, "....", "....")), LAYOUT, said).best
    assert [each.value for each in best] == sorted((each.value for each in best), reverse=True)
    return [each.where for each in best]


def test_what_to_cross_for_a_throw_is_advised() -> None:
    begun = "X.......... " + "........... " * 3
    found = advice(begun, 124655)  # the white dice give red 3, beside red 2
    assert "row 0,1" in found[0]
    assert "" in found[1:] and len(found) == len(set(found))
    ready = "XXXXX.XXXX. " + "........... " * 3
    assert advice(ready, 660000)[0] == "row 0,10"  # another player's throw: the last number


@pytest.mark.parametrize(("locks", "failed"), [("X.X.", "...."), ("....", "XXXX")])
def test_nothing_is_advised_where_the_game_is_over(locks: str, failed: str) -> None:
    over = read(evidence(PLAYED, locks, failed))
    with pytest.raises(RulesForbid, match="over"):
        DEFINITION.coach.advise(over, LAYOUT, TurnSaid(("dice", 351642)))


@pytest.mark.parametrize("throw", [3, 701234, 3516421])
def test_a_throw_that_is_none_is_explained(throw: int) -> None:
    with pytest.raises(RulesForbid, match="six dice"):
        advice(PLAYED, throw)


def test_a_game_that_goes_on_is_noted_and_breaks_no_rule() -> None:
    states = [DEFINITION.read("a.jpg", evidence(locks="X..."), LAYOUT, {})[1] for _ in range(2)]
    verdict = DEFINITION.table.read_game(["a.jpg", "b.jpg"], states, LAYOUT)
    assert (verdict.status, verdict.violations) == (Status.OK, ())
    assert "not over yet" in verdict.to_dict()["game"]["notes"][0]
