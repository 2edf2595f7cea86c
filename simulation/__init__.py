"""Made-up games and photos of them, for tests, training and measurements; not installed."""
