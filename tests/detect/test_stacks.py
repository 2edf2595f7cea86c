"""Stacks of boxes: which of them hide others."""

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.pieces import USUAL_WIDTH, hidden_points, hidden_shares
from brikks_vision.detect.placement import Pose

FOCAL = 1000.0


def looking_along(away: float, up: float) -> Pose:
    """A camera that looks along the columns, from so far before the board and above it, cells."""
    down = np.arctan2(up, away)
    right = np.array([1.0, 0, 0])
    forward = np.array([0, -np.cos(down), -np.sin(down)])
    below = np.array([0, np.sin(down), -np.cos(down)])
    rotation = np.stack([right, below, forward])
    centre = np.array([4.5, 9.0 + away, up])
    return Pose(np.diag([FOCAL, FOCAL, 1.0]), rotation, -rotation @ centre)


def stacks_hidden(
    pose: Pose, cells: NDArray[np.float64], heights: NDArray[np.float64], hiding: list[bool]
) -> NDArray[np.float64]:
    return hidden_shares(pose, cells, (USUAL_WIDTH, heights), heights, np.array(hiding))


def test_a_tall_stack_before_a_low_one_hides_it() -> None:
    cells, heights = np.array([[4.0, 4.0], [5.0, 4.0], [4.0, 7.0]]), np.array([0.5, 2.5, 0.5])
    low = looking_along(away=12.0, up=5.0)
    behind, before, beside = stacks_hidden(low, cells, heights, [True, True, True])
    assert behind > 0.95
    assert before == 0
    assert beside == 0


def test_what_may_not_stand_there_hides_nothing() -> None:
    cells, heights = np.array([[4.0, 4.0], [5.0, 4.0]]), np.array([0.5, 2.5])
    low = looking_along(away=12.0, up=5.0)
    assert stacks_hidden(low, cells, heights, [True, False]).max() == 0


def test_from_above_a_stack_hides_little_of_its_neighbour() -> None:
    cells, heights = np.array([[4.0, 4.0], [5.0, 4.0]]), np.array([0.5, 1.0])
    above = looking_along(away=2.0, up=20.0)
    assert stacks_hidden(above, cells, heights, [True, True]).max() < 0.3


def test_the_head_of_a_pawn_shows_behind_a_stack_that_hides_another_stack() -> None:
    cells, heights = np.array([[4.0, 4.0], [5.0, 4.0]]), np.array([0.5, 1.0])
    low, stands = looking_along(away=12.0, up=8.0), np.array([True, True])
    stack = hidden_shares(low, cells, (USUAL_WIDTH, heights), heights, stands)[0]
    pawn = hidden_shares(low, cells, (0.45, np.array([1.0, 1.0])), heights, stands)[0]
    assert pawn < stack


def test_a_box_hides_what_lies_behind_it_and_nothing_before_or_beside_it() -> None:
    centre = looking_along(away=12.0, up=5.0).centre
    low, high = np.array([[4.1, 5.1, 0.0]]), np.array([[4.9, 5.9, 2.0]])
    behind, beside, before, above = (4.5, 4.5, 0.5), (2.5, 4.5, 0.5), (4.5, 7.0, 0.5), (4.5, 4.5, 3)
    points = np.array([[behind, beside], [before, above]])
    assert hidden_points(points, centre, low, high).tolist() == [[True, False], [False, False]]
