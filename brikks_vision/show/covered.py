"""What is told of places that are hidden, or cancelled: one sentence for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from brikks_vision.decode.answers import places_of
from brikks_vision.games import game_named
from brikks_vision.layout import CELL, Box, Cell, Layout, bounds
from brikks_vision.reading import Reading, Status
from brikks_vision.rules.shapes import connected
from brikks_vision.show.marks_on_sheet import Drawing, Polyline, Stroke
from brikks_vision.show.places import place_phrase
from brikks_vision.text.phrases import Fact, Phrase, all_of, phrase

MAX_CELL_GROUPS = 3
"""Groups of cells that are told one by one."""

_HATCH = 0.34  # cells between two lines of a hatching, along an edge


def covered_text(reading: Reading, layout: Layout, language: str) -> str:
    """Which places are covered, as people count them, and what to do; empty where none is.

    "Row 7 from the bottom, columns 1 and 2 are covered. Photograph it again with nothing on it."
    """
    if not reading.covered:
        return ""
    advice = "covered-same" if reading.status is Status.OK else "covered-again"
    told = covered_told(reading.covered, layout, language)
    return f"{told} {phrase(advice).sentence(language)}"


def cancelled_text(reading: Reading, layout: Layout, language: str) -> str:
    """Which marks are cancelled, as people count them; empty where none is."""
    if not reading.cancelled:
        return ""
    return covered_told(reading.cancelled, layout, language, "cancelled")


def covered_told(
    places: Sequence[str], layout: Layout, language: str, told: str = "covered"
) -> str:
    """Which places are covered, one at least: "Row 7 from the bottom, column 1 is covered."

    told : "covered" or "cancelled".
    """
    groups = covered_groups(places, layout)
    named = all_of([_group_told(group, layout) for group in groups])
    return phrase(told, count=len(places), places=named).sentence(language)


def covered_groups(covered: Iterable[str], layout: Layout) -> tuple[tuple[str, ...], ...]:
    """The covered places, those together that lie side by side in one field.

    Cells in more than `MAX_CELL_GROUPS` places, as under a pen, are one group.
    """
    covered = set(covered)
    cells = frozenset(_cell(where) for where in covered if where.startswith(CELL))
    together = connected(cells)
    groups = [
        tuple(f"{CELL} {row},{column}" for row, column in sorted(group))
        for group in (together if len(together) <= MAX_CELL_GROUPS else [cells])
    ]
    for field in game_named(layout.game).MARKS:
        if field != CELL:
            runs = groupby(places_of(field, layout), lambda where: where in covered)
            groups += [tuple(run) for is_covered, run in runs if is_covered]
    return tuple(groups)


def draw_covered(reading: Reading, layout: Layout) -> Drawing:
    """Each covered place hatched, each cancelled one struck through."""
    hatched = [line for where in reading.covered for line in _hatching(box_around([where], layout))]
    struck = [_through(box_around([where], layout)) for where in reading.cancelled]
    kinds = {"covered": hatched, "cancelled": struck}
    return Drawing(
        tuple(Stroke(kind, kind, tuple(lines)) for kind, lines in kinds.items() if lines), ()
    )


def _through(box: Box) -> Polyline:
    """A line across a rectangle, a little beyond both sides."""
    middle = (box.top + box.bottom) / 2
    return (box.left - 0.1, middle), (box.right + 0.1, middle)


def _hatching(box: Box) -> Iterator[Polyline]:
    """Parallel lines from the lower left to the upper right across a rectangle."""
    along = np.arange(_HATCH / 2, box.width + box.height, _HATCH)
    for start in along.tolist():
        below, beside = max(0.0, start - box.width), max(0.0, start - box.height)
        yield (
            (box.left + beside, box.top + min(start, box.height)),
            (box.left + min(start, box.width), box.top + below),
        )


def box_around(group: Iterable[str], layout: Layout) -> Box:
    """The rectangle around some places, in cells."""
    boxes = []
    for where in group:
        field = layout.fields[where.partition(" ")[0]]
        x, y = field.centres[places_of(field.name, layout).index(where)]
        boxes.append(Box(x, y, x, y).grown(field.size[0] / 2, field.size[1] / 2))
    return bounds(boxes)


def _group_told(group: Sequence[str], layout: Layout) -> Phrase:
    """ "row 7 from the bottom, columns 1 and 2", "energy point 3 to energy point 9"."""
    if len(group) == 1:
        return place_phrase(group[0], layout)
    if not group[0].startswith(CELL):
        ends = [place_phrase(where, layout) for where in (group[0], group[-1])]
        return phrase("covered-span", first=ends[0], last=ends[1])
    is_whole = len(connected(map(_cell, group))) == 1
    counted = [game_named(layout.game).counted(where, layout) for where in group]
    rows, columns = ({each[name] for each in counted} for name in ("row", "column"))
    return phrase(
        "covered-cells" if is_whole else "covered-some",
        count=len(group),
        rows=phrase("covered-rows", count=len(rows), numbers=_numbers(rows)),
        columns=phrase("covered-columns", count=len(columns), numbers=_numbers(columns)),
    )


def _numbers(found: set[int]) -> Fact:
    """ "1 and 2", "3 to 6"; the numbers follow one another."""
    first, last = min(found), max(found)
    if len(found) < 3:
        return all_of(sorted(found))
    return phrase("covered-span", first=first, last=last)


def _cell(where: str) -> Cell:
    row, column = where.removeprefix(f"{CELL} ").split(",")
    return int(row), int(column)
