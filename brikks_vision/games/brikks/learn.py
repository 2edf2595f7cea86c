"""Learns a printing of Brikks: where its fields stand, and what its empty sheet looks like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from brikks_vision.detect.align import Alignment
from brikks_vision.detect.by_blank import print_likeness
from brikks_vision.detect.locate import locate
from brikks_vision.detect.measure import measured
from brikks_vision.detect.mirror import Side, side_of
from brikks_vision.detect.photo import Photo, load_photo
from brikks_vision.detect.placement import Image
from brikks_vision.detect.template import BLANK_PIXELS, take_blank
from brikks_vision.detect.unlike import empty_page, page_in_photo
from brikks_vision.errors import (
    AnswerUnclear,
    BlankIsMarked,
    BlankOfOtherGame,
    BrikksError,
    NoSheetFound,
    PhotoMirrored,
    PhotoUnreadable,
    PrintHidden,
    PrintsDiffer,
    SheetTooSmall,
)
from brikks_vision.games import learning
from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.games.learning import Given, Proposal, Value, boxes_of, somewhere, with_regions
from brikks_vision.infer.answers import checked_answers, covered_at, covered_places, places_of
from brikks_vision.layout import GRID, Box, Layout, PrintDoubt, packaged_layouts
from brikks_vision.rules.brikks.sheet import load_sheet, parse_sheet
from brikks_vision.text.phrases import phrase

GAME = "brikks"
# All set by hand.
MIN_CELL = 14.0  # px; of a smaller sheet the fields cannot be measured to a twentieth of a cell
MAX_ASIDE = 0.3  # cells, from the corners of the grid as a person says them
MIN_CONFIDENCE = 0.5  # of what is learnt from a sheet that may lie one cell beside
# `print_likeness` of a marked sheet to the print that was learnt from it and others: eight had 0.46
# to 0.94, the full ones least; one of another printing 0.2
MIN_ALIKE = 0.33
EMPTY = {"cell": ".", "energy": "open", "box": ".", "bomb": "."}
"""What a place without a mark is set to."""


def propose(photo: Photo, name: str, given: Given) -> Proposal:
    """Propose a printing of this game; see `brikks_vision.infer.protocol.Learner`.

    ``given.values`` : places that are empty, whatever they look like: "cell 3,4", "energy 12",
    "box 5", "bomb 1" to "." or "open". Regions: "grid", and each field and figure by name.
    """
    empty = _checked_empty(given.values)
    alignment, remark = _aligned(photo.image, given)
    marked = learning.marked_places(photo.image, alignment.placement, alignment.layout)
    seen = {place: odds for place, odds in marked.items() if place not in empty}
    remark = remark or learning.marked_remark(seen, _empty_mark)
    layout = with_regions(alignment.layout, given, alignment.placement)
    blank = take_blank(photo.image, alignment.placement, layout)
    doubts = [
        PrintDoubt(place, _empty_mark(place), float(1 / (1 + np.exp(odds))))
        for place, odds in seen.items()
    ]
    if not alignment.is_clear:
        grid = layout.grid
        doubts.append(PrintDoubt(GRID, f"{grid.rows} x {grid.columns}", MIN_CONFIDENCE))
    ranked = tuple(sorted(doubts, key=lambda doubt: doubt.confidence))
    layout = replace(layout, name=name, blank=blank, doubts=ranked)
    return Proposal(
        layout, photo, alignment.placement, boxes_of(layout), values_of(layout), given, propose,
        remark,
    )  # fmt: skip


def _aligned(image: Image, given: Given) -> tuple[Alignment, BrikksError | None]:
    """The sheet as it is found, or as its corners are said, and why it is hardly one."""
    known = packaged_layouts(GAME)
    grid = known[0].grid
    frame = given.with_size(grid.rows, grid.columns).frame
    if frame is not None:  # the printing that has the regions that are said
        layout = max(known, key=lambda each: len(boxes_of(each).keys() & given.corners.keys()))
        placement = replace(frame[0], area=layout.reading_area)
        return _measured_there(image, Alignment(layout, placement, 0.0, True)), None
    try:
        alignment = locate(image, known)
    except PhotoUnreadable as error:
        middle = somewhere(image, grid.rows, grid.columns)
        why = BlankOfOtherGame(known[0].title) if isinstance(error, NoSheetFound) else error
        middle = replace(middle, area=known[0].reading_area)
        return Alignment(known[0], middle, 0.0, False), why
    remark: BrikksError | None = None
    if alignment.placement.cell_size() < MIN_CELL:
        remark = SheetTooSmall()
    elif side_of(image, alignment.placement, alignment.layout) is Side.MIRRORED:
        remark = PhotoMirrored()
    try:
        return measured(image, alignment), remark
    except NoSheetFound as error:
        return alignment, remark or error


def _measured_there(image: Image, said: Alignment) -> Alignment:
    """The alignment with its fields measured; as it was said where that leads elsewhere."""
    corners = np.array(said.layout.grid.box.corners)
    try:
        found = measured(image, said)
    except (NoSheetFound, np.linalg.LinAlgError):
        return said
    away = found.placement.to_photo(corners) - said.placement.to_photo(corners)
    return found if np.abs(away).max() < MAX_ASIDE * said.placement.cell_size() else said


def learn_from_marked(sheets: Sequence[tuple[Photo, Mapping[str, str]]], name: str) -> Proposal:
    """Learn a printing from several marked sheets of it, each with its marks by place.

    Raises
    ------
    PrintHidden
        Together they show no empty sheet.
    PrintsDiffer
        One of them, named as its photo, does not show what is printed on the others.
    PhotoUnreadable
    """
    found = [locate(photo.image, packaged_layouts(GAME)) for photo, _ in sheets]
    layout = Counter(each.layout for each in found).most_common(1)[0][0]
    pages, marked = [], []
    for (photo, marks), alignment in zip(sheets, found, strict=True):
        pages.append(page_in_photo(photo.image, alignment.placement, layout.page, BLANK_PIXELS))
        written = [place for place, mark in marks.items() if mark != _empty_mark(place)]
        marked.append(covered_at(written, layout))
    page, unknown = empty_page(pages, marked, layout)
    rim = np.pad(page, ((BLANK_PIXELS,) * 2, (BLANK_PIXELS,) * 2, (0, 0)), mode="edge")
    said = {place: _empty_mark(place) for place in covered_places(unknown, unknown, layout)}
    learnt = propose(load_photo(rim, max(rim.shape)), name, Given(said))
    if isinstance(learnt.remark, BlankIsMarked):
        raise PrintHidden(learnt.remark.facts["count"])
    if learnt.remark is not None:
        raise learnt.remark
    for (photo, _), alignment in zip(sheets, found, strict=True):
        if print_likeness(photo.image, alignment.placement, learnt.layout) < MIN_ALIKE:
            raise PrintsDiffer(photo.name)
    return learnt


def values_of(layout: Layout) -> tuple[Value, ...]:
    """The places that may bear a mark: a person can say that they are empty."""
    found = []
    for doubt in layout.doubts:
        field = layout.fields.get(doubt.where.split(" ")[0])
        if field is None:  # the whole grid may lie one cell beside
            continue
        x, y = field.centres[places_of(field.name, layout).index(doubt.where)]
        width, height = field.size
        box = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        facts = DEFINITION.counted(doubt.where, layout)
        told = phrase(f"{GAME}.{field.name}-place", **facts)
        mark = _empty_mark(doubt.where)
        value = Value(doubt.where, box, (mark,), told, read=mark, confidence=doubt.confidence)
        found.append(value)
    return tuple(found)


def check(layout: Layout) -> None:
    """Refuse a layout that the reader of this game cannot read; raises KeyError, ValueError."""
    known = packaged_layouts(GAME)[0]
    if vars(parse_sheet(layout)) != vars(load_sheet()):
        raise ValueError
    for name, field in known.fields.items():
        given = layout.fields[name]
        if (field.shape, field.marks, field.prints) != (given.shape, given.marks, given.prints):
            raise ValueError
    for name, field in known.figures.items():
        if field.shape != layout.figures[name].shape:
            raise ValueError


def _checked_empty(settings: Mapping[str, str]) -> frozenset[str]:
    """The places that are said to be empty; raises AnswerUnclear, AnswerOffSheet."""
    checked = checked_answers(settings, DEFINITION, packaged_layouts(GAME)[0])
    for place, mark in checked.items():
        if mark != _empty_mark(place):
            raise AnswerUnclear(f"{place}={mark}", f"{place}={_empty_mark(place)}")
    return frozenset(checked)


def _empty_mark(place: str) -> str:
    return EMPTY[place.partition(" ")[0]]
