"""Read a hand-marked game sheet from a photo, score it, and check it against the rules."""
