"""What something hides is not empty: it is told, widens the range and accuses nobody."""

import random
from datetime import datetime, timedelta
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.detect.figures import Figure, without_covered
from brikks_vision.detect.marks import Covered
from brikks_vision.games.brikks.compare import read_turn, table
from brikks_vision.games.brikks.decode import Posterior
from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.games.brikks.reading import BOMBS, BOXES, BrikksReading
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.sameness import Sameness
from brikks_vision.layout import load_layout
from brikks_vision.reading import Reading, Status
from brikks_vision.record import entries
from brikks_vision.rules.brikks.blocks import SheetState, Written, as_photographed
from brikks_vision.rules.brikks.scoring import score
from simulation.brikks.games import play_sheet
from simulation.brikks.notation import read_sheet
from tests.covered_sheets import any_cover, covered_places, seen_with_noise
from tests.drawn_sheets import SHEET, clear_marks

LAYOUT = load_layout("brikks")
NOTHING = Figure(None, 1.0)
WRITTEN_NOTHING = {"rows": (NOTHING,) * SHEET.rows, "total": (NOTHING,)}


cover = partial(covered_places, LAYOUT)


def reading_of(
    state: SheetState,
    covered: Covered,
    written: Written | None = None,
    answers: dict[str, str] | None = None,
) -> BrikksReading:
    rows = written.rows if written else (None,) * SHEET.rows
    total = written.total if written else None
    figures = {
        "rows": tuple(Figure(value, 1.0) for value in rows),
        "total": (Figure(total, 1.0),),
    }
    marks = clear_marks(state)
    sharp = {key: 1.5 * marks[key] for key in (BOXES, BOMBS)}  # as in a good photo
    marks = marks.with_logits(sharp).with_covered(covered)
    evidence = Evidence(marks, without_covered(figures, covered))
    return DEFINITION.read("a.jpg", evidence, LAYOUT, answers or {})[0]


def drawn(text: str) -> SheetState:
    return as_photographed(read_sheet(text, SHEET))


def test_covered_cells_are_unknown_and_widen_the_range() -> None:
    state = drawn("AAAABBBBC.\nDDDDEEEECC\nFFFFGGGG.C")
    reading = reading_of(state, cover(cell=[(9, 8), (9, 9), (10, 8)]))
    assert reading.covered == ("cell 9,8", "cell 9,9", "cell 10,8")
    assert reading.grid[9] == "XXXXXXXX??"
    assert reading.grid[10] == "XXXXXXXX?X"
    assert reading.status is Status.UNCERTAIN
    least = score(drawn("AAAABBBBC.\nDDDDEEEE..\nFFFFGGGG.C")).total
    most = score(drawn("AAAABBBBC.\nDDDDEEEECC\nFFFFGGGGHC")).total
    assert reading.total_range == (least, most)
    assert not reading.violations
    assert not reading.doubts


def test_a_cover_that_cannot_change_the_total_leaves_it_sure() -> None:
    state = drawn("AAAABBBBC.\nDDDDEEEECC\nFFFFGGGG.C")
    reading = reading_of(state, cover(cell=[(3, 4), (3, 5), (4, 4)]))
    assert reading.status is Status.OK
    assert reading.covered == ("cell 3,4", "cell 3,5", "cell 4,4")
    assert reading.total_range == (score(state).total,) * 2


def test_an_answer_uncovers_a_place() -> None:
    state = drawn("AAAABBBBC.\nDDDDEEEECC\nFFFFGGGG.C")
    covered = cover(cell=[(9, 8), (9, 9)])
    reading = reading_of(state, covered, answers={"cell 9,8": "X", "cell 9,9": "X"})
    assert reading.covered == ()
    assert reading.grid[9] == "X" * 10
    assert reading.status is Status.OK
    assert reading.score == score(state)
    half = reading_of(state, covered, answers={"cell 9,9": "X"})
    assert half.covered == ("cell 9,8",)
    assert half.grid[9] == "XXXXXXXX?X"


def test_of_an_energy_bar_that_is_hidden_whole_every_point_is_covered() -> None:
    points = range(SHEET.energy_points)
    reading = reading_of(drawn(BARS), cover(energy=list(points)))
    assert reading.covered == tuple(f"energy {point}" for point in points)
    assert reading.status is Status.UNCERTAIN
    assert not reading.violations


BARS = """
AAAABBBBC.
DDDDEEEECC
FFFFGGGG.C
energy xxooo
extra xxxx
bombs xx
"""


@pytest.mark.parametrize("place", ["box 0", "box 3", "bomb 0", "bomb 1", "energy 1"])
def test_what_the_rest_of_a_bar_settles_is_no_question(place: str) -> None:
    """A bar fills in order: what is covered before a mark is marked."""
    state = drawn(BARS)
    field, at = place.split()
    reading = reading_of(state, cover(**{field: [int(at)]}))
    settled = place in ("box 0", "bomb 0")
    assert reading.covered == (place,)
    assert (reading.status is Status.OK) is settled
    low, high = reading.total_range
    assert low <= score(state).total <= high
    assert reading.bonus_crosses == (None if place == "box 3" else 4)
    assert reading.bombs_used == (None if place == "bomb 1" else 2)
    assert (reading.energy[1] == "?") is (place == "energy 1")
    assert {each.rule for each in reading.violations} <= {"bonus-count"}  # there are too many


def test_a_covered_figure_is_not_read_and_leaves_the_total() -> None:
    state = drawn(BARS)
    points = score(state)
    figures = Written(points.rows, None)
    reading = reading_of(state, cover(rows=[9]), figures)
    assert reading.status is Status.OK
    assert reading.covered == ()
    assert reading.written is not None
    assert reading.written.rows[9] is None
    assert reading.written.rows[8] == points.rows[8]


FAULTS = {
    "floating": ("....AA....\n....AA....\n..........\nBB........\nBBCCCC....", "cell", (8, 4)),
    "stray-mark": ("......x...\nAAAA......\nBBBB.CCCC.", "cell", (8, 7)),
    "not-a-block": ("AAA.......\nBBBB.CCCC.", "cell", (9, 3)),
    "energy-order": ("AAAA......\nenergy oooo.o", "energy", 4),
    "bonus-order": ("AAAA......\nextra x.x", "box", 1),
    "bomb-order": ("AAAA......\nbombs .x", "bomb", 0),
}


@pytest.mark.parametrize("rule", FAULTS)
def test_no_rule_is_broken_that_a_covered_place_can_mend(rule: str) -> None:
    drawing, field, place = FAULTS[rule]
    state = drawn(drawing)
    elsewhere = cover(cell=[(0, 9)])
    assert rule in {each.rule for each in reading_of(state, elsewhere).violations}
    assert rule not in {
        each.rule for each in reading_of(state, cover(**{field: [place]})).violations
    }


def test_a_wrong_figure_is_no_fault_of_a_row_that_is_partly_covered() -> None:
    state = drawn("AAAABBBBC.\nDDDDEEEECC\nFFFFGGGG.C")
    points = score(state)
    wrong = Written((*points.rows[:9], points.rows[9] + 1, points.rows[10]), None)
    named = {each.rule for each in reading_of(state, cover(cell=[(0, 9)]), wrong).violations}
    assert "written-row" in named
    assert not reading_of(state, cover(cell=[(9, 2)]), wrong).violations


@given(seed=st.integers(0, 10_000))
def test_whatever_is_covered_the_total_is_in_the_range_and_nobody_is_accused(seed: int) -> None:
    noise, dice = np.random.default_rng(seed), random.Random(seed)
    players, level = dice.choice((2, 3, 4)), dice.choice((1, 2, 3, 4))
    state = as_photographed(play_sheet(SHEET, dice, players=players, level=level).state)
    points, covered = score(state), any_cover(LAYOUT, noise)
    figures = {
        "rows": tuple(Figure(value, 0.99) for value in points.rows),
        "total": (Figure(points.total, 0.99),),
    }
    marks = seen_with_noise(clear_marks(state), noise).with_covered(covered)
    reading, _ = DEFINITION.read(
        "a.jpg", Evidence(marks, without_covered(figures, covered)), LAYOUT
    )
    assert reading.total_range[0] <= points.total <= reading.total_range[1]
    assert reading.status is Status.UNCERTAIN or reading.score.total == points.total
    assert not reading.violations
    for where in reading.covered:
        if where.startswith("cell "):
            row, column = map(int, where.split()[1].split(","))
            assert reading.grid[row][column] == "?"
    told = reading.to_dict()
    assert Reading.from_dict(told).to_dict() == told


STACK = "AAAABBBB..\nCCCCDDDDEE\nFFFFGGGGEE"
TAKEN = datetime(2026, 5, 1, 20, 0)


def test_covered_places_never_tell_two_photos_of_a_sheet_apart() -> None:
    covered = cover(cell=[(9, 8), (9, 9), (10, 0)], box=[0, 1], bomb=[0, 1, 2], energy=[3, 4, 5, 6])
    drawing = f"{STACK}\nenergy xxooo\nextra xx\nbombs xx"
    plain, hidden = reading_of(drawn(drawing), {}), reading_of(drawn(drawing), covered)
    assert entries.same_state(plain, TAKEN, hidden, TAKEN) is Sameness.SAME
    assert entries.same_state(hidden, TAKEN, plain, TAKEN) is Sameness.SAME
    assert entries.is_better(plain, hidden)
    assert not entries.is_better(hidden, plain)
    grown = reading_of(drawn(f"HHHH......\n{drawing}"), {})
    later = TAKEN + timedelta(minutes=5)
    assert entries.grown_state(hidden, TAKEN, grown, later) is not Sameness.DIFFERENT
    grown_hidden = reading_of(drawn(f"HHHH......\n{drawing}"), covered)
    assert entries.grown_state(plain, TAKEN, grown_hidden, later) is not Sameness.DIFFERENT


def test_another_sheet_is_not_taken_for_one_that_is_partly_covered() -> None:
    covered = cover(cell=[(9, 8), (9, 9)])
    other = drawn("BBAADDDDEE\nBBAACCCCEE\nFFFFGGGG..")
    hidden = reading_of(drawn(STACK), covered)
    assert entries.same_state(hidden, TAKEN, reading_of(other, {}), TAKEN) is Sameness.DIFFERENT


def posterior_of(drawing: str, covered: Covered) -> Posterior:
    marks = clear_marks(drawn(drawing)).with_covered(covered)
    return DEFINITION.read("a.jpg", Evidence(marks, WRITTEN_NOTHING), LAYOUT)[1]


def test_two_players_whose_start_is_covered_did_not_begin_with_the_same_block() -> None:
    drawings = [f"{STACK}\nenergy xxoo", f"....CCCC..\n{STACK}\nenergy xxoo"]
    plain = [posterior_of(drawing, {}) for drawing in drawings]
    hidden = [posterior_of(drawings[0], cover(cell=[(10, 0), (10, 1)])), plain[1]]
    assert "same-start" in {each.rule for each in table.read_game("ab", plain, LAYOUT).violations}
    game = table.read_game("ab", hidden, LAYOUT)
    assert "same-start" not in {each.rule for each in game.violations}
    assert not game.is_ranking_sure


def test_no_turn_is_called_illegal_where_something_hides_a_part_of_it() -> None:
    before, after = posterior_of(STACK, {}), posterior_of(f"....CC....\n{STACK}", {})
    assert read_turn(("a", "b"), (before, after)).violations
    hidden = posterior_of(f"....CC....\n{STACK}", cover(cell=[(6, 4), (6, 5)]))
    turn = read_turn(("a", "b"), (before, hidden))
    assert turn.status is Status.UNCERTAIN
    assert not turn.violations


def test_evidence_that_is_made_from_a_reading_is_covered_where_that_was() -> None:
    covered = cover(cell=[(9, 8), (9, 9), (10, 8)], bomb=[2], energy=[7])
    reading = reading_of(drawn(f"{STACK}\nbombs x\nextra xx"), covered)
    again, _ = DEFINITION.read("a.jpg", DEFINITION.evidence_of_reading(reading, LAYOUT), LAYOUT)
    assert again.covered == reading.covered
    assert again.grid == reading.grid
    assert again.total_range == reading.total_range
