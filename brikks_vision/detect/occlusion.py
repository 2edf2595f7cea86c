"""Which places of a sheet tell nothing, or otherwise than crosses and rings do.

Something hides them: a thumb, a die, a chip, another sheet, a gleam. Or the player has cancelled
their marks, or fills cells in instead of crossing them. A network sees the straightened sheet, its
template and, for a learnt printing, its empty sheet, and says this for each patch of a third of a
cell (semantic segmentation). Nothing is hidden where the print of the empty sheet shows in the
photo. A place counts as covered if more than `MIN_COVERED_SHARE` of it is hidden. Then its pixels
are no evidence, neither for a mark nor against one; nor are those of a cancelled mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import READER_PIXELS, Covered, Key, Marks
from brikks_vision.detect.networks import run_batch, run_network, sample
from brikks_vision.detect.patches import is_edge, network_layers, readable_fields, see_beside
from brikks_vision.detect.placement import Image, Placement, Points, rectify
from brikks_vision.detect.template import blank_picture, draw_template
from brikks_vision.layout import CELL, Field, Layout, Mark

# Set by hand where no source is named.
# share of a place, 0 to 1, that must be hidden for it to count as covered. On 50 photos with
# nothing on the sheets no place was covered; on seven photos of another renderer with things on
# them every hidden mark was
MIN_COVERED_SHARE = 0.3
MIN_TOUCHED_SHARE = 0.1  # from here on what hides a place is painted over, so that it is no ink
# probability of a patch from which a second network looks for cancelled marks. Of 42 photos with
# cancelled marks (seed 190001) four were silently wrong with 0.1, two with this and two with 0; 30
# photos without any (190002) were read alike with 0.1 and with this
MIN_SUSPECTED = 0.03
MIN_CANCELLED = 0.001  # the probability below which a mark is not taken to be cancelled
MIN_PROBABLE = 0.5  # the probability from which a mark counts as cancelled, a cell as filled in
MAX_FILLED_SHARE = 0.99  # the network is not taken to be surer than this

# px around a place, in which its print is sought; grey levels (root of the mean square) of print
# that tells, and of the photo; their correlation where nothing hides it, but for a stroke
PRINT_SIDE, MIN_PRINT, MIN_SEEN, MIN_SAME_PRINT = 12, 10.0, 4.0, 0.75
# grey levels by which ink is darker than the sheet, share of the pixels that must lie beside it
INK_DEPTH, MIN_BESIDE_INK = 15.0, 0.4

# The network was trained with these.
OCCLUSION_PIXELS = 16  # px per cell
OCCLUSION_STRIDE = 4  # px per output
INPUT_SIDES = 352, 256  # px: height and width of the training pictures
UNKNOWN_PRINT = 128  # grey level that stands for an empty sheet that is not known

EDGE_WIDTH = 0.3  # cells: width of the strip around an edge of the grid, which has none itself
INNER = 0.85  # share of a place's sides that counts: a thing that only touches its rim hides no ink
SAMPLES = 5  # samples across and down a place
PAINTED_SHARE = 0.15  # hidden share above which a patch is painted over: includes edges of things
PAINTED_PIXELS = 8  # px per cell at which the colours to paint with are averaged
COPIED = 1.5  # sides of a place: width of the copied square, about what the bar networks see

Cancelled = dict[str, NDArray[np.float64]]
"""By field, of figures, too, and in its shape: the probability that each mark is cancelled."""

# log-odds by which fewer sheets bear cancelled marks, set to 5 %, than of the samples, 70 %
LESS_OFTEN = -3.8

Shares = NDArray[np.float32]
"""For each patch of the reading area a share or a probability, 0 to 1: (1, rows, columns).

A patch is OCCLUSION_STRIDE / OCCLUSION_PIXELS cells wide.
"""


@dataclass(frozen=True, eq=False)
class Segmentation:
    """How much of each patch is hidden, and how probably its mark is cancelled, or filled in."""

    hidden: Shares
    cancelled: Shares
    filled: Shares


def marked_places(shares: Shares, layout: Layout, least: float) -> Covered:
    """The places of all fields, of figures too, with a mean share of more than ``least``."""
    fields = {**layout.fields, **layout.figures}
    flat = shares.ravel()
    found = {
        name: (place_shares(shares, field, layout) > least).reshape(field.shape)
        for name, field in fields.items()
        # where no patch has so much, no mean of patches has
        if flat[_patches_of(layout, name, shares.shape)].max() > least
    }
    return {name: places for name, places in found.items() if places.any()}


@lru_cache(maxsize=64)
def _patches_of(layout: Layout, name: str, shape: tuple[int, ...]) -> NDArray[np.intp]:
    """The patches of hidden shares of that shape that tell of a field: numbers in reading order."""
    rows, columns = shape[-2:]
    fields = {**layout.fields, **layout.figures}
    x, y = (each.ravel() for each in _samples(fields[name], layout))
    left = np.clip(np.floor(x), 0, columns - 2).astype(np.intp)
    top = np.clip(np.floor(y), 0, rows - 2).astype(np.intp)
    first = top * columns + left
    return np.concatenate([first, first + 1, first + columns, first + columns + 1])


def near_places(shares: Shares, layout: Layout) -> NDArray[np.bool_]:
    """The patches (rows, columns) that tell of places: beside them nobody knows what is usual."""
    near = np.zeros(shares.size, np.bool_)
    for name in (*layout.fields, *layout.figures):
        near[_patches_of(layout, name, shares.shape)] = True
    return near.reshape(shares.shape[-2:])


def less_sure(marks: Marks, shares: Shares, layout: Layout, most: float) -> Marks:
    """The marks with log-odds scaled down by the share of their place, to 0 at ``most``.

    Fields of which no patch has more than `MIN_TOUCHED_SHARE` stay as they are.
    """
    flat = shares.ravel()
    seen = {
        name: 1 - np.clip(place_shares(shares, field, layout) / most, 0, 1)
        for name, field in layout.fields.items()
        if flat[_patches_of(layout, name, shares.shape)].max() > MIN_TOUCHED_SHARE
    }
    scaled = {
        (name, mark): array * seen[name].reshape(array.shape)
        for (name, mark), array in marks.logits.items()
        if name in seen
    }
    return marks.with_logits(scaled) if scaled else marks


def with_filled(marks: Marks, filled: Shares, layout: Layout) -> Marks:
    """The marks with a cross in each cell that is filled in.

    Not where a fill is a mark itself, nor where a line through a place is none: it fills it, too.
    """
    field = layout.main_field
    share = place_shares(filled, field, layout).reshape(field.shape)
    if {Mark.FILL, Mark.LINE} & {*field.marks} or not (share > MIN_PROBABLE).any():
        return marks
    sure = np.minimum(share, MAX_FILLED_SHARE)
    told = np.where(share > MIN_PROBABLE, np.log(sure / (1 - sure)), -np.inf)
    key = field.name, Mark.CROSS
    return marks.with_logits({key: np.maximum(marks[key], told)})


def without_things(
    image: Image, placement: Placement, hidden: Shares, covered: Covered, layout: Layout
) -> Image:
    """The photo with everything that hides the sheet painted over in the colours around it.

    A covered place outside the grid gets a copy of the nearest visible place with the same print.
    Otherwise the networks would take the thing for ink of neighbouring places, or for print. The
    covered places themselves stay unknown.
    """
    _, rows, columns = hidden.shape
    area, step = layout.reading_area, OCCLUSION_STRIDE / OCCLUSION_PIXELS
    x, y = np.meshgrid(np.arange(columns + 1), np.arange(rows + 1))
    nodes = np.stack([area.left + x * step, area.top + y * step], axis=-1).reshape(-1, 2)
    corners = placement.to_photo(nodes).reshape(rows + 1, columns + 1, 2)
    mask = np.zeros(image.shape[:2], np.uint8)
    for row, column in zip(*np.nonzero(hidden[0] > PAINTED_SHARE), strict=True):
        patch = corners[row : row + 2, column : column + 2].reshape(4, 2)[[0, 1, 3, 2]]
        cv2.fillConvexPoly(mask, np.round(patch).astype(np.int32), 255)
    painted = painted_over(image, mask, placement.cell_size())
    for field in layout.places:
        hides = covered.get(field.name, np.zeros(field.shape, np.bool_)).ravel()
        centres, prints = np.array(field.centres), np.array(field.prints)
        side = COPIED * max(field.size)
        for place in np.flatnonzero(hides):
            alike = np.flatnonzero(~hides & (prints == prints[place]))
            if len(alike):
                far = np.linalg.norm(centres[alike] - centres[place], axis=1)
                source = centres[alike[far.argmin()]]
                _copy(painted, placement, source, centres[place], side)
    return painted


def _copy(image: Image, placement: Placement, source: Points, target: Points, side: float) -> None:
    """Copy a square of the sheet from one point (2,) to another, in place; all in cells."""
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * side
    seen, shown = (placement.to_photo(at + square).astype(np.float32) for at in (source, target))
    left, top, width, height = cv2.boundingRect(shown)
    x, y = max(left, 0), max(top, 0)
    part = image[y : top + height, x : left + width]
    if part.size == 0:
        return
    shown -= np.array([x, y], np.float32)
    matrix = cv2.getAffineTransform(seen[:3], shown[:3])
    copy = cv2.warpAffine(image, matrix, part.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(shown).astype(np.int32), 255)
    cv2.copyTo(copy, mask, part)


def painted_over(image: Image, mask: NDArray[np.uint8], cell: float) -> Image:
    """The image with its masked pixels replaced by the mean colours around. ``cell``: px."""
    scale = min(1.0, PAINTED_PIXELS / cell)
    seen = cv2.resize(
        (mask == 0).astype(np.float32), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
    )[..., None]
    colors = cv2.resize(image, seen.shape[1::-1], interpolation=cv2.INTER_AREA) * seen
    filled, known = np.zeros_like(colors), np.zeros_like(seen)
    for cells in (1, 2, 4, 8, 16, 64):  # far from all visible pixels a wider mean is needed
        side = round(cells * PAINTED_PIXELS) | 1
        weight = cv2.blur(seen, (side, side))[..., None]
        mean = cv2.blur(colors, (side, side)) / np.maximum(weight, 1e-6)
        new = (known == 0) & (weight > 0.05)
        filled, known = np.where(new, mean, filled), np.maximum(known, new)
    smooth = cv2.resize(filled, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.where(mask[..., None] > 0, np.clip(smooth, 0, 255).astype(np.uint8), image)


def segmented(flat: Image, layout: Layout) -> Segmentation:
    """What the network tells of each patch of the reading area.

    ``flat`` : see `brikks_vision.detect.marks.rectify_for_reading`.
    """
    scale = OCCLUSION_PIXELS / READER_PIXELS
    photo = cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    template = draw_template(layout, layout.reading_area, OCCLUSION_PIXELS)
    empty = empty_sheet(layout)
    layers = [_filled_up(np.asarray(each)) for each in (photo, empty, template)]
    logits = run_network("occlusion", *layers)
    rows, columns = (side // OCCLUSION_STRIDE for side in photo.shape[:2])
    shares = np.asarray(1 / (1 + np.exp(-logits[:, :rows, :columns])), np.float32)
    hidden, cancelled, filled = (shares[output : output + 1] for output in range(3))
    if blank_picture(layout) is not None:  # its print may show
        middles = slice(OCCLUSION_STRIDE // 2, None, OCCLUSION_STRIDE)
        shown = print_shows(np.asarray(photo), empty)[middles, middles][:rows, :columns]
        hidden = _without_specks(np.where(shown, np.float32(0), hidden))
    return Segmentation(hidden, cancelled, filled)


def _without_specks(shares: Shares) -> Shares:
    """Shares of what is two patches wide and high: what hides places is, a stroke is not."""

    def around(each: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        return [each[..., y : y - 1 or None, x : x - 1 or None] for y in (0, 1) for x in (0, 1)]

    least = np.minimum.reduce(around(shares))
    return np.asarray(np.maximum.reduce(around(np.pad(least, ((0, 0), (1, 1), (1, 1))))))


def print_shows(photo: Image, empty: Image) -> NDArray[np.bool_]:
    """Where the print of an empty sheet is seen in a photo of it: (height, width) of both.

    Where nothing is printed, or the empty sheet is not known, it is not. Strokes of a pen, which
    are darker than the sheet in its light, hide no print beside them.
    """
    one, other = (
        cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (photo, empty)
    )
    side = (PRINT_SIDE, PRINT_SIDE)
    light, lit = (cv2.dilate(each, np.ones(side, np.uint8)) for each in (one, other))
    seen = (one > other * light / np.maximum(lit, 1) - INK_DEPTH).astype(np.float32)
    shares = np.maximum(cv2.blur(seen, side), 1e-6)

    def mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.blur(values * seen, side) / shares, np.float32)

    of_photo, of_print = (
        np.sqrt(np.maximum(mean(each * each) - mean(each) ** 2, 0)) for each in (one, other)
    )
    is_same = mean(one * other) - mean(one) * mean(other) >= MIN_SAME_PRINT * of_photo * of_print
    is_print = (of_print >= MIN_PRINT) & (of_photo >= MIN_SEEN) & (shares >= MIN_BESIDE_INK)
    return np.asarray(is_same & is_print, np.bool_)


def _filled_up(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture padded to the size of the training pictures, by repeating its rim."""
    down, across = (
        max(0, side - own) for side, own in zip(INPUT_SIDES, picture.shape, strict=False)
    )
    return np.asarray(
        cv2.copyMakeBorder(picture, 0, down, 0, across, cv2.BORDER_REPLICATE), np.uint8
    )


@lru_cache(maxsize=16)
def empty_sheet(layout: Layout) -> Image:
    """The reading area of the empty sheet, uint8 BGR at OCCLUSION_PIXELS; grey where not known."""
    area, page, picture = layout.reading_area, layout.page, blank_picture(layout)
    if picture is None:
        size = round(area.height * OCCLUSION_PIXELS), round(area.width * OCCLUSION_PIXELS)
        return np.full((*size, 3), UNKNOWN_PRINT, np.uint8)
    scale = picture.shape[1] / page.width
    shift = -page.left * scale - 0.5, -page.top * scale - 0.5
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1.0]])
    on_page = Placement(matrix, np.zeros((12, 2)), area, "reference", 0.0)
    return rectify(picture, on_page, area, OCCLUSION_PIXELS)


def place_shares(shares: Shares, field: Field, layout: Layout) -> NDArray[np.float64]:
    """The mean share of each place of a field, 0 to 1: (places,)."""
    x, y = _samples(field, layout)
    seen = sample(shares, x.ravel(), y.ravel())[0].reshape(x.shape)
    return np.asarray(seen.mean(axis=1), np.float64)


def _samples(field: Field, layout: Layout) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the patches of each place are sampled, across and down: (places, samples)."""
    width, height = (max(side, EDGE_WIDTH) * INNER for side in field.size)
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES - 0.5
    around = np.stack(np.meshgrid(steps * width, steps * height), axis=-1).reshape(-1, 2)
    points = np.array(field.centres)[:, None] + around
    area, per_cell = layout.reading_area, OCCLUSION_PIXELS / OCCLUSION_STRIDE
    x = (points[..., 0] - area.left) * per_cell - 0.5
    y = (points[..., 1] - area.top) * per_cell - 0.5
    return x, y


# --- cancelled marks --------------------------------------------------------------------------


def fields_read(layout: Layout) -> tuple[Field, ...]:
    """The fields that `see_cancelled` reads: no lines of the grid.

    Nor those in which a line says that a place was passed over.
    """
    fields = (field for field in readable_fields(layout) if not is_edge(field))
    return tuple(field for field in fields if not {Mark.CROSS, Mark.LINE} <= {*field.marks})


def see_cancelled(photo: Image, placement: Placement, layout: Layout, shares: Shares) -> Cancelled:
    """How probably each mark of a sheet is cancelled: the larger of what two networks say.

    shares: what the first one says of the patches of the sheet, see `Segmentation`. Where it
    suspects any mark, the second one sees each place as `brikks_vision.detect.patches` does, and
    compares it with the other places of its field and of the sheet: a cancelled mark bears more ink
    than the others of the same hand.
    """
    found, is_suspected = {}, False
    for name, field in {**layout.fields, **layout.figures}.items():
        most = float(shares.ravel()[_patches_of(layout, name, shares.shape)].max())
        own = place_shares(shares, field, layout).reshape(field.shape)
        found[name] = own * (most > MIN_TOUCHED_SHARE)
        is_suspected |= most > MIN_SUSPECTED and name in layout.fields and not is_edge(field)
    if is_suspected and (fields := fields_read(layout)):
        views = see_beside(photo, placement, layout, blank_picture(layout), fields)
        counts = [len(field.centres) for field in fields]
        numbers = np.repeat(np.arange(len(fields), dtype=np.uint8), counts)
        of_field = np.broadcast_to(numbers[:, None, None, None], views.lightest.shape)
        logits = run_batch("cancelled", *network_layers(views), of_field)[:, 0].astype(np.float64)
        # beside the grid, of samples each field bears as many; of players the larger bear more
        most = max((len(each.centres) for each in fields if each.name != CELL), default=1)
        logits += np.repeat(np.minimum(np.log(np.array(counts) / most), 0.0), counts)
        # a ring that a game strikes through looks like one that is cancelled
        plain = [field.name == CELL or Mark.RING not in field.marks for field in fields]
        told = as_rare(np.where(np.repeat(plain, counts), 1 / (1 + np.exp(-logits)), 0.0))
        for number, field in enumerate(fields):
            each = told[numbers == number].reshape(field.shape)
            found[field.name] = np.maximum(found[field.name], each)
    return found


def as_rare(cancelled: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (N,) of the places of one sheet, for players of whom few cancel any mark.

    The network learnt from sheets of which most bear cancelled marks. Whether this one does is
    weighed first (Bayes' rule): who cancelled one mark surely may have cancelled others.
    """
    none = max(float(np.prod(1 - cancelled)), 1e-12)
    odds = (1 - none) / none * np.exp(LESS_OFTEN)
    share = odds / (1 + odds) / max(1 - none, 1e-12)
    return np.asarray(cancelled * share, np.float64)


def perhaps_cancelled(marks: Marks, cancelled: Cancelled, layout: Layout) -> Marks:
    """The marks no surer than their being cancelled is improbable; cancelled ones have no evidence.

    A place without a mark stays as sure: it does not count, whether or not one was cancelled there.
    """
    lowered: dict[Key, NDArray[np.float64]] = {}
    for name, field in layout.fields.items():
        if cancelled[name].any():
            share = cancelled[name].clip(MIN_CANCELLED, 0.5)
            most = np.where(share > MIN_CANCELLED, np.log((1 - share) / share), np.inf)
            lowered |= {(name, mark): np.minimum(marks[name, mark], most) for mark in field.marks}
    struck = {name: each > MIN_PROBABLE for name, each in cancelled.items()}
    return marks.with_logits(lowered).with_cancelled(struck)
