"""Axes of plots: which values and which moments are named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
MOST_TICKS = 6


def value_scale(totals: Sequence[int]) -> tuple[int, int, int]:
    """(lowest, highest, step) of an axis that shows all totals and, where near, zero.

    >>> value_scale([31, 73, 98])
    (0, 100, 20)
    >>> value_scale([40])
    (30, 50, 5)
    """
    low, high = min(totals), max(totals)
    if low == high:
        low, high = low - 10, high + 10
    elif 0 < low < high - low:
        low = 0
    step = next((step for step in STEPS if (high - low) / step <= MOST_TICKS - 1), STEPS[-1])
    return math.floor(low / step) * step, math.ceil(high / step) * step, step


def time_ticks(first: datetime, last: datetime, count: int) -> list[tuple[datetime, str]]:
    """Moments evenly between, with their day; within one day, with their time."""
    moments = [first + (last - first) * part / (count - 1) for part in range(count)]
    if last - first <= timedelta(days=1):
        return [(moment, f"{moment:%H:%M}") for moment in moments]
    return [(moment, f"{moment:%Y-%m-%d}") for moment in moments]
