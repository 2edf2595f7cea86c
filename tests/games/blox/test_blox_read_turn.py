"""Turns and legal actions from two readings."""

from dataclasses import replace

import numpy as np
import pytest

from brikks_vision.games.blox.decode import decode
from brikks_vision.games.blox.reading import BoardReading, compose, thing_text, told_reading
from brikks_vision.games.blox.turn import moves_dicts, read_turn
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import Position, Tower, index
from brikks_vision.rules.blox.possible import possible_actions
from simulation.blox.notation import read_board, read_position
from tests.games.blox.drawn_evidence import evidence_of
from tests.games.blox.test_blox_decode import doubtful

STRIPES = read_board("w g p b w g p b w\n" * 9)

BEFORE = """\
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    Bl   .    w    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    wg   .    .    .    bb
.    .    .    wgp  .    .    .    .    .
.    .    .    .    Re   .    .    .    ww
.    .    .    .    .    .    .    .    pb
"""


def position(**things: object) -> Position:
    return read_position(BEFORE, STRIPES)


def reading(found: Position, sure: float = 0.9999) -> BoardReading:
    return compose(decode(evidence_of(found, sure=sure), STRIPES, {}), np.eye(3))


def test_a_plain_turn() -> None:
    before = position()
    after = before.with_things({(2, 1): None, (2, 2): PawnColor.BLUE})
    turn = read_turn(reading(before), reading(after))
    assert turn.is_sure
    assert turn.verdict.to_dict() == {
        "action": "move",
        "pawn": "blue",
        "from": [2, 1],
        "to": [2, 2],
        "cards": ["purple"],
        "violations": [],
    }


def test_a_doubtful_field_accuses_nobody() -> None:
    before = position()
    after = before.with_things({(2, 1): None, (2, 2): PawnColor.BLUE})
    evidence = doubtful(evidence_of(after, sure=0.9999), (7, 4), brown=0.6, red=0.4)
    doubted = compose(decode(evidence, STRIPES, {}), np.eye(3))
    assert doubted.position.at((7, 4)) == PawnColor.BROWN
    turn = read_turn(reading(before), doubted)
    # The other photo shows surely which pawn stands there, so the turn is sure.
    assert (turn.is_sure, turn.verdict.action, turn.verdict.is_legal) == (True, "move", True)


def test_both_photos_tell_together_what_did_not_change() -> None:
    before = position()
    after = before.with_things({(2, 1): None, (2, 2): PawnColor.BLUE})
    was = doubtful(evidence_of(before, sure=0.9999), (7, 4), brown=0.6, red=0.4)
    now = doubtful(evidence_of(after, sure=0.9999), (7, 4), green=0.55, red=0.45)
    turn = read_turn(*(compose(decode(each, STRIPES, {}), np.eye(3)) for each in (was, now)))
    assert (turn.verdict.action, turn.verdict.is_legal) == ("move", True)


def test_a_pawn_that_is_hardly_seen_where_it_went_has_moved_there() -> None:
    before = position()
    after = before.with_things({(2, 1): None, (2, 2): PawnColor.BLUE})
    evidence = doubtful(evidence_of(after, sure=0.9999), (2, 2), nothing=0.8, blue=0.2)
    turn = read_turn(reading(before), compose(decode(evidence, STRIPES, {}), np.eye(3)))
    assert (turn.verdict.action, turn.verdict.target) == ("move", (2, 2))


@pytest.mark.parametrize("brown", [0.5, 0.9])
def test_a_turn_that_hangs_on_a_doubt_is_unsure(brown: float) -> None:
    before = position()
    after = before.with_things({(2, 2): PawnColor.BROWN})
    evidence = doubtful(evidence_of(after, sure=0.9999), (2, 2), brown=brown, green=1 - brown)
    turn = read_turn(reading(before), compose(decode(evidence, STRIPES, {}), np.eye(3)))
    assert not turn.is_sure


def test_two_pawns_that_moved_at_once_are_named() -> None:
    before = position()
    things = {(2, 1): None, (2, 2): PawnColor.BLUE, (7, 4): None, (7, 5): PawnColor.RED}
    turn = read_turn(reading(before), reading(before.with_things(things)))
    assert (turn.is_sure, turn.verdict.action) == (True, None)
    (violation,) = turn.verdict.violations
    assert set(violation.where) == set(things)


def test_a_tower_that_looks_otherwise_in_other_light_is_the_same() -> None:
    before = position()
    after = before.with_things(
        {(2, 1): None, (2, 2): PawnColor.BLUE, (5, 8): Tower((Color.BLACK, Color.PURPLE), 2)}
    )
    turn = read_turn(reading(before), reading(after))
    assert (turn.verdict.action, turn.verdict.is_legal) == ("move", True)


def test_a_tower_that_is_read_higher_in_one_photo_is_the_same() -> None:
    before = position()
    after = before.with_things({(2, 1): None, (2, 2): PawnColor.BLUE})
    evidence = evidence_of(after, sure=0.9999)
    heights = evidence.heights.copy()
    heights[index((6, 3))] = np.log([0.01, 0.01, 0.3, 0.67, 0.01])
    misread = compose(decode(replace(evidence, heights=heights), STRIPES, {}), np.eye(3))
    assert misread.position.towers[6, 3].height == 4
    turn = read_turn(reading(before), misread)
    assert (turn.verdict.action, turn.verdict.is_legal) == ("move", True)


def test_the_moves_of_a_reading_are_those_of_its_position() -> None:
    cards = ["purple", "white", "joker"]
    found = possible_actions(reading(position()).position, "blue", cards)
    assert found == possible_actions(position(), "blue", cards)
    moved = [each for each in moves_dicts(found, "blue") if each["to"] == [2, 2]]
    assert [each["cards"] for each in moved] == [["purple"], ["joker"]]


def test_a_reading_says_what_stands_where() -> None:
    told = told_reading("board.jpg", "board", reading(position())).to_dict()
    assert told["status"] == "ok"
    assert told["fields"] == ["wgpbwgpbw"] * 9
    assert told["phase"] == [2]
    assert {"field": [6, 3], "height": 3, "blocks": ["white", "grey", "purple"]}.items() <= next(
        tower for tower in told["towers"] if tower["field"] == [6, 3]
    ).items()
    assert [(pawn["field"], pawn["color"]) for pawn in told["pawns"]] == [
        ([2, 1], "blue"),
        ([7, 4], "red"),
    ]


def test_a_doubt_is_told_and_makes_a_reading_uncertain() -> None:
    evidence = doubtful(evidence_of(position(), sure=0.9999), (0, 0), nothing=0.6, tower=0.4)
    found = compose(decode(evidence, STRIPES, {}), np.eye(3))
    assert found.status == "uncertain"
    assert [(doubt.field, doubt.read) for doubt in found.doubts] == [((0, 0), None)]
    assert found.doubts[0].confidence == pytest.approx(0.6, abs=0.01)
    assert thing_text(found.doubts[0].otherwise).startswith("tower")
