"""All that one position proves by itself."""

from __future__ import annotations

from collections.abc import Iterator

from brikks_vision.rules.blox.material import (
    BLOCKS,
    BLOCKS_OF_A_COLOR,
    MAX_HEIGHT,
    PAWNS_OF_A_COLOR,
    Color,
    PawnColor,
    chip_for,
)
from brikks_vision.rules.blox.position import Position
from brikks_vision.rules.blox.violations import Rule, Violation
from brikks_vision.rules.blox.words import color_words, field_words, pawns_words, phrase


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
        if tower.height > MAX_HEIGHT:
            yield Violation(
                Rule.TOO_HIGH,
                (field,),
                phrase("too-high", field=field_words(field), height=tower.height, most=MAX_HEIGHT),
            )


def _judge_blocks(position: Position) -> Iterator[Violation]:
    towers = position.towers
    total = sum(tower.height for tower in towers.values())
    if total > BLOCKS:
        told = phrase("too-many-blocks", blocks=total, most=BLOCKS)
        yield Violation(Rule.TOO_HIGH, tuple(towers), told)
    for color in Color:
        counts = {field: tower.seen.count(color) for field, tower in towers.items()}
        seen = sum(counts.values())
        if seen > BLOCKS_OF_A_COLOR:
            yield Violation(
                Rule.TOO_HIGH,
                tuple(field for field, count in counts.items() if count),
                phrase(
                    "too-many-blocks-of-a-color",
                    color=color_words(color),
                    blocks=seen,
                    most=BLOCKS_OF_A_COLOR,
                ),
            )


def _judge_pawns(position: Position) -> Iterator[Violation]:
    for pawn in PawnColor:
        fields = position.pawns_of(pawn)
        if len(fields) > PAWNS_OF_A_COLOR:
            told = phrase(
                "too-many-pawns",
                pawns=pawns_words(pawn),
                number=len(fields),
                most=PAWNS_OF_A_COLOR,
            )
            yield Violation(Rule.TOO_MANY_PAWNS, fields, told)


def _judge_chips(position: Position) -> Iterator[Violation]:
    for field, tower in position.towers.items():
        if tower.chip is None or tower.chip == chip_for(tower.height):
            continue
        key = "wrong-chip" if chip_for(tower.height) else "chip-too-much"
        told = phrase(key, field=field_words(field), chip=tower.chip, height=tower.height)
        yield Violation(Rule.WRONG_CHIP, (field,), told)
