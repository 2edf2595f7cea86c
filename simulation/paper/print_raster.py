"""Pixels of a printed page, as a flatbed scanner without faults would see them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2  # type: ignore[import-untyped]
from numpy.typing import NDArray

from brikks_vision.layout import Layout
from brikks_vision.printing.page import page_layout

POINTS_PER_INCH = 72


def rasterize(pdf_path: Path, page: int, dots_per_inch: int) -> NDArray[np.uint8]:
    """A page of a PDF (counted from 0) as a BGR image, uint8, shape (height, width, 3).

    A length of p points on the page is p * dots_per_inch / 72 px in the image; both count from the
    page's top-left corner.
    """
    with pypdfium2.PdfDocument(pdf_path) as document:
        bitmap = document[page].render(scale=dots_per_inch / POINTS_PER_INCH)
        return np.array(bitmap.to_numpy()[:, :, :3], dtype=np.uint8)


def sheet_origin_on_page(
    paper: str, sheets_per_page: int, index: int, layout: Layout
) -> tuple[float, float, float]:
    """Where the sheet frame of the ``index``-th sheet falls on the printed page.

    Returns
    -------
    (x0, y0, cell)
        In points from the page's top-left corner, y down: sheet point (x, y) in cells is printed
        at (x0 + x * cell, y0 + y * cell).

    Raises
    ------
    UnknownValue
        Unknown paper or number of sheets.
    IndexError
        The page has no sheet of that index.
    """
    page = page_layout(paper, sheets_per_page, layout)
    left, top = page.origins[index]
    return left - layout.page.left * page.cell, top - layout.page.top * page.cell, page.cell
