"""A printing as a photo of it, empty, proposes it: what a person looks at, corrects and confirms.

A proposal is always there to be corrected. Regions have four corners in the photo, values what is
printed somewhere; a game names both. What a person says holds, and the rest is proposed anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.patches import read_views, readable_marks, see_beside
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image, Placement, apply_homography, rectify
from brikks_vision.errors import AnswerUnclear, BlankIsMarked, BrikksError
from brikks_vision.infer.answers import places_of
from brikks_vision.layout import CELL, GRID, Box, Field, Layout, Point, PrintDoubt, Printing, bounds
from brikks_vision.layout.definition import MAX_SIDE
from brikks_vision.text.phrases import Phrase

SIZE = "size"
"""Another name for a grid's rows and columns, beside its corners: "10x7"."""
ABSENT = "none"
"""What a region is set to that a sheet does not have."""
PICTURE_PIXELS = 40  # px per cell of the straightened picture
AROUND = 1.5  # cells around all regions that it shows
FLAT_SIDE = 600  # px of a straightened grid whose lines are counted

Corners: TypeAlias = NDArray[np.float64]
"""(4, 2) px of the photo, clockwise from what is the upper left one on the sheet."""


@dataclass(frozen=True)
class Given:
    """What a person says of a printing.

    values: by place, in the words of a `Value`. corners: by region. size: rows and columns of the
    grid. found: where an earlier proposal has its grid, and the rows and columns of it; what is
    said of other things leaves it there.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    corners: Mapping[str, Corners] = field(default_factory=dict)
    size: tuple[int, int] | None = None
    found: tuple[Placement, tuple[int, int]] | None = None

    def and_also(self, more: Given) -> Given:
        """Both; where they differ, what was said last."""
        return Given(
            {**self.values, **more.values},
            {**self.corners, **more.corners},
            more.size or self.size,
            more.found,
        )

    def with_size(self, rows: int, columns: int) -> Given:
        """The same of a game whose grids have just so many rows and columns."""
        return replace(self, size=(rows, columns))

    @property
    def frame(self) -> tuple[Placement, tuple[int, int]] | None:
        """Where the grid lies, with its rows and columns, if a person or an earlier look tells."""
        if self.size and GRID in self.corners:
            return placed(self.corners[GRID], *self.size), self.size
        return self.found


def given_of(settings: Mapping[str, object]) -> Given:
    """What settings say: of "grid" its size or corners, of other regions corners, of places words.

    Corners are four pairs of numbers, px of the photo, or a text of them: "40,60 900,66 ...".

    Raises
    ------
    AnswerUnclear
    """
    if not isinstance(settings, Mapping):
        raise AnswerUnclear(str(settings), '{"cell 3,4": "2", "grid": "10x7"}')
    given = Given()
    for name, said in settings.items():
        place = " ".join(str(name).lower().split())
        if place in (GRID, SIZE) and (size := _size(said)):
            given = replace(given, size=size)
        elif (corners := _corners(said)) is not None:
            given = replace(given, corners={**given.corners, place: corners})
        elif isinstance(said, str) and said.strip() and place not in (GRID, SIZE):
            given = replace(given, values={**given.values, place: said.strip().lower()})
        else:
            raise AnswerUnclear(
                f"{name}={said}", f"{GRID}=10x7, {GRID}=40,60 900,66 890,990 52,980"
            )
    return given


def _size(said: object) -> tuple[int, int] | None:
    sides = re.fullmatch(r"(\d{1,2}) ?[x×] ?(\d{1,2})", said.strip().lower()) if (
        isinstance(said, str)
    ) else None  # fmt: skip
    size = (int(sides[1]), int(sides[2])) if sides else (0, 0)
    return size if min(size) >= 1 and max(size) <= MAX_SIDE else None


def _corners(said: object) -> Corners | None:
    """Four corners of a convex quadrangle, clockwise from the first one that was said."""
    if isinstance(said, str):
        said = [pair.split(",") for pair in said.replace(";", " ").split()]
    try:
        corners = np.array(said, np.float64)
    except (TypeError, ValueError):
        return None
    if corners.shape != (4, 2) or not np.isfinite(corners).all() or np.abs(corners).max() > 1e5:
        return None
    if not cv2.isContourConvex(corners.astype(np.float32)):
        return None
    area = cv2.contourArea(corners.astype(np.float32), True)
    if abs(area) < 1:
        return None
    return corners if area > 0 else corners[[0, 3, 2, 1]]


def placed_on(corners: Corners, box: Box) -> Placement:
    """The plane sheet on which the corners of a box, in cells, lie there in the photo."""
    plane = cv2.getPerspectiveTransform(
        np.array(box.corners, np.float32), corners.astype(np.float32)
    )
    return Placement(np.asarray(plane, np.float64), np.zeros((0, 2)), box, "lattice", 0.0)


def placed(corners: Corners, rows: int, columns: int) -> Placement:
    """A plane grid whose corners lie there in the photo."""
    return placed_on(corners, Box(0.0, 0.0, float(columns), float(rows)))


def in_the_middle(image: Image, box: Box) -> Placement:
    """A sheet with a box upright in the middle of a photo, where none is found: to be moved."""
    height, width = image.shape[:2]
    side = 0.3 * min(width / box.width, height / box.height)
    across, down = side * box.width, side * box.height
    x, y = width / 2, height / 2
    return placed_on(np.array(Box(x - across, y - down, x + across, y + down).corners), box)


def somewhere(image: Image, rows: int, columns: int) -> Placement:
    """A grid upright in the middle of a photo."""
    return in_the_middle(image, Box(0.0, 0.0, float(columns), float(rows)))


def on_sheet(corners: Corners, placement: Placement) -> NDArray[np.float64]:
    """The points of the sheet, (N, 2) cells, that lie there in the photo."""
    return apply_homography(np.linalg.inv(placement.homography), corners)


def box_of(corners: Corners, placement: Placement) -> Box:
    """The box on the sheet, in cells, around a region whose corners lie there in the photo."""
    seen = on_sheet(corners, placement)
    (left, top), (right, bottom) = seen.min(axis=0), seen.max(axis=0)
    return Box(float(left), float(top), float(right), float(bottom))


def boxes_of(layout: Layout) -> dict[str, Box]:
    """The regions of a sheet whose layout is known: the grid, each field and figure, in cells."""
    others = (*layout.places, *layout.figures.values())
    return {GRID: layout.grid.box, **{each.name: each.box for each in others}}


def with_regions(layout: Layout, given: Given, placement: Placement) -> Layout:
    """The layout, its fields and figures where a person said that their corners are."""

    def moved(part: Field) -> Field:
        if part.name not in given.corners or not part.box.width * part.box.height:
            return part
        old, new = part.box, box_of(given.corners[part.name], placement)
        across, down = new.width / old.width, new.height / old.height
        centres = tuple(
            (new.left + (x - old.left) * across, new.top + (y - old.top) * down)
            for x, y in part.centres
        )
        return replace(part, centres=centres, size=(part.size[0] * across, part.size[1] * down))

    fields = {name: moved(each) for name, each in layout.fields.items()}
    return replace(
        layout,
        fields={**fields, CELL: layout.fields[CELL]},
        figures={name: moved(each) for name, each in layout.figures.items()},
    )


def lines_within(image: Image, corners: Corners, least: int, most: int) -> tuple[int, int]:
    """How many rows and columns the grid with these corners shows, from ``least`` to ``most``.

    As many as make its edges stand out on the lines most, beside the middles between them.
    """
    flat = rectify(image, placed(corners, 1, 1), Box(0.0, 0.0, 1.0, 1.0), FLAT_SIDE)
    smooth = cv2.GaussianBlur(flat, (0, 0), 2).astype(np.float32)
    found = []
    for axis in (0, 1):
        edges = np.abs(np.diff(smooth, axis=axis)).max(axis=-1)
        profile = np.median(edges, axis=1 - axis) + np.mean(edges, axis=1 - axis) / 2
        near = cv2.dilate(profile.astype(np.float32).reshape(-1, 1), np.ones((9, 1))).ravel()
        worths = []
        for count in range(least, most + 1):
            lines = np.arange(1, count) * FLAT_SIDE / count
            middles = (np.arange(count) + 0.5) * FLAT_SIDE / count
            on, off = (near[each.astype(int)] for each in (lines, middles))
            worths.append(float(np.percentile(on, 25) - np.median(off)))
        found.append(least + int(np.argmax(worths)))
    return found[0], found[1]


# log-odds of a mark: on 24 empty sheets of two games in any art (simulated, seeds [777, n] and
# [72901, n]) -0.7 at most; of 50 crosses on 16 more ([778, n]) 48 had 1.9 and more, two under 0
MIN_MARKED = 1.0


def marked_places(image: Image, placement: Placement, layout: Layout) -> dict[str, float]:
    """Places of a sheet that should be empty but may be marked, and log-odds of that, over 0.

    Each is compared with others of the same print.
    """
    marks = read_views(see_beside(image, placement, layout), layout)
    found: dict[str, float] = {}
    for each in layout.place_fields:
        odds = np.max([marks[each.name, mark].ravel() for mark in readable_marks(each)], axis=0)
        places = places_of(each.name, layout)
        found |= {places[at]: float(odds[at]) for at in np.flatnonzero(odds > 0)}
    return found


def marked_remark(
    marked: Mapping[str, float], empty: Callable[[str], str], least: float = MIN_MARKED
) -> BlankIsMarked | None:
    """Why a sheet with such `marked_places` is no empty one; ``empty`` : how a place is said so."""
    surely = [where for where, odds in marked.items() if odds >= least]
    if not surely:
        return None
    plainest = max(surely, key=marked.__getitem__)
    return BlankIsMarked(len(surely), f"{plainest}={empty(plainest)}")


@dataclass(frozen=True)
class Value:
    """A place whose print a person can say.

    where: its name in answers, "cell 3,4" or "row 5". box: on the sheet, in cells, to point at.
    choices: what it can be set to. told: what the place is called. words: names of choices, where
    they differ from the choice itself. read: the choice that is proposed; confidence: its
    probability, 1 where a person said it. swatches: "#rrggbb" of the choices that are colours.
    """

    where: str
    box: Box
    choices: tuple[str, ...]
    told: Phrase
    words: Mapping[str, Phrase] = field(default_factory=dict)
    read: str = ""
    confidence: float = 1.0
    swatches: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Proposal:
    """A printing as a photo of it proposes it, and what a person said.

    layout: the printing, with the picture of the empty sheet or board. photo, placement: the sheet
    frame, cells, to its px. boxes: the regions that the game names, in cells; "grid" first. values:
    what is printed where. remark: why it is hardly an empty sheet of the game, None where it is
    one; who keeps it must have looked. labels: places in cells with what was read there.
    """

    layout: Any  # a `Printing`: `Layout` of sheets
    photo: Photo
    placement: Placement
    boxes: Mapping[str, Box]
    values: Sequence[Value]
    said: Given
    propose: Callable[[Photo, str, Given], Proposal]
    remark: BrikksError | None = None
    labels: Sequence[tuple[Point, str]] = ()

    @property
    def regions(self) -> Mapping[str, Corners]:
        """The corners of each region in the photo."""
        return {
            name: self.said.corners[name]
            if name in self.said.corners
            else self.placement.to_photo(np.array(box.corners))
            for name, box in self.boxes.items()
        }

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the grid; 0 where its places make no lattice."""
        grid, box = getattr(self.layout, "grid", None), self.boxes[GRID]
        return (grid.rows, grid.columns) if grid else (round(box.height), round(box.width))

    @property
    def doubts(self) -> tuple[PrintDoubt, ...]:
        """What is unsure of the print, least sure first."""
        return tuple(self.layout.doubts)

    def given(self, settings: Mapping[str, object]) -> Proposal:
        """The same with what a person says; what was said before holds, all else is read anew.

        Raises
        ------
        AnswerUnclear, AnswerOffSheet
        """
        more = given_of(settings)
        moves = more.size or GRID in more.corners
        found = None if moves else (self.placement, self.size)
        said = self.said.and_also(replace(more, found=found))
        return self.propose(self.photo, self.layout.name, said)

    def template(self) -> Printing:
        """The printing as scans take it."""
        found: Printing = self.layout
        return found

    def confirmed(self) -> Proposal:
        """The same after a person looked at it: nothing of it is unsure any more."""
        if not isinstance(self.layout, Layout):  # boards are kept without doubts
            return self
        return replace(self, layout=replace(self.layout, doubts=(), unsaid={}))

    def to_json(self) -> str:
        """The definition, which `brikks_vision.games.printings.parse_printing` reads."""
        return str(self.layout.to_json())

    @property
    def area(self) -> Box:
        """What the straightened picture shows, in cells."""
        return bounds(self.boxes.values()).grown(AROUND)

    @property
    def picture(self) -> Image:
        """The straightened photo: `area`, uint8 BGR."""
        area = self.area
        return rectify(self.photo.image, self.placement, area, PICTURE_PIXELS)
