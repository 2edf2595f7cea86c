"""What people call the places of a sheet and the marks on them, the same wherever they read it."""

from __future__ import annotations

from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.text.languages import texts_in

CROSS_MARKS = ("X", ".")
ENERGY_MARKS = ("open", "circled", "used")
"""What ink can say of an energy point: struck at setup looks like used."""
_KINDS = ("cell", "box", "bomb", "energy")


def marks_at(where: str) -> tuple[str, ...]:
    """The marks of the contract that ink can show at a place."""
    return ENERGY_MARKS if where.startswith("energy ") else CROSS_MARKS


def place_text(where: str, sheet: Sheet, language: str) -> str:
    """A place of the contract as people call it: "row 3 from the bottom, column 4".

    As it stands where it is no kind of place that is known here.
    """
    if where.partition(" ")[0] not in _KINDS:
        return where
    kind, facts = _counted(where, sheet)
    return phrase(f"{kind}-place", **facts).text(language)


def place_title(where: str, sheet: Sheet, language: str) -> str:
    """`place_text` as a title: "Row 3 from the bottom, column 4"."""
    return _capital(place_text(where, sheet, language))


def mark_text(where: str, mark: str, language: str) -> str:
    """A mark of the contract as it is called at that place: "crossed"; else as it stands."""
    kind, _, _ = where.partition(" ")
    return texts_in(language).answers.get(f"{kind} {mark}", [mark])[0]


def answer_text(where: str, mark: str, sheet: Sheet, language: str) -> str:
    """What a person can write so that the mark stands there: "row 3, column 4=crossed"."""
    kind, facts = _counted(where, sheet)
    place = texts_in(language).answers[kind][0].format(**facts)
    return f"{place}={mark_text(where, mark, language)}"


def answer_said(where: str, mark: str, sheet: Sheet, language: str) -> str:
    """What an answer was understood as: "Bomb 2: crossed"."""
    place = place_title(where, sheet, language)
    return phrase("said", place=place, mark=mark_text(where, mark, language)).text(language)


def doubt_question(where: str, sheet: Sheet, language: str) -> str:
    """What is asked about a place: "Bomb 2: is it crossed out?"."""
    kind, _, _ = where.partition(" ")
    place = place_title(where, sheet, language)
    if kind not in _KINDS:
        return f"{place}?"
    return phrase(f"ask-{kind}", place=place).text(language)


def _counted(where: str, sheet: Sheet) -> tuple[str, dict[str, int]]:
    """Kind of a place, and its numbers as people count."""
    kind, _, numbers = where.partition(" ")
    at = [int(number) for number in numbers.split(",")]
    if kind == "cell":
        return kind, {"row": sheet.rows - at[0], "column": at[1] + 1}
    if kind == "energy":
        return kind, {"number": at[0] + 1}
    figures = sheet.bomb_points if kind == "bomb" else sheet.bonus_values
    return kind, {"figure": figures[at[0]]}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
