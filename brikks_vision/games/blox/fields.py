"""What can stand on the fields of a board, and what a person says of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from brikks_vision.errors import AnswerOffSheet, AnswerUnclear
from brikks_vision.games.blox.reading import NOTHING, place_of, thing_text
from brikks_vision.games.blox.told import counts, judged, places, thing_words
from brikks_vision.reading.views import BoardChoices, Choice
from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import (
    BLOCKS_OF_A_COLOR,
    HAND,
    JOKER,
    MAX_HEIGHT,
    Color,
    Field,
    PawnColor,
)
from brikks_vision.rules.blox.phases import PHASES
from brikks_vision.rules.blox.position import Thing, tower_of
from brikks_vision.rules.blox.words import color_words, pawns_words

__all__ = ["canonical", "choices", "counts", "judged", "places"]

ANSWERS = "field 3,4=nothing, field 3,4=blue, field 3,4=tower 2"


def things_said(answers: Mapping[str, str]) -> dict[Field, Thing | None]:
    """Answers as the decoder takes them; raises AnswerUnclear, AnswerOffSheet."""
    return {
        field_named(place, f"{place}={thing}", ANSWERS): _thing(thing, f"{place}={thing}")
        for place, thing in answers.items()
    }


def canonical(answers: Mapping[str, str]) -> dict[str, str]:
    """The same answers as doubts are written: "field 3,4" to "tower 2".

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    """
    return {place_of(field): thing_text(thing) for field, thing in things_said(answers).items()}


def choices() -> BoardChoices:
    """What can stand on a field, and what a player can have."""
    things = (NOTHING, *PawnColor, *(f"tower {height}" for height in range(1, MAX_HEIGHT + 1)))
    colors = tuple(Choice(str(color), color_words(color)) for color in Color)
    return BoardChoices(
        things=tuple(Choice(str(thing), thing_words(thing)) for thing in things),
        grounds=colors,
        players=tuple(Choice(str(pawn), pawns_words(pawn)) for pawn in PawnColor),
        cards=(*colors, Choice(JOKER, color_words(JOKER))),
        blocks=colors,
        phases=PHASES,
        most_cards=HAND,
        most_blocks=BLOCKS_OF_A_COLOR,
    )


def field_named(place: str, whole: str, allowed: str) -> Field:
    found = re.fullmatch(r"\s*field\s+(\d{1,4})\s*,\s*(\d{1,4})\s*", str(place).lower())
    if not found:
        raise AnswerUnclear(whole, allowed)
    field = int(found[1]), int(found[2])
    if max(field) >= SIDE:
        raise AnswerOffSheet(place, f"field 0,0 - {SIDE - 1},{SIDE - 1}")
    return field


def _thing(words: str, whole: str) -> Thing | None:
    word = str(words).strip().lower()
    if word == NOTHING:
        return None
    if word in [*PawnColor]:
        return PawnColor(word)
    height = re.fullmatch(rf"tower\s+([1-{MAX_HEIGHT}])", word)
    if not height:
        raise AnswerUnclear(whole, ANSWERS)
    return tower_of((None,) * int(height[1]))
