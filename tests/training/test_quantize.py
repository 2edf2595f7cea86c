"""Networks are made smaller, and say nearly the same."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("onnx", reason="the extra train is not installed")

import onnx
import torch
from torch import nn

from brikks_vision.detect.networks import open_session
from training.export import MODELS, export, load_packaged
from training.quantize import QUANTIZED, last_layers, quantize
from training.storage import WIDENED, stored_weights


def classifier() -> nn.Module:
    """A small network of three layers, the last of them the one that gives the outputs."""
    torch.manual_seed(1)
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, stride=2), nn.ReLU(),
        nn.Flatten(), nn.Linear(16 * 3 * 3, 4),
    )  # fmt: skip


def pictures(seed: int, count: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).random((count, 3, 8, 8), np.float32)


def said(path: Path, images: np.ndarray) -> np.ndarray:
    session = open_session(path.read_bytes())
    return np.asarray(session.run(None, {session.get_inputs()[0].name: images})[0])


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("training.export.MODELS", tmp_path)
    yield export(classifier(), "classifier", torch.from_numpy(pictures(0, 2)))


def test_a_quantized_network_says_nearly_the_same(packaged: Path) -> None:
    images = pictures(9, 50)
    exact = said(packaged, images)
    quantize(packaged, [pictures(seed) for seed in range(1, 9)])
    there = said(packaged, images)
    assert (there != exact).any()
    np.testing.assert_allclose(there, exact, atol=0.15 * exact.std())


def test_the_layer_of_the_outputs_stays_as_it_is(packaged: Path) -> None:
    exact = onnx.load(str(packaged))
    weights = stored_weights(exact.graph)
    for number, node in enumerate(exact.graph.node):
        node.name = str(number)
    (name,) = last_layers(exact)
    (last,) = (node for node in exact.graph.node if node.name == name)
    quantize(packaged, [pictures(1)])
    kept = {array.name: array for array in onnx.load(str(packaged)).graph.initializer}
    assert last.op_type in ("Gemm", "MatMul")
    there = onnx.numpy_helper.to_array(kept[last.input[1].removesuffix(WIDENED)])
    np.testing.assert_array_equal(there, weights[last.input[1]])


def test_a_quantized_network_is_taken_up_again(packaged: Path) -> None:
    quantize(packaged, [pictures(seed) for seed in range(1, 5)])
    again, images = classifier(), pictures(7, 20)
    nn.init.zeros_(again[0].weight)
    load_packaged(again, packaged, None)
    with torch.no_grad():
        found = again(torch.from_numpy(images)).numpy()
    there = said(packaged, images)
    np.testing.assert_allclose(found, there, atol=0.15 * there.std())


@pytest.mark.parametrize("name", QUANTIZED)
def test_the_package_has_it_quantized(name: str) -> None:
    kinds = {node.op_type for node in onnx.load(str(MODELS / f"{name}.onnx")).graph.node}
    assert "QuantizeLinear" in kinds
