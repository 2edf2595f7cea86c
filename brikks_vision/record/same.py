"""Whether two readings are of one sheet, as their game tells."""

from __future__ import annotations

from datetime import datetime

from brikks_vision.decode.sameness import Sameness
from brikks_vision.games import game_of
from brikks_vision.reading import Reading, ReadSheet


def same_state(
    one: Reading, one_taken: datetime, other: Reading, other_taken: datetime
) -> Sameness:
    """Whether two readings show the same sheet in the same state."""
    if not _are_of_one_game(one, other):
        return Sameness.DIFFERENT
    return game_of(one).same_state(one, one_taken, other, other_taken)


def grown_state(
    before: Reading, before_taken: datetime, after: Reading, after_taken: datetime
) -> Sameness:
    """Whether ``after`` is the sheet of ``before`` later in the same game."""
    if not _are_of_one_game(before, after):
        return Sameness.DIFFERENT
    return game_of(before).grown_state(before, before_taken, after, after_taken)


def is_better(new: Reading, old: Reading) -> bool:
    """Whether ``new`` is a more certain reading of a sheet than ``old``."""
    if not _are_of_one_game(new, old):
        return isinstance(new, ReadSheet) and not isinstance(old, ReadSheet)
    return game_of(new).is_better(new, old)


def _are_of_one_game(one: Reading, other: Reading) -> bool:
    are_read = isinstance(one, ReadSheet) and isinstance(other, ReadSheet)
    return are_read and one.game == other.game
