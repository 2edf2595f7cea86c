"""The rules of Qwixx: points, what a finished sheet proves, and what a turn may add to it."""
