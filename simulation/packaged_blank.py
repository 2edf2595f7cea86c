"""Makes the picture of our own empty sheet of a game that the package reads marks against.

``python -m simulation.packaged_blank GAME`` writes it anew after the printed sheet was changed;
tests/simulation/test_packaged_blank.py tells when that is due.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import numpy as np

import brikks_vision
from brikks_vision.detect.placement import Placement
from brikks_vision.detect.template import take_blank
from brikks_vision.files import write_whole
from brikks_vision.layout import load_layout

DOTS_PER_INCH = 250


def file_of(game: str) -> Path:
    return Path(brikks_vision.__file__).parent / "layouts" / f"{game}.jpg"


def packaged_blank(game: str) -> bytes:
    """The page as its PDF is printed, as an image file."""
    sheet = import_module(f"simulation.{game}.photos").printed_blank(DOTS_PER_INCH)
    layout, (x, y), scale = load_layout(game), sheet.origin, sheet.pixels_per_cell
    flat = np.array([[scale, 0, x], [0, scale, y], [0, 0, 1.0]])
    placement = Placement(flat, np.zeros((12, 2)), layout.page, "markers", 0.0)
    return take_blank(sheet.image, placement, layout).picture


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write_whole(file_of(name), packaged_blank(name))
