"""The order in which a sheet was filled, as text that reads back."""

from __future__ import annotations

import string
from collections.abc import Iterable

from brikks_vision.layout import Cell

LETTERS = (string.ascii_uppercase + string.ascii_lowercase).replace("x", "")
"""Of the blocks in a text, in order; "x" is a cross outside every block in other texts."""

EMPTY = "."


def replay_text(order: Iterable[Iterable[Cell]], rows: int, columns: int) -> str:
    """The grid, top row first, in which letters name the blocks in their order: A, B, ..."""
    names = {cell: letter for letter, cells in zip(LETTERS, order, strict=False) for cell in cells}
    return "".join(
        "".join(names.get((row, column), EMPTY) for column in range(columns)) + "\n"
        for row in range(rows)
    )


def read_replay(text: str) -> tuple[frozenset[Cell], ...]:
    """The blocks of `replay_text`, in their order."""
    blocks: dict[str, set[Cell]] = {}
    for row, line in enumerate(text.splitlines()):
        for column, letter in enumerate(line):
            blocks.setdefault(letter, set()).add((row, column))
    return tuple(frozenset(blocks[letter]) for letter in LETTERS if letter in blocks)
