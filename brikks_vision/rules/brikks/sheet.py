"""What a Brikks sheet says by its print, and what of its game it does not say.

Data of a layout's part ``printed``; no coordinates. Cells are (row, column) from 0 at the grid's
top left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import product

from brikks_vision.layout import CELL, Cell, Layout, load_layout
from brikks_vision.text import phrases
from brikks_vision.text.phrases import Fact, Phrase


@dataclass(frozen=True)
class Circle:
    """A coloured circle printed in a grid cell."""

    color: str
    cell: Cell


@dataclass(frozen=True, eq=False)  # each is parsed once, so compared and hashed by identity
class Sheet:
    """The sheet that a game is played on.

    rows, columns: of the grid. row_factors: by row, top first. row_points: by number of crosses in
    a row. circles: in their order. energy_points: how many there are; activated in their order.
    preprinted: energy points that are printed activated. labels: figures printed in some of them.
    pink_points: those that bear a pink X. points_per_score: unused energy points for one point of
    the score. move_cost: energy points that move the block one column in the overview.
    any_block_cost: those that take any block instead. bonus_values: of the extra-points bar;
    ``bonus_values[n]`` counts after n crosses. crosses_for_rows: extra crosses by the number of
    rows that one block finishes. bomb_points: top first. blocks: of the overview, by colour; one
    shape a column.
    """

    rows: int
    columns: int
    row_factors: tuple[int, ...]
    row_points: Mapping[int, int]
    circles: tuple[Circle, ...]
    energy_points: int
    preprinted: tuple[int, ...]
    labels: Mapping[int, str]
    pink_points: tuple[int, ...]
    points_per_score: int
    move_cost: int
    any_block_cost: int
    bonus_values: tuple[int, ...]
    crosses_for_rows: Mapping[int, int]
    bomb_points: tuple[int, ...]
    blocks: Mapping[str, tuple[tuple[Cell, ...], ...]]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple((row, column) for row in range(self.rows) for column in range(self.columns))


def parse_sheet(layout: Layout) -> Sheet:
    """What the print of a layout means; raises KeyError, ValueError."""
    printed, columns = layout.printed, layout.grid.columns
    energy, bonus = printed["energy"], printed["bonus"]
    return Sheet(
        rows=layout.grid.rows,
        columns=columns,
        row_factors=tuple(printed["row_factors"]),
        row_points={int(count): points for count, points in printed["row_points"].items()},
        circles=tuple(
            Circle(color, divmod(place, columns)) for place, color in layout.fields[CELL].colors
        ),
        energy_points=energy["points"],
        preprinted=tuple(energy["preprinted"]),
        labels={int(point): label for point, label in energy["labels"].items()},
        pink_points=tuple(energy["bonus_points"]),
        points_per_score=energy["points_per_score"],
        move_cost=energy["move_cost"],
        any_block_cost=energy["any_block_cost"],
        bonus_values=tuple(bonus["values"]),
        crosses_for_rows={int(rows): n for rows, n in bonus["crosses_for_rows"].items()},
        bomb_points=tuple(printed["bombs"]),
        blocks={
            color: tuple(tuple((r, c) for r, c in shape) for shape in shapes)
            for color, shapes in printed["blocks"].items()
        },
    )


@lru_cache(maxsize=64)
def sheet_of(layout: Layout) -> Sheet:
    """What the print of a layout means; of one layout always the same sheet."""
    return parse_sheet(layout)


def load_sheet(layout: str = "brikks") -> Sheet:
    """The sheet of a layout by its name; raises LayoutUnknown."""
    return sheet_of(load_layout(layout))


def phrase(key: str, **facts: Fact) -> Phrase:
    """The phrase of Brikks by that key; ``facts`` are put into its template."""
    return phrases.phrase(f"brikks.{key}", **facts)


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
