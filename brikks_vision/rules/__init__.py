"""The games' rules: no pixels, no numpy, usable by any program that plays them."""
