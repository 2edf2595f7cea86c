"""BLOXX!: from the pixels of its sheets to a reading, and back to paper."""
