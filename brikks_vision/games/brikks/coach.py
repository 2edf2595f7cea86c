"""What the coach says of a Brikks sheet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from brikks_vision.errors import RollMissing, RulesForbid
from brikks_vision.games.brikks.game import level_of
from brikks_vision.games.brikks.player import monte_carlo, policy
from brikks_vision.games.brikks.player.many import games_of
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.infer import advice
from brikks_vision.infer.following import JudgedTurn
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.infer.sameness import cells_with
from brikks_vision.layout import Cell, Layout
from brikks_vision.rules.brikks import scoring as lost_points
from brikks_vision.rules.brikks.blocks import Block, Energy, SheetState, kinds_of
from brikks_vision.rules.brikks.order import legal_orders
from brikks_vision.rules.brikks.placement import block_words, energy_points
from brikks_vision.rules.brikks.scoring import Roll
from brikks_vision.rules.brikks.sheet import Variant, load_sheet, phrase, sheet_of
from brikks_vision.rules.brikks.turn import TurnVerdict, costs_paid
from brikks_vision.rules.shapes import Lost
from brikks_vision.text.phrases import Phrase

SEED = 1
"""Of the dice: the same sheet and roll get the same advice."""


def lost(reading: BrikksReading, layout: Layout) -> tuple[Lost, ...]:
    """Where the points went; nothing in a duel, which has none."""
    if _is_duel(reading):
        return ()
    return lost_points.lost(state_of(reading, layout))


def order(reading: BrikksReading, layout: Layout) -> tuple[Block, ...]:
    """The blocks in a legal order, the start block first; empty where there is none."""
    state = state_of(reading, layout)
    return legal_orders(state.blocks, state.sheet).example


def state_of(reading: BrikksReading, layout: Layout) -> SheetState:
    """What is marked on a sheet.

    Boxes and bombs are crossed from the first on, as many as the reading counts; what cannot be
    told is not marked.
    """
    sheet = sheet_of(layout)
    return SheetState(
        cells_with(reading, "X"),
        tuple(frozenset(block.cells) for block in reading.blocks),
        tuple(Energy.OPEN if mark == "?" else Energy(mark) for mark in reading.energy),
        _first(reading.bonus_crosses, len(sheet.bonus_values)),
        _first(reading.bombs_used, len(sheet.bomb_points)),
        sheet,
    )


def _first(count: int | None, places: int) -> tuple[bool, ...]:
    return tuple(place < (count or 0) for place in range(places))


def expected(reading: BrikksReading, layout: Layout) -> advice.Expected | None:
    """What the computer player reaches; None in a duel, which has no points."""
    if _is_duel(reading):
        return None
    left = sum(mark == Energy.CIRCLED for mark in reading.energy)
    return policy.expected(_players(reading), level_of(reading), reading.score.total, left)


def advise(
    before: BrikksReading, layout: Layout, said: TurnSaid, after: BrikksReading | None = None
) -> advice.Choices:
    """What may be done for a roll, as of `Coach`."""
    roll = rolled(said)
    if roll is None:
        raise RollMissing
    if _is_duel(before):
        raise RulesForbid(phrase("advice-duel"))
    state = state_of(before, layout)
    now = None if after is None else state_of(after, layout)
    done = None if now is None else now.crossed - state.crossed
    player = policy.policy_of(state.sheet, level_of(before))
    rng = np.random.default_rng(SEED)
    game, players = games_of([state]), _players(before)
    found = monte_carlo.judged(player, game, roll, players, rng, done)
    if not found:
        raise RulesForbid(phrase("advice-over"))
    told = tuple(_told(each, state) for each in found)
    yours = None
    if now is not None:
        used_bomb = sum(now.bombs) > sum(state.bombs)
        same = [each for each in told if (frozenset(each.cells), each.bomb) == (done, used_bomb)]
        yours = same[0] if same else None
    again = monte_carlo.rolled_again(player, game, found[0], players, rng) if players > 1 else None
    return advice.Choices(told, yours, None if again is None else _told(again, state))


def judged_placement(
    before: BrikksReading, layout: Layout, turn: TurnVerdict, points: int
) -> JudgedTurn | None:
    """How good the place of a block was, among all places of that block and a bomb.

    What was rolled no photo shows: the energy that the turn paid is paid in all of them, and other
    blocks that more energy would have brought are left out. None for what was not rolled, the start
    block, and where what was paid is not plain. points: of the turn.
    """
    state, level = state_of(before, layout), level_of(before)
    paid = costs_paid(turn, state, level)
    if turn.added is None or not state.crossed or _is_duel(before) or len(paid) != 1:
        return None
    kind = kinds_of(turn.added, state.sheet)[0]
    roll = Roll(kind.color, kind.columns[0])
    game = games_of([state])
    game = replace(game, energy=game.energy - paid[0])
    rng = np.random.default_rng(SEED)
    player = policy.policy_of(state.sheet, level)
    found = monte_carlo.judged(player, game, roll, _players(before), rng, turn.added, pays=0)
    told = [_told(each, state) for each in found]
    yours = next((each for each in told if frozenset(each.cells) == turn.added), None)
    if yours is None:
        return None
    best, sheet = told[0], phrase("the-sheet")
    found_turn = JudgedTurn("sheet", sheet, points, expected=yours.value)
    if yours is best or not yours.is_clear:
        return found_turn
    return replace(
        found_turn,
        better=best.told,
        points=-yours.difference,
        margin=yours.margin,
        content=best.to_dict(),
    )


def rolls(layout: Layout) -> list[tuple[str, Phrase, int]]:
    """The colours of the one die, with the highest number of the other."""
    blocks = sheet_of(layout).blocks
    return [(color, phrase(color), len(shapes)) for color, shapes in blocks.items()]


def rolled(said: TurnSaid) -> Roll | None:
    """What was rolled; raises RollUnknown."""
    highest = {color: len(shapes) for color, shapes in load_sheet().blocks.items()}
    found = advice.rolled(said, highest, phrase)
    return found and Roll(*found)


def _told(judged: monte_carlo.Judged, state: SheetState) -> advice.Choice:
    turn = judged.turn
    cells: tuple[Cell, ...] = ()
    told = phrase("advice-bomb" if judged.bomb else "advice-out")
    cost = 0
    if turn is not None:
        cells, cost = tuple(sorted(turn.cells)), turn.option.cost
        told = block_words(turn.cells, state.sheet)
        if cost:
            told = phrase("advice-energy", block=told, cost=energy_points(cost))
    ahead = dict(zip(monte_carlo.PARTS, judged.ahead, strict=True))
    where = f"bomb {sum(state.bombs)}" if judged.bomb else ""
    return advice.Choice(
        told, cells, cost, judged.bomb, judged.value, ahead, judged.error, where=where
    )


def _is_duel(reading: BrikksReading) -> bool:
    return reading.assumed.get("variant") == (Variant.DUEL,)


def _players(reading: BrikksReading) -> int:
    """How many play: where that is open, two, or the fewest that it can be beyond one."""
    possible = reading.assumed.get("players", (2,))
    return min((int(each) for each in possible), key=lambda n: (n == 1, n))


CAUSES = {
    "row": phrase("points-rows"),
    "bonus": phrase("points-bonus"),
    "energy": phrase("points-energy"),
    "bombs": phrase("points-bombs"),
}
coach = advice.Coach(CAUSES, lost, order, advise, rolls, expected)
