"""Qwixx: games, hands, prints, photos with their truth."""
