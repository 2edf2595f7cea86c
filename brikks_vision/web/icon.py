"""The picture of the app on the home screen: drawn here, like no art of the publisher's."""

from __future__ import annotations

import io
from functools import cache

from PIL import Image, ImageDraw


@cache
def icon_png(side: int) -> bytes:
    """A few blocks, one crossed; a PNG of ``side`` px."""
    fine = 4 * side
    drawn = Image.new("RGB", (fine, fine), "#14161c")
    draw = ImageDraw.Draw(drawn)
    cell = fine / 6
    colors = {"#ffd43b": ((1, 1), (1, 2), (2, 2)), "#4dabf7": ((2, 1), (3, 1), (3, 2), (4, 2)),
              "#ff6b6b": ((3, 3), (4, 3), (4, 4)), "#51cf66": ((1, 3), (1, 4), (2, 4))}  # fmt: skip
    for color, cells in colors.items():
        for row, column in cells:
            box = (column * cell, row * cell, (column + 1) * cell, (row + 1) * cell)
            margin = cell / 14
            edges = (box[0] + margin, box[1] + margin, box[2] - margin, box[3] - margin)
            draw.rounded_rectangle(edges, cell / 6, fill=color)
    width = round(cell / 7)
    middle, reach = 2.5 * cell, 0.3 * cell
    for way in (-1, 1):
        draw.line(
            (middle - reach, middle - way * reach, middle + reach, middle + way * reach),
            fill="white",
            width=width,
        )
    buffer = io.BytesIO()
    drawn.resize((side, side), Image.Resampling.LANCZOS).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
