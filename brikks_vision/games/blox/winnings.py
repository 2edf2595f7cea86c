"""What players say to have won, as it travels: to JSON, to the terminal, to the page."""

from __future__ import annotations

from collections.abc import Sequence

from brikks_vision.decode.game import Standing, Winnings
from brikks_vision.errors import RulesForbid
from brikks_vision.reading.views import Choice
from brikks_vision.rules.blox.errors import BloxError
from brikks_vision.rules.blox.material import (
    BLOCKS_OF_A_COLOR,
    CHIP_VALUES,
    CHIPS,
    Color,
    PawnColor,
)
from brikks_vision.rules.blox.points import Won, parse_won, ranks
from brikks_vision.rules.blox.words import color_words, phrase


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
    except BloxError as error:
        raise RulesForbid(error.told) from None
    return tuple(map(_standing, range(1, len(won) + 1), places, won))


def _standing(player: int, rank: int, won: Won) -> Standing:
    told = phrase(
        "player-won",
        player=player,
        count=won.points,
        blocks=phrase("blocks-told", count=len(won.blocks)),
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
    chips=tuple(Choice(str(value), phrase("thing-chip", value=value)) for value in CHIP_VALUES),
    blocks=tuple(Choice(str(color), color_words(color)) for color in Color),
    most_players=len(PawnColor),
    most_chips=CHIPS,
    most_blocks=BLOCKS_OF_A_COLOR,
    standings=standings,
)
