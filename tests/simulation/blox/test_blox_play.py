"""Turns on a drawn position: what may be done, and what a turn leaves."""

import pytest

import brikks_vision.rules.blox.material as errors
from brikks_vision.rules.blox.actions import Build, Capture, Clear, Enter, Move, Swap, action_words
from brikks_vision.text.languages import LANGUAGES
from simulation.blox.notation import print_position, read_board, read_state
from simulation.blox.random_player import legal_actions

BOARD = read_board("""\
w g p b w g p b w
w g p b w g p b w
w g p b w g p b w
w g p b w g p b w
w g p b w g p b w
w g p b w g p b w
w g p b w g p b w
b b p b w g p b w
g p p b w g p b w
""")

POSITION = """\
.    .    .    .    .    .    .    .    .
.    Bl   .    .    wg   .    Re   .    .
.    .    .    .    .    .    .    .    .
.    Bl   .    bp   .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    Re   .    .    Bl   .    .    .    w?
wgp  .    .    .    ggg  .    .    .    .
wgp  wgp  .    .    .    .    .    .    .
Bl   wgp  .    .    .    .    .    Re   .
turn blue
phase 2
player blue cards {cards} joker {joker} blocks {blocks} points 5
player red cards wwggp joker active blocks - points 0
draw bbbbb
"""

THREE_PAWNS = ("Bl   wgp", ".    wgp")
ALL_HIDDEN = (
    ("Bl   .    .    .    w?", ".    .    .    .    ??"),
    ("Re   .    .   ", "Re   .    Bl  "),
)


def blue_to_move(cards="wwggp", joker="active", blocks="wwgp", *changes):
    drawing = POSITION.format(cards=cards, joker=joker, blocks=blocks)
    for before, after in changes:
        assert before in drawing
        drawing = drawing.replace(before, after)
    return read_state(drawing, BOARD)


PLAIN = blue_to_move()
ONE_HOME = blue_to_move("wwggp", "active", "wwgp", THREE_PAWNS)
NO_JOKER = blue_to_move(joker="spent")
SEVEN = blue_to_move(blocks="wwwwggg")
FAR = blue_to_move("wwggp", "active", "-", *ALL_HIDDEN)

FORBIDDEN = [
    (PLAIN, Move((1, 1), (1, 2), ("purple", "purple"))),
    (NO_JOKER, Move((1, 1), (1, 2), ("joker",))),
    (PLAIN, Move((1, 1), (1, 2), ("joker", "joker"))),
    (PLAIN, Move((1, 1), (1, 2), ("white",))),
    (PLAIN, Move((1, 1), (1, 2), ("purple", "joker"))),
    (PLAIN, Move((1, 1), (1, 2), ())),
    (PLAIN, Move((1, 1), (1, 9), ("white",))),
    (ONE_HOME, Enter((-1, 0), ("white",))),
    (PLAIN, Move((0, 0), (0, 1), ("grey",))),
    (PLAIN, Move((1, 6), (1, 8), ("white",))),
    (PLAIN, Enter((0, 0), ("white",))),
    (ONE_HOME, Enter((8, 7), ("joker",))),
    (PLAIN, Move((1, 1), (1, 4), ("white",))),
    (ONE_HOME, Enter((3, 4), ("white",))),
    (PLAIN, Move((1, 1), (2, 2), ("purple",))),
    (PLAIN, Move((1, 1), (1, 1), ("grey",))),
    (PLAIN, Clear((1, 1), (3, 3), ("purple", "joker"))),
    (PLAIN, Move((1, 1), (1, 5), ("grey",))),
    (PLAIN, Move((5, 4), (3, 4), ("white",))),
    (PLAIN, Clear((1, 1), (1, 2), ("purple",))),
    (PLAIN, Clear((5, 4), (6, 4), ("grey", "grey", "joker"))),
    (SEVEN, Clear((1, 1), (1, 4), ("white", "grey"))),
    (PLAIN, Clear((1, 1), (1, 4), ("white", "white"))),
    (PLAIN, Clear((3, 1), (3, 3), ("purple", "joker"))),
    (FAR, Clear((5, 3), (5, 8), ("white", "joker"))),
    (PLAIN, Build((1, 1), ("white", "white"), ("white", "white"))),
    (PLAIN, Build((1, 1), ("grey", "grey", "white"), ("grey", "grey", "white"))),
    (PLAIN, Build((1, 1), ("grey", "white", "white"), ("grey", "grey", "white"))),
    (PLAIN, Build((8, 0), ("white", "white", "grey"), ("white", "white", "grey"))),
    (PLAIN, Capture((1, 1), (1, 2), ("white", "white", "joker"))),
    (PLAIN, Capture((1, 1), (3, 1), ("grey", "grey", "joker"))),
    (PLAIN, Capture((3, 1), (5, 1), ("grey", "grey", "joker"))),
    (PLAIN, Capture((5, 4), (5, 1), ("grey", "grey"))),
    (PLAIN, Capture((5, 4), (5, 1), ("grey", "grey", "white"))),
    (PLAIN, Swap(())),
    (PLAIN, Swap(("white", "joker"))),
]  # fmt: skip


@pytest.mark.parametrize(("state", "action"), FORBIDDEN)
def test_what_the_rules_forbid_is_no_legal_action(state, action):
    assert action not in legal_actions(state, "blue")


def test_cards_are_played_and_the_hand_is_drawn_up_to_five():
    after = PLAIN.play(Capture((5, 4), (5, 1), ("grey", "joker", "grey")))
    blue = after.players[0]
    assert "".join(card[0] for card in blue.hand) == "wwpbb"
    assert not blue.has_joker
    assert after.draw_pile == ("black",) * 3
    assert after.discard_pile == ("grey",) * 2
    assert blue.points == 5 + 3
    assert after.to_move.color == "red"


def test_a_swap_makes_the_joker_active_again():
    after = NO_JOKER.play(Swap(("white", "purple")))
    assert after.players[0].has_joker
    assert "".join(card[0] for card in after.players[0].hand) == "wggbb"
    assert after.position == NO_JOKER.position
    assert after.players[0].points == 5


def test_a_used_up_draw_pile_is_shuffled_from_the_discards():
    state = read_state(
        print_position(PLAIN.position)
        + "turn blue\nphase 2\nplayer blue cards wwggp joker active blocks - points 0\n"
        + "draw b\ndiscard wwwwgg\nseed 3\n",
        BOARD,
    )
    after = state.play(Swap(("white", "white", "purple")))
    assert after == state.play(Swap(("purple", "white", "white")))
    assert len(after.players[0].hand) == 5 and "black" in after.players[0].hand
    assert len(after.draw_pile) == 1 + 6 + 3 - 3
    assert after.discard_pile == ()
    assert after.seed == 4


def test_a_cleared_tower_gives_its_blocks_and_its_chip():
    after = PLAIN.play(Clear((1, 1), (1, 4), ("white", "joker")))
    assert after.players[0].blocks == ("white", "white", "white", "grey", "grey", "purple")
    assert after.players[0].points == 5 + 2
    assert after.position.at((1, 1)) is None
    assert after.position.at((1, 4)) == "blue"


def test_names_that_are_none_are_refused():
    with pytest.raises(errors.UnknownCardError, match="'pink' is not a card"):
        Move((1, 1), (1, 2), ("pink",))
    with pytest.raises(errors.UnknownColorError, match="'joker'"):
        Build((1, 1), ("joker",), ("white",))


def test_an_action_in_words():
    action = Clear((1, 1), (1, 4), ("joker", "white"))
    assert action_words(action, "blue").sentence("en") == (
        "The blue pawn (row 2 from the top, column 2) clears the tower "
        "(row 2 from the top, column 5); cards: white and joker."
    )
    told = {
        action_words(legal, "blue").sentence(language)
        for legal in legal_actions(PLAIN, "blue")
        for language in LANGUAGES
    }
    assert len(told) == len(LANGUAGES) * len(legal_actions(PLAIN, "blue"))
