"""Photos of one set: its board is learnt, positions are read, turns are judged.

They were rendered by tracing the paths of light; the truth lies beside each.
"""

import json
from dataclasses import replace
from functools import cache
from math import nan
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision import errors
from brikks_vision.detect.board import quad_homography
from brikks_vision.detect.placement import Image, apply_homography, pose_of_plane
from brikks_vision.games.blox.board_print import see_squares, tell_colors, told_squares, turned
from brikks_vision.games.blox.colors_of_pieces import Pieces
from brikks_vision.games.blox.game import parse_printing
from brikks_vision.games.blox.learn import SURE, LearntBoard, NamedBoard, learn_board
from brikks_vision.games.blox.reading import BoardReading
from brikks_vision.games.blox.see import from_all_sides, see_tops
from brikks_vision.learn import learn_sheet
from brikks_vision.pipeline import scan_photo
from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.position import FIELDS, Board, Position, Tower, parse_board
from simulation.blox.notation import read_position as drawn_position

pytestmark = pytest.mark.usefixtures("observed_once")

FOLDER = Path(__file__).parents[2] / "fixtures" / "blox"
VIEWS = ("above", "slant", "hard")


@cache
def photo(name: str) -> Image:
    image = cv2.imread(str(FOLDER / f"{name}.jpg"))
    assert image is not None
    return np.asarray(image, np.uint8)


@cache
def facts(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


@cache
def board() -> Board:
    return parse_board(facts("empty"))


def truth(name: str) -> Position:
    return drawn_position(facts(name)["position"], board())


def read_position(image: Image, board: Board) -> BoardReading:
    found: BoardReading = scan_photo(image, printings=[NamedBoard("board", board)]).posterior
    return found


@cache
def reading(name: str) -> BoardReading:
    return read_position(photo(name), board())


@cache
def learnt() -> LearntBoard:
    return learn_board(photo("empty"), "my-board")


def without_colors(position: Position) -> Position:
    """Only how high the towers are."""
    towers = {
        field: Tower((None,) * tower.height, tower.chip) for field, tower in position.towers.items()
    }
    return position.with_things(towers)


def test_the_colors_of_an_empty_board_are_learnt() -> None:
    corners = np.array(facts("empty")["corners"])
    first = int(np.linalg.norm(corners - learnt().corners[0], axis=1).argmin())
    colors = np.array([list(row) for row in board().field_colors])
    assert learnt().board.field_colors == tuple("".join(row) for row in np.rot90(colors, first))
    assert min(learnt().confidences) >= SURE


def test_what_is_learnt_travels_as_json_with_what_a_person_says() -> None:
    other = next(color for color in Color if color is not learnt().board.colors[0])
    said = learnt().with_colors({FIELDS[0]: other})
    back = parse_board(json.loads(NamedBoard(said.name, said.board).to_json()))
    assert back.colors == said.board.colors == (other, *learnt().board.colors[1:])
    assert said.confidences[0] == 1.0


def test_the_corners_of_an_empty_board_are_where_they_are() -> None:
    corners = np.array(facts("empty")["corners"])
    first = int(np.linalg.norm(corners - learnt().corners[0], axis=1).argmin())
    cell = np.linalg.norm(corners[1] - corners[0]) / 9
    assert learnt().corners == pytest.approx(np.roll(corners, -first, axis=0), abs=0.12 * cell)


@pytest.mark.parametrize("name", VIEWS)
def test_the_sides_of_a_board_are_told_apart(name: str) -> None:
    corners = np.array(facts(name)["corners"])
    cell = np.linalg.norm(corners[1] - corners[0]) / 9
    assert reading(name).corners == pytest.approx(corners, abs=0.15 * cell)


def wrong_fields(name: str, found: BoardReading) -> list[tuple[int, int]]:
    """Fields on which something else stands, or a tower of another height."""
    seen, true = without_colors(found.position), without_colors(truth(name))
    return [field for field in FIELDS if seen.at(field) != true.at(field)]


@pytest.mark.parametrize("name", VIEWS)
def test_a_position_is_read_right_or_doubted(name: str) -> None:
    found = reading(name)
    wrong = wrong_fields(name, found)
    assert len(wrong) <= 8
    assert not wrong or found.status == "uncertain"


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_is_asked_of_a_position_that_is_sure(name: str) -> None:
    assert (reading(name).status == "ok") == (not reading(name).doubts)


@pytest.mark.parametrize("name", ["slant", "hard"])
def test_every_pawn_stands_where_it_is_read(name: str) -> None:
    assert reading(name).position.pawns == truth(name).pawns


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_any_side_may_be_nearest(quarters: int) -> None:
    turned = np.ascontiguousarray(np.rot90(photo("slant"), quarters))
    found = read_position(turned, board())
    assert found.position.pawns == truth("slant").pawns


def test_an_empty_board_is_a_position_on_which_nothing_stands() -> None:
    assert not read_position(photo("empty"), board()).position.towers
    assert not read_position(photo("empty"), board()).position.pawns


@cache
def learnt_with_pieces() -> dict[str, Any]:
    """The definition of the board that was learnt with its set-up."""
    learnt = learn_sheet(FOLDER / "empty.jpg", "blox", pieces=FOLDER / "setup.jpg")
    found: dict[str, Any] = json.loads(learnt.to_json())
    return found


def test_how_high_a_block_is_is_learnt_from_the_board_set_up() -> None:
    pieces = learnt_with_pieces()["pieces"]
    assert pieces["block"] == pytest.approx(facts("setup")["block"][1], rel=0.15)
    printing = parse_printing(learnt_with_pieces(), "set")
    assert json.loads(printing.to_json()) == learnt_with_pieces()
    older = learnt_with_pieces() | {"pieces": pieces | {"pawns": {"faces": "AAAA"}}}
    assert parse_printing(older, "set") == printing  # what was learnt beside it once


@pytest.mark.parametrize("damaged", [{"block": 0.0}, {"block": nan}, {"block": "high"}, {}, 5])
def test_pieces_that_are_damaged_are_said_to_be(damaged: object) -> None:
    data = json.loads(NamedBoard("set", board()).to_json()) | {"pieces": damaged}
    with pytest.raises(errors.DefinitionDamaged, match="pieces"):
        parse_printing(data, "set")


def test_towers_of_the_start_tell_squares_that_the_empty_board_does_not_show() -> None:
    learnt = learn_board(photo("empty"))
    squares = np.array(board().squares)
    blurred = np.where(np.eye(5, dtype=bool)[squares], np.log(0.3), np.log(0.2))
    stand = np.where(np.eye(5, dtype=bool)[squares], np.log(0.99), np.log(0.0025))
    unsure = replace(learnt, squares=np.where((squares > 0)[:, None], blurred, learnt.squares))
    assert unsure.set_up(Pieces(0.5), stand).board.squares == board().squares


def test_the_board_set_up_is_the_one_that_was_learnt() -> None:
    with pytest.raises(errors.SetUpOfAnother):
        learn_sheet(FOLDER / "empty.jpg", "blox", pieces=photo("setup")[:, ::-1].copy())


def test_a_board_that_is_not_set_up_teaches_no_pieces() -> None:
    with pytest.raises(errors.BoardNotSetUp):
        learn_sheet(FOLDER / "empty.jpg", "blox", pieces=FOLDER / "empty.jpg")


def test_the_chips_of_a_board_from_above_tell_the_heights_of_its_towers() -> None:
    image, height = photo("above"), facts("above")["block"][1]
    plane = quad_homography(np.array(facts("above")["corners"]), 9)
    pose = pose_of_plane(plane, (image.shape[1], image.shape[0]))
    towers = {f: tower.height for f, tower in truth("above").towers.items() if tower.chip}
    places = np.array([FIELDS.index(field) for field in towers])
    tops = see_tops(image, pose, places, height, np.ones((len(places), 5), np.bool_))
    odds = from_all_sides(tops, np.ones(len(places), np.bool_)).odds
    assert [*(1 + odds.argmax(axis=1))] == [*towers.values()]


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("name", ["empty", "above"])
def test_half_a_board_is_neither_learnt_nor_read(name: str, quarters: int) -> None:
    corners = np.rot90(photo(name), quarters)
    half = np.ascontiguousarray(corners[: corners.shape[0] // 2])
    assert isinstance(learn_board(half).remark, errors.NoBoardFound | errors.BoardCutOff)
    with pytest.raises((errors.NoBoardFound, errors.BoardCutOff, errors.BoardIsAnother)):
        read_position(half, board())


def checkered(side: int) -> Image:
    """A board of two colours on a table."""
    dark = (np.indices((side, side)).sum(axis=0) % 2).astype(bool)
    cells = np.where(dark[..., None], (60, 60, 90), (220, 230, 240)).astype(np.uint8)
    large = cells.repeat(80, axis=0).repeat(80, axis=1)
    framed = cv2.copyMakeBorder(large, *4 * [30], cv2.BORDER_CONSTANT, value=(40, 70, 110))
    on_table = cv2.copyMakeBorder(framed, *4 * [90], cv2.BORDER_CONSTANT, value=(120, 140, 150))
    noise = np.random.default_rng(0).normal(0, 4, on_table.shape)
    return np.asarray(np.clip(on_table + noise, 0, 255), np.uint8)


@pytest.mark.parametrize("side", [8, 9])  # of another size; of the same
def test_a_chess_board_is_no_board_of_the_game(side: int) -> None:
    assert isinstance(learn_board(checkered(side)).remark, errors.BoardOfOtherGame)


def test_a_board_with_other_colors_is_another() -> None:
    colors = list(board().colors)
    np.random.default_rng(0).shuffle(colors)
    with pytest.raises(errors.BoardIsAnother):
        read_position(photo("above"), Board(tuple(colors)))


def test_a_photo_without_a_board() -> None:
    noise = np.random.default_rng(0).normal(128, 20, (600, 800, 3)).clip(0, 255)
    with pytest.raises(errors.NoBoardFound):
        read_position(noise.astype(np.uint8), board())


def test_printed_squares_are_told_from_any_side() -> None:
    at = quad_homography(np.array(facts("empty")["corners"]), 9)
    told = np.array(board().squares).reshape(9, 9)
    for turns in range(4):
        seen = told_squares(see_squares(photo("empty"), turned(at, turns)))
        assert (np.reshape(seen, (9, 9)) == np.rot90(told, turns)).all()


def test_a_board_without_squares_has_none() -> None:
    plain = photo("empty").copy()
    at = quad_homography(np.array(facts("empty")["corners"]), 9)
    for row, column in FIELDS:
        field = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]) * 0.84 + (column + 0.08, row + 0.08)
        outline = apply_homography(at, field).round().astype(np.int32)
        x, y = outline.mean(axis=0).astype(int)
        cv2.fillConvexPoly(plain, outline, np.median(plain[y - 3 : y + 4, x - 3 : x + 4], (0, 1)))
    assert told_squares(see_squares(plain, at)) == (0,) * 81


# --- the colours of an empty board's fields, under light that is not the same everywhere ----------


KINDS = (
    np.random.default_rng(3).permutation(np.repeat([0, 1, 2, 3], [20, 20, 20, 21])).reshape(9, 9)
)
SETS = {
    "usual": [[240, 245, 250], [140, 140, 140], [130, 60, 110], [25, 25, 25]],
    "pale": [[200, 205, 210], [150, 150, 150], [150, 120, 140], [80, 80, 80]],
    "dark": [[120, 125, 130], [60, 62, 64], [50, 25, 45], [14, 14, 14]],
    "warm lamp": [[170, 220, 250], [90, 120, 140], [80, 55, 110], [18, 24, 28]],
}


def fields(name: str) -> np.ndarray:
    noise = np.random.default_rng(0).normal(0, 2, (9, 9, 3))
    return np.array(SETS[name], np.float64)[KINDS] + noise


@pytest.mark.parametrize("name", SETS)
def test_four_colors_are_told(name: str) -> None:
    chances = tell_colors(fields(name))
    assert (chances.argmax(axis=2) == KINDS).all()
    assert chances.sum(axis=2) == pytest.approx(np.ones((9, 9)))


def test_a_shadow_over_a_corner_changes_no_color() -> None:
    colors = fields("usual")
    colors[5:, 5:] *= 0.6
    assert (tell_colors(colors).argmax(axis=2) == KINDS).all()


def test_a_lamp_that_is_mirrored_changes_no_color() -> None:
    y, x = np.mgrid[:9, :9]
    glare = 0.25 * np.exp(-((x - 5) ** 2 + (y - 4) ** 2) / 6)[..., None]
    light = (fields("usual") / 255) ** 2.2 + glare
    colors = np.clip(light, 0, 1) ** (1 / 2.2) * 255
    assert (tell_colors(colors).argmax(axis=2) == KINDS).all()
