"""Turns on a drawn position: every rule that can be broken has its error; what a turn leaves."""

import pickle

import pytest

import brikks_vision.rules.blox.material as errors
import simulation.blox.errors as game_errors
from brikks_vision.rules.blox.actions import Build, Capture, Clear, Enter, Move, Swap, action_words
from brikks_vision.rules.blox.material import IllegalActionError
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

CASES = [
    (PLAIN, Move((1, 1), (1, 2), ("purple", "purple")), game_errors.CardNotInHandError),
    (NO_JOKER, Move((1, 1), (1, 2), ("joker",)), game_errors.JokerSpentError),
    (PLAIN, Move((1, 1), (1, 2), ("joker", "joker")), errors.TooManyJokersError),
    (PLAIN, Move((1, 1), (1, 2), ("white",)), game_errors.WrongCardsError),
    (PLAIN, Move((1, 1), (1, 2), ("purple", "joker")), game_errors.WrongCardsError),
    (PLAIN, Move((1, 1), (1, 2), ()), game_errors.WrongCardsError),
    (PLAIN, Move((1, 1), (1, 9), ("white",)), errors.OffBoardError),
    (ONE_HOME, Enter((-1, 0), ("white",)), errors.OffBoardError),
    (PLAIN, Move((0, 0), (0, 1), ("grey",)), errors.NotYourPawnError),
    (PLAIN, Move((1, 6), (1, 8), ("white",)), errors.NotYourPawnError),
    (PLAIN, Enter((0, 0), ("white",)), errors.NoPawnLeftError),
    (ONE_HOME, Enter((8, 7), ("joker",)), errors.FieldTakenError),
    (PLAIN, Move((1, 1), (1, 4), ("white",)), errors.FieldTakenError),
    (ONE_HOME, Enter((3, 4), ("white",)), errors.NoWayInError),
    (PLAIN, Move((1, 1), (2, 2), ("purple",)), errors.NotStraightError),
    (PLAIN, Move((1, 1), (1, 1), ("grey",)), errors.NotStraightError),
    (PLAIN, Clear((1, 1), (3, 3), ("purple", "joker")), errors.NotStraightError),
    (PLAIN, Move((1, 1), (1, 5), ("grey",)), errors.WayBlockedError),
    (PLAIN, Move((5, 4), (3, 4), ("white",)), errors.NotTheFirstFieldError),
    (PLAIN, Clear((1, 1), (1, 2), ("purple",)), errors.NoTowerError),
    (PLAIN, Clear((5, 4), (6, 4), ("grey", "grey", "joker")), errors.TowerTooHighError),
    (SEVEN, Clear((1, 1), (1, 4), ("white", "grey")), game_errors.RuleOfSevenError),
    (PLAIN, Clear((1, 1), (1, 4), ("white", "white")), game_errors.WrongCardsError),
    (PLAIN, Clear((3, 1), (3, 3), ("purple", "joker")), errors.TowerColorOnTheWayError),
    (PLAIN, Clear((5, 4), (5, 8), ("white", "joker")), game_errors.HiddenBlockError),
    (FAR, Clear((5, 3), (5, 8), ("white", "joker")), errors.EveryColorOnTheWayError),
    (PLAIN, Build((1, 1), ("white", "white"), ("white", "white")), errors.WrongHeightError),
    (PLAIN, Build((1, 1), ("grey", "grey", "white"), ("grey", "grey", "white")),
     game_errors.BlocksMissingError),
    (PLAIN, Build((1, 1), ("grey", "white", "white"), ("grey", "grey", "white")),
     game_errors.WrongCardsError),
    (PLAIN, Build((8, 0), ("white", "white", "grey"), ("white", "white", "grey")),
     errors.TowerWalledInError),
    (PLAIN, Capture((1, 1), (1, 2), ("white", "white", "joker")), errors.NoPawnError),
    (PLAIN, Capture((1, 1), (3, 1), ("grey", "grey", "joker")), errors.OwnPawnError),
    (PLAIN, Capture((3, 1), (5, 1), ("grey", "grey", "joker")), errors.PawnColorOnTheWayError),
    (PLAIN, Capture((5, 4), (5, 1), ("grey", "grey")), game_errors.TooFewCardsError),
    (PLAIN, Capture((5, 4), (5, 1), ("grey", "grey", "white")), game_errors.WrongCardsError),
    (PLAIN, Swap(()), game_errors.NothingSwappedError),
    (PLAIN, Swap(("white", "joker")), game_errors.JokerSwappedError),
]  # fmt: skip


@pytest.mark.parametrize(("state", "action", "error"), CASES)
def test_a_broken_rule_has_its_error(state, action, error):
    with pytest.raises(error) as raised:
        state.play(action)
    assert action not in legal_actions(state, "blue")
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    sentences = {str(raised.value)}
    if isinstance(raised.value, errors.BloxError):
        sentences = {raised.value.text(language) for language in LANGUAGES}
        assert len(sentences) == len(LANGUAGES)
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)


def test_each_error_of_a_turn_is_among_the_cases():
    kinds = {
        kind
        for module in (errors, game_errors)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, (IllegalActionError, game_errors.GameError))
    }
    told = {error for _, _, error in CASES}
    # That the game is over is tested at the end of a game; some are no errors of a turn.
    assert kinds - told == {
        IllegalActionError,
        game_errors.GameError,
        game_errors.GameOverError,
        game_errors.PlayersError,
        game_errors.BoardSetupError,
        game_errors.BoardForTwoError,
    }


def test_the_error_says_where_and_why():
    with pytest.raises(errors.TowerColorOnTheWayError) as raised:
        PLAIN.play(Clear((3, 1), (3, 3), ("purple", "joker")))
    assert str(raised.value) == (
        "The tower has a block of a colour that lies on the way to it: purple "
        "(row 4 from the top, column 3)."
    )
    assert raised.value.text("de") == (
        "Der Turm hat einen Block in einer Farbe, die auf dem Weg zu ihm liegt: Lila "
        "(Reihe 4 von oben, Spalte 3)."
    )


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
