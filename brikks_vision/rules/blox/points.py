"""What players have won: their chips, added, and who wins ("End" of the published rules)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brikks_vision.rules.blox.errors import (
    BlocksOfSomeError,
    TooManyBlocksError,
    TooManyChipsError,
    TooManyPlayersError,
    UnknownChipError,
)
from brikks_vision.rules.blox.material import (
    BLOCKS_OF_A_COLOR,
    CHIP_VALUES,
    CHIPS,
    Color,
    PawnColor,
)
from brikks_vision.rules.blox.typed import parse_blocks


@dataclass(frozen=True)
class Won:
    """What lies in front of a player. chips: their values."""

    chips: tuple[int, ...] = ()
    blocks: tuple[Color, ...] = ()

    @property
    def points(self) -> int:
        return sum(self.chips)


def parse_won(
    chips: Sequence[Iterable[str]], blocks: Sequence[Iterable[str]] = ()
) -> tuple[Won, ...]:
    """What each player says to have won: "1", "2", "3", "4", "10"; "white", "grey" and so on.

    Raises
    ------
    UnknownChipError, UnknownColorError
    BlocksOfSomeError
        Blocks are told, but not those of each player.
    """
    if blocks and len(blocks) != len(chips):
        raise BlocksOfSomeError(len(chips), len(blocks))
    told = blocks or [()] * len(chips)
    return tuple(
        Won(tuple(map(_chip, values)), parse_blocks(colors))
        for values, colors in zip(chips, told, strict=True)
    )


def _chip(word: str) -> int:
    values = {str(value): value for value in CHIP_VALUES}
    if word.strip() not in values:
        raise UnknownChipError(word)
    return values[word.strip()]


def ranks(players: Sequence[Won]) -> tuple[int, ...]:
    """The place of each player: most points, then most blocks; who ties in both shares it.

    Raises
    ------
    TooManyPlayersError, TooManyChipsError, TooManyBlocksError
        One box holds no such game.
    """
    if len(players) > len(PawnColor):
        raise TooManyPlayersError(len(players))
    chips = sum(len(each.chips) for each in players)
    if chips > CHIPS:
        raise TooManyChipsError(chips)
    for color, count in Counter(block for each in players for block in each.blocks).items():
        if count > BLOCKS_OF_A_COLOR:
            raise TooManyBlocksError(color, count)
    worths = [(each.points, len(each.blocks)) for each in players]
    return tuple(1 + sum(other > worth for other in worths) for worth in worths)
