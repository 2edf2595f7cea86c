"""Each rule: a drawn sheet that breaks it, and the nearest legal sheet that does not."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.bloxx.order import Resting
from brikks_vision.rules.bloxx.referee import Rule, referee
from brikks_vision.rules.bloxx.state import Written
from brikks_vision.text.languages import LANGUAGES
from simulation.bloxx.play import play_game
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN, drawn
from tests.rules.bloxx.test_scoring import PUBLISHERS_EXAMPLE


def verdict(text: str, written: Written | None = None, sheet=OWN):
    return referee(drawn(text, sheet), written)


def broken(text: str, written: Written | None = None, sheet=OWN) -> list[str]:
    return [str(violation.rule) for violation in verdict(text, written, sheet).violations]


LEGAL = """
    ...XXO. ...CCC.
    O..XX#. A..BB..
    XXXXO#. AAABB..
"""
"""An L, a square beside it, and on the square a line that leaves a gap."""

PAIRS = {
    "not-a-shape": (LEGAL.replace("...XXO. ...CCC.", "....XO. ....CC."), LEGAL),
    "two-circles": (LEGAL.replace("...XXO.", "...OXO."), LEGAL),
    "wrong-circle": (
        LEGAL.replace("O..XX#.", "X..XX#.").replace("XXXXO", "XOXXO"),
        LEGAL,
    ),
    "floating": (
        """
        ...XXO. ...CCC.
        ...###. .......
        O..XX#. A..BB..
        XXXXO#. AAABB..
        """,
        LEGAL,
    ),
    "first-shape": (
        """
        ...XXO. ...CCC.
        O..XX#. A..BB..
        XXXXO#. AAABB..
        ######. .......
        """,
        LEGAL,
    ),
    "order": (
        """
        .OXX... .CCC...
        XX#XX.. AA.BB..
        XO#XO.. AA.BB..
        """,
        """
        .OXX... .CCC...
        XXXX... AABB...
        XOXO... AABB...
        """,
    ),
    "open-gap": (LEGAL.replace("XXXXO#.", "XXXXO.."), LEGAL),
    "false-gap": (LEGAL.replace("XXXXO#.", "XXXXO##"), LEGAL),
    "stray-mark": (LEGAL.replace("XXXXO#.", "XXXXO#X"), LEGAL),
    "row-bonus": (LEGAL + "bonus .. .. .. o.", LEGAL + "bonus .. .. .. x."),
}

WRITTEN_PAIRS = {
    "written-rows": (Written(rows=4), Written(rows=6)),
    "written-numbers": (Written(numbers=24), Written(numbers=26)),
    "written-penalty": (Written(penalty=7), Written(penalty=14)),
    "written-total": (Written(total=46), Written(total=18)),
}

SEVERAL_SHEETS = {"bonus-shared", "shapes-differ"}


def test_every_rule_has_its_pair():
    assert PAIRS.keys() | WRITTEN_PAIRS.keys() | SEVERAL_SHEETS == set(Rule)


@pytest.mark.parametrize("rule", PAIRS)
def test_a_broken_rule_is_the_only_one_told(rule):
    wrong, right = PAIRS[rule]
    assert broken(wrong) == [rule]
    assert broken(right) == []


@pytest.mark.parametrize("rule", WRITTEN_PAIRS)
def test_a_wrong_figure_is_the_only_one_told(rule):
    wrong, right = WRITTEN_PAIRS[rule]
    assert broken(PUBLISHERS_EXAMPLE, wrong) == [rule]
    assert broken(PUBLISHERS_EXAMPLE, right) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", sorted(PAIRS.keys() | WRITTEN_PAIRS.keys()))
def test_every_violation_is_told_in_every_language(rule, language):
    if rule in PAIRS:
        violations = verdict(PAIRS[rule][0]).violations
    else:
        violations = verdict(PUBLISHERS_EXAMPLE, WRITTEN_PAIRS[rule][0]).violations
    (violation,) = violations
    text = violation.text(language)
    assert not text[0].islower() and text.endswith(".")
    assert not set("{}[]") & set(text) and "None" not in text
    assert violation.confidence == 1.0


def test_violations_in_words():
    (violation,) = verdict(PAIRS["floating"][0]).violations
    assert violation.message == (
        "The shape in columns 4-6, row 4 from the bottom touches no other shape; only the first "
        "shape may lie alone on the bottom edge."
    )
    assert violation.text("de") == (
        "Die Form (Spalten 4-6, Reihe 4 von unten) berührt keine andere Form; nur die erste Form "
        "darf allein am unteren Rand liegen."
    )
    (violation,) = verdict(PAIRS["open-gap"][0]).violations
    assert violation.text("fr") == (
        "La case (colonne 6, ligne 1 en partant du bas) est vide sous une case dessinée, mais "
        "n'est pas coloriée."
    )
    (violation,) = verdict(PUBLISHERS_EXAMPLE, Written(penalty=7)).violations
    assert violation.text("es") == (
        "Los huecos y las casillas vacías cuestan 14 puntos, pero para ellos está escrito 7."
    )


def test_violations_say_where():
    def where(rule):
        (violation,) = verdict(PAIRS[rule][0]).violations
        return violation.where

    assert where("not-a-shape") == ((7, 4), (7, 5))
    assert where("two-circles") == ((7, 3), (7, 5))
    assert where("wrong-circle") == ((9, 1),)
    assert where("floating") == ((6, 3), (6, 4), (6, 5))
    assert where("first-shape") == tuple((8, column) for column in range(5))
    assert where("open-gap") == ((9, 5),)
    assert where("false-gap") == where("stray-mark") == ((9, 6),)
    assert where("row-bonus") == (8,)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(Resting),
    st.floats(0, 6),
    st.integers(2, 4),
    st.integers(0, 20),
)
def test_games_are_never_accused(seed, resting, care, players, rolls):
    game = play_game(OWN, random.Random(seed), (care,) * players, resting, rolls)
    for side in game.players:
        points = referee(side.sheet).score
        written = Written(points.rows, points.numbers, -points.penalty, points.total)
        assert referee(side.sheet, written).is_legal


def test_a_blank_sheet_is_legal():
    assert broken("") == []


def test_a_shape_without_a_circle_is_legal():
    assert broken(LEGAL.replace("O", "X")) == []


def test_rules_of_the_dice_are_silent_where_they_are_not_known():
    for rule in ("not-a-shape", "wrong-circle"):
        assert broken(PAIRS[rule][0], sheet=DICELESS) == []
    for rule in PAIRS.keys() - {"not-a-shape", "wrong-circle"}:
        assert broken(PAIRS[rule][0], sheet=DICELESS) == [rule]


def test_what_is_no_shape_on_any_dice():
    single = LEGAL.replace("...XXO. ...CCC.", "....X.. ....C..").replace("#", ".")
    apart = LEGAL.replace("CCC", "CDC")
    for sheet in (OWN, DICELESS):
        assert broken(single, sheet=sheet) == ["not-a-shape"]
        assert broken(apart, sheet=sheet) == ["not-a-shape"] * 2


def test_outlines_that_share_cells():
    state = drawn(LEGAL)
    first = state.shapes[0]
    shared = type(state)(state.sheet, state.grid, (*state.shapes, first), state.bonuses)
    rules = {violation.rule for violation in referee(shared).violations}
    assert rules == {Rule.NOT_A_SHAPE}


def test_a_forgotten_line_is_no_certain_fault():
    (violation,) = verdict(LEGAL.replace("CCC", "BBB")).violations
    assert (violation.rule, violation.confidence) == (Rule.NOT_A_SHAPE, 0.5)
    (violation,) = verdict(LEGAL.replace("CCC", "...")).violations
    assert (violation.rule, violation.confidence) == (Rule.STRAY_MARK, 0.5)


def test_without_known_dice_a_large_group_may_be_several_shapes():
    merged = """
        XXX.... AAA....
        OXX.... BBA....
        #XXX... .BAA...
    """
    assert broken(merged, sheet=DICELESS) == []
    assert broken(merged) == ["not-a-shape"]
    (violation,) = verdict(merged.replace("XXX....", "OXO...."), sheet=DICELESS).violations
    assert (violation.rule, violation.confidence) == (Rule.TWO_CIRCLES, 0.5)


def test_without_outlines_only_the_gaps_are_judged():
    def bare(text: str) -> str:
        return "\n".join(line.split()[0] for line in text.split("\n") if line.split())

    for rule in ("two-circles", "wrong-circle", "floating", "first-shape", "order"):
        assert broken(bare(PAIRS[rule][0])) == []
    for rule in ("open-gap", "false-gap"):
        assert broken(bare(PAIRS[rule][0])) == [rule]


def test_the_floor_alone_holds_only_the_first_shape():
    apart = """
        X....XX A....BB
        XX...XO AA...BB
    """
    (violation,) = verdict(apart).violations
    assert (violation.rule, len(violation.where)) == (Rule.FLOATING, 3)
    assert (
        broken("""
        X.XX... A.BB...
        XXXO... AABB...
    """)
        == []
    )


def test_shapes_that_touch_only_each_other_have_no_order():
    (violation,) = verdict("""
        ....XX. ....CC.
        ....XO. ....CC.
        ....XXX ....DDD
        X...### A......
        XX..### AA.....
    """).violations
    assert violation.rule is Rule.ORDER
    assert "touch only each other" in violation.message


def test_shapes_that_bar_each_others_way_have_no_order():
    (violation,) = verdict(
        """
        XX..... AA.....
        XXX.... ABB....
        XX#.... AA.....
        """,
        sheet=DICELESS,
    ).violations
    assert violation.rule is Rule.ORDER
    assert "cannot have been entered in any order" in violation.message


def test_a_shape_beside_marks_of_no_shape_is_not_accused_of_resting_on_nothing():
    rules = broken("""
        ...XXO. ...CCC.
        ...XX#. .......
        O..XX#. A..BB..
        XXXXO#. AAABB..
    """)
    assert rules == ["stray-mark"]


def test_both_bonuses_of_a_row():
    (violation,) = verdict(PUBLISHERS_EXAMPLE.replace("bonus o.", "bonus oo")).violations
    assert (violation.rule, violation.where) == (Rule.ROW_BONUS, (1,))
    assert violation.message.startswith("The bonuses 4 and 2 are circled together for row 9")


def test_an_open_bonus_may_be_written_either_way():
    both_open = PUBLISHERS_EXAMPLE.replace("o. x. x. xo", ".. x. x. x.")
    for rows in (4, 6, 8):
        assert broken(both_open, Written(rows=rows, total=rows + 12)) == []
        assert broken(both_open, Written(total=rows + 12)) == []
    assert broken(both_open, Written(rows=5)) == ["written-rows"]
    assert broken(both_open, Written(rows=4, total=18)) == ["written-total"]
    assert "4, 6 or 8 points" in verdict(both_open, Written(rows=5)).violations[0].message


def test_a_penalty_may_be_written_with_its_minus():
    assert broken(PUBLISHERS_EXAMPLE, Written(penalty=-14)) == []
    (violation,) = verdict(PUBLISHERS_EXAMPLE, Written(penalty=-13)).violations
    assert "cost 14 points, but 13 is written" in violation.message
