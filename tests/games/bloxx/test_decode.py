"""The most probable legal sheet: the rules settle faint evidence, and clear evidence stands
against them."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.decode import decode
from brikks_vision.games.bloxx.places import HORIZONTALS, sheet_of
from brikks_vision.rules.bloxx.referee import referee
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import Mark, SheetState, Written, score
from simulation.bloxx.play import play_game
from tests.games.bloxx.marked import (
    CLEAR,
    SHEET,
    clear_marks,
    figures,
    layout_of,
    noisy,
    posterior_of,
    with_bonus,
    with_cell,
    with_edge,
)
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN, any_states, drawn

FAINT = 0.5  # log-odds
BOTH = pytest.mark.parametrize("sheet", [OWN, DICELESS], ids=["dice", "no dice"])


def read(marks: Marks, sheet: Sheet = OWN, answers=None, written=None) -> SheetState:
    return decode(marks, sheet, answers or {}, written).state


def total_of(state: SheetState) -> int:
    return score(state).total


def played(seed: int, sheet: Sheet, rolls: int | None = None) -> SheetState:
    """A legal sheet, after so many rolls or at the end."""
    rng = random.Random(seed)
    game = play_game(OWN, rng, [rng.uniform(0, 3) for _ in range(2)], max_rolls=rolls)
    return replace(game.players[seed % 2].sheet, sheet=sheet)


def test_the_drawn_sheet_is_legal() -> None:
    assert referee(drawn(SHEET)).is_legal


@BOTH
@given(seed=st.integers(0, 10**6), rolls=st.integers(0, 25))
@settings(max_examples=40, deadline=None)
def test_clear_evidence_of_a_legal_sheet_is_read_as_it_stands(
    sheet: Sheet, seed: int, rolls: int
) -> None:
    state = played(seed, sheet, rolls)
    posterior = decode(noisy(clear_marks(state), seed, CLEAR, 0.5), sheet, {})
    assert posterior.state == state
    assert sum(posterior.totals.values()) == pytest.approx(1)
    # bonuses that nobody circled are open
    probable = {total for total, p in posterior.totals.items() if p > 0.02}
    rest = score(state).numbers + score(state).penalty
    assert probable == {rows + rest for rows in score(state).possible_rows}


@BOTH
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_without_outlines_the_cells_are_read_and_no_shapes(sheet: Sheet, seed: int) -> None:
    state = replace(played(seed, sheet), shapes=())
    assert read(noisy(clear_marks(state), seed, CLEAR, 0.5), sheet) == state


@BOTH
@pytest.mark.parametrize("seed", range(8))
def test_blurred_evidence_is_settled_by_the_rules(sheet: Sheet, seed: int) -> None:
    state = played(seed, sheet)
    marks = noisy(clear_marks(state), seed, 6.0, 2.0)
    posterior = decode(marks, sheet, {})
    wrong = sum(posterior.state.mark(cell) is not state.mark(cell) for cell in sheet.cells)
    assert wrong <= 1
    assert posterior.totals[total_of(state)] > 0.1


@given(state=any_states(), seed=st.integers(0, 10**6), mean=st.sampled_from([0.5, 3.0, CLEAR]))
@settings(max_examples=25, deadline=None)
def test_any_marks_on_any_sheet_are_decoded(state: SheetState, seed: int, mean: float) -> None:
    """Legal or not, on grids of any size, with and without dice, numbers and coloured rows."""
    layout = layout_of(state.sheet)
    assert sheet_of(layout) == state.sheet
    marks = noisy(clear_marks(state), seed, mean, 1.0)
    reading, posterior = posterior_of(marks, layout=layout)
    assert sum(posterior.totals.values()) == pytest.approx(1)
    least, most = reading.total_range
    assert least <= reading.score.total <= most
    assert json.dumps(reading.to_dict())


# --- one weak mark -------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", [(6, 1), (8, 5), (9, 4)])
def test_a_faint_mark_is_settled_by_its_outline(cell: tuple[int, int]) -> None:
    state = drawn(SHEET)
    faint = with_cell(clear_marks(state), cell, cross=-FAINT, ring=-CLEAR)
    if state.mark(cell) is Mark.CIRCLE:
        faint = with_cell(clear_marks(state), cell, ring=-FAINT)
    assert read(faint) == state


def test_a_faint_gap_is_one_under_a_drawn_cell_and_none_where_nothing_is() -> None:
    state = drawn(SHEET)
    marks = with_cell(clear_marks(state), (7, 1), fill=-FAINT)
    marks = with_cell(marks, (5, 5), fill=FAINT)
    assert read(marks) == state


def test_what_lies_over_coloured_cells_is_drawn() -> None:
    text = """
        X......
        #......
        #......
        X......
    """
    state = drawn(text)
    marks = with_cell(clear_marks(state), (6, 0), cross=-3.0)
    assert read(marks) == state
    marks = with_cell(marks, (7, 0), fill=-CLEAR)
    marks = with_cell(marks, (8, 0), fill=-CLEAR)
    assert read(marks).mark((6, 0)) is Mark.EMPTY


@pytest.mark.parametrize(("sheet", "read_as"), [(OWN, Mark.CROSS), (DICELESS, Mark.CIRCLE)])
def test_the_dice_say_where_a_faint_circle_can_be(sheet: Sheet, read_as: Mark) -> None:
    """In an L of four cells the dice have it at one end."""
    text = """
        XXX.... AAA....
        X##.... A......
    """
    marks = with_cell(clear_marks(drawn(text, sheet)), (8, 1), cross=-1.0, ring=1.0)
    assert read(marks, sheet).mark((8, 1)) is read_as


def test_the_circled_bonus_settles_a_faint_cell_of_its_row() -> None:
    """Without outlines, so that nothing else speaks for the cell; the corner has nothing above."""
    text = """
        XXOXOXX
        XXOXOXX
        bonus .. .. .. o.
    """
    state = drawn(text)
    marks = with_cell(clear_marks(state), (8, 6), cross=-2.0)
    assert read(marks) == state
    nothing_circled = with_bonus(marks, 6, ring=-CLEAR)
    assert read(nothing_circled).mark((8, 6)) is Mark.EMPTY


def test_a_faint_ring_around_the_bonus_of_an_incomplete_row_is_none() -> None:
    text = """
        XXO....
        XXOXOXX
        bonus .. .. .. ..
    """
    state = drawn(text)
    assert read(with_bonus(clear_marks(state), 6, ring=2.0)) == state
    assert read(with_bonus(clear_marks(state), 6, ring=CLEAR)) == drawn(
        text.replace(".. .. .. ..", ".. .. .. o.")
    )


def test_clear_lines_that_lack_are_not_smoothed_away() -> None:
    marks = clear_marks(drawn(SHEET))
    for column in range(3):
        marks = with_edge(marks, HORIZONTALS, (9, column), -CLEAR)
    state = read(marks, DICELESS)
    assert drawn(SHEET).shapes[0] | drawn(SHEET).shapes[2] in state.shapes
    assert state.grid == drawn(SHEET).grid


def test_clear_evidence_against_the_gap_rules_stands() -> None:
    text = """
        XXX.... EEE....
        O..#... E......
        XXOXOXX AAABBBB
        XXOXOXX CCCCDDD
        bonus .. .. .. o.
    """
    assert read(clear_marks(drawn(text))) == drawn(text)


def test_gaps_forgotten_one_below_the_other_do_not_take_a_mark_from_above_them() -> None:
    """Eight boxes under a shape are not coloured: one slip, not eight."""
    state = drawn("\n".join(["XOX....", *["......."] * 9]))
    assert read(clear_marks(state)) == state


def test_a_scribble_that_looks_like_a_cross_is_a_gap_where_something_is_above() -> None:
    state = drawn(SHEET)
    assert read(with_cell(clear_marks(state), (7, 2), cross=1.0, fill=1.0)) == state


# --- bonuses and totals --------------------------------------------------------------------------


def test_the_four_that_somebody_else_got_is_struck() -> None:
    state = drawn(SHEET.replace("bonus .. .. .. o.", "bonus x. .. .. xo"))
    assert read(clear_marks(state)) == state
    assert score(state).rows == 2


def test_doubtful_evidence_gives_a_doubtful_total() -> None:
    """A cell without an outline that may be crossed or empty."""
    state = drawn("XXOX...")
    marks = with_cell(clear_marks(state), (9, 3), cross=0.0)
    posterior = decode(marks, OWN, {})
    assert {round(p, 2) for total, p in posterior.totals.items() if p > 0.1} == {0.5}
    assert decode(marks, OWN, {"cell 9,3": "X"}).totals[-66] > 0.98
    assert decode(marks, OWN, {"cell 9,3": "."}).totals[-67] > 0.98


@pytest.mark.parametrize("read_as", [Mark.CROSS, Mark.CIRCLE, Mark.GAP, Mark.EMPTY])
def test_an_answer_stands_against_all_evidence(read_as: Mark) -> None:
    assert (
        read(clear_marks(drawn(SHEET)), answers={"cell 8,4": str(read_as)}).mark((8, 4)) is read_as
    )


def test_a_sheet_of_doubts_alone_is_answered_and_not_sure() -> None:
    marks = Marks(
        {key: np.zeros(array.shape) for key, array in clear_marks(drawn(SHEET)).logits.items()}
    )
    posterior = decode(marks, OWN, {})
    assert max(posterior.totals.values()) < 0.5


@pytest.mark.parametrize(("penalty", "read_as"), [(66, Mark.CROSS), (67, Mark.EMPTY)])
def test_the_players_figure_settles_a_doubtful_cell(penalty: int, read_as: Mark) -> None:
    marks = with_cell(clear_marks(drawn("XXOX...")), (9, 3), cross=0.0)
    written = {"penalty": Figure(penalty, 0.99)}
    assert read(marks, written=written).mark((9, 3)) is read_as


@pytest.mark.parametrize(("numbers", "read_as"), [(0, Mark.CROSS), (2, Mark.CIRCLE)])
def test_the_players_figure_settles_a_doubtful_circle(numbers: int, read_as: Mark) -> None:
    """The bottom left cell bears a 2."""
    marks = with_cell(clear_marks(drawn("XXX....")), (9, 0), cross=0.0, ring=1.0)
    written = {"numbers": Figure(numbers, 0.99)}
    assert read(marks, written=written).mark((9, 0)) is read_as


def test_a_clear_cross_stands_against_the_players_figure() -> None:
    state = drawn("XXOX...")
    assert read(clear_marks(state), written={"penalty": Figure(67, 1.0)}) == state


def test_the_points_written_for_the_rows_settle_a_faint_ring() -> None:
    state = drawn(SHEET)
    marks = with_bonus(with_bonus(clear_marks(state), 6, ring=0.0), 7, ring=0.0)
    assert read(marks, written={"rows": Figure(4, 0.99)}) == state
    assert score(read(marks, written={"rows": Figure(2, 0.99)})).rows == 2


def test_the_total_settles_a_faint_ring_where_nothing_else_is_written() -> None:
    marks = with_bonus(clear_marks(drawn(SHEET)), 6, ring=-0.5)
    assert decode(marks, OWN, {}).totals[-48] < 0.95
    assert decode(marks, OWN, {}, {"total": Figure(-48, 0.99)}).totals[-48] > 0.98


def test_no_figure_tells_which_bonus_of_a_row_is_meant_where_none_is_circled() -> None:
    marks = clear_marks(drawn(SHEET.replace("o.", "..")))
    totals = decode(marks, OWN, {}, {"rows": Figure(2, 0.99)}).totals
    assert totals[-48] == pytest.approx(totals[-50], abs=0.02)


def test_a_figure_is_weighed_beside_what_all_doubtful_circles_add_up_to() -> None:
    """None of three doubtful circles around a 2 explains the figure by itself."""
    marks = clear_marks(drawn("..XXX.. ..CCC..\nXXX#XXX AAA.BBB"))
    doubtful = {(8, 3), (9, 0), (9, 6)}
    for cell in doubtful:
        marks = with_cell(marks, cell, cross=0.0, ring=-0.5)
    assert not read(marks).circles
    assert read(marks, written={"numbers": Figure(6, 0.99)}).circles == doubtful


def test_right_figures_change_nothing() -> None:
    state = drawn(SHEET)
    points = score(state)
    written = figures(Written(points.rows, points.numbers, -points.penalty, points.total))
    assert read(clear_marks(state), written=written) == state


# --- the shortcut for certain shapes -------------------------------------------------------------
