"""Read a hand-marked game sheet from a photo, score it, and check it against the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brikks_vision.pipeline import scan as scan
    from brikks_vision.pipeline import scan_all as scan_all
    from brikks_vision.reading import Reading as Reading

__all__ = ["Reading", "__version__", "scan", "scan_all"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the scanner when it is first asked for: the rules alone need no image library."""
    if name == "scan":
        from brikks_vision.pipeline import scan

        return scan
    if name == "scan_all":
        from brikks_vision.pipeline import scan_all

        return scan_all
    if name == "Reading":
        from brikks_vision.reading import Reading

        return Reading
    raise AttributeError(name)
