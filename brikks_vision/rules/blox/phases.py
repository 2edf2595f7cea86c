"""The four phases: which towers may be cleared and built, and when the next one begins.

In phase p towers of up to p may be cleared and towers of exactly p + 1 are built (published rules,
"Phases").
"""

from __future__ import annotations

from brikks_vision.rules.blox.errors import ImpossiblePhaseError
from brikks_vision.rules.blox.material import MAX_HEIGHT
from brikks_vision.rules.blox.position import Position

PHASES = (1, 2, 3, 4)
LAST_PHASE = 4


def height_to_build(phase: int) -> int:
    return phase + 1


def is_phase_over(position: Position, phase: int) -> bool:
    """Whether at most one tower of the greatest height that may be cleared is left."""
    return position.towers_of(phase) <= 1


def phase_after(position: Position, phase: int) -> int:
    """The phase that a turn leaves, which may be some later one."""
    while phase < LAST_PHASE and is_phase_over(position, phase):
        phase += 1
    return phase


def phases_of(position: Position) -> tuple[int, ...]:
    """The phases in which the towers can stand so; empty where no phase allows them.

    Once a phase is over, no tower of its height is built any more: so in phase p at most one tower
    of each lower height is left, and, but for phase 4, two or more of height p. A tower of 5 is
    built in phase 4 alone. The towers thus leave one phase, unless they are none of a game.
    """
    phase = phase_after(position, 1)
    if position.towers_of(MAX_HEIGHT) and phase != LAST_PHASE:
        return ()
    return (phase,)


def known_phase(phase: int) -> int:
    """The phase, if it is one.

    Raises
    ------
    ImpossiblePhaseError
        It is none of 1 to 4.
    """
    if phase not in PHASES:
        raise ImpossiblePhaseError(phase)
    return phase
