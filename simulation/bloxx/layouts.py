"""Printings of BLOXX! by chance: size of the grid, coloured rows, numbers, places of the rest.

A printing is the decoded JSON of a layout, in the form of the packaged one, and so also what a
photo of its empty sheet should teach.
"""

from __future__ import annotations

import colorsys
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from brikks_vision.layout import Layout, Point, parse_layout
from simulation.bloxx.dice import dice_pairs
from simulation.bloxx.notation import print_face

Places = list[Point]

USUAL_SIZE = 10, 7  # rows, columns
OTHER_SIZES = ((9, 7), (11, 7), (10, 6), (10, 8), (12, 8), (8, 6), (9, 8))
USUAL_SIZE_SHARE = 0.75
USUAL_ROWS_SHARE = 0.85  # of the printings: four coloured rows

HUES = {
    "red": 0,
    "orange": 30,
    "yellow": 53,
    "green": 120,
    "turquoise": 178,
    "blue": 220,
    "violet": 275,
    "pink": 328,
}
"""Names of colours and their hues in degrees, apart enough to be told by name."""

AREA_UNIT = 8 / 3
"""Sides of the area that is read are multiples of this, in cells."""

AREA_MARGIN = 0.6
"""Least width between what is marked and the border of the area that is read, in cells."""


def random_layout(rng: np.random.Generator) -> Layout:
    """Any printing."""
    return parse_layout(random_printing(rng))


def random_printing(rng: np.random.Generator) -> dict[str, Any]:
    """The decoded JSON of any printing: see `brikks_vision.layout.parse_layout`."""
    rows, columns = USUAL_SIZE
    if rng.random() > USUAL_SIZE_SHARE:
        rows, columns = OTHER_SIZES[int(rng.integers(len(OTHER_SIZES)))]
    colors = _colors(rng)
    colored = _colored_rows(rng, rows, list(colors))
    numbers = _numbers(rng, rows, columns)
    bonuses, figures = _places_below(rng, rows, columns, [entry["row"] for entry in colored])
    numbered = {(entry["row"], entry["column"]) for entry in numbers}
    printed: dict[str, Any] = {"colored_rows": colored, "numbers": numbers}
    if rng.random() < 0.2:
        pair = dice_pairs()[int(rng.integers(len(dice_pairs())))]
        printed["dice"] = [[list(print_face(face)) for face in die] for die in pair]
    return {
        "name": "random",
        "game": "bloxx",
        "title": "BLOXX!",
        **_page(rng, rows, columns, bonuses, figures),
        "grid": {"rows": rows, "columns": columns, "line_width": float(rng.uniform(0.03, 0.09))},
        "fields": {
            "cell": {
                "marks": ["cross", "ring", "fill"],
                "prints": [
                    "".join("01"[(row, column) in numbered] for column in range(columns))
                    for row in range(rows)
                ],
                "drawn": [{}, _number_drawn(rng)],
            },
            "bonus": bonuses,
        },
        "figures": figures,
        "colors": colors,
        "printed": printed,
    }


def _colors(rng: np.random.Generator) -> dict[str, str]:
    """Four colours as a rule, by name."""
    count = 4 if rng.random() < USUAL_ROWS_SHARE else int(rng.choice([3, 5]))
    names = [str(name) for name in rng.choice(list(HUES), count, replace=False)]
    return {name: _color(rng, HUES[name]) for name in names}


def _color(rng: np.random.Generator, hue: float) -> str:
    """A full colour of about that hue, "#rrggbb"."""
    turned = ((hue + rng.uniform(-7, 7)) % 360) / 360
    channels = colorsys.hsv_to_rgb(turned, rng.uniform(0.6, 1.0), rng.uniform(0.65, 1.0))
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)


def _colored_rows(
    rng: np.random.Generator, rows: int, colors: list[str]
) -> list[dict[str, int | str]]:
    """Which rows are coloured, top first; seldom two beside each other."""
    while True:
        chosen = sorted(int(row) for row in rng.choice(rows, len(colors), replace=False))
        apart = min((low - high for high, low in itertools.pairwise(chosen)), default=rows)
        if apart > 1 or rng.random() < 0.1:
            break
    return [{"row": row, "color": color} for row, color in zip(chosen, colors, strict=True)]


def _numbers(rng: np.random.Generator, rows: int, columns: int) -> list[dict[str, int]]:
    """Which cells bear a 2, 3 or 4; on some printings higher ones stand higher up."""
    places = rng.choice(rows * columns, int(rows * columns * rng.uniform(0.18, 0.4)), replace=False)
    sorted_by_height = rng.random() < 0.5
    numbers = []
    for place in sorted(int(place) for place in places):
        row, column = divmod(place, columns)
        value = int(rng.integers(2, 5))
        if sorted_by_height:
            value = int(np.clip(round(4 - 2 * row / (rows - 1) + rng.normal(0, 0.5)), 2, 4))
        numbers.append({"row": row, "column": column, "value": value})
    return numbers


def _number_drawn(rng: np.random.Generator) -> dict[str, float]:
    """What is printed around a number."""
    kind = rng.choice(["bare", "disc", "ring", "box"], p=[0.5, 0.33, 0.07, 0.1])
    return {} if kind == "bare" else {str(kind): float(rng.uniform(0.42, 0.72))}


# --- below the grid ------------------------------------------------------------------------------


def _places_below(
    rng: np.random.Generator, rows: int, columns: int, colored: list[int]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The bonuses and the boxes for figures, as fields of the JSON."""
    size = float(rng.uniform(0.55, 0.92))
    way = str(rng.choice(["pairs", "two lines", "list", "beside"], p=[0.45, 0.25, 0.2, 0.1]))
    if way == "pairs":
        size = min(size, columns / len(colored) / 2 - 0.06)
    top = rows + float(rng.uniform(0.35, 1.1))
    places, bottom = _BONUSES[way](rng, columns, colored, size, top)
    if rng.random() < 0.1:  # the lower bonus stands before the higher one
        places = [places[at ^ 1] for at in range(len(places))]
    if way in ("pairs", "two lines") and rng.random() < 0.2:
        # the lowest row first: on such sheets their colours tell whose they are
        places = [place for at in range(len(places) - 2, -1, -2) for place in places[at : at + 2]]
    kind = str(rng.choice(["box", "ring", "disc", "bare"], p=[0.45, 0.25, 0.15, 0.15]))
    drawn: dict[str, float] = {} if kind == "bare" else {kind: size}
    bonuses = {
        "centres": [[round(x, 4), round(y, 4)] for x, y in places],
        "size": [size, size],
        "marks": ["ring", "cross"],
        "prints": [0, 1] * len(colored),
        "drawn": [drawn, drawn],
    }
    return bonuses, _figures(rng, rows, columns, way, bottom)


def _pairs(
    rng: np.random.Generator, columns: int, colored: list[int], size: float, top: float
) -> tuple[Places, float]:
    """All in one line, the two of a row side by side."""
    pitch = columns / len(colored)
    apart = min(size + float(rng.uniform(0.05, 0.3)), pitch - size - 0.06)
    places = []
    for number in range(len(colored)):
        middle = (number + 0.5) * pitch
        places += [(middle - apart / 2, top + size / 2), (middle + apart / 2, top + size / 2)]
    return places, top + size


def _two_lines(
    rng: np.random.Generator, columns: int, colored: list[int], size: float, top: float
) -> tuple[Places, float]:
    """The higher ones in one line, the lower ones in the next."""
    pitch = max(columns * float(rng.uniform(0.55, 1.0)) / len(colored), size + 0.1)
    left = float(rng.uniform(0, columns - pitch * len(colored)))
    down = size + float(rng.uniform(0.05, 0.35))
    places = []
    for number in range(len(colored)):
        x = left + (number + 0.5) * pitch
        places += [(x, top + size / 2), (x, top + size / 2 + down)]
    return places, top + size + down


def _list(
    rng: np.random.Generator, columns: int, colored: list[int], size: float, top: float
) -> tuple[Places, float]:
    """A line for each row, at the left."""
    down = size + float(rng.uniform(0.05, 0.25))
    apart = size + float(rng.uniform(0.1, 0.5))
    left = float(rng.uniform(0.0, 0.8)) + size / 2
    places = []
    for number in range(len(colored)):
        y = top + size / 2 + number * down
        places += [(left, y), (left + apart, y)]
    return places, top + size + (len(colored) - 1) * down


def _beside(
    rng: np.random.Generator, columns: int, colored: list[int], size: float, top: float
) -> tuple[Places, float]:
    """At the right end of each row."""
    left = columns + 0.35 + size / 2
    apart = size + float(rng.uniform(0.05, 0.3))
    return [(left + step * apart, row + 0.5) for row in colored for step in (0, 1)], top - 0.3


_BONUSES: dict[
    str,
    Callable[[np.random.Generator, int, list[int], float, float], tuple[Places, float]],
] = {"pairs": _pairs, "two lines": _two_lines, "list": _list, "beside": _beside}


def _figures(
    rng: np.random.Generator, rows: int, columns: int, way: str, bottom: float
) -> dict[str, Any]:
    """The boxes for the figures of the score: in a line, a square or a stack.

    bottom: of the bonuses, in cells from the top of the grid.
    """
    names = ("rows", "numbers", "penalty", "total")
    kind = "stack" if way == "list" else str(rng.choice(["line", "square"], p=[0.75, 0.25]))
    height = float(rng.uniform(0.8, 1.2))
    if kind == "line":
        gap = float(rng.uniform(0.15, 0.5))
        width = (columns - 3 * gap) / 4
        y = bottom + float(rng.uniform(0.35, 0.9)) + height / 2
        places = [(width / 2 + number * (width + gap), y) for number in range(4)]
    elif kind == "square":
        width = float(rng.uniform(1.3, 2.2))
        pitch = columns / 2
        y = bottom + float(rng.uniform(0.35, 0.8)) + height / 2
        down = height + float(rng.uniform(0.2, 0.6))
        places = [((number % 2 + 0.5) * pitch + 0.3, y + number // 2 * down) for number in range(4)]
    else:
        width = float(rng.uniform(1.3, 2.0))
        height = float(rng.uniform(0.75, 1.0))
        down = height + float(rng.uniform(0.04, 0.2))
        x = columns - width / 2 - float(rng.uniform(0, 0.4))
        y = rows + float(rng.uniform(0.35, 0.9)) + height / 2
        places = [(x, y + number * down) for number in range(4)]
    return {
        name: {"centres": [[round(x, 4), round(y, 4)]], "size": [width, height]}
        for name, (x, y) in zip(names, places, strict=True)
    }


def _page(
    rng: np.random.Generator,
    rows: int,
    columns: int,
    bonuses: dict[str, Any],
    figures: dict[str, Any],
) -> dict[str, Any]:
    """The paper and the area that is read, around all places."""
    boxes = [(0.0, 0.0, float(columns), float(rows))]
    for field in (bonuses, *figures.values()):
        width, height = field["size"]
        boxes += [
            (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            for x, y in field["centres"]
        ]
    left, top = (min(box[side] for box in boxes) for side in (0, 1))
    right, bottom = (max(box[side] for box in boxes) for side in (2, 3))
    area = {
        axis: _whole_units(low, high)
        for axis, low, high in (("x", left, right), ("y", top, bottom))
    }
    page = {
        "x": [left - float(rng.uniform(0.6, 2.6)), right + float(rng.uniform(0.6, 2.6))],
        "y": [top - float(rng.uniform(0.8, 4.5)), bottom + float(rng.uniform(0.7, 2.2))],
    }
    return {"page": page, "reading_area": area}


def _whole_units(low: float, high: float) -> list[float]:
    """An interval around another, as long as a whole number of units."""
    units = np.ceil((high - low + 2 * AREA_MARGIN) / AREA_UNIT)
    middle, half = (low + high) / 2, float(units) * AREA_UNIT / 2
    return [middle - half, middle + half]
