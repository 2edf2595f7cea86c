"""How many play, and when the game ends. Source: rules."""

MIN_PLAYERS = 2
MAX_PLAYERS = 4

VOID_ROLLS_AT_END = 2
"""Number of players who must fail to enter a shape in the same roll to end the game."""
