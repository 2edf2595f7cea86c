"""What the notations of sheets share: names for blocks and shapes, and the errors."""

from __future__ import annotations

import string
from collections.abc import Iterator

_FURTHER_LETTERS = range(ord("Α"), ord("ω") + 1)


class NotationError(ValueError):
    """A text is no sheet."""

    def __init__(self, line: str, reason: str) -> None:
        super().__init__(f"This line is no part of a sheet: '{line}': {reason}.")


class UnprintableSheetError(ValueError):
    """A sheet cannot be written: groups share cells or are empty, or there are too many."""


def group_letters(taken: str = "") -> Iterator[str]:
    """Names for blocks or shapes, in order, without the letters ``taken`` for something else.

    Greek letters follow the Latin ones and the digits: a misread sheet can have many groups, and
    so can a duel's sheet with its mini-blocks.
    """
    latin = string.ascii_uppercase + string.ascii_lowercase + string.digits
    yield from (letter for letter in latin if letter not in taken)
    yield from (chr(code) for code in _FURTHER_LETTERS if chr(code).isalpha())
