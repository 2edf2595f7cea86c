"""What the cards of a turn of BLOX could have brought more."""

from brikks_vision.decode.game import JudgedTurn
from brikks_vision.games.blox.coach import judged_turn
from tests.games.blox.test_blox_follow import TURNS, follow


def judged(turns: str) -> list[JudgedTurn | None]:
    found = follow(turns)
    return [judged_turn(found, number) for number in range(len(found.turns))]


def test_a_tower_that_the_same_card_would_have_cleared():
    first, *_ = judged("move Bl 2,1 2,0\nenter Gr 0,8\n")
    assert first is not None and first.better is not None
    assert (first.points, first.blocks) == (1, 1)
    told = first.to_dict()["better"]
    assert (told["action"], told["from"], told["to"]) == ("clear", [2, 1], [2, 3])
    assert told["cards"] == ["white"]


def test_turns_that_could_have_brought_no_more():
    assert judged(TURNS) == [JudgedTurn()] * 3


def test_what_is_not_known_is_not_judged():
    swapped, illegal, unexplained = judged("swap\nmove Re 7,4 6,5\nchange 6,3=.\n")
    assert (swapped, illegal, unexplained) == (None, None, None)
