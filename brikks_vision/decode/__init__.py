"""From log-odds of marks to posteriors: the parts that every game shares."""
