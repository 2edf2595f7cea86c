"""Makes the packaged models: simulated photos, networks, one command to train them."""
