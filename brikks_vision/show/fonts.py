"""Letters with accents for pictures: OpenCV's own letters and Pillow's have none."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

BOLD = "VeraBd.ttf"
REGULAR = "Vera.ttf"


@cache
def font(size: int, name: str = REGULAR) -> Any:
    """A Pillow font of that size in px: Bitstream Vera, which reportlab brings."""
    from PIL import ImageFont

    spec = importlib.util.find_spec("reportlab")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    for folder in folders:
        if (file := Path(folder, "fonts", name)).is_file():
            return ImageFont.truetype(str(file), size)
    return ImageFont.load_default(size)
