"""Brikks: what one game adds to the common way of a photo."""
