"""Evidence and rules together: drawn sheets with weak, missing and contradicting evidence."""

import random
from dataclasses import replace

import numpy as np
import pytest

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks.bars import MIN_SURE_COLORS
from brikks_vision.games.brikks.decode import decode
from brikks_vision.games.brikks.reading import BOMBS, CELLS, HORIZONTALS, RINGS, STRIKES, VERTICALS
from brikks_vision.rules.brikks.blocks import Energy, SheetState, as_photographed
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.games import play_sheet
from simulation.brikks.notation import read_sheet
from tests.drawn_sheets import CLEAR, clear_marks, with_lines

DEFINITION = load_sheet()

SHEET = """
A.........
A...D.....
A...DDCC..
ABBBBDCC..
"""


def drawn(text: str = SHEET) -> SheetState:
    return read_sheet(text, DEFINITION)


@pytest.mark.parametrize("seed", range(12))
def test_clear_evidence_is_read_as_it_stands(seed: int) -> None:
    state = as_photographed(play_sheet(DEFINITION, random.Random(seed), players=3, level=2).state)
    posterior = decode(clear_marks(state), DEFINITION, {})
    assert posterior.state.crossed == state.crossed
    assert set(posterior.state.blocks) == set(state.blocks)
    assert posterior.state.energy == state.energy
    assert posterior.totals[score(state).total] > 0.99


@pytest.mark.parametrize("seed", range(12))
def test_blurred_evidence_is_settled_by_the_blocks(seed: int) -> None:
    state = as_photographed(play_sheet(DEFINITION, random.Random(seed), players=2, level=2).state)
    noise = np.random.default_rng(seed)
    marks = clear_marks(state)
    blurred = marks.with_logits(
        {
            CELLS: marks[CELLS] + noise.normal(0, 4, marks[CELLS].shape),
            VERTICALS: marks[VERTICALS] + noise.normal(0, 4, marks[VERTICALS].shape),
            HORIZONTALS: marks[HORIZONTALS] + noise.normal(0, 4, marks[HORIZONTALS].shape),
        }
    )
    assert decode(blurred, DEFINITION, {}).state.crossed == state.crossed


@pytest.mark.parametrize("seed", range(6))
def test_blocks_are_told_where_every_line_is_unclear(seed: int) -> None:
    state = as_photographed(play_sheet(DEFINITION, random.Random(seed), players=2, level=2).state)
    read = decode(with_lines(state, seed, 1.5, 1.5), DEFINITION, {}).state
    assert read.crossed == state.crossed
    assert len(set(read.blocks) & set(state.blocks)) >= len(state.blocks) - 3


@pytest.mark.parametrize("seed", range(6))
def test_lines_that_are_noise_make_no_block_sure(seed: int) -> None:
    state = as_photographed(play_sheet(DEFINITION, random.Random(seed), players=2, level=2).state)
    posterior = decode(with_lines(state, seed, 0.3, 1.5), DEFINITION, {})
    contradicted = [part for part in posterior.parts if part.is_contradicted]
    unproven = [part for part in contradicted if part.states[0][0].blocks]
    assert contradicted
    assert all(part.states[0][1] < MIN_SURE_COLORS for part in unproven)


def test_a_clear_gap_in_an_outline_is_not_smoothed_away() -> None:
    state = drawn()
    marks = clear_marks(state)
    marks[CELLS][10, 2] = -CLEAR
    assert (10, 2) not in decode(marks, DEFINITION, {}).state.crossed


def test_a_block_without_its_outline_keeps_its_crosses() -> None:
    state = drawn()
    square = next(block for block in state.blocks if (9, 6) in block)
    forgotten = replace(state, blocks=tuple(block for block in state.blocks if block != square))
    marks = clear_marks(forgotten)
    for cell in square:
        marks[CELLS][cell] = 3.0
    posterior = decode(marks, DEFINITION, {})
    assert posterior.state.crossed == state.crossed
    assert set(posterior.state.blocks) == set(forgotten.blocks)


@pytest.mark.parametrize("ring", [-CLEAR, 0.0, CLEAR])
def test_a_ring_tells_nothing_of_a_point_that_is_crossed_out(ring: float) -> None:
    state = drawn()
    used = replace(state, energy=tuple([Energy.USED] * 5 + [Energy.CIRCLED] + [Energy.OPEN] * 22))
    marks = clear_marks(used)
    marks[RINGS][4] = ring
    assert decode(marks, DEFINITION, {}).state.energy == used.energy


def test_faint_strokes_on_several_bombs_are_not_ruled_out_by_the_first() -> None:
    state = drawn()
    struck = replace(state, bombs=(True, True, True))
    marks = clear_marks(state)
    marks[BOMBS][:] = [-5.7, -5.0, -3.5]
    totals = decode(marks, DEFINITION, {}).totals
    assert totals[score(state).total] < 0.98
    assert totals[score(struck).total] > 0.02


def test_doubtful_evidence_gives_a_doubtful_total() -> None:
    full = "\n".join(["." * 10] * 10 + ["AAAABBBBCC"]) + "\n"
    state = replace(read_sheet(full, DEFINITION), blocks=())
    marks = clear_marks(state)
    marks[CELLS][10, 9] = 0.4
    posterior = decode(marks, DEFINITION, {})
    ten = score(state).total
    nine = score(replace(state, crossed=state.crossed - {(10, 9)})).total
    assert posterior.totals[ten] == pytest.approx(0.6, abs=0.01)
    assert posterior.totals[nine] == pytest.approx(0.4, abs=0.01)


def test_a_sheet_of_doubts_alone_is_answered_and_not_sure() -> None:
    marks = clear_marks(drawn())
    marks[CELLS][:] = np.random.default_rng(1).uniform(0.5, 2.5, marks[CELLS].shape)
    marks[VERTICALS][:] = marks[HORIZONTALS][:] = -CLEAR
    totals = decode(marks, DEFINITION, {}).totals
    assert sum(totals.values()) == pytest.approx(1.0)
    assert max(totals.values()) < 0.5


def test_answers_settle_doubts() -> None:
    state = drawn()
    marks = clear_marks(state)
    marks[BOMBS][0] = 0.3
    assert decode(marks, DEFINITION, {"bomb 0": "."}).state.bombs[0] is False
    sure = decode(marks, DEFINITION, {"bomb 0": "X"})
    assert sure.state.bombs[0] is True
    assert sure.totals[score(sure.state).total] > 0.99


@pytest.mark.parametrize(("figure", "reads_as_crossed"), [(5, True), (2, False)])
def test_the_players_figure_settles_a_doubtful_cross(figure, reads_as_crossed):
    state = read_sheet("x" * 10, DEFINITION)
    marks = clear_marks(state)
    marks[CELLS][10, 4] = 0.0
    rows = [Figure(None, 0.99)] * (DEFINITION.rows - 1)

    posterior = decode(marks, DEFINITION, {}, figures=[*rows, Figure(figure, 0.99)])

    assert ((10, 4) in posterior.state.crossed) is reads_as_crossed


def test_the_players_figure_settles_a_doubtful_cross_between_unreadable_lines() -> None:
    state = as_photographed(play_sheet(DEFINITION, random.Random(2), players=2, level=2).state)
    marks = with_lines(state, 2, 0.3, 0.3)  # hundreds of tilings are as good
    assert (0, 1) not in state.crossed
    marks[CELLS][0, 1] = 0.7
    figures = [Figure(points, 0.99) for points in score(state).rows]

    alone = decode(marks, DEFINITION, {})
    assert alone.cells[0, 1] < 0.9
    assert not any(part.is_contradicted for part in alone.parts)
    assert (0, 1) not in decode(marks, DEFINITION, {}, figures=figures).state.crossed
    assert (0, 1) in decode(marks, DEFINITION, {"cell 0,1": "X"}, figures=figures).state.crossed


def circled(count: int, strike: float) -> Marks:
    """So many points that are circled, and how likely each is struck, too, by its evidence."""
    marks = clear_marks(drawn("AA........\nAA........\nenergy oooo" + "o" * count))
    marks[STRIKES][: 4 + count] = strike
    return marks


def test_strokes_that_are_all_doubtful_may_all_be_misread() -> None:
    posterior = decode(circled(8, -2.0), DEFINITION, {})
    all_struck = score(replace(posterior.state, energy=(Energy.OPEN,) * 28)).total
    assert posterior.totals[all_struck] > 0.05


@pytest.mark.parametrize("clear", [0, 5])
def test_a_clear_stroke_shows_that_not_all_are_misread(clear: int) -> None:
    marks = circled(8, -2.0)
    marks[STRIKES][clear] = -CLEAR
    posterior = decode(marks, DEFINITION, {})
    all_struck = score(replace(posterior.state, energy=(Energy.OPEN,) * 28)).total
    assert posterior.totals.get(all_struck, 0.0) < 0.01


def test_an_answered_point_stays_where_all_others_are_doubtful() -> None:
    posterior = decode(circled(12, -1.0), DEFINITION, {"energy 9": "circled"})
    assert all(state.energy[9] is Energy.CIRCLED for state, _ in posterior.bars)


def test_a_clear_cross_stands_against_the_players_figure():
    marks = clear_marks(read_sheet("x" * 10, DEFINITION))
    rows = [Figure(None, 0.99)] * (DEFINITION.rows - 1)
    assert (10, 4) in decode(marks, DEFINITION, {}, figures=[*rows, Figure(2, 0.99)]).state.crossed


def test_a_player_whose_figures_are_mostly_wrong_settles_nothing():
    marks = clear_marks(read_sheet(("x" * 10 + "\n") * 10 + "x" * 10, DEFINITION))
    marks[CELLS][10, 4] = 1.0
    nonsense = [Figure(1, 0.99)] * (DEFINITION.rows - 1)
    posterior = decode(marks, DEFINITION, {}, figures=[*nonsense, Figure(2, 0.99)])
    assert (10, 4) in posterior.state.crossed


def test_the_circles_covered_tell_how_many_points_are_circled():
    state = read_sheet("AA........\nAA........\nenergy oooo", DEFINITION)
    marks = clear_marks(state)
    marks[RINGS][4:6] = 1.0  # alone a player has five points, not six
    assert decode(marks, DEFINITION, {}).state.energy.count(Energy.OPEN) in (23, 24)


def test_a_printed_line_that_is_taken_for_ink_cuts_no_block_in_two() -> None:
    """A line through the square of the block C is seen as surely as the players' own."""
    marks = clear_marks(drawn())
    assert set(decode(marks, DEFINITION, {}).state.blocks) == set(drawn().blocks)
    marks[HORIZONTALS][10, 6] = 8.0
    assert set(decode(marks, DEFINITION, {}).state.blocks) == set(drawn().blocks)


def test_two_lines_that_cut_a_block_in_two_are_no_print() -> None:
    marks = clear_marks(drawn())
    marks[HORIZONTALS][10, 6:8] = CLEAR
    blocks = decode(marks, DEFINITION, {}).state.blocks
    assert {(9, 6), (9, 7)} in blocks
    assert {(10, 6), (10, 7)} in blocks


@pytest.mark.parametrize(("read", "off_by", "struck"), [(0.9, 0, True), (0.9, 1, False)])
def test_the_players_total_settles_a_doubtful_bomb(read: float, off_by: int, struck: bool) -> None:
    state = replace(drawn(), bombs=(True, False, False))
    marks = clear_marks(state)
    marks[BOMBS][0] = -0.5 if struck else 0.5
    total = score(state).total + off_by
    posterior = decode(marks, DEFINITION, {}, total=Figure(total, read))
    assert posterior.state.bombs[0] is struck


def test_clear_bombs_stand_against_the_players_total() -> None:
    state = replace(drawn(), bombs=(True, False, False))
    wrong = score(replace(state, bombs=(False, False, False))).total
    posterior = decode(clear_marks(state), DEFINITION, {}, total=Figure(wrong, 0.99))
    assert posterior.state.bombs == state.bombs


def test_crosses_between_unreadable_lines_are_not_surer_than_their_evidence() -> None:
    """Lines that no block fits tell nothing: a faint cross among them is asked about."""
    state = drawn("X" * 10 + "\n" + "X" * 10)
    marks = clear_marks(state)
    noise = np.random.default_rng(3)
    marks[VERTICALS][:] = noise.normal(0, 9, marks[VERTICALS].shape)
    marks[HORIZONTALS][:] = noise.normal(0, 9, marks[HORIZONTALS].shape)
    marks[CELLS][9, 3] = -1.2
    posterior = decode(marks, DEFINITION, {})
    assert 0.1 < posterior.cells[9, 3] < 0.5
