"""A printed sheet before the game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class BlankSheet:
    """A printed sheet on which nothing is marked.

    ``image``: uint8 BGR (height, width, 3) of the page. The sheet point (x, y) in cells lies at
    pixel ``origin + (x, y) * pixels_per_cell`` (pixel centres at integers). ``family``: the kind of
    print, for statistics. ``corner_radius``: of the page's rounded corners, in cells (0: square).
    ``markers``: whether fiducials are printed; ``total_field``: whether the field for the total is.
    """

    image: Image
    origin: tuple[float, float]
    pixels_per_cell: float
    family: str
    corner_radius: float
    markers: bool
    total_field: bool
