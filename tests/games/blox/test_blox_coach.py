"""What the cards of a turn of BLOX could have brought more."""

from brikks_vision.games.blox.turn import judged_turn
from brikks_vision.infer.following import JudgedTurn, ToldTurn
from brikks_vision.pipeline.follow import Followed
from brikks_vision.reading import Status
from brikks_vision.show.comparison import coach_report
from tests.games.blox.test_blox_follow import TURNS, follow


def judged(turns: str) -> list[JudgedTurn | None]:
    found = follow(turns)
    return [judged_turn(found, number) for number in range(len(found.turns))]


def test_a_tower_that_the_same_card_would_have_cleared():
    first, *_ = judged("move Bl 2,1 2,0\nenter Gr 0,8\n")
    assert first is not None and first.better is not None
    assert (first.player, first.earned, first.points, first.blocks) == ("blue", 0, 1, 1)
    told = first.to_dict()["better"]
    assert (told["action"], told["from"], told["to"]) == ("clear", [2, 1], [2, 3])
    assert told["cards"] == ["white"]


def test_turns_that_could_have_brought_no_more():
    found = judged(TURNS)
    assert all(each and each.better is None and each.points == 0 for each in found)
    assert [(each.player, each.earned) for each in found if each] == [
        ("blue", 1), ("green", 0), ("red", 0)
    ]  # fmt: skip


def test_points_so_far_and_what_the_cards_allowed():
    found = judged("move Bl 2,1 2,0\nenter Gr 0,8\nclear Bl 2,0 2,3\n")
    turns = (ToldTurn(Status.OK, None, (), {}),) * len(found)
    followed = Followed((), turns, "blox", (), {}, found.__getitem__)
    assert followed.curves == {"blue": [(0, 1), (1, 2)], "green": [(0, 0)]}
    assert followed.coach_dict()["coach"]["players"] == {
        "blue": {"accuracy": 0.5, "curve": [[0, 1], [1, 2]]},
        "green": {"accuracy": None, "curve": [[0, 0]]},
    }
    assert coach_report(followed, "en").splitlines()[-1] == (
        "  blue pawns: 50 % of the points that were possible; turn by turn: 0/1, 1/2"
    )


def test_what_is_not_known_is_not_judged():
    swapped, illegal, unexplained = judged("swap\nmove Re 7,4 6,5\nchange 6,3=.\n")
    assert (swapped, illegal, unexplained) == (None, None, None)
