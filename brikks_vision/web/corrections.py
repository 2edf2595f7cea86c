"""What a person says of a sheet, as the pages use it; see `brikks_vision.intake.corrections`."""

from brikks_vision.intake.corrections import (
    AS_READ,
    GAME_FIELDS,
    UNNAMED,
    SheetNow,
    correct_game,
    correct_mark,
    mark_at,
    sheet_now,
)

__all__ = [
    "AS_READ",
    "GAME_FIELDS",
    "UNNAMED",
    "SheetNow",
    "correct_game",
    "correct_mark",
    "mark_at",
    "sheet_now",
]
