"""BLOXX! as a library: no pixels, no numpy, usable by any program that plays or judges it.

A whole game, with every turn taken at random:

>>> import json, random
>>> from importlib.resources import files
>>> text = files("brikks_vision").joinpath("layouts", "bloxx.json").read_text("utf-8")
>>> sheet = parse_sheet(json.loads(text)["printed"], rows=10, columns=7)
>>> rng = random.Random(56)
>>> game = Game(sheet, players=2)
>>> while not game.is_over:
...     game.roll(*roll_dice(sheet, rng))
...     for player in game.waiting:
...         turns = game.legal_turns(player)
...         game.enter(player, rng.choice(turns)) if turns else game.fail(player)
>>> print(print_sheet(game.players[0].sheet), end="")
XOOX.O. KKLL.M.
XXXXXXO KHILMMJ
#XXOXXX .HIIGJJ
#XO#X## .HH.G..
##OXX## ..GGG..
O##XO## D..EE..
XO#X##X DB.E..F
XX#X#XO DB.E.FF
#XXOXX# .BCCCC.
#XOX### .AAA...
bonus xo .. .. ..
>>> points = game.scores()[0]
>>> points.rows, points.numbers, points.penalty, points.total
(2, 16, -26, -8)
>>> referee(game.players[0].sheet).is_legal
True

Cells are (row, column) from 0 at the grid's top left; players, dice and their sides count from 0.
A turn that the rules forbid raises one of the errors in `errors`, all of them `IllegalTurnError`.

sheet       what the print means: size, coloured rows, numbers, dice
faces       the shapes on the dice, turned and mirrored
state       what is marked on one sheet
entering    where a shape can be entered, and what that does to a sheet
errors      what can be wrong with a turn
settings    how many play
game        a game roll by roll
play        whole legal games at random
scoring     points, with what is assumed where no bonus is circled
notation    a sheet as text, there and back
order       an order of entering that builds the shapes of a sheet
placement   rules of the outlines and of the gaps
referee     all that one finished sheet proves
table       several sheets of one game: places, and what cannot belong together
violations  the codes, and where they show
words       places on a sheet in words
"""

from brikks_vision.rules.bloxx.entering import Entry, Resting, enter_shape, legal_entries
from brikks_vision.rules.bloxx.errors import (
    ActivePlayerFirstError,
    AlreadyPlayedError,
    CircleTakenError,
    FirstShapeError,
    IllegalPlaceError,
    IllegalTurnError,
    ImpossibleGameError,
    MustEnterError,
    NoSuchDieError,
    NoSuchPlayerError,
    NoSuchRollError,
    NothingBelowError,
    NotTheTimeError,
    OutsideTheGridError,
    TouchesNothingError,
    UnknownDiceError,
    WayBlockedError,
    WrongShapeError,
)
from brikks_vision.rules.bloxx.faces import Face, FaceError, print_face, read_face
from brikks_vision.rules.bloxx.game import Game, Phase, Player, Turn
from brikks_vision.rules.bloxx.notation import (
    print_sheet,
    read_sheet,
)
from brikks_vision.rules.bloxx.order import Order, find_order
from brikks_vision.rules.bloxx.play import play_game, play_roll, roll_dice
from brikks_vision.rules.bloxx.referee import Verdict, referee
from brikks_vision.rules.bloxx.scoring import RowBonus, Score, score
from brikks_vision.rules.bloxx.sheet import (
    ColoredRow,
    NumberedCell,
    Sheet,
    SheetDataError,
    parse_sheet,
)
from brikks_vision.rules.bloxx.state import (
    BonusMark,
    Mark,
    Shape,
    SheetState,
    Written,
    blank_sheet,
)
from brikks_vision.rules.bloxx.table import NoSuchTableError, Result, TableVerdict, judge_table
from brikks_vision.rules.bloxx.violations import Part, Rule, Violation
from brikks_vision.rules.notation import NotationError, UnprintableSheetError

__all__ = [
    "ActivePlayerFirstError",
    "AlreadyPlayedError",
    "BonusMark",
    "CircleTakenError",
    "ColoredRow",
    "Entry",
    "Face",
    "FaceError",
    "FirstShapeError",
    "Game",
    "IllegalPlaceError",
    "IllegalTurnError",
    "ImpossibleGameError",
    "Mark",
    "MustEnterError",
    "NoSuchDieError",
    "NoSuchPlayerError",
    "NoSuchRollError",
    "NoSuchTableError",
    "NotTheTimeError",
    "NotationError",
    "NothingBelowError",
    "NumberedCell",
    "Order",
    "OutsideTheGridError",
    "Part",
    "Phase",
    "Player",
    "Resting",
    "Result",
    "RowBonus",
    "Rule",
    "Score",
    "Shape",
    "Sheet",
    "SheetDataError",
    "SheetState",
    "TableVerdict",
    "TouchesNothingError",
    "Turn",
    "UnknownDiceError",
    "UnprintableSheetError",
    "Verdict",
    "Violation",
    "WayBlockedError",
    "Written",
    "WrongShapeError",
    "blank_sheet",
    "enter_shape",
    "find_order",
    "judge_table",
    "legal_entries",
    "parse_sheet",
    "play_game",
    "play_roll",
    "print_face",
    "print_sheet",
    "read_face",
    "read_sheet",
    "referee",
    "roll_dice",
    "score",
]
