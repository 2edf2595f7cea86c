"""The two looks at a sheet, and when the first is enough.

The first look is the fast pass, over a coarse photo. Where it leaves something open, the closer
look follows: all views, over a finer photo.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from brikks_vision.detect import align, occlusion, template, unlike
from brikks_vision.detect.figures import read_figures, without_covered
from brikks_vision.detect.marks import (
    Marks,
    closer_marks,
    either_covered,
    fast_marks,
    rectify_bars,
    rectify_for_reading,
)
from brikks_vision.detect.patches import MIRRORED, UPRIGHT, read_settings, read_views, see_beside
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


@dataclass(frozen=True, eq=False)
class Seen:
    """What one pass saw of a sheet. flat: the sheet straightened for reading."""

    flat: Image
    marks: Marks


Pass = Callable[[Image, Placement, Layout], Seen]
"""Reads the sheet that lies there in a photo."""


def fast_pass(image: Image, placement: Placement, layout: Layout) -> Seen:
    """A `Pass` by one view."""
    flat = rectify_for_reading(image, placement, layout)
    return Seen(flat, fast_marks(flat, rectify_bars(image, placement, layout), layout))


def full_pass(image: Image, placement: Placement, layout: Layout) -> Seen:
    """A `Pass` of all views."""
    flat = rectify_for_reading(image, placement, layout)
    is_known = template.blank_picture(layout) is not None
    beside = _beside(image, placement, layout) if is_known else None
    return Seen(flat, closer_marks(flat, rectify_bars(image, placement, layout), layout, beside))


def reference_pass(image: Image, placement: Placement, layout: Layout) -> Seen:
    """A `Pass` that compares each place with the empty sheet."""
    flat = rectify_for_reading(image, placement, layout)
    return Seen(flat, _beside(image, placement, layout))


def _beside(image: Image, placement: Placement, layout: Layout) -> Marks:
    """Places beside what is printed there; those in doubt are seen in a mirror, too."""
    views = see_beside(image, placement, layout, template.blank_picture(layout))
    return read_views(views, layout, UPRIGHT + MIRRORED)


PASSES: Mapping[str, Pass] = {
    "network": full_pass,
    "markers": reference_pass,
    "reference": reference_pass,
}
"""The full pass by `Printing.finder`; what other finders find is observed by its game."""


def evidence_of(photo: Photo, alignment: Any, read: Pass, known: GameSettings) -> Evidence:
    """The evidence of the sheet that lies there by one pass.

    Covered: hidden by the network of occlusion, or of foreign colours where cells are not filled
    in. Cancelled: as two networks see it.
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
    return Evidence(marks, figures, is_clear, known, on_sheet)


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
