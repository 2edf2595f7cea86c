"""The letters of pictures: DejaVu Sans, which has those of all Latin, Greek and Cyrillic names.

The files lie beside this module, with their licence. OpenCV and Pillow bring no such letters.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

BOLD = "DejaVuSans-Bold.ttf"
REGULAR = "DejaVuSans.ttf"
_FOLDER = Path(__file__).parent / "dejavu"


@cache
def font(size: int, name: str = REGULAR) -> Any:
    """A Pillow font of that size in px. ``name``: `BOLD` or `REGULAR`."""
    from PIL import ImageFont

    return ImageFont.truetype(str(_FOLDER / name), size)
