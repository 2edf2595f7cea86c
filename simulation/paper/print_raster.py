"""Pixels of a printed page, as a flatbed scanner without faults would see them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2  # type: ignore[import-untyped]
from numpy.typing import NDArray

POINTS_PER_INCH = 72


def rasterize(pdf_path: Path, page: int, dots_per_inch: int) -> NDArray[np.uint8]:
    """A page of a PDF (counted from 0) as a BGR image, uint8, shape (height, width, 3).

    A length of p points on the page is p * dots_per_inch / 72 px in the image; both count from the
    page's top-left corner.
    """
    with pypdfium2.PdfDocument(pdf_path) as document:
        bitmap = document[page].render(scale=dots_per_inch / POINTS_PER_INCH)
        return np.array(bitmap.to_numpy()[:, :, :3], dtype=np.uint8)
