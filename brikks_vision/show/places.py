"""What people call the places of a sheet and the marks on them, the same wherever they read it.

The words are a game's: phrases "<field>-place" and "ask-<field>", answers "<field> <mark>".
"""

from __future__ import annotations

from collections.abc import Collection

from brikks_vision.games import game_named
from brikks_vision.layout import Layout
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import Phrase, phrase


def marks_at(where: str, layout: Layout) -> tuple[str, ...]:
    """The marks of the contract that ink can show at a place."""
    return tuple(game_named(layout.game).marks_at(where))


def place_text(where: str, layout: Layout, language: str) -> str:
    """A place of the contract as people call it: "row 3 from the bottom, column 4".

    As it stands where it is no kind of place that the game knows.
    """
    if field_of(where) not in game_named(layout.game).MARKS:
        return where
    return place_phrase(where, layout).text(language)


def place_phrase(where: str, layout: Layout) -> Phrase:
    """A place of the contract as people call it, in no language yet."""
    game = game_named(layout.game)
    return phrase(f"{game.NAME}.{field_of(where)}-place", **game.counted(where, layout))


def place_title(where: str, layout: Layout, language: str) -> str:
    """`place_text` as a title: "Row 3 from the bottom, column 4"."""
    return _capital(place_text(where, layout, language))


def mark_text(where: str, mark: str, layout: Layout, language: str) -> str:
    """A mark of the contract as it is called at that place: "crossed"; else as it stands."""
    key = f"{layout.game}.{field_of(where)} {mark}"
    return texts_in(language).answers.get(key, [mark])[0]


def answer_text(where: str, mark: str, layout: Layout, language: str) -> str:
    """What a person can write so that the mark stands there: "row 3, column 4=crossed"."""
    facts = game_named(layout.game).counted(where, layout)
    key = f"{layout.game}.{field_of(where)}"
    place = texts_in(language).answers[key][0].format(**facts)
    return f"{place}={mark_text(where, mark, layout, language)}"


def answer_said(where: str, mark: str, layout: Layout, language: str) -> str:
    """What an answer was understood as: "Bomb 2: crossed"."""
    place = place_title(where, layout, language)
    told = mark_text(where, mark, layout, language)
    return phrase("said", place=place, mark=told).text(language)


def doubt_question(
    where: str, layout: Layout, language: str, cancelled: Collection[str] = ()
) -> str:
    """What is asked about a place: "Bomb 2: is it crossed out?", or whether that is cancelled.

    cancelled: the places whose marks seem to be.
    """
    game, field = game_named(layout.game), field_of(where)
    place = place_title(where, layout, language)
    if field not in game.MARKS:
        return f"{place}?"
    if where in cancelled:
        return phrase("ask-cancelled", place=place).text(language)
    return phrase(f"{game.NAME}.ask-{field}", place=place).text(language)


def field_of(where: str) -> str:
    """The field of a place of the contract: "cell" of "cell 3,4"."""
    return where.partition(" ")[0]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
