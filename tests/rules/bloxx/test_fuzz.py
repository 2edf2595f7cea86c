"""Whatever marks a photo is misread as, the rules answer and raise nothing."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.bloxx.referee import Rule, referee
from brikks_vision.rules.bloxx.sheet import turned
from brikks_vision.rules.bloxx.state import Mark, Written, blank_sheet
from brikks_vision.rules.bloxx.table import judge_table
from brikks_vision.text.languages import LANGUAGES
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN, any_states

FACES = [side for die in OWN.dice for side in die]
FIGURE = st.none() | st.integers(-99, 99)


@st.composite
def misread_sheets(draw, sheet=OWN):
    """Shapes of the dice anywhere, some broken, with stray and missing marks."""
    state = blank_sheet(sheet)
    shapes, taken = [], frozenset()
    for _ in range(draw(st.integers(0, 24))):
        way = draw(st.sampled_from(turned(draw(st.sampled_from(FACES)))))
        top, left = draw(st.sampled_from(sheet.cells))
        cells = frozenset((top + row, left + column) for row, column in way.cells)
        if all(sheet.holds(cell) for cell in cells) and not cells & taken:
            shapes.append(cells)
            taken |= cells
            state = state.with_marks(dict.fromkeys(cells, Mark.CROSS))
            state = state.with_marks({(top + way.circle[0], left + way.circle[1]): Mark.CIRCLE})
    for cells in draw(
        st.lists(st.frozensets(st.sampled_from(sheet.cells), max_size=6), max_size=3)
    ):
        shapes.append(cells - taken if draw(st.booleans()) else cells)
    noise = draw(st.dictionaries(st.sampled_from(sheet.cells), st.sampled_from(Mark), max_size=8))
    return replace(state.with_marks(noise), shapes=tuple(shapes))


def judge(state, written: Written) -> None:
    verdict = referee(state, written)
    order = [list(Rule).index(violation.rule) for violation in verdict.violations]
    assert order == sorted(order)
    for violation in verdict.violations:
        assert 0 < violation.confidence <= 1
        for language in LANGUAGES:
            assert violation.text(language).endswith(".")


@settings(max_examples=100, deadline=None)
@given(misread_sheets(), st.builds(Written, FIGURE, FIGURE, FIGURE, FIGURE))
def test_the_referee_always_answers(state, written):
    judge(state, written)


@settings(max_examples=100, deadline=None)
@given(any_states(), st.builds(Written, FIGURE, FIGURE, FIGURE, FIGURE))
def test_the_referee_answers_for_sheets_of_any_size(state, written):
    judge(state, written)


@settings(max_examples=50, deadline=None)
@given(st.lists(misread_sheets() | misread_sheets(DICELESS), min_size=2, max_size=4))
def test_several_sheets_always_get_an_answer(states):
    assert len(judge_table(states).results) == len(states)
