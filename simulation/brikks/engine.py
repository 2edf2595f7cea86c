"""A game of Brikks, round by round; an illegal turn raises an error that says what is wrong.

>>> game = Game(load_sheet(), levels=(2, 2))
>>> game.start(0, "red", 0)
>>> game.start(1, "black", 4)
>>> game.roll(Roll("blue", 3))
>>> turn = game.legal_turns(0)[0]
>>> game.place(0, turn.option.kind.color, turn.option.kind.columns[0], turn.corner)
>>> game.use_bomb(1)
>>> game.players[1].sheet.bombs
(True, False, False)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import (
    MINI_SHAPE,
    START_COLUMN,
    SWAP_COST,
    Block,
    Board,
    Energy,
    SheetState,
    activated,
    activated_at_setup,
    available,
    blank_sheet,
    board_of,
    circle_effect,
    crosses_for_rows,
    landing_corners,
    max_crosses,
    pink_points,
    struck_at_setup,
)
from brikks_vision.rules.brikks.scoring import (
    Option,
    Roll,
    Score,
    Turn,
    legal_turns,
    options,
    row_points,
    score,
    share_an_edge,
)
from brikks_vision.rules.brikks.sheet import Sheet, Variant, settings
from brikks_vision.rules.shapes import Shape, bottom_up, placed, shape_of
from simulation.turns import IllegalTurnError, NotTheTimeError


class StartBlockTakenError(IllegalTurnError):
    told = "Another player starts with the {} block; choose another one."


class PlayerIsOutError(IllegalTurnError):
    told = "Player {} is out and takes no more turns."


class AlreadyPlayedError(IllegalTurnError):
    told = "Player {} has already taken a turn this round."


class NotEnoughEnergyError(IllegalTurnError):
    told = (
        "The {} block of column {} costs {} energy for this roll, but only {} are left; place the "
        "rolled block, or use a bomb."
    )


class NoSuchPlaceError(IllegalTurnError):
    told = (
        "The {0} cannot come to rest with its top left at row {1[0]}, column {1[1]}; choose one of "
        "its landings."
    )


class NoBombLeftError(IllegalTurnError):
    told = "Player {} has no bomb left; place the block, or drop out."


class MustPlaceError(IllegalTurnError):
    told = "Player {} can place a block, and may only refuse with a bomb."


class NoRerollError(IllegalTurnError):
    told = "The active player may re-roll once, before anyone has played; a solo player never."


class MiniBlocksTouchError(IllegalTurnError):
    told = "Mini-blocks of one round may touch at corners only."


class Phase(StrEnum):
    SETUP = "setup"
    ROLL = "roll"
    TURNS = "turns"
    MINI_BLOCKS = "mini-blocks"
    OVER = "over"


@dataclass(frozen=True)
class Player:
    """One player's side. order: blocks as entered. rounds: how many rounds were survived.

    minis_owed: mini-blocks to put on the opponent's sheet at the end of the round.
    """

    level: int
    sheet: SheetState
    order: tuple[Block, ...] = ()
    rounds: int = 0
    is_out: bool = False
    minis_owed: int = 0


@dataclass(frozen=True)
class Placement:
    """A sheet after a block was entered, and what the block did.

    circles: cells of the circles that counted. rows: rows finished, top first. crosses: crosses
    earned for pink X's and rows together (duel: mini-blocks for the opponent).
    """

    state: SheetState
    circles: tuple[Cell, ...]
    rows: tuple[int, ...]
    crosses: int


def with_bonus_crosses(state: SheetState, count: int) -> SheetState:
    """The sheet with more crosses on the extra-points bar, up to its maximum."""
    crosses = min(sum(state.bonus) + count, max_crosses(state.sheet))
    boxes = len(state.bonus)
    return replace(state, bonus=(True,) * crosses + (False,) * (boxes - crosses))


def with_next_bomb(state: SheetState) -> SheetState:
    """The sheet with the topmost unused bomb crossed out.

    Raises
    ------
    ValueError
        No bomb is left.
    """
    used = state.bombs.index(False)
    return replace(state, bombs=(*state.bombs[:used], True, *state.bombs[used + 1 :]))


def enter_block(
    state: SheetState,
    cells: Block,
    color: str | None,
    level: int,
    variant: Variant = Variant.STANDARD,
) -> Placement:
    """Draw a block on a sheet with all that follows, without checking that it may lie there.

    color: the block's colour, or None if the circles below it do not count (a mini-block, or a
    start block if the players agree so).
    """
    covered = [circle for circle in state.sheet.circles if circle.cell in cells]
    counting = covered if color is not None else []
    before = board_of(state)
    after = before.with_cells(cells)
    rows = tuple(row for row in after.full_rows() if row not in before.full_rows())
    drawn = replace(
        state,
        crossed=state.crossed | cells,
        blocks=bottom_up((*state.blocks, cells)),
    )
    charged = apply_effects(
        drawn, [circle_effect(level, circle.color == color) for circle in counting]
    )
    pink = pink_points(state.sheet, activated(charged)) - pink_points(state.sheet, activated(drawn))
    crosses = pink + crosses_for_rows(len(rows))
    marked = charged if variant is Variant.DUEL else with_bonus_crosses(charged, crosses)
    return Placement(marked, tuple(circle.cell for circle in counting), rows, crosses)


def setup_energy(sheet: Sheet, players: int) -> tuple[Energy, ...]:
    """The bar when the game begins."""
    struck = struck_at_setup(sheet, players)
    ringed = activated_at_setup(sheet, players)
    return tuple(
        Energy.OFF if p in struck else Energy.CIRCLED if p < ringed else Energy.OPEN
        for p in range(sheet.energy_points)
    )


def block_at(sheet: Sheet, color: str, column: int) -> Shape:
    """The shape that the overview shows for a colour and a column (from 1).

    Raises
    ------
    KeyError
        The overview has no such colour or column.
    """
    shapes = sheet.blocks[color]
    if not START_COLUMN <= column <= len(shapes):
        raise KeyError(f"{color} {column}")
    return shape_of(shapes[column - START_COLUMN])


def _turn_first(
    energy: tuple[Energy, ...], count: int, old: Energy, new: Energy
) -> tuple[Energy, ...]:
    left = max(0, count)
    turned = []
    for point in energy:
        if left and point is old:
            turned.append(new)
            left -= 1
        else:
            turned.append(point)
    return tuple(turned)


def activate(state: SheetState, count: int) -> SheetState:
    """Circle the next ``count`` points, or as many as are left."""
    return replace(state, energy=_turn_first(state.energy, count, Energy.OPEN, Energy.CIRCLED))


def cross_out(state: SheetState, count: int) -> SheetState:
    """Cross out the first ``count`` activated points, or as many as there are."""
    return replace(state, energy=_turn_first(state.energy, count, Energy.CIRCLED, Energy.USED))


def apply_effects(state: SheetState, effects: list[int]) -> SheetState:
    """Circle and lose points in the given order of covered circles."""
    for effect in effects:
        change: Callable[[SheetState, int], SheetState] = activate if effect > 0 else cross_out
        state = change(state, abs(effect))
    return state


def landings(board: Board, shape: Shape) -> tuple[frozenset[Cell], ...]:
    """The cells of every place where the shape can come to rest, top row first."""
    return tuple(
        frozenset((top + row, left + column) for row, column in shape)
        for top, left in landing_corners(board, shape)
    )


class Game:
    """A game of 1-4 players, counted from 0.

    sheet: what all play on. levels: the level of each player. variant: left out, one
    player plays solo and several the standard game.

    Raises
    ------
    ImpossibleGameError
        No variant has so many players, or there is no such level.
    """

    def __init__(self, sheet: Sheet, levels: Sequence[int], variant: str | None = None) -> None:
        count = len(levels)
        if variant is None and count > 1:
            variant = Variant.STANDARD
        found = [settings(count, level, variant) for level in levels] or [settings(0)]
        self.sheet = sheet
        self.variant = found[0][0].variant
        self.phase = Phase.SETUP
        self.active = 0
        self.rolled: Roll | None = None
        blank = replace(blank_sheet(sheet), energy=setup_energy(sheet, count))
        self._players = [Player(level, blank) for level in levels]
        self._started: dict[int, str] = {}
        self._played: set[int] = set()
        self._may_reroll = False
        self._minis: dict[int, list[Block]] = {}

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(self._players)

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    def start(self, player: int, color: str, left: int) -> None:
        """Enter a start block: column 1 of a colour, its left column at ``left``, on the floor.

        Its circles do not count; the rules leave that open.
        """
        self._expect(Phase.SETUP)
        if player in self._started:
            raise AlreadyPlayedError(player + 1)
        if color in self._started.values():
            raise StartBlockTakenError(color)
        shape = block_at(self.sheet, color, START_COLUMN)
        corner = (self.sheet.rows - 1 - max(row for row, _ in shape), left)
        self._enter(player, placed(shape, corner), f"{color} block", corner, None)
        self._started[player] = color
        if len(self._started) == len(self._players):
            self.phase = Phase.ROLL

    def roll(self, roll: Roll) -> None:
        """Begin a round with the active player's roll, which counts for all."""
        self._expect(Phase.ROLL)
        block_at(self.sheet, roll.color, roll.column)
        self.rolled = roll
        self._played, self._minis = set(), {}
        self._may_reroll = self.variant is not Variant.SOLO
        self.phase = Phase.TURNS

    def reroll(self, roll: Roll) -> None:
        """The active player rolls both dice once more, before anyone plays."""
        self._expect(Phase.TURNS)
        if not self._may_reroll or self._played:
            raise NoRerollError
        block_at(self.sheet, roll.color, roll.column)
        self.rolled = roll
        self._may_reroll = False

    def legal_turns(self, player: int) -> tuple[Turn, ...]:
        """What the player may place this round; empty before a roll and for players who are out."""
        if self.rolled is None or self._players[player].is_out:
            return ()
        return legal_turns(self._players[player].sheet, self.rolled)

    def place(self, player: int, color: str, column: int, corner: Cell) -> None:
        """Enter a block of the overview, paying what it costs for the roll."""
        roll = self._turn_of(player)
        shape = block_at(self.sheet, color, column)
        energy = available(self._players[player].sheet)
        allowed = [
            option
            for option in options(roll, self.sheet, energy)
            if option.kind.shape == shape and option.kind.color == color
        ]
        if not allowed:
            cost = abs(column - roll.column) if color == roll.color else SWAP_COST
            raise NotEnoughEnergyError(color, column, cost, energy)
        self._enter(player, placed(shape, corner), f"{color} block", corner, allowed[0])
        self._end_turn(player, survived=1)

    def use_bomb(self, player: int) -> None:
        """Cross out the topmost bomb instead of entering a block."""
        self._turn_of(player)
        side = self._players[player]
        if all(side.sheet.bombs):
            raise NoBombLeftError(player + 1)
        self._players[player] = replace(side, sheet=with_next_bomb(side.sheet))
        self._end_turn(player, survived=1)

    def drop_out(self, player: int) -> None:
        """Leave the game, as no block can be entered."""
        self._turn_of(player)
        if self.legal_turns(player):
            raise MustPlaceError(player + 1)
        self._players[player] = replace(self._players[player], is_out=True)
        self._end_turn(player, survived=0)

    def drop_mini(self, player: int, corner: Cell) -> None:
        """Duel: put a mini-block that was earned on the opponent's sheet."""
        self._expect(Phase.MINI_BLOCKS)
        side = self._players[player]
        if not side.minis_owed:
            raise NotTheTimeError(f"Player {player + 1} has no mini-block to place.")
        cells, victim = placed(MINI_SHAPE, corner), self._opponent(player)
        thrown = self._minis.setdefault(victim, [])
        if cells not in landings(board_of(self._players[victim].sheet), MINI_SHAPE):
            raise NoSuchPlaceError("mini-block", corner)
        if any(share_an_edge(cells, other) for other in thrown):
            raise MiniBlocksTouchError
        thrown.append(cells)
        self._enter(victim, cells, "mini-block", corner, None)
        self._players[player] = replace(
            self._players[player], minis_owed=self._players[player].minis_owed - 1
        )
        self._end_round_if_done()

    def mini_places(self, player: int) -> tuple[Cell, ...]:
        """Duel: where the player may put a mini-block on the opponent's sheet."""
        victim = self._opponent(player)
        board = board_of(self._players[victim].sheet)
        thrown = self._minis.get(victim, [])
        return tuple(
            corner
            for corner in landing_corners(board, MINI_SHAPE)
            if not any(share_an_edge(placed(MINI_SHAPE, corner), other) for other in thrown)
        )

    def scores(self) -> tuple[Score, ...]:
        """The score of each sheet as it stands."""
        return tuple(score(player.sheet) for player in self._players)

    def winners(self) -> tuple[int, ...]:
        """Who leads: by total, in a duel by rounds survived and then by row points."""
        if self.variant is Variant.DUEL:
            marks = [(player.rounds, sum(row_points(player.sheet))) for player in self._players]
        else:
            marks = [(points.total, 0) for points in self.scores()]
        return tuple(player for player, mark in enumerate(marks) if mark == max(marks))

    def _expect(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise NotTheTimeError(f"This is the time for {self.phase}, not for {phase}.")

    def _turn_of(self, player: int) -> Roll:
        self._expect(Phase.TURNS)
        if self._players[player].is_out:
            raise PlayerIsOutError(player + 1)
        if player in self._played:
            raise AlreadyPlayedError(player + 1)
        assert self.rolled is not None
        return self.rolled

    def _opponent(self, player: int) -> int:
        return 1 - player

    def _enter(
        self, player: int, cells: Block, name: str, corner: Cell, option: Option | None
    ) -> None:
        """Draw a block with all that follows; without an option it costs and earns nothing."""
        side = self._players[player]
        shape = tuple((row - corner[0], column - corner[1]) for row, column in sorted(cells))
        if corner not in landing_corners(board_of(side.sheet), shape):
            raise NoSuchPlaceError(name, corner)
        paid = side.sheet if option is None else cross_out(side.sheet, option.cost)
        color = None if option is None else option.kind.color
        result = enter_block(paid, cells, color, side.level, self.variant)
        owed = result.crosses if option is not None and self.variant is Variant.DUEL else 0
        self._players[player] = replace(
            side,
            sheet=result.state,
            order=(*side.order, cells),
            minis_owed=side.minis_owed + owed,
        )

    def _end_turn(self, player: int, survived: int) -> None:
        side = self._players[player]
        self._players[player] = replace(side, rounds=side.rounds + survived)
        self._played.add(player)
        waiting = {p for p, side in enumerate(self._players) if not side.is_out} - self._played
        if not waiting:
            self.phase = Phase.MINI_BLOCKS
            self._end_round_if_done()

    def _end_round_if_done(self) -> None:
        for player, side in enumerate(self._players):
            if side.minis_owed and (
                self._players[self._opponent(player)].is_out or not self.mini_places(player)
            ):
                self._players[player] = replace(side, minis_owed=0)
        if any(side.minis_owed for side in self._players):
            return
        staying = [player for player, side in enumerate(self._players) if not side.is_out]
        self.rolled = None
        if not staying:
            self.phase = Phase.OVER
            return
        self.phase = Phase.ROLL
        later = [player for player in staying if player > self.active]
        self.active = (later or staying)[0]
