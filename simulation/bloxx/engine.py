"""A game of BLOXX!, roll by roll; an illegal turn raises an error that says what is wrong.

A whole game, with every turn taken at random:

>>> import random
>>> from brikks_vision.games.bloxx.places import sheet_of
>>> from brikks_vision.layout import load_layout
>>> from brikks_vision.rules.bloxx.referee import referee
>>> from simulation.bloxx.notation import print_sheet
>>> from simulation.bloxx.play import roll_dice
>>> sheet = sheet_of(load_layout("bloxx"))
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
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.sheet import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    VOID_ROLLS_AT_END,
    Die,
    Face,
    Sheet,
    turned,
)
from brikks_vision.rules.bloxx.state import BonusMark, Score, Shape, SheetState, blank_sheet, score
from brikks_vision.rules.bloxx.table import Result, rank_table
from brikks_vision.rules.shapes import corner_of, shape_of
from simulation.bloxx.entering import check_place, enter_shape, legal_entries
from simulation.bloxx.errors import (
    ActivePlayerFirstError,
    AlreadyPlayedError,
    CircleTakenError,
    ImpossibleGameError,
    MustEnterError,
    NoSuchDieError,
    NoSuchPlayerError,
    NoSuchRollError,
    NotTheTimeError,
    UnknownDiceError,
    WrongShapeError,
)


class Phase(StrEnum):
    ROLL = "roll"
    TURNS = "turns"
    OVER = "over"


@dataclass(frozen=True)
class Turn:
    """A die, counted from 0, and where its shape is entered."""

    die: int
    entry: Entry


@dataclass(frozen=True)
class Player:
    """One player's side. order: shapes as entered."""

    sheet: SheetState
    order: tuple[Shape, ...] = ()


class Game:
    """A game of 2-4 players, counted from 0, the first of whom begins.

    sheet: what all play on. resting: by the German or the English rules. All players of one roll
    get their turn before the game ends. A row that several complete in the same roll gives the
    highest bonus to each of them.

    Raises
    ------
    ImpossibleGameError
        There are too few or too many players.
    UnknownDiceError
        The sheet does not know its dice.
    """

    def __init__(self, sheet: Sheet, players: int, resting: Resting = Resting.ENGLISH) -> None:
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ImpossibleGameError(players, MIN_PLAYERS, MAX_PLAYERS)
        if sheet.dice is None:
            raise UnknownDiceError
        self.sheet = sheet
        self.resting = resting
        self.phase = Phase.ROLL
        self.active = 0
        self.rolled: tuple[int, ...] = ()
        self.rolls = 0
        self._dice: tuple[Die, ...] = sheet.dice
        self._players = [Player(blank_sheet(sheet)) for _ in range(players)]
        self._picked: int | None = None
        self._played: set[int] = set()
        self._failed: set[int] = set()

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(self._players)

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def waiting(self) -> tuple[int, ...]:
        """Who has not had this roll yet, the active player first; empty before a roll."""
        if self.phase is not Phase.TURNS:
            return ()
        count = len(self._players)
        order = ((self.active + step) % count for step in range(count))
        return tuple(player for player in order if player not in self._played)

    def roll(self, *faces: int) -> None:
        """Begin a round with the active player's roll: the side of each die, from 0."""
        self._expect(Phase.ROLL)
        sides = [len(die) for die in self._dice]
        if len(faces) != len(sides) or not all(
            0 <= face < count for face, count in zip(faces, sides, strict=True)
        ):
            raise NoSuchRollError(", ".join(map(str, faces)))
        self.rolled = faces
        self.rolls += 1
        self._picked = None
        self._played, self._failed = set(), set()
        self.phase = Phase.TURNS

    def legal_turns(self, player: int) -> tuple[Turn, ...]:
        """What the player may enter now; empty if it is not the player's turn."""
        self._check_player(player)
        if player not in self.waiting or not self._may_begin(player):
            return ()
        return tuple(
            Turn(die, entry)
            for die, face in enumerate(self._faces())
            for entry in legal_entries(
                self._players[player].sheet, face, self.resting, die != self._picked
            )
        )

    def enter(self, player: int, turn: Turn) -> None:
        """Enter the shape of one of the dice; the gaps under it are coloured in.

        Raises
        ------
        IllegalTurnError
            What is wrong, as one of its kinds.
        """
        self._check_turn(player)
        self._check_shape(turn)
        side = self._players[player]
        check_place(side.sheet, turn.entry.cells, self.resting)
        entered = enter_shape(side.sheet, turn.entry)
        self._players[player] = Player(
            _with_bonuses(side.sheet, entered), (*side.order, turn.entry.cells)
        )
        if player == self.active:
            self._picked = turn.die
        self._end_turn(player)

    def fail(self, player: int) -> None:
        """Let a roll pass that is void for the player, as neither shape can be entered.

        Raises
        ------
        MustEnterError
            One of them can.
        """
        self._check_turn(player)
        if self.legal_turns(player):
            raise MustEnterError(player + 1)
        self._failed.add(player)
        self._end_turn(player)

    def scores(self) -> tuple[Score, ...]:
        """The score of each sheet as it stands."""
        return tuple(score(player.sheet) for player in self._players)

    def ranking(self) -> tuple[Result, ...]:
        """Each player's score and place as the sheets stand; those who tie share a place."""
        return rank_table([player.sheet for player in self._players])

    def winners(self) -> tuple[int, ...]:
        """Who leads as the sheets stand."""
        return tuple(result.sheet for result in self.ranking() if result.place == 1)

    def _faces(self) -> tuple[Face, ...]:
        return tuple(die[face] for die, face in zip(self._dice, self.rolled, strict=True))

    def _expect(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise NotTheTimeError(f"This is the time for {self.phase}, not for {phase}.")

    def _check_player(self, player: int) -> None:
        if not 0 <= player < len(self._players):
            raise NoSuchPlayerError(player, len(self._players) - 1)

    def _may_begin(self, player: int) -> bool:
        return player == self.active or self.active in self._played

    def _check_turn(self, player: int) -> None:
        self._check_player(player)
        self._expect(Phase.TURNS)
        if player in self._played:
            raise AlreadyPlayedError(player + 1)
        if not self._may_begin(player):
            raise ActivePlayerFirstError(self.active + 1)

    def _check_shape(self, turn: Turn) -> None:
        if not 0 <= turn.die < len(self._dice):
            raise NoSuchDieError(turn.die)
        cells, circle = turn.entry.cells, turn.entry.circle
        has_circle = turn.die != self._picked
        if circle is not None and not has_circle:
            raise CircleTakenError
        ways = turned(self._faces()[turn.die])
        if cells and circle is not None:
            top, left = corner_of(cells)
            shown = Face(shape_of(cells), (circle[0] - top, circle[1] - left)) in ways
        else:
            shown = bool(cells) and not has_circle and shape_of(cells) in {w.cells for w in ways}
        if not shown:
            raise WrongShapeError(turn.die)

    def _end_turn(self, player: int) -> None:
        self._played.add(player)
        if self.waiting:
            return
        for at, side in enumerate(self._players):
            self._players[at] = replace(side, sheet=self._with_strikes(side.sheet))
        over = len(self._failed) >= VOID_ROLLS_AT_END
        self.phase = Phase.OVER if over else Phase.ROLL
        self.active = (self.active + 1) % len(self._players)

    def _with_strikes(self, state: SheetState) -> SheetState:
        """The sheet with the bonuses struck that others got and this player did not."""
        for colored, figures in enumerate(state.bonuses):
            taken = any(
                side.sheet.bonuses[colored][0] is BonusMark.CIRCLED for side in self._players
            )
            if taken and figures[0] is BonusMark.OPEN:
                state = state.with_bonus(colored, 0, BonusMark.STRUCK)
        return state


def _with_bonuses(before: SheetState, state: SheetState) -> SheetState:
    """The sheet with a bonus circled for each row just completed: the highest not struck."""
    finished = set(state.complete_rows()) - set(before.complete_rows())
    for colored, printed in enumerate(state.sheet.colored_rows):
        if printed.row in finished and BonusMark.OPEN in state.bonuses[colored]:
            figure = state.bonuses[colored].index(BonusMark.OPEN)
            state = state.with_bonus(colored, figure, BonusMark.CIRCLED)
    return state
