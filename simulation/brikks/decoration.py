"""What is printed on a Brikks sheet apart from the places of marks, to draw one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from brikks_vision.layout import CELL, Box, Layout


@dataclass(frozen=True)
class Decoration:
    """Boxes of printed parts that bear no marks, in the sheet frame, in cells.

    screen: the frame around the grid. multipliers: left and right of the rows' factors. legend: top
    and bottom of the points for crosses. score_strip: where the points of the rows are written.
    total_field: where the total is written; None where there is no field. title: where the light
    style prints the game's name; None where all space above the screen is for it. circle_diameter:
    of the coloured circles.
    """

    screen: Box
    multipliers: tuple[float, float]
    legend: tuple[float, float]
    score_strip: Box
    total_field: Box | None
    title: Box | None
    circle_diameter: float


@cache
def decoration_of(layout: Layout) -> Decoration:
    """The decoration of a Brikks layout, from its part ``printed``."""
    data = layout.printed["decoration"]
    multipliers, legend = data["multipliers"]["x"], data["legend"]["y"]
    return Decoration(
        screen=Box.from_json(data["screen"]),
        multipliers=(multipliers[0], multipliers[1]),
        legend=(legend[0], legend[1]),
        score_strip=Box.from_json(data["score_strip"]),
        total_field=Box.from_json(data["total_field"]) if "total_field" in data else None,
        title=Box.from_json(data["title"]) if "title" in data else None,
        circle_diameter=max(max(each.values(), default=0.0) for each in layout.fields[CELL].drawn),
    )
