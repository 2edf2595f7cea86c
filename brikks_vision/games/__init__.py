"""The games, each in a package of its own name."""
