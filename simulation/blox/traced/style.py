"""How one set looks: the print of its board, its pieces, and the home that it is played in.

Colours are sRGB, red first, 0 to 1; lengths are in fields.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulation.paper.chances import chance, pick

Rgb = NDArray[np.float64]

ODDITIES = (
    "pale pawns", "patterned table", "magenta", "hand", "no grey", "clear pawns", "folds",
    "flat chips",
)  # fmt: skip
"""What few sets or photos have; half of the sets have one of them."""

PAWNS = {"blue": (0.07, 0.22, 0.66), "brown": (0.4, 0.24, 0.12), "green": (0.09, 0.46, 0.18),
         "red": (0.76, 0.09, 0.09)}  # fmt: skip
PALE_PAWNS = {"blue": (0.5, 0.68, 0.9), "brown": (0.66, 0.5, 0.36), "green": (0.58, 0.8, 0.56),
              "red": (0.92, 0.52, 0.5)}  # fmt: skip
_MARGINS = {
    "dark": ((0.1, 0.1, 0.12), (0.14, 0.16, 0.28), (0.25, 0.1, 0.13), (0.1, 0.22, 0.18)),
    "light": ((0.87, 0.84, 0.78), (0.8, 0.72, 0.58), (0.62, 0.64, 0.66)),
    "wood": ((0.6, 0.42, 0.26), (0.42, 0.27, 0.17), (0.78, 0.62, 0.43)),
}
_PLAIN_TABLES = ("oak", "oak", "walnut", "beech", "pine", "cherry", "laminate", "cloth", "granite",
                 "felt")  # fmt: skip
_PATTERNED_TABLES = ("check", "stripes", "flowers", "marble")


@dataclass(frozen=True)
class Print:
    """A board; what is printed on it is drawn by `prints`."""

    shades: Mapping[str, Rgb]
    is_wood: bool
    thick: float
    margin: float
    margin_color: Rgb
    gloss: float

    @property
    def half(self) -> float:
        """Half the board's side."""
        return 4.5 + self.margin


@dataclass(frozen=True)
class Pieces:
    """Blocks, pawns and chips. loose: how far from straight people pile blocks."""

    blocks: Mapping[str, Rgb]
    is_wood: bool
    is_round: bool
    width: float
    height: float
    bevel: float
    block_gloss: float
    loose: float
    pawns: Mapping[str, Rgb]
    pawn: str
    pawn_half: float
    is_clear: bool
    pawn_gloss: float
    chip: str
    chip_half: float
    chip_thick: float


@dataclass(frozen=True)
class Home:
    """Where it is played, and what lies about."""

    table: str
    floor: Rgb
    skin: Rgb
    things: Mapping[str, Rgb]


@dataclass(frozen=True)
class Style:
    """One set in its home; oddity: one of `ODDITIES`, or empty."""

    oddity: str
    print: Print
    pieces: Pieces
    home: Home


def random_style(rng: np.random.Generator) -> Style:
    oddity = pick(rng, *ODDITIES) if chance(rng, 0.5) else ""
    printed = _random_print(rng, oddity == "magenta")
    return Style(oddity, printed, _random_pieces(rng, oddity, printed.shades), _home(rng, oddity))


def shades(rng: np.random.Generator, is_magenta: bool) -> dict[str, Rgb]:
    """The four colours of fields and blocks."""
    hue = rng.uniform(315, 325) if is_magenta else rng.uniform(272, 305)
    purple = colorsys.hsv_to_rgb(hue / 360, rng.uniform(0.5, 0.78), rng.uniform(0.42, 0.62))
    paper = np.array([1, rng.uniform(0.975, 1), rng.uniform(0.9, 1)])
    return {
        "white": paper * rng.uniform(0.88, 0.96),
        "grey": rng.uniform(0.46, 0.62) + rng.normal(0, 0.008, 3),
        "purple": np.array(purple),
        "black": rng.uniform(0.07, 0.15) + rng.normal(0, 0.006, 3),
    }


def _random_print(rng: np.random.Generator, is_magenta: bool) -> Print:
    is_wood = chance(rng, 1 / 3)
    kind = "wood" if is_wood else pick(rng, "dark", "dark", "dark", "light", "light")
    wide = pick(rng, (0.15, 0.3), (0.45, 0.8), (0.8, 1.2))
    return Print(
        shades=shades(rng, is_magenta),
        is_wood=is_wood,
        thick=rng.uniform(0.2, 0.5) if is_wood else rng.uniform(0.05, 0.12),
        margin=float(rng.uniform(*wide)),
        margin_color=np.array(pick(rng, *_MARGINS[kind])) * rng.uniform(0.9, 1.1),
        gloss=rng.uniform(0.12, 0.45),
    )


def _random_pieces(rng: np.random.Generator, oddity: str, printed: Mapping[str, Rgb]) -> Pieces:
    u, is_wood, own = rng.uniform, chance(rng, 0.5), shades(rng, oddity == "magenta")
    width, like_fields = u(0.58, 0.84), 0.5 * chance(rng, 0.5)
    pawn = pick(rng, "turned", "halma", "halma", "cone", "cylinder", "tall", "disc", "peg",
                "bishop", "figure")  # fmt: skip
    half = {"disc": u(0.27, 0.36), "cylinder": u(0.27, 0.36), "tall": u(0.17, 0.22)}
    pawns = PALE_PAWNS if oddity == "pale pawns" else PAWNS
    chip = pick(rng, "round", "round", "round", "square", "hexagon")
    return Pieces(
        blocks={name: like_fields * printed[name] + (1 - like_fields) * own[name] for name in own},
        is_wood=is_wood,
        is_round=chance(rng, 0.12),
        width=width,
        height=u(0.36, 0.62),
        bevel=u(0.015, 0.05),
        block_gloss=u(0.3, 0.45) if is_wood else u(0.08, 0.25),
        loose=u(0.005, 0.03),
        pawns={
            name: np.clip(np.array(color) * rng.normal(1, 0.1) + rng.normal(0, 0.015, 3), 0.01, 1)
            for name, color in pawns.items()
        },
        pawn=pawn,
        pawn_half=half.get(pawn, u(0.22, 0.31)),
        is_clear=oddity == "clear pawns" and pawn != "figure",
        pawn_gloss=pick(rng, u(0.05, 0.12), u(0.2, 0.4)),
        chip=chip,
        chip_half=width / 2 * u(0.6, 0.86) * (0.85 if chip == "square" else 1),
        chip_thick=0.03 if oddity == "flat chips" else u(0.05, 0.11),
    )


def _home(rng: np.random.Generator, oddity: str) -> Home:
    tables = _PATTERNED_TABLES if oddity == "patterned table" else _PLAIN_TABLES
    floors = ((0.45, 0.35, 0.25), (0.4, 0.4, 0.42), (0.3, 0.22, 0.16), (0.6, 0.57, 0.5))
    skins = ((0.87, 0.66, 0.54), (0.78, 0.56, 0.44), (0.55, 0.37, 0.27), (0.36, 0.23, 0.17))
    return Home(
        table=pick(rng, *tables),
        floor=np.array(pick(rng, *floors)),
        skin=np.array(pick(rng, *skins)),
        things={name: rng.uniform(0.08, 0.92, 3) for name in ("mug", "lid", "pencil", "sleeve")},
    )
