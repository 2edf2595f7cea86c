"""Places in colours that others of their print have not, and the empty page of marked sheets.

Where a place is mostly in such colours, something lies there.

What is hidden on one sheet shows on another. Of each pixel the median of those sheets counts on
which its place bears no mark, after the light was made the same on all. A place that is marked on
all of them gets the print of its like nearby.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import READER_PIXELS, Covered, Marks
from brikks_vision.detect.occlusion import painted_over
from brikks_vision.detect.pen import median
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.detect.template import BLANK_PIXELS
from brikks_vision.layout import CELL, Box, Field, Layout, Mark

# Set by hand where no source is named.
# share of a place in foreign colours, of what is not so on most of its kind; unmarked places of a
# kind, below which none is compared
MIN_FOREIGN_SHARE, MIN_OF_KIND = 0.7, 4
FOREIGN_CHROMA = 0.3  # distance of logarithms of colours, without lightness
FOREIGN_PIXELS, FOREIGN_INNER = 12, 0.8  # px per cell; share of a place's sides that is compared
DARK_LEVEL = 12.0  # grey levels, added before taking logarithms: dark colours are noise


def looks_of(field: Field, layout: Layout) -> list[Hashable]:
    """What the places of a field look like: equal where they should look the same."""
    if field.name != CELL:
        return list(field.prints)
    zones = {
        row: at
        for at, zone in enumerate(layout.grid.zones)
        for row in range(zone.first, zone.last + 1)
    }
    looks: list[Hashable] = [
        (kind, zones.get(place // layout.grid.columns)) for place, kind in enumerate(field.prints)
    ]
    for place, color in field.colors:
        looks[place] = color
    return looks


def foreign_places(flat: Image, marks: Marks, layout: Layout) -> Covered:
    """The places without a mark that are mostly in colours that others of their kind have not.

    A thing hides marks and shows none. A colour is compared by its logarithm without lightness, so
    that shadows do not matter, with that of the unmarked places with the same print, of which there
    must be a few. Of games in which cells are filled in nothing is told.

    flat : see `brikks_vision.detect.marks.rectify_for_reading`.
    """
    if Mark.FILL in layout.main_field.marks:
        return {}
    scale = FOREIGN_PIXELS / READER_PIXELS
    small = cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    chroma = _chroma(np.asarray(small, np.float32))
    found = {}
    for field in layout.place_fields:
        seen = chroma[_inner_of(field, layout, chroma.shape[:2])]
        marked = np.any([marks[field.name, each].ravel() > 0 for each in field.marks], axis=0)
        looks, foreign = looks_of(field, layout), np.zeros(len(field.centres), np.bool_)
        for kind in dict.fromkeys(looks):
            group = [at for at, look in enumerate(looks) if look == kind and not marked[at]]
            if len(group) >= MIN_OF_KIND:
                away = seen[group] - median(seen[group].reshape(-1, 3))
                share = (np.linalg.norm(away, axis=2) > FOREIGN_CHROMA).mean(axis=1)
                usual = float(median(share))
                foreign[group] = share - usual > MIN_FOREIGN_SHARE * (1 - usual)
        if foreign.any():
            found[field.name] = foreign.reshape(field.shape)
    return found


def _chroma(colors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logarithms of colours (..., 3) without their lightness."""
    logarithms = np.log(colors + DARK_LEVEL)
    return np.asarray(logarithms - logarithms.mean(axis=-1, keepdims=True), np.float32)


def _inner_of(field: Field, layout: Layout, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Rows and columns (places, pixels) of the inner pixels of a field's places."""
    sides = [max(side or 1.0, 0.3) * FOREIGN_INNER for side in field.size]
    steps = [
        ((np.arange(count) + 0.5) / count - 0.5) * side
        for side, count in zip(sides, np.ceil(np.multiply(sides, FOREIGN_PIXELS)), strict=True)
    ]
    x, y = (each.ravel() for each in np.meshgrid(*steps))
    centres, area = np.array(field.centres), layout.reading_area
    columns = (centres[:, :1] + x - area.left) * FOREIGN_PIXELS - 0.5
    rows = (centres[:, 1:] + y - area.top) * FOREIGN_PIXELS - 0.5
    limits = ((rows, shape[0]), (columns, shape[1]))
    first, second = (np.clip(np.round(at), 0, most - 1).astype(np.intp) for at, most in limits)
    return first, second


# Set by hand where no source is named.
# cells around a place that its marks may reach, in the grid and beside it, where editions differ
# by some tenths of a cell, too; where that leaves nothing of a cell, its rim must do
OVERSHOOT, NO_OVERSHOOT = (0.15, 0.3), (0.0, 0.3)
LIGHT_REACH = 2.0  # cells, standard deviation of the blur that leaves light alone
LIGHT_STEP = 4  # px of the page for one px of its light, which has no detail
LIGHT_ROUNDS = 2  # the light is compared with the median, and that taken again

Mask = NDArray[np.bool_]
Part = tuple[slice, slice]


def empty_page(
    pages: Sequence[Image], marked: Sequence[Covered], layout: Layout
) -> tuple[Image, Covered]:
    """The page as printed, and the places of which no sheet shows the print.

    Parameters
    ----------
    pages : of sheets of one printing, rectified at `BLANK_PIXELS` a cell; 0 outside their photos.
    marked : by field, the places of each sheet that bear a mark or may bear one.

    Returns
    -------
    uint8 BGR as the pages; places that are not known, by field, are painted in the colours around.
    """
    strictly, loosely = (
        np.stack([_bare(*each, layout, around) for each in zip(pages, marked, strict=True)])
        for around in (OVERSHOOT, NO_OVERSHOOT)
    )
    lit = _in_one_light(np.stack(pages).astype(np.float32), strictly)
    page, known = _median(lit, strictly)
    known = _with_like_places(page, known, layout)
    beside, also_known = _median(lit, loosely)
    page[~known], known = beside[~known], known | also_known
    unknown = {
        field.name: np.array(
            [not known[part].all() for part in _parts(field, layout, NO_OVERSHOOT)]
        ).reshape(field.shape)
        for field in _fields(layout)
    }
    hidden = np.where(known, np.uint8(0), np.uint8(255))
    return painted_over(page, hidden, BLANK_PIXELS), unknown


def page_in_photo(image: Image, placement: Placement, page: Box, pixels: int) -> Image:
    """The page, rectified at ``pixels`` a cell; outside the photo, and only there, it is 0."""
    flat = np.maximum(rectify(image, placement, page, pixels), 1)
    rows, columns = np.mgrid[: flat.shape[0], : flat.shape[1]]
    cells = np.stack([columns.ravel(), rows.ravel()], axis=1) + 0.5
    seen = placement.to_photo(cells / pixels + (page.left, page.top))
    height, width = image.shape[:2]
    inside = ((seen >= 0) & (seen <= (width - 1, height - 1))).all(axis=1)
    flat[~inside.reshape(flat.shape[:2])] = 0
    return flat


def _fields(layout: Layout) -> tuple[Field, ...]:
    return layout.place_fields


def _bare(page: Image, marked: Covered, layout: Layout, around: tuple[float, float]) -> Mask:
    """Which pixels of a page lie in no marked place, nor so many cells around one."""
    shown = np.asarray(page.any(axis=2), np.bool_)
    for field in _fields(layout):
        of_field = marked.get(field.name, np.zeros(field.shape, np.bool_)).ravel()
        for part, is_marked in zip(_parts(field, layout, around), of_field, strict=True):
            if is_marked:
                shown[part] = False
    return shown


def _parts(field: Field, layout: Layout, around: tuple[float, float]) -> Iterator[Part]:
    """The part of the page of each place and so many cells around it; all are equally large."""
    reach = around[field.name != CELL]
    width, height = (round((side + 2 * reach) * BLANK_PIXELS) for side in field.size)
    for x, y in field.centres:
        left = round((x - layout.page.left) * BLANK_PIXELS - width / 2)
        top = round((y - layout.page.top) * BLANK_PIXELS - height / 2)
        yield np.s_[max(0, top) : top + height, max(0, left) : left + width]


def _in_one_light(pages: NDArray[np.float32], shown: Mask) -> NDArray[np.float32]:
    """The pages (N, height, width, 3) as in the light of their median."""
    for _ in range(LIGHT_ROUNDS):
        middle, known = _median(pages, shown)
        lit = []
        for page, of_page in zip(pages, shown, strict=True):
            both = (of_page & known)[..., None].astype(np.float32)
            light, wanted = (_light_of(both * each) for each in (page, middle))
            lit.append(page * (wanted / light))
        pages = np.stack(lit)
    return pages


def _light_of(page: NDArray[np.float32]) -> NDArray[np.float32]:
    """A page without its detail, and a little lighter, so that it is nowhere 0."""
    height, width = page.shape[:2]
    small = cv2.resize(
        page, (width // LIGHT_STEP, height // LIGHT_STEP), interpolation=cv2.INTER_AREA
    )
    small = cv2.GaussianBlur(small, (0, 0), LIGHT_REACH * BLANK_PIXELS / LIGHT_STEP)
    return np.asarray(cv2.resize(small, (width, height)) + 1, np.float32)


def _median(pages: NDArray[np.float32], shown: Mask) -> tuple[Image, Mask]:
    """The median of those pages that show a pixel, 0 where none does; and where one does."""
    values = np.where(shown[..., None], pages, np.inf)
    values.sort(axis=0)
    count = shown.sum(axis=0)
    middle = np.take_along_axis(values, (count // 2)[None, ..., None].clip(0, len(pages) - 1), 0)[0]
    # with an even number the lighter of the two: most ink is darker than print
    known = count > 0
    return np.clip(np.where(known[..., None], middle, 0), 0, 255).astype(np.uint8), known


def _with_like_places(page: Image, known: Mask, layout: Layout) -> Mask:
    """Fill in place what is not known from places with the same print, the nearest first.

    Returns what is known then.
    """
    filled = known.copy()
    for field in _fields(layout):
        parts, looks = [*_parts(field, layout, OVERSHOOT)], looks_of(field, layout)
        centres = np.array(field.centres)
        for place, part in enumerate(parts):
            for other in np.linalg.norm(centres - centres[place], axis=1).argsort(kind="stable"):
                if filled[part].all():
                    break
                there = parts[other]
                if looks[other] == looks[place] and page[there].shape == page[part].shape:
                    taken = known[there] & ~filled[part]
                    page[part][taken] = page[there][taken]
                    filled[part] |= taken
    return filled
