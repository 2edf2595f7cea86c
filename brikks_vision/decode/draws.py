"""Random numbers, the same in every run, without ``numpy.random``, which takes 9 ms and 7 MB."""

from __future__ import annotations

from collections.abc import Iterator

# PCG XSL RR 128/64 (O'Neill 2014), as ``numpy.random.default_rng(0)`` begins
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
INCREMENT = 87136372517582989555478159403783844777
FIRST_STATE = 35399562948360463058890781895381311971


def uniform_draws() -> Iterator[float]:
    """Numbers from 0 to 1, those of ``numpy.random.default_rng(0)``; they do not end."""
    state, low = FIRST_STATE, (1 << 64) - 1
    while True:
        state = (state * MULTIPLIER + INCREMENT) & ((1 << 128) - 1)
        mixed, turn = (state >> 64 ^ state) & low, state >> 122
        turned = (mixed >> turn | mixed << 64 - turn) & low
        yield (turned >> 11) * 2.0**-53
