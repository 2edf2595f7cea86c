"""Photos of the sheets of all players of one game of BLOXX!, side by side on one table."""

from __future__ import annotations

import numpy as np

from brikks_vision.layout import Layout
from simulation.bloxx.games import PlayedTable
from simulation.bloxx.hands import visible_hand
from simulation.bloxx.marking import mark_sheet
from simulation.paper.blank import BlankSheet
from simulation.several_sheets import SeveralShot, lay_side_by_side, shoot_several


def shoot_table(
    layout: Layout,
    blank: BlankSheet,
    table: PlayedTable,
    rng: np.random.Generator,
    tier: str,
    long_side: int,
    held_out: bool,
) -> SeveralShot:
    """The sheets of a game on prints of one kind, each by a hand of its own.

    ``long_side``: of the photo, px. ``held_out``: by writers that are never trained on.
    """
    sheets = [
        mark_sheet(blank, layout, played, visible_hand(layout, blank, rng, held_out), rng)
        for played in table.sheets
    ]
    return shoot_several(lay_side_by_side(sheets, layout.page, rng), rng, tier, long_side)
