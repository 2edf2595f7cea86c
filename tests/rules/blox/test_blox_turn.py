"""A turn from two positions: which action it was, the cards it needed, legal or not."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.blox import actions
from brikks_vision.rules.blox.actions import gain_of
from brikks_vision.rules.blox.material import (
    CARDS_OF_A_COLOR,
    HAND,
    Color,
    ImpossiblePhaseError,
    PawnColor,
)
from brikks_vision.rules.blox.position import Position, Tower, load_board
from brikks_vision.rules.blox.possible import looked_ahead, possible_actions, scoring_actions
from brikks_vision.rules.blox.referee import Rule
from brikks_vision.rules.blox.turn import judge_turn
from brikks_vision.text.languages import LANGUAGES
from simulation.blox.notation import read_board, read_position
from simulation.blox.random_player import legal_actions, random_action
from simulation.blox.setup import start
from tests.rules.blox.games import misread_positions, states

STRIPES = read_board("w g p b w g p b w\n" * 9)

BEFORE = """\
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    Bl   .    w?   .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    Bl   .    .    wg   .    .    .    ??
.    .    .    wgp  .    .    .    .    .
.    .    Bl   .    Re   .    .    .    ww
.    .    .    .    .    .    .    Bl   pb
"""

BLUE = PawnColor.BLUE


def position(drawing=BEFORE):
    return read_position(drawing, STRIPES)


def changed(things, before=None):
    """The verdict on what leads to these things on these fields."""
    before = before or position()
    return judge_turn(before, before.with_things(things))


def test_a_pawn_entered():
    verdict = changed({(4, 0): PawnColor.RED})
    assert verdict.to_dict() == {
        "action": "enter",
        "pawn": "red",
        "from": None,
        "to": [4, 0],
        "cards": ["white"],
        "violations": [],
    }
    assert verdict.is_legal


def test_a_pawn_moved():
    verdict = changed({(5, 1): None, (5, 3): BLUE})
    assert (verdict.action, verdict.start, verdict.target) == ("move", (5, 1), (5, 3))
    assert verdict.cards == (Color.BLACK,)
    assert verdict.is_legal


def test_a_tower_was_cleared():
    verdict = changed({(5, 1): None, (5, 4): BLUE})
    assert (verdict.action, verdict.pawn) == ("clear", "blue")
    assert verdict.cards == (Color.WHITE, Color.GREY)
    assert verdict.is_legal


def test_a_card_for_a_block_that_did_not_show_is_not_told():
    verdict = changed({(2, 1): None, (2, 3): BLUE})
    assert verdict.to_dict()["cards"] == ["white", None]
    assert verdict.is_legal


def test_a_tower_was_built():
    verdict = changed({(7, 2): Tower((Color.WHITE, None, Color.BLACK), 3)})
    assert verdict.to_dict()["from"] == verdict.to_dict()["to"] == [7, 2]
    assert (verdict.action, verdict.pawn) == ("build", "blue")
    assert verdict.cards == (Color.WHITE, None, Color.BLACK)
    assert verdict.is_legal


def test_a_pawn_was_captured_with_three_cards_at_least():
    verdict = changed({(7, 2): None, (7, 4): BLUE})
    assert (verdict.action, verdict.cards) == ("capture", (Color.WHITE,) * 3)
    assert verdict.is_legal


def test_nothing_changed_so_cards_were_swapped():
    assert judge_turn(position(), position()).to_dict() == {
        "action": "swap",
        "pawn": None,
        "from": None,
        "to": None,
        "cards": [],
        "violations": [],
    }


def test_a_tower_that_shows_other_blocks_than_before_is_the_same():
    after = position(BEFORE.replace("w? ", "?g "))
    assert judge_turn(position(), after).action == "swap"


ILLEGAL = {
    "enter behind the first": ({(4, 4): PawnColor.RED}, "enter", "No straight way leads from"),
    "enter with a fifth pawn": ({(4, 0): BLUE}, "enter", "already four blue pawns"),
    "move across": ({(5, 1): None, (4, 2): BLUE}, "move", "along a row or a column"),
    "move over a tower": ({(5, 1): None, (5, 5): BLUE}, "move", "nothing is jumped over"),
    "move too far": ({(5, 1): None, (3, 1): BLUE}, "move", "stops on the first field"),
    "clear over its colour": ({(2, 1): None, (2, 3): BLUE}, "clear", "colour that lies on the way"),
    "clear too high": ({(6, 2): None, (6, 3): BLUE}, "clear", "no tower higher than 2"),
    "clear over all colours": ({(5, 3): None, (5, 8): BLUE}, "clear", "All four colours"),
    "build too low": ({(7, 2): Tower((Color.WHITE,))}, "build", "exactly 3 high, not 1"),
    "build so that a tower is closed in": ({(8, 7): Tower((None,) * 3)}, "build",
                                           "(row 9 from the top, column 9) could no longer"),
    "capture over its colour": ({(2, 1): None, (4, 1): BLUE}, "capture", "lies on the way to it"),
    "two fields that are no one's way": ({(4, 0): BLUE, (4, 8): BLUE}, None, "No single action"),
    "a move and a pawn gone": ({(5, 1): None, (5, 3): BLUE, (2, 1): None}, None, "No single"),
    "a pawn gone": ({(5, 1): None}, None, "The blue pawn is gone"),
    "a tower gone": ({(5, 4): None}, None, "The tower is gone"),
    "a tower of other blocks": ({(5, 4): Tower((Color.WHITE,) * 2)}, None, "not the same as"),
    "a tower grown": ({(5, 4): Tower((Color.WHITE, None, None))}, None, "not the same as"),
    "a tower from nowhere": ({(0, 0): Tower((Color.WHITE,))}, None, "where no pawn stood"),
    "entered on a tower": ({(5, 4): PawnColor.RED}, None, "entering clears no tower"),
    "entered on a pawn": ({(7, 4): PawnColor.GREEN}, None, "entering captures no pawn"),
    "captured by two": ({(7, 4): PawnColor.GREEN, (7, 2): None}, None, "No single action"),
    "another board": ({(0, c): BLUE for c in range(9)}, None, "9 fields have changed"),
}  # fmt: skip

BEFORES = {
    "clear over its colour": BEFORE.replace("w?  ", "p?  "),
    "clear too high": BEFORE.replace(".    .    .    wgp  .", ".    .    Bl   wgp  .").replace(
        ".    Bl   .    .    wg", ".    .    .    .    wg"
    ),
    "clear over all colours": BEFORE.replace(
        ".    Bl   .    .    wg   .    .    .    ??", ".    .    .    Bl   .    .    .    .    ??"
    ),
    "capture over its colour": BEFORE.replace(
        ".    .    .    .    .    .    .    .    .\n.    Bl   .    .    wg",
        ".    Re   .    .    .    .    .    .    .\n.    Bl   .    .    wg",
    ),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_what_is_no_legal_turn_says_why(name):
    things, action, words = ILLEGAL[name]
    verdict = changed(things, position(BEFORES.get(name, BEFORE)))
    assert verdict.action == action
    (violation,) = verdict.violations
    assert violation.rule == Rule.ILLEGAL_MOVE == "illegal-move"
    assert words in violation.message
    assert set(violation.where) <= {*things, (8, 8)}
    assert len({violation.text(language) for language in LANGUAGES}) == len(LANGUAGES)
    assert not verdict.is_legal
    assert verdict.to_dict()["violations"][0]["message"] == violation.message


def test_the_phase_can_be_said():
    before, things = position(), {(7, 2): Tower((Color.WHITE,) * 4, 4)}
    assert not judge_turn(before, before.with_things(things)).is_legal
    assert judge_turn(before, before.with_things(things), phase=3).is_legal
    with pytest.raises(ImpossiblePhaseError):
        judge_turn(before, before, phase=7)


def test_towers_of_no_phase_allow_the_turns_of_all():
    five = position().with_things({(0, 0): Tower((Color.WHITE,) * 5)})
    for height in (2, 3, 4, 5):
        assert changed({(7, 2): Tower((None,) * height)}, five).is_legal
    assert not changed({(7, 2): Tower((None,) * 6)}, five).is_legal


def test_an_empty_board_and_an_empty_board_are_a_swap():
    assert judge_turn(Position(STRIPES), Position(STRIPES)).is_legal


def hide(position, rng):
    """The position with some blocks that do not show, and some chips that are not seen."""
    return position.with_things(
        {
            field: replace(
                tower,
                blocks=tuple(rng.choice([block, None]) for block in tower.blocks),
                chip=rng.choice([tower.chip, None]),
            )
            for field, tower in position.towers.items()
        }
    )


def cards_that_show(action, before, after):
    """The cards that the two positions prove to have been played."""
    match action:
        case actions.Enter(target=target) | actions.Move(target=target):
            return (before.board.color(target),)
        case actions.Capture(target=target):
            return (before.board.color(target),) * 3
        case actions.Clear(target=target):
            return before.towers[target].blocks
        case actions.Build(field=field):
            return after.towers[field].blocks
    return ()


@settings(max_examples=50, deadline=None)
@given(states(), st.integers(0, 10**6))
def test_every_legal_action_is_told_and_accepted_however_much_is_hidden(state, seed):
    rng = random.Random(seed)
    for action in legal_actions(state, state.to_move.color):
        before, after = hide(state.position, rng), hide(state.play(action).position, rng)
        verdict = judge_turn(before, after)
        assert verdict.is_legal
        assert verdict.action == action.name
        assert verdict.pawn == (None if isinstance(action, actions.Swap) else state.to_move.color)
        assert (verdict.start, verdict.target) == (
            actions.start_of(action),
            actions.target_of(action),
        )
        assert verdict.cards == cards_that_show(action, before, after)


@settings(max_examples=40, deadline=None)
@given(states(), st.integers(0, 10**6))
def test_a_pawn_put_anywhere_is_legal_just_if_the_rules_allow_it(state, seed):
    """Every field that a pawn could be put on, against all legal actions with any cards."""
    if state.is_over:
        return
    mover = state.to_move
    legal = set()
    for color in Color:
        cards = (color,) * 5
        rich = replace(mover, hand=cards, has_joker=False, blocks=())
        others = [rich if player == mover else player for player in state.players]
        found = legal_actions(replace(state, players=tuple(others)), mover.color)
        legal |= {
            (actions.start_of(a), actions.target_of(a))
            for a in found
            if isinstance(a, actions.Enter | actions.Move)
        }
    pawns = state.position.pawns_of(mover.color)
    start = random.Random(seed).choice([None, *pawns])
    for row in range(9):
        for column in range(9):
            if state.position.at((row, column)) is None:
                things = {(row, column): mover.color} | ({start: None} if start else {})
                after = state.position.with_things(things)
                verdict = judge_turn(state.position, after)
                assert verdict.action == ("move" if start else "enter")
                assert verdict.is_legal == ((start, (row, column)) in legal)


@settings(max_examples=40, deadline=None)
@given(states())
def test_a_pawn_put_in_place_of_anything_is_legal_just_if_the_rules_allow_it(state):
    """Every tower and pawn that a pawn could take the place of, against all that brings points."""
    position, pawn = state.position, state.to_move.color
    found = scoring_actions(position, pawn, (), (state.phase,))
    legal = {(actions.start_of(each.action), actions.target_of(each.action)) for each in found}
    for begun in position.pawns_of(pawn):
        for target in (*position.towers, *position.pawns):
            if position.at(target) != pawn:
                verdict = judge_turn(position, position.with_things({begun: None, target: pawn}))
                assert verdict.is_legal == ((begun, target) in legal)


@settings(max_examples=60, deadline=None)
@given(misread_positions(), misread_positions())
def test_two_positions_always_get_an_answer(one, other):
    for verdict in (judge_turn(one, other), judge_turn(one, one)):
        for violation in verdict.violations:
            assert violation.message.endswith(".")


# --- what an action brings, at once and with the next turn ----------------------------------------


def played(seed, turns):
    rng = random.Random(seed)
    state = start(load_board(), ["blue", "green"], seed=seed)
    for _ in range(turns):
        state = state.play(random_action(state, rng))
    return state


def prospects(state):
    mover = state.to_move
    told = (mover.color, mover.cards, mover.blocks)
    found = possible_actions(state.position, *told, state.phase)
    return found, looked_ahead(state.position, found, *told)


@pytest.mark.parametrize("seed", range(6))
def test_all_actions_are_told_the_best_first(seed):
    found, ranked = prospects(played(seed, 12 + 9 * seed))
    assert Counter(each.action for each in found) == Counter(
        each.possible.action for each in ranked
    )
    assert [each.worth for each in ranked] == sorted((each.worth for each in ranked), reverse=True)
    assert all(each.points == gain_of(each.possible.action)[0] for each in ranked)


@pytest.mark.parametrize("seed", range(4))
def test_the_next_turn_is_what_drawing_by_chance_brings(seed):
    """Against the engine: the same player once more, with cards drawn from all that they lack."""
    state = played(seed, 20 + 7 * seed)
    _, ranked = prospects(state)
    mover = state.to_move
    pile = list((Counter(dict.fromkeys(Color, CARDS_OF_A_COLOR)) - Counter(mover.hand)).elements())
    rng = random.Random(seed)
    for each in rng.sample(ranked, min(3, len(ranked))):
        most = []
        for _ in range(150):
            rng.shuffle(pile)
            after = again(state, each.possible.action, tuple(pile))
            gains = (gain_of(action)[0] for action in legal_actions(after, mover.color))
            most.append(max(gains, default=0))
        mean = sum(most) / len(most)
        error = (sum((one - mean) ** 2 for one in most) / len(most) / len(most)) ** 0.5
        assert abs(mean - each.later) <= 4 * error + 1e-9


def again(state, action, pile):
    """The state after an action, drawn from that pile, in which the same player moves again."""
    from dataclasses import replace

    after = replace(state, draw_pile=pile).play(action)
    assert len(after.players[state.turn].hand) == HAND
    return replace(after, turn=state.turn)
