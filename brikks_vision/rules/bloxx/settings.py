"""How many play, and when the game ends. Source: rules."""

MIN_PLAYERS = 2
MAX_PLAYERS = 4

VOID_ROLLS_AT_END = 2
"""So many players who cannot enter a shape in the same roll end the game."""
