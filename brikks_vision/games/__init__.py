"""The games, each in a package of its own name."""

from __future__ import annotations

from brikks_vision.layout import Layout, layouts_of

GAMES = ("brikks",)
"""The games that can be read from a photo."""


def readable_layouts() -> tuple[Layout, ...]:
    """The packaged layouts of games that can be read from a photo."""
    return tuple(layout for game in GAMES for layout in layouts_of(game))


LEARNABLE = ("brikks", "bloxx")
"""The games of which a printing can be learnt by their module ``learn``, in the order of trying."""
