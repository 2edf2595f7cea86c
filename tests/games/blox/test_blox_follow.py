"""Games followed over photos of their boards."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.games.blox.decode import decode
from brikks_vision.games.blox.follow import FollowedBoard, better_order, follow_boards
from brikks_vision.games.blox.reading import BoardReading, compose
from brikks_vision.rules.blox.material import BLOCKS, Color, PawnColor
from brikks_vision.rules.blox.position import FIELDS, Position, Tower
from brikks_vision.rules.blox.turn import print_game
from simulation.blox.notation import read_board, read_game
from tests.games.blox.drawn_evidence import evidence_of
from tests.games.blox.test_blox_decode import doubtful
from tests.rules.blox.games import played

STRIPES = read_board("w g p b w g p b w\n" * 9)
BLUE, GREEN, RED = PawnColor.BLUE, PawnColor.GREEN, PawnColor.RED

START = """\
.   .   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .   .
.   Bl  .   w   .   .   .   .   .
.   .   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .   .
.   .   .   .   wg  .   .   .   b
.   .   .   wgp .   .   .   .   .
.   .   .   .   Re  .   .   .   w
.   .   .   .   .   .   .   .   pb
"""
TURNS = """\
clear Bl 2,1 2,3
enter Gr 0,8
move Re 7,4 7,5
"""


def board(position: Position, sure: float = 0.9995) -> BoardReading:
    return compose(decode(evidence_of(position, sure=sure), STRIPES, {}), np.eye(3))


def follow(turns: str, photos: slice = slice(None), **said) -> FollowedBoard:
    return follow_boards(
        [board(each) for each in read_game(START + turns, STRIPES)[photos]], **said
    )


def told(found: FollowedBoard) -> str:
    """The turns, one a line."""
    return "".join(f"{line}\n" for line in print_game(found.positions).splitlines()[9:])


def rules(found: FollowedBoard) -> list[list[str]]:
    return [[violation.told.key for violation in turn.verdict.violations] for turn in found.turns]


def test_plain_turns():
    found = follow(TURNS)
    assert told(found) == TURNS
    assert all(turn.is_sure for turn in found.turns)
    assert found.points == {BLUE: 1, GREEN: 0, RED: 0}
    assert found.open_points == ()


def test_nothing_changed_where_cards_were_swapped():
    turns = "clear Bl 2,1 2,3\nswap\nmove Re 7,4 7,5\n"
    assert told(follow(turns)) == turns


def test_what_one_photo_shows_wrongly_the_others_put_right():
    positions = read_game(START + TURNS, STRIPES)
    seen = [evidence_of(position, sure=0.9995) for position in positions]
    seen[1] = doubtful(seen[1], (7, 4), brown=0.9, red=0.1)
    seen[2] = doubtful(seen[2], (2, 3), nothing=0.9, blue=0.1)
    boards = [compose(decode(each, STRIPES, {}), np.eye(3)) for each in seen]
    assert boards[1].position.at((7, 4)) == PawnColor.BROWN
    found = follow_boards(boards)
    assert told(found) == TURNS
    assert [reading.position for reading in found.readings] == list(positions)


def test_an_illegal_turn_is_named():
    found = follow(TURNS + "move Bl 2,3 4,4\n")
    assert rules(found) == [[], [], [], ["blox.not-straight"]]
    found = follow(TURNS + "change 6,3=.\n")
    assert rules(found) == [[], [], [], ["blox.tower-gone"]]


def test_a_turn_without_a_photo_is_told():
    turns = TURNS + "move Gr 0,8 1,8\n"
    positions = read_game(START + turns, STRIPES)
    found = follow_boards([board(positions[each]) for each in (0, 1, 3, 4)])
    assert [turn.photo for turn in found.turns] == [1, 2, 2, 3]
    assert sorted(told(found).splitlines()) == sorted(turns.splitlines())
    assert rules(found) == [[]] * 4


def test_many_turns_without_photos_accuse_nobody():
    more = TURNS + "enter Br 8,0\nenter Br 0,2\n"
    found = follow(more, slice(None, None, 5))
    (turn,) = found.turns
    assert (turn.verdict.action, turn.verdict.violations, turn.is_sure) == (None, (), False)
    assert found.open_points == tuple(PawnColor)


def test_whose_turn_it_was():
    order = [BLUE, GREEN, RED]
    assert [turn.expected for turn in follow(TURNS, players=order).turns] == [None, None, None]
    found = follow(TURNS, players=[BLUE, RED, GREEN])
    assert told(found) == TURNS
    assert [turn.expected for turn in found.turns] == [None, RED, BLUE]


def test_points_are_told_of_all_who_play_and_of_who_took_a_turn():
    assert set(follow(TURNS, players=[BLUE, GREEN, RED, PawnColor.BROWN]).points) == set(PawnColor)
    assert set(follow(TURNS, players=[BLUE, PawnColor.BROWN]).points) == set(PawnColor)


def test_blocks_that_one_photo_hides_another_shows():
    hidden, shown = Tower((None, Color.GREY), 2), Tower((Color.WHITE, None), 2)
    positions = [position.with_things({(5, 4): tower}) for position, tower in
                 zip(read_game(START + TURNS, STRIPES), (hidden, shown, hidden, hidden),
                     strict=True)]  # fmt: skip
    found = follow_boards([board(position) for position in positions])
    assert found.readings[-1].position.at((5, 4)) == Tower((Color.WHITE, Color.GREY), 2)


def test_points_of_a_capture_are_a_least_number():
    found = follow("move Re 7,4 7,1\nmove Re 7,1 6,1\ncapture Bl 2,1 6,1\n")
    assert [turn.verdict.action for turn in found.turns] == ["move", "move", "capture"]
    assert (found.points[BLUE], found.open_points) == (3, (BLUE,))


def full_game() -> tuple[Position, ...]:
    """From its beginning until the first tower is built."""
    moments = played(3, 1)
    built = next(
        number for number, state in enumerate(moments)
        if sum(tower.height for tower in state.position.towers.values())
        > sum(tower.height for tower in moments[max(0, number - 1)].position.towers.values())
    )  # fmt: skip
    return tuple(state.position for state in moments[: built + 1])


@settings(max_examples=4, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2), st.integers(0, 30))
def test_a_legal_game_that_is_seen_well_is_followed_as_it_was(players, seed, first):
    positions = [state.position for state in played(players, seed)[first : first + 7]]
    boards = [compose(decode(evidence_of(each, sure=0.999), each.board, {}), np.eye(3))
              for each in positions]  # fmt: skip
    found = follow_boards(boards)
    assert [reading.position for reading in found.readings] == positions
    assert not any(rules(found))


def test_what_a_person_says_of_a_field_is_kept():
    positions = read_game(START + TURNS, STRIPES)
    boards = [board(position) for position in positions]
    said = {(7, 8): None}
    boards[0] = compose(decode(evidence_of(positions[0], sure=0.9995), STRIPES, said), np.eye(3))
    assert (7, 8) not in follow_boards(boards).readings[0].position.towers


def test_photos_in_another_order_are_found_out():
    more = TURNS + "enter Br 8,0\nmove Br 8,0 8,4\nclear Gr 0,8 5,8\n"
    positions = read_game(START + more, STRIPES)
    boards = [board(position) for position in positions]
    given = [0, 4, 1, 2, 3, 5, 6]
    wrong = [boards[number] for number in given]
    order = better_order(wrong, follow_boards(wrong))
    assert order is not None
    assert [given[number] for number in order] == [0, 1, 2, 3, 4, 5, 6]
    assert better_order(boards, follow_boards(boards)) is None


def test_more_blocks_than_there_are_come_to_an_end():
    tower = Tower((Color.WHITE,) * 5, None)
    position = Position(STRIPES).with_things({(row, 0): tower for row in range(9)})
    seen = board(position)
    (one, other) = follow_boards([seen, seen]).readings
    assert one.position == other.position
    assert len(one.position.towers) <= 9


def test_colours_stay_within_what_the_box_holds():
    tower = Tower((Color.WHITE,) * 4, 4)
    position = Position(STRIPES).with_things({(row, 0): tower for row in range(3)})
    (one, _) = follow_boards([board(position)] * 2).readings
    assert sum(each.seen.count(Color.WHITE) for each in one.position.towers.values()) <= 10


def test_what_one_last_photo_shows_half_is_not_sure():
    positions = read_game(START + TURNS + "swap\n", STRIPES)
    seen = [evidence_of(position, sure=0.99999) for position in positions]
    seen[-1] = doubtful(seen[-1], (5, 8), nothing=0.9999, tower=0.0001)
    boards = [compose(decode(each, STRIPES, {}), np.eye(3)) for each in seen]
    last = follow_boards(boards).readings[-1]
    assert last.status == "uncertain"
    assert (5, 8) in [doubt.field for doubt in last.doubts]


def test_a_tower_from_nowhere_leaves_the_others_their_colours():
    positions = list(full_game()[:2])
    full = sum(tower.height for tower in positions[1].towers.values())
    empty = next(field for field in FIELDS if positions[1].at(field) is None)
    more = Tower((Color.WHITE,) * (BLOCKS + 1 - full), None)
    positions[1] = positions[1].with_things({empty: more})
    boards = [compose(decode(evidence_of(each, sure=0.9995), each.board, {}), np.eye(3))
              for each in positions]  # fmt: skip
    last = follow_boards(boards).readings[-1]
    assert all(last.position.at(field) == tower for field, tower in positions[0].towers.items()
               if positions[1].at(field) == tower)  # fmt: skip
