"""What the rules of BLOX ask of a position and of an action, and the phases of a game.

All of it holds for a position from a photo, too: a hidden block breaks a rule only if it would
whatever its colour.

The four phases: which towers may be cleared and built, and when the next one begins.

In phase p towers of up to p may be cleared and towers of exactly p + 1 are built (published rules,
"Phases").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.position import (
    Position,
    Tower,
    Way,
    entries,
    walled_in,
    way_to,
)
from brikks_vision.text.phrases import Told


class Rule(StrEnum):
    """The codes of the reading's contract."""

    TOO_HIGH = "too-high"
    TOO_MANY_PAWNS = "too-many-pawns"
    WRONG_CHIP = "wrong-chip"
    ILLEGAL_MOVE = "illegal-move"


@dataclass(frozen=True)
class Violation(Told):
    """One broken rule.

    where: fields of the board. told: what the players are told. confidence: 0 to 1; the rules alone
    are certain, a reading multiplies in how sure it is of what stands there.
    """

    rule: Rule
    where: tuple[material.Field, ...]
    told: material.Phrase
    confidence: float = 1.0

    @property
    def part(self) -> str:
        """The part of the board that it shows in: there is only one."""
        return "board"


def referee(position: Position) -> tuple[Violation, ...]:
    """The rules that a position breaks.

    Blocks that do not show count as blocks, of no colour; a chip that is not seen breaks no rule.
    """
    return (
        *_judge_heights(position),
        *_judge_blocks(position),
        *_judge_pawns(position),
        *_judge_chips(position),
    )


def _judge_heights(position: Position) -> Iterator[Violation]:
    for field, tower in position.towers.items():
        if tower.height > material.MAX_HEIGHT:
            yield Violation(
                Rule.TOO_HIGH,
                (field,),
                material.phrase(
                    "too-high",
                    field=material.field_words(field),
                    height=tower.height,
                    most=material.MAX_HEIGHT,
                ),
            )


def _judge_blocks(position: Position) -> Iterator[Violation]:
    towers = position.towers
    total = sum(tower.height for tower in towers.values())
    if total > material.BLOCKS:
        told = material.phrase("too-many-blocks", blocks=total, most=material.BLOCKS)
        yield Violation(Rule.TOO_HIGH, tuple(towers), told)
    for color in material.Color:
        counts = {field: tower.seen.count(color) for field, tower in towers.items()}
        seen = sum(counts.values())
        if seen > material.BLOCKS_OF_A_COLOR:
            yield Violation(
                Rule.TOO_HIGH,
                tuple(field for field, count in counts.items() if count),
                material.phrase(
                    "too-many-blocks-of-a-color",
                    color=material.color_words(color),
                    blocks=seen,
                    most=material.BLOCKS_OF_A_COLOR,
                ),
            )


def _judge_pawns(position: Position) -> Iterator[Violation]:
    for pawn in material.PawnColor:
        fields = position.pawns_of(pawn)
        if len(fields) > material.PAWNS_OF_A_COLOR:
            told = material.phrase(
                "too-many-pawns",
                pawns=material.pawns_words(pawn),
                number=len(fields),
                most=material.PAWNS_OF_A_COLOR,
            )
            yield Violation(Rule.TOO_MANY_PAWNS, fields, told)


def _judge_chips(position: Position) -> Iterator[Violation]:
    for field, tower in position.towers.items():
        if tower.chip is None or tower.chip == material.chip_for(tower.height):
            continue
        key = "wrong-chip" if material.chip_for(tower.height) else "chip-too-much"
        told = material.phrase(
            key, field=material.field_words(field), chip=tower.chip, height=tower.height
        )
        yield Violation(Rule.WRONG_CHIP, (field,), told)


PHASES = (1, 2, 3, 4)
LAST_PHASE = 4


def height_to_build(phase: int) -> int:
    return phase + 1


def is_phase_over(position: Position, phase: int) -> bool:
    """Whether at most one tower of the greatest height that may be cleared is left."""
    return position.towers_of(phase) <= 1


def phase_after(position: Position, phase: int) -> int:
    """The phase that a turn leaves, which may be some later one."""
    while phase < LAST_PHASE and is_phase_over(position, phase):
        phase += 1
    return phase


def phases_of(position: Position) -> tuple[int, ...]:
    """The phases in which the towers can stand so; empty where no phase allows them.

    Once a phase is over, no tower of its height is built any more: so in phase p at most one tower
    of each lower height is left, and, but for phase 4, two or more of height p. A tower of 5 is
    built in phase 4 alone. The towers thus leave one phase, unless they are none of a game.
    """
    phase = phase_after(position, 1)
    if position.towers_of(material.MAX_HEIGHT) and phase != LAST_PHASE:
        return ()
    return (phase,)


def known_phase(phase: int) -> int:
    """The phase, if it is one.

    Raises
    ------
    ImpossiblePhaseError
        It is none of 1 to 4.
    """
    if phase not in PHASES:
        raise material.ImpossiblePhaseError(phase)
    return phase


def check_enter(position: Position, pawn: material.PawnColor, target: material.Field) -> None:
    """Whether a pawn of that colour can enter on a field where nothing stands.

    Raises
    ------
    NoPawnLeftError, NoWayInError
    """
    if not position.pawns_left(pawn):
        raise material.NoPawnLeftError(pawn)
    if target not in entries(position):
        raise material.NoWayInError(target)


def check_move(position: Position, start: material.Field, target: material.Field) -> None:
    """Whether the pawn on ``start`` can move to ``target``, where nothing stands.

    Raises
    ------
    NotStraightError, WayBlockedError, NotTheFirstFieldError
    """
    for field in _free_way(position, start, target):
        if position.board.color(field) == position.board.color(target):
            raise material.NotTheFirstFieldError(field, target)


def check_clear(
    position: Position, start: material.Field, target: material.Field, tower: Tower, phase: int
) -> None:
    """Whether the pawn on ``start`` can clear the tower that stands on ``target``.

    Raises
    ------
    NotStraightError, WayBlockedError, TowerTooHighError, TowerColorOnTheWayError,
    EveryColorOnTheWayError
    """
    way = _free_way(position, start, target)
    if tower.height > phase:
        raise material.TowerTooHighError(target, tower.height, phase)
    for field in way:
        if position.board.color(field) in tower.seen:
            raise material.TowerColorOnTheWayError(position.board.color(field), field)
    if tower.hidden and {position.board.color(field) for field in way} == set(material.Color):
        raise material.EveryColorOnTheWayError(target)


def check_build(position: Position, field: material.Field, height: int, phase: int) -> None:
    """Whether a tower of that height can be built where a pawn stands.

    Raises
    ------
    WrongHeightError, TowerWalledInError
    """
    due = height_to_build(phase)
    if height != due:
        raise material.WrongHeightError(height, phase, due)
    closed = walled_in(position, field)
    if closed is not None:
        raise material.TowerWalledInError(closed)


def check_capture(position: Position, start: material.Field, target: material.Field) -> None:
    """Whether the pawn on ``start`` can capture the one of another colour on ``target``.

    Raises
    ------
    NotStraightError, WayBlockedError, PawnColorOnTheWayError
    """
    color = position.board.color(target)
    for field in _free_way(position, start, target):
        if position.board.color(field) == color:
            raise material.PawnColorOnTheWayError(color, field)


def colors_on(position: Position, way: Way) -> set[material.Color]:
    """The colours of the fields that a way goes over before its last one."""
    return {position.board.color(field) for field in way[:-1]}


def _free_way(position: Position, start: material.Field, target: material.Field) -> Way:
    """The fields between two fields, on which nothing stands."""
    way = way_to(start, target)
    if way is None:
        raise material.NotStraightError(start, target)
    for field in way[:-1]:
        if position.at(field) is not None:
            raise material.WayBlockedError(field)
    return way[:-1]
