"""Several sheets of one game: who won, and whether the game is over."""

from __future__ import annotations

from collections.abc import Sequence

from brikks_vision.rules.qwixx import sheet
from brikks_vision.rules.shapes import TableVerdict, Violation, ranked

CLOSED_AT_END = 2
"""Rows that are closed by anyone when a game ends."""


def judge_table(sheets: Sequence[sheet.SheetState | None]) -> TableVerdict:
    """Rank the sheets of one game, one a player; None where one is not known."""
    known = {at: state for at, state in enumerate(sheets) if state is not None}
    results = ranked({at: sheet.score(state) for at, state in known.items()})
    closed = sum(
        any(state.locks[row] == sheet.CROSSED for state in known.values())
        for row in range(sheet.ROWS)
    )
    is_over = closed >= CLOSED_AT_END or any(
        state.failed >= sheet.MAX_FAILED for state in known.values()
    )
    if is_over or len(known) < len(sheets):
        return TableVerdict(results, ())
    told = sheet.phrase("not-over", count=closed)
    return TableVerdict(results, (Violation(sheet.Rule.NOT_OVER, "sheets", tuple(known), told),))
