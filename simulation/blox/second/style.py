"""How one set looks: the print of its board, and its pieces."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from simulation.blox.looks import ROUND, Chips, Look
from simulation.blox.second.pawns import CLEAR, FIGURE, MEEPLE, PAWNS, pawn_profile
from simulation.blox.second.textures import Rgb, hsv
from simulation.paper.canvas import Image
from simulation.paper.chances import chance, pick, weighted
from simulation.paper.colors import Color

ODDITIES = (
    "magenta", "pale pawns", "meeples", "wide gaps", "discs", "tall blocks",
    "glossy board", "other purple", "pale lilac", "no border", "warm white",
    "no grey", "folds", "round blocks", "flat chips",
)  # fmt: skip
"""What few sets have; a third of the sets have one of them, or two."""

ARTS = ((2.0, "flat"), (2.0, "mottled"), (1.5, "marble"), (1.2, "grain"), (1.0, "linen"),
        (0.8, "gradient"), (1.2, "frame"), (1.0, "inset"), (1.0, "glow"), (1.2, "bevel"),
        (1.2, "wood"), (0.6, "dots"))  # fmt: skip
_DARK = ((290, 0.5, 0.25), (300, 0.6, 0.35), (250, 0.05, 0.11), (25, 0.5, 0.22), (220, 0.35, 0.25),
         (160, 0.5, 0.22))  # fmt: skip
_LIGHT = ((45, 0.12, 0.85), (30, 0.06, 0.62), (40, 0.45, 0.75), (200, 0.15, 0.7), (30, 0.5, 0.6))
"""Grounds of boards: hue, saturation and value."""
_PURPLES = (
    (0.4, ((285, 305), (0.45, 0.7), (0.38, 0.58))), (0.25, ((262, 282), (0.4, 0.65), (0.42, 0.62))),
    (0.15, ((270, 295), (0.28, 0.42), (0.6, 0.74))), (0.2, ((308, 325), (0.55, 0.8), (0.36, 0.5))),
)  # fmt: skip
"""Hue, saturation and value, from and to: purple, violet, lilac, a redder one."""
_PAWN_COLORS = {
    "blue": ((205, 228), (0.68, 0.92), (0.5, 0.8)), "brown": ((18, 30), (0.5, 0.75), (0.3, 0.5)),
    "green": ((105, 150), (0.6, 0.85), (0.38, 0.65)), "red": ((-6, 8), (0.75, 0.92), (0.62, 0.85)),
}  # fmt: skip
_PALE_COLORS = {
    "blue": ((205, 228), (0.38, 0.5), (0.72, 0.9)), "brown": ((18, 30), (0.4, 0.5), (0.52, 0.66)),
    "green": ((105, 150), (0.3, 0.5), (0.62, 0.8)), "red": ((-6, 8), (0.45, 0.6), (0.8, 0.92)),
}  # fmt: skip
_CHIPS = (
    (2.0, ((0.1, 0.09, 0.1), (0.92, 0.88, 0.78))), (2.0, ((0.93, 0.9, 0.82), (0.12, 0.1, 0.11))),
    (1.0, ((0.35, 0.15, 0.4), (0.93, 0.9, 0.85))), (1.0, ((0.95, 0.85, 0.55), (0.33, 0.12, 0.2))),
    (0.7, ((0.15, 0.1, 0.08), (0.85, 0.68, 0.35))), (0.6, ((0.1, 0.1, 0.1), (0.8, 0.62, 0.45))),
    (0.6, ((0.67, 0.12, 0.12), (0.96, 0.96, 0.96))),
    (0.6, ((0.96, 0.96, 0.94), (0.16, 0.27, 0.51))),
)  # fmt: skip
"""Ink and ground."""
_BY_VALUE = {1: (0.9, 0.85, 0.6), 2: (0.85, 0.7, 0.45), 3: (0.8, 0.8, 0.82), 4: (0.93, 0.78, 0.35),
             10: (0.9, 0.5, 0.35)}  # fmt: skip


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
    between fields, px. shades: how unlike fields of a colour are.
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
    squares: Squares
    titles: int
    is_worn: bool
    folds: int


@dataclass(frozen=True, eq=False)
class ChipPrint:
    """grounds: by value."""

    is_round: bool
    ink: Rgb
    grounds: Mapping[int, Rgb]
    ring: str
    letters: float


def bgr(color: Rgb) -> Color:
    """The colour as pieces have it."""
    blue, green, red = np.rint(255 * np.clip(color[::-1], 0, 1)).astype(int).tolist()
    return blue, green, red


def random_oddities(rng: np.random.Generator) -> frozenset[str]:
    count = 1 + chance(rng, 0.35) if chance(rng, 1 / 3) else 0
    return frozenset(ODDITIES[place] for place in rng.permutation(len(ODDITIES))[:count])


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
        "grey": hsv(pick(rng, 30, 60, 210, 240), u(0, 0.07), u(0.46, 0.66)),
        "purple": hsv(u(*purple[0]), u(*purple[1]), u(*purple[2])),
        "black": hsv(pick(rng, 20, 220, 270), u(0, 0.2), u(0.07, 0.22)),
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


def random_print(rng: np.random.Generator, odd: frozenset[str]) -> Print:
    u, colors, is_wide = rng.uniform, _print_colors(rng, odd), "wide gaps" in odd
    gap = weighted(rng, (2, 0.0), (3, u(0.015, 0.04)), (2, u(0.04, 0.09)))
    gap = u(0.1, 0.16) if is_wide else gap
    rounding = u(0.14, 0.3) if is_wide else pick(rng, 0.005, u(0.03, 0.12))
    dark = pick(rng, *(hsv(*each) for each in _DARK), colors["purple"] * 0.8)
    ground = dark if chance(rng, 0.68) else hsv(*pick(rng, *_LIGHT))
    pale, gold, plain = hsv(45, 0.15, 0.85), hsv(40, 0.6, 0.75), hsv(0, 0, 0.5)
    line = weighted(rng, (2, pale), (2, gold), (1, plain))
    border = weighted(rng, (2, u(0.18, 0.4)), (3, u(0.4, 0.75)), (1, u(0.75, 1.2)))
    return Print(
        colors=colors,
        art=weighted(rng, *ARTS),
        gap=gap,
        rounding=min(rounding, 0.49 - gap / 2) if gap else 0.004,
        ground=ground,
        border=0.06 if "no border" in odd else border,
        border_art=pick(rng, "plain", "plain", "mottled", "mottled", "line", "line", "double",
                        "dots", "shaded", "wood", "corners"),
        line=hsv(300, 0.17, 0.12) if ground.mean() > 0.5 else line,
        grid=pick(rng, 0, 0, 0, 2, 3),
        shades=pick(rng, 0.0, 0.0, u(0.02, 0.06)),
        squares=_random_squares(rng),
        titles=pick(rng, 0, 0, 1, 2),
        is_worn=chance(rng, 0.25),
        folds=pick(rng, 1, 2) if "folds" in odd or chance(rng, 0.1) else 0,
    )  # fmt: skip


def _random_squares(rng: np.random.Generator) -> Squares:
    u = rng.uniform
    yellow, orange = hsv(u(44, 56), u(0.75, 0.95), u(0.85, 1)), hsv(u(22, 34), 0.85, 0.95)
    green, red = hsv(u(70, 95), 0.75, 0.9), hsv(u(350, 362), 0.8, 0.82)
    sand, blue = hsv(42, 0.5, 0.8), hsv(190, 0.7, 0.85)
    dark, pale = hsv(300, 0.1, 0.08), hsv(60, 0.03, 0.95)
    return Squares(
        size=u(0.1, 0.19),
        step=u(1.35, 1.8),
        margin=u(0.07, 0.13),
        where=weighted(rng, (2, "middle"), (2, "low"), (1.5, "corner"), (1, "column"),
                       (1.5, "dice"), (1, "corners")),
        color=weighted(rng, (2.2, yellow), (1.3, orange), (1, green), (0.9, red), (1, sand),
                       (1.3, None), (0.6, blue)),
        rim=weighted(rng, (3, None), (1, dark), (0.5, pale)),
    )  # fmt: skip


def random_look(
    rng: np.random.Generator, odd: frozenset[str], printed: Mapping[str, Rgb], chips: Chips
) -> Look:
    """The pieces. printed: the colours of the board."""
    u, width = rng.uniform, chips.size / rng.uniform(0.6, 0.88)
    width = float(np.clip(width, 0.56, 0.84))
    made = weighted(rng, (1.4, "plastic"), (1.2, "wood"), (1.0, "matt"))
    rough = {"plastic": u(0.1, 0.34), "wood": u(0.3, 0.6), "matt": u(0.5, 0.7)}[made]
    pawn = "meeple" if "meeples" in odd else "disc" if "discs" in odd else pick(rng, *_PAWN_KINDS)
    colors = _PALE_COLORS if "pale pawns" in odd else _PAWN_COLORS
    heights = {"disc": (0.16, 0.26), "meeple": (0.6, 0.8), "peg": (0.45, 0.8)}
    foot, high = u(0.21, 0.31) * (1.1 if pawn == "disc" else 1), u(*heights.get(pawn, (0.55, 1.05)))
    pawn_width, thick, legs = 2 * foot, 0.0, 0.0
    if pawn in _CUT_OUT:
        profile, legs = _CUT_OUT[pawn], u(0.14, 0.16)
        pawn_width, thick = u(0.95, 1.08) * high, 0.34 * high
    else:
        profile = pawn_profile(pawn, high, foot)
    return Look(
        block_colors={
            name: bgr(color) for name, color in _block_colors(rng, printed, odd).items()
        },
        pawn_colors={name: bgr(hsv(*(u(*span) for span in spans)))
                     for name, spans in colors.items()},
        block_width=width,
        block_height=u(0.62, 0.7) if "tall blocks" in odd else u(0.32, 0.6),
        bevel=u(0.015, 0.07),
        wood=made == "wood",
        roughness=rough,
        pawn_profile=profile,
        pawn_width=pawn_width,
        pawn_height=high,
        pawn_base=0.0,
        base_color=(0, 0, 0),
        base_opacity=1.0,
        pawn_body=CLEAR.get(pawn, 0.0),
        body_color=bgr(hsv(210, 0.02, u(0.85, 0.97))),
        body_opacity=u(0.12, 0.4),
        chips=chips,
        jitter=u(0.01, 0.04),
        turn=u(1.0, 6.0),
        pawn_thick=thick,
        pawn_legs=legs,
        block_sides=ROUND if "round blocks" in odd else 4,
    )  # fmt: skip


_CUT_OUT = {"meeple": MEEPLE, "board": FIGURE}
_PAWN_KINDS = (*PAWNS, *CLEAR, "halma", *_CUT_OUT)


def random_chip_print(rng: np.random.Generator) -> ChipPrint:
    is_round = chance(rng, 0.75)
    ink, ground = weighted(rng, *_CHIPS)
    grounds = dict.fromkeys(_BY_VALUE, ground)
    if chance(rng, 0.18):
        ink, grounds = (0.1, 0.08, 0.1), _BY_VALUE
    return ChipPrint(
        is_round=is_round,
        ink=np.array(ink),
        grounds={value: np.array(color) for value, color in grounds.items()},
        ring=pick(rng, "", "", "ring", "ring", "thick") if is_round else pick(rng, "", "frame"),
        letters=rng.uniform(0.4, 0.52),
    )


def random_chips(
    rng: np.random.Generator, look: ChipPrint, faces: Mapping[int, Image], odd: frozenset[str]
) -> Chips:
    return Chips(
        size=rng.uniform(0.4, 0.7) * (1 if look.is_round else 0.9),
        thickness=0.03 if "flat chips" in odd else rng.uniform(0.04, 0.1),
        is_round=look.is_round,
        faces=faces,
        rim=bgr(look.grounds[1] * 0.8) if chance(rng, 0.5) else bgr(np.array((0.7, 0.64, 0.52))),
    )
