"""The doors by which photos come in."""
