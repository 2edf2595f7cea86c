"""Prices and thresholds of what only Brikks has, its energy above all; see `decode.prices`.

Units and sources are the same as there: natural log-odds, and chosen by hand unless a line says
otherwise.
"""

from __future__ import annotations

BROKEN_ENERGY_ORDER = 2.5
"""Price of an energy bar that is not circled in its order. It bears more marks than the other bars,
so that a slip is more probable. At 3.5, 7 of 18 planted gaps were named, at 2.5 11 of them, and of
180 legal sheets none was accused of one."""

BROKEN_HABIT = 3.5
"""Price of an energy point crossed out before one to its left: legal, but against the habit."""

MIN_SURE_BLOCKS = 0.7
"""Probability of a part's crosses from which on rows are counted by them."""

MIN_SURE_COLORS = 0.9
"""The same where energy is counted, which also depends on the blocks' colours."""
