"""Colours of the sheet."""

from __future__ import annotations

from brikks_vision.printing.palette import Palette

LIGHT = Palette(
    paper="#ffffff",
    ink="#253043",
    rim="#56647d",
    faint="#b4bccb",
    text="#3d4a62",
    note_text="#7d879a",
    accent="#c8327f",
    panel="#ffffff",
    panel_rim="#9aa5b8",
    brick_rim="#253043",
    brick_tint=0.75,
    tint=0.4,
    line_share=0.7,
)
"""Thin lines and pale tints on white paper, so that any pen shows."""
