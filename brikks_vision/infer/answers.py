"""Answers to doubts: as programs give them ("cell 3,4": "X"), and as people write them.

Programs count as in the contract of readings: from 0, rows from the top. People count as their
game's printed rules do. The words that people use are data (``text/*``).

The order in which a sheet was filled, as text that reads back.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Covered
from brikks_vision.errors import AnswerOffSheet, AnswerUnclear
from brikks_vision.layout import CELL, Cell, Layout
from brikks_vision.text.languages import all_texts
from brikks_vision.text.phrases import Fact, names_of, phrase

if TYPE_CHECKING:
    from brikks_vision.infer.protocol import Game

OPEN = "."
"""The letter of a place without a mark."""

_NUMBERS = r"(\d{1,4}(?:\s*,\s*\d{1,4})*)"
_PLACE = re.compile(rf"\s*([a-z]+)\s+{_NUMBERS}\s*", re.ASCII | re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"\d[\s,]+\d")
_BETWEEN_WORDS = re.compile(r"[\s,'’]+")


def checked_answers(answers: Mapping[str, str], game: Game, layout: Any) -> dict[str, str]:
    """A program's answers in the spelling of the contract.

    Places are the name of a field and numbers from 0, rows from the top: "cell row,column",
    "energy n". Marks are those of the game (``MARKS``).

    Raises
    ------
    AnswerUnclear
        An entry is not a place with a mark that can stand there.
    AnswerOffSheet
        The sheet has no such place.
    """
    if game.board is not None:
        return dict(game.board.canonical(answers))
    return dict(_checked(place, mark, game, layout) for place, mark in answers.items())


def parse_answers(words: Iterable[str], game: Game, layout: Any) -> dict[str, str]:
    """A person's answers ("row 3, column 4=crossed"), in the spelling of the contract.

    Any of the languages is accepted; case and spaces do not matter. Of several answers for one
    place the last one counts. Of the contract's places only those with two numbers ("cell 3,4") are
    accepted: a single number is counted as people count.

    Raises
    ------
    AnswerUnclear
        An answer is not a place with a mark that can stand there.
    AnswerOffSheet
        The sheet has no such place.
    """
    if game.board is not None:
        return dict(game.board.canonical(split_answers(words, "field 3,4=blue")))
    return dict(_parsed(answer, game, layout) for answer in words)


def split_answers(words: Iterable[str], example: str) -> dict[str, str]:
    """Answers such as "field 3,4=blue", by place; raises AnswerUnclear, which shows the example."""
    said = {}
    for word in words:
        place, equals, thing = word.partition("=")
        if not (place.strip() and equals and thing.strip()):
            raise AnswerUnclear(word, example)
        said[" ".join(place.split())] = thing.strip()
    return said


def places_of(field: str, layout: Layout) -> tuple[str, ...]:
    """The places of a field as the contract names them, in the order of its centres."""
    shape = layout.fields[field].shape
    return tuple(
        f"{field} {','.join(map(str, at))}" for at in product(*(range(count) for count in shape))
    )


def cell_name(cell: Cell) -> str:
    """The name of a cell in doubts and answers."""
    return f"{CELL} {cell[0]},{cell[1]}"


def cell_at(where: str) -> Cell | None:
    """The cell of that name; None where it names something else."""
    field, _, numbers = where.partition(" ")
    row, _, column = numbers.partition(",")
    return (int(row), int(column)) if field == CELL else None


def covered_places(covered: Covered, fields: Iterable[str], layout: Layout) -> tuple[str, ...]:
    """The hidden places of these fields, as the contract names them."""
    return tuple(
        where
        for field in fields
        if field in covered
        for where, is_covered in zip(places_of(field, layout), covered[field].flat, strict=True)
        if is_covered
    )


def covered_at(places: Iterable[str], layout: Layout) -> Covered:
    """The cover that hides just these places; the reverse of `covered_places`."""
    covered: dict[str, NDArray[np.bool_]] = {}
    for where in places:
        field, numbers = _contract_place(where)
        of_field = covered.setdefault(field, np.zeros(layout.fields[field].shape, np.bool_))
        of_field[numbers] = True
    return covered


def seen_with(covered: Covered, answers: Iterable[str]) -> Covered:
    """Hidden places without an answer."""
    left = {field: places.copy() for field, places in covered.items()}
    for where in answers:
        field, numbers = _contract_place(where)
        if field in left:
            left[field][numbers] = False
    return left


def _checked(place: object, mark: object, game: Game, layout: Layout) -> tuple[str, str]:
    unclear = AnswerUnclear(f"{place}={mark}", phrase(f"{game.NAME}.contract-answers"))
    if not isinstance(place, str) or not isinstance(mark, str):
        raise unclear
    field, numbers = _contract_place(place)
    known = [each for each in game.MARKS.get(field, ()) if each.lower() == mark.strip().lower()]
    shape = layout.fields[field].shape if field in layout.fields else ()
    if not known or len(numbers) != len(shape):
        raise unclear
    spelt = f"{field} {','.join(map(str, numbers))}"
    if any(number >= count for number, count in zip(numbers, shape, strict=True)):
        raise AnswerOffSheet(spelt, _contract_places(game, layout))
    return spelt, known[0]


def _contract_place(place: str) -> tuple[str, tuple[int, ...]]:
    """Field and numbers; an empty field if it is no place of the contract."""
    if found := _PLACE.fullmatch(place):
        return found[1].lower(), tuple(int(number) for number in found[2].split(","))
    return "", ()


def _contract_places(game: Game, layout: Layout) -> str:
    places = (places_of(field, layout) for field in game.MARKS)
    return ", ".join(f"{there[0]} … {there[-1]}" for there in places)


# --- as people write them ------------------------------------------------------------------------


def _parsed(answer: str, game: Game, layout: Layout) -> tuple[str, str]:
    place, separator, mark = answer.replace(":", "=").rpartition("=")
    field, where = _named_place(place, game, layout)
    contract_mark = _mark_words(game.NAME, _spelt(game)).get((field, _squeezed(mark)))
    if not separator or contract_mark is None:
        raise AnswerUnclear(answer.strip(), phrase(f"{game.NAME}.answers-allowed"))
    if where is None:
        raise AnswerOffSheet(place.strip(), game.answers_there(layout))
    return where, contract_mark


def _named_place(words: str, game: Game, layout: Layout) -> tuple[str, str | None]:
    """A place in words: its field, and the place as the contract names it, None if not there."""
    field, numbers = _contract_place(words)
    shape = layout.fields[field].shape if field in game.MARKS else ()
    if len(numbers) == len(shape) > 1:  # as the contract counts
        where = f"{field} {','.join(map(str, numbers))}"
        return field, where if where in places_of(field, layout) else None
    if not _TWO_NUMBERS.search(words):
        named, name = (
            _named_places(game.NAME, tuple(game.MARKS), game.counted, layout),
            _squeezed(words),
        )
        if name in named:
            return named[name]
        like = next((each for each in named if _numbered(each) == _numbered(name)), None)
        if like is not None:
            return named[like][0], None
    return "", None


def _squeezed(words: str) -> str:
    """Lower case without accents, anything between the words, and zeros before a number."""
    letters = unicodedata.normalize("NFD", words.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", _BETWEEN_WORDS.sub("", plain))


def _spelt(game: Game) -> tuple[tuple[str, str], ...]:
    return tuple((field, mark) for field, marks in game.MARKS.items() for mark in marks)


@cache
def _mark_words(name: str, spelt: tuple[tuple[str, str], ...]) -> dict[tuple[str, str], str]:
    """By field and word, the contract's mark, in all languages."""
    return {
        (field, _squeezed(word)): mark
        for texts in all_texts()
        for field, mark in spelt
        for word in (*texts.answers[f"{name}.{field} {mark}"], mark)
    }


@cache
def _named_places(
    game: str,
    fields: Sequence[str],
    counted: Callable[[str, Layout], Mapping[str, Fact]],
    layout: Layout,
) -> dict[str, tuple[str, str]]:
    """By name in any language, squeezed, of all places of a sheet: the field, and the place."""
    found: dict[str, tuple[str, str]] = {}
    for field in fields:
        for where in places_of(field, layout):
            for name in names_of(f"{game}.{field}", **counted(where, layout)):
                found.setdefault(_squeezed(name), (field, where))
    return found


def _numbered(name: str) -> str:
    """A name with a sign for each number."""
    return re.sub(r"[0-9]{1,4}", "#", name)


LETTERS = (string.ascii_uppercase + string.ascii_lowercase).replace("x", "")
"""Of the blocks in a text, in order; "x" is a cross outside every block in other texts."""


def replay_text(order: Iterable[Iterable[Cell]], rows: int, columns: int) -> str:
    """The grid, top row first, in which letters name the blocks in their order: A, B, ..."""
    names = {cell: letter for letter, cells in zip(LETTERS, order, strict=False) for cell in cells}
    return "".join(
        "".join(names.get((row, column), OPEN) for column in range(columns)) + "\n"
        for row in range(rows)
    )
