"""What a printed sheet looks like: data that is read from ``layouts/*.json``, never in code.

Unit: one grid cell. Frame: the sheet frame, origin at the grid's outer top-left corner, x to the
right, y down. Cells are (row, column), counted from 0 at the top left.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

Cell = tuple[int, int]
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """An axis-parallel rectangle in the sheet frame, in cells."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the top left."""
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )


@dataclass(frozen=True)
class Zone:
    """Rows ``first`` to ``last`` (inclusive) printed on one ground colour."""

    first: int
    last: int
    color: str


@dataclass(frozen=True)
class Grid:
    rows: int
    columns: int
    line_width: float
    row_factors: tuple[int, ...]
    zones: tuple[Zone, ...]

    @property
    def box(self) -> Box:
        return Box(0.0, 0.0, float(self.columns), float(self.rows))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple((row, column) for row in range(self.rows) for column in range(self.columns))


@dataclass(frozen=True)
class Circle:
    """A coloured circle printed in a grid cell."""

    color: str
    cell: Cell


@dataclass(frozen=True)
class EnergyBar:
    """Points are activated in the order of ``centres``.

    ``move_cost``: points that move the block one column in the overview; ``any_block_cost``:
    points that take any block.
    """

    centres: tuple[Point, ...]
    radius: float
    preprinted: tuple[int, ...]
    labels: dict[int, str]
    bonus_points: tuple[int, ...]
    points_per_score: int
    move_cost: int
    any_block_cost: int


@dataclass(frozen=True)
class BonusBar:
    """Boxes crossed from the left; ``values[n]`` counts after n crosses.

    ``crosses_for_rows``: crosses by the number of rows that one block finishes.
    """

    centres: tuple[Point, ...]
    box: tuple[float, float]
    values: tuple[int, ...]
    crosses_for_rows: dict[int, int]


@dataclass(frozen=True)
class Bombs:
    centres: tuple[Point, ...]
    radius: float
    points: tuple[int, ...]


@dataclass(frozen=True)
class Markers:
    """Fiducials on sheets that this project prints; ``centres`` clockwise from the top left.

    The n-th sheet on a page bears the ids ``4 n`` to ``4 n + 3``.
    """

    dictionary: str
    size: float
    centres: tuple[Point, ...]


@dataclass(frozen=True)
class Printed:
    """Print that is decoration for a reader of marks but has a place on the sheet."""

    multipliers: tuple[float, float]
    legend: tuple[float, float]
    screen: Box


@dataclass(frozen=True, eq=False)  # each is loaded once: told apart, and hashed, by identity
class SheetDefinition:
    name: str
    title: str
    page: Box
    reading_area: Box
    grid: Grid
    row_points: dict[int, int]
    circles: tuple[Circle, ...]
    circle_diameter: float
    score_strip: Box
    total_field: Box | None
    energy: EnergyBar
    bonus: BonusBar
    bombs: Bombs
    printed: Printed
    markers: Markers
    colors: dict[str, str]
    blocks: dict[str, tuple[tuple[Cell, ...], ...]]

    @property
    def marked_area(self) -> Box:
        """The smallest box around everything that a reading needs."""
        energy, bonus, bombs = self.energy, self.bonus, self.bombs
        boxes = [self.grid.box, self.score_strip]
        boxes += [_around(centre, energy.radius, energy.radius) for centre in energy.centres]
        boxes += [_around(centre, bonus.box[0] / 2, bonus.box[1] / 2) for centre in bonus.centres]
        boxes += [_around(centre, bombs.radius, bombs.radius) for centre in bombs.centres]
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )


def _around(centre: Point, half_width: float, half_height: float) -> Box:
    x, y = centre
    return Box(x - half_width, y - half_height, x + half_width, y + half_height)


def _box(data: dict[str, Any]) -> Box:
    return Box(data["x"][0], data["y"][0], data["x"][1], data["y"][1])


def _points(data: list[list[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in data)


def parse_sheet(data: dict[str, Any]) -> SheetDefinition:
    """A sheet definition from the decoded JSON of a file in ``layouts/``."""
    grid, energy, bonus = data["grid"], data["energy"], data["bonus"]
    bombs, markers, printed = data["bombs"], data["markers"], data["printed"]
    return SheetDefinition(
        name=data["name"],
        title=data["title"],
        page=_box(data["page"]),
        reading_area=_box(data["reading_area"]),
        grid=Grid(
            grid["rows"],
            grid["columns"],
            grid["line_width"],
            tuple(grid["row_factors"]),
            tuple(Zone(z["rows"][0], z["rows"][1] - 1, z["color"]) for z in grid["zones"]),
        ),
        row_points={int(count): points for count, points in data["row_points"].items()},
        circles=tuple(
            Circle(c["color"], (c["row"], c["column"])) for c in data["circles"]["cells"]
        ),
        circle_diameter=data["circles"]["diameter"],
        score_strip=_box(data["score_strip"]),
        total_field=_box(data["total_field"]) if "total_field" in data else None,
        energy=EnergyBar(
            _points(energy["centres"]),
            energy["radius"],
            tuple(energy["preprinted"]),
            {int(point): label for point, label in energy["labels"].items()},
            tuple(energy["bonus_points"]),
            energy["points_per_score"],
            energy["move_cost"],
            energy["any_block_cost"],
        ),
        bonus=BonusBar(
            _points(bonus["centres"]),
            (bonus["box"][0], bonus["box"][1]),
            tuple(bonus["values"]),
            {int(rows): crosses for rows, crosses in bonus["crosses_for_rows"].items()},
        ),
        bombs=Bombs(_points(bombs["centres"]), bombs["radius"], tuple(bombs["points"])),
        printed=Printed(
            (printed["multipliers"]["x"][0], printed["multipliers"]["x"][1]),
            (printed["legend"]["y"][0], printed["legend"]["y"][1]),
            _box(printed["screen"]),
        ),
        markers=Markers(markers["dictionary"], markers["size"], _points(markers["centres"])),
        colors=dict(data["colors"]),
        blocks={
            color: tuple(tuple((r, c) for r, c in shape) for shape in shapes)
            for color, shapes in data["blocks"].items()
        },
    )


@cache
def load_sheet(name: str = "brikks") -> SheetDefinition:
    """The packaged sheet definition of that name.

    Raises
    ------
    FileNotFoundError
        No definition of that name is packaged.
    """
    text = resources.files("brikks_vision").joinpath("layouts", f"{name}.json").read_text("utf-8")
    return parse_sheet(json.loads(text))
