"""What people call the places of a sheet, their marks, and those that are hidden or cancelled.

The words are a game's: phrases "<field>-place" and "ask-<field>", answers "<field> <mark>".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from brikks_vision.games import game_named
from brikks_vision.infer.answers import places_of
from brikks_vision.layout import CELL, Box, Cell, Layout, bounds
from brikks_vision.reading import Reading, Status
from brikks_vision.rules.shapes import connected
from brikks_vision.show.marks_on_sheet import Drawing, Polyline, Stroke
from brikks_vision.text import languages, phrases


def marks_at(where: str, layout: Layout) -> tuple[str, ...]:
    """The marks of the contract that ink can show at a place."""
    return tuple(game_named(layout.game).marks_at(where))


def place_text(where: str, layout: Layout, language: str) -> str:
    """A place of the contract as people call it: "row 3 from the bottom, column 4".

    As it stands where it is no kind of place that the game knows.
    """
    if field_of(where) not in game_named(layout.game).MARKS:
        return where
    return place_phrase(where, layout).text(language)


def place_phrase(where: str, layout: Layout) -> phrases.Phrase:
    """A place of the contract as people call it, in no language yet."""
    game = game_named(layout.game)
    return phrases.phrase(f"{game.NAME}.{field_of(where)}-place", **game.counted(where, layout))


def place_title(where: str, layout: Layout, language: str) -> str:
    """`place_text` as a title: "Row 3 from the bottom, column 4"."""
    text = place_text(where, layout, language)
    return text[:1].upper() + text[1:]


def mark_text(where: str, mark: str, layout: Layout, language: str) -> str:
    """A mark of the contract as it is called at that place: "crossed"; else as it stands."""
    key = f"{layout.game}.{field_of(where)} {mark}"
    return languages.texts_in(language).answers.get(key, [mark])[0]


def answer_text(where: str, mark: str, layout: Layout, language: str) -> str:
    """What a person can write so that the mark stands there: "row 3, column 4=crossed"."""
    key = f"{layout.game}.{field_of(where)}"
    facts = phrases.phrase(key, **game_named(layout.game).counted(where, layout)).words(language)
    place = languages.texts_in(language).answers[key][0].format(**facts)
    return f"{place}={mark_text(where, mark, layout, language)}"


def answer_said(where: str, mark: str, layout: Layout, language: str) -> str:
    """What an answer was understood as: "Bomb 2: crossed"."""
    place = place_title(where, layout, language)
    told = mark_text(where, mark, layout, language)
    return phrases.phrase("said", place=place, mark=told).text(language)


def doubt_question(
    where: str, layout: Layout, language: str, cancelled: Collection[str] = ()
) -> str:
    """What is asked about a place: "Bomb 2: is it crossed out?", or whether that is cancelled.

    cancelled: the places whose marks seem to be.
    """
    game, field = game_named(layout.game), field_of(where)
    place = place_title(where, layout, language)
    if field not in game.MARKS:
        return f"{place}?"
    if where in cancelled:
        return phrases.phrase("ask-cancelled", place=place).text(language)
    return phrases.phrase(f"{game.NAME}.ask-{field}", place=place).text(language)


def field_of(where: str) -> str:
    """The field of a place of the contract: "cell" of "cell 3,4"."""
    return where.partition(" ")[0]


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
    return f"{told} {phrases.phrase(advice).sentence(language)}"


def cancelled_text(reading: Reading, layout: Layout, language: str) -> str:
    """Which marks are cancelled, as people count them, but for those that are asked about."""
    asked = {doubt.where for doubt in reading.doubts}
    struck = [where for where in reading.cancelled if where not in asked]
    return covered_told(struck, layout, language, "cancelled") if struck else ""


def covered_told(
    places: Sequence[str], layout: Layout, language: str, told: str = "covered"
) -> str:
    """Which places are covered, one at least: "Row 7 from the bottom, column 1 is covered."

    told : "covered" or "cancelled".
    """
    groups = covered_groups(places, layout)
    named = phrases.all_of([_group_told(group, layout) for group in groups])
    return phrases.phrase(told, count=len(places), places=named).sentence(language)


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
    boxes = [box_around([where], layout) for where in reading.cancelled]
    struck: list[Polyline] = [  # a line across each, a little beyond both sides
        tuple((x, (box.top + box.bottom) / 2) for x in (box.left - 0.1, box.right + 0.1))
        for box in boxes
    ]
    kinds: dict[str, list[Polyline]] = {"covered": hatched, "cancelled": struck}
    return Drawing(
        tuple(Stroke(kind, kind, tuple(lines)) for kind, lines in kinds.items() if lines), ()
    )


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


def _group_told(group: Sequence[str], layout: Layout) -> phrases.Phrase:
    """ "row 7 from the bottom, columns 1 and 2", "energy point 3 to energy point 9"."""
    if len(group) == 1:
        return place_phrase(group[0], layout)
    if not group[0].startswith(CELL):
        ends = [place_phrase(where, layout) for where in (group[0], group[-1])]
        return phrases.phrase("covered-span", first=ends[0], last=ends[1])
    is_whole = len(connected(map(_cell, group))) == 1
    counted = [game_named(layout.game).counted(where, layout) for where in group]
    rows, columns = ({int(str(each[name])) for each in counted} for name in ("row", "column"))
    return phrases.phrase(
        "covered-cells" if is_whole else "covered-some",
        count=len(group),
        rows=phrases.phrase("covered-rows", count=len(rows), numbers=_numbers(rows)),
        columns=phrases.phrase("covered-columns", count=len(columns), numbers=_numbers(columns)),
    )


def _numbers(found: set[int]) -> phrases.Fact:
    """ "1 and 2", "3 to 6"; the numbers follow one another."""
    first, last = min(found), max(found)
    if len(found) < 3:
        return phrases.all_of(sorted(found))
    return phrases.phrase("covered-span", first=first, last=last)


def _cell(where: str) -> Cell:
    row, column = where.removeprefix(f"{CELL} ").split(",")
    return int(row), int(column)
