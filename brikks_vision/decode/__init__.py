"""From log-odds of marks to posteriors: the common parts, which know no game."""
