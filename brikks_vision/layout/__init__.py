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
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as with_default
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

from brikks_vision.errors import LayoutUnknown
from brikks_vision.layout.definition import GEOMETRY, VERSION, finder_of

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


def bounds(boxes: Iterable[Box]) -> Box:
    """The smallest box around at least one box."""
    lefts, tops, rights, bottoms = zip(
        *((box.left, box.top, box.right, box.bottom) for box in boxes), strict=True
    )
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


@dataclass(frozen=True)
class Zone:
    """Rows ``first`` to ``last`` (inclusive) printed on one ground colour."""

    first: int
    last: int
    color: str


@dataclass(frozen=True)
class Grid:
    """The lattice of cells; one of no rows on a sheet whose places make none."""

    rows: int
    columns: int
    line_width: float
    zones: tuple[Zone, ...]

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


@dataclass(frozen=True)
class Markers:
    """Fiducial markers on sheets that this project prints.

    centres: clockwise from the top left, in cells. dictionary: of ArUco, by its name in OpenCV.
    size: side of the black square, in cells. The n-th sheet on a page (from 0) bears the ids from
    ``first + 4 n``.
    """

    dictionary: str
    size: float
    first: int
    centres: tuple[Point, ...]


@dataclass(frozen=True)
class Blank:
    """The empty sheet or board of a printing, rectified: a picture of `Layout.page`.

    pixels_per_cell: of the picture, whose sides are those of the page times it, rounded. picture:
    an image file. `brikks_vision.detect.template` decodes it.
    """

    pixels_per_cell: int
    picture: bytes

    @property
    def data(self) -> dict[str, Any]:
        """As definitions hold it."""
        picture = b64encode(self.picture).decode("ascii")
        return {"pixels_per_cell": self.pixels_per_cell, "picture": picture}


@dataclass(frozen=True)
class PrintDoubt:
    """Something of the print that might be otherwise.

    where: as it can be set, "cell 3,4" or "row 5". read: what it was taken for, in the words in
    which it can be set. confidence: the probability of that, 0 to 1. otherwise: what it may be
    instead; empty: anything that can stand there.
    """

    where: str
    read: str
    confidence: float
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
        """How it is found in a photo, one of `brikks_vision.layout.definition.FINDERS`."""

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

    name: str
    game: str
    title: str
    page: Box
    reading_area: Box
    grid: Grid
    fields: Mapping[str, Field]
    figures: Mapping[str, Field]
    settings: Mapping[str, Field]
    words: Mapping[str, Box]
    markers: Markers | None
    colors: Mapping[str, str]
    printed: Mapping[str, Any]
    finder: str = "reference"
    blank: Blank | None = None
    doubts: tuple[PrintDoubt, ...] = ()
    unsaid: Mapping[str, float] = with_default(default_factory=dict)

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
        grid, markers, blank = self.grid, self.markers, self.blank
        zones = [{"rows": [z.first, z.last + 1], "color": z.color} for z in grid.zones]
        fields = {CELL: _cell_data(self.fields[CELL], grid.columns)} if grid.rows else {}
        data: dict[str, Any] = {
            "version": VERSION,
            "name": self.name,
            "game": self.game,
            "title": self.title,
            "page": _box_data(self.page),
            "reading_area": _box_data(self.reading_area),
            "grid": {
                "rows": grid.rows,
                "columns": grid.columns,
                "line_width": grid.line_width,
                "zones": zones,
            },
            "fields": fields | {field.name: _field_data(field) for field in self.places},
            "figures": {name: _field_data(field) for name, field in self.figures.items()},
            "settings": {name: _field_data(field) for name, field in self.settings.items()},
            "words": {name: _box_data(box) for name, box in self.words.items()},
            "colors": dict(self.colors),
            **self.printed,
        }
        if self.finder == "network":
            data["finder"] = self.finder
        if markers:
            data["markers"] = vars(markers)
        if self.doubts:
            data["doubts"] = [vars(doubt) for doubt in self.doubts]
        if self.unsaid:
            data["unsaid"] = dict(self.unsaid)
        if blank:
            data["blank"] = blank.data
        return json.dumps(data, ensure_ascii=False)


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


def parse_box(data: Mapping[str, Any]) -> Box:
    """A box from {"x": [left, right], "y": [top, bottom]}."""
    return Box(data["x"][0], data["y"][0], data["x"][1], data["y"][1])


def _box_data(box: Box) -> dict[str, Any]:
    return {"x": [box.left, box.right], "y": [box.top, box.bottom]}


def _field_data(field: Field) -> dict[str, Any]:
    return {
        "centres": [list(centre) for centre in field.centres],
        **({"shape": list(field.shape)} if len(field.shape) > 1 else {}),
        "size": list(field.size),
        "marks": list(field.marks),
        "prints": list(field.prints),
        "drawn": [dict(drawn) for drawn in field.drawn],
        "values": list(field.values),
    }


def _cell_data(field: Field, columns: int) -> dict[str, Any]:
    signs = "".join(map(str, field.prints))
    places = [(divmod(place, columns), color) for place, color in field.colors]
    return {
        "marks": list(field.marks),
        "prints": [signs[at : at + columns] for at in range(0, len(signs), columns)],
        "drawn": [dict(drawn) for drawn in field.drawn],
        "colors": [
            {"row": row, "column": column, "color": color} for (row, column), color in places
        ],
    }


def parse_layout(data: Mapping[str, Any]) -> Layout:
    """A layout from the decoded JSON of a file in ``layouts/``; raises KeyError, TypeError.

    What the print means stands under "printed", or beside the geometry as in a sheet definition.
    """
    grid = data["grid"]
    zones = (Zone(z["rows"][0], z["rows"][1] - 1, z["color"]) for z in grid.get("zones", ()))
    lattice = Grid(grid["rows"], grid["columns"], grid["line_width"], tuple(zones))
    given = data["fields"]
    fields = {**_lattice_fields(lattice, given), **{
        name: _field(name, field) for name, field in given.items() if name != CELL
    }}  # fmt: skip
    markers = data.get("markers")
    return Layout(
        name=data["name"],
        game=data["game"],
        title=data["title"],
        page=parse_box(data["page"]),
        reading_area=parse_box(data["reading_area"]),
        grid=lattice,
        fields=fields,
        figures={name: _field(name, places) for name, places in data.get("figures", {}).items()},
        settings={name: _field(name, boxes) for name, boxes in data.get("settings", {}).items()},
        words={name: parse_box(box) for name, box in data.get("words", {}).items()},
        markers=markers
        and Markers(
            markers["dictionary"], markers["size"], markers["first"], _points(markers["centres"])
        ),
        colors=dict(data["colors"]),
        printed={
            **{key: value for key, value in data.items() if key not in GEOMETRY},
            **data.get("printed", {}),
        },
        finder=finder_of(data),
        blank=parse_blank(data["blank"]) if data.get("blank") else None,
        doubts=tuple(
            PrintDoubt(each["where"], each["read"], each["confidence"], each.get("otherwise", ""))
            for each in data.get("doubts", ())
        ),
        unsaid=dict(data.get("unsaid", {})),
    )


def parse_blank(data: Mapping[str, Any]) -> Blank:
    """A blank from its data; a packaged one has its picture in a file beside the layout's."""
    if "picture" in data:
        picture = b64decode(data["picture"])
    else:
        picture = (_FOLDER / data["file"]).read_bytes()
    return Blank(data["pixels_per_cell"], picture)


@cache
def packaged_names() -> tuple[str, ...]:
    """The names of the packaged layouts, sorted."""
    files = _FOLDER.iterdir()
    suffix = ".json"
    return tuple(sorted(f.name.removesuffix(suffix) for f in files if f.name.endswith(suffix)))


@cache
def load_layout(name: str) -> Layout:
    """The packaged layout of that name; raises LayoutUnknown."""
    return parse_layout(_load(name))


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
def _load(name: str) -> dict[str, Any]:
    """The data of a packaged layout. A layout that is "like" another inherits what it lacks."""
    file = _FOLDER / f"{name}.json"
    try:
        data: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise LayoutUnknown(name) from None
    return _merged(_load(data["like"]), data) if "like" in data else data


def _merged(base: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` overridden by ``data``, recursively."""
    merged = dict(base)
    for key, value in data.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if both else value
    return merged


def _points(data: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in data)


def _field(name: str, data: Mapping[str, Any]) -> Field:
    centres = _points(data["centres"])
    return Field(
        name=name,
        centres=centres,
        size=(data["size"][0], data["size"][1]),
        shape=tuple(data.get("shape", (len(centres),))),
        marks=tuple(data.get("marks", ())),
        prints=tuple(data.get("prints", (0,) * len(centres))),
        drawn=tuple(dict(each) for each in data.get("drawn", ({},))),
        values=tuple(data.get("values", ())),
    )


def _lattice_fields(grid: Grid, given: Mapping[str, Any]) -> dict[str, Field]:
    """The fields on the grid. ``given``: the fields of the file, where "cell" may say more."""
    rows, columns = grid.rows, grid.columns
    if not rows:
        return {}
    cells = given.get(CELL, {})
    prints = "".join(cells.get("prints", ["0" * columns] * rows))
    return {
        CELL: Field(
            CELL,
            _lattice_points(rows, columns, 0.5, 0.5),
            (1.0, 1.0),
            (rows, columns),
            tuple(cells.get("marks", (Mark.CROSS,))),
            tuple(map(int, prints)),
            tuple(dict(each) for each in cells.get("drawn", ({},))),
            tuple((c["row"] * columns + c["column"], c["color"]) for c in cells.get("colors", ())),
        ),
        VERTICAL: Field(
            VERTICAL,
            _lattice_points(rows, columns + 1, 0.0, 0.5),
            (0.0, 1.0),
            (rows, columns + 1),
            (Mark.LINE,),
            (0,) * (rows * (columns + 1)),
            ({},),
        ),
        HORIZONTAL: Field(
            HORIZONTAL,
            _lattice_points(rows + 1, columns, 0.5, 0.0),
            (1.0, 0.0),
            (rows + 1, columns),
            (Mark.LINE,),
            (0,) * ((rows + 1) * columns),
            ({},),
        ),
    }


def _lattice_points(rows: int, columns: int, x: float, y: float) -> tuple[Point, ...]:
    return tuple((column + x, row + y) for row in range(rows) for column in range(columns))
