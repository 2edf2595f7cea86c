"""A game on a board, added through the protocol of games."""

from brikks_vision.reading import Setting

SETTINGS = (Setting("depth", (1, 2, 3), "How deep the pond is."),)
"""What a person can say of a pond that its photo does not show."""
