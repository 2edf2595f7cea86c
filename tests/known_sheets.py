"""The printings of sheets that are known, as the search for sheets takes them."""

from __future__ import annotations

from brikks_vision.games.printings import known_printings
from brikks_vision.layout import Layout


def known_sheets() -> tuple[Layout, ...]:
    return tuple(each for each in known_printings() if isinstance(each, Layout))
