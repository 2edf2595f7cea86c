"""BLOXX!: from log-odds of marks to a reading, and everything the game brings to it."""
