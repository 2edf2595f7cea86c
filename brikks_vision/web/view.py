"""What the templates draw: places that can be tapped, lines over the picture, names of places.

Everything is in the sheet frame, in cells; the picture behind it shows the same frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from brikks_vision.games import game_named
from brikks_vision.infer.answers import places_of
from brikks_vision.layout import Box, Cell, Field, Layout, Point
from brikks_vision.reading.views import SheetView
from brikks_vision.show.covered import mark_text, place_title
from brikks_vision.show.marks_on_sheet import Drawing, Label, Polyline, Ring
from brikks_vision.text.languages import texts_in


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
    """A line over the picture, an SVG path.

    kind : its class, which says its colour unless ``color`` does ("#rrggbb").
    """

    kind: str
    path: str
    color: str | None = None


def mark_title(where: str, mark: str, layout: Layout, language: str) -> str:
    """What to call a mark at a place, as the terminal does: a bomb is "crossed out", not "X"."""
    told = mark_text(where, mark, layout, language)
    return texts_in(language).page.get(f"mark_{mark}", mark) if told == mark else told


def spots(
    told: SheetView, answers: Mapping[str, str], layout: Layout, language: str
) -> tuple[Spot, ...]:
    """Every place of the sheet that a player marks."""
    return tuple(
        Spot(
            where,
            place_title(where, layout, language),
            told.marks[where],
            box,
            field,
            *line,
            where in answers,
        )
        for field in game_named(layout.game).MARKS
        for where, box, line in zip(
            places_of(field, layout),
            _boxes_to_tap(layout.fields[field]),
            _lines_of(layout.fields[field].centres),
            strict=True,
        )
    )


def tints(told: SheetView, layout: Layout) -> tuple[tuple[str | None, Cell], ...]:
    """All cells that lie in an outline, with its colour, "#rrggbb", None of no known one."""
    return tuple(
        (_color(outline.color, layout), cell) for outline in told.outlines for cell in outline.cells
    )


def strokes(drawings: Iterable[Drawing], layout: Layout) -> tuple[Stroke, ...]:
    """The lines and rings of drawings as SVG paths."""
    return tuple(
        Stroke(
            stroke.kind,
            "".join([*map(_path, stroke.lines), *map(_circle, stroke.rings)]),
            _color(stroke.color, layout),
        )
        for drawing in drawings
        for stroke in drawing.strokes
    )


def labels(drawings: Iterable[Drawing], area: Box) -> tuple[Label, ...]:
    """The labels of drawings, moved into the area that the page shows."""
    return tuple(
        replace(label, at=_inside(label.at, area)) for each in drawings for label in each.labels
    )


def _inside(at: Point, area: Box) -> Point:
    """The place, so far from the edges that what is written there is not cut."""
    (x, y), margin = at, 0.4  # cells, between the middle of a label and the edge of the picture
    right, bottom = area.right - margin, area.bottom - margin
    return min(max(x, area.left + margin), right), min(max(y, area.top + margin), bottom)


def _boxes_to_tap(field: Field) -> Iterator[Box]:
    """Around each place, larger than it is printed, but not beyond half the way to the next."""
    for x, y in field.centres:
        others = [(abs(x - other), abs(y - below)) for other, below in field.centres]
        gap = min((max(apart) for apart in others if any(apart)), default=1.0)
        half_width, half_height = (max(side / 2, min(0.5, gap / 2)) for side in field.size)
        yield Box(x - half_width, y - half_height, x + half_width, y + half_height)


def _lines_of(centres: tuple[Point, ...]) -> list[tuple[int, int]]:
    """Line and place in it of points that are printed in lines, one below the other."""
    heights = sorted({y for _, y in centres})
    counts = dict.fromkeys(heights, -1)
    found = []
    for _, y in centres:
        counts[y] += 1
        found.append((heights.index(y), counts[y]))
    return found


def _color(name: str | None, layout: Layout) -> str | None:
    return None if name is None else layout.colors[name]


def _path(line: Polyline) -> str:
    points = [f"{x:.2f} {y:.2f}" for x, y in line]
    is_closed = len(points) > 2 and points[0] == points[-1]
    return f"M{'L'.join(points[:-1])}Z" if is_closed else f"M{'L'.join(points)}"


def _circle(ring: Ring) -> str:
    (x, y), radius = ring
    half = f"a{radius:.2f} {radius:.2f} 0 1 0"
    return f"M{x - radius:.2f} {y:.2f}{half} {2 * radius:.2f} 0{half} {-2 * radius:.2f} 0"
