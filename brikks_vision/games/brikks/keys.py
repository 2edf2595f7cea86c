"""The marks of a Brikks sheet, by field and mark of its layouts."""

from __future__ import annotations

from brikks_vision.detect.marks import Key
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Mark

CELLS: Key = (CELL, Mark.CROSS)
VERTICALS: Key = (VERTICAL, Mark.LINE)
HORIZONTALS: Key = (HORIZONTAL, Mark.LINE)
RINGS: Key = ("energy", Mark.RING)
STRIKES: Key = ("energy", Mark.CROSS)
BOXES: Key = ("box", Mark.CROSS)
BOMBS: Key = ("bomb", Mark.CROSS)
