"""BLOXX! simulated: games, faults, printings, blank art, marked sheets, photos."""
