"""The printings of sheets that are known, as the search for sheets takes them."""

import numpy as np

from brikks_vision.detect.marks import mark_places
from brikks_vision.detect.placement import Points
from brikks_vision.games.printings import known_printings
from brikks_vision.layout import Layout


def known_sheets() -> tuple[Layout, ...]:
    return tuple(each for each in known_printings() if isinstance(each, Layout))


def mark_centres(layout: Layout) -> Points:
    """Of all marks that the full pass reads, (N, 2), in cells."""
    return np.concatenate([centres for _, centres, *_ in mark_places(layout, "reader")])
