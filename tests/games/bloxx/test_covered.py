"""What something hides is not empty: it is told, widens the range and accuses nobody."""

import random
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.detect.figures import Figure, without_covered
from brikks_vision.detect.marks import Covered
from brikks_vision.games.bloxx.game import DEFINITION
from brikks_vision.games.bloxx.places import sheet_of
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.infer.evidence import Evidence
from brikks_vision.reading import Reading, Status
from brikks_vision.rules.bloxx.state import SheetState, score
from simulation.bloxx.games import play_sheet
from tests.covered_sheets import any_cover, covered_places, seen_with_noise
from tests.games.bloxx.marked import LAYOUT, clear_marks, codes
from tests.rules.bloxx.bloxx_sheets import drawn
from tests.rules.bloxx.test_referee import PAIRS

cover = partial(covered_places, LAYOUT)


def reading_of(
    state: SheetState, covered: Covered, answers: dict[str, str] | None = None
) -> BloxxReading:
    return DEFINITION.read(
        "a.jpg", Evidence(clear_marks(state).with_covered(covered), {}), LAYOUT, answers or {}
    )[0]


def played(seed: int) -> SheetState:
    return play_sheet(sheet_of(LAYOUT), random.Random(seed)).state


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_whatever_is_covered_the_total_is_in_the_range_and_nobody_is_accused(seed: int) -> None:
    noise, state = np.random.default_rng(seed), played(seed)
    points, covered = score(state), any_cover(LAYOUT, noise)
    written = {
        "rows": points.rows,
        "numbers": points.numbers,
        "penalty": -points.penalty,
        "total": points.total,
    }
    figures = {name: (Figure(value, 0.99),) for name, value in written.items()}
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


@pytest.mark.parametrize("seed", range(4))
def test_a_covered_cell_may_be_drawn_or_not(seed: int) -> None:
    state = played(seed)
    cell = max(state.drawn)
    where = f"cell {cell[0]},{cell[1]}"
    reading = reading_of(state, cover(cell=[cell]))
    assert reading.covered == (where,)
    assert reading.status is Status.UNCERTAIN
    assert where not in {doubt.where for doubt in reading.doubts}
    low, high = reading.total_range
    assert low < score(state).total <= high
    answered = reading_of(state, cover(cell=[cell]), {where: str(state.mark(cell))})
    assert answered.covered == ()
    assert answered.score.total == score(state).total


def test_a_covered_bonus_of_a_row_that_is_not_complete_changes_nothing() -> None:
    state = played(3)
    incomplete = next(
        at
        for at, row in enumerate(state.sheet.colored_rows)
        if row.row not in state.complete_rows()
    )
    place = sum(len(row.bonuses) for row in state.sheet.colored_rows[:incomplete])
    plain, reading = reading_of(state, {}), reading_of(state, cover(bonus=[place]))
    assert reading.covered == (f"bonus {place}",)
    assert reading.score == plain.score
    assert reading.status is plain.status
    assert f"bonus {place}" not in {doubt.where for doubt in reading.doubts}


def beside_each_other(one: SheetState, other: SheetState) -> Covered:
    """The places in which two sheets differ."""
    marks, others = clear_marks(one), clear_marks(other)
    covered: dict[str, np.ndarray] = {}
    for (field, mark), logits in marks.logits.items():
        differs = np.sign(logits) != np.sign(others[field, mark])
        covered[field] = covered.get(field, np.zeros(differs.shape, bool)) | differs
    return covered


@pytest.mark.parametrize("rule", PAIRS)
def test_no_rule_is_broken_that_covered_places_can_mend(rule: str) -> None:
    broken, legal = (drawn(text) for text in PAIRS[rule])
    assert codes(reading_of(broken, {})) == [rule]
    assert codes(reading_of(broken, beside_each_other(broken, legal))) == []


@pytest.mark.parametrize("rule", ["not-a-shape", "two-circles", "open-gap", "row-bonus"])
def test_what_is_covered_elsewhere_excuses_nothing(rule: str) -> None:
    broken = drawn(PAIRS[rule][0])
    assert codes(reading_of(broken, cover(cell=[(0, 6)]))) == [rule]
