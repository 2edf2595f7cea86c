"""What the templates draw: places that can be tapped, lines over the picture, names of places.

Everything is in the sheet frame, in cells; the picture behind it shows the same frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from brikks_vision.layout import Box, Cell, Layout, Point
from brikks_vision.reading import Doubt, Reading, ViolationReading
from brikks_vision.rules.brikks.state import SheetState
from brikks_vision.show.overlay import place_of
from brikks_vision.show.places import mark_text, place_title
from brikks_vision.text.languages import texts_in

_CELL_INSET = 0.09  # cells, of a block's outline
_REACH = 0.26  # cells, half of a drawn cross
_LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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


def strokes(reading: Reading, state: SheetState, layout: Layout) -> tuple[Stroke, ...]:
    """The reading as lines: outlines of blocks, crosses, rings."""
    outlines = [
        Stroke(f"outline {block.color or 'none'}", _outline(block.cells, _CELL_INSET))
        for block in reading.blocks
    ]
    crossed = [
        (column + 0.5, row + 0.5)
        for row, marks in enumerate(reading.grid)
        for column, mark in enumerate(marks)
        if mark == "X"
    ]
    crossed += [
        centre
        for centre, mark in zip(layout.fields["box"].centres, state.bonus, strict=True)
        if mark
    ]
    energy = list(zip(layout.fields["energy"].centres, map(str, state.energy), strict=True))
    rings = [centre for centre, mark in energy if mark == "circled"]
    struck = [centre for centre, mark in energy if mark == "used"]
    struck += [
        centre
        for centre, mark in zip(layout.fields["bomb"].centres, state.bombs, strict=True)
        if mark
    ]
    off = [centre for centre, mark in energy if mark == "off"]
    radius = layout.fields["energy"].radius
    return (
        *outlines,
        Stroke("cross", _crosses(crossed, _REACH)),
        Stroke("ring", "".join(_ring(centre, radius * 1.12) for centre in rings)),
        Stroke("struck", _crosses(struck, radius)),
        Stroke("off", _crosses(off, radius)),
    )


def doubt_letter(number: int) -> str:
    """The letter of a doubt, counted from 0."""
    return _LABELS[number % len(_LABELS)]


def doubt_strokes(doubts: Iterable[Doubt], layout: Layout) -> tuple[Stroke, ...]:
    """A ring around each doubtful place."""
    return tuple(Stroke("doubt", _ring(*place)) for _, place in _placed(doubts, layout))


def doubt_labels(doubts: Iterable[Doubt], layout: Layout) -> tuple[Label, ...]:
    """Its letter beside each doubtful place."""
    return tuple(
        Label("doubt", doubt_letter(number), x + 0.75 * radius + 0.1, y - 0.75 * radius - 0.1)
        for number, ((x, y), radius) in _placed(doubts, layout)
    )


def violation_strokes(violations: Iterable[ViolationReading], layout: Layout) -> tuple[Stroke, ...]:
    """An outline around the cells, or rings around the points, where a rule is broken."""
    found = []
    for violation in violations:
        path = _outline(violation.cells, -0.04)
        path += "".join(_ring(*place) for place in _violation_places(violation, layout))
        if path:
            found.append(Stroke("violation", path))
    return tuple(found)


def violation_labels(violations: Iterable[ViolationReading], layout: Layout) -> tuple[Label, ...]:
    """The number of each violation where it shows; none for one that shows nowhere."""
    found: list[Label] = []
    for number, violation in enumerate(violations, 1):
        places = _violation_places(violation, layout)
        if violation.cells:
            row, column = min(violation.cells)
            x, y = column + 0.1, row + 0.1
        elif places:
            (left, top), radius = places[0]
            x, y = left - 0.75 * radius - 0.1, top - 0.75 * radius - 0.1
        else:
            x, y = _beside(violation.part, layout)
        while any(abs(x - label.x) < 0.6 and abs(y - label.y) < 0.6 for label in found):
            x += 0.6
        found.append(Label("violation", str(number), x, y))
    return tuple(found)


def point_labels(reading: Reading, layout: Layout) -> tuple[Label, ...]:
    """The points of each row beside it, and of the bars behind them."""
    if reading.score is None:
        return ()
    x = layout.figures["rows"].box.left - 0.5
    labels = [
        Label("points" if points else "nothing", str(points), x, row + 0.5)
        for row, points in enumerate(reading.score.rows)
    ]
    labels.append(Label("points", str(reading.score.lines), x, layout.grid.rows + 0.6))
    return tuple(labels)


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


def _crosses(centres: Iterable[Point], reach: float) -> str:
    return "".join(
        f"M{x - reach:.2f} {y - reach:.2f}L{x + reach:.2f} {y + reach:.2f}"
        f"M{x - reach:.2f} {y + reach:.2f}L{x + reach:.2f} {y - reach:.2f}"
        for x, y in centres
    )


def _ring(centre: Point, radius: float) -> str:
    x, y = centre
    half = f"a{radius:.2f} {radius:.2f} 0 1 0"
    return f"M{x - radius:.2f} {y:.2f}{half} {2 * radius:.2f} 0{half} {-2 * radius:.2f} 0"


def _outline(cells: Iterable[Cell], inset: float) -> str:
    """The rim of a group of cells, moved inwards."""
    inside = set(cells)
    path = ""
    for row, column in sorted(inside):
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if (row + down, column + right) not in inside:
                (x, y), (to_x, to_y) = _side((row, column), down, right, inside, inset)
                path += f"M{x:.2f} {y:.2f}L{to_x:.2f} {to_y:.2f}"
    return path


def _side(
    cell: Cell, down: int, right: int, inside: set[Cell], inset: float
) -> tuple[Point, Point]:
    """One side of a cell: drawn to where the sides of its neighbours begin."""
    row, column = cell
    across = (0, 1) if down else (1, 0)  # along the side, (down, right)
    ends = []
    for way in (-1, 1):
        beside = (row + way * across[0], column + way * across[1])
        corner = (beside[0] + down, beside[1] + right)
        y = row + 0.5 + 0.5 * (down + way * across[0]) - inset * down
        x = column + 0.5 + 0.5 * (right + way * across[1]) - inset * right
        shift = inset if beside not in inside else -inset if corner in inside else 0.0
        ends.append((x - way * across[1] * shift, y - way * across[0] * shift))
    return ends[0], ends[1]


def _placed(doubts: Iterable[Doubt], layout: Layout) -> Iterator[tuple[int, tuple[Point, float]]]:
    for number, doubt in enumerate(doubts):
        place = place_of(doubt.where, layout)
        if place is not None:
            yield number, place


def _violation_places(violation: ViolationReading, layout: Layout) -> list[tuple[Point, float]]:
    kinds = {"energy": "energy", "bonus": "box", "bombs": "bomb", "rows": "row"}
    if violation.part == "total":
        place = place_of("total", layout)
        return [] if place is None else [place]
    if violation.part not in kinds:
        return []
    numbers = [number for number in violation.where if isinstance(number, int)]
    found = (place_of(f"{kinds[violation.part]} {number}", layout) for number in numbers)
    return [place for place in found if place is not None]


def _beside(part: str, layout: Layout) -> Point:
    """Where a part begins: the label's place where there is nothing to ring."""
    energy, bonus = layout.fields["energy"], layout.fields["box"]
    if part == "energy":
        return energy.centres[0][0] - 2 * energy.radius, energy.centres[0][1]
    if part == "bonus":
        return bonus.centres[0][0] - bonus.size[0], bonus.centres[0][1]
    return 0.0, -0.2
