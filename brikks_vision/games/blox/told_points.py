"""A player's points as they travel: to JSON, to the terminal, to a picture."""

from __future__ import annotations

import re
from typing import Any

from brikks_vision.detect.photo import Photo
from brikks_vision.errors import AnswerOffSheet, AnswerUnclear
from brikks_vision.games.blox.points import (
    CLASSES,
    NOTHING,
    SURE,
    Counted,
    LaidThing,
    worth,
)
from brikks_vision.reading import Status, probability_json
from brikks_vision.reading.boards import FieldDoubt, ReadPoints
from brikks_vision.reading.views import BoardLabel, DoubtWords
from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.words import Phrase, color_words, phrase

ANSWERS = "thing 3=nothing, thing 3=chip 4, thing 3=block grey"


def answer(place: str, name: str, things: int) -> tuple[int, str]:
    """The number of a thing, from 1, and what it is said to be, one of `CLASSES`.

    Raises
    ------
    AnswerUnclear, AnswerOffSheet
    """
    found = re.fullmatch(r"\s*thing\s+(\d{1,4})\s*", place.lower())
    said = " ".join(name.lower().split())
    if not found or said not in CLASSES:
        raise AnswerUnclear(f"{place}={name}", ANSWERS)
    if not 1 <= int(found[1]) <= things:
        raise AnswerOffSheet(place, f"thing 1 - {things}")
    return int(found[1]), said


def told(found: Counted, photo: Photo) -> ReadPoints:
    """The reading of a player's points."""
    doubted = [(number, found.things[number - 1]) for number in found.doubted]
    return ReadPoints(
        photo=photo.name,
        status=Status.OK if found.chance >= SURE else Status.UNCERTAIN,
        content=_content(found, photo),
        labels=tuple(
            _label(number, thing, number in found.doubted)
            for number, thing in enumerate(found.things, 1)
        ),
        facts=_facts(found),
        doubts=tuple(
            FieldDoubt(f"thing {number}", thing.read, thing.confidence, None, thing.otherwise)
            for number, thing in doubted
        ),
        doubt_words=tuple(
            DoubtWords(phrase("thing-number", number=number), thing_words(thing.read),
                       thing_words(thing.otherwise))
            for number, thing in doubted
        ),
    )  # fmt: skip


def _content(found: Counted, photo: Photo) -> dict[str, Any]:
    return {
        "sum": found.total,
        "sum_range": list(found.sum_range),
        "blocks": found.blocks,
        "things": [
            {
                "thing": number,
                "read": thing.read,
                "at": [round((value + 0.5) / photo.scale - 0.5, 1) for value in (thing.x, thing.y)],
                "confidence": probability_json(thing.confidence),
            }
            for number, thing in enumerate(found.things, 1)
        ],
    }


def _label(number: int, thing: LaidThing, unsure: bool) -> BoardLabel:
    """What a thing counts; a doubted one bears its number, by which it is answered."""
    points, blocks = worth(thing.read)
    sign = f"{number}?" if unsure else str(points) if points else "#" * blocks
    return BoardLabel(sign, (thing.x, thing.y), unsure)


def _facts(found: Counted) -> tuple[Phrase, ...]:
    chips = sum(thing.counted[0] > 0 for thing in found.things)
    facts = [
        phrase("points-told", points=found.total, count=chips),
        phrase("blocks-told", count=found.blocks),
    ]
    names = [thing.read for thing in found.things if thing.counted[1]]
    for color in Color:
        if number := names.count(f"block {color}"):
            facts.append(phrase("blocks-of-color", number=number, color=color_words(color)))
    low, high = found.sum_range
    if low != high:
        facts.append(phrase("points-range", low=low, high=high))
    return tuple(facts)


def thing_words(name: str) -> Phrase:
    """One of `CLASSES` for people."""
    if name == NOTHING:
        return phrase("thing-nothing")
    kind, _, which = name.partition(" ")
    if kind == "chip":
        return phrase("thing-chip", value=int(which))
    return phrase("thing-block", color=color_words(Color(which)))
