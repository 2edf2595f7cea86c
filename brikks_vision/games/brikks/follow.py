"""A sheet of Brikks followed from photo to photo, one after each turn or after a few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from brikks_vision.decode.followed import FollowedGame, JudgedTurn, Shown, ToldTurn
from brikks_vision.decode.following import read_in_order
from brikks_vision.decode.notation import replay_text
from brikks_vision.errors import UnknownValue
from brikks_vision.games.brikks.coach import judged_placement, order
from brikks_vision.games.brikks.compare import TurnReading, read_turn
from brikks_vision.games.brikks.compose import read
from brikks_vision.games.brikks.posterior import Posterior
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.games.brikks.settings import SETTINGS
from brikks_vision.layout import Layout
from brikks_vision.reading import Status, ViolationReading
from brikks_vision.rules.brikks.blocks import kinds, kinds_of
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Block
from brikks_vision.rules.brikks.turn import is_of_gone, orders_between
from brikks_vision.rules.brikks.violations import Part, block_words
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.text.phrases import Phrase, all_of

MAX_ORDERED = 5
"""Blocks between two photos whose orders are looked for: at most 120 of them."""


@dataclass(frozen=True)
class Step:
    """What was done between two photos.

    before: the reading of the first one. sheet: its print. blocks: in an order in which they can
    have been entered; is_only_order: whether there is no other. turns: how many there were at
    least. crosses: new ones in the grid. violations: what surely is against the rules, whichever
    turns there were.
    """

    before: BrikksReading
    sheet: Sheet
    turn: TurnReading
    blocks: tuple[Block, ...]
    is_only_order: bool
    turns: int
    crosses: int
    violations: tuple[ViolationReading, ...]


def follow(shown: Sequence[Shown], players: Sequence[str] = ()) -> FollowedGame:
    """The game of one player, as of `Follow`.

    Raises
    ------
    PhotosOutOfOrder, PhotoOfAnother
    UnknownValue
        Players are named, of whom a sheet tells nothing.
    """
    if players:
        raise UnknownValue("players", ", ".join(players), ", ".join(map(str, SETTINGS[0].values)))
    layout: Layout = shown[0].layout
    seen = read_in_order(shown, read)
    steps = [
        _step(before, after, one.evidence.known)
        for (before, after), one in zip(pairwise(seen), shown, strict=False)
    ]
    first = seen[0][1].state
    start = order(seen[0][0], layout) or tuple(
        first.crossed for _ in kinds_of(first.crossed, first.sheet)[:1]
    )
    filled = (*start, *(block for step in steps for block in step.blocks))
    is_whole = frozenset().union(*filled) == seen[-1][1].state.crossed
    filled = filled if is_whole else order(seen[-1][0], layout)
    grid = layout.grid

    def judge(number: int) -> JudgedTurn | None:
        step = steps[number]
        if step.turn.status is not Status.OK or step.violations or step.turns != 1:
            return None
        return judged_placement(step.before, layout, step.turn.verdict, step.turn.points)

    return FollowedGame(
        readings=tuple(reading for reading, _ in seen),
        turns=tuple(map(_told, steps)),
        content={"notation": replay_text(filled, grid.rows, grid.columns)},
        judge=judge,
        order=filled,
    )


def _step(
    before: tuple[BrikksReading, Posterior], after: tuple[BrikksReading, Posterior], known: Any
) -> Step:
    (was, then), (now, posterior) = before, after
    turn = read_turn((was.photo, now.photo), (then, posterior), None, known)
    blocks, first = turn.verdict.blocks, then.state
    added = len(posterior.state.crossed - first.crossed)
    minis = sum(map(len, turn.verdict.minis))
    size = max(len(kind.shape) for kind in kinds(first.sheet))
    turns = max(len(blocks), (added - minis) // size) + turn.verdict.bombs
    violations = turn.violations if turn.status is Status.OK else ()
    orders: list[tuple[Block, ...]] = []
    if len(blocks) <= MAX_ORDERED:
        orders = list(islice(orders_between(first, blocks), 2))
    if turns > 1:  # none of which is known well enough to be judged
        violations = tuple(each for each in violations if each.told and is_of_gone(each.told))
    elif not first.crossed:  # the energy bar is set up by the number of players then
        violations = tuple(each for each in violations if each.part != Part.ENERGY)
    entered = orders[0] if orders else blocks
    return Step(was, first.sheet, turn, entered, len(orders) == 1, turns, added, violations)


def _told(step: Step) -> ToldTurn:
    turn, verdict = step.turn, step.turn.verdict
    sheet = step.sheet
    done = [block_words(block, sheet) for block in step.blocks]
    if not done and step.crosses > len(verdict.minis):  # in no outline that shows
        done = [phrase("crosses", count=step.crosses)]
    counts = {
        "bomb-used": verdict.bombs,
        "minis-added": len(verdict.minis),
        "energy-circled": verdict.circled,
        "energy-crossed-out": verdict.crossed_out,
        "bonus-crossed": verdict.new_crosses,
    }
    marks = [phrase(key, count=count) for key, count in counts.items() if count > 0]
    notes: list[Phrase] = []
    if step.turns > 1:
        key = "turns-in-order" if step.is_only_order else "turns-in-any-order"
        notes.append(phrase(key, count=step.turns))
    content = {
        "photos": list(turn.photos),
        "status": str(turn.status),
        "blocks": [_block_json(block, sheet) for block in step.blocks],
        "in_order": step.is_only_order,
        "energy": verdict.circled,
        "spent": verdict.crossed_out,
        "bonus": verdict.new_crosses,
        "bombs": verdict.bombs,
        "points": turn.points,
    }
    told = phrase("done-nothing")
    if done and marks:
        told = phrase("done-and-marked", what=all_of(done), marks=all_of(marks))
    elif done or marks:
        told = phrase("done", what=all_of(done or marks))
    return ToldTurn(turn.status, told, step.violations, content, tuple(notes))


def _block_json(block: Block, sheet: Sheet) -> dict[str, Any]:
    kind = kinds_of(block, sheet)[0]
    cells = [list(cell) for cell in sorted(block)]
    return {"color": kind.color, "columns": list(kind.columns), "cells": cells}
