"""Blocks of one photo tell each other in which light they are, whatever their order."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from brikks_vision.games.blox import colors_of_pieces  # noqa: E402
from training.place_networks import BlockColors, Offsets  # noqa: E402


def blocks(count: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    colors = rng.normal(
        0, 1, (count, 2, colors_of_pieces.PIXELS, colors_of_pieces.PIXELS, 3)
    ).astype(np.float32)
    hidden = rng.random((count, 2, colors_of_pieces.MASK, colors_of_pieces.MASK)) < 0.3
    return colors_of_pieces.as_inputs(
        colors, hidden, rng.normal(0, 1, (count, colors_of_pieces.CLUES)).astype(np.float32)
    )


def told(inputs: np.ndarray) -> np.ndarray:
    torch.manual_seed(5)
    net = BlockColors(
        colors_of_pieces.PIXELS,
        colors_of_pieces.CLUES + colors_of_pieces.UNUSED,
        colors_of_pieces.OUTPUTS,
    ).eval()
    with torch.no_grad():
        return np.asarray(net(torch.from_numpy(inputs)).numpy())


def test_the_order_of_the_blocks_tells_nothing() -> None:
    inputs = blocks(7)
    order = np.random.default_rng(1).permutation(7)
    np.testing.assert_allclose(told(inputs)[order], told(inputs[order]), atol=1e-4)


def test_blocks_tell_each_other_and_fillings_tell_nothing() -> None:
    inputs = blocks(7)
    assert np.abs(told(inputs)[:5] - told(inputs[:5])).max() > 1e-3
    inputs[5:, -1] = 1
    np.testing.assert_allclose(told(inputs)[:5], told(inputs[:5]), atol=1e-4)


def test_in_training_fillings_tell_nothing_either() -> None:
    inputs = np.stack([blocks(7), blocks(7)])
    inputs[1, 5:, -1] = 1
    torch.manual_seed(5)
    net = BlockColors(
        colors_of_pieces.PIXELS,
        colors_of_pieces.CLUES + colors_of_pieces.UNUSED,
        colors_of_pieces.OUTPUTS,
    )
    for each in net.train().modules():  # without what differs between runs and batches
        if isinstance(each, torch.nn.Dropout | torch.nn.BatchNorm2d):
            each.eval()
    with torch.no_grad():
        there = net(torch.from_numpy(inputs))[1, :5]
    np.testing.assert_allclose(there.numpy(), told(inputs[1, :5]), atol=1e-4)


def placed(feet: np.ndarray, camera: np.ndarray, turn: float = 0.0) -> torch.Tensor:
    """Where things (N, 2) are, and the camera (2,), on a board that is turned, radians."""
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    feet, camera = feet @ turned, camera @ turned
    towards = camera - feet
    towards /= np.linalg.norm(towards, axis=1)[:, None]
    return torch.tensor(np.column_stack([feet, towards, np.full(len(feet), 0.5)])).float()


def heeded(where: torch.Tensor) -> np.ndarray:
    torch.manual_seed(5)
    offsets = Offsets(heads=4)
    torch.nn.init.normal_(offsets.last.weight)
    with torch.no_grad():
        return np.asarray(offsets(where).numpy())


def test_pawns_heed_each_other_by_where_they_stand_as_the_camera_sees_them() -> None:
    feet, camera = np.array([[0.0, 0], [0, 1], [2, 1]]), np.array([0.0, 14])
    seen = heeded(placed(feet, camera))
    np.testing.assert_allclose(seen, heeded(placed(feet, camera, turn=1.1)), atol=1e-4)
    assert np.abs(seen[:, 0, 1] - seen[:, 1, 0]).max() > 1e-2  # before it is not behind it


def test_a_pawn_before_the_empty_board_is_what_differs_from_it() -> None:
    rng = np.random.default_rng(3)
    empty = np.ones((1, 2, colors_of_pieces.PIXELS, colors_of_pieces.PIXELS, 4), np.float32)
    empty[..., :3] = rng.normal(0, 1, (*empty.shape[:-1], 3))
    colors = empty[..., :3].copy()
    colors[0, 0, 10, 20] += 0.5
    hidden = np.zeros((1, 2, colors_of_pieces.MASK, colors_of_pieces.MASK), np.bool_)
    board = colors_of_pieces.OnBoard(empty, np.zeros((1, 3), np.float32))
    clues = np.zeros((1, colors_of_pieces.CLUES), np.float32)
    told = colors_of_pieces.as_inputs(colors, hidden, clues, board)
    seen = told[0, : 2 * 8 * colors_of_pieces.PIXELS * colors_of_pieces.PIXELS].reshape(
        2, 8, colors_of_pieces.PIXELS, colors_of_pieces.PIXELS
    )
    assert np.argwhere(np.abs(seen[:, 4:7]).sum(axis=1) > 0.1).tolist() == [[0, 10, 20]]
    empty[..., 3] = 0
    unknown = colors_of_pieces.as_inputs(colors, hidden, clues, board)
    assert not unknown[0, : seen.size].reshape(seen.shape)[:, 4:].any()
