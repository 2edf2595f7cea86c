"""The most probable position that there are enough pieces for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from brikks_vision.games.blox.decode import FIRST_TOWER, decode
from brikks_vision.games.blox.field_evidence import KINDS, FieldEvidence
from brikks_vision.games.blox.see import block_height_guesses
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import (
    FIELDS,
    Board,
    Position,
    Tower,
    index,
    load_board,
    tower_of,
)
from brikks_vision.rules.blox.referee import referee
from simulation.blox.notation import read_position
from tests.games.blox.drawn_evidence import evidence_of
from tests.rules.blox.games import misread_positions, played

BOARD = load_board()

DRAWN = """\
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    Bl   .    wg   .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    Bl   .    .    wgp  .    .    .    bb
.    .    .    wgpw .    .    .    .    .
.    .    Bl   .    Re   .    .    .    w
.    .    .    .    .    .    .    Bl   bpwgw
"""


def drawn(text: str = DRAWN) -> Position:
    return read_position(text, BOARD)


def doubtful(evidence: FieldEvidence, field: tuple[int, int], **chances: float) -> FieldEvidence:
    """The evidence with these kinds on a field."""
    kinds = evidence.kinds.copy()
    kinds[index(field)] = [np.log(max(chances.get(kind, 0.0), 1e-6)) for kind in KINDS]
    return replace(evidence, kinds=kinds)


def test_what_is_plain_is_read_as_it_is() -> None:
    assert decode(evidence_of(drawn()), BOARD, {}).position == drawn()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_of_a_game_is_read_as_it_is(players: int) -> None:
    for state in played(players, seed=1)[::7]:
        assert decode(evidence_of(state.position, sure=0.999), BOARD, {}).position == state.position


@settings(max_examples=40)
@given(misread_positions(max_height=5))
def test_no_more_is_read_than_is_in_the_box(position) -> None:
    decoded = decode(evidence_of(position), BOARD, {})
    assert not referee(decoded.position)


def test_of_five_pawns_the_least_sure_is_something_else() -> None:
    evidence = doubtful(evidence_of(drawn()), (0, 0), blue=0.7, green=0.3)
    decoded = decode(evidence, BOARD, {})
    assert decoded.position.at((0, 0)) == PawnColor.GREEN
    assert len(decoded.position.pawns_of(PawnColor.BLUE)) == 4
    assert decoded.confidences[index((0, 0))] == pytest.approx(0.3, abs=0.02)


def test_printed_squares_tell_how_high_a_tower_is_that_is_badly_seen() -> None:
    """Three squares on (2, 2), where two of three towers stand as they did at the start."""
    started = {
        field: tower_of((Color.WHITE,) * BOARD.squares_on(field))
        for field in FIELDS
        if BOARD.squares_on(field) > 1
    }
    evidence = evidence_of(Position(BOARD).with_things(started))
    heights = evidence.heights.copy()
    heights[index((2, 2))] = np.log([0.01, 0.5, 0.47, 0.01, 0.01])
    evidence = replace(evidence, heights=heights)
    unknown = Board(BOARD.colors)
    assert decode(evidence, unknown, {}).position.towers[2, 2].height == 2
    decoded = decode(evidence, BOARD, {})
    assert decoded.position.towers[2, 2].height == 3
    assert decoded.confidences[index((2, 2))] > 0.95


@pytest.mark.parametrize("players", [2, 4])
def test_how_far_a_game_is_tells_whether_a_hidden_tower_still_stands(players: int) -> None:
    game = played(players, seed=3)
    field = next(field for field in FIELDS if BOARD.squares_on(field) == 2)
    nothing_seen = {kind: 1 / len(KINDS) for kind in KINDS}
    start, end = (
        decode(doubtful(evidence_of(state.position), field, **nothing_seen), BOARD, {})
        for state in (game[0], game[-1])
    )
    tower = FIRST_TOWER + 1
    assert start.chosen[index(field)] == tower
    chances = [np.exp(each.log_chances[index(field), tower]) for each in (start, end)]
    assert chances[0] > 0.9 > 0.5 > chances[1]


def test_what_a_person_says_stands_even_where_it_is_more_than_the_box_holds() -> None:
    said = {(0, column): PawnColor.RED for column in range(5)}
    decoded = decode(evidence_of(drawn()), BOARD, said)
    assert decoded.position.pawns_of(PawnColor.RED) == tuple(said)
    high = {(3, column): tower_of((None,) * 5) for column in range(9)}
    found = decode(evidence_of(drawn()), BOARD, high).position
    assert set(found.towers) == set(high)
    assert [broken.rule for broken in referee(found)] == ["too-high"]


def test_a_block_that_does_not_show_has_no_color() -> None:
    hidden = drawn(DRAWN.replace("wgpw", "w?pw"))
    assert decode(evidence_of(hidden), BOARD, {}).position.at((6, 3)) == Tower(
        (Color.WHITE, None, Color.PURPLE, Color.WHITE), 4
    )


@pytest.mark.parametrize("height", [0.25, 0.4, 0.6, 0.85])
def test_the_tops_of_all_towers_tell_how_high_a_block_is(height: float) -> None:
    (found, _), *_ = block_height_guesses(evidence_of(drawn(), block_height=height))
    assert found == pytest.approx(height, rel=0.05)


def test_an_eleventh_white_block_is_the_one_that_looks_least_white() -> None:
    rows = ["." + " ." * 8] * 4 + ["wwwww wwwww w . . . . . ."]
    evidence = evidence_of(drawn("\n".join(rows)))
    colors = evidence.block_colors.copy()
    colors[index((4, 1)), 2] = np.log([0.5, 0.496, 0.002, 0.002])
    decoded = decode(replace(evidence, block_colors=colors), BOARD, {})
    tower = decoded.position.at((4, 1))
    assert isinstance(tower, Tower)
    assert tower.blocks[2] == Color.GREY


def test_a_colour_that_does_not_show_clearly_is_not_told() -> None:
    evidence = evidence_of(drawn())
    field, tower = next(iter(drawn().towers.items()))
    colors = evidence.block_colors.copy()
    colors[index(field), tower.height - 1] = np.log([0.6, 0.38, 0.01, 0.01])
    decoded = decode(replace(evidence, block_colors=colors), BOARD, {})
    found = decoded.position.at(field)
    assert isinstance(found, Tower)
    assert found.blocks == (*tower.blocks[:-1], None)
    assert decoded.color_chances[field][-1] == 0


def test_an_answer_stands_whatever_is_seen() -> None:
    decoded = decode(evidence_of(drawn()), BOARD, {(0, 0): PawnColor.RED, (2, 1): None})
    assert decoded.position.at((0, 0)) == PawnColor.RED
    assert decoded.position.at((2, 1)) is None
