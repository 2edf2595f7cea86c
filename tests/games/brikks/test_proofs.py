"""Nobody is accused on evidence that could be read otherwise."""

import random
from dataclasses import replace

import numpy as np
import pytest

from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.detect.marks import Key, Marks
from brikks_vision.games.brikks.decode import Posterior
from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.games.brikks.proofs import FAULTS, bars_confidence
from brikks_vision.games.brikks.reading import BOMBS, BOXES, CELLS, HORIZONTALS, RINGS, VERTICALS
from brikks_vision.infer.costs import JUDGED_PER_STEP
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.misread import proven
from brikks_vision.rules.brikks.blocks import Energy, SheetState, as_photographed
from brikks_vision.rules.brikks.placement import Rule
from brikks_vision.rules.brikks.referee import Verdict, referee
from brikks_vision.rules.brikks.scoring import score
from simulation.brikks.faults import one_fault
from simulation.brikks.games import play_sheet
from simulation.brikks.notation import read_sheet
from tests.drawn_sheets import (
    CLEAR,
    LAYOUT,
    NO_FIGURES,
    SHEET,
    UNWRITTEN,
    clear_marks,
    drawn_posterior,
    drawn_reading,
    with_lines,
)

FAINT = 0.5  # log-odds
SHARP = 12.0  # log-odds of a bar in a good photo
LIKELY = 1.8  # log-odds: six in seven are right, and yet a bar's are wrong together


def faulty(rule: Rule, seed: int) -> SheetState:
    return as_photographed(one_fault(rule)(SHEET, random.Random(seed)).state)


def accused_of(marks: Marks) -> set[str]:
    reading, _ = DEFINITION.read("photo", Evidence(marks, NO_FIGURES), LAYOUT)
    return {str(violation.rule) for violation in reading.violations}


@pytest.mark.parametrize("rule", [Rule.BONUS_COUNT, Rule.ENERGY_COUNT, Rule.ENERGY_ORDER])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_clearly_wrong_is_named(rule: Rule, seed: int) -> None:
    assert accused_of(clear_marks(faulty(rule, seed))) == {str(rule)}


@pytest.mark.parametrize("seed", range(4))
def test_three_crosses_too_many_are_too_many_without_the_faint_one(seed: int) -> None:
    state = faulty(Rule.BONUS_COUNT, seed)
    marks = clear_marks(state)
    boxes = marks[BOXES].copy()
    boxes[sum(state.bonus) - 1] = FAINT
    assert accused_of(marks.with_logits({BOXES: boxes})) == {"bonus-count"}


@pytest.mark.parametrize("seed", range(4))
def test_three_faint_crosses_accuse_nobody(seed: int) -> None:
    state = faulty(Rule.BONUS_COUNT, seed)
    marks = clear_marks(state)
    boxes = marks[BOXES].copy()
    boxes[sum(state.bonus) - 3 : sum(state.bonus)] = FAINT
    assert accused_of(marks.with_logits({BOXES: boxes})) == set()


@pytest.mark.parametrize("seed", [0, 3, 6, 18])
def test_a_blurred_bar_is_misread_as_a_whole(seed: int) -> None:
    """As independent marks, fifteen boxes that seem to be crossed were proof of as many."""
    marks = clear_marks(
        as_photographed(play_sheet(SHEET, random.Random(seed), players=2, level=2).state)
    )
    boxes = np.random.default_rng(seed).normal(LIKELY, 0.5, marks[BOXES].shape)
    assert accused_of(marks.with_logits({BOXES: boxes})) == set()


@pytest.mark.parametrize("seed", range(4))
def test_two_faint_rings_too_many_accuse_nobody(seed: int) -> None:
    state = faulty(Rule.ENERGY_COUNT, seed)
    last = max(at for at, mark in enumerate(state.energy) if mark is not Energy.OPEN)
    marks = clear_marks(state)
    rings = marks[RINGS].copy()
    rings[last - 1 : last + 1] = FAINT
    assert accused_of(marks.with_logits({RINGS: rings})) == set()


@pytest.mark.parametrize("seed", range(4))
def test_a_gap_before_faint_rings_accuses_nobody(seed: int) -> None:
    state = faulty(Rule.ENERGY_ORDER, seed)
    gap = state.energy.index(Energy.OPEN)
    marks = clear_marks(state)
    rings = marks[RINGS].copy()
    beyond = np.flatnonzero(rings[gap:] == CLEAR) + gap
    assert len(beyond)
    rings[beyond] = FAINT
    assert "energy-order" not in accused_of(marks.with_logits({RINGS: rings}))


@pytest.mark.parametrize(
    ("empty", "accused"), [(SHARP, {"bomb-order"}), (6.0, set()), (3.4, set())]
)
def test_a_broken_order_hangs_on_no_bomb_that_is_asked_about(
    empty: float, accused: set[str]
) -> None:
    marks = clear_marks(as_photographed(play_sheet(SHEET, random.Random(1), 2, 2).state))
    bombs = np.array([-empty, -empty, SHARP])
    reading, _ = DEFINITION.read(
        "photo", Evidence(marks.with_logits({BOMBS: bombs}), NO_FIGURES), LAYOUT
    )
    assert {str(violation.rule) for violation in reading.violations} == accused
    assert bool(accused) is not any("bomb" in doubt.where for doubt in reading.doubts)


@pytest.mark.parametrize("seed", range(4))
def test_one_doubtful_point_elsewhere_hides_no_gap(seed: int) -> None:
    marks = clear_marks(faulty(Rule.ENERGY_ORDER, seed))
    rings = marks[RINGS].copy()
    rings[-1] = -FAINT
    assert "energy-order" in accused_of(marks.with_logits({RINGS: rings}))


@pytest.mark.parametrize("seed", range(4))
def test_a_gap_among_doubtful_points_accuses_nobody(seed: int) -> None:
    marks = clear_marks(faulty(Rule.ENERGY_ORDER, seed))
    rings = marks[RINGS].copy()
    rings[-3:] = -FAINT
    assert "energy-order" not in accused_of(marks.with_logits({RINGS: rings}))


def test_clear_crosses_in_no_block_hide_no_fault_elsewhere() -> None:
    """Seven crosses in a row bear no outline, and a square rests on nothing: both are named."""
    sheet = """
    ....CC....
    ....CC....
    ..........
    xxxxxxx...
    ..........
    AA........
    AABBBB....
    energy xxoo
    """
    found = accused_of(clear_marks(read_sheet(sheet, SHEET)))
    assert {"stray-mark", "floating"} <= found


@pytest.mark.parametrize("seed", range(12))
def test_blocks_that_are_hardly_seen_accuse_nobody(seed: int) -> None:
    """No line is clear, and a cross is missed: every way to draw the blocks breaks some rule."""
    state = as_photographed(play_sheet(SHEET, random.Random(seed), players=2, level=2).state)
    marks = with_lines(state, seed, 0.5, 1.0)  # as surely as such log-odds say
    cells = marks[CELLS].copy()
    cells[max(state.crossed)] = -4.0
    assert accused_of(marks.with_logits({CELLS: cells})) == set()


LOOSE_ON_BLOCKS = """
    xxxxxxx...
    xxxxxxx...
    AACCDDEEFF
    AACCDDEEFF
    energy xxoo
"""


def test_crosses_without_outlines_are_one_state_in_all_tilings() -> None:
    assert "stray-mark" in accused_of(clear_marks(read_sheet(LOOSE_ON_BLOCKS, SHEET)))


@pytest.mark.parametrize("seed", [17, 35, 50])
def test_crosses_without_outlines_contradict_no_evidence_by_their_tiling(seed: int) -> None:
    noise = np.random.default_rng(seed)
    spread = noise.uniform(0, 3)
    fields = {
        name: field + noise.normal(0, spread, field.shape)
        for name, field in clear_marks(read_sheet(LOOSE_ON_BLOCKS, SHEET)).logits.items()
    }
    for edges in (VERTICALS, HORIZONTALS):
        fields[edges] = noise.uniform(0.2, 1) * fields[edges]
    assert "stray-mark" in accused_of(Marks(fields))


@pytest.mark.parametrize("line", [-3.0, -2.0])
def test_no_block_or_a_block_beside_a_cross_is_told_once_whichever_it_is(line: float) -> None:
    sheet = """
    AAAAA.CCDD
    EEEE..CCDD
    energy xxoo
    """
    marks = clear_marks(read_sheet(sheet, SHEET))
    upright, level, row = marks[VERTICALS].copy(), marks[HORIZONTALS].copy(), 9
    upright[row, 1], level[row, 0] = line, -4.0  # of the first of five cells in a line
    accused = accused_of(marks.with_logits({VERTICALS: upright, HORIZONTALS: level}))
    assert len(accused & {"not-a-block", "stray-mark"}) == 1


def row_figures(state: SheetState, slips: dict[int, int]) -> Figures:
    """The rows' points as the player wrote them, with slips by row."""
    points = score(state).rows
    figures = (slips.get(row, value) for row, value in enumerate(points))
    return {"rows": tuple(Figure(value, 1.0) for value in figures), "total": (UNWRITTEN,)}


STRAY = "AAAABBBB.x"


def test_a_cross_outside_of_every_block_that_the_player_did_not_count_is_asked_about() -> None:
    """It is rather misread than a stray cross and a slip in the same row."""
    state, counted = read_sheet(STRAY, SHEET), read_sheet(STRAY.replace("x", "."), SHEET)
    row = SHEET.rows - 1
    figures = row_figures(counted, {})
    assert score(counted).rows[row] != score(state).rows[row]
    reading, _ = DEFINITION.read("photo", Evidence(clear_marks(state), figures), LAYOUT)
    assert reading.status == "uncertain"
    assert reading.doubts[0].where == f"cell {row},9"
    assert reading.total_range is not None
    least, most = reading.total_range
    assert least <= score(counted).total <= most
    assert not reading.violations


def test_a_cross_that_was_asked_about_and_confirmed_is_a_fault() -> None:
    state = read_sheet("AAAABBBBxx", SHEET)
    row = SHEET.rows - 1
    evidence = Evidence(clear_marks(state), row_figures(read_sheet("AAAABBBB.x", SHEET), {}))
    answers = {f"cell {row},8": "X", f"cell {row},9": "X"}
    reading, _ = DEFINITION.read("photo", evidence, LAYOUT, answers=answers)
    assert reading.status == "ok"
    assert {"stray-mark", "written-row"} == {str(each.rule) for each in reading.violations}


def test_a_cross_outside_of_every_block_that_the_player_counted_is_a_fault() -> None:
    state = read_sheet(STRAY, SHEET)
    reading, _ = DEFINITION.read(
        "photo", Evidence(clear_marks(state), row_figures(state, {})), LAYOUT
    )
    assert reading.status == "ok"
    assert "stray-mark" in {str(violation.rule) for violation in reading.violations}


def total_written(state: SheetState, total: int) -> Figures:
    return {**row_figures(state, {}), "total": (Figure(total, 0.8, ((total + 6, 0.1),)),)}


BARS_WITH_A_CROSS_TOO_MANY = """
    AAAABBBB..
    extra x
"""


def test_an_extra_cross_too_many_that_the_written_total_leaves_out_is_asked_about() -> None:
    """It is rather misread than a cross too many and a total without it."""
    state = read_sheet(BARS_WITH_A_CROSS_TOO_MANY, SHEET)
    without = replace(state, bonus=(False,) * len(state.bonus))
    figures = total_written(state, score(without).total)
    reading, _ = DEFINITION.read("photo", Evidence(clear_marks(state), figures), LAYOUT)
    assert reading.status == "uncertain"
    assert reading.doubts[0].where == "box 0"
    assert reading.total_range == (score(without).total, score(state).total)
    assert "bonus-count" not in {str(violation.rule) for violation in reading.violations}


def test_an_extra_cross_too_many_that_was_confirmed_is_a_fault() -> None:
    state = read_sheet(BARS_WITH_A_CROSS_TOO_MANY, SHEET)
    without = replace(state, bonus=(False,) * len(state.bonus))
    evidence = Evidence(clear_marks(state), total_written(state, score(without).total))
    reading, _ = DEFINITION.read("photo", evidence, LAYOUT, answers={"box 0": "X"})
    assert "box 0" not in {doubt.where for doubt in reading.doubts}
    assert "bonus-count" in {str(violation.rule) for violation in reading.violations}


def test_an_extra_cross_too_many_that_the_player_counted_is_a_fault() -> None:
    state = read_sheet(BARS_WITH_A_CROSS_TOO_MANY, SHEET)
    evidence = Evidence(clear_marks(state), total_written(state, score(state).total))
    reading, _ = DEFINITION.read("photo", evidence, LAYOUT)
    assert reading.status == "ok"
    assert "bonus-count" in {str(violation.rule) for violation in reading.violations}


def test_a_slip_of_the_players_where_no_rule_is_broken_is_a_slip() -> None:
    state = read_sheet("A.........\nA...D.....\nA...DDCC..\nABBBBDCC..", SHEET)
    row = SHEET.rows - 1
    reading, _ = DEFINITION.read(
        "photo", Evidence(clear_marks(state), row_figures(state, {row: 2})), LAYOUT
    )
    assert reading.status == "ok"
    assert "written-row" in {str(violation.rule) for violation in reading.violations}


@pytest.mark.parametrize(("figure", "told"), [(10, False), (0, False), (5, True), (1, True)])
def test_a_nought_beside_a_row_of_ten_points_may_have_its_one_beside_the_field(
    figure: int, told: bool
) -> None:
    state = read_sheet("AAAABBBBCC" + "\nDDDD......" * 5, SHEET)
    row = SHEET.rows - 6
    assert score(state).rows[row] == 10
    reading, _ = DEFINITION.read(
        "photo", Evidence(clear_marks(state), row_figures(state, {row: figure})), LAYOUT
    )
    assert ("written-row" in {str(violation.rule) for violation in reading.violations}) is told


def told_slips(figures: tuple[Figure, ...]) -> list[tuple[object, ...]]:
    """Where slips are told on four rows of nine crosses beside which ``figures`` stand."""
    state = read_sheet("AAAABBBBC.\nDDDDEEEEC.\nFFFFGGGGC.\nHHHHIIIIC.\nenergy oo", SHEET)
    written = row_figures(state, {})
    rows = (*written["rows"][: -len(figures)], *figures)
    evidence = Evidence(clear_marks(state), {**written, "rows": rows})
    reading, _ = DEFINITION.read("photo", evidence, LAYOUT)
    return [each.where for each in reading.violations if str(each.rule) == "written-row"]


def test_what_stands_beside_each_row_of_nine_is_how_this_hand_writes_a_two() -> None:
    two, seven = Figure(2, 1.0), Figure(7, 1.0)
    rather_two, rather_seven = Figure(2, 0.9, ((7, 0.1),)), Figure(7, 0.9, ((2, 0.1),))
    bottom = SHEET.rows - 1
    assert told_slips((two, two, two, seven)) == [(bottom,)]
    assert told_slips((two, two, seven, seven)) == []
    assert told_slips((two, two, rather_seven, seven)) == []
    assert told_slips((two, two, rather_two, seven)) == [(bottom,)]


LACKING = "AACC......\nAACCBBB..."
COUNTED = "AACC......\nAACCBBBB.."


def test_a_block_that_lacks_a_cross_which_the_player_counted_is_asked_about() -> None:
    state, counted = read_sheet(LACKING, SHEET), read_sheet(COUNTED, SHEET)
    row = SHEET.rows - 1
    figures = row_figures(counted, {})
    assert score(counted).rows[row] != score(state).rows[row]
    reading, _ = DEFINITION.read("photo", Evidence(clear_marks(state), figures), LAYOUT)
    assert reading.status == "uncertain"
    assert f"cell {row},7" in {doubt.where for doubt in reading.doubts}
    assert not reading.violations


def test_what_is_far_from_a_cell_that_is_asked_about_is_a_fault() -> None:
    state = read_sheet("..EE......\n" + "." * 10 + "\n" + LACKING, SHEET)
    counted = read_sheet(COUNTED, SHEET)
    reading, _ = DEFINITION.read(
        "photo", Evidence(clear_marks(state), row_figures(counted, {})), LAYOUT
    )
    found = [each for each in reading.violations if str(each.rule) == "not-a-block"]
    assert [set(each.where) for each in found] == [{(7, 2), (7, 3)}]


@pytest.mark.parametrize(
    ("boxes", "accused"),
    [("xx...........x", False), ("xx.x", True), ("xx..xx", True), ("xx........xx", True)],
)
def test_a_single_cross_far_behind_the_others_is_rather_a_stain(boxes: str, accused: bool) -> None:
    state = read_sheet(f"A.........\nA.........\nAA........\nextra {boxes}", SHEET)
    marks = clear_marks(state).with_logits({BOXES: np.where(state.bonus, SHARP, -SHARP)})
    assert ("bonus-order" in accused_of(marks)) is accused


def test_blocks_that_are_hardly_seen_hide_no_cross_too_many_that_any_blocks_leave_so() -> None:
    """No row is full and no pink X circled: however the lines run, no cross was earned."""
    bars = "energy oo\nextra xxx\n"
    one_way = "AABBBB....\nAA........\n" + bars
    another = "ABBBBB....\nAA........\n" + bars
    reading = drawn_reading("photo", drawn_posterior(one_way, (another, 0.4)))
    assert "bonus-count" in {violation.rule for violation in reading.violations}


def test_lines_that_are_hardly_seen_accuse_nobody_of_what_other_lines_would_allow() -> None:
    """Two full rows: finished one by one they give nothing, finished together a cross."""
    bars = "energy oo\nextra x\n"
    one_by_one = "AAABBBBCCC\nDDDDEEEFFF\n" + bars
    also = "AAABBBCCCC\nDDDDEEEFFF\n" + bars
    reading = drawn_reading("photo", drawn_posterior(one_by_one, (also, 0.4)))
    assert "bonus-count" not in {violation.rule for violation in reading.violations}


def test_crosses_that_are_hardly_seen_hold_a_count_back() -> None:
    """A lamp hides a cell of each of two rows: were both crossed, the rows would be full."""
    bars = "\nenergy oo\nextra x\n"
    rows = "xxxxxxxxx.\nxxxxxxxxx."
    one, another = "xxxxxxxxxx\nxxxxxxxxx.", "xxxxxxxxx.\nxxxxxxxxxx"
    posterior = drawn_posterior(rows + bars, (one + bars, 0.25), (another + bars, 0.25))
    reading = drawn_reading("photo", posterior)
    assert "bonus-count" not in {violation.rule for violation in reading.violations}


def rows_of(length: int) -> str:
    """Some blocks, and above them a row with so many crosses."""
    return f"{'x' * length}{'.' * (10 - length)}\n" + "AABB......\nAABB......\n"


def test_a_fault_in_all_of_many_states_is_told_and_one_that_falls_early_is_judged_no_further() -> (
    None
):
    judged: list[SheetState] = []

    def judge(state: SheetState) -> Verdict:
        judged.append(state)
        return referee(state)

    def rules_told(posterior: Posterior) -> set[str]:
        violations = judge(posterior.state).violations
        parts, clear = posterior.parts, lambda each: bars_confidence(each, posterior, judge)
        found = proven(violations, posterior, judge, FAULTS, parts, clear)
        return {violation.rule for violation, _ in found}

    many = [(rows_of(length), 0.05 + length / 10_000) for length in range(1, 10)]
    assert len(many) > JUDGED_PER_STEP

    stands = drawn_posterior(rows_of(0) + "bombs .x", *((rows + "bombs .x", p) for rows, p in many))
    assert "bomb-order" in rules_told(stands)
    assert len(set(judged)) > JUDGED_PER_STEP + 1

    judged.clear()
    falls = drawn_posterior(
        rows_of(0) + "bombs .x",
        (rows_of(0) + "bombs xx", 0.3),
        *((rows + "bombs .x", p) for rows, p in many),
    )
    assert "bomb-order" not in rules_told(falls)
    assert len(set(judged)) <= JUDGED_PER_STEP + 1


def test_the_range_of_a_doubtful_reading_reaches_to_what_the_player_counted() -> None:
    """A lamp hides three crosses of a full row, and only one of them is doubtful."""
    posterior = drawn_posterior("xxxxxxx...\nenergy oo", ("xxxxxxxx..\nenergy oo", 0.3))
    full = score(read_sheet("xxxxxxxxxx\nenergy oo", SHEET))
    rows = tuple(Figure(points or None, 1.0) for points in full.rows)
    evidence = Evidence(clear_marks(posterior.state), {**NO_FIGURES, "rows": rows})
    reading = DEFINITION.told("photo", posterior, evidence, LAYOUT)
    assert reading.status == "uncertain"
    assert reading.total_range == (score(posterior.state).total, full.total)


@pytest.mark.parametrize("rule", [Rule.BONUS_COUNT, Rule.ENERGY_COUNT, Rule.FLOATING])
def test_a_fault_leaves_something_to_judge_whether_it_is_told_or_not(rule: Rule) -> None:
    evidence = Evidence(clear_marks(faulty(rule, 1)), NO_FIGURES)
    _, posterior = DEFINITION.read("photo", evidence, LAYOUT)
    assert DEFINITION.needs_full_pass(posterior, evidence)


def test_a_legal_sheet_leaves_nothing_to_judge() -> None:
    state = as_photographed(play_sheet(SHEET, random.Random(3), players=2, level=2).state)
    evidence = Evidence(clear_marks(state), NO_FIGURES)
    _, posterior = DEFINITION.read("photo", evidence, LAYOUT)
    assert not DEFINITION.needs_full_pass(posterior, evidence)


def test_a_line_that_was_not_drawn_leaves_nothing_to_judge() -> None:
    """The rules alone leave open whether one was forgotten, however clear the photo is."""
    state = read_sheet("BB.CCCC...\nBBAAAAAAAA", SHEET)  # two blocks within one line
    evidence = Evidence(clear_marks(state), NO_FIGURES)
    reading, posterior = DEFINITION.read("photo", evidence, LAYOUT)
    assert referee(posterior.state).violations
    assert not reading.violations
    assert not DEFINITION.needs_full_pass(posterior, evidence)


# --- a place that does not look like its kind ----------------------------------------------------


def pale(marks: Marks, key: Key, place: tuple[int, ...], share: float) -> Marks:
    """The marks, one of them as clear as so much of the others, and all of them clear."""
    logits = 3 * marks[key]
    logits[place] *= share
    return marks.with_logits({key: logits})


@pytest.mark.parametrize(("share", "accused"), [(0.5, False), (0.9, True)])
def test_a_block_that_lacks_what_is_no_plain_empty_cell_is_asked_about(
    share: float, accused: bool
) -> None:
    """Under a chip a cell looks empty, and surely so; not as the empty cells of this photo do."""
    state = read_sheet(LACKING, SHEET)
    missing = (SHEET.rows - 1, 7)
    marks = pale(clear_marks(state), CELLS, missing, share)
    reading, _ = DEFINITION.read("photo", Evidence(marks, NO_FIGURES), LAYOUT)
    assert ("not-a-block" in {str(each.rule) for each in reading.violations}) is accused
    assert (reading.status == "ok") is accused
    assert [doubt.where for doubt in reading.doubts[:1]] == ([] if accused else ["cell 10,7"])


def test_one_missing_cross_that_breaks_a_block_and_lets_another_float_is_asked_about() -> None:
    """However plain it is: a chip can look like an empty cell."""
    column = ".....C....\n" * 3
    state = read_sheet(f"{column}AA...C....\nAABBB.....", SHEET)
    reading, _ = DEFINITION.read("photo", Evidence(clear_marks(state), NO_FIGURES), LAYOUT)
    assert reading.doubts[0].where == "cell 10,5"
    assert (reading.status, reading.violations) == ("uncertain", ())
    confirmed, _ = DEFINITION.read(
        "photo", Evidence(clear_marks(state), NO_FIGURES), LAYOUT, {"cell 10,5": "."}
    )
    assert {"not-a-block", "floating"} == {str(each.rule) for each in confirmed.violations}


def test_a_figure_beside_a_row_with_a_doubtful_mark_is_a_doubt_about_the_row() -> None:
    state = read_sheet("x" * 9 + ".", SHEET)
    marks = clear_marks(state)
    marks[CELLS][10, 9] = -2.0
    figures = row_figures(state, {10: 1})
    reading, _ = DEFINITION.read("photo", Evidence(marks, figures), LAYOUT)
    assert reading.status == "uncertain"
    assert not reading.violations
    assert reading.doubts[0].where == "cell 10,9"
    assert reading.total_range[0] <= score(state).total - 1


def test_a_figure_that_is_told_and_differs_is_held_or_asked_and_never_neither() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        state = as_photographed(play_sheet(SHEET, random.Random(int(rng.integers(99))), 2, 2).state)
        marks = clear_marks(state)
        cells = marks[CELLS] * rng.uniform(0.05, 2, marks[CELLS].shape)
        slips = {10: int(rng.choice([0, 1, 2, 5]))}
        read_surely = float(rng.uniform(0.7, 1.0))
        rows = tuple(
            replace(figure, probability=read_surely) for figure in row_figures(state, slips)["rows"]
        )
        figures = {**NO_FIGURES, "rows": rows}
        reading, _ = DEFINITION.read(
            "photo", Evidence(marks.with_logits({CELLS: cells}), figures), LAYOUT
        )
        told = reading.written.rows
        differs = any(
            figure not in (None, points)
            for figure, points in zip(told, reading.score.rows, strict=True)
        )
        named = "written-row" in {str(each.rule) for each in reading.violations}
        assert not differs or named or reading.status == "uncertain"
