"""What is drawn over a sheet, and where: lines, rings and labels in the sheet frame (cells).

The picture (`brikks_vision.show.overlay`) and the page (`brikks_vision.web.pages`) draw the same;
colours and widths of lines are their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brikks_vision.games import game_named
from brikks_vision.layout import CELL, Cell, Layout, Point
from brikks_vision.reading import Doubt, ViolationReading, views

Polyline = Sequence[Point]
Ring = tuple[Point, float]
"""Centre and radius, in cells."""

OUTLINE_INSET = 0.09  # cells, of the outline of a block inside its cells
_LABEL_SIZE = 0.6  # cells, of a letter or number beside a place


@dataclass(frozen=True)
class Stroke:
    """Lines and rings that are drawn alike.

    part : the field that they belong to, or "outline", "sum", "covered", "cancelled", "doubt",
    "violation" or "remark". kind : what they say: one of these, or "cross", "ring", "struck",
    "off", "fill", or the kind of a remark.
    lines : closed where the last point is the first. color : the name of an outline's colour; None
    where it is wrong, and for all others.
    """

    part: str
    kind: str
    lines: tuple[Polyline, ...] = ()
    rings: tuple[Ring, ...] = ()
    color: str | None = None


@dataclass(frozen=True)
class Label:
    """A text and the place of its middle.

    kind : "unknown" (a mark that cannot be told), "points", "nothing" (no points), "differs"
    (points that differ from the written ones), "sum" (of the rows), "bar" (points of a bar),
    "doubt", "violation", or the kind of a remark.
    """

    kind: str
    text: str
    at: Point


@dataclass(frozen=True)
class Remark:
    """A sentence about a place of the sheet, with a short label that stands at the place, too.

    kind : "best" or "other". cells : of the grid, which are outlined; where there are none, the
    place ``where`` is ringed, if the sheet has it.
    """

    kind: str
    label: str
    text: str
    cells: tuple[Cell, ...] = ()
    where: str = ""


@dataclass(frozen=True)
class Drawing:
    """What is drawn together: the labels over the strokes."""

    strokes: tuple[Stroke, ...]
    labels: tuple[Label, ...]


def draw_view(view: views.SheetView, layout: Layout) -> Drawing:
    """The marks that were read and their points."""
    outlines = (
        Stroke("outline", "outline", tuple(outline(each.cells, OUTLINE_INSET)), color=each.color)
        for each in view.outlines
    )
    unknown = (place_of(where, layout) for where, mark in view.marks.items() if mark == "?")
    labels = [Label("unknown", "?", place[0]) for place in unknown if place is not None]
    strokes = [*outlines, *_sign_strokes(view.signs)]
    if any(part.is_sum for part in view.parts):  # the line under the points of the rows
        x, y = _points_column(layout), layout.grid.rows + 0.12
        strokes.append(Stroke("sum", "sum", (((x - 0.4, y), (x + 0.4, y)),)))
    return Drawing(tuple(strokes), (*labels, *_point_labels(view, layout)))


def draw_doubts(doubts: Iterable[Doubt], layout: Layout) -> Drawing:
    """A ring around each doubtful place, and its letter beside it."""
    strokes, labels = [], []
    for number, doubt in enumerate(doubts):
        place = place_of(doubt.where, layout)
        if place is None:
            continue
        (x, y), radius = place
        strokes.append(Stroke("doubt", "doubt", rings=(place,)))
        at = (x + 0.75 * radius + 0.1, y - 0.75 * radius - 0.1)
        labels.append(Label("doubt", doubt_letter(number), at))
    return Drawing(tuple(strokes), tuple(labels))


def draw_violations(violations: Iterable[ViolationReading], layout: Layout) -> Drawing:
    """An outline around the cells, or rings around the places, where a rule is broken.

    The number of a violation, from 1, stands beside them; one that shows nowhere has none.
    """
    grid = layout.grid
    strokes: list[Stroke] = []
    labels: list[Label] = []
    for number, violation in enumerate(violations, 1):
        cells = [
            (row, column)
            for row, column in violation.cells
            if row in range(grid.rows) and column in range(grid.columns)
        ]
        places = _violation_places(violation, layout)
        rings = tuple(place for where in places if (place := place_of(where, layout)))
        cells = cells or [cell for where in places for cell in _row_cells(where, layout)]
        if cells:
            lines = tuple(outline(cells, -0.04))  # cells: outside the cells
            strokes.append(Stroke("violation", "violation", lines))
            top, left = min(cells)
            at = (left + 0.1, top + 0.1)
        elif rings:
            strokes.append(Stroke("violation", "violation", rings=rings))
            (x, y), radius = rings[0]
            at = (x - 0.75 * radius - 0.1, y - 0.75 * radius - 0.1)
        elif not violation.where and (start := _beside(violation.part, layout)):
            at = start
        else:
            continue
        at = _free_place(at, [label.at for label in labels])
        labels.append(Label("violation", str(number), at))
    return Drawing(tuple(strokes), tuple(labels))


def draw_remarks(remarks: Iterable[Remark], layout: Layout) -> Drawing:
    """An outline around the cells of each remark, or a ring around its place, and its label."""
    strokes: list[Stroke] = []
    labels: list[Label] = []
    for remark in remarks:
        found = [place_of(where, layout) for where in remark.where.split(" + ")]
        places = tuple(place for place in found if place)
        cells = remark.cells or _row_cells(remark.where, layout)
        if cells:
            lines = tuple(outline(cells, OUTLINE_INSET))
            strokes.append(Stroke("remark", remark.kind, lines))
            top, left = min(cells)
            at = (left + 0.5, top + 0.5)
        elif places:
            strokes.append(Stroke("remark", remark.kind, rings=places))
            (x, y), radius = places[0]
            at = (x, y - radius - 0.3)
        else:
            continue
        labels.append(
            Label(remark.kind, remark.label, _free_place(at, [each.at for each in labels]))
        )
    return Drawing(tuple(strokes), tuple(labels))


def doubt_letter(number: int) -> str:
    """The letter of a doubt, counted from 0; "?" beyond the alphabet."""
    return chr(ord("A") + number) if number < 26 else "?"


def place_of(where: str, layout: Layout) -> Ring | None:
    """Centre and radius, in cells, of a doubt's place ("cell 3,4", "row 2", ...).

    Places are those of the layout's fields, ``row n`` (where its points are written), all counted
    from 0, and ``total``; None for a place that this sheet does not have.
    """
    kind, _, rest = where.partition(" ")
    try:
        numbers = [int(number) for number in rest.split(",")] if rest else []
    except ValueError:
        return None
    if kind == CELL and len(numbers) == 2:
        row, column = numbers
        inside = row in range(layout.grid.rows) and column in range(layout.grid.columns)
        # cells, of the ring around a cell
        return ((column + 0.5, row + 0.5), 0.62) if inside else None
    if kind == "total" and "total" in layout.figures:
        return layout.figures["total"].centres[0], 0.8
    if len(numbers) != 1:
        return None
    if kind == "row" and _has_points_of_rows(layout) and numbers[0] in range(layout.grid.rows):
        return layout.figures["rows"].centres[numbers[0]], 0.75
    field = layout.fields.get(kind)
    if field is None or len(field.shape) != 1 or numbers[0] not in range(len(field.centres)):
        return None
    # of the ring around another place, as a share of its longer side
    return field.centres[numbers[0]], 0.65 * max(field.size)


def _has_points_of_rows(layout: Layout) -> bool:
    """Whether the points of each row are written beside it."""
    rows = layout.figures.get("rows")
    return rows is not None and len(rows.centres) == layout.grid.rows


def _row_cells(where: str, layout: Layout) -> tuple[Cell, ...]:
    """The cells of ``row n`` where its points are not written; none of another place."""
    if _has_points_of_rows(layout):
        return ()
    return tuple(cell for cell in layout.grid.cells if where == f"row {cell[0]}")


# --- the parts of a reading ----------------------------------------------------------------------


def _sign_strokes(signs: Iterable[views.Sign]) -> list[Stroke]:
    """The marks, those of one field and kind together."""
    alike: dict[tuple[str, str], list[views.Sign]] = {}
    for sign in signs:
        alike.setdefault((sign.part, sign.kind), []).append(sign)
    strokes = []
    for (part, kind), together in alike.items():
        if kind == "ring":
            rings = tuple((sign.at, sign.reach) for sign in together)
            strokes.append(Stroke(part, kind, rings=rings))
            continue
        lines = _square if kind == "fill" else _cross
        drawn = tuple(line for sign in together for line in lines(sign.at, sign.reach))
        strokes.append(Stroke(part, kind, drawn))
    return strokes


def _point_labels(view: views.SheetView, layout: Layout) -> list[Label]:
    """The points of each row beside it, their sum below them, and those of other parts."""
    labels = []
    x = _points_column(layout)
    for row, told in enumerate(view.rows):
        differs = told.written is not None and told.written != told.points
        kind = "differs" if differs else "points" if told.points else "nothing"
        labels.append(Label(kind, str(told.points), (x, row + 0.5)))
    for part in view.parts:
        if part.is_sum:
            labels.append(Label("sum", str(part.points), (x, layout.grid.rows + 0.6)))
        elif part.at is not None:
            labels.append(Label("bar", str(part.points), part.at))
    return labels


def _points_column(layout: Layout) -> float:
    """Left of the column where the player writes the points of the rows."""
    strip = layout.figures.get("rows")
    return (0.0 if strip is None else strip.box.left) - 0.55


# --- broken rules --------------------------------------------------------------------------------


def _violation_places(violation: ViolationReading, layout: Layout) -> list[str]:
    """The places beside single cells where a broken rule shows."""
    if violation.part == "total":
        return ["total"]
    fields = {"rows": "row", **game_named(layout.game).PART_FIELDS}
    field = fields.get(violation.part, "")
    return [f"{field} {number}" for number in violation.where if isinstance(number, int)]


def _beside(part: str, layout: Layout) -> Point | None:
    """Where a bar begins: the label's place where too little is marked to ring it."""
    field = layout.fields.get(game_named(layout.game).PART_FIELDS.get(part, ""))
    if field is None:
        return None
    (x, y), (x2, y2) = field.centres[0], field.centres[min(1, len(field.centres) - 1)]
    width, height = field.size
    return (x - 1.2 * width, y) if x2 - x >= y2 - y else (x, y - 1.2 * height)


def _free_place(label: Point, taken: Iterable[Point]) -> Point:
    """The place, moved to the right until it covers no other label."""
    x, y = label
    others = list(taken)
    while any(abs(x - at[0]) < _LABEL_SIZE and abs(y - at[1]) < _LABEL_SIZE for at in others):
        x += _LABEL_SIZE
    return x, y


# --- shapes --------------------------------------------------------------------------------------


def _cross(centre: Point, reach: float) -> tuple[Polyline, ...]:
    x, y = centre
    return tuple(((x - reach, y - way * reach), (x + reach, y + way * reach)) for way in (1, -1))


def _square(centre: Point, reach: float) -> tuple[Polyline, ...]:
    x, y = centre
    left, top, right, bottom = x - reach, y - reach, x + reach, y + reach
    return (((left, top), (right, top), (right, bottom), (left, bottom), (left, top)),)


def outline(cells: Iterable[Cell], inset: float) -> list[Polyline]:
    """The borders of a group of cells, drawn ``inset`` cells inside them, as closed lines."""
    inside = set(cells)
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}
    # Clockwise around each cell; edges between two cells of the group are left out.
    for row, column in sorted(inside):
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        beyond = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        for side, neighbour in enumerate(beyond):
            if neighbour not in inside:
                onward.setdefault(corners[side], []).append(corners[(side + 1) % 4])
    borders: list[Polyline] = []
    while onward:
        start = next(iter(onward))
        border = [start]
        while not border[1:] or border[-1] != start:
            ends = onward[border[-1]]
            border.append(ends.pop(0))
            if not ends:
                del onward[border[-2]]
        borders.append(_inset(border, inset))
    return borders


def _inset(border: list[tuple[int, int]], inset: float) -> Polyline:
    """A closed clockwise line of unit steps, moved inwards; the last point is the first."""
    loop = border[:-1]
    moved = []
    for before, here, after in zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True):
        # Clockwise with y down: the inside lies to the right of each step, (dx, dy) -> (-dy, dx).
        into = (here[0] - before[0], here[1] - before[1])
        out = (after[0] - here[0], after[1] - here[1])
        steps = {(-into[1], into[0]), (-out[1], out[0])}
        moved.append(
            (
                here[0] + inset * sum(x for x, _ in steps),
                here[1] + inset * sum(y for _, y in steps),
            )
        )
    return [*moved, moved[0]]
