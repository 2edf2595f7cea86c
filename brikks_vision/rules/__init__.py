"""Rules of the games: no pixels, no numpy, usable by any program that plays them."""
