"""Where marks can stand on a printed sheet: data of ``layouts/*.json``, never written in code.

A layout says where marks can stand and what is printed there, for code that looks at pixels. The
meaning of the print is the game's own (see ``rules/<game>/sheet.py``, which parses
`Layout.printed`). Two printings of one game are two layouts.

A printing that the package does not know is learnt from a photo (`brikks_vision.learn`). Its layout
also holds the rectified picture of its empty sheet, and travels as a file, a sheet definition.

Unit: one grid cell. Frame: the sheet frame, origin at the grid's outer top-left corner, x to the
right, y down. Cells are (row, column), counted from 0 at the top left.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from dataclasses import field as with_default
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Protocol

from brikks_vision import codec
from brikks_vision.codec import OMITTED, Length, Matching, Within
from brikks_vision.errors import LayoutUnknown
from brikks_vision.layout.definition import (
    VERSION,
    Color,
    Count,
    Few,
    Finder,
    Many,
    Number,
    Share,
    SheetName,
    Side,
    Value,
    Word,
    finder_of,
)

Cell = tuple[int, int]
Point = tuple[float, float]

CELL, VERTICAL, HORIZONTAL = "cell", "vertical", "horizontal"
"""Fields of every layout: the cells of the grid, and their vertical and horizontal edges."""

_FOLDER = Path(__file__).parents[1] / "layouts"  # those that the package brings

GRID = "grid"
"""What a doubt about the size or the place of the whole grid is called."""


class Mark(StrEnum):
    """What a hand can draw at a place."""

    CROSS = "cross"
    LINE = "line"
    RING = "ring"
    FILL = "fill"


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

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, x: float, y: float | None = None) -> Box:
        """With ``x`` cells more at the left and right, ``y`` at top and bottom; None: as many.

        Negative ones shrink it.
        """
        y = x if y is None else y
        return Box(self.left - x, self.top - y, self.right + x, self.bottom + y)

    def to_dict(self) -> codec.JsonObject:
        return {"x": [self.left, self.right], "y": [self.top, self.bottom]}

    @classmethod
    def from_json(cls, data: object) -> Box:
        sides = codec.read(_Sides, data)
        return cls(sides.x[0], sides.y[0], sides.x[1], sides.y[1])


@dataclass(frozen=True)
class _Sides:
    """A box as definitions hold it: from where to where."""

    x: tuple[Number, Number]
    y: tuple[Number, Number]

    def __post_init__(self) -> None:
        for name, (low, high) in (("x", self.x), ("y", self.y)):
            if not low < high:
                raise ValueError(name)


def bounds(boxes: Iterable[Box]) -> Box:
    """The smallest box around at least one box."""
    lefts, tops, rights, bottoms = zip(
        *((box.left, box.top, box.right, box.bottom) for box in boxes), strict=True
    )
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


@dataclass(frozen=True)
class Zone:
    """Rows printed on one ground colour; rows: the first, and that after the last."""

    rows: tuple[Count, Count]
    color: Word

    @property
    def first(self) -> int:
        return self.rows[0]

    @property
    def last(self) -> int:
        return self.rows[1] - 1


@dataclass(frozen=True)
class Grid:
    """The lattice of cells; one of no rows on a sheet whose places make none."""

    rows: Count
    columns: Count
    line_width: Number
    zones: Annotated[tuple[Zone, ...], Length(0, 50)] = ()

    def __post_init__(self) -> None:
        if self.rows and not self.columns:
            raise ValueError("columns")
        if any(not zone.rows[0] < zone.rows[1] <= self.rows for zone in self.zones):
            raise ValueError("zones")

    @property
    def box(self) -> Box:
        return Box(0.0, 0.0, float(self.columns), float(self.rows))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple((row, column) for row in range(self.rows) for column in range(self.columns))


Drawn = Mapping[str, float]
"""What a template draws at a place: shapes ("ring", "bold ring", "disc", "cross", "box") and their
widths in cells. The height of a box is its field's; "line" is the width of a box's line, in cells.
"""


@dataclass(frozen=True)
class Field:
    """Places of one kind, where the same marks can stand.

    centres: of the places, in cells. size: width and height of a place, in cells. shape: of an
    array with one entry for each place. marks: that can be drawn there; a line before a figure is
    its minus sign. prints: by place; places with equal numbers have equal print, so that their
    patches can be compared. drawn: by print, what a template shows. colors: of coloured print, as
    places (from 0) and names of the layout's colours. values: by place, the number that a mark
    there stands for; empty if marks stand for no number.
    """

    name: str
    centres: tuple[Point, ...]
    size: tuple[float, float]
    shape: tuple[int, ...]
    marks: tuple[str, ...]
    prints: tuple[int, ...]
    drawn: tuple[Drawn, ...]
    colors: tuple[tuple[int, str], ...] = ()
    values: tuple[int, ...] = ()

    def to_dict(self) -> codec.JsonObject:
        shape = self.shape if len(self.shape) > 1 else ()
        marks = tuple(map(Mark, self.marks))
        of_each = (self.prints, self.drawn, self.values)
        return codec.plain_fields(_Places(self.centres, self.size, shape, marks, *of_each))

    @classmethod
    def from_json(cls, data: object) -> Field:
        """A field, which its name is put to."""
        told = codec.read(_Places, data)
        count = len(told.centres)
        prints = (0,) * count if told.prints is None else told.prints
        parts = (told.shape or (count,), told.marks, prints, told.drawn)
        return cls("", told.centres, told.size, *parts, values=told.values)

    @property
    def radius(self) -> float:
        """Half the width of a place."""
        return self.size[0] / 2

    @property
    def box(self) -> Box:
        """The smallest box around all places."""
        half_width, half_height = self.size[0] / 2, self.size[1] / 2
        return Box(
            min(x for x, _ in self.centres) - half_width,
            min(y for _, y in self.centres) - half_height,
            max(x for x, _ in self.centres) + half_width,
            max(y for _, y in self.centres) + half_height,
        )


Spot = tuple[Number, Number]
Marks = Annotated[tuple[Mark, ...], Length(0, len(Mark))]
Prints = Annotated[tuple[Few[Number], ...], Length(1, 100)]


@dataclass(frozen=True)
class _Places:
    """A field as definitions hold it, beside the cells."""

    centres: Many[Spot]
    size: tuple[Side, Side]
    shape: Annotated[tuple[Value, ...], Length(0, 2), OMITTED] = ()
    marks: Marks = ()
    prints: Many[Value] | None = None
    drawn: Prints = ({},)
    values: Many[Value] = ()

    def __post_init__(self) -> None:
        count = len(self.centres)
        prints = (0,) * count if self.prints is None else self.prints
        right = {
            "centres": count > 0,
            "shape": math.prod(self.shape or (count,)) == count,
            "prints": len(prints) == count and max(prints) < len(self.drawn),
            "values": len(self.values) in (0, count),
        }
        for name, is_right in right.items():
            if not is_right:
                raise ValueError(name)


@dataclass(frozen=True)
class _Colored:
    """A cell whose print is coloured."""

    row: Count
    column: Count
    color: Word


@dataclass(frozen=True)
class _Cells:
    """The cells as definitions hold them. prints: by row, a digit for each cell; None: all 0."""

    marks: Marks = (Mark.CROSS,)
    prints: tuple[str, ...] | None = None
    drawn: Prints = ({},)
    colors: Many[_Colored] = ()

    def field(self, grid: Grid) -> Field:
        """The field of the cells; raises ValueError with what does not fit the grid."""
        rows, columns = grid.rows, grid.columns
        prints = ("0" * columns,) * rows if self.prints is None else self.prints
        known = {str(at) for at in range(min(len(self.drawn), 10))}
        if len(prints) != rows or any(len(p) != columns or not set(p) <= known for p in prints):
            raise ValueError("prints")
        if any(each.row >= rows or each.column >= columns for each in self.colors):
            raise ValueError("colors")
        colors = tuple((each.row * columns + each.column, each.color) for each in self.colors)
        centres, printed = (
            _lattice_points(rows, columns, 0.5, 0.5),
            tuple(map(int, "".join(prints))),
        )
        shape, size = (rows, columns), (1.0, 1.0)
        return Field(CELL, centres, size, shape, self.marks, printed, self.drawn, colors)

    @classmethod
    def of(cls, field: Field, columns: int) -> _Cells:
        signs = "".join(map(str, field.prints))
        prints = tuple(signs[at : at + columns] for at in range(0, len(signs), columns))
        places = [(divmod(place, columns), color) for place, color in field.colors]
        colors = tuple(_Colored(row, column, color) for (row, column), color in places)
        return cls(tuple(map(Mark, field.marks)), prints, field.drawn, colors)


@dataclass(frozen=True)
class Markers:
    """Fiducial markers on sheets that this project prints.

    centres: clockwise from the top left, in cells. dictionary: of ArUco, by its name in OpenCV.
    size: side of the black square, in cells. The n-th sheet on a page (from 0) bears the ids from
    ``first + 4 n``.
    """

    dictionary: Annotated[str, Matching("DICT_[4-7]X[4-7]_(?:50|100|250|1000)")]
    size: Side
    first: Annotated[int, Within(0, 1000)]
    centres: tuple[Spot, Spot, Spot, Spot]


@dataclass(frozen=True)
class Blank:
    """The empty sheet or board of a printing, rectified: a picture of `Layout.page`.

    pixels_per_cell: of the picture, whose sides are those of the page times it, rounded. picture:
    an image file. `brikks_vision.detect.template` decodes it.
    """

    pixels_per_cell: Annotated[int, Within(4, 100)]
    picture: bytes


@dataclass(frozen=True)
class PrintDoubt:
    """Something of the print that might be otherwise.

    where: as it can be set, "cell 3,4" or "row 5". read: what it was taken for, in the words in
    which it can be set. confidence: the probability of that, 0 to 1. otherwise: what it may be
    instead; empty: anything that can stand there.
    """

    where: Word
    read: Word
    confidence: Share
    otherwise: str = ""


class Printing(Protocol):
    """What a game prints and a photo can show: a sheet (`Layout`) or a board."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def game(self) -> str:
        """The name of its game."""

    @property
    def title(self) -> str:
        """What its game is called."""

    @property
    def finder(self) -> str:
        """How it is found in a photo, one of `brikks_vision.layout.definition.Finder`."""

    @property
    def printing(self) -> str | None:
        """Its `content_hash`, which tells it from others of its game; None: the package's own."""

    @property
    def outline(self) -> Box:
        """The box around its grid or fields, in cells: its corners are those of a reading."""

    def to_json(self) -> str:
        """Its definition."""


@dataclass(frozen=True, eq=False)  # each is loaded once: told apart, and hashed, by identity
class Layout:
    """One printing of a game's sheet.

    page: the paper. reading_area: what is looked at to read marks. fields: by name, those of the
    grid first, then in their order. figures: where the player writes figures, by name. settings:
    boxes of which the player crosses one to say what the game is, by name. words: where the player
    writes words, by name; they are shown, not read. markers: None where none are
    printed. colors: "#rrggbb" by name. printed: what the print means, for the game to parse.
    finder: "network" where the networks know the print; any other sheet is placed and read with the
    picture of its empty sheet, and found by its "markers" or by that picture ("reference"). blank:
    that picture; None where none is known. doubts: what was unsure when it was learnt and was not
    answered, least sure first. unsaid: by place, as of a `PrintDoubt`, how surely its print was
    read, 0 to 1, where only a photo of the empty sheet tells it and no person.
    """

    name: SheetName
    game: Word
    title: Word
    page: Box
    reading_area: Box
    grid: Grid
    fields: Few[Field]
    figures: Few[Field] = with_default(default_factory=dict)
    settings: Few[Field] = with_default(default_factory=dict)
    words: Few[Box] = with_default(default_factory=dict)
    markers: Annotated[Markers | None, OMITTED] = None
    colors: Few[Color] = with_default(kw_only=True)
    printed: codec.JsonObject = with_default(default_factory=dict)
    finder: Finder = "reference"
    blank: Annotated[Blank | None, OMITTED] = None
    doubts: Annotated[Many[PrintDoubt], OMITTED] = ()
    unsaid: Annotated[Mapping[Word, Share], Length(0, 1000), OMITTED] = with_default(
        default_factory=dict
    )

    @cached_property
    def printing(self) -> str | None:
        """Identifies this printing among those of its game; None: the package's own.

        It stays the same when a doubt is answered with what was read.
        """
        definition = replace(self, doubts=(), unsaid={}).to_json()
        packaged = next(
            (each for each in packaged_layouts(self.game) if each.name == self.name), None
        )
        if packaged is self or (packaged and packaged.to_json() == definition):
            return None
        return content_hash(definition)

    @property
    def outline(self) -> Box:
        """The box around its grid; where it has none, around the first of its fields."""
        return self.grid.box if self.grid.rows else self.main_field.box

    @property
    def main_field(self) -> Field:
        """The cells of the grid; where it has none, the first of its fields."""
        return next(iter(self.fields.values()))

    @cached_property
    def place_fields(self) -> tuple[Field, ...]:
        """The fields that are no edges of the grid, in their order."""
        return tuple(
            field for name, field in self.fields.items() if name not in (VERTICAL, HORIZONTAL)
        )

    @cached_property
    def places(self) -> tuple[Field, ...]:
        """The fields that do not lie on the grid, in their order."""
        on_grid = (CELL, VERTICAL, HORIZONTAL)
        return tuple(field for name, field in self.fields.items() if name not in on_grid)

    @cached_property
    def marked_area(self) -> Box:
        """The smallest box around everything that a reading needs."""
        boxes = [self.outline]
        boxes += [field.box for field in (*self.figures.values(), *self.places)]
        return bounds(boxes)

    def to_json(self) -> str:
        """The layout as a sheet definition, which `parse_layout` reads."""
        data = {"version": VERSION, **codec.plain_fields(self)}
        data["fields"] = {field.name: codec.plain(field) for field in self.places}
        if self.grid.rows:
            cells = _Cells.of(self.fields[CELL], self.grid.columns)
            data["fields"] = {CELL: codec.plain(cells), **data["fields"]}
        if self.finder != "network":  # the markers or the picture tell it
            del data["finder"]
        return json.dumps(data.pop("printed") | data, ensure_ascii=False)


def content_hash(definition: str) -> str:
    """16 hexadecimal digits of what a definition says, whatever it is called.

    The record keeps them, so "finder" is hashed in the form that definitions had before.
    """
    from hashlib import sha256  # takes long to import

    data = json.loads(definition)
    known_by = {key: value for key, value in data.items() if key not in ("name", "title", "finder")}
    if data.get("finder") == "network":
        known_by["trained"] = True
    return sha256(json.dumps(known_by, sort_keys=True).encode()).hexdigest()[:16]


def parse_layout(data: Mapping[str, Any]) -> Layout:
    """A layout from the decoded JSON of a definition.

    What the print means stands under "printed", or beside the geometry.

    Raises ValueError: with the path to what is missing or cannot be right; its meaning is the
    game's to check.
    """
    fields, printed, is_trained = (data.get(name, {}) for name in ("fields", "printed", "trained"))
    right = {
        "like": "like" not in data,  # only packaged layouts are written so
        "trained": isinstance(is_trained or False, bool),
        "printed": isinstance(printed, dict),
        "fields": isinstance(fields, dict),
    }
    for name, is_right in right.items():
        if not is_right:
            raise ValueError(name)
    meant = {name: value for name, value in data.items() if name not in _GEOMETRY}
    places = {name: field for name, field in fields.items() if name != CELL}
    found = codec.read_fields(
        Layout,
        {**data, "fields": places, "printed": {**meant, **printed}, "finder": finder_of(data)},
    )
    for part in ("fields", "figures", "settings"):
        named = found.get(part, {}).items()
        found[part] = {name: replace(field, name=name) for name, field in named}
    grid = found["grid"]
    if grid.rows:
        cells = codec.part(
            lambda told: codec.read(_Cells, told).field(grid), fields.get(CELL, {}), "fields.cell"
        )
        found["fields"] = {CELL: cells, **_edges(grid), **found["fields"]}
    elif not places or CELL in fields:
        raise ValueError("fields")
    return Layout(**found)


_GEOMETRY = {"version", "about", "like", "trained", *(each.name for each in fields(Layout))}
"""Keys of a definition that do not say what the print means."""


@cache
def packaged_names() -> tuple[str, ...]:
    """The names of the packaged layouts, sorted."""
    files = _FOLDER.iterdir()
    suffix = ".json"
    return tuple(sorted(f.name.removesuffix(suffix) for f in files if f.name.endswith(suffix)))


@cache
def load_layout(name: str) -> Layout:
    """The packaged layout of that name, with the picture beside it; raises LayoutUnknown."""
    data = dict(_load(name))
    blank = data.pop("blank", None)
    layout = parse_layout(data)
    if blank is None:
        return layout
    picture = (_FOLDER / blank["file"]).read_bytes()
    return replace(layout, blank=Blank(blank["pixels_per_cell"], picture))


@cache
def packaged_layouts(game: str) -> tuple[Layout, ...]:
    """The packaged layouts of a game, by name; none of a game that is played on a board."""
    found = {name: _load(name) for name in packaged_names()}
    return tuple(
        load_layout(name)
        for name, data in found.items()
        if data["game"] == game and data.get("finder") != "lattice"
    )


@cache
def packaged_finders(game: str) -> frozenset[str]:
    """How the packaged printings of a game are found; empty where it has no file in ``layouts/``.

    Their files tell it: the game itself need not be imported.
    """
    every = map(_load, packaged_names())
    return frozenset(finder_of(data) for data in every if data["game"] == game)


@cache
def _load(name: str) -> codec.JsonObject:
    """The data of a packaged layout. A layout that is "like" another inherits what it lacks."""
    file = _FOLDER / f"{name}.json"
    try:
        data: codec.JsonObject = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise LayoutUnknown(name) from None
    return _merged(_load(data.pop("like")), data) if "like" in data else data


def _merged(base: codec.JsonObject, data: codec.JsonObject) -> codec.JsonObject:
    """``base`` overridden by ``data``, recursively."""
    merged = dict(base)
    for key, value in data.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if both else value
    return merged


def _edges(grid: Grid) -> dict[str, Field]:
    """The vertical and horizontal edges of the cells."""
    rows, columns = grid.rows, grid.columns
    found = {}
    for name, shape, start, size in (
        (VERTICAL, (rows, columns + 1), (0.0, 0.5), (0.0, 1.0)),
        (HORIZONTAL, (rows + 1, columns), (0.5, 0.0), (1.0, 0.0)),
    ):
        centres = _lattice_points(*shape, *start)
        found[name] = Field(name, centres, size, shape, (Mark.LINE,), (0,) * len(centres), ({},))
    return found


def _lattice_points(rows: int, columns: int, x: float, y: float) -> tuple[Point, ...]:
    return tuple((column + x, row + y) for row in range(rows) for column in range(columns))
