"""Qwixx: its sheet as a definition, our own print of it, learning other ones."""
