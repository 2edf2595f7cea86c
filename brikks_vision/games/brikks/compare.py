"""Readings of several photos: the sheets of one game, or one sheet before and after a turn.

They are plain data like a reading, derived from the posteriors of the sheets. As in a reading, a
violation is reported only if the marks that prove it are certain.

A sheet of Brikks followed from photo to photo, one after each turn or after a few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from brikks_vision.codec import plain
from brikks_vision.errors import UnknownValue
from brikks_vision.games.brikks import SETTINGS
from brikks_vision.games.brikks.coach import judged_placement, order, rolled
from brikks_vision.games.brikks.decode import Posterior
from brikks_vision.games.brikks.game import DEFINITION, with_points_off
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.infer import following
from brikks_vision.infer.answers import replay_text
from brikks_vision.infer.certainty import States, judge_with_doubts
from brikks_vision.infer.costs import MAX_OTHER_TOTAL, MIN_TOLD_VIOLATION
from brikks_vision.infer.protocol import Turns, TurnSaid
from brikks_vision.infer.sameness import Outlined, Traces
from brikks_vision.layout import Cell, Layout
from brikks_vision.reading import NO_SETTINGS, GameSettings, Status, ViolationReading
from brikks_vision.rules.brikks.blocks import Block, SheetState, kinds, kinds_of
from brikks_vision.rules.brikks.placement import Part, block_words
from brikks_vision.rules.brikks.scoring import Roll, score
from brikks_vision.rules.brikks.sheet import PLAYERS, Sheet, Variant, phrase, sheet_of
from brikks_vision.rules.brikks.table import judge_table
from brikks_vision.rules.brikks.turn import (
    TurnVerdict,
    is_of_gone,
    judge_out,
    judge_turn,
    orders_between,
)
from brikks_vision.rules.shapes import Violation
from brikks_vision.text.phrases import Phrase, all_of


@dataclass(frozen=True)
class TurnReading:
    """One turn.

    status: OK if the turn and the verdict are sure. photos: names, before and after. color,
    columns, added: the block, by the overview and in words. grid: top row first: "x" crossed
    before, "X" new, "-" gone, "." empty. points: increase of the total.
    """

    status: Status
    photos: tuple[str, str]
    roll: Roll | None
    verdict: TurnVerdict
    color: str | None
    columns: tuple[int, ...]
    added: Phrase | None
    grid: tuple[str, ...]
    points: int
    violations: tuple[ViolationReading, ...]

    @property
    def followed(self) -> dict[str, bool]:
        """By bar, whether its marks follow the turn, as far as this is certain."""
        wrong = {violation.part for violation in self.violations}
        return {str(part): part not in wrong for part in (Part.ENERGY, Part.BONUS, Part.BOMBS)}

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that follows those of the readings, in plain Python types."""
        turn = self.verdict
        added = turn.added and sorted(turn.added)
        told = {
            "status": self.status,
            "photos": self.photos,
            "roll": self.roll,
            "added": added and {"color": self.color, "columns": self.columns, "cells": added},
            "way": turn.way,
            "minis": [sorted(mini) for mini in turn.minis],
            "bombs_used": turn.bombs,
            "costs": turn.costs,
            "circles": turn.circles,
            "rows": turn.rows,
            "energy_circled": turn.circled,
            "energy_crossed_out": turn.crossed_out,
            "crosses_earned": turn.crosses,
            "crosses_added": turn.new_crosses,
            "points": self.points,
            "followed": self.followed,
            "violations": self.violations,
        }
        return {"turn": plain(told)}


@dataclass(frozen=True)
class OutReading:
    """A player who claims to be out. status: OK if the verdict is sure."""

    status: Status
    photo: str
    roll: Roll | None
    violations: tuple[ViolationReading, ...]

    @property
    def is_out(self) -> bool | None:
        """Whether no legal place was left; None if that is not certain."""
        if self.violations:
            return False
        return None if self.roll is None or self.status is not Status.OK else True

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that follows that of the reading, in plain Python types."""
        told = {
            "status": self.status,
            "photos": [self.photo],
            "out": self.is_out,
            "roll": self.roll,
            "violations": self.violations,
        }
        return {"turn": plain(told)}


table = following.table_of(
    lambda known: PLAYERS[Variant(known.get("variant", Variant.STANDARD))],
    lambda states, layout, known: judge_table(states, sheet_of(layout), known.get("variant")),
    lambda result: {"lines": result.score.lines, "rounds": result.rounds},
)


def read_turn(
    photos: tuple[str, str],
    sheets: tuple[Posterior, Posterior],
    roll: Roll | None = None,
    known: GameSettings = NO_SETTINGS,
) -> TurnReading:
    """Judge what was added to a sheet between two photos, before and after.

    Where something hides a part of either, nothing is sure and nothing is held against the player.
    """

    def judge(states: States[SheetState]) -> TurnVerdict:
        then, now = (with_points_off(state, known.get("players")) for state in states if state)
        return judge_turn(then, now, roll, known.get("level"), known.get("variant"))

    judged = judge_with_doubts(sheets, judge)
    turn, sheet = judged.verdict, sheets[0].state.sheet
    found = kinds_of(turn.added, sheet) if turn.added else ()
    totals = [score(sheet.state).total for sheet in sheets]
    is_partly_hidden = any(sheet.hidden for sheet in sheets)
    proven = following.proven_together(judged, lambda verdict: verdict.violations)
    violations = () if is_partly_hidden else proven
    done = _what_was_done(turn)
    same = judged.probability(lambda other: _what_was_done(other) == done)
    is_sure = (
        same >= 1 - MAX_OTHER_TOTAL
        and len(violations) == len(turn.violations)
        and not is_partly_hidden
    )
    return TurnReading(
        status=Status.OK if is_sure else Status.UNCERTAIN,
        photos=photos,
        roll=roll,
        verdict=turn,
        color=found[0].color if found else None,
        columns=found[0].columns if found else (),
        added=block_words(turn.added, sheet) if turn.added else None,
        grid=_new_marks(sheets[0].state, sheets[1].state),
        points=totals[1] - totals[0],
        violations=violations,
    )


def read_out(
    photo: str,
    sheet: Posterior,
    roll: Roll | None = None,
    known: GameSettings = NO_SETTINGS,
) -> OutReading:
    """Judge whether a player had no legal place left."""

    def judge(states: States[SheetState]) -> tuple[Violation, ...]:
        (state,) = (with_points_off(state, known.get("players")) for state in states if state)
        return judge_out(state, roll)

    judged = judge_with_doubts([sheet], judge)
    is_wrong = bool(judged.verdict)
    # Any other legal place, or the same at another cost, proves the same.
    certainty = judged.probability(lambda found: bool(found) == is_wrong)
    if sheet.hidden:  # a block may lie where a place seems to be left
        certainty = 0.0
    told = judged.verdict if certainty >= MIN_TOLD_VIOLATION else ()
    return OutReading(
        status=Status.OK if certainty >= 1 - MAX_OTHER_TOTAL else Status.UNCERTAIN,
        photo=photo,
        roll=roll,
        violations=tuple(ViolationReading.of(each, certainty) for each in told),
    )


def _judge_turn(
    photos: Sequence[str], sheets: Sequence[Posterior], said: TurnSaid, known: GameSettings
) -> TurnReading | OutReading:
    """Whether a turn was legal, or a player had no place left."""
    roll = rolled(said)
    if said.out:
        return read_out(photos[0], sheets[0], roll, known)
    return read_turn((photos[0], photos[1]), (sheets[0], sheets[1]), roll, known)


turns = Turns(rolled, _judge_turn)


def _what_was_done(turn: TurnVerdict) -> tuple[object, ...]:
    marks = turn.circled, turn.crossed_out, turn.new_crosses
    return turn.added, turn.blocks, set(turn.minis), turn.bombs, turn.crosses, marks


def _new_marks(before: SheetState, after: SheetState) -> tuple[str, ...]:
    """The grid, top row first: "x" crossed before, "X" new, "-" gone, "." empty."""

    def sign(cell: Cell) -> str:
        was, is_now = cell in before.crossed, cell in after.crossed
        return {(0, 0): ".", (0, 1): "X", (1, 0): "-", (1, 1): "x"}[was, is_now]

    sheet = before.sheet
    return tuple(
        "".join(sign((row, column)) for column in range(sheet.columns)) for row in range(sheet.rows)
    )


CROSSED = "X"


def _blocks(reading: BrikksReading) -> list[Outlined]:
    return [Outlined(frozenset(block.cells), block.confidence) for block in reading.blocks]


def _marks(reading: BrikksReading) -> frozenset[tuple[object, ...]]:
    """Of the bars. What is used was circled before, or is off."""
    points = [*enumerate(reading.energy)]
    return frozenset(
        [("energy", at) for at, mark in points if mark not in ("open", "?")]
        + [("energy", at, "used") for at, mark in points if mark in ("used", "off")]
        + [("box", at) for at in range(reading.bonus_crosses or 0)]
        + [("bomb", at) for at in range(reading.bombs_used or 0)]
    )


TRACES = Traces(CROSSED, CROSSED, _blocks, _marks)
"""What tells whether two readings are of one sheet (see `brikks_vision.infer.sameness`)."""


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


def follow(shown: Sequence[following.Shown], players: Sequence[str] = ()) -> following.FollowedGame:
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
    seen = following.read_in_order(shown, DEFINITION.read)
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

    def judge(number: int) -> following.JudgedTurn | None:
        step = steps[number]
        if step.turn.status is not Status.OK or step.violations or step.turns != 1:
            return None
        return judged_placement(step.before, layout, step.turn.verdict, step.turn.points)

    return following.FollowedGame(
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


def _told(step: Step) -> following.ToldTurn:
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
        "photos": turn.photos,
        "status": turn.status,
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
    return following.ToldTurn(turn.status, told, step.violations, plain(content), tuple(notes))


def _block_json(block: Block, sheet: Sheet) -> dict[str, Any]:
    kind = kinds_of(block, sheet)[0]
    return {"color": kind.color, "columns": kind.columns, "cells": sorted(block)}
