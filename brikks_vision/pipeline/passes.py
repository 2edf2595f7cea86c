"""The two looks at a sheet, and when the first is enough.

The first look is the fast pass, over a coarse photo. Where it leaves something open, the closer
look follows, over a finer photo: the full pass and, if that may settle a doubt, augmentation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from brikks_vision.detect import align, occlusion, template, unlike
from brikks_vision.detect.figures import read_figures, read_settings, without_covered
from brikks_vision.detect.marks import (
    Marks,
    combine_passes,
    either_covered,
    fast_marks,
    mean_marks,
    read_marks,
    rectify_bars,
    rectify_for_reading,
    with_blank,
    with_mirrored_bars,
)
from brikks_vision.detect.patches import MIRRORED, Views, read_views, see_beside
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image, Placement
from brikks_vision.games import game_named
from brikks_vision.infer.costs import Decoded
from brikks_vision.infer.evidence import Evidence
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Layout, Mark
from brikks_vision.reading import GameSettings, Reading, Status

MIN_FAST_CELL = 16.0  # px; with smaller cells a second sheet beside the first might not be seen
# log-odds below which a mark is doubtful, and how many doubtful cells and edges between crosses
# the fast pass may leave: with more lines the search through the rules takes long, and of 28 such
# sheets it would settle 5, but of 19 with 13 to 45 doubtful edges 12 (seeds 47011 and 47012)
DOUBTFUL, MAX_DOUBTFUL, MAX_DOUBTFUL_EDGES = 3.0, 5, 45
MIN_LIKELIEST = 0.5  # probability of the likeliest total; if it is less, no other view settles it


@dataclass(frozen=True, eq=False)
class Seen:
    """What one pass saw of a sheet.

    flat: the sheet straightened for reading. views: of its places, in a pass that compares each
    with the empty sheet.
    """

    flat: Image
    marks: Marks
    views: Views | None = None


Pass = Callable[[Image, Placement, Layout], Seen]
"""Reads the sheet that lies there in a photo."""


def fast_pass(image: Image, placement: Placement, layout: Layout) -> Seen:
    """A `Pass` without the reader of the whole sheet."""
    flat = rectify_for_reading(image, placement, layout)
    return Seen(flat, fast_marks(flat, rectify_bars(image, placement, layout), layout))


def full_pass(image: Image, placement: Placement, layout: Layout) -> Seen:
    """A `Pass` of all networks."""
    fast = fast_pass(image, placement, layout)
    marks = combine_passes(read_marks(fast.flat, layout), fast.marks, placement.cell_size())
    if (blank := template.blank_picture(layout)) is not None:
        beside = read_views(see_beside(image, placement, layout, blank), layout)
        marks = with_blank(marks, beside)
    return replace(fast, marks=marks)


def reference_pass(image: Image, placement: Placement, layout: Layout) -> Seen:
    """A `Pass` that compares each place with the empty sheet."""
    flat = rectify_for_reading(image, placement, layout)
    views = see_beside(image, placement, layout, template.blank_picture(layout))
    return Seen(flat, read_views(views, layout), views)


PASSES: Mapping[str, Pass] = {
    "network": full_pass,
    "markers": reference_pass,
    "reference": reference_pass,
}
"""The full pass by `Printing.finder`; what other finders find is observed by its game."""


def evidence_of(
    photo: Photo, alignment: Any, read: Pass, known: GameSettings
) -> tuple[Evidence, Image, Seen]:
    """The evidence of the sheet that lies there by one pass, the image read, and what was seen.

    Covered: hidden by the network of occlusion, or of foreign colours where cells are not filled
    in. Cancelled: as two networks see it. In the image, what hides places is painted over.
    """
    layout, placement, image = alignment.layout, alignment.placement, photo.image
    seen = read(image, placement, layout)
    cover = occlusion.segmented(seen.flat, layout)
    is_filled = occlusion.with_filled(seen.marks, cover.filled, layout) is not seen.marks
    foreign = {} if is_filled else unlike.foreign_places(seen.flat, seen.marks, layout)
    covered = either_covered(
        occlusion.marked_places(cover.hidden, layout, occlusion.MIN_COVERED_SHARE), foreign
    )
    if foreign or occlusion.marked_places(cover.hidden, layout, occlusion.MIN_TOUCHED_SHARE):
        image = occlusion.without_things(image, placement, cover.hidden, covered, layout)
        seen = read(image, placement, layout)
    struck = occlusion.see_cancelled(image, placement, layout, cover.cancelled)
    marks = occlusion.with_filled(seen.marks, cover.filled, layout)
    marks = occlusion.less_sure(marks, cover.hidden, layout, occlusion.MIN_COVERED_SHARE)
    marks = occlusion.perhaps_cancelled(marks, struck, layout)
    marks, hidden = marks.with_covered(covered), either_covered(covered, marks.cancelled)
    figures = without_covered(read_figures(seen.flat, layout), hidden)
    on_sheet = read_settings(image, placement, layout)
    is_clear = alignment.is_clear and photo.keeps_tones
    return Evidence(marks, figures, is_clear, known, on_sheet), image, seen


def augmented_pass(
    marks: Marks, image: Image, seen: Seen, placement: Placement, layout: Layout
) -> Marks:
    """The marks of the full pass, and how the bars look in a mirror.

    Of a sheet that is read beside its empty sheet all places are seen in a mirror.

    How a network reads a doubtful mark depends on how the pixels fall, and several views together
    are wrong less often (test-time augmentation: Krizhevsky, Sutskever and Hinton 2012). (Two more
    passes of all networks with the placement slightly shifted took four times as long and settled
    no more: 24 of 97 sheets, one of them wrongly.)
    """
    if seen.views is not None:
        return mean_marks([marks, read_views(seen.views, layout, MIRRORED)])
    patches = rectify_bars(image, placement, layout)
    return with_mirrored_bars(marks, seen.flat, patches, placement.cell_size(), layout)


def is_large_enough(alignment: align.Alignment) -> bool:
    """Whether the fast pass can settle a sheet."""
    return alignment.is_clear and alignment.placement.cell_size() >= MIN_FAST_CELL


def is_doubtful(marks: Marks) -> bool:
    """Whether so many marks of a grid are unclear that the fast pass cannot settle the sheet.

    Marks that something hides (log-odds 0) do not count: no other pass shows them either.
    """
    cells = marks[CELL, Mark.CROSS]
    vertical, horizontal = marks[VERTICAL, Mark.LINE], marks[HORIZONTAL, Mark.LINE]
    crossed = cells > 0
    left, above = crossed[:, 1:] & crossed[:, :-1], crossed[1:] & crossed[:-1]
    edges = np.concatenate([vertical[:, 1:-1][left], horizontal[1:-1][above]])
    doubtful = np.count_nonzero((np.abs(cells) < DOUBTFUL) & (cells != 0))
    return bool(
        doubtful > MAX_DOUBTFUL or np.count_nonzero(np.abs(edges) < DOUBTFUL) > MAX_DOUBTFUL_EDGES
    )


def is_settled(reading: Reading) -> bool:
    """Whether nothing would be asked about a sheet, or held against its player."""
    return reading.status is Status.OK and not reading.doubts and not reading.violations


def is_confident(
    reading: Reading, posterior: Decoded[Any], evidence: Evidence, layout: Layout
) -> bool:
    """Whether the fast pass leaves nothing open: no doubt, and nothing for the referee."""
    return is_settled(reading) and not game_named(layout.game).needs_full_pass(posterior, evidence)


def needs_augmentation(reading: Reading, posterior: Decoded[Any]) -> bool:
    """Whether more passes may settle what would be asked about a sheet, or held against its player.

    They do not where very many states are about equally probable. Nor, unless a violation is
    reported, where no total is likelier than all others together.
    """
    if posterior.is_vague:
        return False
    is_open = max(posterior.totals.values()) < MIN_LIKELIEST
    is_unsure = reading.status is not Status.OK and not reading.covered  # which no pass uncovers
    doubtful = bool(is_unsure or reading.doubts)
    return bool(reading.violations) or (doubtful and not is_open)
