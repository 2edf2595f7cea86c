"""What players have won, and who wins."""

import ast
import json
from importlib import resources
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brikks_vision.games.blox as readings
import brikks_vision.rules.blox as blox
import brikks_vision.rules.blox.material as errors
from brikks_vision.rules.blox import actions, material
from brikks_vision.rules.blox.material import JOKER, Color, PawnColor
from brikks_vision.rules.blox.turn import Won, parse_won, ranks
from brikks_vision.text.languages import LANGUAGES
from simulation.blox.notation import read_state
from simulation.blox.random_player import legal_actions
from tests.rules.blox.games import BOARD


def won(*players: str) -> tuple[Won, ...]:
    """Players as "1,1,3 grey,black"."""
    lists = [[words.split(",") if words else [] for words in each.split(" ")] for each in players]
    return parse_won([one for one, _ in lists], [other for _, other in lists])


def test_chips_count_their_value_and_blocks_nothing() -> None:
    assert [each.points for each in won("1,1,3 grey,black", "10,4 ", " white")] == [5, 14, 0]


@pytest.mark.parametrize(
    "players, places",
    [
        (["1 ", "4 ", "3 "], (3, 1, 2)),
        (["4 grey", "3,1 grey,black", "10 "], (3, 2, 1)),  # a tie goes to more blocks
        (["4 grey", "4 black", "1 "], (1, 1, 3)),  # of whichever colours; they win together
        ([" ", " "], (1, 1)),
        (["2 "], (1,)),
    ],
)
def test_most_points_win_then_most_blocks(players: list[str], places: tuple[int, ...]) -> None:
    assert ranks(won(*players)) == places


def test_blocks_may_be_left_out() -> None:
    assert parse_won([["1"], ["2", "2"]]) == (Won((1,)), Won((2, 2)))


@pytest.mark.parametrize(
    "players, error, says",
    [
        (["5 "], material.UnknownChipError, "'5' is no chip; there are 1, 2, 3, 4, 10"),
        (["one "], material.UnknownChipError, "'one'"),
        (["1 pink"], material.UnknownColorError, "'pink' is not a colour"),
        ([",".join(["1"] * 31) + " "] * 2, material.TooManyChipsError, "only 60 chips, not 62"),
        ([" " + ",".join(["grey"] * 6)] * 2, material.TooManyBlocksError, "only 10 blocks of each"),
        (["1 "] * 5, material.TooManyPlayersError, "At most 4 can play, not 5"),
    ],
)
def test_what_no_box_holds_is_refused(
    players: list[str], error: type[material.BloxError], says: str
) -> None:
    with pytest.raises(error) as refused:
        ranks(won(*players))
    assert says in refused.value.message
    assert len({refused.value.text(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_blocks_are_told_of_all_or_of_nobody() -> None:
    with pytest.raises(
        material.BlocksOfSomeError, match="Chips are told of 2 players, blocks of 1"
    ):
        parse_won([["1"], ["2"]], [["grey"]])


PLAYERS = st.lists(
    st.builds(
        Won,
        st.lists(st.sampled_from(material.CHIP_VALUES), max_size=15).map(tuple),
        st.lists(st.sampled_from(list(material.Color)), max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=4,
)


@given(PLAYERS)
def test_somebody_wins_and_nobody_below_has_more(players: list[Won]) -> None:
    places = ranks(players)
    worths = [(each.points, len(each.blocks)) for each in players]
    assert worths[places.index(1)] == max(worths)
    for place, worth in zip(places, worths, strict=True):
        for other, less in zip(places, worths, strict=True):
            assert (place < other) == (worth > less)


# --- how many positions can be reached ------------------------------------------------------------


OPENING = """\
.    w    .    .    g    .    .    .    .
.    .    .    .    .    .    .    p    .
.    .    wgp  .    bbw  .    gp   .    .
.    .    .    pw   .    wgpb .    b    .
.    .    bgw  .    w    .    .    .    g
.    .    .    ppgw .    p    .    .    .
.    .    gb   .    wb   .    ppw  .    .
b    .    .    w    .    .    .    .    g
.    .    p    .    .    b    .    .    .
turn blue
phase 1
player blue cards wwwww joker spent blocks - points 0
player red cards pppbb joker spent blocks - points 0
player green cards ggggg joker spent blocks - points 0
draw wwwwwwwwwwwwwwww
"""

MIDDLE = """\
.    .    .    .    g    .    .    .    .
.    .    .    Re   .    .    .    p    .
.    .    wgp  .    bbw  .    gp   .    .
.    .    .    pw   Bl   wgpb .    .    .
.    .    bgw  .    .    .    Gr   .    Bl
.    .    .    ppgw .    Re   .    .    .
Bl   .    gb   .    wb   .    ppw  .    .
.    .    Gr   .    .    .    .    .    g
.    .    .    wgp  .    Bl   .    .    Re
turn blue
phase 2
player blue cards wwwwp joker spent blocks wwwg points 4
player red cards ppppp joker spent blocks ppbb points 3
player green cards ggggg joker spent blocks wwwgggb points 7
draw wwwwwwwwwwwwwwww
"""

END = """\
.    .    .    .    .    .    .    .    .
.    .    .    Bl   pp   .    .    .    .
.    .    wgp  .    bbw  .    .    .    .
.    .    .    pw   Bl   wgpb .    Re   .
.    .    .    .    .    .    .    .    .
.    .    .    ppww .    Bl   .    .    .
Bl   .    gb   .    .    .    .    .    .
.    .    Br   .    Gr   .    .    .    .
Re   .    .    .    .    .    Re   .    .
turn blue
phase 4
player blue cards ppppp joker spent blocks wwwww points 24
player red cards wwwww joker spent blocks wwwwb points 23
draw wwwwwwwwwwwwwwww
"""

FIGURES = {OPENING: (18, 590, 9304), MIDDLE: (26, 547, 13178), END: (13, 361, 9264)}
"""Different positions after one, two and three actions, as rules written apart counted them."""


def next_states(state):
    return {state.play(action) for action in legal_actions(state, state.to_move.color)}


@pytest.mark.parametrize("drawing", FIGURES, ids=["opening", "middle", "end"])
def test_as_many_positions_are_reached_as_the_figures_say(drawing):
    reached = {read_state(drawing, BOARD)}
    counts = []
    for _ in FIGURES[drawing]:
        reached = {after for state in reached for after in next_states(state)}
        counts.append(len(reached))
    assert tuple(counts) == FIGURES[drawing]


# --- the words of BLOX in every language ----------------------------------------------------------


def phrases(language):
    file = resources.files("brikks_vision").joinpath("text", language, "blox.json")
    return json.loads(file.read_text("utf-8"))["phrases"]


def used_keys() -> set[str]:
    """The keys of all phrases in the package's source."""
    calls = [
        call
        for room in (blox, readings)
        for file in Path(room.__path__[0]).glob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and "phrase" in (getattr(call.func, "id", ""), getattr(call.func, "attr", ""))
    ]
    constants = {
        node.value
        for call in calls
        if call.args
        for node in ast.walk(call.args[0])
        if isinstance(node, ast.Constant)
    }
    named = {f"color-{color}" for color in [*Color, JOKER]} | {
        f"{word}-{pawn}" for pawn in PawnColor for word in ("pawn", "pawns")
    }
    done = {f"do-{action.name}" for action in get_args(actions.Action)}
    told = {each.key for each in vars(errors).values() if _is_error(each)}
    by_name = named | done | told | {"wrong-chip", "chip-too-much"}
    return constants - {"blox.", "color-", "pawn-", "pawns-", "do-"} | by_name


def _is_error(each) -> bool:
    bases = (errors.BloxError, errors.IllegalActionError)
    return isinstance(each, type) and issubclass(each, errors.BloxError) and each not in bases


def test_the_keys_are_those_of_the_rules():
    assert phrases("en").keys() == used_keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_phrase_is_one_sentence_or_part_of_one(language):
    for template in phrases(language).values():
        for text in [template] if isinstance(template, str) else template.values():
            assert text == text.strip() and "  " not in text
            assert not text.endswith(".")
    if language != "en":
        same = [key for key, text in phrases(language).items() if text == phrases("en")[key]]
        assert {*same} <= {"bracketed", "color-choice", "color-joker", "pawns-told", "phases-told"}


def test_errors_that_no_drawn_position_can_show():
    for error in (errors.BoardColorsError(), errors.EmptyTowerError()):
        assert len({error.text(language) for language in LANGUAGES}) == len(LANGUAGES)
