"""The marks of a BLOXX! sheet, by field and mark of its layouts."""

from __future__ import annotations

from brikks_vision.detect.marks import Key
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Mark

CROSSES: Key = (CELL, Mark.CROSS)
CIRCLES: Key = (CELL, Mark.RING)
GAPS: Key = (CELL, Mark.FILL)
VERTICALS: Key = (VERTICAL, Mark.LINE)
HORIZONTALS: Key = (HORIZONTAL, Mark.LINE)
BONUS = "bonus"
CIRCLED: Key = (BONUS, Mark.RING)
STRUCK: Key = (BONUS, Mark.CROSS)
