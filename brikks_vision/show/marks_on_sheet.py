"""What is drawn over a sheet, and where: lines, rings and labels in the sheet frame (cells).

The picture (`brikks_vision.show.overlay`) and the page (`brikks_vision.web.view`) draw the same;
colours and widths of lines are their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from brikks_vision.layout import Cell, Layout, Point
from brikks_vision.reading import Doubt, Reading, ViolationReading

Polyline = Sequence[Point]
Ring = tuple[Point, float]
"""Centre and radius, in cells."""

OUTLINE_INSET = 0.09  # cells, of the outline of a block inside its cells
VIOLATION_INSET = -0.04  # cells: outside the cells
CELL_CROSS = 0.24  # cells, half of the cross of a cell
_LABEL_SIZE = 0.6  # cells, of a letter or number beside a place
# Places of answers by the part of the sheet that a broken rule names.
_KINDS = {"energy": "energy", "bonus": "box", "bombs": "bomb", "rows": "row"}


@dataclass(frozen=True)
class Stroke:
    """Lines and rings that are drawn alike.

    part : what they belong to: "block", "cell", "energy", "box", "bomb", "sum", "doubt" or
    "violation". kind : what they say: "outline", "cross", "ring", "struck", "off", "sum", "doubt"
    or "violation". lines : closed where the last point is the first. color : the name of a block's
    colour; None where its cells are no block, and for all others.
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
    "doubt" or "violation".
    """

    kind: str
    text: str
    at: Point


@dataclass(frozen=True)
class Drawing:
    """What is drawn together: the labels over the strokes."""

    strokes: tuple[Stroke, ...]
    labels: tuple[Label, ...]


def draw_reading(
    reading: Reading, boxes: Sequence[bool], bombs: Sequence[bool], layout: Layout
) -> Drawing:
    """The marks that were read and their points. ``boxes``, ``bombs``: which are crossed."""
    return Drawing(
        (
            *_block_strokes(reading),
            *_cross_strokes(reading, boxes, layout),
            *_energy_strokes(reading, layout),
            *_bomb_strokes(bombs, layout),
            *_sum_strokes(reading, layout),
        ),
        (*_unknown_labels(reading), *_point_labels(reading, layout)),
    )


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
        rings = _violation_rings(violation, layout)
        if cells:
            lines = tuple(outline(cells, VIOLATION_INSET))
            strokes.append(Stroke("violation", "violation", lines))
            top, left = min(cells)
            at = (left + 0.1, top + 0.1)
        elif rings:
            strokes.append(Stroke("violation", "violation", rings=rings))
            (x, y), radius = rings[0]
            at = (x - 0.75 * radius - 0.1, y - 0.75 * radius - 0.1)
        elif violation.part in _beside(layout) and not violation.where:
            at = _beside(layout)[violation.part]
        else:
            continue
        at = _free_place(at, [label.at for label in labels])
        labels.append(Label("violation", str(number), at))
    return Drawing(tuple(strokes), tuple(labels))


def doubt_letter(number: int) -> str:
    """The letter of a doubt, counted from 0; "?" beyond the alphabet."""
    return chr(ord("A") + number) if number < 26 else "?"


def place_of(where: str, layout: Layout) -> Ring | None:
    """Centre and radius, in cells, of a doubt's place ("cell 3,4", "energy 24", ...).

    Kinds: ``cell row,column``, ``energy n``, ``box n``, ``bomb n``, ``row n`` (its written
    points), all counted from 0, and ``total``; None for a place that this sheet does not have.
    """
    kind, _, rest = where.partition(" ")
    try:
        numbers = [int(number) for number in rest.split(",")] if rest else []
    except ValueError:
        return None
    strip = layout.figures["rows"].box
    middle = (strip.left + strip.right) / 2
    if kind == "cell" and len(numbers) == 2:
        row, column = numbers
        inside = row in range(layout.grid.rows) and column in range(layout.grid.columns)
        return ((column + 0.5, row + 0.5), 0.62) if inside else None
    if kind == "total" and "total" in layout.figures:
        return layout.figures["total"].centres[0], 0.8
    if len(numbers) != 1:
        return None
    if kind == "row" and numbers[0] in range(layout.grid.rows):
        return ((middle, numbers[0] + 0.5), 0.75)
    centres, radius = {
        "energy": (layout.fields["energy"].centres, layout.fields["energy"].radius * 1.55),
        "box": (layout.fields["box"].centres, max(layout.fields["box"].size) * 0.75),
        "bomb": (layout.fields["bomb"].centres, layout.fields["bomb"].radius * 1.3),
    }.get(kind, ((), 0.0))
    return (centres[numbers[0]], radius) if numbers[0] in range(len(centres)) else None


# --- the parts of a reading ----------------------------------------------------------------------


def _block_strokes(reading: Reading) -> list[Stroke]:
    return [
        Stroke("block", "outline", tuple(outline(block.cells, OUTLINE_INSET)), color=block.color)
        for block in reading.blocks
    ]


def _cross_strokes(reading: Reading, boxes: Sequence[bool], layout: Layout) -> list[Stroke]:
    crossed = [
        (column + 0.5, row + 0.5)
        for row, marks in enumerate(reading.grid)
        for column, mark in enumerate(marks)
        if mark == "X"
    ]
    box = layout.fields["box"]
    reach = 0.38 * min(box.size)
    return [
        Stroke("cell", "cross", _crosses(crossed, CELL_CROSS)),
        Stroke("box", "cross", _crosses(_chosen(box.centres, boxes), reach)),
    ]


def _energy_strokes(reading: Reading, layout: Layout) -> list[Stroke]:
    energy = layout.fields["energy"]

    def centres(state: str) -> list[Point]:
        points = zip(energy.centres, reading.energy, strict=False)
        return [centre for centre, found in points if found == state]

    rings = tuple((centre, energy.radius * 1.12) for centre in centres("circled"))
    return [
        Stroke("energy", "ring", rings=rings),
        Stroke("energy", "struck", _crosses(centres("used"), energy.radius)),
        Stroke("energy", "off", _crosses(centres("off"), energy.radius)),
    ]


def _bomb_strokes(bombs: Sequence[bool], layout: Layout) -> list[Stroke]:
    bomb = layout.fields["bomb"]
    crosses = _crosses(_chosen(bomb.centres, bombs), bomb.radius * 0.8)
    return [Stroke("bomb", "struck", crosses)]


def _sum_strokes(reading: Reading, layout: Layout) -> list[Stroke]:
    """The line under the points of the rows."""
    if reading.score is None:
        return []
    x, y = _points_column(layout), layout.grid.rows + 0.12
    return [Stroke("sum", "sum", (((x - 0.4, y), (x + 0.4, y)),))]


def _unknown_labels(reading: Reading) -> list[Label]:
    return [
        Label("unknown", "?", (column + 0.5, row + 0.5))
        for row, marks in enumerate(reading.grid)
        for column, mark in enumerate(marks)
        if mark == "?"
    ]


def _point_labels(reading: Reading, layout: Layout) -> list[Label]:
    """The points of each row beside it, their sum below them, and those of the bars behind them."""
    score, written = reading.score, reading.written
    if score is None:
        return []
    labels = []
    x = _points_column(layout)
    for row, points in enumerate(score.rows):
        figure = written.rows[row] if written and row < len(written.rows) else None
        differs = figure is not None and figure != points
        kind = "differs" if differs else "points" if points else "nothing"
        labels.append(Label(kind, str(points), (x, row + 0.5)))
    labels.append(Label("sum", str(score.lines), (x, layout.grid.rows + 0.6)))
    for name, points in (("box", score.bonus), ("energy", score.energy)):
        last = layout.fields[name].centres[-1]
        labels.append(Label("bar", str(points), (last[0] + 0.95, last[1])))
    bomb = layout.fields["bomb"]
    last = bomb.centres[-1]
    labels.append(Label("bar", str(score.bombs), (last[0], last[1] + bomb.radius + 0.42)))
    return labels


def _points_column(layout: Layout) -> float:
    return layout.figures["rows"].box.left - 0.55


def _chosen(centres: Iterable[Point], marks: Iterable[bool]) -> list[Point]:
    return [centre for centre, mark in zip(centres, marks, strict=False) if mark]


# --- broken rules --------------------------------------------------------------------------------


def _violation_rings(violation: ViolationReading, layout: Layout) -> tuple[Ring, ...]:
    """The places beside the grid where a broken rule shows."""
    if violation.part == "total":
        places = [place_of("total", layout)]
    elif violation.part in _KINDS:
        numbers = [place for place in violation.where if isinstance(place, int)]
        places = [place_of(f"{_KINDS[violation.part]} {number}", layout) for number in numbers]
    else:
        places = []
    return tuple(place for place in places if place is not None)


def _beside(layout: Layout) -> Mapping[str, Point]:
    """Where the bars begin: the label's place where too little is marked to ring it."""
    energy, bonus = layout.fields["energy"], layout.fields["box"]
    return {
        "energy": (energy.centres[0][0] - 2 * energy.radius, energy.centres[0][1]),
        "bonus": (bonus.centres[0][0] - 1.2 * bonus.size[0], bonus.centres[0][1]),
    }


def _free_place(label: Point, taken: Iterable[Point]) -> Point:
    """The place, moved to the right until it covers no other label."""
    x, y = label
    others = list(taken)
    while any(abs(x - at[0]) < _LABEL_SIZE and abs(y - at[1]) < _LABEL_SIZE for at in others):
        x += _LABEL_SIZE
    return x, y


# --- shapes --------------------------------------------------------------------------------------


def _crosses(centres: Iterable[Point], reach: float) -> tuple[Polyline, ...]:
    return tuple(
        ((x - reach, y - way * reach), (x + reach, y + way * reach))
        for x, y in centres
        for way in (1, -1)
    )


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
