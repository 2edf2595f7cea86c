"""A game of some lines, added through the protocol of games and one layout file."""
