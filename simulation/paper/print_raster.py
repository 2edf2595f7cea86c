"""Pixels of a printed page, as a flatbed scanner without faults would see them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pypdfium2  # type: ignore[import-untyped]
from numpy.typing import NDArray

from brikks_vision.layout import Layout
from brikks_vision.printing.page import page_layout
from simulation.paper.blank import BlankSheet

POINTS_PER_INCH = 72


def rasterize(pdf_path: Path, page: int, dots_per_inch: int) -> NDArray[np.uint8]:
    """A page of a PDF (counted from 0) as a BGR image, uint8, shape (height, width, 3).

    A length of p points on the page is p * dots_per_inch / 72 px in the image; both count from the
    page's top-left corner.
    """
    with pypdfium2.PdfDocument(pdf_path) as document:
        bitmap = document[page].render(scale=dots_per_inch / POINTS_PER_INCH)
        return np.array(bitmap.to_numpy()[:, :, :3], dtype=np.uint8)


def printed_sheet(
    pdf: bytes, layout: Layout, dots_per_inch: int, style: str, is_plain: bool = True
) -> BlankSheet:
    """The one sheet on the first page of a PDF as a printer would print it.

    is_plain: with markers and a field for the total, as this project's light sheets are.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.pdf"
        path.write_bytes(pdf)
        page = rasterize(path, 0, dots_per_inch)
    x, y, cell = (
        value * dots_per_inch / POINTS_PER_INCH
        for value in sheet_origin_on_page("a4", 1, 0, layout)
    )
    area = layout.page
    left, top = max(0, round(x + area.left * cell)), max(0, round(y + area.top * cell))
    right, bottom = round(x + area.right * cell), round(y + area.bottom * cell)
    return BlankSheet(
        page[top:bottom, left:right].copy(), (x - left - 0.5, y - top - 0.5), cell, f"own {style}",
        corner_radius=0.0, markers=is_plain, total_field=is_plain,
    )  # fmt: skip


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
