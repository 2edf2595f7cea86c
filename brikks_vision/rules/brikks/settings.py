"""What the sheet does not say: how many play, at which level, by which variant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import product


class Variant(StrEnum):
    STANDARD = "standard"
    SOLO = "solo"
    DUEL = "duel"


LEVELS = (1, 2, 3, 4)
PLAYERS = {Variant.STANDARD: (2, 3, 4), Variant.SOLO: (1,), Variant.DUEL: (2,)}


@dataclass(frozen=True)
class Setting:
    """One combination of players, level and variant."""

    players: int
    level: int
    variant: Variant


class ImpossibleGameError(ValueError):
    """Players, level and variant do not go together."""

    def __init__(self, players: int | None, level: int | None, variant: str | None) -> None:
        known = ", ".join(
            f"{name} {value}"
            for name, value in (("players", players), ("level", level), ("variant", variant))
            if value is not None
        )
        super().__init__(
            f"There is no such game: {known}. A standard game has 2 to 4 players, solo 1, duel 2; "
            "levels are 1 to 4. Correct it or leave it out."
        )


def settings(
    players: int | None = None, level: int | None = None, variant: str | None = None
) -> tuple[Setting, ...]:
    """Every combination that is possible; standard games first. One player always plays solo.

    Raises
    ------
    ImpossibleGameError
        No game has these players, this level and this variant.
    """
    if players == 1 and variant == Variant.STANDARD:
        variant = Variant.SOLO
    found = tuple(
        Setting(count, rank, game)
        for game in Variant
        for count, rank in product(PLAYERS[game], LEVELS)
        if players in (None, count) and level in (None, rank) and variant in (None, game)
    )
    if not found:
        raise ImpossibleGameError(players, level, variant)
    return found
