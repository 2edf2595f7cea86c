"""Read a hand-marked game sheet from a photo, score it, and check it against the rules."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brikks_vision import errors as errors
    from brikks_vision.infer.advice import Advice as Advice
    from brikks_vision.learn import learn_sheet as learn_sheet
    from brikks_vision.pipeline import scan as scan
    from brikks_vision.pipeline import scan_all as scan_all
    from brikks_vision.pipeline.coach import coach as coach
    from brikks_vision.pipeline.follow import Followed as Followed
    from brikks_vision.pipeline.follow import follow as follow
    from brikks_vision.reading import Reading as Reading
    from brikks_vision.reading import ReadSheet as ReadSheet
    from brikks_vision.reading import Status as Status
    from brikks_vision.reading import UnreadableSheet as UnreadableSheet
    from brikks_vision.reading.views import ReadBoard as ReadBoard

__all__ = [
    "Advice",
    "Followed",
    "ReadBoard",
    "ReadSheet",
    "Reading",
    "Status",
    "UnreadableSheet",
    "__version__",
    "coach",
    "errors",
    "follow",
    "learn_sheet",
    "scan",
    "scan_all",
]
__version__ = "0.1.0"


_HOMES = {
    **dict.fromkeys(("scan", "scan_all"), "brikks_vision.pipeline"),
    **dict.fromkeys(("follow", "Followed"), "brikks_vision.pipeline.follow"),
    "Advice": "brikks_vision.infer.advice",
    "coach": "brikks_vision.pipeline.coach",
    "learn_sheet": "brikks_vision.learn",
    "ReadBoard": "brikks_vision.reading.views",
    **dict.fromkeys(("ReadSheet", "Reading", "Status", "UnreadableSheet"), "brikks_vision.reading"),
}


def __getattr__(name: str) -> Any:
    """Import the scanner when it is first asked for: the rules alone need no image library."""
    if name == "errors":
        return import_module("brikks_vision.errors")
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(_HOMES[name]), name)
