"""The extra-points bar: what is crossed there for rows that one block finishes."""

from __future__ import annotations

from brikks_vision.rules.brikks.sheet import Sheet

CROSSES_FOR_ROWS = {2: 1, 3: 2, 4: 4}
"""Extra crosses for rows finished with one block; one row gives none."""


def crosses_for_rows(count: int) -> int:
    """Extra crosses for that many rows finished with one block."""
    return CROSSES_FOR_ROWS.get(count, 0)


def max_crosses(sheet: Sheet) -> int:
    """Maximum number of crosses on the extra-points bar: the last box is never crossed."""
    return len(sheet.bonus_values) - 1
