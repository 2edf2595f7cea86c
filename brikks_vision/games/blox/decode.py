"""The most probable position that the rules' material allows, from what the network sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.blox import field_evidence
from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.position import FIELDS, Board, Position, Thing, Tower, index

Array = NDArray[np.float64]

PAWNS = tuple(material.PawnColor)
THINGS = 1 + len(PAWNS) + field_evidence.HEIGHTS
"""Things that can stand on a field: nothing, a pawn of each colour, a tower of each height."""
FIRST_TOWER = 1 + len(PAWNS)

FORBIDDEN = -1e9
MAX_REGRET = 1e6  # beyond it all that is left is forbidden
SURE_DIFFERENCE = 6.0
"""`disagreement` on a field from which two photos show different positions. Measured on photos of
30 followed games (seeds 61101 and 61102): it was exceeded in 3 of 106 pairs of one position, and in
374 of 412 pairs with a turn between them; with 5, in 6 and 390."""
MIN_SHOWN = 0.0  # logit above which a block counts as one that shows
TOLD_COLOR = 0.985
"""The probability of a block's colour below which the block counts as one that does not show: of 20
boards by another renderer 12 of 341 blocks seen from above were told wrongly from 0.97 on."""


@dataclass(frozen=True)
class Decoded:
    """A position and how sure each field is.

    log_chances: (81, THINGS). expected: the same before the fields are looked at, so that
    ``log_chances - expected`` is what the photo shows. chosen: (81,), of THINGS. color_chances: by
    field of a tower, of each block's colour, bottom-up, 0 for one that is not told. block_colors,
    shown: as of `FieldEvidence`. seen: ``log_chances`` without what was said. is_said: (81,).
    """

    position: Position
    log_chances: Array
    expected: Array
    chosen: NDArray[np.int64]
    color_chances: Mapping[material.Field, tuple[float, ...]]
    block_colors: Array
    shown: Array
    seen: Array
    is_said: NDArray[np.bool_]

    @property
    def confidences(self) -> Array:
        """(81,), the probability of what was chosen on each field."""
        return np.asarray(np.exp(self.log_chances[np.arange(len(FIELDS)), self.chosen]))

    @property
    def chance(self) -> float:
        return float(np.exp(np.log(np.maximum(self.confidences, 1e-12)).sum()))


def decode(
    evidence: field_evidence.FieldEvidence,
    board: Board,
    answers: Mapping[material.Field, Thing | None],
) -> Decoded:
    """The most probable position.

    answers: what the user says stands on some fields; it is kept whatever it breaks.
    """
    seen = evidence.things
    expected = field_evidence.expected_by_squares(seen, board.squares)
    by_photo = field_evidence.by_squares(seen, expected)
    log_chances = by_photo.copy()
    is_said = np.zeros(len(FIELDS), np.bool_)
    for field, thing in answers.items():
        row = np.full(THINGS, FORBIDDEN)
        row[place_of_thing(thing)] = 0.0
        log_chances[index(field)], expected[index(field)] = row, 0.0
        is_said[index(field)] = True
    chosen = _possible(log_chances, is_said)
    colors, chances = _block_colors(evidence, chosen, answers)
    things: dict[material.Field, Thing | None] = {}
    for field in FIELDS:
        place = int(chosen[index(field)])
        if place >= FIRST_TOWER:
            things[field] = Tower(colors[field], material.chip_for(place - FIRST_TOWER + 1))
        elif place:
            things[field] = PAWNS[place - 1]
    position = Position(board).with_things(things)
    shown = evidence.block_colors, evidence.shown, by_photo, is_said
    return Decoded(position, log_chances, expected, chosen, chances, *shown)


def of_things(evidence: field_evidence.FieldEvidence, board: Board) -> Array:
    """How probable each thing is on each field, (81, THINGS), log."""
    seen = evidence.things
    return field_evidence.by_squares(seen, field_evidence.expected_by_squares(seen, board.squares))


def disagreement(one: field_evidence.FieldEvidence, other: field_evidence.FieldEvidence) -> Array:
    """How much less probable each field is if both photos show the same thing there, (81,), log."""
    first, second = one.things, other.things
    return np.asarray(first.max(axis=1) + second.max(axis=1) - (first + second).max(axis=1))


def place_of_thing(thing: Thing | None) -> int:
    """The number of a thing, 0 to ``THINGS`` - 1."""
    if thing is None:
        return 0
    if isinstance(thing, Tower):
        return FIRST_TOWER + min(thing.height, field_evidence.HEIGHTS) - 1
    return field_evidence.KINDS.index(thing)


def _possible(log_chances: Array, is_said: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The most probable things that there are enough of in the box, (81,).

    What there is too much of gives way where that costs least, but not where a person said it.
    """
    chosen = log_chances.argmax(axis=1)
    allowed = log_chances.copy()
    rows = np.arange(len(chosen))
    while True:
        counts = np.bincount(chosen, minlength=THINGS)
        too_many = np.flatnonzero(counts[:FIRST_TOWER] > material.PAWNS_OF_A_COLOR)
        among = np.isin(chosen, too_many[too_many > 0]) & ~is_said
        if not among.any():
            break  # or answers say more than there is
        place = int(chosen[among][0])
        allowed = _give_way(allowed, chosen, (chosen == place) & ~is_said, place)
        chosen = allowed.argmax(axis=1)
    blocks = np.maximum(0, np.arange(THINGS) - FIRST_TOWER + 1)
    while (total := int(blocks[chosen].sum())) > material.BLOCKS:
        lower = np.where(blocks[None] < blocks[chosen][:, None], allowed, FORBIDDEN)
        pawns = np.bincount(chosen, minlength=THINGS)[1:FIRST_TOWER]
        lower[:, 1:FIRST_TOWER][:, pawns >= material.PAWNS_OF_A_COLOR] = FORBIDDEN
        other = lower.argmax(axis=1)
        saved = np.minimum(blocks[chosen] - blocks[other], total - material.BLOCKS)
        regret = (allowed[rows, chosen] - lower.max(axis=1)) / np.maximum(saved, 1)
        regret[(saved <= 0) | is_said] = np.inf
        field = int(regret.argmin())
        if not np.isfinite(regret[field]):
            break
        allowed[field, chosen[field]] = FORBIDDEN
        chosen[field] = other[field]
    return np.asarray(chosen)


def _give_way(
    allowed: Array, chosen: NDArray[np.int64], among: NDArray[np.bool_], place: int
) -> Array:
    """Forbids one of these fields what it was read as, where the next best costs least."""
    rows = np.arange(len(chosen))
    without = allowed.copy()
    without[:, place] = FORBIDDEN
    regret = np.where(among, allowed[rows, chosen] - without.max(axis=1), np.inf)
    changed = allowed.copy()
    changed[int(regret.argmin()), place] = FORBIDDEN
    return changed


def _block_colors(
    evidence: field_evidence.FieldEvidence,
    chosen: NDArray[np.int64],
    answers: Mapping[material.Field, Thing | None],
) -> tuple[
    dict[material.Field, tuple[material.Color | None, ...]], dict[material.Field, tuple[float, ...]]
]:
    """The colours of the blocks of each tower, bottom-up, None where one does not show clearly."""
    names = tuple(material.Color)
    given = {field: thing for field, thing in answers.items() if isinstance(thing, Tower)}
    blocks: list[tuple[material.Field, int]] = []
    for field in FIELDS:
        height = int(chosen[index(field)]) - FIRST_TOWER + 1
        if field in given:
            continue
        # The uppermost block always shows.
        blocks += [
            (field, level)
            for level in range(max(0, height))
            if level == height - 1 or evidence.shown[index(field), level] > MIN_SHOWN
        ]
    logs = np.array([evidence.block_colors[index(field), level] for field, level in blocks])
    best = logs.argmax(axis=1) if len(blocks) else np.zeros(0, int)
    counted = [color for thing in given.values() for color in thing.seen]
    left = np.array([max(0, material.BLOCKS_OF_A_COLOR - counted.count(color)) for color in names])
    while len(blocks) and (over := np.bincount(best, minlength=len(names)) > left).any():
        place = int(over.argmax())
        without = logs.copy()
        without[:, place] = FORBIDDEN
        regret = np.where(best == place, logs[:, place] - without.max(axis=1), np.inf)
        weakest = int(regret.argmin())
        if regret[weakest] > MAX_REGRET:
            break  # answers say more than there is
        logs[weakest, place] = FORBIDDEN
        best[weakest] = logs[weakest].argmax()
    colors: dict[material.Field, tuple[material.Color | None, ...]] = {}
    chances: dict[material.Field, tuple[float, ...]] = {}
    for field in FIELDS:
        height = int(chosen[index(field)]) - FIRST_TOWER + 1
        if height <= 0:
            continue
        if field in given:
            colors[field] = given[field].blocks
            chances[field] = (1.0,) * height
            continue
        of_tower: list[material.Color | None] = [None] * height
        sure = [0.0] * height
        for (own, level), kind, row in zip(blocks, best, logs, strict=True):
            if own == field:
                chance = float(np.exp(row[kind] - np.logaddexp.reduce(row)))
                if chance >= TOLD_COLOR:
                    of_tower[level], sure[level] = names[int(kind)], chance
        colors[field], chances[field] = tuple(of_tower), tuple(sure)
    return colors, chances
