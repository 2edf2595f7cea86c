"""Learns a printing of Qwixx from a photo of its empty sheet.

Its four rows are found by their numbers (`brikks_vision.games.qwixx.rows`).
Locks and boxes are sought beside and below them; where they are a person can say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import is_blurred
from brikks_vision.detect.cells import regions_of
from brikks_vision.detect.fit import fit_placement
from brikks_vision.detect.ground import paper_box
from brikks_vision.detect.measure import AREA_STEP
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image, Placement, Points, rectify
from brikks_vision.detect.template import take_blank
from brikks_vision.errors import (
    AnswerUnclear,
    BrikksError,
    GridNotFound,
    PhotoMirrored,
    SheetTooBlurred,
    SheetTooSmall,
)
from brikks_vision.games import learning
from brikks_vision.games.learning import Given, Proposal, Value, box_of, in_the_middle, placed_on
from brikks_vision.games.qwixx.rows import find_rows
from brikks_vision.layout import GRID, Box, Field, Layout, PrintDoubt, bounds, load_layout
from brikks_vision.rules.qwixx.sheet import COLUMNS, MAX_FAILED, ROWS, phrase

OWN, OPEN = "qwixx", "."

# All set by hand, lengths in cells.
PIXELS = 32  # px per cell of the straightened sheet
MIN_CELL = 14.0  # px; of a smaller cell no mark can be told
BEND = 0.003  # ridge of the bend: it must hold beyond the rows, too
AROUND = 3.5  # beyond the rows to the left, right and above them, where the sheet is looked at
BELOW = 7.0
NEAR = 0.3  # between where something is and where it is expected
LOCK_SIDES = 0.5, 1.3
SAME = 0.06  # between two finds of one box by several thresholds
FAILED_SIDES, NOT_SQUARE = (0.35, 1.2), 0.35  # of boxes for failed throws; log of width over height
FIGURE_HEIGHTS, FIGURE_RATIOS = (0.5, 1.6), (0.75, 2.6)  # of boxes for figures
FILLED = 0.7  # share of its rectangle that a box or disc fills
COUNTS = {"lock": ROWS, "failed": MAX_FAILED, "figures": ROWS + 2}
PARTS = tuple(COUNTS)
EXAMPLE = "8.1,6 11.7,6 0.8x0.8"
"""Middles of the first and the last place of a part, and the size of each, in cells."""


def propose(photo: Photo, name: str, given: Given) -> Proposal:
    """Propose a printing; see `brikks_vision.infer.protocol.Learner`.

    ``given.values`` : of "lock", "failed" or "figures", as `EXAMPLE`; of places that are empty,
    whatever they look like, such as "row 0,3", ".". Regions: these, and "grid",
    all places of the rows.
    """
    image, own = photo.image, load_layout(OWN).fields["row"]
    centres, side = np.array(own.centres), own.size[0]
    remark: BrikksError | None = None
    is_sure = True
    if GRID in given.corners:
        placement = placed_on(given.corners[GRID], own.box)
    else:
        try:
            rows = find_rows(image)
            centres, is_sure = rows.centres, rows.is_sure
            numbers, weights = rows.on_sheet(rows.numbers), np.ones(len(rows.photo))
            around = _around(centres)
            placement = fit_placement(numbers, rows.photo, weights, around, "lattice", BEND)
            is_mirrored = rows.is_mirrored and is_sure
            remark = PhotoMirrored() if is_mirrored else _remark(image, placement)
        except (GridNotFound, np.linalg.LinAlgError):
            placement, remark = in_the_middle(image, own.box), GridNotFound()
    placement = replace(placement, area=_around(centres))
    area = _around(centres)
    flat = rectify(image, placement, area, PIXELS)
    empty = {where for where, text in given.values.items() if text == OPEN}
    said = {part: _said(part, text) for part, text in given.values.items() if part not in empty}
    for part in PARTS:
        if part in given.corners:
            said[part] = _divided(box_of(given.corners[part], placement), COUNTS[part])
    found = {
        "lock": _locks(flat, area, centres),
        **_boxes(flat, area, float(centres[:, 1].max()) + side / 2),
        **said,
    }
    layout = _layout(name, centres, side, found)
    if not is_sure:
        if {"lock", "failed"} <= {doubt.where for doubt in layout.doubts}:
            remark = remark or GridNotFound()  # neither numbers nor boxes are surely those of Qwixx
        layout = replace(layout, doubts=(PrintDoubt(GRID, "4x11", 0.5), *layout.doubts))
    page = paper_box(image, placement, layout.marked_area.grown(0.2))
    layout = replace(layout, page=page, reading_area=_reading_area(layout.marked_area))
    layout = replace(layout, blank=take_blank(image, placement, layout))
    marked = learning.marked_places(image, placement, layout)
    seen = {where: odds for where, odds in marked.items() if where not in empty}
    remark = remark or learning.marked_remark(seen, lambda _: OPEN)
    values = values_of(layout)
    boxes = {GRID: layout.fields["row"].box, **{value.where: value.box for value in values}}
    return Proposal(layout, photo, placement, boxes, values, given, propose, remark)


def _remark(image: Image, placement: Placement) -> BrikksError | None:
    """Why a sheet can hardly be learnt where it lies."""
    if placement.cell_size() < MIN_CELL:
        return SheetTooSmall()
    return SheetTooBlurred() if is_blurred(placement, image) else None


def _divided(box: Box, count: int) -> Sequence[Box]:
    """The places of a part whose region is said, along its longer side."""
    is_wide = box.width > box.height
    steps = (np.arange(count) + 0.5) / count
    x = box.left + box.width * (steps if is_wide else np.full(count, 0.5))
    y = box.top + box.height * (np.full(count, 0.5) if is_wide else steps)
    width = min(box.width / count, box.width) if is_wide else box.width
    height = box.height if is_wide else box.height / count
    return [_square(float(left), float(top), width, height) for left, top in zip(x, y, strict=True)]


def values_of(layout: Layout) -> tuple[Value, ...]:
    """The parts of the sheet whose places can be given."""
    doubts = {doubt.where: doubt.confidence for doubt in layout.doubts}
    found = []
    for part in PARTS:
        fields = [layout.fields[part]] if part in layout.fields else [*layout.figures.values()]
        if fields:
            box, now = bounds(field.box for field in fields), _text(fields)
            told = phrase(f"print-{part}")
            sure = doubts.get(part, 1.0)
            found.append(Value(part, box, (now,), told, read=now, confidence=sure))
    return tuple(found)


def _around(centres: Points) -> Box:
    """The part of the sheet that is looked at."""
    (left, top), (right, bottom) = centres.min(axis=0), centres.max(axis=0)
    return Box(left - AROUND, top - AROUND, right + AROUND, bottom + BELOW)


def _regions(flat: Image, area: Box) -> Iterator[Box]:
    """The boxes around regions that edges surround."""
    for regions in regions_of(flat):
        contours, _ = cv2.findContours(regions, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            x, y, width, height = (side / PIXELS for side in cv2.boundingRect(contour))
            if cv2.contourArea(contour) < FILLED * width * height * PIXELS**2:
                continue
            yield Box(area.left + x, area.top + y, area.left + x + width, area.top + y + height)


# --- what stands beside and below -----------------------------------------------------------------


def _locks(flat: Image, area: Box, centres: Points) -> Sequence[Box]:
    """The locks at the right ends of the rows; none where no two lie below each other."""
    low, high = LOCK_SIDES
    rows, right = centres[::COLUMNS, 1], float(centres[:, 0].max()) + low
    seen = [
        box
        for box in _regions(flat, area)
        if low <= min(box.width, box.height) <= max(box.width, box.height) <= high
        and box.left > right
        and np.abs(rows - box.middle[1]).min() < NEAR
    ]
    columns = [[other for other in seen if abs(other.middle[0] - box.middle[0]) < NEAR]
               for box in seen]  # fmt: skip
    best = max(columns, key=lambda each: len({_nearest(rows, box) for box in each}), default=[])
    if len({_nearest(rows, box) for box in best}) < 2:
        return ()
    x = float(np.median([box.middle[0] for box in best]))
    side = float(np.median([max(box.width, box.height) for box in best]))
    return [_square(x, float(y), side, side) for y in rows]


def _nearest(rows: NDArray[np.float64], box: Box) -> int:
    return int(np.abs(rows - box.middle[1]).argmin())


def _square(x: float, y: float, width: float, height: float) -> Box:
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _boxes(flat: Image, area: Box, below: float) -> dict[str, Sequence[Box]]:
    """The boxes for failed throws and those for figures, below the rows."""
    sides = [(*box.middle, box.width, box.height) for box in _regions(flat, area)]
    seen = np.array([each for each in sides if each[1] > below]).reshape(-1, 4)
    kept = np.unique(np.round(seen / SAME), axis=0, return_index=True)[1]
    seen = seen[kept]
    high = seen[:, 3]
    ratio = seen[:, 2] / np.maximum(high, 1e-6)
    squares = seen[
        (np.abs(np.log(ratio)) < NOT_SQUARE) & (high > FAILED_SIDES[0]) & (high < FAILED_SIDES[1])
    ]
    wide = seen[
        (ratio > FIGURE_RATIOS[0])
        & (ratio < FIGURE_RATIOS[1])
        & (high > FIGURE_HEIGHTS[0])
        & (high < FIGURE_HEIGHTS[1])
    ]
    figures = _in_line(wide, ROWS + 2)
    if figures:  # of which some may make a line, too
        aside = np.abs(squares[:, None, :2] - np.array([each.middle for each in figures]))
        squares = squares[~(aside < (figures[0].width / 2, figures[0].height / 2)).all(2).any(1)]
    return {"failed": _in_line(squares, MAX_FAILED), "figures": figures}


def _in_line(boxes: NDArray[np.float64], count: int) -> Sequence[Box]:
    """So many boxes of one size at equal steps, neither more nor less; the largest that are."""
    best: list[int] = []

    def following(at: int, step: NDArray[np.float64]) -> int | None:
        away = np.abs(boxes - boxes[at] - (*step, 0, 0)).max(axis=1)
        return int(away.argmin()) if away.min() < NEAR / 2 else None

    for first in range(len(boxes)):
        ways = boxes[:, :2] - boxes[first, :2]
        alike = np.abs(boxes[:, 2:] - boxes[first, 2:]).max(axis=1) < NEAR / 2
        beside = alike & (np.abs(ways[:, 1]) < NEAR / 2) & (ways[:, 0] > 0.9 * boxes[first, 2])
        for second in np.flatnonzero(beside & (ways[:, 0] < 2 * boxes[first, 2])).tolist():
            step = ways[second]
            if following(first, -step) is not None:
                continue
            line, after = [first], following(first, step)
            while after is not None and len(line) <= count:
                line.append(after)
                after = following(after, step)
            if len(line) == count and (not best or boxes[first, 2] > boxes[best[0], 2]):
                best = line
    return [_square(*boxes[at].tolist()) for at in best]


# --- the layout ----------------------------------------------------------------------------------


def _layout(name: str, centres: Points, side: float, found: Mapping[str, Sequence[Box]]) -> Layout:
    """Our own layout with everything where this print has it; what is not seen is doubted."""
    own = load_layout(OWN)
    fields = {"row": _moved(own.fields["row"], [_square(x, y, side, side) for x, y in centres])}
    doubts = []
    for part in ("lock", "failed"):
        fields[part] = own.fields[part]
        if found[part]:
            fields[part] = _moved(own.fields[part], found[part])
        else:
            doubts.append(PrintDoubt(part, _text([own.fields[part]]), 0.5))
    boxes = found["figures"]
    lies = np.argsort(np.argsort(centres[::COLUMNS, 1]))  # sums stand in the order of the rows
    sums = [boxes[at] for at in lies] if boxes else []
    groups = {"rows": sums, "failed": boxes[ROWS:-1], "total": boxes[-1:]}
    return replace(
        own,
        name=name,
        fields=fields,
        figures={part: _moved(own.figures[part], of) for part, of in groups.items() if of},
        words={},
        markers=None,
        blank=None,
        finder="reference",
        doubts=tuple(doubts),
    )


def _moved(field: Field, boxes: Sequence[Box]) -> Field:
    """A field with its places in these boxes, all of their median size."""
    width, height = np.median([(box.width, box.height) for box in boxes], axis=0).tolist()
    drawn = tuple(dict.fromkeys(each, round(width, 3)) for each in field.drawn)
    centres = tuple((float(x), float(y)) for x, y in (box.middle for box in boxes))
    return replace(field, centres=centres, size=(width, height), drawn=drawn)


def _reading_area(area: Box) -> Box:
    """The smallest box around an area whose sides the networks take."""
    width, height = (AREA_STEP * ceil(side / AREA_STEP) for side in (area.width, area.height))
    return _square(*area.middle, width, height)


def _text(fields: Sequence[Field]) -> str:
    """Where places are, as it is said."""
    (left, top), (right, bottom) = fields[0].centres[0], fields[-1].centres[-1]
    width, height = fields[0].size
    return f"{left:.2f},{top:.2f} {right:.2f},{bottom:.2f} {width:.2f}x{height:.2f}"


def _said(part: str, text: str) -> Sequence[Box]:
    """The places of a part, evenly between the first and the last; raises AnswerUnclear."""
    try:
        first, last, size = text.split()
        (left, top), (right, bottom) = (
            [float(each) for each in end.split(",")] for end in (first, last)
        )
        width, height = (float(each) for each in size.split("x"))
        middles = np.linspace((left, top), (right, bottom), COUNTS[part])
        return [_square(float(x), float(y), width, height) for x, y in middles]
    except (KeyError, ValueError):
        raise AnswerUnclear(f"{part}={text}", f"failed={EXAMPLE}") from None
