"""Makes the picture of our own empty sheet that the package reads marks against.

``python -m simulation.qwixx.packaged_blank`` writes it anew after the printed sheet was changed;
tests/simulation/qwixx/test_packaged_blank.py tells when that is due.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import brikks_vision
from brikks_vision.detect.placement import Placement
from brikks_vision.detect.template import take_blank
from brikks_vision.files import write_whole
from brikks_vision.layout import load_layout
from simulation.qwixx.photos import OWN, printed_blank

DOTS_PER_INCH = 250
FILE = Path(brikks_vision.__file__).parent / "layouts" / f"{OWN}.jpg"


def packaged_blank() -> bytes:
    """The page as its PDF is printed, as an image file."""
    layout, sheet = load_layout(OWN), printed_blank(DOTS_PER_INCH)
    (x, y), scale = sheet.origin, sheet.pixels_per_cell
    flat = np.array([[scale, 0, x], [0, scale, y], [0, 0, 1.0]])
    placement = Placement(flat, np.zeros((12, 2)), layout.page, "markers", 0.0)
    return take_blank(sheet.image, placement, layout).picture


if __name__ == "__main__":
    write_whole(FILE, packaged_blank())
