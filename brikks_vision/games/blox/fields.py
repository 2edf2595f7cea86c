"""What can stand on the fields of a board, and what a person says of them.

What players say to have won, as it travels: to JSON, to the terminal, to the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from brikks_vision.detect.pieces import PAWN_HEIGHT, PAWN_WIDTH, hidden_shares
from brikks_vision.detect.placement import pose_of_plane
from brikks_vision.errors import AnswerOffSheet, AnswerUnclear, RulesForbid
from brikks_vision.games.blox.reading import (
    NOTHING,
    BoardReading,
    counts,
    judged,
    place_of,
    places,
    thing_text,
    thing_words,
)
from brikks_vision.infer.protocol import Standing, Winnings
from brikks_vision.reading.views import BoardChoices, Choice
from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.position import FIELDS, SIDE, Thing, index, tower_of
from brikks_vision.rules.blox.referee import PHASES
from brikks_vision.rules.blox.turn import Won, parse_won, ranks

__all__ = ["canonical", "choices", "counts", "from_other_side", "judged", "likely", "places"]


ANSWERS = "field 3,4=nothing, field 3,4=blue, field 3,4=tower 2"


def things_said(answers: Mapping[str, str]) -> dict[material.Field, Thing | None]:
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
    things = (
        NOTHING,
        *material.PawnColor,
        *(f"tower {height}" for height in range(1, material.MAX_HEIGHT + 1)),
    )
    colors = tuple(Choice(str(color), material.color_words(color)) for color in material.Color)
    return BoardChoices(
        things=tuple(Choice(str(thing), thing_words(thing)) for thing in things),
        grounds=colors,
        players=tuple(Choice(str(pawn), material.pawns_words(pawn)) for pawn in material.PawnColor),
        cards=(*colors, Choice(material.JOKER, material.color_words(material.JOKER))),
        blocks=colors,
        phases=PHASES,
        most_cards=material.HAND,
        most_blocks=material.BLOCKS_OF_A_COLOR,
    )


def likely(posterior: BoardReading, where: str) -> tuple[str, ...]:
    """All that can stand on a field, the most probable first."""
    return posterior.likely(field_named(where, where, ANSWERS))


USUAL_BLOCK = 0.45  # height, fields
MIN_HIDDEN, MAX_HIDDEN = 0.5, 0.2  # share of a pawn on a field that towers hide here, and there
MIN_SETTLED = 2
"""Doubtful fields that another photo must show: it takes as long as a few taps."""


def from_other_side(posterior: BoardReading, size: tuple[int, int]) -> tuple[str, ...]:
    """The doubtful fields that towers hide in a photo of this size, but not from opposite."""
    pose, towers = pose_of_plane(posterior.homography, size), posterior.position.towers
    heights = np.array([towers[f].height if f in towers else 0 for f in FIELDS]) * USUAL_BLOCK
    pawns = PAWN_WIDTH, np.full(len(FIELDS), PAWN_HEIGHT)
    cells = np.array(FIELDS, np.float64)
    # seen from opposite, the board looks as if it were turned half round
    here, there = (
        hidden_shares(pose, each, pawns, heights, heights > 0) for each in (cells, SIDE - 1 - cells)
    )
    opened = [
        place_of(doubt.field)
        for doubt in (*posterior.doubts, *posterior.shaded)
        for at in (index(doubt.field),)
        if here[at] > MIN_HIDDEN and there[at] < MAX_HIDDEN
    ]
    return tuple(opened) if len(opened) >= MIN_SETTLED else ()


def field_named(place: str, whole: str, allowed: str) -> material.Field:
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
    if word in [*material.PawnColor]:
        return material.PawnColor(word)
    height = re.fullmatch(rf"tower\s+([1-{material.MAX_HEIGHT}])", word)
    if not height:
        raise AnswerUnclear(whole, ANSWERS)
    return tower_of((None,) * int(height[1]))


def standings(
    chips: Sequence[Sequence[str]], blocks: Sequence[Sequence[str]] = ()
) -> tuple[Standing, ...]:
    """The place of each player, in their order, from the words for their chips and blocks.

    Raises
    ------
    RulesForbid
        There are no such chips or blocks, or not so many.
    """
    try:
        won = parse_won(chips, blocks)
        places = ranks(won)
    except material.BloxError as error:
        raise RulesForbid(error.told) from None
    return tuple(map(_standing, range(1, len(won) + 1), places, won))


def _standing(player: int, rank: int, won: Won) -> Standing:
    told = material.phrase(
        "player-won",
        player=player,
        count=won.points,
        blocks=material.phrase("blocks-told", count=len(won.blocks)),
    )
    content = {
        "player": player,
        "rank": rank,
        "sum": won.points,
        "chips": list(won.chips),
        "blocks": [str(color) for color in won.blocks],
    }
    return Standing(rank, told, content)


WINNINGS = Winnings(
    chips=tuple(
        Choice(str(value), material.phrase("thing-chip", value=value))
        for value in material.CHIP_VALUES
    ),
    blocks=tuple(Choice(str(color), material.color_words(color)) for color in material.Color),
    most_players=len(material.PawnColor),
    most_chips=material.CHIPS,
    most_blocks=material.BLOCKS_OF_A_COLOR,
    standings=standings,
)
