"""Photos of which the reading asks something; which they are changes with the networks."""

from functools import cache
from pathlib import Path

from brikks_vision.pipeline import scan
from brikks_vision.reading import Doubt

CANDIDATES = ("small-2", "small", "rubbed-out", "no-outlines")


@cache
def doubted_photo() -> tuple[Path, Doubt]:
    """A photo of one sheet, and a doubt about a cross in it that changes the total."""
    for name in CANDIDATES:
        photo = Path(f"tests/fixtures/{name}.jpg")
        reading = scan(photo)
        for doubt in reading.doubts:
            changes = reading.score is not None and doubt.total_otherwise != reading.score.total
            if doubt.read in ("X", ".") and changes:
                return photo, doubt
    raise AssertionError("no photo is doubtful any more: add one")
