"""What the templates draw: places that can be tapped, lines over the picture, names of places.

Everything is in the sheet frame, in cells; the picture behind it shows the same frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from brikks_vision.layout import Box, Layout, Point
from brikks_vision.reading import Reading
from brikks_vision.rules.brikks.state import SheetState
from brikks_vision.show import marks_on_sheet
from brikks_vision.show.marks_on_sheet import Drawing, Polyline, Ring
from brikks_vision.show.places import mark_text, place_title
from brikks_vision.text.languages import texts_in

_LABEL_MARGIN = 0.4  # cells, between the middle of a label and the edge of the picture


@dataclass(frozen=True)
class Spot:
    """A place that can be tapped, and what stands there.

    where : as answers name it. title : for people. mark : what stands there; "?": cannot be told.
    box : what to tap. group : "cell", "energy", "box" or "bomb". row, column : for moving between
    places of a group with the keyboard.
    """

    where: str
    title: str
    mark: str
    box: Box
    group: str
    row: int
    column: int
    is_corrected: bool


@dataclass(frozen=True)
class Stroke:
    """A line over the picture, an SVG path. ``kind``: the class that says its colour."""

    kind: str
    path: str


@dataclass(frozen=True)
class Label:
    """A letter or number over the picture."""

    kind: str
    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Tint:
    """The ground of a cell of a block."""

    color: str
    x: int
    y: int


def mark_title(where: str, mark: str, language: str) -> str:
    """What to call a mark at a place, as the terminal does: a bomb is "crossed out", not "X"."""
    told = mark_text(where, mark, language)
    return texts_in(language).page[f"mark_{mark}"] if told == mark else told


def spots(
    reading: Reading,
    state: SheetState,
    answers: Mapping[str, str],
    layout: Layout,
    language: str,
) -> tuple[Spot, ...]:
    """Every place of the sheet that a player marks."""
    energy, bonus, bombs = (layout.fields[name] for name in ("energy", "box", "bomb"))

    def spot(group: str, numbers: str, mark: str, box: Box, row: int, column: int) -> Spot:
        where = f"{group} {numbers}"
        title = place_title(where, state.sheet, language)
        return Spot(where, title, mark, box, group, row, column, where in answers)

    found = [
        spot(
            "cell",
            f"{row},{column}",
            reading.grid[row][column],
            Box(column, row, column + 1, row + 1),
            row,
            column,
        )
        for row, column in layout.grid.cells
    ]
    found += [
        spot("bomb", str(at), _letter(mark), _around(centre, bombs.radius, bombs.radius), at, 0)
        for at, (centre, mark) in enumerate(zip(bombs.centres, state.bombs, strict=True))
    ]
    width, height = bonus.size[0] / 2, bonus.size[1] / 2
    found += [
        spot("box", str(at), _letter(mark), _around(centre, width, height + 0.1), 0, at)
        for at, (centre, mark) in enumerate(zip(bonus.centres, state.bonus, strict=True))
    ]
    lines = _lines_of(energy.centres)
    found += [
        spot("energy", str(at), str(mark), _around(centre, 0.5, 0.46), *lines[at])
        for at, (centre, mark) in enumerate(zip(energy.centres, state.energy, strict=True))
    ]
    return tuple(found)


def tints(reading: Reading) -> tuple[Tint, ...]:
    """The grounds of all cells that lie in a block, by the block's colour."""
    return tuple(
        Tint(block.color or "none", column, row)
        for block in reading.blocks
        for row, column in block.cells
    )


def strokes(drawings: Iterable[Drawing]) -> tuple[Stroke, ...]:
    """The lines and rings of drawings as SVG paths."""
    return tuple(
        Stroke(_kind_of(stroke), "".join([*map(_path, stroke.lines), *map(_circle, stroke.rings)]))
        for drawing in drawings
        for stroke in drawing.strokes
    )


def labels(drawings: Iterable[Drawing], area: Box) -> tuple[Label, ...]:
    """The labels of drawings, moved into the area that the page shows."""
    margin = _LABEL_MARGIN
    return tuple(
        Label(
            label.kind,
            label.text,
            min(max(label.at[0], area.left + margin), area.right - margin),
            min(max(label.at[1], area.top + margin), area.bottom - margin),
        )
        for drawing in drawings
        for label in drawing.labels
    )


def _letter(mark: bool) -> str:
    return "X" if mark else "."


def _around(centre: Point, half_width: float, half_height: float) -> Box:
    x, y = centre
    return Box(x - half_width, y - half_height, x + half_width, y + half_height)


def _lines_of(centres: tuple[Point, ...]) -> list[tuple[int, int]]:
    """Line and place in it of points that are printed in lines, one below the other."""
    heights = sorted({y for _, y in centres})
    counts = dict.fromkeys(heights, -1)
    found = []
    for _, y in centres:
        counts[y] += 1
        found.append((heights.index(y), counts[y]))
    return found


def _kind_of(stroke: marks_on_sheet.Stroke) -> str:
    return f"outline {stroke.color or 'none'}" if stroke.part == "block" else stroke.kind


def _path(line: Polyline) -> str:
    points = [f"{x:.2f} {y:.2f}" for x, y in line]
    is_closed = len(points) > 2 and points[0] == points[-1]
    return f"M{'L'.join(points[:-1])}Z" if is_closed else f"M{'L'.join(points)}"


def _circle(ring: Ring) -> str:
    (x, y), radius = ring
    half = f"a{radius:.2f} {radius:.2f} 0 1 0"
    return f"M{x - radius:.2f} {y:.2f}{half} {2 * radius:.2f} 0{half} {-2 * radius:.2f} 0"
