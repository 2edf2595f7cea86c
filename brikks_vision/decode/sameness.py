"""Whether two readings are of one sheet: what the games tell, and the times that bound it."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

MAX_BREAK = timedelta(hours=1)
"""Time between two photos of one sheet in the same state."""

MAX_GAME = timedelta(hours=3)
"""Time between two photos of one game."""


class Sameness(StrEnum):
    """Whether two readings are of one sheet; DOUBTFUL: a person must decide."""

    SAME = "same"
    DOUBTFUL = "doubtful"
    DIFFERENT = "different"
