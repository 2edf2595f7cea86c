"""Colours of the parts that a Brikks sheet alone has."""

from __future__ import annotations

from dataclasses import dataclass

from brikks_vision.printing.palette import Palette


@dataclass(frozen=True, kw_only=True)
class BrikksPalette(Palette):
    """Colours are "#rrggbb". bar_ground, bar_text: of the extra-points bar and the energy bar.

    point_ground, point_rim: of energy points; active_ground: of an activated one. bonus_mark: the
    pink crosses. strip_ground: of the strip for the rows' points. bomb_panel, bomb_body, bomb_text,
    bomb_rim: of the bombs. factor_text: the multipliers but the highest. circle_tint: how much of
    the layout's colours is left in the coloured circles, 0 to 1.
    """

    bar_ground: str
    bar_text: str
    point_ground: str
    point_rim: str
    active_ground: str
    bonus_mark: str
    strip_ground: str
    bomb_panel: str
    bomb_body: str
    bomb_text: str
    bomb_rim: str
    factor_text: str
    circle_tint: float
