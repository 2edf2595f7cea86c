"""Whatever marks a photo is misread as, the rules answer and raise nothing."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.brikks.blocks import Energy, SheetState, blank_sheet, kinds
from brikks_vision.rules.brikks.referee import referee
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.table import judge_table
from brikks_vision.rules.brikks.turn import judge_out, judge_turn
from brikks_vision.rules.shapes import bottom_up, placed

BRIKKS = load_sheet()
CELLS = frozenset(BRIKKS.cells)
ANYWHERE = st.sampled_from(BRIKKS.cells)


@st.composite
def misread_sheets(draw) -> SheetState:
    """Blocks of the overview anywhere, some broken, with stray and missing marks."""
    blank = blank_sheet(BRIKKS)
    blocks, taken = [], frozenset()
    for _ in range(draw(st.integers(0, 26))):
        kind = draw(st.sampled_from(kinds(BRIKKS)))
        cells = placed(kind.shape, draw(ANYWHERE))
        if cells <= CELLS and not cells & taken:
            blocks.append(cells)
            taken |= cells
    for cells in draw(st.lists(st.frozensets(ANYWHERE, max_size=6), max_size=3)):
        blocks.append(cells - taken if draw(st.booleans()) else cells)
        taken |= cells
    noise = draw(st.frozensets(ANYWHERE, max_size=8))
    return SheetState(
        crossed=taken ^ noise,
        blocks=bottom_up(blocks) if draw(st.booleans()) else tuple(blocks),
        energy=tuple(draw(st.sampled_from(Energy)) for _ in blank.energy),
        bonus=tuple(draw(st.booleans()) for _ in blank.bonus),
        bombs=tuple(draw(st.booleans()) for _ in blank.bombs),
        sheet=BRIKKS,
    )


@settings(max_examples=120, deadline=None)
@given(misread_sheets())
def test_the_referee_always_answers(state):
    begun = time.thread_time()
    verdict = referee(state)
    assert time.thread_time() - begun < 2
    assert verdict.assumed.players and verdict.assumed.level and verdict.assumed.variant
    for violation in verdict.violations:
        assert violation.message.endswith(".")
    assert score(state).total >= 0


@settings(max_examples=40, deadline=None)
@given(misread_sheets(), misread_sheets())
def test_two_sheets_always_get_an_answer(one, other):
    for variant in (None, "duel"):
        assert len(judge_table([one, other], BRIKKS, variant).results) == 2
    judge_turn(one, other)
    judge_out(one)
