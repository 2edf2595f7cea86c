"""A broken rule is named where its evidence is clear, and nobody is accused on evidence that is
not."""

import random

import numpy as np
import pytest

from brikks_vision.detect.marks import Key, Marks
from brikks_vision.games.bloxx import places
from brikks_vision.rules.bloxx.referee import Rule
from brikks_vision.rules.bloxx.state import Mark, Written
from simulation.bloxx.play import play_game
from tests.games.bloxx import marked
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN, drawn
from tests.rules.bloxx.test_referee import LEGAL, PAIRS, WRITTEN_PAIRS
from tests.rules.bloxx.test_scoring import PUBLISHERS_EXAMPLE

OF_DICE = {"not-a-shape", "wrong-circle"}
"""Those that need the dice on the drawn sheets."""


@pytest.mark.parametrize("rule", PAIRS)
def test_what_is_clearly_broken_is_named_and_the_nearest_legal_sheet_is_not(rule: str) -> None:
    broken, legal = (marked.reading_of(marked.clear_marks(drawn(text))) for text in PAIRS[rule])
    assert marked.codes(broken) == [rule]
    assert broken.violations[0].confidence > 0.9
    assert broken.violations[0].message
    assert marked.codes(legal) == []
    assert {broken.status, legal.status} == {"ok"}


@pytest.mark.parametrize("rule", PAIRS)
def test_the_same_where_the_dice_are_not_known(rule: str) -> None:
    broken, legal = (
        marked.codes(
            marked.reading_of(
                marked.clear_marks(drawn(text, DICELESS)), layout=marked.DICELESS_LAYOUT
            )
        )
        for text in PAIRS[rule]
    )
    assert broken == ([] if rule in OF_DICE else [rule])
    assert legal == []


@pytest.mark.parametrize("rule", WRITTEN_PAIRS)
def test_a_figure_that_differs_is_named(rule: str) -> None:
    marks = marked.clear_marks(drawn(PUBLISHERS_EXAMPLE))
    wrong, right = (marked.reading_of(marks, written) for written in WRITTEN_PAIRS[rule])
    assert marked.codes(wrong) == [rule]
    assert marked.codes(right) == []
    assert wrong.score.total == right.score.total == 18


# What proves each fault, seen so badly that it may be otherwise.
WEAK: dict[str, list[tuple[Key, tuple[int, ...], float]]] = {
    "not-a-shape": [
        (places.CROSSES, (7, 3), 0.0),
        (places.VERTICALS, (7, 3), 0.0),
        (places.VERTICALS, (7, 4), 0.0),
        (places.HORIZONTALS, (7, 3), 0.0),
    ],
    "two-circles": [(places.RINGS, (7, 3), 1.0), (places.CROSSES, (7, 3), -1.0)],
    "wrong-circle": [(places.RINGS, (9, 1), 1.0), (places.CROSSES, (9, 1), -1.0)],
    "floating": [(places.FILLS, (7, 4), -1.0), (places.CROSSES, (7, 4), 1.0)],
    "first-shape": [(places.FILLS, (9, 0), 0.0), (places.CROSSES, (9, 0), 1.0)],
    "order": [
        *((places.CROSSES, (7, column), 0.0) for column in (2, 3)),
        *((places.RINGS, (7, column), 0.0) for column in (1,)),
        *((places.HORIZONTALS, (7, column), 0.0) for column in (1, 2, 3)),
        *((places.VERTICALS, (7, column), 0.0) for column in (1, 2, 3, 4)),
        *((places.FILLS, (row, 2), 0.0) for row in (8, 9)),
        (places.HORIZONTALS, (8, 2), 0.0),
    ],
    "open-gap": [(places.FILLS, (9, 5), -2.0)],
    "false-gap": [(places.FILLS, (9, 6), 2.0)],
    "stray-mark": [(places.CROSSES, (9, 6), 2.0)],
    "row-bonus": [(places.BONUS_RINGS, (6,), 2.0)],
}


@pytest.mark.parametrize("rule", PAIRS)
def test_nobody_is_accused_on_weak_evidence(rule: str) -> None:
    marks = marked.clear_marks(drawn(PAIRS[rule][0]))
    for key, place, logit in WEAK[rule]:
        array = marks[key].copy()
        array[place] = logit
        marks = marks.with_logits({key: array})
    assert rule not in marked.codes(marked.reading_of(marks))


def weak_example(rule: str) -> Marks:
    """The publisher's example with one mark weak that the figure of a rule depends on."""
    marks, state = marked.clear_marks(drawn(PUBLISHERS_EXAMPLE)), drawn(PUBLISHERS_EXAMPLE)
    if rule == "written-rows":
        return marked.with_bonus(marks, 0, ring=3.0)
    if rule == "written-numbers":
        two = next(n.cell for n in OWN.numbers if n.value == 2 and n.cell in state.circles)
        return marked.with_cell(marks, two, cross=-2.5, ring=2.5)
    empty = min(state.cells_with(Mark.EMPTY))
    return marked.with_cell(marks, empty, cross=-3.0)


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        ("written-rows", Written(rows=4)),
        ("written-numbers", Written(numbers=24)),
        ("written-penalty", Written(penalty=13)),
        ("written-total", Written(total=19)),
    ],
)
def test_a_figure_is_held_against_nobody_where_a_mark_is_weak(rule: str, written: Written) -> None:
    assert marked.codes(marked.reading_of(weak_example(rule), written)) == []
    assert marked.codes(
        marked.reading_of(marked.clear_marks(drawn(PUBLISHERS_EXAMPLE)), written)
    ) == [rule]


def test_one_weak_cell_explains_no_figure_that_is_seven_off() -> None:
    assert marked.codes(marked.reading_of(weak_example("written-penalty"), Written(penalty=7))) == [
        "written-penalty"
    ]


@pytest.mark.parametrize("layout", [marked.LAYOUT, marked.DICELESS_LAYOUT], ids=["dice", "no dice"])
@pytest.mark.parametrize("seed", range(6))
def test_blurred_legal_sheets_are_accused_of_nothing(layout, seed: int) -> None:
    rng = random.Random(seed)
    state = play_game(OWN, rng, [rng.uniform(0, 3)] * 2).players[0].sheet
    assert (
        marked.codes(
            marked.reading_of(
                marked.noisy(marked.clear_marks(state), seed, 6.0, 3.0), layout=layout
            )
        )
        == []
    )


@pytest.mark.parametrize("mean", [-0.5, 0.0, 0.5])
def test_lines_that_are_noise_accuse_nobody(mean: float) -> None:
    marks = marked.clear_marks(drawn(LEGAL))
    rng = np.random.default_rng(3)
    lines = {
        key: rng.normal(mean, 1.5, marks[key].shape)
        for key in (places.VERTICALS, places.HORIZONTALS)
    }
    assert marked.codes(marked.reading_of(marks.with_logits(lines))) == []


def test_gaps_that_are_all_faint_are_overlooked_together() -> None:
    text = """
        XXO.XXO AAA.BBB
        ###.##.
        ###.###
    """
    marks = marked.clear_marks(drawn(text))
    assert "open-gap" in marked.codes(marked.reading_of(marks))
    fills = np.where(marks[places.FILLS] > 0, 1.5, marks[places.FILLS])
    assert "open-gap" not in marked.codes(
        marked.reading_of(marks.with_logits({places.FILLS: fills}))
    )


def test_a_sheet_whose_place_is_unsure_accuses_nobody() -> None:
    reading = marked.reading_of(marked.clear_marks(drawn(PAIRS["open-gap"][0])), is_clear=False)
    assert (reading.status, reading.violations) == ("uncertain", ())


def test_a_bonus_is_named_by_its_place() -> None:
    (violation,) = marked.reading_of(marked.clear_marks(drawn(PAIRS["row-bonus"][0]))).violations
    assert (violation.part, violation.where) == ("bonus", (6,))


def test_a_cell_that_explains_a_fault_and_a_wrong_figure_is_asked_about() -> None:
    """The player counted 59: the stray cross is none. Asked and confirmed, it is a fault."""
    marks = marked.clear_marks(drawn(PAIRS["stray-mark"][0]))
    reading = marked.reading_of(marks, Written(penalty=59))
    assert (reading.status, marked.codes(reading)) == ("uncertain", [])
    assert reading.doubts[0].where == "cell 9,6"
    assert reading.total_range == (-57, -56)
    confirmed = marked.reading_of(marks, Written(penalty=59), answers={"cell 9,6": "X"})
    assert "stray-mark" in marked.codes(confirmed)
    assert confirmed.status == "ok"
    counted = marked.reading_of(marks, Written(penalty=58))
    assert (counted.status, marked.codes(counted)) == ("ok", ["stray-mark"])


def test_other_states_are_whole_sheets_and_no_more_probable_than_the_best() -> None:
    marks = marked.noisy(marked.clear_marks(drawn(LEGAL)), 1, 3.0, 2.0)
    _, posterior = marked.posterior_of(marks)
    for part in posterior.other_states():
        assert sum(p for p, _ in part) <= 1
        for _, other in part:
            assert other != posterior.state
            assert other.drawn | other.gaps | other.cells_with(Mark.EMPTY) == set(OWN.cells)


def test_marks_that_are_all_unsure_accuse_nobody() -> None:
    marks = marked.clear_marks(drawn(PAIRS["two-circles"][0]))
    blurred = Marks({key: 0.05 * array for key, array in marks.logits.items()})
    assert marked.codes(marked.reading_of(blurred)) == []


def test_every_rule_of_one_sheet_has_its_test() -> None:
    several = {Rule.BONUS_SHARED, Rule.SHAPES_DIFFER}
    assert {*PAIRS, *WRITTEN_PAIRS} == {str(rule) for rule in Rule if rule not in several}
    assert marked.CLEAR > 5 and {*WEAK} == {*PAIRS}


def test_a_line_that_lacks_is_no_fault() -> None:
    marks = marked.with_edge(
        marked.clear_marks(drawn(LEGAL)), places.VERTICALS, (9, 3), -marked.CLEAR
    )
    assert marked.codes(marked.reading_of(marks)) == []


def test_a_cross_that_is_paler_than_its_like_accuses_nobody() -> None:
    marks = marked.clear_marks(drawn(PAIRS["stray-mark"][0]))
    sharp = Marks({key: 3 * array for key, array in marks.logits.items()})
    assert marked.codes(marked.reading_of(sharp)) == ["stray-mark"]
    reading = marked.reading_of(marked.with_cell(sharp, (9, 6), cross=1.5 * marked.CLEAR))
    assert (reading.status, marked.codes(reading)) == ("uncertain", [])
    assert reading.doubts[0].where == "cell 9,6"
