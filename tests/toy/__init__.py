"""A game of some lines, added through the protocol of games and one layout file."""

from brikks_vision.reading import Setting

SETTINGS = (Setting("weather", ("dry", "rain"), "What the weather was."),)
"""What a person can say of the toy that its sheet does not."""
