"""The rules of BLOX (Kramer, Raggan, Grunau; 2008): no pixels, usable by any program that plays it.

A game to its end by random players; a state is never changed, ``play`` gives the next one:

>>> import random
>>> from brikks_vision.rules.blox import Enter, legal_actions, load_board, random_action, start
>>> state = start(load_board(), ["blue", "green", "red"], seed=1)
>>> print(state.to_move.color, *state.to_move.hand)
blue white white grey grey black
>>> state = state.play(Enter((0, 2), ("grey",)))
>>> rng = random.Random(1)
>>> while not state.is_over:
...     state = state.play(random_action(state, rng))
>>> print(*state.winners, [player.points for player in state.players])
blue [117, 111, 116]

Fields are (row, column), counted from 0 at the board's top left; players are named by the colour of
their pawns; cards, blocks and fields by "white", "grey", "purple" and "black".

material       what is in the box
board          the fields' colours and squares, from a layout's JSON
position       what stands on the board
ways           straight ways, which nothing may block
phases         what may be cleared and built, and which phase the towers allow
actions        enter, move, clear, build, capture, swap
checks         what each of them asks; an illegal one raises a named error
errors         those errors, in four languages
state          a whole game: ``State.play``, its end, its winners
setup          the start of a game, for two as well
possible       ``legal_actions`` of a game; ``possible_actions`` on a photographed position
random_player  a seeded player
notation       boards, positions and games as text
referee        the rules that one position breaks
turn           the action between two positions
points         chips, and blocks where they tie
typed          cards, blocks and pawns from what a user types
violations     the codes, and where they show
words          colours, pawns and fields as phrases

The published rules leave some things open. Here, only pawns of another colour are captured; the
capturing pawn goes to the captured one's field; "the way" to a tower or a pawn is the fields
between; a tower stays reachable from a side while no tower stands on the field there; the 60 cards
are 15 of each colour; a used-up draw pile is the shuffled discard pile; players who tie in points
and in blocks win together.
"""

from brikks_vision.rules.blox.actions import (
    Action,
    Build,
    Capture,
    Clear,
    Enter,
    Move,
    Swap,
    action_dict,
    action_words,
)
from brikks_vision.rules.blox.board import Board, load_board, parse_board
from brikks_vision.rules.blox.errors import BloxError, IllegalActionError
from brikks_vision.rules.blox.material import JOKER, Card, Color, Field, PawnColor
from brikks_vision.rules.blox.notation import (
    print_board,
    print_position,
    print_state,
    read_board,
    read_position,
    read_state,
)
from brikks_vision.rules.blox.phases import phases_of
from brikks_vision.rules.blox.points import Points, count_points, leaders
from brikks_vision.rules.blox.position import Position, Tower
from brikks_vision.rules.blox.possible import PossibleAction, legal_actions, possible_actions
from brikks_vision.rules.blox.random_player import random_action, random_game
from brikks_vision.rules.blox.referee import referee
from brikks_vision.rules.blox.setup import start
from brikks_vision.rules.blox.state import Player, State
from brikks_vision.rules.blox.turn import TurnVerdict, judge_turn
from brikks_vision.rules.blox.violations import Rule, Violation

__all__ = [
    "JOKER",
    "Action",
    "BloxError",
    "Board",
    "Build",
    "Capture",
    "Card",
    "Clear",
    "Color",
    "Enter",
    "Field",
    "IllegalActionError",
    "Move",
    "PawnColor",
    "Player",
    "Points",
    "Position",
    "PossibleAction",
    "Rule",
    "State",
    "Swap",
    "Tower",
    "TurnVerdict",
    "Violation",
    "action_dict",
    "action_words",
    "count_points",
    "judge_turn",
    "leaders",
    "legal_actions",
    "load_board",
    "parse_board",
    "phases_of",
    "possible_actions",
    "print_board",
    "print_position",
    "print_state",
    "random_action",
    "random_game",
    "read_board",
    "read_position",
    "read_state",
    "referee",
    "start",
]
