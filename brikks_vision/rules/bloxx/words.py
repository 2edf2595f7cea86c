"""The phrases of BLOXX!, in ``text/*/bloxx.json``, and how places on a sheet are told."""

from __future__ import annotations

from collections.abc import Iterable

from brikks_vision.rules.bloxx.faces import Cell
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.text import phrases
from brikks_vision.text.phrases import Fact, Phrase, all_of, one_of

__all__ = ["Phrase", "all_of", "one_of", "phrase", "place_words", "row_from_bottom", "shape_words"]


def phrase(key: str, **facts: Fact) -> Phrase:
    """The phrase of BLOXX! by that key; ``facts`` are put into its template."""
    return phrases.phrase(f"bloxx.{key}", **facts)


def row_from_bottom(row: int, sheet: Sheet) -> int:
    """The number of a row as a player counts it: 1 is the bottom row."""
    return sheet.rows - row


def place_words(cells: Iterable[Cell], sheet: Sheet) -> Phrase:
    """ "columns 1-3, row 2 from the bottom": the rows and columns that the cells span."""
    rows, columns = zip(*cells, strict=True)
    return phrase(
        "place",
        columns=_span("column", min(columns) + 1, max(columns) + 1),
        rows=_span("row", row_from_bottom(max(rows), sheet), row_from_bottom(min(rows), sheet)),
    )


def shape_words(shape: Iterable[Cell], sheet: Sheet) -> Phrase:
    """ "the shape in columns 1-3, row 2 from the bottom"."""
    return phrase("shape", place=place_words(shape, sheet))


def _span(word: str, first: int, last: int) -> Phrase:
    if first == last:
        return phrase(f"{word}", number=first)
    return phrase(f"{word}s", first=first, last=last)
