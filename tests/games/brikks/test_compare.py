"""Verdicts on several photos, and how sure they are, from drawn sheets."""

from collections.abc import Sequence

import pytest

from brikks_vision.games.brikks import compare
from brikks_vision.infer.certainty import judge_with_doubts, judging
from brikks_vision.infer.costs import JUDGED_PER_STEP
from brikks_vision.infer.following import TableReading
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import verdict_in_words
from brikks_vision.rules.brikks.blocks import SheetState
from brikks_vision.rules.brikks.scoring import Roll
from brikks_vision.rules.shapes import NoSuchTableError
from brikks_vision.show.comparison import game_report
from tests.drawn_sheets import BLACK_START, GREEN_LAST, RED_START, drawn_posterior, drawn_reading

LAYOUT = load_layout("brikks")


def game(*sheets, **known) -> TableReading:
    posteriors = [drawn_posterior(sheet) if isinstance(sheet, str) else sheet for sheet in sheets]
    names = [f"{'abcd'[number]}.jpg" for number in range(len(sheets))]
    language = known.pop("language", "en")
    return verdict_in_words(compare.table.read_game(names, posteriors, LAYOUT, known), language)


def turn(before, after, **known) -> compare.TurnReading:
    before, after = (
        drawn_posterior(sheet) if isinstance(sheet, str) else sheet for sheet in (before, after)
    )
    roll = known.pop("roll", None)
    return compare.read_turn(("a.jpg", "b.jpg"), (before, after), roll, known)


def out(sheet, **known) -> compare.OutReading:
    posterior = drawn_posterior(sheet) if isinstance(sheet, str) else sheet
    roll = known.pop("roll", None)
    return compare.read_out("a.jpg", posterior, roll, known)


def report(verdict: TableReading, *sheets) -> str:
    """What is told of a game, each sheet with its doubts."""
    readings = [
        drawn_reading(name, drawn_posterior(sheet) if isinstance(sheet, str) else sheet)
        for name, sheet in zip(verdict.photos, sheets, strict=True)
    ]
    assert any(reading.doubts for reading in readings)
    return game_report(readings, verdict, "en")


def codes(verdict: TableReading | compare.TurnReading | compare.OutReading) -> list[str]:
    return [violation.rule for violation in verdict.violations]


# --- a game --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("doubt", "told"), [(0.02, True), (0.3, False)])
def test_a_start_block_that_may_be_misread_accuses_nobody(doubt: float, told: bool) -> None:
    unsure = drawn_posterior(RED_START, (BLACK_START, doubt))
    verdict = game(RED_START, unsure)
    assert codes(verdict) == (["same-start"] if told else [])
    assert verdict.status == ("ok" if told else "uncertain")
    if told:
        assert verdict.violations[0].confidence == pytest.approx(1 - doubt)


def test_a_doubt_that_changes_nothing_leaves_a_violation_sure() -> None:
    unsure = drawn_posterior(RED_START, (RED_START + "bombs x", 0.4))
    assert game(RED_START, unsure).violations[0].confidence == 1.0


def test_a_doubt_that_may_change_the_ranking() -> None:
    unsure = drawn_posterior(BLACK_START, (BLACK_START + "bombs x", 0.2))
    assert game(unsure, RED_START).status == "uncertain"
    ahead = drawn_posterior(BLACK_START, (BLACK_START.replace("xxoo", "oooo"), 0.2))
    assert game(ahead, RED_START + "bombs x").status == "ok"


def test_a_doubtful_violation_makes_no_ranking_doubtful() -> None:
    unsure = drawn_posterior(RED_START, (BLACK_START, 0.3))
    verdict = game(RED_START, unsure)
    assert (verdict.status, verdict.is_ranking_sure) == ("uncertain", True)
    assert not verdict.is_verdict_sure
    told = report(verdict, RED_START, unsure)
    assert "ranking is not sure" not in told
    assert "the referee may have missed something" in told
    ahead = drawn_posterior(BLACK_START, (BLACK_START + "bombs x", 0.2))
    verdict = game(ahead, RED_START)
    assert (verdict.is_ranking_sure, verdict.is_verdict_sure) == (False, True)
    told = report(verdict, ahead, RED_START)
    assert "ranking is not sure" in told
    assert "the referee may have missed something" not in told


@pytest.mark.parametrize(("doubt", "told"), [(0.1, True), (0.3, False)])
def test_different_rolls_are_less_sure_where_an_outline_may_lack(doubt: float, told: bool) -> None:
    drawing = "..D.......\n..DDD.....\n" + GREEN_LAST
    sure = game(drawing, RED_START)
    assert codes(sure) == ["rolls-differ"]
    bare = drawn_posterior(drawing, (drawing.replace("D", "x"), doubt))
    verdict = game(bare, RED_START)
    if told:
        assert (verdict.status, codes(verdict)) == ("ok", ["rolls-differ"])
        assert verdict.violations[0].confidence == pytest.approx(1 - doubt / 2)
    else:
        assert (verdict.status, codes(verdict)) == ("uncertain", [])
    without = game(drawing.replace("D", "x"), RED_START)
    assert (without.status, codes(without)) == ("uncertain", [])


def test_a_player_whose_sheet_is_not_there() -> None:
    three = "AA........\nAABBBB....\nenergy xooo"
    assert codes(game(three, three.replace("A", "K"), players=3)) == ["same-start"]
    with pytest.raises(NoSuchTableError):
        game(three)


def test_a_duel_is_told_by_its_mini_blocks() -> None:
    verdict = game("AAm.......\nAABBBB....\nenergy xxoo", RED_START.replace("xxoo", "xxooooo"))
    assert (verdict.variant, codes(verdict)) == ("duel", [])
    verdict = game("AAm.......\nAABBBB....\nenergy xxoo", RED_START)
    assert codes(verdict) == ["bonus-count"]
    assert verdict.violations[0].part == "sheets"


def test_a_game_as_json() -> None:
    data = game(RED_START + "bombs x", RED_START).to_dict()
    assert list(data) == ["game"]
    assert data["game"]["ranking"][0] == {
        "place": 1,
        "sheet": 1,
        "photo": "b.jpg",
        "player": None,
        "total": 8,
        "lines": 0,
        "rounds": 1,
    }
    assert data["game"]["violations"][0]["rule"] == "same-start"


# --- a turn --------------------------------------------------------------------------------------

AFTER = """
    ..CC......
    AACC......
    AABBBB....
    energy {}
"""


def test_a_legal_turn() -> None:
    verdict = turn(BLACK_START, AFTER.format("xxxo"), roll=Roll("black", 3))
    assert (verdict.status, codes(verdict)) == ("ok", [])
    assert (verdict.color, verdict.columns) == ("black", (1, 2))
    assert verdict.added is not None
    assert verdict.added.text("fr") == ("le bloc noir (colonnes 3-4, lignes 2-3 en partant du bas)")
    assert verdict.followed == {"energy": True, "bonus": True, "bombs": True}
    assert verdict.grid[8:] == ("..XX......", "xxXX......", "xxxxxx....")
    data = verdict.to_dict()["turn"]
    assert data["added"]["cells"] == [[8, 2], [8, 3], [9, 2], [9, 3]]
    assert (data["costs"], data["energy_crossed_out"], data["points"]) == ([1], 1, -1)
    assert data["way"][-1] == [8, 2]


def test_energy_that_was_not_paid() -> None:
    verdict = turn(BLACK_START, AFTER.format("xxoo"), roll=Roll("black", 3))
    assert codes(verdict) == ["illegal-move"]
    assert verdict.violations[0].part == "energy"
    assert verdict.followed["energy"] is False


@pytest.mark.parametrize(("doubt", "told"), [(0.05, True), (0.3, False)])
def test_energy_that_was_perhaps_paid(doubt: float, told: bool) -> None:
    after = drawn_posterior(AFTER.format("xxoo"), (AFTER.format("xxxo"), doubt))
    verdict = turn(BLACK_START, after, roll=Roll("black", 3))
    assert bool(verdict.violations) == told
    assert verdict.status == "uncertain"


def test_a_support_that_was_perhaps_there() -> None:
    before = "AA........\nAABBBB....\nenergy xxoo"
    floating = "........CC\n........CC\nAA........\nAABBBB....\nenergy xxoo"
    (violation,) = turn(before, floating).violations
    assert "rests on nothing" in violation.message
    support = ("AA........\nAABBBB....", "AA......DD\nAABBBB..DD")
    unsure_before = drawn_posterior(before, (before.replace(*support), 0.4))
    unsure_after = drawn_posterior(floating, (floating.replace(*support), 0.4))
    for verdict in (turn(unsure_before, floating), turn(before, unsure_after)):
        assert [v for v in verdict.violations if "rests" in v.message] == []
        assert verdict.status == "uncertain"


def test_points_struck_at_setup_are_no_points_used() -> None:
    verdict = turn(BLACK_START, AFTER.format("xxoo"), roll=Roll("black", 1), players=2)
    assert (verdict.status, codes(verdict)) == ("ok", [])


# --- a player who is out -------------------------------------------------------------------------

FULL = "\n".join(["xxxxxxxxxx"] * 10) + "\nenergy xxxx"


def test_a_place_that_is_perhaps_taken() -> None:
    free = "xxxxxx....\n" + FULL
    taken = "xxxxxxx...\n" + FULL
    assert out(free, roll=Roll("black", 4)).is_out is False
    assert out(taken, roll=Roll("black", 4)).is_out is True
    for now, then in ((free, taken), (taken, free)):
        verdict = out(drawn_posterior(now, (then, 0.3)), roll=Roll("black", 4))
        assert (verdict.is_out, verdict.status, verdict.violations) == (None, "uncertain", ())


# --- doubts --------------------------------------------------------------------------------------


def test_each_doubtful_part_is_judged_otherwise() -> None:
    other = BLACK_START.replace("xxoo", "xxxo") + "bombs x"
    unsure = drawn_posterior(BLACK_START, (RED_START, 0.1), (other, 0.2))
    judged = judge_with_doubts([unsure], lambda states: states[0])
    assert judged.verdict == unsure.state
    assert [[p for p, _ in part] for part in judged.otherwise] == [[0.1], [0.2]]
    crossed = unsure.state.crossed
    assert judged.probability(lambda state: state.crossed == crossed) == pytest.approx(0.9)
    assert judged.probability(lambda state: state == unsure.state) == pytest.approx(0.72)
    assert judged.probability(lambda state: True) == 1
    assert judged.probability(lambda state: 1.0 if state == unsure.state else 0.5) == (
        pytest.approx(0.95 * 0.9)
    )


def test_a_claim_falls_step_by_step_until_it_is_seen_to() -> None:
    others = [(f"{'x' * length}{'.' * (10 - length)}\n" + FULL, 0.05) for length in range(1, 10)]
    unsure = drawn_posterior("xxxxxxxxxx\n" + FULL, *others)
    asked: list[SheetState] = []

    def judge(states: Sequence[SheetState | None]) -> SheetState | None:
        asked.extend(filter(None, states))
        return states[0]

    first, last = judging([unsure], judge)
    assert len(asked) == 1 + len(others) > 1 + JUDGED_PER_STEP
    for judged in (first, last):
        assert judged.probability(lambda state: state == unsure.state) == pytest.approx(0.55)
    assert first.at_most(lambda state: state == unsure.state) == pytest.approx(
        1 - 0.05 * JUDGED_PER_STEP
    )
    assert last.at_most(lambda state: state == unsure.state) == pytest.approx(0.55)
    asked.clear()
    next(judging([unsure], judge))
    assert len(asked) == 1 + JUDGED_PER_STEP  # whoever has seen enough pays for no more
