"""Looks at a sheet: at a glance, closely, and again from beside it; and when each is enough.

A sheet that is plain at a glance is not looked at closely. One that a close look leaves in doubt is
looked at again, unless that settles nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.posterior import Decoded
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.bars import rectify_bars, with_bars
from brikks_vision.detect.blank import blank_picture
from brikks_vision.detect.figures import read_figures, without_covered
from brikks_vision.detect.glance import glance_marks, with_glance
from brikks_vision.detect.marks import Marks, mean_marks, read_marks, rectify_for_reading
from brikks_vision.detect.occlusion import covered_places, hidden_shares, less_sure, without_things
from brikks_vision.detect.patches import read_patches
from brikks_vision.detect.pen import pen_of
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image, Placement, nearby
from brikks_vision.detect.settings import read_settings
from brikks_vision.games import game_named
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Layout, Mark
from brikks_vision.reading import GameSettings, Reading, Status

PLAIN_CELL = 16.0  # px: the smallest that is plain at a glance; then sheets beside it show, too
# log-odds; cells with less, and edges between crosses, of a sheet that may be plain: nearly all
# that are have none, and where lines are hardly seen the rules take long
DOUBTFUL, MAX_DOUBTFUL, MAX_DOUBTFUL_EDGES = 3.0, 5, 12
MIRRORS = ((2,), ())  # of the looks at the bars from `nearby`: axes, see `with_bars`
WIDE_OPEN = 0.5  # probability of the likeliest total: under less no other look settles it
OPEN = 0.003  # probability that the total is another one of a sheet that is plain at a glance

Look = Callable[[Image, Placement, Layout], tuple[Image, Marks]]
"""A look at the sheet that lies there in a photo: the sheet straightened for reading, its marks."""


def fast_pass(image: Image, placement: Placement, layout: Layout) -> tuple[Image, Marks]:
    """A `Look` by the networks of the glance."""
    flat = rectify_for_reading(image, placement, layout)
    return flat, glance_marks(flat, layout)


def full_pass(
    image: Image,
    placement: Placement,
    layout: Layout,
    mirrored: tuple[int, ...] = (),
) -> tuple[Image, Marks]:
    """A `Look` by all networks. ``mirrored``: as of `with_bars`."""
    flat, glance = fast_pass(image, placement, layout)
    patches = rectify_bars(image, placement, layout)
    pen = pen_of(flat, glance[CELL, Mark.CROSS], layout)
    closer = with_bars(read_marks(flat, layout), patches, pen, layout, mirrored)
    return flat, with_glance(closer, glance, placement.cell_size())


def reference_pass(image: Image, placement: Placement, layout: Layout) -> tuple[Image, Marks]:
    """A `Look` that reads each place against the empty sheet."""
    flat = rectify_for_reading(image, placement, layout)
    return flat, read_patches(image, placement, layout, blank_picture(layout))


PASSES: Mapping[str, Look] = {
    "network": full_pass,
    "markers": reference_pass,
    "reference": reference_pass,
}
"""By `Printing.finder`, the close `Look`; what is found otherwise is looked at by its game."""


def evidence_of(
    photo: Photo, alignment: Any, look: Look, known: GameSettings
) -> tuple[Evidence, Image]:
    """What a look tells of the sheet that lies there, and the image that was looked at.

    That is the photo's, with things that hide places painted over.
    """
    layout, placement, image = alignment.layout, alignment.placement, photo.image
    flat, marks = look(image, placement, layout)
    hidden = hidden_shares(flat, layout)
    covered = covered_places(hidden, layout)
    if covered:
        image = without_things(image, placement, hidden, covered, layout)
        flat, marks = look(image, placement, layout)
        marks = less_sure(marks, hidden, layout).with_covered(covered)
    figures = without_covered(read_figures(flat, layout), covered)
    on_sheet = read_settings(image, placement, layout)
    is_clear = alignment.is_clear and photo.keeps_tones
    return Evidence(marks, figures, is_clear, known, on_sheet), image


def augmented_pass(marks: Marks, image: Image, placement: Placement, layout: Layout) -> Marks:
    """The mean of the first look at a sheet and of two from a little beside it.

    At one of them the bars are seen in a mirror, see `MIRRORS`.

    What a network makes of a doubtful mark hangs on how the pixels fall, and is wrong less often
    on average (test-time augmentation: Krizhevsky, Sutskever and Hinton 2012). A sheet of which
    nothing is in doubt needs no second look. The player's figures are read at the first one only.
    (Four such looks from farther were worse on 260 own samples; on 120 other photos strikes were a
    little better so, bombs worse.)
    """
    if layout.finder != "network":
        others = [reference_pass(image, beside, layout)[1] for beside in nearby(placement)]
        return mean_marks([marks, *others])
    views = zip(nearby(placement), MIRRORS, strict=True)
    others = [full_pass(image, beside, layout, mirrored)[1] for beside, mirrored in views]
    return mean_marks([marks, *others])


def is_large_enough(alignment: Alignment) -> bool:
    """Whether a glance at a sheet can settle it."""
    return alignment.is_clear and alignment.placement.cell_size() >= PLAIN_CELL


def is_doubtful(marks: Marks) -> bool:
    """Whether so many marks of a grid are unclear that it cannot be plain.

    Those that something hides (of log-odds 0) stay as they are, however closely they are looked at.
    """
    cells = marks[CELL, Mark.CROSS]
    vertical, horizontal = marks[VERTICAL, Mark.LINE], marks[HORIZONTAL, Mark.LINE]
    crossed = cells > 0
    beside, above = crossed[:, 1:] & crossed[:, :-1], crossed[1:] & crossed[:-1]
    edges = np.concatenate([vertical[:, 1:-1][beside], horizontal[1:-1][above]])
    doubtful_cells = np.count_nonzero((np.abs(cells) < DOUBTFUL) & (cells != 0))
    return bool(
        doubtful_cells > MAX_DOUBTFUL
        or np.count_nonzero(np.abs(edges) < DOUBTFUL) > MAX_DOUBTFUL_EDGES
    )


def is_confident(
    reading: Reading, posterior: Decoded[Any], evidence: Evidence, layout: Layout
) -> bool:
    """Whether a glance at a sheet leaves nothing open: no doubt, and nothing for the referee."""
    if reading.status is not Status.OK or reading.doubts or reading.violations:
        return False
    is_total_sure = 1 - max(posterior.totals.values()) <= OPEN
    return is_total_sure and not game_named(layout.game).needs_full_pass(posterior, evidence)


def needs_augmentation(reading: Reading, posterior: Decoded[Any]) -> bool:
    """Whether there is anything to ask about a sheet, or to say against its player.

    Not where very many states are about as good, or, but for what is said against the player, no
    total is likelier than all others together: no other look settles that.
    """
    if posterior.is_vague:
        return False
    is_open = max(posterior.totals.values()) < WIDE_OPEN
    is_unsure = reading.status is not Status.OK and not reading.covered  # which no look uncovers
    doubtful = bool(is_unsure or reading.doubts)
    return bool(reading.violations) or (doubtful and not is_open)
