"""What players have won, and who wins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.turn import Won, parse_won, ranks
from brikks_vision.text.languages import LANGUAGES


def won(*players: str) -> tuple[Won, ...]:
    """Players as "1,1,3 grey,black"."""
    lists = [[words.split(",") if words else [] for words in each.split(" ")] for each in players]
    return parse_won([one for one, _ in lists], [other for _, other in lists])


def test_chips_count_their_value_and_blocks_nothing() -> None:
    assert [each.points for each in won("1,1,3 grey,black", "10,4 ", " white")] == [5, 14, 0]


@pytest.mark.parametrize(
    "players, places",
    [
        (["1 ", "4 ", "3 "], (3, 1, 2)),
        (["4 grey", "3,1 grey,black", "10 "], (3, 2, 1)),  # a tie goes to more blocks
        (["4 grey", "4 black", "1 "], (1, 1, 3)),  # of whichever colours; they win together
        ([" ", " "], (1, 1)),
        (["2 "], (1,)),
    ],
)
def test_most_points_win_then_most_blocks(players: list[str], places: tuple[int, ...]) -> None:
    assert ranks(won(*players)) == places


def test_blocks_may_be_left_out() -> None:
    assert parse_won([["1"], ["2", "2"]]) == (Won((1,)), Won((2, 2)))


@pytest.mark.parametrize(
    "players, error, says",
    [
        (["5 "], material.UnknownChipError, "'5' is no chip; there are 1, 2, 3, 4, 10"),
        (["one "], material.UnknownChipError, "'one'"),
        (["1 pink"], material.UnknownColorError, "'pink' is not a colour"),
        ([",".join(["1"] * 31) + " "] * 2, material.TooManyChipsError, "only 60 chips, not 62"),
        ([" " + ",".join(["grey"] * 6)] * 2, material.TooManyBlocksError, "only 10 blocks of each"),
        (["1 "] * 5, material.TooManyPlayersError, "At most 4 can play, not 5"),
    ],
)
def test_what_no_box_holds_is_refused(
    players: list[str], error: type[material.BloxError], says: str
) -> None:
    with pytest.raises(error) as refused:
        ranks(won(*players))
    assert says in refused.value.message
    assert len({refused.value.text(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_blocks_are_told_of_all_or_of_nobody() -> None:
    with pytest.raises(
        material.BlocksOfSomeError, match="Chips are told of 2 players, blocks of 1"
    ):
        parse_won([["1"], ["2"]], [["grey"]])


PLAYERS = st.lists(
    st.builds(
        Won,
        st.lists(st.sampled_from(material.CHIP_VALUES), max_size=15).map(tuple),
        st.lists(st.sampled_from(list(material.Color)), max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=4,
)


@given(PLAYERS)
def test_somebody_wins_and_nobody_below_has_more(players: list[Won]) -> None:
    places = ranks(players)
    worths = [(each.points, len(each.blocks)) for each in players]
    assert worths[places.index(1)] == max(worths)
    for place, worth in zip(places, worths, strict=True):
        for other, less in zip(places, worths, strict=True):
            assert (place < other) == (worth > less)
