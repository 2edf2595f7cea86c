"""``brikks-scan points``: what players have won, from what is said."""

import json

import pytest

from brikks_vision.text.languages import LANGUAGES
from tests.command_line import Run


def test_the_chips_of_a_player_are_added(run: Run) -> None:
    code, out, err = run("points", "--chips", "1,1,3", "--blocks", "grey,black", "--json")
    told = {"player": 1, "rank": 1, "sum": 5, "chips": [1, 1, 3], "blocks": ["grey", "black"]}
    assert (code, json.loads(out), err) == (0, {"points": [told]}, "")


def test_players_are_ranked_and_blocks_decide_a_tie(run: Run) -> None:
    players = ("--chips", "4", "--chips", "10, 1", "--chips", "1,3")
    blocks = ("--blocks", "", "--blocks", "white", "--blocks", "grey")
    told = json.loads(run("points", *players, *blocks, "--json")[1])["points"]
    assert [(each["player"], each["rank"], each["sum"]) for each in told] == [
        (1, 3, 4), (2, 1, 11), (3, 2, 4)
    ]  # fmt: skip
    out = run("points", *players, *blocks, "--lang", "en")[1]
    assert [line.strip() for line in out.splitlines()] == [
        "1. Player 2: 11 points, 1 block.",
        "2. Player 3: 4 points, 1 block.",
        "3. Player 1: 4 points, 0 blocks.",
    ]
    without = json.loads(run("points", *players, "--json")[1])["points"]
    assert [each["rank"] for each in without] == [2, 1, 2]


@pytest.mark.parametrize(
    "words, says",
    [
        (("--chips", "7"), "'7' is no chip"),
        (("--chips", "1", "--blocks", "pink"), "'pink' is not a colour"),
        (("--chips", "1", "--blocks", ",".join(["grey"] * 11)), "only 10 blocks"),
        (("--chips", "1", "--chips", "2", "--blocks", "grey"), "blocks of 1"),
        (("--chips", "1") * 5, "most 4 can play"),
        (("--blocks", "grey"), "--chips"),
        (("chips.jpg", "--chips", "1"), "chips.jpg"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    run: Run, words: tuple[str, ...], says: str
) -> None:
    code, out, err = run("points", *words, "--lang", "en")
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


def test_every_language_tells_the_points(run: Run) -> None:
    words = ("points", "--chips", "1", "--blocks", "grey", "--lang")
    assert len({run(*words, each)[1] for each in LANGUAGES}) == len(LANGUAGES)
