"""What may be done on a photographed position with the cards that a player names."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brikks_vision.rules.blox.material as errors
from brikks_vision.rules.blox.actions import Build, Capture, Clear, Enter, Move, Swap, action_dict
from brikks_vision.rules.blox.material import Color, parse_blocks, parse_cards, parse_pawn
from brikks_vision.rules.blox.position import Position, Tower
from brikks_vision.rules.blox.possible import possible_actions
from brikks_vision.text.languages import LANGUAGES
from simulation.blox.notation import read_board, read_position
from simulation.blox.random_player import legal_actions
from tests.rules.blox.games import BOARD, COLORS, misread_positions, states

STRIPES = read_board("w g p b w g p b w\n" * 9)

POSITION = read_position(
    """\
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    Bl   .    w?   .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    Bl   .    .    wg   .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    Bl   .    Re   .    .    .    .
.    .    .    .    .    .    .    .    pb
""",
    STRIPES,
)


def of_kind(kind, *given_cards, **more):
    found = possible_actions(POSITION, "blue", given_cards, **more)
    return [possible for possible in found if isinstance(possible.action, kind)]


def clearing(target, found):
    return [
        each for each in found if isinstance(each.action, Clear) and each.action.target == target
    ]


def test_entries_with_their_ways():
    found = {each.action: each.way for each in of_kind(Enter, "white", "black")}
    assert found[Enter((4, 0), ("white",))] == ((4, 0),)
    assert found[Enter((4, 3), ("black",))] == ((4, 0), (4, 1), (4, 2), (4, 3))
    # From the top it is one step to the first grey field, from the left two.
    (grey,) = [e for e in of_kind(Enter, "grey") if e.action.target == (0, 1)]
    assert grey.way == ((0, 1),)
    # Of row 2 the black field bears a tower, and the white one comes first from its edge.
    assert Enter((2, 3), ("black",)) not in found
    assert Enter((0, 4), ("white",)) in found and Enter((4, 4), ("white",)) not in found


def test_moves_with_their_ways():
    found = {each.action: each.way for each in of_kind(Move, "black", "joker")}
    assert found[Move((5, 1), (5, 3), ("black",))] == ((5, 2), (5, 3))
    assert found[Move((5, 1), (5, 3), ("joker",))] == ((5, 2), (5, 3))
    assert found[Move((2, 1), (1, 1), ("joker",))] == ((1, 1),)
    assert not [action for action in found if action.start == (2, 1) and action.target[1] > 2]


def test_a_known_tower_needs_nothing():
    (clear,) = clearing((5, 4), possible_actions(POSITION, "blue", ["white", "grey", "black"]))
    assert clear.action == Clear((5, 1), (5, 4), ("white", "grey"))
    assert clear.way == ((5, 2), (5, 3), (5, 4))
    assert clear.needs == () and clear.told is None
    assert clear.phases == (2,)


def test_a_hidden_block_needs_a_colour_that_the_cards_pay_and_the_way_allows():
    # The way to the tower goes over purple alone, so that a purple card is of no use.
    clears = of_kind(Clear, "white", "black", "purple", "grey")
    clears = clearing((2, 3), clears)
    told = {each.action.cards: each.needs for each in clears}
    assert told == {
        ("white", "grey"): ((Color.GREY,),),
        ("white", "black"): ((Color.BLACK,),),
    }
    one = clears[0]
    assert one.told.text("en") == "only if the hidden block has this colour: grey"
    assert one.told.text("de") == "nur wenn der verdeckte Block diese Farbe hat: Grau"


def test_the_joker_pays_for_a_hidden_block_whatever_colour_the_way_allows():
    (clear,) = clearing((2, 3), of_kind(Clear, "white", "joker"))
    assert clear.action.cards == ("white", "joker")
    assert clear.needs == ((Color.WHITE,), (Color.GREY,), (Color.BLACK,))
    assert clear.told.text("en").endswith("this colour: white, grey or black")


def test_beside_the_tower_the_joker_needs_nothing():
    beside = POSITION.with_things({(2, 1): None, (2, 2): COLORS[0]})
    found = possible_actions(beside, "blue", ["white", "joker"])
    (clear,) = [each for each in found if each.action == Clear((2, 2), (2, 3), ("white", "joker"))]
    assert clear.needs == ()


def test_a_hidden_block_is_of_no_colour_that_is_used_up():
    """Ten white blocks in sight leave none for a hidden one."""
    full = POSITION.with_things({(8, 0): Tower((Color.WHITE,) * 4)})
    found = possible_actions(full, "blue", ["white", "white", "joker"], ["white"] * 4)
    (clear,) = clearing((2, 3), found)
    assert clear.action.cards == ("white", "joker")
    assert clear.needs == ((Color.GREY,), (Color.BLACK,))


def test_two_hidden_blocks_are_told_as_choices():
    hidden = POSITION.with_things({(2, 3): Tower((None, None), 2)})
    found = possible_actions(hidden, "blue", ["white", "grey", "black"])
    told = {each.action.cards: each.told.text("en") for each in clearing((2, 3), found)}
    assert told[("white", "grey")] == (
        "only if the 2 hidden blocks have these colours: (white and grey)"
    )
    assert len(told) == 3


def test_who_has_seven_blocks_clears_nothing():
    assert of_kind(Clear, "white", "grey", blocks=["black"] * 6)
    assert not of_kind(Clear, "white", "grey", blocks=["black"] * 7)


def test_the_phase_says_what_is_built_and_cleared():
    blocks = ["white", "grey", "black", "black"]
    cards = ["white", "grey", "black", "joker"]
    assert {len(each.action.blocks) for each in of_kind(Build, *cards, blocks=blocks)} == {3}
    built = of_kind(Build, *cards, blocks=blocks, phase=3)
    assert {len(each.action.blocks) for each in built} == {4}
    assert {each.action.cards for each in built} == {("white", "grey", "black", "joker")}
    assert {each.action.field for each in built} == {(2, 1), (5, 1), (7, 2)}
    assert not of_kind(Clear, *cards, phase=1)


def test_captures_by_how_many_cards_are_played():
    found = {each.action.cards for each in of_kind(Capture, "white", "white", "white", "joker")}
    assert found == {
        ("white",) * 3,
        ("white", "white", "joker"),
        ("white",) * 3 + ("joker",),
    }
    assert not of_kind(Capture, "black", "black", "black")


def test_swaps_are_any_cards_of_the_hand_but_the_joker():
    assert {each.action.cards for each in of_kind(Swap, "white", "white", "black", "joker")} == {
        ("white",),
        ("black",),
        ("white", "white"),
        ("white", "black"),
        ("white", "white", "black"),
    }


def test_towers_of_no_phase_leave_every_phase_possible():
    five = POSITION.with_things({(0, 0): Tower((Color.WHITE,) * 5)})
    found = possible_actions(five, "blue", ["white", "grey"])
    (clear,) = clearing((5, 4), found)
    assert clear.phases == (2, 3, 4)


def test_no_pawn_enters_when_all_are_on_the_board():
    full = POSITION.with_things({(0, 0): COLORS[0]})
    found = possible_actions(full, "blue", ["white", "joker"])
    assert found and not [each for each in found if isinstance(each.action, Enter)]


def test_as_in_the_reading():
    (clear,) = clearing((5, 4), of_kind(Clear, "white", "grey"))
    assert action_dict(clear.action, COLORS[0]) == {
        "action": "clear",
        "pawn": "blue",
        "from": [5, 1],
        "to": [5, 4],
        "cards": ["white", "grey"],
    }
    assert action_dict(Swap(("joker",)), COLORS[0])["pawn"] is None
    build = Build((7, 2), ("white", "grey"), ("white", "joker"))
    assert action_dict(build, COLORS[0])["from"] == action_dict(build, COLORS[0])["to"] == [7, 2]
    assert action_dict(build, COLORS[0])["blocks"] == ["white", "grey"]


@pytest.mark.parametrize(
    ("error", "given_values"),
    [
        (errors.TooManyCardsError, {"cards": ["white"] * 6}),
        (errors.TooManyCardsError, {"cards": [*["white"] * 6, "joker"]}),
        (errors.TooManyJokersError, {"cards": ["joker", "joker"]}),
        (errors.UnknownCardError, {"cards": ["pink"]}),
        (errors.UnknownColorError, {"blocks": ["joker"]}),
        (errors.TooManyBlocksError, {"blocks": ["white"] * 11}),
        (errors.UnknownPawnError, {"player": "white"}),
        (errors.ImpossiblePhaseError, {"phase": 0}),
        (errors.ImpossiblePhaseError, {"phase": 5}),
    ],
)
def test_what_no_player_can_have_is_refused(error, given_values):
    with pytest.raises(error) as raised:
        possible_actions(**{"position": POSITION, "player": "blue", "cards": []} | given_values)
    assert len({raised.value.text(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_words_in_any_case():
    assert parse_cards([" White", "JOKER"]) == ("white", "joker")
    assert parse_blocks(["Black"]) == ("black",)
    assert parse_pawn("Blue ") == "blue"


@given(states())
def test_where_all_is_known_it_is_what_the_rules_allow(state):
    mover = state.to_move
    possible = possible_actions(state.position, mover.color, mover.cards, mover.blocks, state.phase)
    assert all(each.needs == () for each in possible)
    if not state.is_over:
        legal = legal_actions(state, mover.color)
        assert tuple(each.action for each in possible) == legal
        assert len(set(legal)) == len(legal)
        for action in legal:
            state.play(action)
        others = [player for player in state.players if player != mover]
        assert not any(legal_actions(state, player.color) for player in others)


@settings(max_examples=40, deadline=None)
@given(states(), st.integers(0, 10**6))
def test_of_a_half_hidden_position_no_legal_action_is_missing_and_its_needs_are_right(state, seed):
    """Whatever is hidden, a legal action is told, and needs what the hidden blocks are."""
    if state.is_over:
        return
    position, mover = with_hidden_blocks(state.position, random.Random(seed)), state.to_move
    told = {
        each.action: each.needs
        for each in possible_actions(position, mover.color, mover.cards, mover.blocks, state.phase)
    }
    legal = set(legal_actions(state, mover.color))
    assert legal <= told.keys()
    for action, needs in told.items():
        if not isinstance(action, Clear):
            assert action in legal and needs == ()
            continue
        pairs = zip(
            state.position.towers[action.target].blocks,
            position.towers[action.target].blocks,
            strict=True,
        )
        hidden = tuple(sorted(block for block, seen in pairs if seen is None))
        fits = needs == () or hidden in [tuple(sorted(choice)) for choice in needs]
        assert fits == (action in legal)


def with_hidden_blocks(position, rng: random.Random):
    return position.with_things(
        {
            field: replace(tower, blocks=tuple(rng.choice([block, None]) for block in tower.blocks))
            for field, tower in position.towers.items()
        }
    )


@given(
    misread_positions(),
    st.sampled_from(COLORS),
    st.lists(st.sampled_from(Color), max_size=5),
    st.lists(st.sampled_from(Color), max_size=8),
    st.sampled_from([None, 1, 2, 3, 4]),
)
def test_any_position_gets_an_answer(position, player, cards, blocks, phase):
    for each in possible_actions(position, player, [*cards, "joker"], blocks, phase):
        assert each.phases
        assert each.told is None or each.told.sentence("fr")


def test_the_board_itself_is_no_position_to_act_on_but_to_enter():
    kinds = {each.action.name for each in possible_actions(Position(BOARD), "red", ["black"])}
    assert kinds == {"enter", "swap"}
