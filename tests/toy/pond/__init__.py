"""A game on a board, added through the protocol of games."""
