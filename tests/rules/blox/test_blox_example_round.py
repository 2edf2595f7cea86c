"""The example round of the rules (phase 3), drawn: what each player may do, and may not."""

from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.actions import Build, Capture, Clear, Enter, Move
from brikks_vision.rules.blox.position import Tower
from simulation.blox.notation import read_board, read_state
from simulation.blox.random_player import legal_actions

BOARD = read_board("""\
b p w p b w p b g
w g p b w p b g p
w g b p b g w p b
b w p g w b g w p
p g w b g w b p w
w b g p b g p w b
g p b g b g w w p
p w g b p w b g w
b g p w b p g p w
""")

POSITION = """\
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
gpb  .    .    .    .    .    .    .    .
.    .    .    .    .    .    bw   .    Re
.    .    .    .    Bl   wgpb .    Gr   .
.    .    .    .    .    .    .    .    .
.    .    wpw  .    .    .    Bl   .    Re
.    .    .    .    .    .    .    .    wbgp
.    .    .    .    .    .    .    Bl   ggp
turn blue
phase 3
player blue cards {cards} joker spent blocks {blocks} points 10
player red cards wwggp joker active blocks - points 0
player green cards wwggp joker active blocks - points 0
draw bbbbb
"""

BLUE = material.PawnColor.BLUE


def blue_to_move(cards: str, blocks: str = "-"):
    return read_state(POSITION.format(cards=cards, blocks=blocks), BOARD)


def forbidden(state, action):
    assert action not in legal_actions(state, BLUE)


def allowed(state, action):
    assert action in legal_actions(state, BLUE)
    return state.play(action)


def test_a_pawn_enters_on_the_first_grey_field_from_the_right_edge():
    state = blue_to_move("gwwpp")
    after = allowed(state, Enter((2, 5), ("grey",)))
    assert after.position.at((2, 5)) == BLUE
    assert after.players[0].hand == ("white", "white", "purple", "purple", "black")
    assert after.to_move.color == "red"
    # The next grey field of that row lies behind the first one; a tower stands at the other end.
    forbidden(state, Enter((2, 1), ("grey",)))
    forbidden(state, Enter((2, 5), ("purple",)))


def test_a_pawn_moves_to_the_first_black_field():
    state = blue_to_move("bwwpp")
    after = allowed(state, Move((4, 4), (2, 4), ("black",)))
    assert after.position.at((4, 4)) is None
    assert after.position.at((2, 4)) == BLUE
    # Not to the next one above, nor over the tower to the black field on the right.
    forbidden(state, Move((4, 4), (0, 4), ("black",)))
    forbidden(state, Move((4, 4), (4, 6), ("black",)))


def test_a_tower_is_cleared_whose_colours_do_not_lie_on_the_way():
    state = blue_to_move("wwpgg")
    after = allowed(state, Clear((6, 6), (6, 2), ("white", "purple", "white")))
    assert after.position.at((6, 6)) is None
    assert after.position.at((6, 2)) == BLUE
    assert after.players[0].blocks == ("white", "white", "purple")
    assert after.players[0].points == 10 + 3
    # The whole tower is paid for: no part of it is taken.
    forbidden(state, Clear((6, 6), (6, 2), ("white", "purple")))


def test_a_tower_is_not_cleared_over_a_field_of_one_of_its_colours():
    state = blue_to_move("wbggg")
    forbidden(state, Clear((6, 6), (3, 6), ("black", "white")))
    # The tower beside the other pawn is too high for phase 3; where no tower stands is none.
    high = blue_to_move("wgpbb")
    forbidden(high, Clear((4, 4), (4, 5), tuple(high.to_move.hand[:4])))
    forbidden(state, Clear((6, 6), (8, 6), ("grey",)))


def test_a_tower_of_four_is_built_where_a_pawn_stands():
    state = blue_to_move("wwpbg", blocks="wwgpb")
    blocks = ("purple", "white", "black", "white")
    cards = ("white", "white", "purple", "black")
    assert Build((4, 4), cards, cards) in legal_actions(state, BLUE)
    after = state.play(Build((4, 4), blocks, cards))  # in whatever order they are piled
    assert after.position.at((4, 4)) == Tower(blocks, 4)
    assert after.position.pawns_left(BLUE) == 2
    assert after.players[0].blocks == ("grey",)
    assert after.players[0].points == 10 + 4
    # Neither 3 nor 5 are built in phase 3, and nothing that closes the tower in the corner in.
    forbidden(state, Build((4, 4), blocks[:3], ("white", "purple", "black")))
    five = ("white", "white", "grey", "purple", "black")
    forbidden(state, Build((4, 4), five, five))
    forbidden(state, Build((8, 7), cards, cards))


def test_a_pawn_is_captured_with_four_purple_cards_for_four_points():
    state = blue_to_move("pppwp")
    after = allowed(state, Capture((6, 6), (6, 8), ("purple",) * 4))
    assert after.position.at((6, 8)) == BLUE
    assert after.position.pawns_of(material.PawnColor.RED) == ((3, 8),)
    assert after.position.pawns_left(material.PawnColor.RED) == 3
    assert after.players[0].points == 10 + 4
    # Two cards are too few; a tower stands on the way to the green pawn.
    forbidden(state, Capture((6, 6), (6, 8), ("purple",) * 2))
    forbidden(state, Capture((4, 4), (4, 7), ("purple",) * 3))
