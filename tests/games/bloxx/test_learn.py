"""A printing of BLOXX! is learnt from pictures of empty sheets, drawn by the simulator."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from brikks_vision.errors import (
    AnswerOffSheet,
    AnswerUnclear,
    BlankIsMarked,
    BlankOfOtherGame,
    GridNotFound,
)
from brikks_vision.games.bloxx.learn import check
from brikks_vision.games.learning import Learnt
from brikks_vision.layout import Layout, layout_from_json, load_layout
from brikks_vision.learn import learn_sheet
from simulation.bloxx.art import render_blank
from simulation.bloxx.layouts import random_layout
from simulation.bloxx.photos import printed_blank

Image = NDArray[np.uint8]


def on_a_table(sheet: Image) -> Image:
    """The sheet on a darker, even ground."""
    return np.asarray(cv2.copyMakeBorder(sheet, 40, 40, 40, 40, cv2.BORDER_CONSTANT,
                                         value=(70, 80, 90)), np.uint8)  # fmt: skip


@cache
def own_sheet() -> Image:
    return on_a_table(printed_blank(110).image)


@cache
def own_learnt() -> Learnt:
    return learn_sheet(own_sheet(), "bloxx", "own")


def numbers(layout: Layout) -> dict[tuple[int, int], int]:
    return {(each["row"], each["column"]): each["value"] for each in layout.printed["numbers"]}


def colors(layout: Layout) -> dict[int, str]:
    return {each["row"]: each["color"] for each in layout.printed["colored_rows"]}


def test_the_own_sheet_is_learnt_wholly() -> None:
    known, learnt = load_layout("bloxx"), own_learnt().layout
    assert (learnt.grid.rows, learnt.grid.columns) == (10, 7)
    assert numbers(learnt) == numbers(known)
    assert colors(learnt) == colors(known)
    bonus = np.array(learnt.fields["bonus"].centres)
    assert np.abs(bonus - known.fields["bonus"].centres).max() < 0.15
    for name, field in known.figures.items():
        assert np.abs(np.array(learnt.figures[name].centres) - field.centres).max() < 0.2
    check(learnt)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_sheet_is_learnt_as_well(turns: int) -> None:
    learnt = learn_sheet(np.ascontiguousarray(np.rot90(own_sheet(), turns)), "bloxx", "own").layout
    assert numbers(learnt) == numbers(own_learnt().layout)
    assert colors(learnt) == colors(own_learnt().layout)


@pytest.mark.parametrize("seed", [5, 15, 21])
def test_a_printing_by_chance_in_art_by_chance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layout = random_layout(rng)
    sheet = render_blank(layout, rng, pixels_per_cell=48).image
    learnt = learn_sheet(on_a_table(sheet), "bloxx", "chance")
    unsure = {doubt.where for doubt in learnt.doubts}
    grid = layout.grid
    assert (learnt.layout.grid.rows, learnt.layout.grid.columns) == (grid.rows, grid.columns)
    told, true = numbers(learnt.layout), numbers(layout)
    wrong = {f"cell {r},{c}" for r, c in grid.cells if told.get((r, c)) != true.get((r, c))}
    rows = {f"row {r}" for r in range(grid.rows)
            if colors(learnt.layout).get(r) != colors(layout).get(r)}  # fmt: skip
    assert wrong | rows <= unsure
    assert len(wrong | rows) <= 1


def test_the_definition_reads_back_with_its_picture() -> None:
    again = layout_from_json(own_learnt().to_json())
    assert vars(again) == vars(own_learnt().layout)
    assert again.blank is not None


def test_what_is_said_of_the_print_stands() -> None:
    said = {
        "cell 0,0": "3",
        "cell 0,1": "none",
        "row 1": "violet",
        "row 4": "plain",
        "row 0": "red",
    }
    learnt = learn_sheet(own_sheet(), "bloxx", "own", said).layout
    assert numbers(learnt)[0, 0] == 3
    assert (0, 1) not in numbers(learnt)
    assert colors(learnt) | {1: "violet", 0: "red"} == colors(learnt)
    assert 4 not in colors(learnt)


@pytest.mark.parametrize(
    ("place", "said", "error"),
    [
        ("cell 0,0", "7", AnswerUnclear),
        ("cell 0", "2", AnswerUnclear),
        ("row 1", "loud", AnswerUnclear),
        ("bomb 1", "2", AnswerUnclear),
        ("cell 99,0", "2", AnswerOffSheet),
        ("row 10", "violet", AnswerOffSheet),
    ],
)
def test_what_is_no_print_cannot_be_said(place: str, said: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        learn_sheet(own_sheet(), "bloxx", "own", {place: said})


def test_a_filled_sheet_is_no_blank() -> None:
    marked = own_sheet().copy()
    learnt = own_learnt().layout
    blank = printed_blank(110)
    for row in range(6, 10):
        for column in range(7):
            if (row, column) not in numbers(learnt):
                x, y = (
                    np.array([column, row]) * blank.pixels_per_cell + blank.origin + 40
                ).tolist()
                low, high = 0.25 * blank.pixels_per_cell, 0.75 * blank.pixels_per_cell
                ends = [(round(x + a), round(y + b)) for a, b in ((low, low), (high, high))]
                others = [(round(x + a), round(y + b)) for a, b in ((low, high), (high, low))]
                cv2.line(marked, *ends, (90, 30, 20), 3, cv2.LINE_AA)
                cv2.line(marked, *others, (90, 30, 20), 3, cv2.LINE_AA)
    with pytest.raises(BlankIsMarked):
        learn_sheet(marked, "bloxx")


def test_sheets_of_one_game_teach_no_other() -> None:
    with pytest.raises(BlankOfOtherGame):
        learn_sheet(own_sheet(), "brikks")
    with pytest.raises(BlankOfOtherGame):
        learn_sheet(Path("tests/fixtures/blank.jpg"), "bloxx")
    assert learn_sheet(own_sheet()).layout.game == "bloxx"


def test_an_empty_table_is_no_sheet() -> None:
    with pytest.raises(GridNotFound):
        learn_sheet(np.full((900, 700, 3), 200, np.uint8), "bloxx")


def test_a_chess_board_is_no_sheet_of_this_game() -> None:
    board = np.full((900, 900, 3), 235, np.uint8)
    for at in range(9):
        cv2.line(board, (50 + 100 * at, 50), (50 + 100 * at, 850), (40, 40, 40), 3)
        cv2.line(board, (50, 50 + 100 * at), (850, 50 + 100 * at), (40, 40, 40), 3)
    with pytest.raises(BlankOfOtherGame):
        learn_sheet(board, "bloxx")
