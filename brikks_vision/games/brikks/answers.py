"""Answers to doubts: as programs give them ("cell 3,4": "X"), and as people write them.

Programs count as in the contract of readings: from 0, rows from the top. People count as in the
printed rules: rows from the bottom and columns from the left, both from 1, energy points from 1,
bombs and boxes by their printed figure. The words that people use are data (``text/*``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

from brikks_vision.errors import AnswerOffSheet, AnswerUnclear
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Energy
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.text.phrases import Phrase, all_of

CROSS_MARKS = ("X", ".")
ENERGY_MARKS = tuple(str(energy) for energy in Energy)
MARKS = {"cell": CROSS_MARKS, "energy": ENERGY_MARKS, "box": CROSS_MARKS, "bomb": CROSS_MARKS}
"""By kind of place, the marks that can stand there."""

_NUMBER = r"(\d{1,4})"
_CELL = re.compile(rf"\s*cell\s+{_NUMBER}\s*,\s*{_NUMBER}\s*", re.ASCII | re.IGNORECASE)
_OTHER = re.compile(rf"\s*(energy|box|bomb)\s+{_NUMBER}\s*", re.ASCII | re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"\d[\s,]+\d")
_BETWEEN_WORDS = re.compile(r"[\s,'’]+")


def checked_answers(answers: Mapping[str, str], sheet: Sheet) -> dict[str, str]:
    """A program's answers in the spelling of the contract.

    Places are "cell row,column", "energy n", "box n" and "bomb n", from 0, rows from the top.
    Marks are "X" and ".", of energy "open", "circled", "used" and "off".

    Raises
    ------
    AnswerUnclear
        An entry is not a place with a mark that can stand there.
    AnswerOffSheet
        The sheet has no such place.
    """
    return dict(_checked(place, mark, sheet) for place, mark in answers.items())


def parse_answers(words: Iterable[str], sheet: Sheet) -> dict[str, str]:
    """A person's answers ("row 3, column 4=crossed"), in the spelling of the contract.

    Any of the languages is accepted; case and spaces do not matter. Of several answers for one
    place the last one counts. Of the contract's places only "cell 3,4" is accepted: a bomb, box or
    energy point with a number is counted as people count.

    Raises
    ------
    AnswerUnclear
        An answer is not a place with a mark that can stand there.
    AnswerOffSheet
        The sheet has no such place.
    """
    return dict(_parsed(answer, sheet) for answer in words)


def _checked(place: object, mark: object, sheet: Sheet) -> tuple[str, str]:
    unclear = AnswerUnclear(f"{place}={mark}", phrase("contract-answers"))
    if not isinstance(place, str) or not isinstance(mark, str):
        raise unclear
    kind, numbers = _contract_place(place)
    known = [each for each in MARKS.get(kind, ()) if each.lower() == mark.strip().lower()]
    if not known:
        raise unclear
    limits = _limits(sheet)[kind]
    spelt = f"{kind} {','.join(map(str, numbers))}"
    if any(number >= limit for number, limit in zip(numbers, limits, strict=True)):
        raise AnswerOffSheet(spelt, _contract_places(sheet))
    return spelt, known[0]


def _contract_place(place: str) -> tuple[str, tuple[int, ...]]:
    """Kind and numbers; an empty kind if it is no place of the contract."""
    if cell := _CELL.fullmatch(place):
        return "cell", (int(cell[1]), int(cell[2]))
    if other := _OTHER.fullmatch(place):
        return other[1].lower(), (int(other[2]),)
    return "", ()


def _limits(sheet: Sheet) -> dict[str, tuple[int, ...]]:
    """Number of places of each kind; for cells, rows and columns."""
    return {
        "cell": (sheet.rows, sheet.columns),
        "energy": (sheet.energy_points,),
        "box": (len(sheet.bonus_values),),
        "bomb": (len(sheet.bomb_points),),
    }


def _contract_places(sheet: Sheet) -> str:
    last = {kind: ",".join(str(n - 1) for n in many) for kind, many in _limits(sheet).items()}
    return ", ".join(
        f"{kind} {'0,0' if kind == 'cell' else '0'} … {kind} {end}" for kind, end in last.items()
    )


# --- as people write them ------------------------------------------------------------------------


def _parsed(answer: str, sheet: Sheet) -> tuple[str, str]:
    place, separator, mark = answer.replace(":", "=").rpartition("=")
    kind, facts = _named_place(place, sheet)
    contract_mark = _mark_words().get((kind, _squeezed(mark)))
    if not separator or contract_mark is None:
        raise AnswerUnclear(answer.strip(), phrase("answers-allowed"))
    numbers = _numbers(kind, facts, sheet)
    if numbers is None:
        raise AnswerOffSheet(place.strip(), _places_there(sheet))
    return f"{kind} {','.join(map(str, numbers))}", contract_mark


def _named_place(words: str, sheet: Sheet) -> tuple[str, dict[str, int]]:
    """Kind of place and the numbers in its name, by what they count."""
    if cell := _CELL.fullmatch(words):  # as the contract counts
        return "cell", {"row": sheet.rows - int(cell[1]), "column": int(cell[2]) + 1}
    if not _TWO_NUMBERS.search(words):
        for kind, pattern in _place_patterns():
            if found := pattern.fullmatch(_squeezed(words)):
                return kind, {name: int(number) for name, number in found.groupdict().items()}
    return "", {}


def _numbers(kind: str, facts: Mapping[str, int], sheet: Sheet) -> tuple[int, ...] | None:
    """The contract's numbers of a named place; None if there is no such place."""
    if kind == "cell":
        row, column = sheet.rows - facts["row"], facts["column"] - 1
        is_there = row in range(sheet.rows) and column in range(sheet.columns)
        return (row, column) if is_there else None
    if kind == "energy":
        point = facts["number"] - 1
        return (point,) if point in range(sheet.energy_points) else None
    figures = sheet.bomb_points if kind == "bomb" else sheet.bonus_values
    return (figures.index(facts["figure"]),) if facts["figure"] in figures else None


def _places_there(sheet: Sheet) -> Phrase:
    return phrase(
        "answers-there",
        rows=sheet.rows,
        columns=sheet.columns,
        energy=sheet.energy_points,
        boxes=all_of(sheet.bonus_values),
        bombs=all_of(sheet.bomb_points),
    )


def _squeezed(words: str) -> str:
    """Lower case without accents and without anything between the words."""
    letters = unicodedata.normalize("NFD", words.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _BETWEEN_WORDS.sub("", plain)


@cache
def _mark_words() -> dict[tuple[str, str], str]:
    """By kind of place and word, the contract's mark, in all languages."""
    return {
        (kind, _squeezed(word)): mark
        for language in LANGUAGES
        for kind, marks in MARKS.items()
        for mark in marks
        for word in (*texts_in(language).answers[f"{kind} {mark}"], mark)
    }


@cache
def _place_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Kinds of places and patterns of their names, in all languages."""
    return tuple(
        (kind, re.compile(_pattern(template), re.ASCII))
        for language in LANGUAGES
        for kind in MARKS
        for template in (*texts_in(language).answers[kind], _place_template(kind, language))
    )


def _place_template(kind: str, language: str) -> str:
    """The name of a place where it is shown, which is accepted, too."""
    return str(texts_in(language).phrases[f"brikks.{kind}-place"])


def _pattern(template: str) -> str:
    parts = re.split(r"\{(\w+)\}", template)
    return "".join(
        rf"(?P<{part}>\d{{1,4}})" if at % 2 else re.escape(_squeezed(part))
        for at, part in enumerate(parts)
    )
