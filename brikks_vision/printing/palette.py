"""Colours and line weights of one style of art."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Palette:
    """What every sheet is drawn with; a game adds the colours of its own parts.

    Colours are "#rrggbb". paper: the ground. ink: bold outlines. rim: the lines of the grid.
    faint: lines that should not stand out. text, note_text: captions and small notes. accent: what
    should stand out. panel, panel_rim: ground and outline of what is framed. brick_rim: the
    outline of bricks. brick_tint, tint: how much of the layout's colours is left in bricks and
    grounds, 0 to 1. line_share: how much of the layout's line width.
    """

    paper: str
    ink: str
    rim: str
    faint: str
    text: str
    note_text: str
    accent: str
    panel: str
    panel_rim: str
    brick_rim: str
    brick_tint: float
    tint: float
    line_share: float
