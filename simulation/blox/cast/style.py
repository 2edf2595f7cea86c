"""How one set looks: the print of its board, its pieces, and the table that it is played on.

Colours are sRGB, red first, 0 to 1; lengths are in fields.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brikks_vision.rules.blox.board import SIDE
from simulation.paper.chances import chance, pick, weighted

Rgb = NDArray[np.float64]

ODDITIES = (
    "magenta", "pale pawns", "meeples", "wide gaps", "patterned cloth", "discs", "tall blocks",
    "square chips", "glossy board", "dark table", "other purple", "pale lilac", "no border",
    "warm white",
)  # fmt: skip
"""What few sets have; a third of the sets have one of them, or two."""

TABLES = ("oak", "oak", "beech", "beech", "walnut", "pine", "pine", "linen", "linen", "linen",
          "white", "felt", "dark wood", "grey wood", "stone", "cream", "dark", "gingham",
          "terrazzo", "stripes")  # fmt: skip
CLOTHS = ("gingham", "stripes", "dots")
PAWNS = ("clear cone", "clear cone", "clear ball", "clear ball", "clear peg", "clear peg",
         "clear half", "clear half", "cone", "halma", "cylinder", "figure", "bell", "peg",
         "meeple", "disc")  # fmt: skip
ARTS = ((2.0, "flat"), (2.0, "mottled"), (1.5, "marble"), (1.2, "grain"), (1.0, "linen"),
        (0.8, "gradient"), (1.2, "frame"), (1.0, "inset"), (1.0, "glow"), (1.2, "bevel"),
        (0.8, "wood"), (0.6, "dots"))  # fmt: skip
_CHIPS = (
    (2.0, ((0.1, 0.09, 0.1), (0.92, 0.88, 0.78))), (2.0, ((0.93, 0.9, 0.82), (0.12, 0.1, 0.11))),
    (1.0, ((0.35, 0.15, 0.4), (0.93, 0.9, 0.85))), (1.0, ((0.95, 0.85, 0.55), (0.33, 0.12, 0.2))),
    (0.7, ((0.15, 0.1, 0.08), (0.85, 0.68, 0.35))), (0.6, ((0.1, 0.1, 0.1), (0.8, 0.62, 0.45))),
)  # fmt: skip
"""Ink and ground."""
_BY_VALUE = {1: (0.9, 0.85, 0.6), 2: (0.85, 0.7, 0.45), 3: (0.8, 0.8, 0.82), 4: (0.93, 0.78, 0.35),
             10: (0.9, 0.5, 0.35)}  # fmt: skip
_DARK = ((290, 0.5, 0.25), (300, 0.6, 0.35), (250, 0.05, 0.11), (25, 0.5, 0.22), (220, 0.35, 0.25))
_LIGHT = ((45, 0.12, 0.85), (30, 0.06, 0.62), (40, 0.45, 0.75), (200, 0.15, 0.7))
"""Grounds of boards: hue, saturation and value."""
_PURPLES = (
    (0.4, ((285, 305), (0.45, 0.7), (0.38, 0.58))), (0.25, ((262, 282), (0.4, 0.65), (0.42, 0.62))),
    (0.15, ((270, 295), (0.28, 0.42), (0.6, 0.74))), (0.2, ((308, 325), (0.55, 0.8), (0.36, 0.5))),
)  # fmt: skip
"""Hue, saturation and value, from and to: purple, violet, lilac, a redder one."""


@dataclass(frozen=True, eq=False)
class Squares:
    """The small squares of fields; color: None for one that stands out from its field."""

    size: float
    step: float
    margin: float
    where: str
    color: Rgb | None
    rim: Rgb | None


@dataclass(frozen=True, eq=False)
class Print:
    """A board; what is printed on it is drawn by `prints`.

    gap, rounding: of the fields. line: the colour of lines and title. grid: width of the lines
    between fields, px. shades: how unlike fields of a colour are. roughness, reflectance: of its
    coat.
    """

    colors: Mapping[str, Rgb]
    art: str
    gap: float
    rounding: float
    ground: Rgb
    border: float
    border_art: str
    line: Rgb
    grid: int
    shades: float
    has_relief: bool
    squares: Squares
    titles: int
    is_worn: bool
    thick: float
    roughness: float
    reflectance: float

    @property
    def half(self) -> float:
        """Half the board's side."""
        return SIDE / 2 + self.border


@dataclass(frozen=True, eq=False)
class Chips:
    """half: the radius, or half the side of square ones; grounds: by value."""

    is_round: bool
    half: float
    thick: float
    ink: Rgb
    grounds: Mapping[int, Rgb]
    ring: str
    letters: float
    rim: Rgb | None


@dataclass(frozen=True, eq=False)
class Pieces:
    """Blocks and pawns; foot: the radius of a pawn's foot."""

    blocks: Mapping[str, Rgb]
    is_wood: bool
    width: float
    height: float
    bevel: float
    roughness: float
    reflectance: float
    pawn: str
    pawn_height: float
    foot: float
    pawn_roughness: float
    clearness: float
    pawns: Mapping[str, Rgb]
    chips: Chips


@dataclass(frozen=True, eq=False)
class Style:
    """One set on its table; oddities: some of `ODDITIES`."""

    oddities: frozenset[str]
    print: Print
    pieces: Pieces
    table: str


def hsv(hue: float, saturation: float, value: float) -> Rgb:
    """A colour; hue: degrees."""
    return np.array(colorsys.hsv_to_rgb(hue / 360 % 1, saturation, value))


def random_style(rng: np.random.Generator) -> Style:
    count = 1 + chance(rng, 0.35) if chance(rng, 1 / 3) else 0
    odd = frozenset(ODDITIES[place] for place in rng.permutation(len(ODDITIES))[:count])
    table = pick(rng, *TABLES)
    if "patterned cloth" in odd:
        table = pick(rng, *CLOTHS)
    elif "dark table" in odd:
        table = "dark"
    printed = _random_print(rng, odd)
    return Style(odd, printed, _random_pieces(rng, odd, printed.colors), table)


def _print_colors(rng: np.random.Generator, odd: frozenset[str]) -> dict[str, Rgb]:
    u = rng.uniform
    purple = weighted(rng, *_PURPLES)
    if "magenta" in odd:
        purple = ((322, 334), (0.6, 0.8), (0.5, 0.62))
    elif "pale lilac" in odd:
        purple = ((265, 285), (0.2, 0.27), (0.72, 0.8))
    white = hsv(u(35, 60), pick(rng, u(0, 0.06), u(0.08, 0.2)), u(0.88, 0.97))
    if "warm white" in odd:
        white = hsv(u(38, 48), u(0.22, 0.3), u(0.85, 0.92))
    return {
        "white": white,
        "grey": hsv(pick(rng, 30, 60, 210, 240), u(0, 0.07), u(0.5, 0.66)),
        "purple": hsv(u(*purple[0]), u(*purple[1]), u(*purple[2])),
        "black": hsv(pick(rng, 20, 220, 270), u(0, 0.2), u(0.1, 0.22)),
    }


def _block_colors(
    rng: np.random.Generator, printed: Mapping[str, Rgb], odd: frozenset[str]
) -> dict[str, Rgb]:
    """Near to those of the print."""
    u, found = rng.uniform, {}
    for name, color in printed.items():
        hue, saturation, value = colorsys.rgb_to_hsv(*color.tolist())
        saturation = saturation * u(0.85, 1.15) + (u(0, 0.06) if name == "white" else 0)
        low, high = (0.46, 0.68) if name == "grey" else (0.07 if name == "black" else 0.3, 0.96)
        value = float(np.clip(value * u(0.92, 1.08), low, high))
        found[name] = hsv(hue * 360 + rng.normal(0, 4), min(saturation, 0.9), value)
    if "other purple" in odd:
        found["purple"] = hsv(u(275, 312), u(0.3, 0.75), u(0.4, 0.65))
    return found


def _random_print(rng: np.random.Generator, odd: frozenset[str]) -> Print:
    u, colors, is_wide = rng.uniform, _print_colors(rng, odd), "wide gaps" in odd
    gap = weighted(rng, (2, 0.0), (3, u(0.015, 0.04)), (2, u(0.04, 0.09)))
    gap = u(0.1, 0.16) if is_wide else gap
    rounding = u(0.14, 0.3) if is_wide else pick(rng, 0.005, u(0.03, 0.12))
    dark = pick(rng, *(hsv(*each) for each in _DARK), colors["purple"] * 0.8)
    ground = dark if chance(rng, 0.68) else hsv(*pick(rng, *_LIGHT))
    pale, gold, plain = hsv(45, 0.15, 0.85), hsv(40, 0.6, 0.75), hsv(0, 0, 0.5)
    line = weighted(rng, (2, pale), (2, gold), (1, plain))
    border = weighted(rng, (2, u(0.18, 0.4)), (3, u(0.4, 0.75)), (1, u(0.75, 1.1)))
    is_glossy = "glossy board" in odd
    return Print(
        colors=colors,
        art=weighted(rng, *ARTS),
        gap=gap,
        rounding=min(rounding, 0.49 - gap / 2) if gap else 0.004,
        ground=ground,
        border=0.06 if "no border" in odd else border,
        border_art=pick(rng, "plain", "plain", "plain", "mottled", "mottled", "line", "line",
                        "double", "dots"),
        line=hsv(300, 0.17, 0.12) if ground.mean() > 0.5 else line,
        grid=pick(rng, 0, 0, 0, 2, 3),
        shades=pick(rng, 0.0, 0.0, u(0.02, 0.06)),
        has_relief=gap > 0.01 and chance(rng, 0.25),
        squares=_random_squares(rng),
        titles=pick(rng, 0, 0, 1, 2),
        is_worn=chance(rng, 0.25),
        thick=u(0.05, 0.22),
        roughness=u(0.13, 0.25) if is_glossy else u(0.3, 0.6),
        reflectance=0.035 if is_glossy else u(0.008, 0.026),
    )  # fmt: skip


def _random_squares(rng: np.random.Generator) -> Squares:
    u = rng.uniform
    yellow, orange = hsv(u(44, 56), u(0.75, 0.95), u(0.85, 1)), hsv(u(22, 34), 0.85, 0.95)
    green, red = hsv(u(70, 95), 0.75, 0.9), hsv(u(350, 362), 0.8, 0.82)
    sand, blue = hsv(42, 0.5, 0.8), hsv(190, 0.7, 0.85)
    dark, pale = hsv(300, 0.1, 0.08), hsv(60, 0.03, 0.95)
    return Squares(
        size=u(0.1, 0.17),
        step=u(1.35, 1.8),
        margin=u(0.07, 0.13),
        where=weighted(rng, (2, "middle"), (2, "low"), (1.5, "corner"), (1, "column"),
                       (1.5, "dice"), (1, "corners")),
        color=weighted(rng, (2.2, yellow), (1.3, orange), (1, green), (0.9, red), (1, sand),
                       (1.3, None), (0.6, blue)),
        rim=weighted(rng, (3, None), (1, dark), (0.5, pale)),
    )  # fmt: skip


def _random_pieces(
    rng: np.random.Generator, odd: frozenset[str], printed: Mapping[str, Rgb]
) -> Pieces:
    u, width = rng.uniform, rng.uniform(0.56, 0.84)
    rough, reflectance, bevel = {
        "plastic": (u(0.16, 0.34), 0.045, u(0.026, 0.09)),
        "wood": (u(0.4, 0.6), 0.03, u(0.02, 0.07)),
        "matt": (u(0.5, 0.7), 0.025, u(0.02, 0.07)),
    }[made := weighted(rng, (1.4, "plastic"), (1.2, "wood"), (1.0, "matt"))]
    pawn = "meeple" if "meeples" in odd else "disc" if "discs" in odd else pick(rng, *PAWNS)
    is_flat = pawn in ("disc", "peg", "meeple")  # no glare that hides the colour of flat tops
    heights = {"disc": (0.16, 0.26), "meeple": (0.65, 0.8), "peg": (0.5, 0.8)}
    return Pieces(
        blocks=_block_colors(rng, printed, odd),
        is_wood=made == "wood",
        width=width,
        height=u(0.62, 0.7) if "tall blocks" in odd else u(0.32, 0.6),
        bevel=bevel,
        roughness=rough,
        reflectance=reflectance,
        pawn=pawn,
        pawn_height=u(*heights.get(pawn, (0.62, 1.05))),
        foot=u(0.21, 0.31) * (1.1 if pawn == "disc" else 1),
        pawn_roughness=max(u(0.15, 0.45), 0.36 if is_flat else 0),
        clearness=u(0.9, 0.99),
        pawns=_pawn_colors(rng, "pale pawns" in odd),
        chips=_random_chips(rng, width, "square chips" in odd),
    )


def _pawn_colors(rng: np.random.Generator, is_pale: bool) -> dict[str, Rgb]:
    u = rng.uniform
    if is_pale:
        return {
            "blue": hsv(u(205, 228), u(0.38, 0.5), u(0.72, 0.85)),
            "brown": hsv(u(18, 30), u(0.4, 0.5), u(0.52, 0.62)),
            "green": hsv(u(105, 150), u(0.35, 0.5), u(0.62, 0.75)),
            "red": hsv(u(-6, 8), u(0.5, 0.6), u(0.8, 0.88)),
        }
    return {
        "blue": hsv(u(205, 228), u(0.68, 0.92), u(0.5, 0.8)),
        "brown": hsv(u(18, 30), u(0.5, 0.75), u(0.3, 0.5)),
        "green": hsv(u(105, 150), u(0.6, 0.85), u(0.38, 0.65)),
        "red": hsv(u(-6, 8), u(0.75, 0.92), u(0.62, 0.85)),
    }


def _random_chips(rng: np.random.Generator, block_width: float, is_square: bool) -> Chips:
    is_round = not is_square and chance(rng, 0.8)
    ink, ground = weighted(rng, *_CHIPS)
    grounds = dict.fromkeys(_BY_VALUE, ground)
    if chance(rng, 0.18):
        ink, grounds = (0.1, 0.08, 0.1), _BY_VALUE
    half = rng.uniform(0.34, 0.44) * block_width
    return Chips(
        is_round=is_round,
        half=half if is_round else half * 0.86,
        thick=rng.uniform(0.04, 0.1),
        ink=np.array(ink),
        grounds={value: np.array(color) for value, color in grounds.items()},
        ring=pick(rng, "", "", "ring", "ring", "thick") if is_round else pick(rng, "", "frame"),
        letters=rng.uniform(0.42, 0.52),
        rim=None if chance(rng, 0.5) else np.array((0.7, 0.64, 0.52)),
    )
