"""A sheet that is built up block by block, as an animated picture."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence

from PIL import Image as Pillow
from PIL import ImageDraw, ImageOps

from brikks_vision.detect.placement import Image
from brikks_vision.layout import Box, Cell
from brikks_vision.reading.views import Outline
from brikks_vision.show.marks_on_sheet import outline

PIXELS = 36
"""Of the straightened sheet, a cell."""
_PALE = 0.72  # share of white over what is not entered yet
_BLOCK_MS, _LAST_MS = 550, 3500  # how long a picture is shown
_COLORS = 128  # of the animation: its size halves against 256
_LINE, _INSET = 4, 0.06  # px; cells


def in_order(outlines: Sequence[Outline], order: Iterable[Iterable[Cell]]) -> tuple[Outline, ...]:
    """The outlines of a sheet in an order of its blocks; without colour where none is drawn."""
    by_cells = {frozenset(each.cells): each for each in outlines}
    return tuple(
        by_cells.get(frozenset(cells), Outline(tuple(sorted(cells)), None)) for cells in order
    )


def replay(flat: Image, area: Box, blocks: Sequence[Outline], colors: Mapping[str, str]) -> bytes:
    """A GIF: first the pale sheet, then block by block as it was drawn, at last all of it.

    flat: the straightened sheet, (height, width, 3) uint8 BGR, `PIXELS` a cell. area: what it
    shows, in the sheet frame, in cells. blocks: in order. colors: "#rrggbb" by their names.
    """
    whole = Pillow.fromarray(flat[..., ::-1].copy())
    white = Pillow.new("RGB", whole.size, "white")
    shown = Pillow.blend(ImageOps.grayscale(whole).convert("RGB"), white, _PALE)
    frames = [shown.copy()]
    for block in blocks:
        mask = Pillow.new("1", whole.size)
        for row, column in block.cells:
            ImageDraw.Draw(mask).rectangle(
                (*_px((column, row), area), *_px((column + 1, row + 1), area)), fill=1
            )
        shown.paste(whole, mask=mask)
        ink = colors.get(block.color or "", "#868e96")
        for line in outline(block.cells, _INSET):
            points = [_px(point, area) for point in line]
            ImageDraw.Draw(shown).line(points, fill=ink, width=_LINE, joint="curve")
        frames.append(shown.copy())
    return _gif([*frames, whole])


def _px(point: tuple[float, float], area: Box) -> tuple[float, float]:
    return (point[0] - area.left) * PIXELS, (point[1] - area.top) * PIXELS


def _gif(frames: Sequence[Pillow.Image]) -> bytes:
    """The frames in one palette, so that what stays is stored once."""
    of_all = (frames[0], *frames[-2:])
    width, height = frames[0].size
    strip = Pillow.new("RGB", (width, height * len(of_all)))
    for number, frame in enumerate(of_all):
        strip.paste(frame, (0, height * number))
    shared = strip.quantize(_COLORS)
    first, *others = (frame.quantize(palette=shared, dither=Pillow.Dither.NONE) for frame in frames)
    buffer = io.BytesIO()
    first.save(
        buffer,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[_BLOCK_MS] * len(others) + [_LAST_MS],
        loop=0,
    )
    return buffer.getvalue()
