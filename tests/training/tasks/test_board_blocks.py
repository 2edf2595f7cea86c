"""Blocks of one photo tell each other in which light they are, whatever their order."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from brikks_vision.games.blox.block_colors import (  # noqa: E402
    CLUES,
    KNOWN,
    MASK,
    OUTPUTS,
    PIXELS,
    as_inputs,
)
from training.place_networks import BlockColors  # noqa: E402


def blocks(count: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    colors = rng.normal(0, 1, (count, 2, PIXELS, PIXELS, 3)).astype(np.float32)
    hidden = rng.random((count, 2, MASK, MASK)) < 0.3
    known = rng.integers(-1, KNOWN, count)
    return as_inputs(colors, hidden, rng.normal(0, 1, (count, CLUES)).astype(np.float32), known)


def told(inputs: np.ndarray) -> np.ndarray:
    torch.manual_seed(5)
    net = BlockColors(PIXELS, CLUES + KNOWN, OUTPUTS).eval()
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
    net = BlockColors(PIXELS, CLUES + KNOWN, OUTPUTS)
    for each in net.train().modules():  # without what differs between runs and batches
        if isinstance(each, torch.nn.Dropout | torch.nn.BatchNorm2d):
            each.eval()
    with torch.no_grad():
        there = net(torch.from_numpy(inputs))[1, :5]
    np.testing.assert_allclose(there.numpy(), told(inputs[1, :5]), atol=1e-4)


def test_examples_are_told_apart_from_what_is_not_known() -> None:
    inputs = blocks(7)
    without = inputs.copy()
    without[5:, -1 - KNOWN : -1] = 0
    assert np.abs(told(inputs)[:5] - told(without)[:5]).max() > 1e-3
