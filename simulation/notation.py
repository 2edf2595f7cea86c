"""The error of sheets as text."""

from __future__ import annotations


class NotationError(ValueError):
    """A text is no sheet."""

    def __init__(self, line: str, reason: str) -> None:
        super().__init__(f"This line is no part of a sheet: '{line}': {reason}.")
