"""Read a hand-marked game sheet from a photo, score it, and check it against the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brikks_vision.boards import learn_sheet_or_board as learn_sheet
    from brikks_vision.pipeline import scan as scan
    from brikks_vision.pipeline import scan_all as scan_all
    from brikks_vision.reading import ReadBoard as ReadBoard
    from brikks_vision.reading import Reading as Reading
    from brikks_vision.reading import ReadSheet as ReadSheet
    from brikks_vision.reading import Status as Status
    from brikks_vision.reading import UnreadableSheet as UnreadableSheet

__all__ = [
    "ReadBoard",
    "ReadSheet",
    "Reading",
    "Status",
    "UnreadableSheet",
    "__version__",
    "learn_sheet",
    "scan",
    "scan_all",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the scanner when it is first asked for: the rules alone need no image library."""
    if name == "scan":
        from brikks_vision.pipeline import scan

        return scan
    if name == "scan_all":
        from brikks_vision.pipeline import scan_all

        return scan_all
    if name == "learn_sheet":
        from brikks_vision.boards import learn_sheet_or_board

        return learn_sheet_or_board
    if name in ("Reading", "ReadBoard", "ReadSheet", "Status", "UnreadableSheet"):
        from brikks_vision import reading

        return getattr(reading, name)
    raise AttributeError(name)
