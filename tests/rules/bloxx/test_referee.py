"""Each rule: a drawn sheet that breaks it, and the nearest legal sheet that does not."""

import ast
import json
import random
import string
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.games import bloxx as games
from brikks_vision.games.bloxx import SETTINGS
from brikks_vision.games.bloxx.places import MARKS
from brikks_vision.rules import bloxx as rules
from brikks_vision.rules.bloxx.order import Resting
from brikks_vision.rules.bloxx.referee import Rule, referee
from brikks_vision.rules.bloxx.sheet import phrase, place_words, turned
from brikks_vision.rules.bloxx.state import Mark, Written, blank_sheet
from brikks_vision.rules.bloxx.table import judge_table
from brikks_vision.text.languages import LANGUAGES
from simulation.bloxx.play import play_game
from tests.rules.bloxx.bloxx_sheets import DICELESS, OWN, any_states, drawn
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


# --- whatever marks a photo is misread as, the rules answer and raise nothing ---------------------


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


@given(misread_sheets(), st.builds(Written, FIGURE, FIGURE, FIGURE, FIGURE))
def test_the_referee_always_answers(state, written):
    judge(state, written)


@given(any_states(), st.builds(Written, FIGURE, FIGURE, FIGURE, FIGURE))
def test_the_referee_answers_for_sheets_of_any_size(state, written):
    judge(state, written)


@settings(max_examples=50, deadline=None)
@given(st.lists(misread_sheets() | misread_sheets(DICELESS), min_size=2, max_size=4))
def test_several_sheets_always_get_an_answer(states):
    assert len(judge_table(states).results) == len(states)


# --- the words of these rules, in every language --------------------------------------------------


PRINTED = "printed-"
"""Keys of the words on the printable sheet, which `games` draws and its own tests look at."""

ANSWERS = {"answers-allowed", "contract-answers"}
"""What common code tells of the answers that a game understands."""


def own_phrases(language: str) -> dict:
    file = resources.files("brikks_vision").joinpath("text", language, "bloxx.json")
    return json.loads(file.read_text("utf-8"))["phrases"]


def placeholders(template) -> set[str]:
    """What a phrase names; its number may be left to the word itself ("a", "the")."""
    texts = [template] if isinstance(template, str) else template.values()
    names = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
    return names - {"count"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_by_count_cover_every_count(language):
    for template in own_phrases(language).values():
        if not isinstance(template, str):
            assert {"1", "other"} <= template.keys() <= {"0", "1", "other"}
            assert len({frozenset(placeholders(text)) for text in template.values()}) == 1


def test_every_key_in_the_code_has_a_phrase_and_every_phrase_a_use():
    nodes = [
        node
        for package in (rules, games)
        for file in Path(package.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
    ]
    constants = {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    spans = {"column", "columns", "row", "rows"}
    told = {key for key in own_phrases("en") if not key.startswith(PRINTED)}
    asked = {f"{field}-place" for field in MARKS} | {f"ask-{field}" for field in MARKS}
    settings = {f"setting-{each.name}" for each in SETTINGS}
    named = {f"{each}-named" for each in constants}  # by the names of players: `web.routes.games`
    assert told - spans - asked - settings - ANSWERS <= constants | named
    calls = {
        call.args[0].value
        for call in nodes
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") == "phrase"
        and isinstance(call.args[0], ast.Constant)
    }
    assert calls | asked | settings | ANSWERS <= own_phrases("en").keys()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "columns 1-3, row 1 from the bottom"),
        ("de", "Spalten 1-3, Reihe 1 von unten"),
        ("fr", "colonnes 1-3, ligne 1 en partant du bas"),
        ("es", "columnas 1-3, fila 1 desde abajo"),
    ],
)
def test_places_in_words(language, words):
    assert place_words([(9, 0), (9, 2)], OWN).text(language) == words


def test_zero_is_singular_in_french():
    assert phrase("points", count=0, values=0).text("fr") == "0 point"
    assert phrase("points", count=0, values=0).text("es") == "0 puntos"
