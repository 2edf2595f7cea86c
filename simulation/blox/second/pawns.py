"""Shapes of pawns, as `simulation.blox.meshes.turned` and `figure` want them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simulation.blox.meshes import Profile

MEEPLE: Profile = ((0, 0), (0.78, 0), (0.85, 0.03), (0.81, 0.1), (0.56, 0.38), (0.63, 0.42),
                   (0.93, 0.46), (1, 0.54), (0.93, 0.6), (0.67, 0.64), (0.3, 0.69), (0.33, 0.78),
                   (0.33, 0.86), (0.28, 0.93), (0.17, 0.98), (0, 1))  # fmt: skip
FIGURE: Profile = ((0, 0), (0.81, 0), (0.88, 0.05), (0.59, 0.35), (0.97, 0.46), (1, 0.55),
                   (0.9, 0.6), (0.44, 0.65), (0.4, 0.74), (0.46, 0.82), (0.4, 0.92), (0.25, 0.98),
                   (0, 1))  # fmt: skip
CLEAR: Mapping[str, float] = {
    "clear cone": 0.25, "clear ball": 0.58, "clear peg": 0.12, "clear half": 0.42,
}  # fmt: skip
"""Pawns whose foot is clear, and up to which share of their height."""
PAWNS = ("cone", "halma", "cylinder", "disc", "peg", "bell", "figure", "turned", "bishop", "tall",
         *CLEAR)  # fmt: skip


def pawn_profile(kind: str, height: float, foot: float) -> Profile:
    """One of `PAWNS`; foot: its radius. Balls are round at these sizes."""
    tall, wide = height / foot, foot / height

    def ball(share: float, first: float) -> Profile:
        """The top, so large a share of the height is its radius; first: degrees."""
        turns = np.radians(np.linspace(first, 90, 13))
        return tuple(
            (max(0.0, share * tall * float(np.cos(turn))), 1 - share + share * float(np.sin(turn)))
            for turn in turns
        )

    stem: Profile
    if kind == "cone":
        stem = ((1, 0), (0.97, 0.08), (0.75, 0.1), (0.5, 0.35), (0.3, 0.66), *ball(0.2, -60))
    elif kind == "halma":
        stem = ((0.93, 0), (1, 0.08), (0.9, 0.18), (0.58, 0.4), (0.36, 0.58), *ball(0.19, -50))
    elif kind == "cylinder":
        stem = ((0.8, 0), (0.8, 0.5), (0.76, 0.54), *ball(min(0.44, 0.72 * wide), -10))
    elif kind == "disc":
        stem = ((1, 0), (1, 0.75), (0.95, 0.93), (0.88, 1))
    elif kind == "peg":
        stem = ((0.96, 0), (1, 0.03), (0.91, 0.5), (0.83, 0.94), (0.73, 1))
    elif kind == "bell":
        stem = ((1, 0), (0.97, 0.1), (0.8, 0.35), (0.66, 0.6), (0.5, 0.76), (0.25, 0.8),
                *ball(0.09, -60))  # fmt: skip
    elif kind == "figure":
        stem = ((1, 0), (1, 0.06), (0.9, 0.1), (0.55, 0.3), (0.5, 0.45), (0.66, 0.6), (0.6, 0.68),
                (0.3, 0.72), (0.5, 0.78), (0.5, 0.85), (0.8, 0.85), (0.75, 0.88), (0.4, 0.9),
                (0.3, 1))  # fmt: skip
    elif kind == "turned":
        stem = ((1, 0), (1, 0.06), (0.93, 0.11), (0.7, 0.15), (0.42, 0.36), (0.34, 0.52),
                (0.52, 0.59), (0.52, 0.62), (0.34, 0.64), *ball(0.19, -50))  # fmt: skip
    elif kind == "bishop":
        stem = ((1, 0), (1, 0.06), (0.8, 0.11), (0.95, 0.19), (0.6, 0.29), (0.4, 0.54),
                (0.62, 0.62), (0.7, 0.73), (0.5, 0.88), (0.2, 0.98))  # fmt: skip
    elif kind == "tall":
        stem = ((1, 0), (1, 0.95), (0.95, 0.98), (0.88, 1))
    elif kind == "clear cone":
        stem = ((1, 0), (0.8, 0.24), (0.62, 0.26), (0.4, 0.6), (0.24, 0.93), (0.12, 1))
    elif kind == "clear ball":
        stem = ((1, 0), (1, 0.05), (0.6, 0.3), (0.34, 0.56), *ball(0.21, -85))
    elif kind == "clear peg":
        stem = ((1, 0), (1, 0.1), (0.5, 0.13), (0.42, 0.3), (0.26, 0.62), *ball(0.18, -55))
    else:
        stem = ((0.95, 0), (1, 0.06), (0.85, 0.2), (0.58, 0.41), (0.42, 0.55), (0.36, 0.62),
                *ball(0.19, -50))  # fmt: skip
    return ((0, 0), *stem, (0, 1))
