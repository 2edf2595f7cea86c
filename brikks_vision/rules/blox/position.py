"""What stands on the board: on each field a tower, a pawn or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from brikks_vision.rules.blox.board import FIELDS, Board, index
from brikks_vision.rules.blox.errors import EmptyTowerError
from brikks_vision.rules.blox.material import PAWNS_OF_A_COLOR, Color, Field, PawnColor, chip_for


@dataclass(frozen=True)
class Tower:
    """Blocks on top of each other, and the chip on the uppermost.

    blocks: bottom-up, None for a block whose colour does not show on a photo. chip: its value, None
    where none is seen.

    Raises
    ------
    EmptyTowerError
        There are no blocks.
    """

    blocks: tuple[Color | None, ...]
    chip: int | None = None

    def __post_init__(self) -> None:
        if not self.blocks:
            raise EmptyTowerError

    @property
    def height(self) -> int:
        return len(self.blocks)

    @cached_property
    def seen(self) -> tuple[Color, ...]:
        """The colours that are known, bottom-up."""
        return tuple(color for color in self.blocks if color is not None)

    @property
    def hidden(self) -> int:
        """How many blocks have no known colour."""
        return self.height - len(self.seen)


Thing = Tower | PawnColor


def tower_of(blocks: tuple[Color | None, ...]) -> Tower:
    """A tower with the chip that belongs on it."""
    return Tower(blocks, chip_for(len(blocks)))


@dataclass(frozen=True)
class Position:
    """A board with all that stands on it.

    things: one entry a field, in the order of ``FIELDS``; None where nothing stands.
    """

    board: Board = field(hash=False)
    things: tuple[Thing | None, ...] = (None,) * len(FIELDS)

    def at(self, field: Field) -> Thing | None:
        return self.things[index(field)]

    @cached_property
    def towers(self) -> Mapping[Field, Tower]:
        return {
            place: thing
            for place, thing in zip(FIELDS, self.things, strict=True)
            if isinstance(thing, Tower)
        }

    @cached_property
    def pawns(self) -> Mapping[Field, PawnColor]:
        return {
            place: thing
            for place, thing in zip(FIELDS, self.things, strict=True)
            if isinstance(thing, PawnColor)
        }

    def pawns_of(self, pawn: PawnColor) -> tuple[Field, ...]:
        """Where the pawns of one colour stand, row by row."""
        return tuple(place for place, color in self.pawns.items() if color == pawn)

    def pawns_left(self, pawn: PawnColor) -> int:
        """How many pawns of a colour are not on the board."""
        return max(0, PAWNS_OF_A_COLOR - len(self.pawns_of(pawn)))

    def towers_of(self, height: int) -> int:
        """How many towers are exactly so high."""
        return sum(tower.height == height for tower in self.towers.values())

    def with_things(self, things: Mapping[Field, Thing | None]) -> Position:
        """The position with other things, or nothing, on some fields."""
        changed = list(self.things)
        for place, thing in things.items():
            changed[index(place)] = thing
        return Position(self.board, tuple(changed))
