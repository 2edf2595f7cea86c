"""Answers to doubts, as the user writes them: "cell 3,4=X"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brikks_vision.errors import AnswerOffSheet, AnswerUnclear
from brikks_vision.layout import SheetDefinition
from brikks_vision.rules.brikks.state import Energy

CROSS_MARKS = {"x": "X", ".": "."}
ENERGY_MARKS = {str(energy): str(energy) for energy in Energy}
_ANSWER = re.compile(r"\s*(cell|energy|box|bomb)\s+(\d+)(?:\s*,\s*(\d+))?\s*=\s*(\S+)\s*", re.ASCII)


def parse_answers(words: Iterable[str], definition: SheetDefinition) -> dict[str, str]:
    """Place to mark, as ``scan`` takes them; of several answers for one place the last counts.

    Places are "cell row,column", "energy n", "box n" and "bomb n", from 0. Marks are "X" and ".",
    of energy "open", "circled", "used" and "off".

    Raises
    ------
    AnswerUnclear
        Words are no place with a mark that can stand there.
    AnswerOffSheet
        The sheet has no such place.
    """
    return dict(_parse(answer, definition) for answer in words)


def _parse(answer: str, definition: SheetDefinition) -> tuple[str, str]:
    found = _ANSWER.fullmatch(answer)
    if found is None:
        raise AnswerUnclear(answer)
    kind, *digits, mark = found.groups()
    numbers = [int(number) for number in digits if number is not None]
    marks = ENERGY_MARKS if kind == "energy" else CROSS_MARKS
    if len(numbers) != (2 if kind == "cell" else 1) or mark.lower() not in marks:
        raise AnswerUnclear(answer)
    limits = {
        "cell": (definition.grid.rows, definition.grid.columns),
        "energy": (len(definition.energy.centres),),
        "box": (len(definition.bonus.centres),),
        "bomb": (len(definition.bombs.centres),),
    }[kind]
    place = f"{kind} {','.join(map(str, numbers))}"
    if any(number >= limit for number, limit in zip(numbers, limits, strict=True)):
        raise AnswerOffSheet(place)
    return place, marks[mark.lower()]
