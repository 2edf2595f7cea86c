"""What the print of a Brikks sheet means: rows and their points, circles, bars, bombs, blocks.

Data of a layout's part ``printed``; no coordinates. Cells are (row, column) from 0 at the grid's
top left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from brikks_vision.layout import CELL, Cell, Layout, load_layout


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


@cache
def load_sheet(layout: str = "brikks") -> Sheet:
    """The sheet of a layout by its name; raises LayoutUnknown."""
    return parse_sheet(load_layout(layout))
